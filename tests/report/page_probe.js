// What a browser finds in the page: sorted, filtered, measured; left in <pre id="found">.
const found = {errors: []};
window.addEventListener("error", (event) => found.errors.push(event.message));
function visible() { return [...document.querySelectorAll("#table tbody tr")].filter((r) => !r.hidden); }
function set(id, value) { const f = document.getElementById(id); f.value = value;
  f.dispatchEvent(new Event("input", {bubbles: true})); }
function luminance(colour) {
  const [r, g, b] = colour.match(/[0-9.]+/g).slice(0, 3).map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function behind(element) {
  for (let e = element; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor;
    if (c !== "rgba(0, 0, 0, 0)" && c !== "transparent") return c;
  }
  return "rgb(255, 255, 255)";
}
window.addEventListener("load", () => {
  found.title = document.title;
  found.rows = visible().length;
  found.form = document.querySelector(".filters").offsetParent !== null;
  const sort = (by) => { document.querySelector(`[data-by=${by}]`).click();
    return visible().map((r) => Number(r.dataset[by])); };
  found.up = sort("spread");
  found.aria = document.querySelector("[data-by=spread]").closest("th").getAttribute("aria-sort");
  found.down = sort("spread");
  found.others = document.querySelectorAll("[aria-sort=ascending], [aria-sort=descending]").length;
  set("words", "onerror=ALERT"); found.words = visible().map((r) => r.dataset.number);
  found.count = document.getElementById("count").textContent;
  set("words", ""); set("flag", "empty-output"); found.flag = visible().map((r) => r.dataset.number);
  set("flag", "*"); found.any = visible().length;
  set("flag", ""); set("system", "0"); found.best = visible().length;
  set("place", "worst"); found.worst = visible().length;
  set("system", ""); found.again = visible().length;
  found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  found.named = [...document.querySelectorAll("input, select")].every((e) => e.labels.length > 0);
  found.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  found.contrast = Math.min(...[...document.querySelectorAll("h1, h2, p, td, th, dt, dd, ins, del, a, caption, button, summary, .flag, figcaption, label, output")]
    .filter((e) => e.textContent.trim() && e.offsetParent && !e.disabled).map((e) => {
      const a = luminance(getComputedStyle(e).color), b = luminance(behind(e));
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }));
  const pre = document.createElement("pre"); pre.id = "found";
  pre.textContent = JSON.stringify(found); document.body.append(pre);
});

"use strict";
// Sorts and filters the rows of the page; the page is complete without it.
(() => {
  const body = document.querySelector("#table tbody");
  const rows = Array.from(body.rows);
  const heads = Array.from(document.querySelectorAll("#table thead button"));
  const form = document.querySelector(".filters");
  const field = (id) => document.getElementById(id);
  const texts = rows.map((row) => row.cells[4].textContent.toLowerCase());

  function sort(button) {
    const head = button.closest("th");
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((each) => each.closest("th").setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const by = button.dataset.by;
    const sign = down ? -1 : 1;
    const order = rows.slice().sort((a, b) =>
      sign * (a.dataset[by] - b.dataset[by]) || a.dataset.number - b.dataset.number);
    body.append(...order);
  }

  function filter() {
    const words = field("words").value.trim().toLowerCase();
    const system = field("system").value;
    const place = field("place").value;
    const flag = field("flag").value;
    let shown = 0;
    rows.forEach((row, i) => {
      const flags = row.dataset.flags.split(" ");
      const fits = texts[i].includes(words)
        && (system === "" || row.dataset[place].split(" ").includes(system))
        && (flag === "" || (flag === "*" ? row.dataset.flags !== "" : flags.includes(flag)));
      row.hidden = !fits;
      shown += fits;
    });
    field("count").textContent = shown === rows.length
      ? `${shown} segments` : `${shown} of ${rows.length} segments`;
  }

  heads.forEach((button) => button.addEventListener("click", () => sort(button)));
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  form.hidden = false;  // hidden without scripts
  field("place").disabled = true;
  field("system").addEventListener("input", () => { field("place").disabled = field("system").value === ""; });
})();

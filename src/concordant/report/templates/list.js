// The list of segments: of thousands, only those near the screen are drawn.
const CHUNK = 12;  // segments drawn together
const GUESS = 210;  // pixels of a segment that has not been drawn yet
const NEAR = "1000px 0px";
let order = [];

function fill(chunk) {
  if (chunk.childElementCount) return;
  const begin = Number(chunk.dataset.begin);
  chunk.append(...order.slice(begin, begin + CHUNK).map((segment, i) =>
    segmentRow(segment, begin + i, order.length)));
  chunk.style.height = "";
}

function empty(chunk) {
  const stays = chunk.dataset.begin === "0" || chunk.contains(document.activeElement);
  if (!chunk.childElementCount || stays) return;
  chunk.style.height = `${chunk.getBoundingClientRect().height}px`;
  chunk.replaceChildren();
}

const seen = new IntersectionObserver((entries) => entries.forEach((entry) =>
  (entry.isIntersecting ? fill : empty)(entry.target)), {rootMargin: NEAR});

function drawList() {
  order = listed();
  seen.disconnect();
  const chunks = [];
  for (let begin = 0; begin < order.length; begin += CHUNK) {
    const chunk = element("div", {class: "chunk", "data-begin": begin});
    chunk.style.height = `${GUESS * Math.min(CHUNK, order.length - begin)}px`;
    chunks.push(chunk);
  }
  const list = byId("list");
  list.replaceChildren(...chunks);
  list.hidden = !order.length;
  if (chunks.length) fill(chunks[0]);
  chunks.forEach((chunk) => seen.observe(chunk));
  byId("count").textContent = order.length === total
    ? `${whole(total)} segments` : `${whole(order.length)} of ${whole(total)} segments`;
}

function rowAt(place) {
  const chunk = byId("list").children[Math.floor(place / CHUNK)];
  if (!chunk) return null;
  fill(chunk);
  return chunk.children[place % CHUNK] || null;
}

function goTo(place) {
  const row = rowAt(place);
  if (!row) return;
  row.scrollIntoView({block: "start"});
  row.focus({preventScroll: true});
}

function openSegment(segment) {
  if (!order.includes(segment)) {
    change({words: "", outcome: "", flag: "", group: null, phrase: null});
  }
  goTo(order.indexOf(segment));
}

function openLinked() {
  const found = /^#s(\d+)$/.exec(location.hash);
  if (found && Number(found[1]) >= 1 && Number(found[1]) <= total) openSegment(Number(found[1]) - 1);
}

function startList() {
  watch(["metric", "first", "second", "sort", "words", "outcome", "flag", "group", "phrase", "everyone"], drawList);
  addEventListener("hashchange", openLinked);
  addEventListener("beforeprint", () => Array.from(byId("list").children).slice(0, 4).forEach(fill));
  drawList();
}

// Tables that follow the chosen metric or are sorted by a column.
const showMetric = () => document.querySelectorAll(".by-metric").forEach((part) => {
  part.hidden = Number(part.dataset.metric) !== state.metric;
});

function rankBy(column) {
  const body = document.querySelector(".ranking tbody");
  const cell = (row) => row.querySelectorAll(".measure")[column];
  const rows = Array.from(body.rows).sort((a, b) => cell(a).dataset.place - cell(b).dataset.place);
  rows.forEach((row, i) => row.classList.toggle("apart",
    i > 0 && cell(row).dataset.cluster !== cell(rows[i - 1]).dataset.cluster));
  body.append(...rows);
  document.querySelectorAll(".ranking thead .measure").forEach((head, i) => {
    if (i === column) head.setAttribute("aria-sort", "descending");
    else head.removeAttribute("aria-sort");
  });
}

function sortBy(table, column) {
  const head = table.tHead.rows[0].cells[column];
  const down = head.getAttribute("aria-sort") !== "descending";
  Array.from(table.tHead.rows[0].cells).forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const text = (row) => row.cells[column].textContent;
  const compare = (a, b) => column === 0
    ? text(b).localeCompare(text(a), "en", {numeric: true}) : text(b) - text(a);
  const rows = Array.from(table.tBodies[0].rows).sort((a, b) => (down ? 1 : -1) * compare(a, b));
  table.tBodies[0].append(...rows);
}

function asButton(head, act) {
  const button = element("button", {type: "button"}, ...head.childNodes);
  button.addEventListener("click", act);
  head.replaceChildren(button);
}

function startTables() {
  if (data.metrics.length > 1) {
    document.querySelectorAll(".ranking thead .measure").forEach((head, i) =>
      asButton(head, () => change({metric: i})));
    byId("metrics").addEventListener("change", (event) =>
      change({metric: Number(event.target.value)}));
  }
  document.querySelectorAll(".sortable").forEach((table) =>
    Array.from(table.tHead.rows[0].cells).forEach((head, i) =>
      asButton(head, () => sortBy(table, i))));
  document.querySelectorAll(".matrix a").forEach((link) => link.addEventListener("click", () =>
    choosePair(...[link.dataset.row, link.dataset.column].map((name) => data.systems.indexOf(name)))));
  watch(["metric"], () => {
    showMetric();
    rankBy(state.metric);
    document.querySelectorAll("[name=metric]").forEach((each) => {
      each.checked = Number(each.value) === state.metric;
    });
  });
  showMetric();
}

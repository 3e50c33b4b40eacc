// The keyboard in the list of segments.
function placeOfFocus() {
  const row = document.activeElement.closest(".segment");
  return row ? Number(row.getAttribute("aria-posinset")) - 1 : -1;
}

function explainHere() {
  const row = document.activeElement.closest(".segment");
  const why = row && row.querySelector("details");
  if (why) why.open = !why.open;
}

const ACTS = {
  j: () => goTo(Math.min(placeOfFocus() + 1, order.length - 1)),
  k: () => goTo(Math.max(placeOfFocus() - 1, 0)),
  e: explainHere,
  "/": () => byId("words").focus(),
};

function startKeys() {
  byId("segments").addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !ACTS[event.key]) return;
    event.preventDefault();
    ACTS[event.key]();
  });
}

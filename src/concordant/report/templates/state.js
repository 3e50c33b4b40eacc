// What is chosen on the page, and what is drawn again when a choice changes.
const data = JSON.parse(document.getElementById("data").textContent);
const total = data.references.length;
const state = {
  metric: 0, first: data.order[0], second: data.order[1],
  sort: "apart", words: "", outcome: "", flag: "", group: null, phrase: null, everyone: false,
};
const watchers = [];

function watch(keys, draw) {
  watchers.push({keys, draw});
}

function change(choices) {
  const changed = Object.keys(choices).filter((key) => state[key] !== choices[key]);
  Object.assign(state, choices);
  watchers.filter((each) => each.keys.some((key) => changed.includes(key)))
    .forEach((each) => each.draw());
}

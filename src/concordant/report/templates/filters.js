// Which segments are listed, and in what order.
const flagged = new Map();  // segment → system → numbers of flags

function startFlags() {
  for (const [system, segment, ...found] of data.flags) {
    if (!flagged.has(segment)) flagged.set(segment, new Map());
    flagged.get(segment).set(system, found);
  }
}

function flagsOf(segment, system) {
  return (flagged.get(segment) && flagged.get(segment).get(system)) || [];
}

function columnOf(segment) {
  return metric().scores.map((scores) => scores[segment]);
}

function extreme(segment, system, pick) {
  const scores = columnOf(segment);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return high > low && scores[system] === (pick === "best" ? high : low);
}

const OUTCOMES = {
  first: (segment) => gaps()[segment] > 0,
  second: (segment) => gaps()[segment] < 0,
  tie: (segment) => gaps()[segment] === 0,
  same: sameText,
};
const KEYS = {
  apart: (segment) => -Math.abs(gaps()[segment]),
  first: (segment) => -gaps()[segment],
  second: (segment) => gaps()[segment],
  spread: (segment) => Math.min(...columnOf(segment)) - Math.max(...columnOf(segment)),
  low: (segment) => columnOf(segment).reduce((sum, score) => sum + score, 0),
  long: (segment) => -data.lengths[segment],
  number: (segment) => segment,
};

function textsOf(segment) {
  const own = data.translations.map((texts) => texts[segment]);
  const source = data.sources ? data.sources[segment] : null;
  return [source, ...(data.references[segment] || []), ...own].filter((text) => text !== null);
}

function wantedBy() {
  const tests = [];
  const wanted = state.words.trim().toLowerCase();
  if (wanted) {
    tests.push((segment) => textsOf(segment).some((text) => text.toLowerCase().includes(wanted)));
  }
  if (OUTCOMES[state.outcome]) tests.push(OUTCOMES[state.outcome]);
  else if (state.outcome) {
    const [pick, system] = state.outcome.split(" ");
    tests.push((segment) => extreme(segment, Number(system), pick));
  }
  if (state.flag === "any") tests.push((segment) => flagged.has(segment));
  else if (state.flag) {
    tests.push((segment) => flagged.has(segment) &&
      [...flagged.get(segment).values()].some((found) => found.includes(Number(state.flag))));
  }
  if (state.group) tests.push((segment) => state.group.of[segment] === state.group.label);
  if (state.phrase) tests.push((segment) => hasPhrase(segment, state.phrase));
  return tests;
}

function sorted(by) {
  const keys = Float64Array.from({length: total}, (_, segment) => KEYS[by](segment));
  return Array.from(keys.keys()).sort((x, y) => keys[x] - keys[y] || x - y);
}

function listed() {
  const tests = wantedBy();
  return sorted(state.sort).filter((segment) => tests.every((test) => test(segment)));
}

function show(choices) {
  change(choices);
  byId("segments").scrollIntoView();
  byId("segments-title").focus({preventScroll: true});
}

function chip(words, clear) {
  const button = element("button", {type: "button", class: "remove", "aria-label": `Remove: ${words}`}, words, " ×");
  button.addEventListener("click", () => change(clear));
  return button;
}

function drawChips() {
  const chips = [];
  if (state.group) chips.push(chip(`${state.group.name}: ${state.group.words}`, {group: null}));
  if (state.phrase) {
    const name = data.systems[state.phrase.side ? state.second : state.first];
    chips.push(chip(`only ${name} has “${state.phrase.text}”`, {phrase: null}));
  }
  byId("chips").replaceChildren(...chips);
}

function drawOutcomeOptions() {
  const [a, b] = [data.systems[state.first], data.systems[state.second]];
  const all = [["", "all segments"], ["first", `A ahead (${a})`], ["second", `B ahead (${b})`],
    ["tie", "A and B equal"], ["same", "A and B the same text"]];
  for (const i of data.order) {
    all.push([`best ${i}`, `${data.systems[i]} is best`], [`worst ${i}`, `${data.systems[i]} is worst`]);
  }
  byId("outcome").replaceChildren(...all.map((each) => option(...each)));
  byId("outcome").value = state.outcome;
}

function startFilters() {
  const form = document.querySelector(".filters");
  const used = new Set(data.flags.flatMap((each) => each.slice(2)));
  byId("flag").append(option("", "any or none"), option("any", "any flag"),
    ...data.flagNames.map((name, i) => [i, name]).filter(([i]) => used.has(i)).map((each) => option(...each)));
  drawOutcomeOptions();
  let waiting = 0;
  byId("words").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => change({words: event.target.value}), 150);
  });
  for (const name of ["sort", "outcome", "flag"]) {
    byId(name).addEventListener("change", (event) => change({[name]: event.target.value}));
  }
  byId("everyone").addEventListener("change", (event) => change({everyone: event.target.checked}));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => change({
    sort: "apart", words: "", outcome: "", flag: "", group: null, phrase: null, everyone: false,
  }));
  watch(["first", "second"], drawOutcomeOptions);
  watch(["sort", "outcome", "flag", "words"], () => {
    for (const name of ["sort", "outcome", "flag", "words"]) {
      if (byId(name).value !== state[name]) byId(name).value = state[name];
    }
  });
  watch(["group", "phrase"], drawChips);
}

// The two systems chosen: their differences segment by segment, and the facts of the pair.
const TIE = 1e-9;  // of a segment's score: less is a tie
const known = {name: "", gaps: null};

function metric() {
  return data.metrics[state.metric];
}

function scoreText(score) {
  return (metric().sign * score).toFixed(metric().digits).replace("-", "−");
}

function gaps() {
  const name = [state.metric, state.first, state.second].join();
  if (known.name !== name) {
    const [ours, theirs] = [state.first, state.second].map((i) => metric().scores[i]);
    known.gaps = Float64Array.from(ours, (score, i) => {
      const gap = score - theirs[i];
      return Math.abs(gap) <= TIE * Math.max(1, Math.abs(score)) ? 0 : gap;
    });
    known.name = name;
  }
  return known.gaps;
}

function sameText(segment) {
  const text = data.translations[state.first][segment];
  return text !== null && text === data.translations[state.second][segment];
}

function pairFacts() {
  const found = metric().pairs.find(([a, b]) =>
    (a === state.first && b === state.second) || (a === state.second && b === state.first));
  const [better, worse, difference, low, high, p, significant, people] = found;
  return {better, worse, difference, low, high, p, significant, people};
}

function drawVerdict() {
  const facts = pairFacts();
  const digits = metric().digits;
  const [better, worse] = [facts.better, facts.worse].map((i) => data.systems[i]);
  const range = `${facts.low.toFixed(digits)} to ${facts.high.toFixed(digits)}`.replace(/-/g, "−");
  const sure = facts.significant ? "statistically significant" : "not significant";
  const words = facts.difference === 0
    ? [`${better} and ${worse} have the same score by ${metric().name}.`]
    : [element("b", {}, better), ` is ahead of `, element("b", {}, worse),
      ` by ${facts.difference.toFixed(digits)} ${metric().name} [${range}]: ${sure} (${facts.p}).`];
  if (facts.difference !== 0) words.push(` ${facts.people[0].toUpperCase()}${facts.people.slice(1)}.`);
  byId("duel-verdict").replaceChildren(...words);
}

function drawOutcomes() {
  const found = gaps();
  const wins = found.filter((gap) => gap > 0).length;
  const losses = found.filter((gap) => gap < 0).length;
  const ties = total - wins - losses;
  const same = found.reduce((sum, _, i) => sum + sameText(i), 0);
  const parts = [
    ["first", wins, `${data.systems[state.first]} ahead`, colour(state.first)],
    ["tie", ties, "equal", "equal"],
    ["second", losses, `${data.systems[state.second]} ahead`, colour(state.second)],
  ];
  const bar = drawing("svg", {height: 12, "aria-hidden": "true"});
  let begin = 0;
  const buttons = parts.map(([outcome, size, words, own]) => {
    const share = 100 * size / total;
    bar.append(drawing("rect", {
      class: `part ${own}`, x: `${begin}%`, width: `${share}%`, height: 12,
    }));
    begin += share;
    const button = element("button", {type: "button", class: outcome},
      element("b", {}, whole(size)), element("span", {}, `${words} · ${share.toFixed(0)} %`));
    button.addEventListener("click", () => show({outcome}));
    return button;
  });
  byId("outcomes").replaceChildren(bar, element("div", {}, ...buttons),
    element("p", {class: "note"}, same
      ? `${whole(same)} segments are translated the same by both.`
      : "No segment is translated the same by both."));
}

function drawChoices() {
  for (const side of ["first", "second"]) {
    const select = byId(side);
    select.replaceChildren(...data.order.map((i) => option(i, data.systems[i])));
    select.value = String(state[side]);
    select.className = colour(state[side]);
  }
}

function choosePair(first, second) {
  if (first === second) return;
  change({first, second, phrase: null, group: null});
}

function startPair() {
  for (const [side, other] of [["first", "second"], ["second", "first"]]) {
    byId(side).addEventListener("change", (event) => {
      const chosen = Number(event.target.value);
      const swapped = chosen === state[other] ? state[side] : state[other];
      const pair = side === "first" ? [chosen, swapped] : [swapped, chosen];
      choosePair(...pair);
    });
  }
  byId("swap").addEventListener("click", () => choosePair(state.second, state.first));
  document.querySelector(".versus").addEventListener("submit", (event) => event.preventDefault());
  watch(["first", "second"], drawChoices);
  watch(["metric", "first", "second"], () => { drawVerdict(); drawOutcomes(); });
  drawChoices();
  drawVerdict();
  drawOutcomes();
}

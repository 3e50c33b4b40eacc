// One segment: its texts with the differing words marked, and why a metric gave its scores.
const SHOWN_PARTS = 6;

function marked(text, references) {
  if (text === null) return [element("i", {}, "left out of this page")];
  if (!references.length) return [text || element("i", {}, "no text")];
  const runs = wordRuns(text, nearestReference(text, references));
  const parts = runs.flatMap(({kind, text: run, space}) => {
    const tag = {added: "ins", missing: "del"}[kind];
    return [space ? " " : "", tag ? element(tag, {}, run) : run];
  });
  return text ? parts : [element("i", {}, "no text "), ...parts];
}

function given(name, text) {
  return element("div", {class: "given"}, element("dt", {}, name), element("dd", {dir: "auto"}, text));
}

function translation(segment, system) {
  const flags = flagsOf(segment, system).map((i) =>
    element("span", {class: "flag", title: data.flagWords[i]}, data.flagNames[i]));
  const references = data.references[segment] || [];
  return element("div", {},
    element("dt", {}, key(system), " ", data.systems[system], " ",
      element("b", {}, scoreText(metric().scores[system][segment]))),
    element("dd", {dir: "auto"}, ...marked(data.translations[system][segment], references),
      ...flags.flatMap((flag) => [" ", flag])));
}

function partBar(value, limit) {
  const size = 50 * Math.abs(value) / limit;
  const box = {class: `move ${value < 0 ? "down" : "up"}`, height: 10, "aria-hidden": "true"};
  return drawing("svg", box, drawing("rect", {
    x: `${value < 0 ? 50 - size : 50}%`, width: `${size}%`, height: 10,
  }), drawing("line", {x1: "50%", x2: "50%", y1: 0, y2: 10}));
}

function explanation(segment) {
  const parts = metric().parts;
  const place = parts ? parts.segments.indexOf(segment) : -1;
  if (place < 0) return null;
  const [a, b] = [state.first, state.second].map((i) => parts.moved[i][place]);
  const size = (i) => Math.max(Math.abs(a[i]), Math.abs(b[i]));
  const most = parts.names.map((_, i) => i).sort((x, y) => size(y) - size(x)).slice(0, SHOWN_PARTS);
  const limit = Math.max(...most.map(size)) || 1;
  const cell = (value) => element("td", {}, partBar(value, limit), element("span", {}, signed(value, 2)));
  const rows = most.map((i) =>
    element("tr", {}, element("th", {scope: "row"}, parts.names[i]), cell(a[i]), cell(b[i])));
  return element("details", {class: "why"}, element("summary", {}, "Why these scores"),
    element("table", {},
      element("caption", {}, `What moved the raw totals by ${metric().name} away from those of a translation with average features`),
      element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "Part"),
        element("th", {scope: "col"}, data.systems[state.first]),
        element("th", {scope: "col"}, data.systems[state.second]))),
      element("tbody", {}, ...rows)));
}

function segmentRow(segment, place, size) {
  const gap = gaps()[segment];
  const ahead = gap > 0 ? state.first : state.second;
  const difference = gap === 0 ? element("span", {class: "gap"}, "equal")
    : element("span", {class: `gap ${colour(ahead)}`}, key(ahead), ` ${data.systems[ahead]} +${Math.abs(gap).toFixed(metric().digits)}`);
  const facts = [`${data.lengths[segment]} words`];
  if (data.documents) facts.push(data.documents.names[data.documents.of[segment]]);
  const head = element("p", {class: "head"},
    element("a", {href: `#s${segment + 1}`, "aria-label": `Segment ${segment + 1}, link`}, `${segment + 1}`),
    difference, element("span", {class: "note"}, facts.join(" · ")));
  const references = data.references[segment];
  const texts = element("dl", {});
  if (data.sources && data.sources[segment] !== null) texts.append(given("Source", data.sources[segment]));
  (references || []).forEach((text, i) =>
    texts.append(given(references.length > 1 ? `Reference ${i + 1}` : "Reference", text)));
  texts.append(translation(segment, state.first), translation(segment, state.second));
  if (state.everyone) {
    texts.append(...data.order.filter((i) => i !== state.first && i !== state.second)
      .map((i) => translation(segment, i)));
  }
  return element("article", {
    class: "segment", id: `s${segment + 1}`, tabindex: -1, "aria-label": `Segment ${segment + 1}`,
    "aria-posinset": place + 1, "aria-setsize": size,
  }, head, texts, ...[explanation(segment)].filter(Boolean));
}

// Where the two systems differ: the mean difference in groups of segments.
const MOST_DOCUMENTS = 12;
const ENOUGH = 10;  // segments: smaller groups do not set the scale

function flagGroup() {
  const of = new Array(total).fill(0);
  for (const [system, segment] of data.flags) {
    if (system === state.first) of[segment] |= 1;
    if (system === state.second) of[segment] |= 2;
  }
  const labels = ["neither", "only A", "only B", "both"];
  return {name: "Flags", about: "which translation has a flag, such as empty or wrong language", labels, of};
}

function documentGroup() {
  return {
    name: "Documents", about: "those where the two differ most",
    labels: data.documents.names, of: data.documents.of, most: MOST_DOCUMENTS,
  };
}

function allGroups() {
  const documents = data.documents ? [documentGroup()] : [];
  return [...data.groups, flagGroup(), ...documents].filter((each) =>
    each.of.some((label) => label !== each.of[0]));
}

function measured(group) {
  const sums = group.labels.map(() => ({count: 0, sum: 0, squares: 0}));
  gaps().forEach((gap, i) => {
    const own = sums[group.of[i]];
    own.count += 1;
    own.sum += gap;
    own.squares += gap * gap;
  });
  const rows = sums.map(({count, sum, squares}, label) => {
    const mean = sum / count;
    const variance = Math.max(0, squares - count * mean * mean) / (count - 1);
    return {label, count, mean, half: count > 1 ? 1.96 * Math.sqrt(variance / count) : null};
  }).filter((row) => row.count > 0);
  if (!group.most) return rows;
  return rows.sort((x, y) => Math.abs(y.mean) - Math.abs(x.mean)).slice(0, group.most);
}

function reach(row) {
  return Math.abs(row.mean) + (row.half || 0);
}

function groupPlot(row, limit) {
  const place = (value) => `${(50 + 48 * Math.max(-1, Math.min(1, value / limit))).toFixed(2)}%`;
  const ahead = row.mean > 0 ? state.first : state.second;
  const sure = row.half !== null && Math.abs(row.mean) > row.half;
  const line = row.half === null ? null : drawing("line", {
    class: "interval", x1: place(row.mean - row.half), x2: place(row.mean + row.half), y1: 11, y2: 11,
  });
  return drawing("svg", {class: `dot ${sure ? colour(ahead) : "unsure"}`, height: 22, "aria-hidden": "true"},
    drawing("line", {class: "zero", x1: "50%", x2: "50%", y1: 0, y2: 22}), line,
    drawing("svg", {x: place(row.mean), y: 11, overflow: "visible"}, marker(ahead)));
}

function groupRow(group, row, limit) {
  const label = group.labels[row.label];
  const half = row.half === null ? "" : ` ± ${row.half.toFixed(metric().digits)}`;
  const chosen = state.group && state.group.name === group.name && state.group.label === row.label;
  const button = element("button", {type: "button", "aria-pressed": String(Boolean(chosen))},
    element("span", {class: "name", title: label}, label),
    element("span", {class: "size"}, whole(row.count), element("span", {class: "unseen"}, " segments")),
    groupPlot(row, limit),
    element("span", {class: "value"}, signed(row.mean, metric().digits),
      element("span", {class: "unseen"}, half)));
  button.addEventListener("click", () =>
    show({group: {name: group.name, label: row.label, of: group.of, words: label}}));
  return element("li", {}, button);
}

function drawGroups() {
  const all = allGroups().map((group) => ({group, rows: measured(group)}));
  const rows = all.flatMap((each) => each.rows);
  const large = rows.filter((row) => row.count >= ENOUGH);
  const limit = Math.max(...(large.length ? large : rows).map(reach)) || 1;
  byId("groups").replaceChildren(...all.map((each) => element("div", {class: "group"},
    element("h4", {}, each.group.name), element("p", {class: "note"}, each.group.about),
    element("p", {class: "sides", "aria-hidden": "true"},
      element("span", {}, "← B better"), element("span", {}, "A better →")),
    element("ul", {}, ...each.rows.map((row) => groupRow(each.group, row, limit))))));
}

function startGroups() {
  watch(["metric", "first", "second", "group"], drawGroups);
  drawGroups();
}

// The organiser's page: figures from the server, drawn again every few seconds.

import { requests } from "/request.js";
import { make } from "/screens.js";

const token = location.hash.slice(1);
const at = (id) => document.getElementById(id);
const FORMATS = {
  jsonl: ["jsonl", "Everything (jsonl)"], "wmt-csv": ["csv", "WMT’s pairs (csv)"],
  "comet-csv": ["csv", "COMET (csv)"], "mqm-tsv": ["tsv", "MQM (tsv)"],
};
const number = (value, digits = 3) => (value === null || value === undefined ? "–" : value.toFixed(digits));
const interval = (row, digits = 3) => (row.low === null || row.low === undefined ? "–" : `${number(row.low, digits)} to ${number(row.high, digits)}`);

const call = requests(token);

function notice(words) { at("notice").hidden = !words; at("notice").textContent = words ?? ""; }

/** A table; a column is [heading, cell of a row, is it a number]. */
function table(rows, columns, mark = () => "") {
  return make("table", {},
    make("thead", {}, make("tr", {}, ...columns.map(([name, , right]) => make("th", { scope: "col", class: right ? "n" : "" }, name)))),
    make("tbody", {}, ...rows.map((row, i) => make("tr", { class: mark(row, i) }, ...columns.map(([, show, right], c) =>
      make(c ? "td" : "th", { class: right ? "n" : "", ...(c ? {} : { scope: "row", dir: "auto" }) }, show(row)))))));
}

const SVG = "http://www.w3.org/2000/svg";
function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A score with its interval on the scale of all of them. */
function plot(row, rows) {
  const ends = rows.flatMap((each) => [each.low ?? each.score, each.high ?? each.score]);
  const low = Math.min(...ends), span = Math.max(...ends) - low || 1;
  const x = (value) => 6 + (164 * (value - low)) / span;
  const parts = row.low === null ? [] : [drawn("line", { x1: x(row.low), x2: x(row.high), y1: 10, y2: 10 })];
  return drawn("svg", { class: "plot", viewBox: "0 0 176 20", "aria-hidden": "true" }, ...parts, drawn("circle", { cx: x(row.score), cy: 10, r: 5 }));
}

/** A part of a whole, marked where it is low. */
function share(part, whole, low) {
  const text = whole ? `${part} of ${whole}` : "–";
  return whole >= 3 && part / whole < low ? make("span", { class: "low" }, text) : text;
}

function stateOf(row) {
  const select = make("select", { "aria-label": `State of ${row.judge}`, onchange: async () => {
    try { await call("/api/state", { judge: row.judge, state: select.value }); await refresh(); } catch (fault) { notice(fault.message); }
  } }, ...["active", "stopped", "left out"].map((each) => make("option", { value: each, ...(each === row.state ? { selected: "" } : {}) }, each)));
  return select;
}

function show(found) {
  document.title = `${found.title} – campaign`;
  at("title").textContent = found.title;
  at("bar").max = found.wanted;
  at("bar").value = found.judgements;
  at("count").textContent = `${found.judgements} of ${found.wanted} judgements`;
  at("pause").setAttribute("aria-pressed", found.paused);
  at("pause").textContent = found.paused ? "Paused: go on" : "Pause";
  const rows = found.ranking;
  at("ranking").replaceChildren(rows.length ? table(rows, [
    ["System", (row) => row.system], ["Score", (row) => number(row.score), true], ["Interval", interval, true],
    ["", (row) => plot(row, rows)],
    ["Ranks", (row) => (row.rank_low === null ? "–" : row.rank_low === row.rank_high ? `${row.rank_low}` : `${row.rank_low}–${row.rank_high}`), true],
    ["Cluster", (row) => `${row.cluster ?? "–"}`, true],
  ], (row, i) => (i && row.cluster !== rows[i - 1].cluster ? "apart" : "")) : make("p", { class: "faint" }, `Nothing yet: ${found.why}.`));
  at("signature").textContent = found.signature;
  at("open").replaceChildren(!rows.length ? make("p", { class: "faint" }, "Nothing is known yet.") : found.open.length
    ? table(found.open, [["Better, as it stands", (row) => row.better], ["than", (row) => row.worse], ["Chance that the order is wrong", (row) => `${Math.round(100 * row.doubt)} %`, true]])
    : make("p", { class: "faint" }, "The order of all neighbours is settled: the chance that it is wrong is below 2.5 % for each."));
  if (!at("judges").contains(document.activeElement)) at("judges").replaceChildren(table(found.judges, [
    ["Judge", (row) => row.judge], ["Done", (row) => `${row.done} of ${row.each}`, true],
    ["Median time", (row) => (row.seconds === null ? "–" : `${Math.round(row.seconds)} s`), true],
    ["Repeats", (row) => share(row.repeated, row.repeats, 0.5), true], ["Damaged", (row) => share(row.found, row.damaged, 0.7), true],
    ["", stateOf],
  ]));
  at("agreement").replaceChildren(found.agreement.length ? table(found.agreement, [
    ["Coefficient", (row) => row.coefficient], ["Value", (row) => number(row.value), true], ["Interval", interval, true],
    ["Pairs", (row) => `${row.n ?? "–"}`, true], ["", (row) => make("span", { class: "faint" }, row.undefined ?? "")],
  ]) : make("p", { class: "faint" }, "Nothing to compare yet."));
}

async function refresh() {
  try { show(await (await call("/api/overview")).json()); notice(null); } catch (fault) { notice(fault.message); }
}

async function compute() {
  at("compute").disabled = true;
  at("compute").textContent = "Computing…";
  try {
    const found = await (await call("/api/metrics")).json();
    at("metrics").replaceChildren(found.metrics.length ? table(found.metrics, [
      ["Metric", (row) => row.metric], [found.statistic, (row) => number(row.value), true], ["Interval", interval, true], ["n", (row) => `${row.n ?? "–"}`, true],
    ]) : make("p", { class: "faint" }, `Nothing yet: ${found.why}.`), make("p", { class: "faint signature" }, found.signature), make("p", {}, found.outlook ?? ""));
  } catch (fault) { notice(fault.message); }
  at("compute").disabled = false;
  at("compute").textContent = "Compute again";
}

async function download(format) {
  try {
    const text = await (await call(`/api/export?format=${format}`)).text();
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    make("a", { href: address, download: `campaign-${format}.${FORMATS[format][0]}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  } catch (fault) { notice(fault.message); }
}

at("pause").addEventListener("click", async () => {
  try { await call("/api/pause", { paused: at("pause").getAttribute("aria-pressed") !== "true" }); await refresh(); } catch (fault) { notice(fault.message); }
});
at("compute").addEventListener("click", compute);
at("export").replaceChildren(...Object.keys(FORMATS).map((format) => make("button", { type: "button", onclick: () => download(format) }, FORMATS[format][1])));
if (token) { refresh(); setInterval(() => { if (!document.hidden) refresh(); }, 5000); } else notice("Open this page by the organiser's link.");

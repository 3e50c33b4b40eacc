// The judge's page: fetches a task, shows it, and keeps every answer until the server has it.

import { requests } from "/request.js";
import { SCREENS, make } from "/screens.js";

const token = location.hash.slice(1);
const at = (id) => document.getElementById(id);
const store = {
  get(name) { try { return JSON.parse(localStorage.getItem(name)); } catch { return null; } },
  set(name, value) { try { value === null ? localStorage.removeItem(name) : localStorage.setItem(name, JSON.stringify(value)); } catch { /* private window */ } },
};
const owner = token.slice(0, 8); // tells the drafts of several judges in one browser apart
const pendingName = `concordant-pending-${owner}`, draftName = `concordant-draft-${owner}`;

let screen = null, task = null, seconds = 0, since = null, sending = false;

const request = requests(token);
const call = async (path, body) => (await request(path, body)).json();

function notice(words) {
  at("notice").hidden = !words;
  at("notice").textContent = words ?? "";
}

// Only the time that the page is seen counts.
function clock(running) {
  if (since !== null) seconds += (performance.now() - since) / 1000;
  since = running ? performance.now() : null;
}
document.addEventListener("visibilitychange", () => clock(!document.hidden));

function show(state) {
  const { campaign, progress } = state;
  document.title = campaign.title;
  at("title").textContent = campaign.title;
  at("bar").max = progress.each;
  at("bar").value = Math.min(progress.done, progress.each);
  at("count").textContent = `${progress.judge}: ${progress.done} of ${progress.each}`;
  task = state.task;
  at("actions").hidden = !task;
  if (!task) return finish(state.why);
  at("context").replaceChildren(...context(campaign, task));
  const Kind = SCREENS[campaign.protocol];
  const differences = screen?.differences ?? false;
  screen = new Kind(at("screen"), task.translations, changed);
  screen.differences = differences && task.translations.length > 1;
  const draft = store.get(draftName);
  screen.begin(task.answer ?? (draft?.task === task.task ? draft.answer : null));
  at("differences").hidden = task.translations.length < 2;
  at("back").disabled = !task.correctable;
  seconds = 0;
  since = null;
  clock(!document.hidden);
  changed();
  window.scrollTo(0, 0);
  at("work").focus({ preventScroll: true });
}

function context(campaign, task) {
  const given = (label, text) => make("div", { class: "given" }, make("span", { class: "label" }, label), make("p", { class: "text", dir: "auto" }, text));
  const found = [];
  if (task.place) found.push(make("p", { class: "faint" }, `Segment ${task.place[0]} of ${task.place[1]} of this document`));
  found.push(...task.before.map((text) => make("p", { class: "before", dir: "auto" }, text)));
  if (task.source !== null) found.push(given("Source", task.source));
  task.references.forEach((text, i) => found.push(given(task.references.length > 1 ? `Reference ${i + 1}` : "Reference", text)));
  found.push(make("p", { class: "asked" }, task.answer ? "You correct your last judgement." : SCREENS[campaign.protocol].asked));
  const keys = { Enter: "save", u: "undo", b: "back to the last judgement", d: "word differences", "+ −": "larger, smaller text", "?": "this help" };
  at("key-list").replaceChildren(...Object.entries({ ...SCREENS[campaign.protocol].keys, ...keys }).flatMap(([key, words]) => [make("dt", {}, key), make("dd", {}, words)]));
  return found;
}

function finish(why) {
  const words = {
    finished: ["All done. Thank you!", "There is nothing left for you to judge. You can close this page."],
    paused: ["A short break", "The organiser has paused the campaign. This page goes on by itself."],
  }[why];
  screen = null;
  at("context").replaceChildren();
  at("screen").replaceChildren(make("div", { class: "end" }, make("h2", {}, words[0]), make("p", { class: "faint" }, words[1])));
  if (why === "paused") setTimeout(load, 5000);
}

function changed() {
  const result = screen.result();
  at("save").disabled = result === null || sending;
  at("undo").disabled = !screen.past.length;
  store.set(draftName, { task: task.task, answer: result ?? draftOf(screen) });
}

const draftOf = (shown) => (Array.isArray(shown.answer) ? { ranks: shown.answer } : shown.answer);

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

async function save() {
  const answer = screen?.result();
  if (!answer || sending) return;
  clock(false);
  store.set(pendingName, { task: task.task, key: newKey(), answer, seconds: Math.round(seconds * 1000) / 1000 });
  await send();
}

// Send what waits until the server has it; the key makes sure that it counts once.
async function send() {
  const pending = store.get(pendingName);
  if (!pending || sending) return pending === null;
  sending = true;
  at("save").disabled = true;
  for (let wait = 1; ; wait = Math.min(2 * wait, 30)) {
    try {
      const state = await call("/api/judgement", pending);
      store.set(pendingName, null);
      sending = false;
      notice(null);
      show(state);
      thank();
      return true;
    } catch (fault) {
      if (fault.status && fault.status < 500) {
        store.set(pendingName, null);
        sending = false;
        await load();
        notice(fault.message);
        return false;
      }
      notice(fault.status ? fault.message : "Not saved yet: the server does not answer. Your answer is kept in this page, which tries again by itself.");
      await new Promise((resume) => setTimeout(resume, wait * 1000));
    }
  }
}

function thank() {
  at("saved").textContent = "Saved. Thank you.";
  clearTimeout(thank.timer);
  thank.timer = setTimeout(() => { at("saved").textContent = ""; }, 2500);
}

async function load(path = "/api/task") {
  try {
    show(await call(path));
    notice(null);
  } catch (fault) {
    notice(fault.status ? fault.message : "The server does not answer. This page tries again by itself.");
    if (!fault.status || fault.status >= 500) setTimeout(() => load(path), 4000);
  }
}

function differences() {
  if (!screen || screen.texts.length < 2) return;
  screen.differences = !screen.differences;
  at("differences").setAttribute("aria-pressed", screen.differences);
  screen.draw();
}

function scale(step) {
  const size = Math.max(0.8, Math.min(2.4, (store.get("concordant-scale") ?? 1) + step));
  store.set("concordant-scale", size);
  document.documentElement.style.setProperty("--scale", size);
}

function theme(turn) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  let chosen = store.get("concordant-theme");
  if (turn) chosen = (chosen ?? (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
  if (chosen) document.documentElement.dataset.theme = chosen;
  store.set("concordant-theme", chosen);
}

const KEYS = {
  Enter: save, u: () => screen?.undo(), b: () => { if (!at("back").disabled) load("/api/previous"); },
  d: differences, "+": () => scale(0.15), "-": () => scale(-0.15), "?": () => at("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (at("keys").open || event.altKey || event.metaKey) return;
  if (event.ctrlKey) {
    if (event.key === "z") { event.preventDefault(); screen?.undo(); }
    return;
  }
  const button = event.target.closest("button");
  if (event.key === "Enter" && button && !(at("screen").contains(button) && screen?.result())) return; // its own
  const own = event.target.type === "range" && event.key.startsWith("Arrow") && !(screen?.words);
  if (own || !screen) return;
  if (screen.key(event)) event.preventDefault();
  else if (KEYS[event.key]) { event.preventDefault(); KEYS[event.key](); }
});

at("save").addEventListener("click", save);
at("undo").addEventListener("click", () => screen?.undo());
at("back").addEventListener("click", () => load("/api/previous"));
at("differences").addEventListener("click", differences);
at("larger").addEventListener("click", () => scale(0.15));
at("smaller").addEventListener("click", () => scale(-0.15));
at("theme").addEventListener("click", () => theme(true));
at("help").addEventListener("click", () => at("keys").showModal());
window.addEventListener("hashchange", () => location.reload());

scale(0);
theme(false);
if (!token) notice("Open this page by the link that you were given.");
else if (store.get(pendingName)) send();
else load();

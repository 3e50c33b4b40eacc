// One class for each protocol: it shows translations, takes keys, and knows its answer.
// Texts only ever become text nodes, so nothing in them can run.

import { differing, fill, wordsOf } from "/words.js";

/** An element with attributes and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const textOf = (text, attributes = {}) => make("p", { class: "text", dir: "auto", ...attributes }, text);

/** What all screens share: an answer that can be undone, and word differences. */
class Screen {
  constructor(place, texts, changed) {
    this.place = place;
    this.texts = texts;
    this.changed = changed;
    this.past = [];
    this.current = 0;
    this.differences = false;
  }

  /** Change the answer; what it was can be taken back. */
  set(answer) {
    this.past.push(structuredClone(this.answer));
    this.answer = answer;
    this.draw();
    this.changed();
  }

  undo() {
    if (!this.past.length) return;
    this.answer = this.past.pop();
    this.draw();
    this.changed();
  }

  /** Mark, in every text, the words that the current one does not share (in that one: with the next). */
  drawTexts(elements) {
    const words = this.texts.map(wordsOf);
    elements.forEach((element, i) => {
      if (!this.differences || this.texts.length < 2) return element.replaceChildren(this.texts[i]);
      const base = i === this.current ? (i + 1) % this.texts.length : this.current;
      const marked = differing(words[i], words[base]);
      fill(element, this.texts[i], (_, w) => (marked[w] ? make("mark") : null));
    });
  }
}

class Ranking extends Screen {
  static asked = "Give each translation a rank: 1 is the best. Equal ranks are fine.";
  static keys = { "1 – 5": "rank of the marked translation", "↑ ↓": "mark another translation" };

  begin(answer) {
    const n = this.texts.length;
    this.answer = answer?.ranks?.length === n ? [...answer.ranks] : Array(n).fill(null);
    this.advance(this.answer, -1);
    this.lines = this.texts.map((text) => textOf(text));
    this.buttons = this.texts.map((_, i) =>
      Array.from({ length: n }, (_, r) => make("button", {
        type: "button", role: "radio", "aria-label": `Rank ${r + 1} for translation ${i + 1}`,
        onclick: () => { this.current = i; this.rank(i, r + 1, false); },
      }, `${r + 1}`)));
    this.cards = this.texts.map((_, i) => make("div",
      { class: "card", onclick: () => { this.current = i; this.draw(); } }, this.lines[i],
      make("div", { class: "ranks", role: "radiogroup", "aria-label": `Rank of translation ${i + 1}` }, ...this.buttons[i])));
    this.place.replaceChildren(...this.cards);
    this.draw();
  }

  /** Go to the next translation without a rank; if all have one, to the next. */
  advance(answer, from) {
    const next = answer.findIndex((each, j) => each === null && j > from);
    const first = answer.indexOf(null);
    this.current = next >= 0 ? next : first >= 0 ? first : Math.min(from + 1, answer.length - 1);
  }

  undo() {
    super.undo();
    this.advance(this.answer, -1);
    this.draw();
  }

  rank(i, rank, advance = true) {
    const answer = [...this.answer];
    answer[i] = rank;
    if (advance) this.advance(answer, i);
    this.set(answer);
    this.cards[this.current].scrollIntoView({ block: "nearest" });
  }

  draw() {
    this.drawTexts(this.lines);
    this.cards.forEach((card, i) => {
      card.classList.toggle("current", i === this.current);
      this.buttons[i].forEach((button, r) => button.setAttribute("aria-checked", this.answer[i] === r + 1));
    });
  }

  key(event) {
    const n = this.texts.length, digit = Number(event.key);
    if (digit >= 1 && digit <= n) this.rank(this.current, digit);
    else if (event.key === "ArrowDown" || event.key === "j") this.current = (this.current + 1) % n;
    else if (event.key === "ArrowUp" || event.key === "k") this.current = (this.current + n - 1) % n;
    else return false;
    this.draw();
    this.cards[this.current].scrollIntoView({ block: "nearest" });
    return true;
  }

  result() { return this.answer.includes(null) ? null : { ranks: this.answer }; }
}

class Pairs extends Screen {
  static asked = "Which translation is better?";
  static keys = { "← or 1": "the first is better", "→ or 2": "the second is better", "0 or =": "neither is better" };

  begin(answer) {
    this.answer = answer?.ranks ?? null;
    this.lines = this.texts.map((text) => textOf(text));
    this.buttons = ["First is better", "Second is better"].map((words, i) =>
      make("button", { type: "button", onclick: () => this.choose(i) }, words));
    this.tie = make("button", { type: "button", class: "tie", onclick: () => this.choose(null) }, "Neither is better");
    this.cards = this.lines.map((line, i) => make("div", { class: "card" }, line, this.buttons[i]));
    this.place.replaceChildren(make("div", { class: "two" }, ...this.cards), this.tie);
    this.draw();
  }

  choose(i) { this.set(i === null ? [1, 1] : i === 0 ? [1, 2] : [2, 1]); }

  draw() {
    this.drawTexts(this.lines);
    const [one, other] = this.answer ?? [0, 0];
    [one < other, other < one].forEach((better, i) => {
      this.cards[i].classList.toggle("chosen", better);
      this.buttons[i].setAttribute("aria-pressed", better);
    });
    this.tie.setAttribute("aria-pressed", this.answer !== null && one === other);
  }

  key(event) {
    const chosen = { ArrowLeft: 0, 1: 0, ArrowRight: 1, 2: 1, 0: null, "=": null }[event.key];
    if (chosen === undefined) return false;
    this.choose(chosen);
    return true;
  }

  result() { return this.answer && { ranks: this.answer }; }
}

/** A slider from 0 to 100 that counts only once it was moved. */
function slider(screen) {
  const input = make("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": "Score from 0 to 100" });
  const shown = make("output", {});
  const began = () => { if (screen.sliding !== true) { screen.past.push(structuredClone(screen.answer)); screen.sliding = true; } };
  input.addEventListener("input", () => { began(); screen.answer.score = Number(input.value); screen.draw(); screen.changed(); });
  input.addEventListener("change", () => { screen.sliding = false; });
  input.addEventListener("click", () => { if (screen.answer.score === null) screen.score(Number(input.value)); });
  const marks = ["No meaning kept", "Some meaning kept", "Most meaning kept", "Perfect"];
  const element = make("div", { class: "card slider" }, make("div", { class: "row" }, input, shown),
    make("div", { class: "marks" }, ...marks.map((words) => make("span", {}, words))));
  const draw = () => {
    input.value = screen.answer.score ?? 50;
    input.classList.toggle("unset", screen.answer.score === null);
    shown.value = screen.answer.score ?? "–";
  };
  return { element, draw };
}

class Direct extends Screen {
  static asked = "How much of the meaning does the translation keep, in good language?";
  static keys = { "← →": "one point less, more", "PgUp PgDn": "ten points more, less", "0 – 9": "0, 10 … 90" };

  begin(answer) {
    this.answer = { score: answer?.score ?? null };
    this.slider = slider(this);
    this.place.replaceChildren(make("div", { class: "card" }, textOf(this.texts[0])), this.slider.element);
    this.draw();
  }

  score(score) { this.set({ ...this.answer, score: Math.max(0, Math.min(100, score)) }); }

  draw() { this.slider.draw(); }

  key(event) {
    const now = this.answer.score ?? 50;
    const step = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (step !== undefined) this.score(now + step);
    else if (event.key === "Home" || event.key === "End") this.score(event.key === "Home" ? 0 : 100);
    else if (/^[0-9]$/.test(event.key)) this.score(10 * Number(event.key));
    else return false;
    return true;
  }

  result() { return this.answer.score === null ? null : this.answer; }
}

class Spans extends Direct {
  static asked = "Mark every error, minor or major, then give a score.";
  static keys = {
    "← →": "go to another word", "Shift ← →": "pick several words", "m": "mark as a minor error",
    "x": "mark as a major error", "Delete": "remove the mark", "PgUp PgDn": "ten points more, less", "0 – 9": "0, 10 … 90",
  };

  begin(answer) {
    this.answer = { score: answer?.score ?? null, errors: structuredClone(answer?.errors ?? []) };
    this.words = wordsOf(this.texts[0]);
    this.cursor = this.anchor = 0;
    this.picked = false;
    this.line = make("p", { class: "text", dir: "auto", tabindex: 0, "aria-label": `Translation: ${this.texts[0]}` });
    this.minor = make("button", { type: "button", onclick: () => this.mark("minor") }, "Minor error");
    this.major = make("button", { type: "button", onclick: () => this.mark("major") }, "Major error");
    this.list = make("ul", { class: "errors" });
    this.slider = slider(this);
    this.place.replaceChildren(make("div", { class: "card" }, this.line,
      make("div", { class: "ranks" }, this.minor, this.major), this.list), this.slider.element);
    this.spans = [];
    fill(this.line, this.texts[0], (_, i) => (this.spans[i] = make("span", { class: "word", "data-word": i })));
    this.line.addEventListener("pointerdown", (event) => this.point(event, false));
    this.line.addEventListener("pointermove", (event) => { if (event.buttons) this.point(event, true); });
    this.draw();
  }

  point(event, extend) {
    const word = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.word;
    if (word === undefined) return;
    event.preventDefault();
    this.cursor = Number(word);
    if (!extend && !event.shiftKey) this.anchor = this.cursor;
    this.picked = true;
    this.draw();
  }

  /** The picked words as a place in the text. */
  get pick() {
    const [first, last] = [Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor)];
    return { start: this.words[first].start, end: this.words[last].end };
  }

  mark(severity) {
    if (!this.words.length) return;
    const place = this.pick;
    const apart = this.answer.errors.filter((each) => each.end <= place.start || each.start >= place.end);
    const errors = severity ? [...apart, { ...place, severity }] : apart;
    this.picked = false;
    this.set({ ...this.answer, errors: errors.sort((a, b) => a.start - b.start) });
  }

  draw() {
    this.slider.draw();
    const [first, last] = [Math.min(this.anchor, this.cursor), Math.max(this.anchor, this.cursor)];
    this.spans.forEach((span, i) => {
      const error = this.answer.errors.find((each) => each.start < this.words[i].end && this.words[i].start < each.end);
      span.className = ["word", error?.severity, i === this.cursor && "cursor", this.picked && i >= first && i <= last && "picked"].filter(Boolean).join(" ");
    });
    const points = [...this.texts[0]];
    this.list.replaceChildren(...this.answer.errors.map((each) => make("li", {},
      make("span", { class: `chip ${each.severity}` }, each.severity),
      make("span", { class: "grow", dir: "auto" }, points.slice(each.start, each.end).join("")),
      make("button", { type: "button", onclick: () => this.set({ ...this.answer, errors: this.answer.errors.filter((other) => other !== each) }) }, "Remove"))));
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined && this.words.length) {
      this.cursor = Math.max(0, Math.min(this.words.length - 1, this.cursor + step));
      if (!event.shiftKey) this.anchor = this.cursor;
      this.picked = true;
      this.draw();
    } else if (event.key === "m") this.mark("minor");
    else if (event.key === "x") this.mark("major");
    else if (event.key === "Delete" || event.key === "Backspace") this.mark(null);
    else return super.key(event);
    return true;
  }
}

export const SCREENS = { ranking: Ranking, pairs: Pairs, direct: Direct, spans: Spans };

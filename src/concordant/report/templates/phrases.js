// Words and phrases of the references that one translation has and the other has not.
const LONGEST_PHRASE = 4;
const SHOWN_PHRASES = 10;
const OF_WORDS = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}\p{M}])?$/u;  // no mark at either end
const AT_ONCE = 400;  // segments counted before the page may draw again
let counting = 0;

function phrasesOf(list) {
  const found = new Set();
  for (let begin = 0; begin < list.length; begin += 1) {
    let phrase = "";
    for (let end = begin; end < Math.min(list.length, begin + LONGEST_PHRASE); end += 1) {
      phrase = end === begin ? list[end] : `${phrase} ${list[end]}`;
      found.add(phrase);
    }
  }
  return found;
}

function right(segment) {
  const ours = data.translations[state.first][segment];
  const theirs = data.translations[state.second][segment];
  if (ours === null || ours === theirs) return [[], []];
  const wanted = new Set(data.references[segment].flatMap((text) => [...phrasesOf(words(text))]));
  const [a, b] = [ours, theirs].map((text) => phrasesOf(words(text)));
  return [[a, b], [b, a]].map(([mine, other]) =>
    [...mine].filter((phrase) => wanted.has(phrase) && !other.has(phrase)));
}

function ranked(counts, side) {
  const lead = ([phrase, both]) => (both[side] - both[1 - side]) / Math.sqrt(both[0] + both[1] + 1) +
    1e-3 * phrase.split(" ").length;
  return [...counts].filter(([phrase, both]) => both[side] > both[1 - side] && OF_WORDS.test(phrase))
    .map((each) => [lead(each), ...each])
    .sort((x, y) => y[0] - x[0] || (x[1] < y[1] ? -1 : 1))
    .slice(0, SHOWN_PHRASES);
}

function phraseList(counts, side) {
  const system = side ? state.second : state.first;
  const rows = ranked(counts, side).map(([, phrase, both]) => {
    const button = element("button", {type: "button"}, element("span", {class: "name"}, phrase),
      element("span", {class: "size"}, `${whole(both[side])} : ${whole(both[1 - side])}`));
    button.addEventListener("click", () => show({phrase: {side, text: phrase}}));
    return element("li", {}, button);
  });
  return element("div", {}, element("h4", {}, key(system), ` ${data.systems[system]}`),
    rows.length ? element("ol", {}, ...rows) : element("p", {class: "note"}, "none"));
}

function drawPhrases() {
  const run = counting += 1;
  const counts = new Map();
  const box = byId("phrases");
  let segment = 0;
  function step() {
    if (run !== counting) return;
    for (const end = Math.min(total, segment + AT_ONCE); segment < end; segment += 1) {
      right(segment).forEach((found, side) => found.forEach((phrase) => {
        if (!counts.has(phrase)) counts.set(phrase, [0, 0]);
        counts.get(phrase)[side] += 1;
      }));
    }
    if (segment < total) {
      box.replaceChildren(element("p", {class: "note"}, `counting: ${whole(segment)} of ${whole(total)} segments`));
      setTimeout(step);
    } else {
      box.replaceChildren(phraseList(counts, 0), phraseList(counts, 1));
    }
  }
  step();
}

function hasPhrase(segment, phrase) {
  return right(segment)[phrase.side].includes(phrase.text);
}

function startPhrases() {
  watch(["first", "second"], drawPhrases);
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((each) => each.isIntersecting)) return;
    observer.disconnect();
    drawPhrases();
  }, {rootMargin: "400px"}).observe(byId("phrases"));
}

// Words of texts, and how a translation differs from its nearest reference.
//
// Runs come from the longest matching blocks, as in a tracked revision (Ratcliff and Obershelp). A
// run is the same, added (translation only) or missing (reference only).
const UNSPACED = "\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\u0e00-\\u0e7f";
const TOKEN = new RegExp(
  `[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])+|[^\\s\\p{L}\\p{N}\\p{M}_]`, "gu");
const LONGEST = 400;  // tokens compared; the rest of a text is shown unmarked

function tokens(text) {
  return Array.from(text.matchAll(TOKEN), (found) => ({
    begin: found.index, end: found.index + found[0].length, word: found[0].toLowerCase(),
  }));
}

function words(text) {
  return (text.match(TOKEN) || []).map((word) => word.toLowerCase());
}

function longestMatch(ours, places, box) {
  let best = {a: box.a, c: box.c, size: 0};
  let lengths = new Map();
  for (let a = box.a; a < box.b; a += 1) {
    const next = new Map();
    for (const c of places.get(ours[a]) || []) {
      if (c >= box.d) break;
      if (c < box.c) continue;
      const size = (lengths.get(c - 1) || 0) + 1;
      next.set(c, size);
      if (size > best.size) best = {a: a - size + 1, c: c - size + 1, size};
    }
    lengths = next;
  }
  return best;
}

function matches(ours, theirs) {
  const places = new Map();
  theirs.forEach((word, c) => {
    if (places.has(word)) places.get(word).push(c);
    else places.set(word, [c]);
  });
  const found = [];
  const boxes = [{a: 0, b: ours.length, c: 0, d: theirs.length}];
  while (boxes.length) {
    const box = boxes.pop();
    const best = longestMatch(ours, places, box);
    if (!best.size) continue;
    found.push(best);
    boxes.push({a: box.a, b: best.a, c: box.c, d: best.c});
    boxes.push({a: best.a + best.size, b: box.b, c: best.c + best.size, d: box.d});
  }
  return found.sort((x, y) => x.a - y.a);
}

function nearestReference(text, references) {
  if (references.length < 2) return references.length ? references[0] : text;
  const ours = words(text).slice(0, LONGEST);
  const shares = references.map((reference) => {
    const theirs = words(reference).slice(0, LONGEST);
    const same = matches(ours, theirs).reduce((sum, each) => sum + each.size, 0);
    return 2 * same / ((ours.length + theirs.length) || 1);
  });
  return references[shares.indexOf(Math.max(...shares))];
}

function cut(text, list, begin, end) {
  return text.slice(list[begin].begin, list[end - 1].end);
}

function spaceBefore(text, token) {
  return token.begin > 0 && /\s/.test(text[token.begin - 1]);
}

function wordRuns(text, reference) {
  const [ours, theirs] = [tokens(text), tokens(reference)].map((all) => all.slice(0, LONGEST));
  const blocks = matches(ours.map((each) => each.word), theirs.map((each) => each.word));
  const runs = [];
  let [a, c] = [0, 0];
  for (const next of [...blocks, {a: ours.length, c: theirs.length, size: 0}]) {
    if (next.c > c) {
      const space = runs.length > 0 && spaceBefore(reference, theirs[c]);
      runs.push({kind: "missing", text: cut(reference, theirs, c, next.c), space});
    }
    const parts = [["added", a, next.a], ["same", next.a, next.a + next.size]];
    for (const [kind, begin, end] of parts.filter((each) => each[2] > each[1])) {
      const space = runs.length > 0 && (begin === 0 || spaceBefore(text, ours[begin]));
      runs.push({kind, text: cut(text, ours, begin, end), space});
    }
    [a, c] = [next.a + next.size, next.c + next.size];
  }
  const rest = ours.length === LONGEST ? text.slice(ours[LONGEST - 1].end) : "";
  if (rest.trim()) runs.push({kind: "same", text: rest.trim(), space: /^\s/.test(rest)});
  return runs;
}

// Words of a text with their places in code points, and the words that two texts do not share.

const TOKEN = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]|[^\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]+/gu;
const MOST = 400; // words compared; the rest stays unmarked

/** The words of a text: {text, start, end}, places counted in code points as the server counts. */
export function wordsOf(text) {
  const words = [];
  let seen = 0, point = 0;
  for (const match of text.matchAll(TOKEN)) {
    point += [...text.slice(seen, match.index)].length;
    const length = [...match[0]].length;
    words.push({ text: match[0], start: point, end: point + length, at: match.index });
    point += length;
    seen = match.index + match[0].length;
  }
  return words;
}

/** Which words of `one` are not in a longest common subsequence with `other`: a list of booleans. */
export function differing(one, other) {
  const a = one.slice(0, MOST), b = other.slice(0, MOST);
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const same = (x, y) => x.text.toLowerCase() === y.text.toLowerCase();
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      rows[i][j] = same(a[i], b[j]) ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
  const marked = one.map((_, i) => i < MOST);
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (same(a[i], b[j])) { marked[i] = false; i++; j++; }
    else if (rows[i + 1][j] >= rows[i][j + 1]) i++;
    else j++;
  return marked;
}

/** Put a text into an element word by word: `wrap(word, i)` gives an element for a word, or null. */
export function fill(element, text, wrap) {
  element.replaceChildren();
  let seen = 0;
  wordsOf(text).forEach((word, i) => {
    element.append(text.slice(seen, word.at));
    const inside = wrap(word, i);
    if (inside) { inside.append(word.text); element.append(inside); }
    else element.append(word.text);
    seen = word.at + word.text.length;
  });
  element.append(text.slice(seen));
}

// The scores of each segment by both systems, on a canvas; a point leads to its segment.
const MARGIN = {left: 46, right: 10, top: 10, bottom: 40};
const plot = {points: [], near: -1};

function ticks(low, high) {
  const raw = (high - low) / 5;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * size).find((each) => each >= 0.999 * raw) || 10 * size;
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high; k += 1) found.push(Number((k * step).toPrecision(9)));
  return found;
}

function styleOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function drawAxes(pen, size, scale, bounds) {
  pen.strokeStyle = styleOf("--line");
  pen.fillStyle = styleOf("--faint");
  pen.font = "12px system-ui, sans-serif";
  for (const tick of ticks(...bounds)) {
    pen.beginPath();
    pen.moveTo(scale.x(tick), MARGIN.top);
    pen.lineTo(scale.x(tick), size - MARGIN.bottom);
    pen.moveTo(MARGIN.left, scale.y(tick));
    pen.lineTo(size - MARGIN.right, scale.y(tick));
    pen.stroke();
    const words = String(metric().sign * tick).replace("-", "−");
    pen.textAlign = "center";
    pen.fillText(words, scale.x(tick), size - MARGIN.bottom + 16);
    pen.textAlign = "right";
    pen.fillText(words, MARGIN.left - 7, scale.y(tick) + 4);
  }
  pen.strokeStyle = styleOf("--faint");
  pen.beginPath();
  pen.moveTo(scale.x(bounds[0]), scale.y(bounds[0]));
  pen.lineTo(scale.x(bounds[1]), scale.y(bounds[1]));
  pen.stroke();
  pen.textAlign = "center";
  const middle = (MARGIN.left + size - MARGIN.right) / 2;
  pen.fillText(`A: ${data.systems[state.first].slice(0, 40)}`, middle, size - 6);
  pen.save();
  pen.translate(11, (size - MARGIN.bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(`B: ${data.systems[state.second].slice(0, 40)}`, 0, 0);
  pen.restore();
}

function drawScatter() {
  const canvas = byId("scatter");
  const size = Math.floor(canvas.parentElement.clientWidth);
  if (!size) return;
  const sharp = window.devicePixelRatio || 1;
  canvas.width = canvas.height = size * sharp;
  canvas.style.width = canvas.style.height = `${size}px`;
  const [ours, theirs] = [state.first, state.second].map((i) => metric().scores[i]);
  let [low, high] = [Infinity, -Infinity];
  for (const scores of [ours, theirs]) {
    for (const score of scores) { low = Math.min(low, score); high = Math.max(high, score); }
  }
  if (high === low) high = low + 1;
  const room = 0.03 * (high - low);
  const bounds = [low - room, high + room];
  const inner = size - MARGIN.left - MARGIN.right;
  const tall = size - MARGIN.top - MARGIN.bottom;
  const share = (value) => (value - bounds[0]) / (bounds[1] - bounds[0]);
  const scale = {
    x: (value) => MARGIN.left + share(value) * inner,
    y: (value) => size - MARGIN.bottom - share(value) * tall,
  };
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  drawAxes(pen, size, scale, bounds);
  const inks = [state.first, state.second].map((i) => styleOf(`--${colour(i)}`));
  const [dot, alpha] = total > 5000 ? [1.6, 0.28] : total > 800 ? [2.2, 0.45] : [3.4, 0.7];
  const [found, equal] = [gaps(), styleOf("--faint")];
  pen.globalAlpha = alpha;
  plot.points = ours.map((score, i) => {
    const [x, y] = [scale.x(score), scale.y(theirs[i])];
    pen.fillStyle = found[i] > 0 ? inks[0] : found[i] < 0 ? inks[1] : equal;
    pen.beginPath();
    pen.arc(x, y, dot, 0, 7);
    pen.fill();
    return [x, y];
  });
  pen.globalAlpha = 1;
  canvas.setAttribute("aria-label", `Scores of ${whole(total)} segments: ` +
    `${data.systems[state.first]} across, ${data.systems[state.second]} upwards. ` +
    "Enter opens the segment with the largest difference.");
  byId("scatter-note").textContent = "Points below the line: A is ahead.";
}

function nearest(event) {
  let [best, distance] = [-1, 144];
  plot.points.forEach(([x, y], i) => {
    const away = (x - event.offsetX) ** 2 + (y - event.offsetY) ** 2;
    if (away < distance) [best, distance] = [i, away];
  });
  return best;
}

function tellPoint(segment) {
  if (segment === plot.near) return;
  plot.near = segment;
  byId("scatter").classList.toggle("pointing", segment >= 0);
  const [a, b] = [state.first, state.second].map((i) => metric().scores[i][segment]);
  byId("scatter-note").textContent = segment < 0 ? "Points below the line: A is ahead."
    : `Segment ${segment + 1}: A ${scoreText(a)}, B ${scoreText(b)}`;
}

function startScatter() {
  const canvas = byId("scatter");
  canvas.addEventListener("pointermove", (event) => tellPoint(nearest(event)));
  canvas.addEventListener("pointerleave", () => tellPoint(-1));
  canvas.addEventListener("click", (event) => {
    const segment = nearest(event);
    if (segment >= 0) openSegment(segment);
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Enter") openSegment(sorted("apart")[0]);
  });
  watch(["metric", "first", "second"], drawScatter);
  new ResizeObserver(drawScatter).observe(canvas.parentElement);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawScatter);
}

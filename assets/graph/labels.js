// What is written on the canvas: passage labels that never cover each other, the headings of the
// columns, and the question of a selected edge. Text keeps its size on the screen at every zoom.

const LABEL_PX = 12;
const LABEL_LENGTH = 28;                   // characters; the whole title is in the tooltip
const SHORT_LENGTH = 13;
const HEADING_HEIGHT = 28;
const LABELS_OFF_ABOVE = 200;              // passages
const WIDTHS = new Map();

function cropped(text, length) {
  const letters = Array.from(text);
  return letters.length > length ? letters.slice(0, length - 1).join("").trimEnd() + "…" : text;
}

function widthOf(ctx, text) {
  const key = ctx.font + text;
  if (!WIDTHS.has(key)) {
    if (WIDTHS.size > 5000) WIDTHS.clear();
    WIDTHS.set(key, ctx.measureText(text).width);
  }
  return WIDTHS.get(key);
}

const overlaps = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

// Draw in CSS pixels whatever the zoom: `draw` gets the map from graph to screen and the size.
function onScreen(ctx, network, draw) {
  const { width, clientWidth, clientHeight } = ctx.canvas;
  const ratio = width / clientWidth || 1, scale = network.getScale();
  ctx.save();
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw(
    (point) => ({ ...network.canvasToDOM(point), r: (point.radius ?? 0) * scale }),
    { width: clientWidth, height: clientHeight },
  );
  ctx.restore();
}

// `toScreen` maps a graph position to the canvas' CSS pixels.
function drawLabels(ctx, theme, nodes, toScreen, size, headed) {
  ctx.font = `${LABEL_PX}px ${theme.font}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  const seen = nodes.map((node) => ({ node, at: toScreen(node) }))
    .filter(({ at }) => at.x > -20 && at.y > -20 && at.x < size.width + 20 && at.y < size.height + 20);
  const taken = seen.map(({ at }) => ({ x: at.x - at.r, y: at.y - at.r, w: 2 * at.r, h: 2 * at.r }));
  if (headed) taken.push({ x: 0, y: 0, w: size.width, h: HEADING_HEIGHT });
  const many = nodes.length > LABELS_OFF_ABOVE;
  const wanted = seen.filter(({ node }) => node.label && (!many || node.named))
    .sort((a, b) => b.node.urgent - a.node.urgent);          // stable: else as they were given
  for (const { node, at } of wanted) {
    const place = findPlace(ctx, node, at, taken, size.width);
    if (place) { taken.push(place); write(ctx, theme, place, node); }
  }
}

function findPlace(ctx, node, at, taken, width) {
  for (const length of [LABEL_LENGTH, SHORT_LENGTH]) {
    const text = cropped(node.label, length);
    const w = widthOf(ctx, text), h = LABEL_PX + 3, gap = at.r + (node.count > 1 ? 7 : 5);
    const places = [
      { x: at.x + gap, y: at.y - h / 2 }, { x: at.x - w / 2, y: at.y + gap - 1 },
      { x: at.x - w / 2, y: at.y - gap - h + 1 }, { x: at.x - gap - w, y: at.y - h / 2 },
    ].map((place) => ({ ...place, w, h, text }));
    const free = places.find((place) => place.x >= 0 && place.x + w <= width && !taken.some((box) => overlaps(place, box)));
    if (free) return free;
    if (node.named) return { ...places[0], boxed: true };
  }
  return null;
}

function write(ctx, theme, place, node) {
  ctx.globalAlpha = node.dim ? 0.25 : 1;
  const x = place.x, y = place.y + place.h / 2;
  // An edge behind must not look like a stroke through the words.
  ctx.globalAlpha *= place.boxed ? 1 : 0.72;
  ctx.fillStyle = theme.surface;
  ctx.beginPath();
  ctx.roundRect(x - 3, place.y, place.w + 6, place.h, 4);
  ctx.fill();
  ctx.globalAlpha = node.dim ? 0.25 : 1;
  ctx.fillStyle = node.faded ? theme.grey : theme.text;
  ctx.fillText(place.text, x, y);
  ctx.globalAlpha = 1;
}

// Columns of a layered graph: a quiet band each, its heading kept at the top of the canvas.
function drawBands(ctx, theme, bands, toScreen, size) {
  ctx.textBaseline = "middle";
  ctx.textAlign = "center";
  ctx.font = `600 11px ${theme.font}`;
  bands.forEach((band, i) => {
    // The outer two reach to the rim of the canvas.
    const left = i === 0 ? 0 : toScreen({ x: band.left, y: 0 }).x;
    const right = i === bands.length - 1 ? Math.max(left, size.width) : toScreen({ x: band.right, y: 0 }).x;
    if (i % 2 === 0) {
      ctx.fillStyle = theme.panel;
      ctx.globalAlpha = theme.dark ? 0.45 : 0.7;
      ctx.fillRect(left, 0, right - left, size.height);
      ctx.globalAlpha = 1;
    }
    ctx.fillStyle = theme.grey;
    const text = right - left > widthOf(ctx, band.label) + 8 ? band.label : "";
    ctx.fillText(text, Math.min(Math.max((left + right) / 2, 30), size.width - 30), HEADING_HEIGHT / 2 + 1);
  });
}

function drawQuestion(ctx, theme, text, at, size) {
  ctx.font = `italic ${LABEL_PX}px ${theme.font}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  const words = cropped(text, 64);
  const w = widthOf(ctx, words) + 16;
  const x = Math.min(Math.max(at.x - w / 2, 4), Math.max(4, size.width - w - 4));
  const y = at.y > 60 ? at.y - 24 : at.y + 24;            // beside the edge, not on it
  ctx.beginPath();
  ctx.roundRect(x, y - 12, w, 24, 12);
  ctx.fillStyle = theme.surface;
  ctx.fill();
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.text;
  ctx.stroke();
  ctx.fillStyle = theme.text;
  ctx.fillText(words, x + 8, y + 0.5);
}

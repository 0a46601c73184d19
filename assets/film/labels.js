// Where the names of nodes are written: once for all that a drawing will ever show, so that no name
// changes sides from one step to the next. None covers a node or another name. One that has no room
// beside all lines lies on some of them, and is told which: it goes while they matter. One that has no
// room at all has its least bad place, for when it has to be read.

const LENGTHS = [28, 22, 16, 11];           // characters; the whole title is told on hover
const LONGEST = 40;                         // the same where there is room for it
const QUESTION = 100;                       // the same of a question, on up to three lines
const LINE_STEP = 9;                        // pixels between two points of a line that are kept free
const COST = { gold: 10_000, node: 1200, label: 600, rim: 4000, line: 1 };
const ON_LINES = 600;                       // what costs less only lies on lines
const HALVED = 0.04;                        // of that, how bad two lines are
const CUT = 0.6;                            // of that, how bad it is to be cut at all
const CROPPED = { gold: 40, other: 4 };     // how bad the next shorter length is
const FREELY = 0.4;                         // of how bad a side is, where no columns say whose name it is

const measure = (() => {
  const ctx = document.createElement("canvas").getContext("2d");
  const known = new Map();
  return (text, font) => {
    const key = font + text;
    if (!known.has(key)) {
      if (known.size > 5000) known.clear();
      ctx.font = font;
      known.set(key, ctx.measureText(text).width);
    }
    return known.get(key);
  };
})();

const overlap = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

// Boxes by where they lie, so that a label is compared with its neighbourhood only.
class Boxes {
  constructor() { this.cells = new Map(); }

  * cellsOf({ x, y, w, h }) {
    for (let i = Math.floor(x / 64); i <= Math.floor((x + w) / 64); i += 1) {
      for (let j = Math.floor(y / 64); j <= Math.floor((y + h) / 64); j += 1) yield `${i},${j}`;
    }
  }

  add(box) {
    for (const cell of this.cellsOf(box)) {
      if (!this.cells.has(cell)) this.cells.set(cell, []);
      this.cells.get(cell).push(box);
    }
  }

  // What `box` would cover, but for what is its own.
  under(box, own) {
    const met = new Set();
    for (const cell of this.cellsOf(box)) {
      for (const other of this.cells.get(cell) ?? []) if (other.of !== own && overlap(box, other)) met.add(other);
    }
    return met;
  }
}

// `items` are {of, at, x, y, side, r, badge, text, gold, must, weight}, what matters more with a larger
// weight; what shares a place `at` is never drawn together, what must be named is so in any case. `lines`
// are [number, points that are to stay free]. Gives a Map from `of` to {x, y, w, h, text, free, on}: `on`
// are the numbers of lines that it lies on.
function placeLabels(items, lines, { width, height, top, font, px }) {
  const boxes = new Boxes(), found = new Map();
  for (const { at, x, y, side, r, gold, badge } of items) {
    boxes.add({ of: at, kind: gold ? "gold" : "node", x: x - side - 2, y: y - r - 2, w: 2 * side + 4, h: 2 * r + 4 });
    if (badge) boxes.add({ kind: "node", x: x - 0.85 * r - 3 - 1.2 * badge, y: y - BADGE * r - badge, w: 2.4 * badge, h: 1.45 * badge });
  }
  for (const [line, points] of lines) for (const { x, y } of points) boxes.add({ line, kind: "line", x: x - 2, y: y - 2, w: 4, h: 4 });
  for (const item of [...items].sort((a, b) => b.weight - a.weight)) {
    if (!item.text) continue;
    const best = bestPlace(item, boxes, { width, height, top, font, px });
    found.set(item.of, best);
    if (best.free || item.must || item.guest || (item.gold && best.cost < COST.rim)) boxes.add({ ...best, of: item.at, kind: "label" });
  }
  return found;
}

// What of a name has room right of its node, before the lines to the next column turn: on two lines if not
// on one, where the next node is far enough, or else cropped to at least so many letters.
const FEWEST = 9;
const BEYOND = 30;                          // how bad it is to stand in their way

function fitted({ text, x, side, room, double, kind }, font) {
  const wide = room - x - side - 9, fits = (words) => measure(words, font) <= wide, long = longName(text, kind), rows = rowsOf(text, kind), cut = long === text ? 0 : CUT;
  if (fits(long)) return long.length > LENGTHS[0] ? [{ lines: [long], short: cut }] : [];
  const found = [], best = halved(long, font, rows);
  if (double && best?.every(fits)) found.push({ lines: best, short: HALVED + cut });
  else if (double && best) found.push({ lines: wrapped(long, fits, rows), short: HALVED + CUT });
  let length = Math.min(LENGTHS[0], text.length);
  while (length > FEWEST && !fits(croppedName(text, length))) length -= 1;
  if (fits(croppedName(text, length))) found.push({ lines: [croppedName(text, length)], short: 1 });
  return found;
}

// What is written of a name at most, and on how many lines: a question has to be read whole.
const longName = (text, kind) => croppedName(text, kind === "query" ? QUESTION : LONGEST);
const rowsOf = (text, kind) => (kind === "query" && text.length > LONGEST ? 3 : 2);

// A name on so many lines of about the same length; the number behind a title stays with its last word.
function halved(text, font, rows = 2) {
  const words = text.split(/(?<!·) (?!·)/);
  const rest = (from) => { const left = words.slice(from).join(" "); return rows > 2 ? halved(left, font, rows - 1) ?? [left] : [left]; };
  const parts = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(" "), ...rest(i + 1)]);
  return parts.sort((one, other) => longer(one, font) - longer(other, font))[0];
}

// The same where that is too wide: what of it fits.
function wrapped(text, fits, rows = 2) {
  const words = text.split(" ");
  let count = Math.max(1, words.length - 1);
  while (count > 1 && !fits(words.slice(0, count).join(" "))) count -= 1;
  const rest = words.slice(count).join(" ");
  if (rows > 2 && rest && !fits(rest)) return [words.slice(0, count).join(" "), ...wrapped(rest, fits, rows - 1)];
  let length = rest.length;
  while (length > 1 && !fits(croppedName(rest, length))) length -= 1;
  return [words.slice(0, count).join(" "), croppedName(rest, length)];
}

// Another name at the place of one.
function inPlace(text, { lines, w }, font) {
  const fits = (words) => measure(words, font) <= w;
  if (fits(text)) return [text];
  if (lines.length > 1) return wrapped(text, fits, lines.length);
  let length = text.length;
  while (length > 1 && !fits(croppedName(text, length))) length -= 1;
  return [croppedName(text, length)];
}

const tallOf = (lines, px) => lines * (px + 1) + 4;
const longer = (lines, font) => Math.max(...lines.map((line) => measure(line, font)));

// The least bad of all places and lengths: a cropped name and one on the left are worse than one on a
// few points of lines, for on the left it is taken for the name of another node.
function bestPlace(item, boxes, { width, height, top, font, px }) {
  let best = null;
  const forms = LENGTHS.map((length, i) => ({ lines: [croppedName(item.text, length)], short: i + (item.text.length > length ? 2 * CUT : 0) }));
  for (const { lines, short } of [...forms, ...(item.room ? fitted(item, font) : [])]) {
    if (lines.join(" ") === best?.text && lines.length === best.lines.length) continue;
    const w = longer(lines, font) + 4, h = tallOf(lines.length, px);
    for (const { aside, ...place } of around(item, w, h)) {
      const box = { ...place, w, h }, beside = box.x > item.x + item.side;
      if (lines.length > 1 && !beside) continue;
      const outside = box.x < 0 || box.x + w > width || box.y < top || box.y + h > height;
      const under = boxes.under(box, item.at);
      const cost = [...under].reduce((sum, { kind }) => sum + COST[kind], outside ? COST.rim : 0);
      const tight = item.room && beside && box.x + w > item.room ? BEYOND : 0;
      const bad = cost + tight + aside * (item.room === undefined ? FREELY : 1) + short * (item.gold ? CROPPED.gold : CROPPED.other);
      if (best && bad >= best.bad) continue;
      best = { ...box, lines, text: lines.join(" "), cost, bad, on: new Set([...under].map(({ line }) => line).filter((line) => line !== undefined)) };
    }
  }
  return { ...best, free: best.cost < ON_LINES };
}

// Right, farther right where the count of the node below is in the way, below, the corner below, above, and last what is left; each with how bad it is by itself.
function around({ x, y, side, r }, w, h) {
  const right = x + side + 5, left = x - side - 5 - w, below = y + r + 1, above = y - r - 3 - h;
  return [
    { x: right, y: y - h / 2, aside: 0 }, { x: right, y: y - h / 2 + 5, aside: 1 }, { x: right + 9, y: y - h / 2, aside: 3 }, { x: x - w / 2, y: below, aside: 2 }, { x: x + 0.5 * side, y: below - 2, aside: 2 },
    { x: x + 0.5 * side, y: above + 2, aside: 5 }, { x: x - w / 2, y: above, aside: 6 },
    { x: left, y: y - h / 2, aside: 9 }, { x: x - 0.5 * side - w, y: below - 2, aside: 9 }, { x: x - 0.5 * side - w, y: above + 2, aside: 12 },
  ];
}

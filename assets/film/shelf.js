// On a stage what was never seen stands on a shelf at the foot of the drawing, which is free until the end: a column of
// its own would take the room of names all along. Lines to it go down between the columns.

const SHELF_PAD = 6;                        // pixels above and below what stands on a shelf
const SHELF_GAP = 18;                       // pixels between two that stand on it
const RUN = 5;                              // pixels below its upper rim at which lines go along it
const MOST_SHELVES = 3;                     // rows of it at most

// The column whose heading is told in the end alone, with the nodes that stand in it, in their order; null where there is
// none, or nothing beside it.
function shelfOf({ bands, nodes, view, letters }) {
  const at = bands.findIndex(({ data }) => data.since !== undefined && !data.empty);
  if (letters <= SMALL || at < 0 || bands.length < 2) return null;
  const { data } = bands[at], place = ({ i }) => view.places[i], within = ([x]) => x >= data.left && x < data.right;
  const own = [...nodes.values()].filter((node) => within(place(node))).sort((one, other) => place(one)[0] - place(other)[0] || place(one)[1] - place(other)[1]);
  return own.length ? { band: bands[at], label: data.label, since: data.since, nodes: new Set(own.map(({ i }) => i)), own } : null;
}

// Lays out its heading and its nodes in as few rows as hold all their names: {tall, rows: [{y, tall}], head, spots}.
function laidOut(shelf, drawing) {
  const { width, px } = drawing, font = `${px}px ${drawing.family}`, heading = nameLines(shelf.label, width / 5, 2, drawing.headFont);
  const begins = SHELF_PAD + longer(heading, drawing.headFont) + SHELF_GAP;
  for (const [rows, lines] of [[1, 1], [1, 2], [2, 1], [2, 2], [MOST_SHELVES, 2]]) {
    const found = inRows(shelf.own.map((node) => sized(node, lines, drawing, font)), rows, width - begins - RIGHT);
    if (found || rows === MOST_SHELVES) return stacked(found ?? [shelf.own.map((node) => sized(node, lines, drawing, font))], begins, heading, drawing);
  }
  return null;
}

function sized(node, most, drawing, font) {
  const name = longName(node.data.label, node.data.kind), lines = most > 1 ? nameLines(name, Math.max(narrowest(name, 2, font, drawing.px), 4 * drawing.px), 2, font) : [name];
  const reach = drawing.reach(node), tall = Math.max(2 * bareOf(node, drawing)[1], tallOf(lines.length, drawing.px));
  return { node, lines, reach, wide: 2 * reach + besideOf(node, drawing) + longer(lines, font) + SHELF_GAP, tall };
}

// All of them in at most so many rows of at most so many pixels, or null.
function inRows(all, most, room) {
  const rows = [[]];
  let left = room;
  for (const one of all) {
    if (one.wide > left && rows.at(-1).length) { rows.push([]); left = room; }
    if (one.wide - SHELF_GAP > left) return null;
    rows.at(-1).push(one);
    left -= one.wide;
  }
  return rows.length <= most ? rows : null;
}

function stacked(rows, begins, heading, { px }) {
  const talls = rows.map((row) => Math.max(...row.map(({ tall }) => tall)) + SHELF_PAD), spots = [];
  const head = tallOf(heading.length, px), tall = Math.max(head, talls.reduce((sum, one) => sum + one, 0)) + 2 * SHELF_PAD;
  let y = SHELF_PAD + Math.max(0, (head - talls[0]) / 2);
  rows.forEach((row, r) => {
    let x = begins;
    for (const { node, lines, reach, wide } of row) { spots.push({ node, lines, x: x + reach, y: y + talls[r] / 2 + SHELF_PAD / 2 }); x += wide; }
    y += talls[r];
  });
  return { tall, heading, spots };
}

// The places of what stands on the shelf, whose names stand right of them.
function onShelf({ spots, tall }, drawing) {
  const top = drawing.height - tall;
  for (const { node, lines } of spots) Object.assign(node, { double: false, poor: false, named: { lines, under: false, whole: true, entire: true, tall: [0, 0] } });
  return new Map(spots.map(({ node, x, y }) => [node.i, [x, top + y]]));
}

function shelfMarks({ heading, tall }, { width, height, zoom, px }) {
  const top = zoom * (height - tall), text = drawn("text", {}, ...heading.map((line, i) => Object.assign(drawn("tspan", { x: SHELF_PAD, dy: i ? px + 1 : 0 }), { textContent: line })));
  text.setAttribute("y", num(top + zoom * tall / 2 + (heading.length > 1 ? -0.2 : 0.35) * px));
  return drawn("g", { class: "band shelf off" }, drawn("rect", { y: num(top), width: num(zoom * width), height: num(zoom * tall) }), drawn("path", { d: `M0 ${num(top)}H${num(zoom * width)}` }), text);
}

// The way of a line to what stands on a shelf: out of its column to the right, down, along the rim, and down to it.
function shelved({ data }, a, b, shelf, top) {
  const [from, to] = shelf.has(b.i) ? [a, b] : [b, a], both = shelf.has(from.i), run = top + RUN;
  const start = both ? { x: from.x, y: from.y - from.reach } : { x: from.port ?? from.x + from.reach + 2, y: from.y }, end = { x: to.x, y: to.y - to.reach - 2 };
  const corners = both ? [start, { x: start.x, y: run }, { x: end.x, y: run }, end] : [start, { x: (from.gutter ?? start.x) + BEND, y: start.y }, { x: (from.gutter ?? start.x) + BEND, y: run }, { x: end.x, y: run }, end];
  const heads = data.directed && to.i === b.i, tails = data.directed && to.i !== b.i;
  return { track: corners.flatMap((p, i) => (i ? sampled([corners[i - 1], corners[i - 1], p, p]) : [])), path: rounded(corners), head: heads ? arrow(end, { x: end.x, y: end.y - 9 }) : tails ? arrow(start, { x: start.x + (both ? 0 : 9), y: start.y - (both ? 9 : 0) }) : "", tail: "" };
}

// A path through corners at right angles, each of them bent.
function rounded(corners) {
  const near = (from, to) => towards(from, to, Math.min(BEND, Math.hypot(to.x - from.x, to.y - from.y) / 2));
  const bends = corners.slice(1, -1).map((at, i) => { const [before, after] = [near(at, corners[i]), near(at, corners[i + 2])]; return `L${num(before.x)} ${num(before.y)}Q${num(at.x)} ${num(at.y)} ${num(after.x)} ${num(after.y)}`; });
  const [first, last] = [corners[0], corners.at(-1)];
  return `M${num(first.x)} ${num(first.y)}${bends.join("")}L${num(last.x)} ${num(last.y)}`;
}

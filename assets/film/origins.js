// On a stage, what was reached from what is only counted has a short arrow out of dots below it, where the counts are, where no
// line that is drawn leads to it: nothing comes out of nowhere, and no line from a count crosses the picture.

const LED = ["chosen", "walked"];
const ORIGIN_DOTS = 3, DOT_PITCH = 5.5;     // with which such an arrow begins, and the pixels from one to the next
const PAST_BY = 9;                          // pixels left of a line that it lies over
const ORIGIN = { left: 16, down: 15 };      // pixels from where it ends to where its stroke begins

// Of the nodes that are there and were reached from what a group counts, each with whether that is told now.
function originsOf({ data: { lines }, nodes, lines: drawn, groups }, now, roleOf) {
  const ends = ({ source, target, back }) => (back ? [target, source] : [source, target]);
  const led = new Set([...drawn.values()].filter(({ role }) => role).map(({ data }) => ends(data)[1])), found = new Map();
  for (const [number, role] of Object.entries(now.lines)) {
    if (!LED.includes(role)) continue;
    const [from, to] = ends(lines[number]);
    if (!nodes.has(to) || !roleOf(to) || led.has(to) || found.has(to) || (nodes.has(from) && roleOf(from))) continue;
    if (groups.some(({ data }) => data.nodes.includes(from))) found.set(to, role === "chosen");
  }
  return found;
}

// The pixel of the line furthest left that passes such an arrow at the `node`, going down its lane; null where none does.
function passing(node, reach, { lines, nodes }) {
  const end = node.x - reach - 2, low = node.y + ORIGIN.down + (ORIGIN_DOTS + 1) * DOT_PITCH, here = (i) => Math.abs(nodes.get(i).x - node.x) < APART / 2;
  const within = [...lines.values()].filter(({ role, data: { source, target } }) => role && here(source) && here(target));
  const met = within.flatMap(({ track }) => track.filter(({ x, y }) => x < end && x > end - 2 * ORIGIN.left && y > node.y - ORIGIN.down && y < low));
  return met.length ? Math.min(...met.map(({ x }) => x)) : null;
}

// Dots, a stroke, and its head at the `node`, which reaches so far to the left; left of what is `past`, which it lies over.
function originMarks(node, reach, now, past = null) {
  const end = { x: node.x - reach - 2, y: node.y }, x = past === null ? end.x - ORIGIN.left : past - PAST_BY, y = end.y + ORIGIN.down;
  const dots = Array.from({ length: ORIGIN_DOTS }, (_, i) => drawn("circle", { class: "dot", cx: num(x), cy: num(y + (i + 0.7) * DOT_PITCH), r: 1.9 }));
  const strokes = [...(past === null ? [] : ["over"]), "rim", "stroke"].map((part) => drawn("path", { d: `M${num(x)} ${num(y)}Q${num(x)} ${num(end.y)} ${num(end.x - 7)} ${num(end.y)}`, class: part }));
  return drawn("g", { class: now ? "origin now" : "origin" }, ...dots, ...strokes, drawn("path", { d: arrow(end, { x: end.x - 9, y: end.y }), class: "head" }));
}

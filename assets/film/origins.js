// On a stage, what was reached from what is only counted has a short arrow that begins with dots, where no line that is
// drawn leads to it: nothing comes out of nowhere, and no line from a count crosses the picture.

const LED = ["chosen", "walked"];
const DOTS = 3, DOT_PITCH = 5.5;            // with which such an arrow begins, and the pixels from one to the next

// Of the nodes that are there and were reached from what a group counts, each with whether that is told now.
function originsOf({ data: { lines }, nodes, lines: drawn, groups }, now, roleOf) {
  const met = new Set([...drawn.values()].filter(({ role }) => role).flatMap(({ data }) => [data.source, data.target]));
  const found = new Map();
  for (const [number, role] of Object.entries(now.lines)) {
    if (!LED.includes(role)) continue;
    const { source, target, back } = lines[number], [from, to] = back ? [target, source] : [source, target];
    if (!nodes.has(to) || !roleOf(to) || met.has(to) || found.has(to) || (nodes.has(from) && roleOf(from))) continue;
    if (groups.some(({ data }) => data.nodes.includes(from))) found.set(to, role === "chosen");
  }
  return found;
}

// Dots, a stroke, and its head at the `node`, which reaches so far to the left.
function originMarks(node, reach, now) {
  const end = { x: node.x - reach - 2, y: node.y }, from = end.x - 20, dots = Array.from({ length: DOTS }, (_, i) => drawn("circle", { class: "dot", cx: num(from - (i + 0.6) * DOT_PITCH), cy: num(end.y), r: 1.9 }));
  const strokes = ["rim", "stroke"].map((part) => drawn("path", { d: `M${num(from)} ${num(end.y)}H${num(end.x - 7)}`, class: part }));
  return drawn("g", { class: now ? "origin now" : "origin" }, ...dots, ...strokes, drawn("path", { d: arrow(end, { x: end.x - 9, y: end.y }), class: "head" }));
}

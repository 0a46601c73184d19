// On a stage, what was reached from what is only counted is joined to that count, where no line that is drawn leads to
// it: nothing comes out of nowhere.

const LED = ["chosen", "walked"];
const BEFORE_NODE = 12;                     // pixels left of a node at which its line bends
const OVER_COUNT = 14, OVER_BY = 6;         // and from the end of a count at which one leaves that goes so far above others

// Of the nodes that are there, each with the group that counts where it was reached from, and whether that is told now.
function originsOf({ data: { lines }, nodes, lines: drawn, groups }, now, roleOf) {
  const met = new Set([...drawn.values()].filter(({ role }) => role).flatMap(({ data }) => [data.source, data.target]));
  const found = new Map();
  for (const [number, role] of Object.entries(now.lines)) {
    if (!LED.includes(role)) continue;
    const { source, target, back } = lines[number], [from, to] = back ? [target, source] : [source, target];
    if (!nodes.has(to) || !roleOf(to) || met.has(to) || found.has(to) || (nodes.has(from) && roleOf(from))) continue;
    const group = groups.find(({ data }) => data.nodes.includes(from));
    if (group) found.set(to, [group, role === "chosen"]);
  }
  return found;
}

// From the side of a count that is nearer, or its top where it lies below the bend, up before the node and to it. Over the
// `others` that are on its way it goes above them, and left of the counts of nodes where it is to go `past` these.
function originWay(group, node, reach, others, past) {
  const { x, y, width, height } = countBox(group), middle = y + height / 2;
  const bend = node.x - reach - BEFORE_NODE - (past ? PAST_COUNTS : 0), end = { x: node.x - reach - 2, y: node.y };
  const side = Math.max(x, Math.min(bend, x + width)), above = side === bend, [left, right] = [side, bend].sort((one, other) => one - other);
  const over = others.map(countBox).some((one) => one.x < right && one.x + one.width > left && Math.abs(one.y - y) < height);
  const corner = side + OVER_COUNT * (bend > side ? -1 : 1);
  const start = above ? `M${num(bend)} ${num(y)}` : over ? `M${num(corner)} ${num(y)}V${num(y - OVER_BY)}H${num(bend)}` : `M${num(side)} ${num(middle)}H${num(bend)}`;
  return { path: `${start}V${num(end.y)}H${num(end.x - 7)}`, head: arrow(end, { x: end.x - 9, y: end.y }) };
}

function countBox({ g }) {
  const { x, y, width, height } = g.getBBox(), { e, f } = g.transform.baseVal.consolidate().matrix;
  return { x: e + x, y: f + y, width, height };
}

function originMarks({ path, head }, now) {
  return drawn("g", { class: now ? "origin now" : "origin" }, ...["rim", "stroke"].map((part) => drawn("path", { d: path, class: part })), drawn("path", { d: head, class: "head" }));
}

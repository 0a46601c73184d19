// Curves between nodes: cubic ones, as four points.

function towards(from, to, far) {
  const dx = to.x - from.x, dy = to.y - from.y, all = Math.hypot(dx, dy) || 1, share = Math.min(far / all, 0.9);
  return { x: from.x + share * dx, y: from.y + share * dy };
}

function arrow(tip, before) {
  const angle = Math.atan2(tip.y - before.y, tip.x - before.x);
  const corner = (turned) => ({ x: tip.x - 9 * Math.cos(angle + turned), y: tip.y - 9 * Math.sin(angle + turned) });
  const [a, b] = [corner(0.42), corner(-0.42)];
  return `M${num(tip.x)} ${num(tip.y)}L${num(a.x)} ${num(a.y)}L${num(b.x)} ${num(b.y)}Z`;
}

function onCurve([a, b, c, d], t) {
  const s = 1 - t, mix = (key) => s ** 3 * a[key] + 3 * s * s * t * b[key] + 3 * s * t * t * c[key] + t ** 3 * d[key];
  return { x: mix("x"), y: mix("y") };
}

// Points of a curve, so many pixels apart.
function sampled(points) {
  const far = Math.hypot(points[3].x - points[0].x, points[3].y - points[0].y);
  const count = Math.max(2, Math.ceil(far / LINE_STEP));
  return Array.from({ length: count + 1 }, (_, i) => onCurve(points, i / count));
}

// The point of a line at this share of its way.
function along({ track }, share) {
  // A frame may be of a moment before its movement began.
  const at = Math.max(0, share) * (track.length - 1), i = Math.min(track.length - 2, Math.floor(at)), rest = at - i;
  const [one, other] = [track[i], track[i + 1]];
  return { x: one.x + rest * (other.x - one.x), y: one.y + rest * (other.y - one.y) };
}

const ASIDE_BY = 5;                         // pixels between two lines of the same pair
const LEAST_BEND = 16;                      // pixels that a curve between columns has at least
const MOST_WEIGHED = 60;                    // nodes; beyond, lines turn without regard to what is between
const CORRIDOR = 10;                        // pixels between two lines that go between the same two rows
const SHARED = 4;                           // what it is worth to lie over no line of another node, in points of names that are met
const DETOUR = 0.02;                        // the same of a pixel up or down that leads away
const ROW = 10;                             // pixels that a line stays away from the middle of a node and its name

// The way of a line from column to column: it leaves behind the name that stands right of its left end
// (`port`), goes straight until it is past all names of the column (`gutter`), turns, and goes straight on.
// It turns where it meets the least of `nodes`, which stand in the columns between. With `flip` -1 all is
// mirrored: x grows to the left. With `early` a line to the next column turns as soon as it is past the names that it would meet.
// `corridors` remembers who goes between two rows, so that lines of two nodes lie beside each other there, and where those go that
// are `told` at some stop.
function across({ data, turn, alone }, a, b, nodes, { flip = 1, early = false, corridors = null, told = true } = {}) {
  const right = b.x > a.x, [left, other] = right ? [a, b] : [b, a], off = alone ? 0 : ASIDE_BY * (turn - 1.5);
  const q = { x: other.x - other.reach - 2, y: other.y + off };
  const port = left.port && q.x - left.port > LEAST_BEND ? left.port : left.x + left.reach + 2;
  const p = { x: port, y: left.y + off }, head = data.directed ? 7 : 0;
  const between = nodes.length > MOST_WEIGHED ? [] : nodes.filter(({ x }) => x > left.x + APART / 2 && x < other.x - APART / 2);
  const begin = Math.min(left.gutter ?? p.x, q.x - 1.5 * LEAST_BEND), own = early && !between.length && nodes.length <= MOST_WEIGHED ? nodes.filter((one) => one.i !== left.i && Math.abs(one.x - left.x) < APART / 2) : [];
  const begins = own.length ? [p.x, Math.max(p.x, ...own.map(behind)), begin].filter((x) => x <= begin) : [begin];
  const apart = (bends) => (corridors ? apartIn(corridors, left, bends) : { bends, keep: () => {} }), beside = [...between, ...own];
  const shared = (bends) => (corridors && between.length ? corridors.taken(left.i, passesOf(p, q, bends)) : 0);
  const ways = begins.flatMap((x) => waysOf(p, q, x, between)).map((way) => { const one = apart(way), track = trackOf(p, q, one.bends); return { ...one, track, met: met(track, beside) + SHARED * shared(one.bends) + DETOUR * detourOf(p, q, one.bends) }; });
  const { bends, track, keep } = ways.sort((one, other) => one.met - other.met)[0];
  keep();
  if (corridors && between.length && told) corridors.take(left.i, passesOf(p, q, bends));
  const [tip, start] = right ? [q, p] : [p, q], back = right ? 1 : -1;
  let y = p.y;
  const curves = bends.map(([from, to, end]) => {
    const bend = 0.5 * (to - from), before = y;
    y = end;
    return `H${num(flip * from)}C${num(flip * (from + bend))} ${num(before)} ${num(flip * (to - bend))} ${num(end)} ${num(flip * to)} ${num(end)}`;
  });
  const turned = ({ x, y }) => ({ x: flip * x, y }), pointed = (at, from) => (data.directed ? arrow(turned(at), turned({ x: at.x + from, y: at.y })) : "");
  return {
    track: (right ? track : track.reverse()).map(turned), path: `M${num(flip * (right ? p.x : p.x + head))} ${num(p.y)}${curves.join("")}H${num(flip * (right ? q.x - head : q.x))}`,
    head: pointed(tip, -back), tail: pointed(start, back),
  };
}

// Ways as bends, which are [from, to, the height that it goes on at]: one bend over all that is between,
// before it, or behind it; or one before and one behind, and between two rows in the meantime.
function waysOf(p, q, gutter, between) {
  const end = q.x - 7, begin = Math.min(Math.max(p.x, gutter), end - LEAST_BEND), wide = ([one, other]) => other - one >= LEAST_BEND;
  if (!between.length) return [[[begin, end, q.y]]];
  const first = Math.min(...between.map(({ x, reach }) => x - reach - 8)), last = Math.max(...between.map(({ x, reach, port }) => port ?? x + reach + 4));
  const single = [[begin, end], [begin, first], [last, end]].filter(wide).map(([one, other]) => [[one, other, q.y]]);
  const begins = Math.min(begin, first - LEAST_BEND / 2);
  if (begins < p.x - LEAST_BEND / 2 || end - last < LEAST_BEND / 2) return single;
  const rows = [...new Set(between.map(({ y }) => y))].sort((a, b) => a - b), far = (y) => Math.abs(y - p.y) + Math.abs(y - q.y);
  const lanes = rows.slice(1).map((y, i) => (y + rows[i]) / 2).concat(rows[0] - 3 * ROW, rows.at(-1) + 3 * ROW).sort((a, b) => far(a) - far(b));
  return [...single, ...lanes.map((y) => [[begins, first, y], [last, end, q.y]])];
}

// The same `bends`, beside those of other nodes where they go between the same two rows: of nodes above the first one above it. Who
// goes there is to `keep` its place.
function apartIn(corridors, { i, y: height }, bends) {
  if (bends.length < 2) return { bends, keep: () => {} };
  const [[from, to, y], ...rest] = bends, key = `${Math.round(to)}:${Math.round(y)}`;
  const { height: first, offs } = corridors.rows.get(key) ?? { height, offs: new Map([[i, 0]]) }, side = Math.sign(height - first);
  const off = offs.get(i) ?? side * CORRIDOR * (1 + [...offs.values()].filter((one) => Math.sign(one) === side).length);
  return { bends: [[from, to, y + off], ...rest], keep: () => corridors.rows.set(key, { height: first, offs: new Map(offs).set(i, off) }) };
}

// The pixels that a way goes up and down beyond what it has to.
function detourOf(p, q, bends) {
  const heights = [p.y, ...bends.map(([, , y]) => y)];
  return heights.slice(1).reduce((sum, y, i) => sum + Math.abs(y - heights[i]), 0) - Math.abs(q.y - p.y);
}

// Where a way goes straight on past columns, or nearly so: from and to which pixel, at which height.
function passesOf(p, q, bends) {
  const turns = [[p.x, p.x, p.y], ...bends, [q.x, q.x, q.y]], straight = turns.slice(0, -1).map(([, from, y], i) => ({ from, to: turns[i + 1][0], y }));
  const flat = bends.map(([from, to, y], i) => ({ from, to, y: (y + turns[i][2]) / 2, rise: Math.abs(y - turns[i][2]) })).filter(({ rise }) => rise < 2 * CORRIDOR);
  return [...straight, ...flat].filter(({ from, to }) => to - from > LEAST_BEND);
}

class Corridors {
  constructor() { this.rows = new Map(); this.passes = []; }

  take(i, passes) { this.passes.push(...passes.map((one) => ({ ...one, i }))); }

  // How many of `passes` of the node `i` lie over one of another node.
  taken(i, passes) { return passes.filter((one) => this.passes.some((other) => other.i !== i && Math.abs(other.y - one.y) < CORRIDOR - 1 && Math.min(other.to, one.to) - Math.max(other.from, one.from) > LEAST_BEND)).length; }
}

function trackOf(p, q, bends) {
  const straight = (one, other, y) => Array.from({ length: Math.max(0, Math.round((other - one) / LINE_STEP)) }, (_, i) => ({ x: one + i * LINE_STEP, y }));
  const found = [];
  let { x, y } = p;
  for (const [from, to, end] of bends) {
    const bend = 0.5 * (to - from);
    found.push(...straight(x, from, y), ...sampled([{ x: from, y }, { x: from + bend, y }, { x: to - bend, y: end }, { x: to, y: end }]));
    [x, y] = [to, end];
  }
  return [...found, ...straight(x + LINE_STEP, q.x, q.y), q];
}

const behind = ({ x, port, reach }) => port ?? x + reach;

const met = (track, nodes) => track.filter(({ x, y }) => nodes.some((node) => x > node.x - node.reach && x < behind(node) && Math.abs(y - node.y) < (node.half || ROW))).length;

// The way of a line from rim to rim; to the right it swings like an S, back and within a column it goes
// around, on the `side` that names are not, where there are `room` pixels. `inside` is the box that it stays in.
function routed({ data, turn, alone }, a, b, { columns, zoom, inside, bend: aimed, side = 1, room = Math.min(a.x, b.x) / zoom - 8 }) {
  const dx = b.x - a.x, dy = b.y - a.y, far = Math.hypot(dx, dy) || 1;
  const swing = columns && alone && dx > 60 && dx > 0.45 * Math.abs(dy);
  const upright = Math.abs(dx) < 0.3 * Math.abs(dy);     // within a column
  const aside = Math.min(0.24, room / (0.75 * Math.abs(dy) || 1));
  const bend = upright && columns ? -side * aside * Math.sign(dy) * (turn === 1 ? 1 : 0.6) : alone ? aimed ?? 0.09 : (aimed ?? 0.11) * (turn + 0.2);
  const within = ({ x, y }) => ({ x: Math.max(inside.left, Math.min(inside.right, x)), y: Math.max(inside.top, Math.min(inside.bottom, y)) });
  const [c, d] = swing
    ? [{ x: a.x + 0.45 * dx, y: a.y }, { x: b.x - 0.45 * dx, y: b.y }]
    : [0.3, 0.7].map((share) => within({ x: a.x + share * dx + bend * dy, y: a.y + share * dy - bend * dx }));
  const from = towards(a, c, a.reach), tip = towards(b, d, b.reach + 2);
  const to = data.directed ? towards(tip, d, Math.min(7, far / 4)) : tip;
  return {
    track: sampled([from, c, d, to]), path: `M${num(from.x)} ${num(from.y)}C${num(c.x)} ${num(c.y)} ${num(d.x)} ${num(d.y)} ${num(to.x)} ${num(to.y)}`,
    head: data.directed ? arrow(tip, d) : "", tail: data.directed ? arrow(from, c) : "",
  };
}

// Draw a line along its way.
function setWay(line, { track, path, head, tail }) {
  line.track = track;
  for (const of of [line.stroke, line.rim, line.hit]) of.setAttribute("d", path);
  line.head.setAttribute("d", head);
  line.tail.setAttribute("d", tail);
}

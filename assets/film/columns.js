// Where the columns and rows of a few nodes stand at the size that a drawing has: a column is as wide as
// its names, and rows are as far apart as nodes, counts and names are tall. What comes first of what comes
// and which row a node is near to was decided before.

const MOST_COLUMNED = 45;                   // nodes; beyond, places are only stretched to the drawing
const TURN = 46;                            // pixels in which lines turn, right of the names of a column
const AROUND = 26;                          // pixels left of the first column, for lines within it
const SLACK = 150;                          // pixels that a column gets at most of what is left over
const NAME = 5;                             // pixels between a node and its name
const LONGEST = 40;                         // characters of a name that is written whole

// The columns of `spots`, which are {x, reach, whole, halved, guest}: the width of a name on one line and on
// two, and whether it is there at times only. `at(x)` gives the pixel of the middle of a column's nodes,
// `left(x)` of their left rim, `starts(x)` where the band of the first column begins that is not left of x.
function columnsAcross(spots, width) {
  const xs = [...new Set(spots.map(({ x }) => x))].sort((a, b) => a - b);
  const columns = xs.map((x) => spots.filter((spot) => spot.x === x)).map((own) => ({
    reach: Math.max(...own.map(({ reach }) => reach)), halved: Math.max(...own.map(({ halved }) => halved)),
    whole: Math.max(...(own.some(({ guest }) => !guest) ? own.filter(({ guest }) => !guest) : own).map(({ whole }) => whole), ...own.map(({ halved }) => halved)),
  }));
  const fixed = AROUND + columns.reduce((sum, { reach }) => sum + 2 * reach + NAME + TURN, 0) - TURN + 10;
  const names = shared(columns, width - fixed), used = fixed + names.reduce((sum, one) => sum + one, 0);
  const slack = Math.max(0, Math.min(SLACK, (width - used) / columns.length));
  const pixels = new Map();
  let edge = AROUND + Math.max(0, width - used - slack * columns.length) / 2;
  columns.forEach(({ reach }, i) => {
    pixels.set(xs[i], edge + reach);
    edge += 2 * reach + NAME + names[i] + TURN + slack;
  });
  const nearest = (x) => xs.reduce((one, other) => (Math.abs(other - x) < Math.abs(one - x) ? other : one));
  const left = (x) => pixels.get(x) - columns[xs.indexOf(x)].reach;
  return { at: (x) => pixels.get(nearest(x)), left, starts: (x) => left(xs.find((one) => one >= x) ?? xs.at(-1)) - 10 };
}

// The widths for names that have `room` together: all of them on one line where they can be, or else the
// longest on two, or cut.
function shared(columns, room) {
  const sum = (of) => columns.reduce((all, column) => all + of(column), 0);
  const cut = sum(({ halved }) => halved) > room, most = Math.max(...columns.map(({ whole }) => whole));
  const wide = (cap) => ({ whole, halved }) => (cut ? Math.min(halved, cap) : Math.min(whole, Math.max(halved, cap)));
  let [low, high] = [0, most];
  for (let i = 0; i < 24; i += 1) {
    const cap = (low + high) / 2;
    if (sum(wide(cap)) > room) high = cap;
    else low = cap;
  }
  return columns.map(wide(sum(wide(most)) > room ? low : most));
}

// Rows between `top` and `bottom`, as near to where they are wanted as their heights allow; `tall` gives
// how far each reaches up and down, in order from the top.
function rowsDown(wanted, tall, top, bottom) {
  const steps = tall.map(([up], i) => (i ? tall[i - 1][1] + up : up)), all = steps.reduce((sum, one) => sum + one, 0) + tall.at(-1)[1];
  const share = Math.min(1, (bottom - top) / all);
  const offsets = [];
  steps.reduce((sum, one, i) => (offsets[i] = sum + share * one), 0);
  const low = top, high = bottom - share * all;
  return isotonic(wanted.map((y, i) => y - offsets[i])).map((y, i) => Math.max(low, Math.min(high, y)) + offsets[i]);
}

// The nearest ascending values: pool adjacent violators (Ayer et al. 1955).
function isotonic(values) {
  const blocks = [];
  for (const value of values) {
    blocks.push({ sum: value, count: 1 });
    while (blocks.length > 1 && blocks.at(-2).sum / blocks.at(-2).count > blocks.at(-1).sum / blocks.at(-1).count) {
      const { sum, count } = blocks.pop();
      blocks.at(-1).sum += sum;
      blocks.at(-1).count += count;
    }
  }
  return blocks.flatMap(({ sum, count }) => Array(count).fill(sum / count));
}

// The pixels of all nodes of `drawing`, which stands as it is scaled so far: a Map from node to [x, y].
function inColumns(drawing, columns) {
  const { px, height, foot, family } = drawing, font = `${px}px ${family}`, top = 22 + px, bottom = height - foot - 8, found = new Map();
  const spots = new Map();
  for (const node of drawing.nodes.values()) {
    const [x, y] = drawing.view.places[node.i], key = `${x},${y}`;
    if (!spots.has(key)) spots.set(key, { x, y: drawing.origin.y + drawing.scale.y * y, nodes: [] });
    spots.get(key).nodes.push(node);
  }
  const all = [...spots.values()], xs = [...new Set(all.map(({ x }) => x))].sort((a, b) => a - b);
  xs.forEach((x, i) => {
    const own = all.filter((spot) => spot.x === x).sort((a, b) => a.y - b.y), left = columns.at(x);
    const right = i + 1 < xs.length ? columns.left(xs[i + 1]) - TURN : drawing.width - 8;
    const width = right - left, tallOf = ({ nodes }) => reachOf(nodes, drawing);
    let room = bottom - top;
    const need = (spot) => tallOf(spot)[0] + tallOf(spot)[1];
    for (const node of drawing.nodes.values()) if (drawing.view.places[node.i][0] === x) node.double = false;
    for (const spot of own) room -= need(spot);
    // What matters most has its name on two lines first.
    for (const spot of [...own].sort((one, other) => weightOf(other, drawing) - weightOf(one, drawing))) {
      const before = need(spot);
      for (const node of spot.nodes) node.double = measure(node.data.label, font) > width - drawing.reach(node) - NAME;
      const more = need(spot) - before;
      if (more > room) for (const node of spot.nodes) node.double = false;
      else room -= more;
    }
    const tall = own.map(tallOf);
    const ys = rowsDown(own.map(({ y }) => y), tall, top, bottom);
    own.forEach(({ nodes }, row) => { for (const node of nodes) found.set(node.i, [left, ys[row]]); });
  });
  return found;
}

const weightOf = ({ nodes }, { weights, view }) => Math.max(...nodes.map(({ i }) => (weights.get(i) ?? 0) - (view.guests?.[i] ? 100 : 0)));

// How far what stands at one place reaches up and down.
function reachOf(nodes, { px, grown, counted }) {
  const each = nodes.map((node) => {
    const half = Math.max((node.data.gold ? 15 : 12.5) * grown, node.double ? px + 3 : 0);
    return [Math.max(half, counted.has(node.i) ? (BADGE * 11.5 + 8) * grown : 0), half];
  });
  return [0, 1].map((side) => Math.max(...each.map((one) => one[side])) + 1);
}

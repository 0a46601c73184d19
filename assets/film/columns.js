// Where the columns and rows of a few nodes stand at the size that a drawing has: a column is as wide as
// its names, and rows are as far apart as nodes, counts and names are tall. What comes first of what comes
// and which row a node is near to was decided before.

const MOST_COLUMNED = 160;                  // nodes; beyond, places are only stretched to the drawing
const TURNS = [38, 26];                     // pixels in which lines turn, right of the names of a column
const LEAST = 6.5;                          // letters of a name; where it has less, it stands below its node
const AROUND = 26;                          // pixels left of the first column, for lines within it
const ASIDE_OF_COUNTS = 22;                 // and more where nodes that they join have counts: lines go down left of these
const SLACK = 150;                          // pixels that a column gets at most of what is left over
const RIGHT = 10;                           // pixels right of the last names
const NAME = 5, BESIDE_RING = 12, BESIDE_TAKEN = 8;            // pixels between a node and its name, and in large letters of what gets a ring as it is looked at, or taken again

// Names of a column begin at one pixel, though only some of its nodes get a ring.
const besideOf = ({ i }, { letters, ringed, view }) => (letters > SMALL ? ringed.get(view.places[i][0]) ?? NAME : NAME);

// The columns of `spots`, which are {x, reach, whole, halved, guest} with what `laneWidths` gives: the width of a name on one line
// and on two, in a lane those of it, and whether it is there at times only. `at(x)` gives the pixel of the middle of a column's
// nodes, `left(x)` of their left rim, `right(x)` where its names end, `starts(x)` where the band of the first
// column begins that is not left of x. `around` are the pixels left of the first one.
function columnsAcross(spots, width, px, around) {
  const xs = [...new Set(spots.map(({ x }) => x))].sort((a, b) => a - b);
  const always = (of) => (of.some(({ guest }) => !guest) ? of.filter(({ guest }) => !guest) : of);
  const columns = xs.map((x) => spots.filter((spot) => spot.x === x)).map((all) => [always(all), Math.max(...all.map(({ reach }) => reach))]).map(([own, reach]) => ({
    reach, halved: Math.max(...own.map(({ halved }) => halved)), whole: Math.max(...own.map(({ whole }) => whole)),
    tight: Math.max(...own.map(({ tight }) => tight)), ...Object.fromEntries(WIDTHS.map((name) => [name, Math.max(...own.map((spot) => spot[name]))])),
  }));
  const rest = columns.reduce((sum, { reach }) => sum + 2 * reach + NAME, around + RIGHT), fixed = (turn) => rest + turn * (columns.length - 1);
  const turn = TURNS.find((one) => fixed(one) + columns.reduce((sum, { halved }) => sum + halved, 0) <= width) ?? TURNS.at(-1);
  const names = shared(columns, width - fixed(turn)), cut = columns.some(({ halved }, i) => names[i] < halved - 1);
  const crowded = cut && Math.max(...names) < LEAST * px, lanes = crowded || px > SMALL;
  const middles = lanes && cut ? byLanes(columns, turn, width, around) : byNames(columns, names, turn, width - fixed(turn), around);
  const pixels = new Map(middles.map((pixel, i) => [xs[i], pixel]));
  const nearest = (x) => xs.reduce((one, other) => (Math.abs(other - x) < Math.abs(one - x) ? other : one));
  const left = (x) => pixels.get(x) - columns[xs.indexOf(x)].reach;
  const right = (x) => (x === xs.at(-1) ? width - RIGHT : left(xs[xs.indexOf(x) + 1]) - turn);
  const before = lanes ? turn - 4 : 10;
  return { at: (x) => pixels.get(nearest(x)), left, right, starts: (x) => left(xs.find((one) => one >= x) ?? xs.at(-1)) - before, lanes, turn };
}

// The widths of names that have `room` together: on one line where they can be, or else the longest on two,
// or else cut.
function shared(columns, room) {
  const sum = (of) => columns.reduce((all, column) => all + of(column), 0), most = Math.max(...columns.map(({ whole }) => whole));
  const cut = sum(({ halved }) => halved) > room;
  const wide = (cap) => ({ whole, halved }) => (cut ? Math.min(halved, cap) : Math.min(whole, Math.max(halved, cap)));
  let [low, high] = [0, most];
  for (let i = 0; i < 24; i += 1) {
    const cap = (low + high) / 2;
    if (sum(wide(cap)) > room) high = cap;
    else low = cap;
  }
  return columns.map(wide(sum(wide(most)) > room ? low : most));
}

// The middles of columns that are as wide as their `names`; what is left over of `room` is spread.
function byNames(columns, names, turn, room, around) {
  const left = Math.max(0, room - names.reduce((all, one) => all + one, 0)), slack = Math.min(SLACK, left / columns.length);
  let edge = around + (left - slack * columns.length) / 2;
  return columns.map(({ reach }, i) => {
    const middle = edge + reach;
    edge += 2 * reach + NAME + names[i] + turn + slack;
    return middle;
  });
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
// `sizeOf` gives what a node takes of the width of its column.
// Each node is told whether its name has two lines, or in a lane how its name is written.
function inColumns(drawing, columns, sizeOf) {
  const { height, foot, px } = drawing, top = 22 + px * drawing.heads, bottom = height - foot - 8, spots = new Map();
  for (const node of drawing.nodes.values()) {
    if (drawing.shelf?.nodes.has(node.i)) continue;
    const [x, y] = drawing.view.places[node.i], key = `${x},${y}`;
    if (!spots.has(key)) spots.set(key, { x: columns.at(x), column: x, y: drawing.origin.y + drawing.scale.y * y, nodes: [] });
    spots.get(key).nodes.push(node);
    Object.assign(node, { double: false, named: null });
  }
  const all = [...spots.values()], xs = [...new Set(all.map(({ column }) => column))].sort((a, b) => a - b);
  for (const x of xs) {
    const own = all.filter(({ column }) => column === x);
    if (columns.lanes) downLane(own, drawing, columns.right(x) - columns.left(x), top, bottom);
    else downColumn(own, drawing, sizeOf, columns.right(x) - columns.at(x), top, bottom);
  }
  drawing.placedCuts = placedCuts(all, drawing, columns);
  return new Map(all.flatMap(({ x, y, nodes }) => nodes.map(({ i }) => [i, [x, y]])));
}

// The rows of one column, whose names have `wide` pixels from the middle of their nodes.
function downColumn(spots, drawing, sizeOf, wide, top, bottom) {
  const tall = (spot) => { const [up, down] = reachOf(spot.nodes, drawing); return [up + spot.above, down]; }, need = (spot) => tall(spot)[0] + tall(spot)[1];
  roomForCut(spots, drawing, wide);
  let room = spots.reduce((left, spot) => left - need(spot), bottom - top);
  drawing.tight = Math.min(drawing.tight, (bottom - top) / (bottom - top - room));
  for (const spot of byWeight(spots, drawing)) {  // what matters most has its name on two lines first
    const before = need(spot);
    for (const node of spot.nodes) node.double = sizeOf(node).whole > wide - drawing.reach(node) - NAME;
    const more = need(spot) - before;
    if (more > room) for (const node of spot.nodes) node.double = false;
    else room -= more;
  }
  const own = [...spots].sort((a, b) => a.y - b.y), ys = rowsDown(own.map(({ y }) => y), own.map(tall), top, bottom);
  own.forEach((spot, i) => Object.assign(spot, { y: ys[i], up: tall(spot)[0] }));
}

const byWeight = (spots, drawing) => [...spots].sort((one, other) => weightOf(other, drawing) - weightOf(one, drawing));
const LOOKED_AT = 5;                        // the weight of what is looked at, or taken first, at some stop
const INVITED = 6.5;                        // the weight of a guest where others make room for it; elsewhere the others come first
const weightOf = ({ nodes }, { weights, view, leaves }) => Math.max(...nodes.map(({ i }) => (view.guests?.[i] ? (leaves ? INVITED : -100) : weights.get(i) ?? 0)));

const COUNT_OVER = 3;                       // pixels of a count that may stand in the room of what is above it

// How far a count stands above the middle of its node; on a stage it does not shrink with it.
const roofOf = ({ grown, letters }) => Math.max((BADGE * 11.5 + 8) * grown, letters > SMALL ? COUNT_TOP - COUNT_OVER : 0);

// How far what stands at one place reaches up and down.
function reachOf(nodes, drawing) {
  const { px, grown, counted } = drawing;
  const each = nodes.map((node) => {
    const half = Math.max((node.data.gold ? 15 : 12.5 * drawing.largestOf(node)) * grown, node.double ? tallOf(rowsOf(node.data.label, node.data.kind), px) / 2 : 0);
    return [Math.max(half, counted.has(node.i) ? roofOf(drawing) : 0), half];
  });
  return [0, 1].map((side) => Math.max(...each.map((one) => one[side])) + 1);
}

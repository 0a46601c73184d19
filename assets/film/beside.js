// On a stage, nodes that stand by their lines have room for their names right of them: they stand in lanes beside
// each other, as near as that allows to where their lines want them. What has no room counts elsewhere.

const LANE = { least: 190, wide: 200, tall: 60 };  // pixels of a lane at least, and of a node with its name about
const FIELD_ROWS = { gold: 6, other: 3 };   // lines of a name at most
const AIR = 10;                             // pixels between two rows, and between a name and the next lane

// The pixels of all nodes of `drawing`, which stands as it is scaled: a Map from node to [x, y]. What shares a place is
// never drawn together.
function stoodBeside(drawing) {
  const { view, nodes, width } = drawing, spots = new Map();
  for (const node of nodes.values()) {
    const place = view.places[node.i], key = place.join();
    if (!spots.has(key)) spots.set(key, { ...drawing.screen(...place), nodes: [] });
    spots.get(key).nodes.push(node);
    Object.assign(node, { named: null, rim: drawing.reach({ ...node, size: largestOf(node, drawing) }) });
  }
  const all = [...spots.values()], most = Math.max(1, Math.floor(width / LANE.least));
  let left = all, found = bestLanes(left, drawing, most);
  while (!found.fits && left.length > 1) {
    const least = drawing.leaves && byWeight(left, drawing).findLast((spot) => spot.nodes.every((node) => drawing.mayLeave(node)));
    if (!least) break;
    left = left.filter((spot) => spot !== least);
    found = bestLanes(left, drawing, most);
  }
  found.lanes.forEach((own, lane) => standIn(own, drawing, lane * found.wide, found.wide));
  return new Map(all.flatMap(({ x, y, nodes: own }) => own.map(({ i }) => [i, [x, y]])));
}

// A star keeps its size.
const largestOf = (node, { largest }) => (node.data.gold ? 1 : largest.get(node.i) ?? 1);

// As many lanes as have room for most names as a whole.
function bestLanes(spots, drawing, most) {
  const { width, height, foot } = drawing, about = Math.round(Math.sqrt((spots.length * width * LANE.tall) / ((height - foot) * LANE.wide)));
  const counts = [about, about + 1, about - 1].map((count) => Math.max(1, Math.min(most, count)));
  const ways = [...new Set(counts)].map((count) => laidOut(spots, drawing, count));
  return ways.sort((one, other) => other.fits - one.fits || other.whole - one.whole)[0];
}

// The spots from left to right in so many lanes of about the same height.
function laidOut(spots, drawing, count) {
  const wide = drawing.width / count, room = drawing.height - drawing.foot - 2 * RIM;
  const own = [...spots].sort((a, b) => a.x - b.x).map((spot) => ({ spot, names: spot.nodes.map((node) => nameBeside(node, drawing, wide)) }));
  for (const one of own) one.tall = Math.max(...one.names.map(({ half }) => 2 * half));
  let cap = own.reduce((sum, { tall }) => sum + tall, 0) / count, lanes = filled(own, cap);
  while (lanes.length > count) lanes = filled(own, cap += 4);
  return { lanes, wide, fits: Number(lanes.every((lane) => lane.reduce((sum, { tall }) => sum + tall, 0) <= room)), whole: own.reduce((sum, { names }) => sum + names.filter(({ entire }) => entire).length, 0) };
}

function filled(own, cap) {
  const lanes = [[]];
  let tall = 0;
  for (const one of own) {
    if (tall + one.tall > cap + 1 && lanes.at(-1).length) { lanes.push([]); tall = 0; }
    lanes.at(-1).push(one);
    tall += one.tall;
  }
  return lanes;
}

// How a name is written in a lane so `wide`, and how far it reaches from its middle with its node.
function nameBeside(node, drawing, wide) {
  const font = `${drawing.px}px ${drawing.family}`, { label, gold } = node.data, lines = nameLines(label, wide - 2 * node.rim - NAME - AIR, FIELD_ROWS[gold ? "gold" : "other"], font);
  const body = (gold ? 15 : 12 * largestOf(node, drawing)) * drawing.grown;
  return { node, lines, wide: longer(lines, font) + 4, half: (Math.max(2 * body, tallOf(lines.length, drawing.px)) + AIR) / 2, entire: joinedLines(lines) === joinedLines([label]) };
}

function standIn(lane, drawing, from, wide) {
  const rows = [...lane].sort((a, b) => a.spot.y - b.spot.y), xs = lane.map(({ spot }) => spot.x), left = Math.min(...xs), across = Math.max(...xs) - left || 1;
  const ys = rowsDown(rows.map(({ spot }) => spot.y), rows.map(({ tall }) => [tall / 2, tall / 2]), RIM, drawing.height - drawing.foot - RIM);
  rows.forEach(({ spot, names }, i) => {
    const rim = Math.max(...names.map(({ node }) => node.rim)), takes = 2 * rim + NAME + Math.max(...names.map((name) => name.wide));
    Object.assign(spot, { x: from + AIR / 2 + rim + (Math.max(0, wide - AIR - takes) * (spot.x - left)) / across, y: ys[i] });
    for (const { node, lines } of names) node.named = { lines, under: false };
  });
}

// The places of names there, as `placeLabels` gives them.
function namesBeside({ nodes, px, family }) {
  const named = [...nodes.values()].filter((node) => node.named);
  return new Map(named.map(({ i, x, y, rim, named: { lines } }) => {
    const w = longer(lines, `${px}px ${family}`) + 4, h = tallOf(lines.length, px);
    return [i, { x: x + rim + NAME - 2, y: y - h / 2, w, h, lines, text: lines.join(" "), anchor: "start", free: true, cost: 0, on: new Set() }];
  }));
}

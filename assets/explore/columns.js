// Columns as wide as their names, and rows as far apart as names are tall, to both sides of the centre.

// The middles of columns that are as wide as their names, null where names would have no room: `all` of them
// from left to right with the width of their names and the outer end of these; `begins` of a band, whether they are `tight`.
function columnsAside(columns, { width, px }) {
  const around = ({ side, reach, more }) => (side ? 2 * reach + NAME + more : 0), rest = columns.reduce((sum, one) => sum + around(one), 2 * MARGIN), bends = columns.length - 1;
  const halves = columns.reduce((sum, { halved }) => sum + halved, 0), bend = BENDS.find((one) => rest + bends * one + halves <= width) ?? BENDS.at(-1);
  const room = width - rest - bends * bend, others = columns.filter(({ side }) => side);
  // The name of the centre has its room before all others, and more where there is more.
  const { whole, halved } = columns.find(({ side }) => !side), kept = halves + whole - halved <= room ? whole : halved, shares = shared(others, room - kept);
  const names = columns.map(({ side }) => (side ? shares.shift() : kept));
  if (columns.some(({ halved }, i) => names[i] < Math.min(halved, FEWEST_LETTERS * px))) return null;
  const left = Math.max(0, room - names.reduce((sum, one) => sum + one, 0)), spread = bends ? Math.min(SPREAD, left / bends) : 0;
  let edge = MARGIN + (left - spread * bends) / 2;
  const all = columns.map((column, i) => {
    const wide = around(column) + names[i], middle = edge + { "-1": wide - column.reach, 0: wide / 2, 1: column.reach }[column.side];
    const ends = { "-1": -edge, 1: edge + wide };
    edge += wide + bend + spread;
    return { ...column, middle, names: names[i], gutter: { "-1": ends[-1] + 4, 1: ends[1] + 4 }, starts: -ends[-1] };
  });
  return { all, pills: new Map(), tight: halves > room, begins: (x) => (all.find((column) => column.x >= x) ?? all.at(-1)).starts - (bend + spread) / 2 };
}

// The pixels of all nodes: a Map from node to [x, y]. Rows are as near to where they are wanted as the
// heights of names allow; each node is told how wide its name may be and on how many lines. Where not all have
// room, nodes become smaller.
function rowsAside(drawing, columns) {
  const { view, height, px, weights } = drawing;
  const top = HEADING + (drawing.heads - 1) * (px + 1), bottom = height - BELOW, yOf = (i) => view.places[i][1], found = new Map();
  const ys = columns.all.flatMap(({ own, pills }) => [...own.map(({ i }) => yOf(i)), ...pills.map(({ data }) => data.y)]);
  const [low, high] = [Math.min(...ys), Math.max(...ys)], unit = Math.min(PITCH / 30, (bottom - top - 24) / Math.max(1, high - low));
  const wanted = (y) => (top + bottom) / 2 + unit * (y - (low + high) / 2);
  for (const { own, pills, middle, names, more } of columns.all) {
    const room = bottom - top - pills.length * (PILL + 5);
    drawing.tight = Math.min(drawing.tight, room / tallOfAll(own, px));
    for (const node of own) node.wide = names + more - node.beside;
    const items = [...own.map((node) => ({ node, y: wanted(yOf(node.i)) })), ...pills.map((pill) => ({ pill, y: wanted(pill.data.y) }))].sort((a, b) => a.y - b.y);
    moreLines(own, room, px, weights);
    const rows = rowsDown(items.map(({ y }) => y), items.map(({ node }) => (node ? tallAside(node, px) : [PILL / 2 + 4, PILL / 2 + 1])), top, bottom);
    items.forEach(({ node, pill }, i) => (node ? found.set(node.i, [middle, rows[i]]) : columns.pills.set(pill, rows[i])));
  }
  return found;
}

const tallOfAll = (nodes, px) => nodes.reduce((sum, node) => sum + tallAside(node, px).reduce((a, b) => a + b), 0);

// What matters most has its name on more lines first, as long as all have room.
function moreLines(own, height, px, weights) {
  const tall = (node) => tallOfAll([node], px);
  let room = height - tallOfAll(own, px);
  for (const most of [2, 3]) {
    for (const node of [...own].sort((a, b) => (weights.get(b.i) ?? 0) - (weights.get(a.i) ?? 0))) {
      const before = tall(node), lines = node.side ? nameLines(node.data.label, node.wide, most, node.font).length : most;
      if (lines < most || node.most < most - 1) continue;
      node.most = most;
      if (tall(node) - before > room) node.most = most - 1;
      else room -= tall(node) - before;
    }
  }
}

// How far a node with its name, and the count below it, reaches up and down.
function tallAside({ side, most, pill }, px) {
  const lines = most * (px + 1) + 2;
  if (!side) return [CENTRE, CENTRE + lines + 2];
  return [Math.max(DISC, lines / 2), Math.max(pill ? DISC + PILL + 2 : DISC, lines / 2)];
}

// Nodes that stand by their lines, not in columns: moved so far that none covers another at its largest, nor
// the name of gold, which stands whole right of its star.

const PUSHES = 160;
const BETWEEN = 5;                          // pixels between two nodes
const WIDE_NAME = 9;                        // letters; what is wider stands on two lines
const ASIDES = [0.09, -0.09, 0.2, -0.2, 0.34, -0.34, 0.5, -0.5];  // of a line: how far it bends aside
const STRUCK = { gold: 5, name: 2, node: 1 };  // how bad a point of a line is that lies on one

// How the names of gold are written: `named` of these nodes. Gives how wide and tall each is.
function goldNames(drawing) {
  const font = `${drawing.px}px ${drawing.family}`, found = new Map();
  for (const node of drawing.nodes.values()) {
    node.named = null;
    if (!node.data.gold) continue;
    const name = longName(node.data.label, node.data.kind), lines = measure(name, font) > WIDE_NAME * drawing.px ? halved(name, font) ?? [name] : [name];
    node.named = { lines, under: false };
    found.set(node.i, { w: longer(lines, font) + 4, h: tallOf(lines.length, drawing.px) });
  }
  return found;
}

// The pixels of all nodes of `drawing`, which stands as it is scaled: a Map from node to [x, y].
function movedApart(drawing, names) {
  const { width, height, foot, largest } = drawing;
  const all = [...drawing.nodes.values()].map((node) => {
    const reach = drawing.reach({ ...node, size: node.data.gold ? 1 : largest.get(node.i) ?? 1 }), name = names.get(node.i);
    const discs = [{ dx: 0, reach }, ...(name ? discsOf(reach + NAME, name) : [])];
    return { i: node.i, reach, tall: Math.max(reach, (name?.h ?? 0) / 2), wide: name ? reach + NAME + name.w : reach, discs, ...drawing.screen(...drawing.view.places[node.i]) };
  });
  for (let push = 0; push < PUSHES; push += 1) {
    let met = false;
    all.forEach((one, i) => {
      for (const other of all.slice(i + 1)) {
        for (const a of one.discs) for (const b of other.discs) met = pushed(one, other, a, b) || met;
      }
    });
    for (const node of all) {
      node.x = Math.max(node.reach, Math.min(width - node.wide, node.x));
      node.y = Math.max(node.tall, Math.min(height - foot - node.tall, node.y));
    }
    if (!met) break;
  }
  return new Map(all.map(({ i, x, y }) => [i, [x, y]]));
}

// Discs that cover a name which begins at `from`.
function discsOf(from, { w, h }) {
  const count = Math.max(1, Math.ceil(w / h)), reach = h / 2;
  return Array.from({ length: count }, (_, i) => ({ dx: from + (count > 1 ? reach + (i * (w - h)) / (count - 1) : w / 2), reach }));
}

// Both by half of what a disc of one is too near to a disc of the other.
function pushed(one, other, a, b) {
  const dx = other.x + b.dx - one.x - a.dx || 0.1, dy = other.y - one.y, far = Math.hypot(dx, dy), short = a.reach + b.reach + BETWEEN - far;
  if (short <= 0) return false;
  for (const [node, share] of [[one, -short / 2], [other, short / 2]]) {
    node.x += (share * dx) / far;
    node.y += (share * dy) / far;
  }
  return true;
}

// The way of a line that lies on the fewest names, those of gold before others, and nodes.
function aroundNames(line, a, b, how, around) {
  const others = around.filter(({ i }) => i !== a.i && i !== b.i), named = around.filter((one) => one.named);
  const inName = ({ x, y }) => named.find((node) => x > node.x && x < node.x + node.wide + 4 && Math.abs(y - node.y) < node.tall + 2);
  const struck = (name) => (name ? STRUCK[name.gold ? "gold" : "name"] : 0);
  const inNode = ({ x, y }) => others.some((node) => Math.hypot(x - node.x, y - node.y) < node.reach);
  const bad = (track) => track.reduce((sum, at) => sum + struck(inName(at)) + (inNode(at) ? STRUCK.node : 0), 0);
  const ways = ASIDES.map((bend) => routed(line, a, b, { ...how, columns: false, bend }));
  return ways.map((way) => ({ way, bad: bad(way.track) })).sort((one, other) => one.bad - other.bad)[0].way;
}

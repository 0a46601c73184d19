// Nodes that stand by their lines, not in columns: moved so far that none covers another at its largest.

const PUSHES = 80;
const BETWEEN = 5;                          // pixels between two nodes

// The pixels of all nodes of `drawing`, which stands as it is scaled: a Map from node to [x, y].
function movedApart(drawing) {
  const { width, height, foot, largest } = drawing;
  const all = [...drawing.nodes.values()].map((node) => {
    const reach = drawing.reach({ ...node, size: largest.get(node.i) ?? 1 });
    return { i: node.i, reach, ...drawing.screen(...drawing.view.places[node.i]) };
  });
  for (let push = 0; push < PUSHES; push += 1) {
    let met = false;
    all.forEach((one, i) => {
      for (const other of all.slice(i + 1)) met = pushed(one, other) || met;
    });
    for (const node of all) {
      node.x = Math.max(node.reach, Math.min(width - node.reach, node.x));
      node.y = Math.max(node.reach, Math.min(height - foot - node.reach, node.y));
    }
    if (!met) break;
  }
  return new Map(all.map(({ i, x, y }) => [i, [x, y]]));
}

// Both by half of what they are too near.
function pushed(one, other) {
  const dx = other.x - one.x || 0.1, dy = other.y - one.y, far = Math.hypot(dx, dy), short = one.reach + other.reach + BETWEEN - far;
  if (short <= 0) return false;
  for (const [node, share] of [[one, -short / 2], [other, short / 2]]) {
    node.x += (share * dx) / far;
    node.y += (share * dy) / far;
  }
  return true;
}

// Names of a neighbourhood: on as many lines as they need and may have, on the far side of their nodes.

// Where names are written, what matters most first: a Map from node to its box and lines. One that would
// cover another node or name is left out.
function namesAside(nodes, { zoom, weights, px }) {
  const boxes = new Boxes(), found = new Map();
  for (const { i, x, y, reaches } of nodes) boxes.add({ of: i, x: x - reaches + 2, y: y - reaches + 3, w: 2 * reaches - 4, h: 2 * reaches - 6 });
  for (const node of [...nodes].sort((a, b) => (weights.get(b.i) ?? 0) - (weights.get(a.i) ?? 0))) {
    const lines = nameLines(node.data.label, zoom * node.wide, node.most, node.font);
    const w = longer(lines, node.font) + 4, h = tallOf(lines.length, px), far = node.reaches + NAME - 2;
    const box = { x: { "-1": node.x - far - w, 0: node.x - w / 2, 1: node.x + far }[node.side], y: node.side ? node.y - h / 2 : node.y + node.reaches, w, h };
    if (boxes.under({ ...box, x: box.x + 1, y: box.y + 3, w: w - 2, h: h - 6 }, node.i).size && node.side) continue;
    boxes.add({ ...box, of: node.i });
    found.set(node.i, { ...box, lines, anchor: { "-1": "end", 0: "middle", 1: "start" }[node.side], free: true, cost: 0, on: new Set() });
  }
  return found;
}

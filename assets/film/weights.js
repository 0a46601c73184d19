// How much the name of each node matters in a film, more where it is looked at or a sentence says it; whose name is never
// left out, which lines names keep off and which are told as taken, which nodes are looked at, so that a ring is around them, which are taken again, and which were only on offer at
// some step. `guests` are drawn at their steps only: the names of all others come first. Where something spreads, what lists begin
// with comes before what is kept.

const READ_ROWS = 6, TOLD = 2;              // of a list; of these its sentence speaks

function weighed({ nodes, lines, sources }, events, guests) {
  const weights = new Map(), ways = new Set(), counted = new Set(), looked = new Set(), told = new Set(), taken = new Set(), last = events.at(-1);
  const weigh = (i, weight) => weights.set(+i, Math.max(weights.get(+i) ?? 0, weight));
  const musts = new Set(sources);
  nodes.forEach((node, i) => { if (node.gold) musts.add(i); });
  for (const i of musts) weigh(i, nodes[i].gold ? 9 : 8);
  nodes.forEach(({ kind }, i) => { if (kind === "query") weigh(i, 7); });
  for (const frame of events) {
    const read = Object.keys(frame.sizes).length ? (frame.board?.rows ?? []).filter(({ node }) => node !== undefined).slice(0, READ_ROWS) : [];
    read.forEach(({ node }, rank) => { weigh(node, 6 + 1 / (rank + 1)); if (rank < TOLD && !guests[node]) musts.add(node); });
    for (const [i, role] of Object.entries(frame.nodes)) if (role === "current" || role === "seed") weigh(i, role === "current" ? LOOKED_AT : 3);
    for (const [i, role] of Object.entries(frame.nodes)) if (role === "current") looked.add(+i);
    for (const i of frame.taken ?? []) taken.add(i);
    for (const { target } of Object.values(frame.nodes).includes("current") ? frame.travels.slice(0, 1) : []) weigh(target, LOOKED_AT);
    for (const i of Object.keys(frame.nodes)) if (frame.caption.includes(`'${nodes[i].label}'`)) weigh(i, LOOKED_AT);
    for (const [i, role] of Object.entries(frame.lines)) if (role === "chosen") told.add(+i);
    for (const [i, role] of Object.entries(frame.lines)) if (role === "chosen" && ![lines[i].source, lines[i].target].some((end) => guests[end])) ways.add(+i);
  }
  for (const [i, count] of Object.entries(last.counts)) if (count > 1) counted.add(+i);
  last.ranking.rows.forEach(({ node, faint }, rank) => { if (!faint) weigh(node, 4 + 1 / (rank + 1)); });
  for (const i of Object.keys(guests)) weights.set(+i, -1);
  const largest = new Map();
  for (const { sizes } of events) for (const [i, size] of Object.entries(sizes)) largest.set(+i, Math.max(size, largest.get(+i) ?? 0));
  const untaken = new Set(events.flatMap((frame) => Object.keys(frame.nodes).filter((i) => frame.nodes[i] === "refused" && !nodes[i].gold).map(Number)));
  return { weights, musts, ways, counted, looked, largest, untaken, told, taken };
}

const STRENGTH = ["chosen", "offered", "walked", "again", "missed", "refused", "ghost", "plain", "unoffered"];

// Of several lines between two nodes all but the one that says most now, which is the `picked` one if it is among them.
function weakerTwins({ lines }, now, picked) {
  const all = Object.keys(now.lines).map(Number), best = new Map();
  const strength = (i) => (i === picked ? -1 : STRENGTH.indexOf(now.lines[i])), pair = (i) => [lines[i].source, lines[i].target].sort().join();
  for (const i of all) if (!best.has(pair(i)) || strength(i) < strength(best.get(pair(i)))) best.set(pair(i), i);
  return new Set(all.filter((i) => best.get(pair(i)) !== i));
}

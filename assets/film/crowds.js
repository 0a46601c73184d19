// Where more lines join two columns than can be told apart, those that matter least are left out on a stage.

const CARRIERS = 3;                         // links to one gold node, of those over which something spreads

// Of the links over which something spreads now, those that carry little to gold: all to a gold node but those from the
// largest, and those within a column.
function carryingLittle(drawn, nodes) {
  const links = drawn.filter(({ role }) => role === "plain"), size = (i) => nodes.get(i).size ?? 1, x = (i) => Math.round(nodes.get(i).x);
  if (!links.some(({ data: { source, target } }) => size(source) > 1 || size(target) > 1)) return [];
  const gold = [...nodes.values()].filter(({ role, data }) => role && data.gold).map(({ i }) => i), ends = ({ data: { source, target } }) => [source, target];
  const from = (i) => (line) => size(ends(line).find((end) => end !== i));
  const little = gold.flatMap((i) => links.filter((line) => ends(line).includes(i)).sort((one, other) => from(i)(other) - from(i)(one)).slice(CARRIERS));
  return little.length ? [...little, ...links.filter(({ data: { source, target } }) => x(source) === x(target))] : [];
}

// Beside how many other lines one is drawn on a stage, by how much it matters; what is told now is drawn in any case.
const BESIDE_OTHERS = [Infinity, 8, 7, 7, 4, 3, 2];
const FIRST_LISTED = 3;                     // rows with which a list begins
const TRACKS = 2;                           // within a lane that may be drawn of those that lead nowhere now
const TOLD_NOW = ["chosen", "missed", "ghost"];

// The lines of `now` that are left out on a stage, where too many would lie between two columns or within one: those that
// matter least, while what is taken now, what led to gold and what a list begins with keep theirs. `drawn` are lines with their
// `role`, `picked` is the node that is picked out.
function leftOut(drawn, nodes, now, picked) {
  const xs = [...new Set([...nodes.values()].map(({ x }) => Math.round(x)))].sort((a, b) => a - b), column = (i) => xs.indexOf(Math.round(nodes.get(i).x));
  const first = waysIn(drawn, now), rank = rankOf(drawn, nodes, now, { picked, first }), kept = new Map(), out = new Set();
  const of = drawn.map((line) => {
    const [from, to] = [line.data.source, line.data.target].map(column).sort((a, b) => a - b);
    return { line, from, to, rank: Math.min(BESIDE_OTHERS.length - 1, rank(line) && rank(line) + (to - from > 1)) };
  });
  for (const { line, from, to, rank: at } of of.sort((one, other) => one.rank - other.rank || first.has(other.line) - first.has(one.line) || one.line.i - other.line.i)) {
    const within = from === to, places = within ? [`in ${from}`] : xs.slice(from, to).map((x) => `after ${x}`), beside = (place) => kept.get(place) ?? new Set();
    const own = within ? line.data.source : line.i, most = within && at ? TRACKS : BESIDE_OTHERS[at];  // lines of one node share a track
    if (places.some((place) => !beside(place).has(own) && beside(place).size >= most)) out.add(line.i);
    else for (const place of places) kept.set(place, beside(place).add(own));
  }
  return out;
}

// How little a line matters: 0 what is told now, then what leads to gold or to what is looked at, what leads there or to what
// is listed first, the way on which a node was reached, all others, and what was refused.
function rankOf(drawn, nodes, now, { picked, first }) {
  const ends = ({ data: { source, target } }) => [source, target], to = (found) => (line) => ends(line).some((i) => found.has(i));
  const matters = new Set([...nodes.values()].filter(({ i, data }) => now.nodes[i] && (data.gold || now.nodes[i] === "current")).map(({ i }) => i));
  const near = new Set(drawn.filter(to(matters)).flatMap(ends));
  const listed = new Set((now.board ?? now.ranking).rows.slice(0, FIRST_LISTED).map(({ node }) => node));
  return (line) => {
    if (TOLD_NOW.includes(line.role) || ends(line).includes(picked)) return 0;
    if (line.role === "refused") return matters.has(line.data.target) ? 1 : first.has(line) ? 3 : 5;
    if (to(matters)(line)) return 1;
    if (to(near)(line) || to(listed)(line)) return 2;
    return first.has(line) ? 3 : 4;
  };
}

// Of the lines that were taken, the first to each node; of those that were refused, the first to what was only on offer.
function waysIn(drawn, now) {
  const found = new Map(), leads = ({ role, data }) => role === "walked" || (role === "refused" && now.nodes[data.target] === "refused");
  for (const line of drawn) if (leads(line) && !found.has(line.data.target)) found.set(line.data.target, line);
  return new Set(found.values());
}

// Of the nodes that are `seen`, those that were only on offer and to which nothing leads, as the lines that do are `quiet` or begin
// at what is not drawn. What the sentence names stays.
function adrift({ nodes, lines }, now, seen, quiet) {
  const met = new Set(), drawn = new Set();
  for (const key of Object.keys(now.lines)) {
    const ends = [lines[key].source, lines[key].target], there = !quiet.has(+key) && ends.every((i) => seen.has(i));
    for (const i of ends) (there ? drawn : met).add(i);
  }
  return new Set([...seen].filter((i) => now.nodes[i] === "refused" && !nodes[i].gold && met.has(i) && !drawn.has(i) && !now.caption.includes(`'${nodes[i].label}'`)));
}

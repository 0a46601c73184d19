// Where more lines join two columns than can be told apart, those that lead to gold, or from what is looked at, lie above the
// others, which are faint.

const TOLD_APART = 8;                       // lines between two columns
const WEAK = ["walked", "again", "refused", "plain", "unoffered"];

// Of `drawn`, the lines that are there now, those that are faint in a crowd. What leads to gold is a line to it, and one in
// another crowd to where such a line begins; where none does, or all do, they are all alike.
function faintInCrowds(drawn, nodes) {
  const x = (i) => Math.round(nodes.get(i).x), between = ({ data: { source, target } }) => [x(source), x(target)].sort((a, b) => a - b).join();
  const crowds = [...Map.groupBy(drawn, between).values()].filter((all) => all.length > TOLD_APART);
  const matters = new Set([...nodes.values()].filter(({ role, data }) => role && (data.gold || role === "current")).map(({ i }) => i));
  const ends = ({ data: { source, target } }) => [source, target], to = (found) => (line) => ends(line).some((i) => found.has(i));
  const next = new Set(drawn.filter(to(matters)).flatMap(ends));
  return new Set(crowds.flatMap((all) => {
    const strong = all.some(to(matters)) ? to(matters) : to(next), faint = all.filter((line) => WEAK.includes(line.role) && !strong(line));
    return faint.length < all.length ? faint : [];
  }));
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
  const first = waysIn(drawn), rank = rankOf(drawn, nodes, now, { picked, first }), kept = new Map(), out = new Set();
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
    if (line.role === "refused") return matters.has(line.data.target) ? 1 : 5;
    if (to(matters)(line)) return 1;
    if (to(near)(line) || to(listed)(line)) return 2;
    return first.has(line) ? 3 : 4;
  };
}

// Of the lines that were taken, the first to each node.
function waysIn(drawn) {
  const found = new Map();
  for (const line of drawn) if (line.role === "walked" && !found.has(line.data.target)) found.set(line.data.target, line);
  return new Set(found.values());
}

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

// Beside how many other lines one is drawn on a stage, by how much it matters.
const BESIDE_OTHERS = [Infinity, 8, 7, 4, 3];
const FIRST_LISTED = 3;                     // rows with which a list begins
const TOLD_NOW = ["chosen", "offered", "missed", "ghost"];

// The lines that are drawn on a stage from when they come to the end, though too many would lie between two columns or within
// one: on which each node was reached, what led to gold, and of the links over which something spreads those that matter most,
// one of each node before a second one of another.
// What was taken again leads to nothing new, and is drawn only while it is told; a link within a column says little, and would lie
// behind the nodes that stand between. `lines` are all that the film has in the end,
// with their `role` then, between nodes that are drawn; `last` is its last frame.
function staying(lines, nodes, last) {
  const xs = [...new Set([...nodes.values()].map(({ x }) => Math.round(x)))].sort((a, b) => a - b), column = (i) => xs.indexOf(Math.round(nodes.get(i).x));
  const first = waysIn(lines, nodes, last), rank = rankOf(lines, nodes, last, first), beside = new Map(), kept = new Set();
  const of = lines.filter((line) => rank(line) < BESIDE_OTHERS.length).map((line) => {
    const [from, to] = [line.data.source, line.data.target].map(column).sort((a, b) => a - b);
    return { line, from, to, rank: rank(line) };
  }).filter(({ line, from, to, rank: at }) => from !== to || !at || line.role !== "plain");
  // Each end on its own side: what is joined to what comes later is to be joined to what came before, too.
  const joined = new Set(), sides = ({ data: { source, target } }) => [source, target].sort((one, other) => column(one) - column(other)).map((i, side) => `${i} ${side}`);
  const joins = (line) => sides(line).some((side) => !joined.has(side));
  of.sort((one, other) => one.rank - other.rank || one.line.i - other.line.i);
  for (const joining of [true, false]) {
    for (const { line, from, to, rank: at } of of) {
      if (kept.has(line.i) || (joining && at && (from === to || !joins(line)))) continue;
      const within = from === to, places = within ? [`in ${from}`] : xs.slice(from, to).map((x) => `after ${x}`), there = (place) => beside.get(place) ?? new Set();
      const own = within ? line.data.source : line.i;  // lines of one node share a track
      const most = joining ? Infinity : BESIDE_OTHERS[at];
      if (places.some((place) => !there(place).has(own) && there(place).size >= most)) continue;
      kept.add(line.i);
      for (const side of sides(line)) joined.add(side);
      for (const place of places) beside.set(place, there(place).add(own));
    }
  }
  return kept;
}

// How little a line matters: 0 on which a node was reached, then what leads to gold, what leads there or was taken, to what is ranked first,
// and other links. What was only refused matters where nothing else leads to its target, what was taken again nowhere.
function rankOf(lines, nodes, last, first) {
  const ends = ({ data: { source, target } }) => [source, target], to = (found) => (line) => ends(line).some((i) => found.has(i));
  const gold = new Set([...nodes.values()].filter(({ data }) => data.gold).map(({ i }) => i)), near = new Set(lines.filter(to(gold)).flatMap(ends));
  const listed = new Set(last.ranking.rows.slice(0, FIRST_LISTED).map(({ node }) => node));
  return (line) => {
    if (first.has(line)) return 0;
    if (["again", "refused"].includes(line.role)) return Infinity;
    if (to(gold)(line)) return 1;
    if (to(near)(line)) return 2;
    if (LED.includes(line.role)) return 2;
    if (line.role !== "plain") return Infinity;
    return to(listed)(line) ? 3 : 4;
  };
}

// Of the lines that were taken, the first to each node; of those that were refused, the first to what was only on offer; and to
// a query that was searched with, what it was made of.
function waysIn(lines, nodes, last) {
  const found = new Map(), { nodes: ends } = last, made = ({ role, data: { target } }) => role === "plain" && nodes.get(target).data.kind === "query" && !OUTSIDE.includes(ends[target]);
  const leads = (line) => ["walked", "chosen", "missed"].includes(line.role) || (line.role === "refused" && ends[line.data.target] === "refused") || made(line);
  const reached = ({ data }) => (data.back ? data.source : data.target);
  for (const line of lines) if (leads(line) && !found.has(reached(line))) found.set(reached(line), line);
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

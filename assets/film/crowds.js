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

// The line in a column below which gold was lost, with its words: it has its room among the rows from the start, and
// is drawn at the end.

const AROUND_CUT = 8;                       // pixels above and below its words
const CUT_PX = 18;                          // of its words at most

// The topmost of the `spots` of a column that stand below a line makes room for it above itself.
function roomForCut(spots, drawing, wide) {
  const below = spots.filter(({ nodes }) => nodes.some(({ i }) => drawing.cutOf.has(i)));
  for (const spot of spots) spot.above = 0;
  if (!below.length) return 0;
  const first = below.reduce((one, other) => (other.y < one.y ? other : one)), px = Math.min(drawing.px, CUT_PX), font = `${px}px ${drawing.family}`;
  const { label } = drawing.cutOf.get(first.nodes.find(({ i }) => drawing.cutOf.has(i)).i), lines = nameLines(label, wide, 3, font);
  first.cut = { lines, px };
  first.above = lines.length * (px + 1) + AROUND_CUT;
  return first.above;
}

// Where the lines stand: each {lines, px, left, right, y, nodes}, y of its words' upper rim.
function placedCuts(spots, drawing, columns) {
  return spots.filter(({ cut }) => cut).map(({ cut, column, y, up, nodes }) => ({ ...cut, left: columns.left(column), right: columns.right(column), y: y - up, nodes: drawing.cutOf.get(nodes.find(({ i }) => drawing.cutOf.has(i)).i).nodes }));
}

function cutMarks({ lines, px, left, right, y, nodes }, zoom) {
  const text = drawn("text", { "font-size": px }, ...lines.map((line, i) => Object.assign(drawn("tspan", { x: num(zoom * left), dy: i ? px + 1 : 0 }), { textContent: line })));
  text.setAttribute("y", num(zoom * y + AROUND_CUT / 2 + px));
  const g = drawn("g", { class: "cut-line off" }, drawn("path", { d: `M${num(zoom * left)} ${num(zoom * y + 2)}H${num(zoom * right)}` }), text);
  return { g, nodes };
}

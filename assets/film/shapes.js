// Outlines as SVG paths around (0, 0). What a node is decides its shape; a passage's own shape also
// tells its role. All are met at eight pixels, so they differ in silhouette.

const turn = (count, reach) => Array.from({ length: count }, (_, i) => {
  const angle = (2 * Math.PI * i) / count - Math.PI / 2;
  return [reach(i) * Math.cos(angle), reach(i) * Math.sin(angle)];
});

const CORNERS = {
  diamond: [[0, -1.1], [1.1, 0], [0, 1.1], [-1.1, 0]],
  star: turn(10, (i) => (i % 2 ? 0.52 : 1.12)),
  bar: [[-1.4, -0.56], [1.4, -0.56], [1.4, 0.56], [-1.4, 0.56]],
  hexagon: [[-1.25, 0], [-0.66, -0.92], [0.66, -0.92], [1.25, 0], [0.66, 0.92], [-0.66, 0.92]],
  triangle: [[0, -1.02], [1.1, 0.84], [-1.1, 0.84]],
  slant: [[-0.5, -0.8], [1.3, -0.8], [0.5, 0.8], [-1.3, 0.8]],
  pentagon: turn(5, () => 1),
  tag: [[-1.1, -0.76], [0.5, -0.76], [1.3, 0], [0.5, 0.76], [-1.1, 0.76]],
};

const num = (value) => +value.toFixed(2);

const CURVES = {
  disc: (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  square: (r) => {
    const half = num(0.9 * r), bend = num(r / 4), side = num(2 * (half - bend));
    const corner = (x, y) => `a${bend} ${bend} 0 0 1 ${x} ${y}`;
    return `M${num(-half + bend)} ${-half}h${side}${corner(bend, bend)}v${side}${corner(-bend, bend)}`
      + `h${-side}${corner(-bend, -bend)}v${-side}${corner(bend, -bend)}Z`;
  },
  // Three discs around the middle.
  trefoil: (r) => [-90, 30, 150].map((degrees) => {
    const [x, y] = [0.5 * r * Math.cos((degrees * Math.PI) / 180), 0.5 * r * Math.sin((degrees * Math.PI) / 180)];
    const lobe = num(0.62 * r);
    return `M${num(x - lobe)} ${num(y)}a${lobe} ${lobe} 0 1 0 ${2 * lobe} 0a${lobe} ${lobe} 0 1 0 ${-2 * lobe} 0Z`;
  }).join(""),
  // A pill with a tail, as someone says it.
  speech: (r) => scaled("M-1 -.9H1Q1.3 -.9 1.3 -.6V.3Q1.3 .62 1 .62H0L-.72 1.12L-.62 .62H-1Q-1.3 .62 -1.3 .3V-.6Q-1.3 -.9 -1 -.9Z", r),
  // Head and shoulders.
  person: (r) => scaled("M-.36 -.14A.5 .5 0 1 1 .36 -.14C.75 0 .98 .3 1 .95H-1C-.98 .3 -.75 0 -.36 -.14Z", r),
};

// A path of letters and numbers, each number times r but for the flags of an arc.
function scaled(path, r) {
  return path.replace(/A([^A-Z]+)|-?\.?\d+(?:\.\d+)?/g, (found, arc) => {
    if (!arc) return num(found * r);
    const [rx, ry, ...rest] = arc.trim().split(/\s+/).map(Number);
    return `A${num(rx * r)} ${num(ry * r)} ${rest.slice(0, 3).join(" ")} ${num(rest[3] * r)} ${num(rest[4] * r)}`;
  });
}

function outline(shape, r) {
  if (CURVES[shape]) return CURVES[shape](r);
  return `M${CORNERS[shape].map(([x, y]) => `${num(x * r)} ${num(y * r)}`).join("L")}Z`;
}

// Three strokes across a disc: nobody has judged what is there.
function hatching(r) {
  return [-0.5, 0, 0.5].map((off) => {
    const half = 0.66 * r * Math.sqrt(1 - off * off), middle = 0.66 * off * r;
    return `M${num(middle - half)} ${num(middle + half)}L${num(middle + half)} ${num(middle - half)}`;
  }).join("");
}

// What is inside of a node says its role again, for who cannot tell the colours.
const MARKS = {
  diamond: (r) => outline("diamond", 0.4 * r),
  dot: (r) => outline("disc", num(0.38 * r)),
  check: (r) => scaled("M-.42 .02L-.1 .34L.45 -.32", r),
  cross: (r) => scaled("M-.3 -.3L.3 .3M.3 -.3L-.3 .3", r),
  letterA: (r) => scaled("M-.36 .42L0 -.46L.36 .42M-.22 .14H.22", r),
  letterB: (r) => scaled("M-.26 -.44V.42H.06L.28 .26V.1L.06 -.04H-.26M.06 -.04L.22 -.16V-.32L.06 -.44H-.26", r),
};

// By role: a passage's shape, its radius in pixels, its mark.
const ROLES = {
  seed: { shape: "diamond", radius: 12, mark: "diamond" },
  queued: { shape: "disc", radius: 10.5, mark: "dot" },
  visited: { shape: "disc", radius: 10.5 },
  current: { shape: "disc", radius: 12.5 },
  retrieved: { shape: "square", radius: 11.5, mark: "check" },
  pruned: { shape: "disc", radius: 9 },
  lost: { shape: "star", radius: 11, mark: "cross" },
  ghost: { shape: "disc", radius: 9 },
  refused: { shape: "disc", radius: 7.5 },
  plain: { shape: "disc", radius: 8 },
  // Of two retrievals: what only one kept, the other, both; what was reached alone; what nobody reached.
  a: { shape: "disc", radius: 11, mark: "letterA" },
  b: { shape: "disc", radius: 11, mark: "letterB" },
  both: { shape: "disc", radius: 9.5 },
  reached: { shape: "disc", radius: 7 },
  neither: { shape: "star", radius: 10, mark: "cross" },
};

// By kind, for what is no passage: its shape, its size beside a disc's, how far it reaches sideways,
// and how far down and how large a mark is.
const KINDS = {
  sentence: { shape: "bar", scale: 1.05, reach: 1.4, mark: [0, 0.7] },
  entity: { shape: "hexagon", scale: 0.98, reach: 1.25, mark: [0, 0.9] },
  fact: { shape: "triangle", scale: 1.1, reach: 1.25, mark: [0.24, 0.7] },
  relation: { shape: "slant", scale: 0.98, reach: 1.3, mark: [0, 0.8] },
  cluster: { shape: "trefoil", scale: 0.95, reach: 1.2, mark: [0.1, 0.75] },
  community: { shape: "pentagon", scale: 1.12, reach: 1, mark: [0.04, 0.8] },
  field: { shape: "tag", scale: 0.95, reach: 1.3, mark: [0, 0.75] },
  query: { shape: "speech", scale: 1.05, reach: 1.3, mark: [-0.12, 0.8] },
  speaker: { shape: "person", scale: 1.12, reach: 1, mark: [0.42, 0.6] },
};
const PASSAGE = { scale: 1, reach: 1, mark: [0, 1] };
const GOLD = { more: 1.25, least: 10 };      // a star needs more room than a disc, and is never small

const nounOf = ({ noun, kind }) => noun ?? kind;
const kindOf = (kind) => KINDS[kind] ?? PASSAGE;

function radiusOf({ kind, gold }, role, size = 1) {
  const radius = ROLES[role].radius;
  return num((gold ? GOLD.more * Math.max(GOLD.least, radius) : radius) * kindOf(kind).scale * size);
}

// The paths of a node in a role, and how far it reaches to each side.
function looks(node, role, size = 1) {
  const own = kindOf(node.kind), r = radiusOf(node, role, size);
  const [down, share] = own.shape || !node.gold ? own.mark : [0.05, 0.75];
  const mark = ROLES[role].mark;
  return {
    r, side: r * own.reach,
    body: outline(own.shape ?? (node.gold ? "star" : ROLES[role].shape), r),
    mark: mark ? MARKS[mark](share * r) : "", down: num(down * r),
  };
}

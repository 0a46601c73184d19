// Outlines. What a node is decides its shape; a passage's own shape also tells its role (looks.js).
// All are met at eight pixels, so they differ in silhouette: wide, low, pointed, lobed, with a tail.

// By kind: the outline, its size beside a disc's, how far it reaches to the sides, and where a mark
// is drawn (down, of which size), as shares of the radius.
const KIND_SHAPE = {
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
const AS_PASSAGE = { scale: 1, reach: 1, mark: [0, 1] };

const kindShape = (kind) => KIND_SHAPE[kind] ?? AS_PASSAGE;

// Corners on a circle, the first at the top.
function wheel(count, reach) {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return [reach(i) * Math.cos(angle), reach(i) * Math.sin(angle)];
  });
}

const CORNERS = {
  diamond: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  star: wheel(10, (i) => (i % 2 ? 0.52 : 1.12)),
  bar: [[-1.4, -0.56], [1.4, -0.56], [1.4, 0.56], [-1.4, 0.56]],
  hexagon: [[-1.25, 0], [-0.66, -0.92], [0.66, -0.92], [1.25, 0], [0.66, 0.92], [-0.66, 0.92]],
  triangle: [[0, -1.02], [1.1, 0.84], [-1.1, 0.84]],
  slant: [[-0.5, -0.8], [1.3, -0.8], [0.5, 0.8], [-1.3, 0.8]],
  pentagon: wheel(5, () => 1),
  tag: [[-1.1, -0.76], [0.5, -0.76], [1.3, 0], [0.5, 0.76], [-1.1, 0.76]],
};

const CURVES = {
  disc: (ctx, x, y, r) => ctx.arc(x, y, r, 0, 2 * Math.PI),
  square: (ctx, x, y, r) => ctx.roundRect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r, r / 4),
  // Three discs that touch each other's middle: only what is outside is drawn.
  trefoil: (ctx, x, y, r) => {
    const far = 0.62 * r, lobe = 0.62 * r;
    for (const turn of [-90, 30, 150].map((degrees) => (degrees * Math.PI) / 180)) {
      ctx.arc(x + far * Math.cos(turn), y + far * Math.sin(turn), lobe, turn - 2.05, turn + 2.05);
    }
    ctx.closePath();
  },
  // A pill with a tail, as someone says it.
  speech: (ctx, x, y, r) => {
    const [left, right, top, bottom, bend] = [x - 1.3 * r, x + 1.3 * r, y - 0.9 * r, y + 0.62 * r, 0.6 * r];
    ctx.moveTo(left + bend, top);
    ctx.arcTo(right, top, right, bottom, bend);
    ctx.arcTo(right, bottom, left, bottom, bend);
    ctx.lineTo(x - 0.05 * r, bottom);
    ctx.lineTo(x - 0.72 * r, y + 1.12 * r);
    ctx.lineTo(x - 0.66 * r, bottom);
    ctx.arcTo(left, bottom, left, top, bend);
    ctx.arcTo(left, top, right, top, bend);
    ctx.closePath();
  },
  // Head and shoulders.
  person: (ctx, x, y, r) => {
    ctx.arc(x, y - 0.5 * r, 0.5 * r, 0.75 * Math.PI, 0.25 * Math.PI);
    ctx.bezierCurveTo(x + 0.75 * r, y, x + 0.98 * r, y + 0.3 * r, x + r, y + 0.95 * r);
    ctx.lineTo(x - r, y + 0.95 * r);
    ctx.bezierCurveTo(x - 0.98 * r, y + 0.3 * r, x - 0.75 * r, y, x - 0.354 * r, y - 0.146 * r);
    ctx.closePath();
  },
};

function outline(ctx, shape, x, y, r) {
  ctx.beginPath();
  if (CURVES[shape]) CURVES[shape](ctx, x, y, r);
  else polygon(ctx, x, y, CORNERS[shape], r);
}

function polygon(ctx, x, y, points, r) {
  points.forEach(([dx, dy], i) => (i ? ctx.lineTo(x + r * dx, y + r * dy) : ctx.moveTo(x + r * dx, y + r * dy)));
  ctx.closePath();
}

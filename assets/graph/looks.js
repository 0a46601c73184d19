// How a role looks. Colours are Okabe and Ito's; a mark, a dash or a passage's shape says the same
// again, so that nothing is told by colour alone. The legend draws with these functions too.

const COLOUR = {
  blue: "#0072B2", sky: "#56B4E9", amber: "#E69F00", green: "#009E73", vermilion: "#D55E00",
};

// fill and line name a key of COLOUR or of the theme; mark is drawn inside, halo around; shape is a
// passage's. What is lost is always gold, and a gold passage is a star.
const NODE_LOOK = {
  seed: { shape: "diamond", fill: "blue", line: "surface", mark: "diamond", radius: 13 },
  queued: { shape: "disc", fill: "surface", line: "ocean", width: 2.4, mark: "dot", radius: 10.5 },
  visited: { shape: "disc", fill: "sky", line: "surface", radius: 10.5 },
  current: { shape: "disc", fill: "amber", line: "surface", halo: true, radius: 13 },
  retrieved: { shape: "square", fill: "green", line: "surface", mark: "check", radius: 11.5 },
  pruned: { shape: "disc", fill: "surface", line: "grey", width: 2, radius: 9 },
  lost: { shape: "star", fill: "vermilion", mark: "cross", radius: 10.5 },
  refused: { shape: "disc", fill: "surface", line: "grey", width: 1.6, dash: [3, 2.6], radius: 8 },
  plain: { shape: "disc", fill: "quiet", line: "grey", width: 1.2, radius: 8 },
};

const EDGE_LOOK = {
  chosen: { colour: "amber", width: 3.6, dashes: false, arrow: 0.62 },
  offered: { colour: "strong", width: 1.9, dashes: false, arrow: 0.6 },
  walked: { colour: "ocean", width: 2.1, dashes: false, arrow: 0.6 },
  refused: { colour: "grey", width: 1.5, dashes: [7, 5], arrow: 0.5 },
  unoffered: { colour: "faint", width: 1.2, dashes: [1.5, 4.5], arrow: 0.42 },
  plain: { colour: "faint", width: 1.3, dashes: false, arrow: 0.5 },
};

// The colours of Streamlit's theme, as its custom properties tell them on `element`.
function readTheme(element) {
  const style = getComputedStyle(element);
  const value = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  const surface = value("--st-background-color", "#ffffff");
  const dark = luminance(surface) < 0.4;
  return {
    ...COLOUR, dark, surface,
    font: value("--st-font", "sans-serif"),
    text: value("--st-text-color", dark ? "#fafafa" : "#1f2430"),
    panel: value("--st-secondary-background-color", dark ? "#1b1f2a" : "#f3f4f7"),
    ocean: dark ? COLOUR.sky : COLOUR.blue,
    ink: dark ? "#ffffff" : "#000000",
    strong: dark ? "#d5d9e2" : "#3d4452",
    grey: dark ? "#8f96a6" : "#727987",
    faint: dark ? "#596070" : "#b3b9c5",
    quiet: dark ? "#2c3241" : "#e4e7ed",
  };
}

function luminance(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour;
  const hex = /^#(..)(..)(..)$/.exec(probe.fillStyle);
  if (!hex) return 1;
  const [red, green, blue] = hex.slice(1).map((part) => parseInt(part, 16) / 255);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function radiusOf({ role, gold, kind, size }) {
  return NODE_LOOK[role].radius * (gold ? 1.25 : 1) * kindShape(kind).scale * (size ?? 1);
}

// One node. `unit` is the length of a screen pixel, so that it never gets too small to see. How far
// it reaches is returned.
function drawNode(ctx, theme, node, x, y, unit = 1) {
  const look = NODE_LOOK[node.role], own = kindShape(node.kind);
  const r = Math.max(radiusOf(node), 4.5 * unit * (node.size ?? 1));
  ctx.lineJoin = "round";
  // Rings do not grow as fast as the node that they are around.
  const side = r * Math.max(1, own.reach - 0.1), away = r / Math.sqrt(Math.max(1, node.size ?? 1));
  if (look.halo) ring(ctx, x, y, side + 0.5 * away, theme.amber, Math.max(2.6, 1.4 * unit));
  if (node.selected || node.hover) {
    ring(ctx, x, y, side + (look.halo ? 0.85 : 0.5) * away, theme.text, (node.selected ? 2.4 : 1.2) * Math.max(1, unit));
  }
  outline(ctx, own.shape ?? (node.gold ? "star" : look.shape), x, y, r);
  ctx.fillStyle = theme[look.fill];
  ctx.fill();
  ctx.setLineDash(look.dash ?? []);
  ctx.lineWidth = Math.max(node.gold ? 2.6 : look.width ?? 1.5, node.gold ? 1.6 * unit : 0);
  ctx.strokeStyle = node.gold ? theme.ink : theme[look.line];
  ctx.stroke();
  ctx.setLineDash([]);
  const [down, share] = own.shape || !node.gold ? own.mark : [0.05, 0.8];
  if (look.mark) mark(ctx, theme, look, x, y + down * r, share * r);
  if (node.count > 1) badge(ctx, theme, node.count, x + 0.8 * r, y - 1.05 * r, Math.max(1, 0.85 * unit));
  return r * own.reach;
}

function ring(ctx, x, y, r, colour, width) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.lineWidth = width;
  ctx.strokeStyle = colour;
  ctx.stroke();
}

function mark(ctx, theme, look, x, y, r) {
  ctx.lineWidth = 0.2 * r;
  ctx.lineCap = "round";
  ctx.strokeStyle = "#ffffff";
  ctx.fillStyle = look.mark === "dot" ? theme[look.line] : "#ffffff";
  ctx.beginPath();
  if (look.mark === "dot") ctx.arc(x, y, 0.36 * r, 0, 2 * Math.PI);
  if (look.mark === "diamond") polygon(ctx, x, y, CORNERS.diamond, 0.38 * r);
  if (look.mark === "dot" || look.mark === "diamond") return ctx.fill();
  if (look.mark === "check") {
    ctx.moveTo(x - 0.42 * r, y + 0.02 * r);
    ctx.lineTo(x - 0.1 * r, y + 0.34 * r);
    ctx.lineTo(x + 0.45 * r, y - 0.32 * r);
  } else {
    const s = 0.3 * r;
    ctx.moveTo(x - s, y - s); ctx.lineTo(x + s, y + s);
    ctx.moveTo(x + s, y - s); ctx.lineTo(x - s, y + s);
  }
  return ctx.stroke();
}

// How often it was visited.
function badge(ctx, theme, count, x, y, scale) {
  ctx.font = `700 ${9 * scale}px ${theme.font}`;
  const width = Math.max(13 * scale, ctx.measureText(String(count)).width + 7 * scale);
  const height = 13 * scale;
  ctx.beginPath();
  ctx.roundRect(x - width / 2, y - height / 2, width, height, height / 2);
  ctx.fillStyle = theme.text;
  ctx.fill();
  ctx.lineWidth = 1.4 * scale;
  ctx.strokeStyle = theme.surface;
  ctx.stroke();
  ctx.fillStyle = theme.surface;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(String(count), x, y + 0.5 * scale);
}

// Far away, lines are drawn thicker than to scale, in steps so that few zooms change anything.
function thickening(zoom) {
  return Math.max(1, Math.round(3 / zoom) / 4);
}

// vis-network's options of an edge in a role.
function edgeOptions(theme, role, { selected = false, dim = false, zoom = 1, directed = true } = {}) {
  const look = EDGE_LOOK[role];
  return {
    color: { color: selected ? theme.text : theme[look.colour], opacity: dim ? 0.12 : 1 },
    width: (look.width + (selected ? 1.6 : 0)) * thickening(zoom),
    dashes: look.dashes,
    arrows: { to: { enabled: directed, scaleFactor: look.arrow } },
  };
}

// The legend's picture of a role, of gold, or of a kind (`of` is "shape"), 30 x 20 CSS pixels.
function swatch(theme, of, name) {
  const canvas = document.createElement("canvas");
  canvas.width = 60; canvas.height = 40;
  const ctx = canvas.getContext("2d");
  ctx.scale(2, 2);
  if (of !== "edge") {
    const node = { role: NODE_LOOK[name] ? name : "plain", gold: name === "gold" || name === "lost" };
    if (of === "shape") node.kind = name;
    node.size = (node.gold ? 8.5 : NODE_LOOK[node.role].halo ? 5.4 : 8) * kindShape(node.kind).scale / radiusOf(node);
    drawNode(ctx, theme, node, 15, 10.5);
    return canvas;
  }
  const look = EDGE_LOOK[name];
  ctx.strokeStyle = ctx.fillStyle = theme[look.colour];
  ctx.lineWidth = Math.min(look.width + 0.4, 3.2);
  ctx.setLineDash(look.dashes ? look.dashes.map((length) => length * 0.75) : []);
  ctx.beginPath(); ctx.moveTo(2, 10); ctx.lineTo(23, 10); ctx.stroke();
  ctx.beginPath(); polygon(ctx, 22, 10, [[0, -4.5], [7, 0], [0, 4.5]], 1); ctx.fill();
  return canvas;
}

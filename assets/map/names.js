// What is written on the map: names of regions, then of smaller ones, then of passages, none on another.

class MapNames {
  constructor(context, width, height, colours) {
    Object.assign(this, { context, width, height, colours });
    this.taken = new Map();
    this.lands = []; // of each region of depth 1: [x, y, radius, region]
  }

  cells([left, top, right, bottom]) {
    const found = [];
    for (let x = Math.floor(left / 64); x <= right / 64; x++) for (let y = Math.floor(top / 32); y <= bottom / 32; y++) found.push(x * 1000 + y);
    return found;
  }

  take(box) {
    for (const cell of this.cells(box)) {
      const there = this.taken.get(cell);
      if (there) there.push(box);
      else this.taken.set(cell, [box]);
    }
  }

  // Whether a box is on the land of a region other than `own`.
  abroad([left, top, right, bottom], own) {
    return this.lands.some(([x, y, radius, region]) => region !== own && Math.hypot(x - Math.max(left, Math.min(right, x)), y - Math.max(top, Math.min(bottom, y))) < radius);
  }

  // Of `circles` ([x, y, radius, number]) the number of the one to which a line at a place is nearest.
  nearest(x, y, size, circles) {
    const gap = ([left, top, radius]) => Math.hypot(x - left, Math.max(0, Math.abs(y - top) - size * 0.7)) - radius;
    return circles.reduce((best, one) => (gap(one) < gap(best) ? one : best), circles[0])?.[3];
  }

  // From a land to its name.
  line(from, to, { fill, alpha = 1 }) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.strokeStyle = fill;
    context.lineWidth = 1.5;
    context.stroke();
    context.globalAlpha = 1;
  }

  free(box) {
    return !this.cells(box).some((cell) => this.taken.get(cell)?.some((other) => other[0] < box[2] && box[0] < other[2] && other[1] < box[3] && box[1] < other[3]));
  }

  font(weight, size) { return `${weight} ${size}px "Source Sans","Source Sans 3",system-ui,sans-serif`; }

  // Whether it was written: not over another name, nor out of the picture, unless it is `forced`, nor on
  // the land of a region other than `own`, where one is given. Lines are parted by a line break.
  write(text, x, y, { size = 12, weight = 400, fill = this.colours.ink, alpha = 1, forced = false, own = null } = {}) {
    const { context } = this, lines = text.split("\n"), apart = size * 1.15, above = ((lines.length - 1) * apart) / 2;
    context.font = this.font(weight, size);
    const half = Math.max(...lines.map((line) => context.measureText(line).width)) / 2 + 4, box = [x - half, y - above - size * 0.7, x + half, y + above + size * 0.7];
    if (!forced && (box[0] < 2 || box[2] > this.width - 2 || box[1] < 2 || box[3] > this.height - 2 || !this.free(box) || (own != null && this.abroad(box, own)))) return false;
    this.take(box);
    context.globalAlpha = alpha;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    context.strokeStyle = this.colours.dark ? "rgba(10,17,24,.88)" : "rgba(255,255,255,.9)";
    lines.forEach((line, i) => context.strokeText(line, x, y - above + i * apart));
    context.fillStyle = fill;
    lines.forEach((line, i) => context.fillText(line, x, y - above + i * apart));
    context.globalAlpha = 1;
    return true;
  }
}

// The terms of a region's name, then fewer of them, each time beside and below each other.
const shorter = (name) => name.split(" · ").flatMap((_, dropped, terms) => {
  const kept = terms.slice(0, terms.length - dropped);
  return kept.length > 1 ? [kept.join(" · "), kept.join("\n")] : kept;
});

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text);

// A name at the nearest free place around a land, with a line to it; on the land where there is none.
function writeBeside(names, name, [x, y], radius, style) {
  const { context } = names;
  context.font = names.font(style.weight, style.size);
  const half = context.measureText(name).width / 2 + 6;
  for (const far of [4, 24, 48, 80]) for (let turn = 0; turn < 12; turn++) {
    const across = Math.cos(turn * Math.PI / 6), down = Math.sin(turn * Math.PI / 6);
    const a = x + across * (radius + far + half), b = y + down * (radius + far + style.size);
    if (!names.write(name, a, b, style)) continue;
    names.line([x + across * radius * 0.8, y + down * radius * 0.8], [a - across * half, b - down * style.size * 0.8], style);
    return;
  }
  names.write(name, x, y + radius * 0.6, { ...style, forced: true });
}

// The name of a region of depth 1, above or below its land, or on it where that fills the picture: as
// many terms as fit beside the land of others, or else one term wherever no other name is.
function writeRegion(names, map, region, x, y, alpha) {
  const { world, colours, view, land } = map, size = Math.max(13, Math.min(21, 11 + region.radius * view.scale * 0.05));
  const bounds = world.boundsOf(world.members[region.number]), told = colours.heat ? map.told(region.number) : "";
  const peak = map.toScreen(0, bounds[1] - land.rim)[1], foot = map.toScreen(0, bounds[3] + land.rim)[1];
  const outside = land.small || region.radius * view.scale < 200;
  const places = (name) => {
    const half = ((name.split("\n").length - 1) * size * 1.15) / 2 + size * 0.7 + 2;
    return outside ? [Math.max(46 + half, peak - half - (told ? 17 : 0)), foot + half] : [y];
  };
  const all = shorter(region.name).flatMap((name) => places(name).map((top) => [name, top]));
  const style = { size, weight: 700, fill: colours.tone(region.number, 2), alpha };
  const single = all.filter(([name]) => !/[·\n]/.test(name));
  const at = all.find(([name, top]) => names.write(name, x, top, { ...style, own: region.number })) ?? single.find(([name, top]) => names.write(name, x, top, style));
  if (at && outside) {
    // Between two lands a name needs a line to its own.
    const tall = ((at[0].split("\n").length - 1) * size * 1.15) / 2 + size * 0.7, side = Math.sign(y - at[1]);
    const other = names.abroad([x - 20, at[1] - tall - 18, x + 20, at[1] + tall + 18], region.number);
    if (other) names.line([x, at[1] + side * tall], [x, y - side * (Math.abs(y - at[1]) - tall) * 0.55], style);
  }
  if (!at && single.length) writeBeside(names, single[0][0], [x, y], Math.max(y - peak, foot - y), style);
  if (at && told) names.write(told, x, at[1] + ((at[0].split("\n").length - 1) * size * 1.15) / 2 + size * 0.7 + 9, { size: 12, weight: 600, fill: colours.soft });
}

function writeNames(names, map) {
  const { world, colours, view, nodes } = map, { width, height } = names, drawn = new Set(nodes);
  const on = (x, y) => x > -60 && x < width + 60 && y > -40 && y < height + 40;
  const quiet = map.walk.running;
  for (const node of nodes) {
    const [x, y, radius] = map.onScreen(node);
    if (!on(x, y)) continue;
    if (node >= 0) names.take([x - radius * 0.8, y - radius * 0.8, x + radius * 0.8, y + radius * 0.8]);
    else if (radius > 9) {
      const shown = colours.heat ? map.share(node) : world.shownIn(-node - 1).toLocaleString("en");
      if (shown) {
        names.context.font = names.font(600, Math.min(13, radius * 0.8));
        names.context.textAlign = "center";
        names.context.textBaseline = "middle";
        names.context.fillStyle = colours.heat ? colours.ink : colours.dark ? "#0d151d" : "#fff";
        names.context.fillText(shown, x, y);
        names.take([x - radius * 0.7, y - radius * 0.7, x + radius * 0.7, y + radius * 0.7]);
      }
    }
  }
  names.lands = world.tops.filter((top) => world.shownIn(top)).map((top) => { const one = world.regions[top]; return [...map.toScreen(one.x, one.y), (one.radius * 0.92 + map.land.rim) * view.scale, top]; });
  const regions = world.regions.filter((one) => one.depth > 0 && world.shownIn(one.number)).sort((a, b) => a.depth - b.depth || b.size - a.size);
  const circles = regions.filter((one) => one.depth > 1).map((one) => [...map.toScreen(one.x, one.y), one.radius * view.scale, one.number]);
  for (const region of regions) {
    const [x, y] = map.toScreen(region.x, region.y), radius = region.radius * view.scale;
    if (!on(x, y) || radius > Math.max(width, height) * 0.75) continue;
    if (region.depth === 1) {
      writeRegion(names, map, region, x, y, quiet ? 0.5 : 1);
    } else if (radius > 26) {
      const folded = drawn.has(-region.number - 1);
      const size = region.children.length ? 13.5 : 12, away = (folded ? radius * 0.62 : radius * 0.9) + 8;
      const at = [y - away, y + away].find((top) => names.nearest(x, top, size, circles) === region.number) ?? y - away;
      names.write(cut(region.name, 34), x, at, { size, weight: 600, fill: colours.tone(region.top, 2), alpha: quiet ? 0.5 : 1 });
    }
  }
  if (quiet || !world.openable) return;
  const named = nodes.filter((node) => node >= 0 && node !== map.picked && node !== map.hovered).sort((a, b) => world.units.degree[b] - world.units.degree[a]);
  for (const node of named) {
    const [x, y, radius] = map.onScreen(node);
    if (on(x, y) && (view.scale > 0.55 || world.units.degree[node] > 12)) names.write(cut(world.units.title[node], 28), x, y + radius + 8, { size: 11, fill: colours.soft });
  }
}

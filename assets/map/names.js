// What is written on the map: names of regions, then of smaller ones, then of passages, none on another.

class MapNames {
  constructor(context, width, height, colours) {
    Object.assign(this, { context, width, height, colours });
    this.taken = new Map();
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

  free(box) {
    return !this.cells(box).some((cell) => this.taken.get(cell)?.some((other) => other[0] < box[2] && box[0] < other[2] && other[1] < box[3] && box[1] < other[3]));
  }

  font(weight, size) { return `${weight} ${size}px "Source Sans","Source Sans 3",system-ui,sans-serif`; }

  // Whether it was written: not over another name, nor out of the picture, unless it is `forced`.
  write(text, x, y, { size = 12, weight = 400, fill = this.colours.ink, alpha = 1, forced = false } = {}) {
    const { context } = this;
    context.font = this.font(weight, size);
    const half = context.measureText(text).width / 2 + 3, box = [x - half, y - size * 0.7, x + half, y + size * 0.7];
    if (!forced && (box[0] < 2 || box[2] > this.width - 2 || box[1] < 2 || box[3] > this.height - 2 || !this.free(box))) return false;
    this.take(box);
    context.globalAlpha = alpha;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    context.strokeStyle = this.colours.dark ? "rgba(10,17,24,.88)" : "rgba(255,255,255,.9)";
    context.strokeText(text, x, y);
    context.fillStyle = fill;
    context.fillText(text, x, y);
    context.globalAlpha = 1;
    return true;
  }
}

// The terms of a region's name, then fewer of them.
const shorter = (name) => name.split(" · ").map((_, dropped, terms) => terms.slice(0, terms.length - dropped).join(" · "));

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text);

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
  const regions = world.regions.filter((one) => one.depth > 0 && world.shownIn(one.number)).sort((a, b) => a.depth - b.depth || b.size - a.size);
  for (const region of regions) {
    const [x, y] = map.toScreen(region.x, region.y), radius = region.radius * view.scale;
    if (!on(x, y) || radius > Math.max(width, height) * 0.75) continue;
    if (region.depth === 1) {
      const size = Math.max(13, Math.min(21, 11 + radius * 0.05)), bounds = world.boundsOf(world.members[region.number]);
      const [, peak] = map.toScreen(0, bounds[1]), [, foot] = map.toScreen(0, bounds[3]);
      const told = colours.heat ? map.told(region.number) : "";
      const outside = map.land.small || radius < 200;
      const places = outside ? [Math.max(60, peak - (told ? 27 : 10)), foot + 12] : [y];
      const style = { size, weight: 700, fill: colours.tone(region.number, 2), alpha: quiet ? 0.5 : 1 };
      const at = shorter(region.name).flatMap((name) => places.map((top) => [name, top])).find(([name, top]) => names.write(name, x, top, style));
      if (at && told) names.write(told, x, at[1] + size * 0.7 + 9, { size: 12, weight: 600, fill: colours.soft });
    } else if (radius > 26) {
      const folded = drawn.has(-region.number - 1);
      names.write(cut(region.name, 34), x, y - (folded ? radius * 0.62 : radius * 0.9) - 8, { size: region.children.length ? 13.5 : 12, weight: 600, fill: colours.tone(region.top, 2), alpha: quiet ? 0.5 : 1 });
    }
  }
  if (quiet || !world.openable) return;
  const named = nodes.filter((node) => node >= 0 && node !== map.picked && node !== map.hovered).sort((a, b) => world.units.degree[b] - world.units.degree[a]);
  for (const node of named) {
    const [x, y, radius] = map.onScreen(node);
    if (on(x, y) && (view.scale > 0.55 || world.units.degree[node] > 12)) names.write(cut(world.units.title[node], 28), x, y + radius + 8, { size: 11, fill: colours.soft });
  }
}

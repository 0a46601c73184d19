// What a map is made of: regions within regions, and units, which are what the smallest regions hold:
// passages, or, in a corpus too large for that, nothing, so that each smallest region is a unit itself.

class MapWorld {
  constructor(data) {
    const { regions, units, edges } = data;
    this.regions = regions.parent.map((parent, number) => ({
      number, id: regions.number[number], parent, depth: parent < 0 ? 0 : -1, children: [], name: regions.name[number], size: regions.size[number],
      x: regions.x[number], y: regions.y[number], radius: regions.radius[number],
    }));
    for (const region of this.regions) {
      if (region.parent < 0) continue;
      const above = this.regions[region.parent];
      above.children.push(region.number);
      region.depth = above.depth + 1;
      region.top = region.depth === 1 ? region.number : above.top;
    }
    this.tops = this.regions[0].children.length ? this.regions[0].children : [0];
    this.regions[0].top = 0;
    this.units = units;
    this.count = units.x.length;
    this.passages = data.passages;
    this.openable = Boolean(units.title);
    this.edges = edges;
    this.shown = new Uint8Array(this.count).fill(1);
    this.members = this.regions.map(() => []);
    for (let unit = 0; unit < this.count; unit++) {
      for (let region = units.region[unit]; region >= 0; region = this.regions[region].parent) this.members[region].push(unit);
    }
    this.near = null;
    this.bounds = this.boundsOf([...Array(this.count).keys()]);
  }

  topOf(unit) { return this.regions[this.units.region[unit]].top; }

  // [left, top, right, bottom] of units, each with its radius.
  boundsOf(units) {
    const { x, y, radius } = this.units;
    const found = [Infinity, Infinity, -Infinity, -Infinity];
    for (const unit of units) {
      found[0] = Math.min(found[0], x[unit] - radius[unit]);
      found[1] = Math.min(found[1], y[unit] - radius[unit]);
      found[2] = Math.max(found[2], x[unit] + radius[unit]);
      found[3] = Math.max(found[3], y[unit] + radius[unit]);
    }
    return found;
  }

  // Passages of a region that no filter hides.
  shownIn(region) {
    let found = 0;
    for (const unit of this.members[region]) found += this.shown[unit];
    return this.openable ? found : this.regions[region].size;
  }

  neighbours(unit) {
    if (!this.near) {
      this.near = Array.from({ length: this.count }, () => new Set());
      const { source, target } = this.edges;
      for (let i = 0; i < source.length; i++) { this.near[source[i]].add(target[i]); this.near[target[i]].add(source[i]); }
    }
    return this.near[unit];
  }

  path(region) {
    const found = [];
    for (let at = region; at > 0; at = this.regions[at].parent) found.unshift(at);
    return found;
  }
}

// What is drawn at a view: regions, opened while they are large on the screen and fewer than `most`
// nodes are drawn; into passages only where the view is nearer than that of the whole corpus. Nodes are numbers: units as they are, region r as -r - 1.
function mapCut(world, view, most) {
  if (world.openable && world.count <= most) return [...Array(world.count).keys()].filter((unit) => world.shown[unit]);
  const inView = (one) => Math.abs(one.x - view.x) < view.width / 2 * 1.08 + one.radius && Math.abs(one.y - view.y) < view.height / 2 * 1.08 + one.radius;
  const nodes = [];
  const waiting = [[Infinity, 0]];
  let total = 1;
  while (waiting.length) {
    waiting.sort((a, b) => a[0] - b[0]);
    const number = waiting.pop()[1], region = world.regions[number];
    const children = region.children.filter((child) => world.shownIn(child));
    const inside = children.length || (world.openable ? world.shownIn(number) : 0);
    const large = children.length ? region.radius * view.scale > 40 : region.radius * view.scale > 58 && view.nearer;
    if (number && !(inside && inView(region) && large && total + inside - 1 <= most)) { nodes.push(-number - 1); continue; }
    total += inside - 1;
    if (!children.length) nodes.push(...world.members[number].filter((unit) => world.shown[unit]));
    for (const child of children) {
      const { x, y, radius } = world.regions[child];
      waiting.push([radius * view.scale - Math.hypot(x - view.x, y - view.y) * view.scale * 0.25, child]);
    }
  }
  return nodes;
}

// Edges between the nodes of a cut, those of the same two added up; the `most` strongest of `all`.
function mapLines(world, nodes, least, most) {
  const at = new Int32Array(world.count).fill(-2147483648);
  for (const node of nodes) {
    if (node >= 0) at[node] = node;
    else for (const unit of world.members[-node - 1]) if (world.shown[unit]) at[unit] = node;
  }
  const sums = new Map();
  const { source, target, similarity, count } = world.edges;
  for (let i = 0; i < source.length; i++) {
    const a = at[source[i]], b = at[target[i]];
    if (similarity[i] < least || a === b || a === -2147483648 || b === -2147483648) continue;
    const key = a < b ? `${a}|${b}` : `${b}|${a}`;
    sums.set(key, (sums.get(key) || 0) + (count ? count[i] : 1));
  }
  const lines = [...sums].map(([key, edges]) => { const [from, to] = key.split("|").map(Number); return { id: key, from, to, edges }; });
  lines.sort((a, b) => b.edges - a.edges || (a.id < b.id ? -1 : 1));
  return { all: lines.length, lines: lines.slice(0, most) };
}

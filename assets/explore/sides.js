// The plan of a neighbourhood: what leads to the centre left of it, what it leads to right of it. A name
// stands on the far side of its node, always, and lines leave behind it; that of the centre stands below.

const MARGIN = 7;                           // pixels left and right of the outermost names
const CENTRE = 20;                          // how far lines stay from the middle of the centre
const BENDS = [34, 23];                     // pixels in which lines turn between two columns
const SPREAD = 130;                         // pixels that are added to them at most where there is room
const FEWEST_LETTERS = 4;                   // of a name, in its height; where there is less, columns are not fitted
const PITCH = 50;                           // pixels between two rows at most
const LETTERS = [12, 11];                   // the height of letters, and where names have little room
const HEADING = 32;
const BELOW = 10;
const ASIDE_ROOM = 26;                      // pixels beside a column that a line within it may take
const PILL = 17;                            // the height of a count
const DISC = 10;                            // how far a node reaches down
const GRID = { x: [0.2, 2.4], y: [0.3, 1.7] };

class Sides extends Stretched {
  constructor(drawing) {
    super(drawing);
    this.padding = 6;
    drawing.world.append(drawing.layers.groups);    // counts stand beside what they count, and move with it
  }

  // Without columns it is drawn as any other graph.
  get sided() { return this.drawing.bands.length > 0; }

  fit() {
    if (!this.sided) { super.fit(); return; }
    const { drawing } = this;
    drawing.foot = 0;
    for (const px of LETTERS) {
      drawing.px = px;
      this.tellNodes();
      this.columns = drawing.bands.length === this.xs.length ? columnsAside(this.xs.map((x) => this.column(x)), drawing) : null;
      if (this.columns && !this.columns.tight) break;
    }
    drawing.heads = this.columns && !this.headed() ? 2 : 1;
    if (this.columns) {
      Object.assign(drawing, { placed: rowsAside(drawing, this.columns), scale: { x: 1, y: 1 }, origin: { x: 0, y: 0 } });
    } else this.stretch();
  }

  // Whether all headings have room on one line.
  headed() {
    const { bands, width, headFont } = this.drawing, at = (x) => this.columns.begins(x);
    return bands.every(({ data: { label, left, right } }, i) => measure(label, headFont) <= (i < bands.length - 1 ? at(right) : width) - (i ? at(left) : 0) - 6);
  }

  // What each node needs to know: its side, how far lines stay from it, whether a count stands below it.
  tellNodes() {
    const { nodes, groups, view } = this.drawing, counts = new Set(groups.map(({ data }) => data.of));
    for (const node of nodes.values()) {
      const side = Math.sign(view.places[node.i][0]), first = Math.abs(view.places[node.i][0]) === this.nearest;
      Object.assign(node, { side, font: side ? this.font : `650 ${this.font}`, reaches: side ? (node.data.gold ? 14 : 11) : CENTRE, pill: side && counts.has(node.i), beside: 0, first, most: 1 });
    }
  }

  get xs() { return [...new Set([...this.drawing.nodes.values()].map(({ i }) => this.drawing.view.places[i][0]))].sort((a, b) => a - b); }

  // What a column holds, and how wide it wants to be on one line and on two.
  column(x) {
    const { nodes, groups, bands, view } = this.drawing;
    const own = [...nodes.values()].filter(({ i }) => view.places[i][0] === x), side = Math.sign(x), reach = Math.max(...own.map(({ reaches }) => reaches));
    const band = bands.find(({ data }) => data.left < x && x < data.right), around = side ? 2 * reach + NAME : 0;
    const pills = groups.filter(({ data }) => side && data.x === x && !nodes.get(data.of).side);
    const more = this.countsBeside(own, pills);
    const least = Math.max(measure(band.data.label, `600 ${this.font}`) + 10, ...pills.map((pill) => this.pillOf(pill))) - around;
    const sizes = own.map((node) => this.nameSizes(node));
    return { x, side, reach, own, pills, more, whole: Math.max(least, ...sizes.map(({ whole }) => whole)), halved: Math.max(least, ...sizes.map(({ halved }) => halved)) };
  }

  // Where nodes with counts below them have no room, counts stand beside the names; gives how wide these are.
  countsBeside(own, pills) {
    const { height, groups, px } = this.drawing, room = height - HEADING - BELOW - pills.length * (PILL + 5);
    if (tallOfAll(own, px) <= room) return 0;
    for (const node of own.filter(({ pill }) => pill)) Object.assign(node, { pill: false, beside: this.pillOf(groups.find(({ data }) => data.of === node.i)) + 2 });
    return Math.max(...own.map(({ beside }) => beside));
  }

  nameSizes({ i, font, data, side }) {
    const name = croppedName(data.label, LONGEST), { px, view } = this.drawing;
    const lines = !side || Math.abs(view.places[i][0]) === this.nearest ? 3 : 2;
    return { whole: side ? measure(name, font) + 4 : narrowest(name, 2, font, px), halved: narrowest(name, lines, font, px) };
  }

  // How far the neighbours of the centre stand from it.
  get nearest() { return Math.min(...this.xs.filter(Boolean).map(Math.abs)); }

  pillOf({ data }) { return this.wide(`+${data.nodes.length} ${data.label}`.trim()) + 2 * this.padding; }

  // More columns than have room for names, or columns of many: the places that there are, stretched.
  stretch() {
    const { drawing } = this, { width, height, extent } = drawing, names = Math.min(LABEL_ROOM, width / 6);
    const x = within(GRID.x, (width - 2 * names) / Math.max(1, extent.right - extent.left)), y = within(GRID.y, (height - HEADING - 4 * BELOW) / Math.max(1, extent.bottom - extent.top));
    drawing.tight = Math.min(1, (y * 30) / (2 * DISC));
    const pitch = x * Math.min(...this.xs.slice(1).map((one, i) => one - this.xs[i]));
    for (const node of drawing.nodes.values()) {
      const last = [this.xs[0], this.xs.at(-1)].includes(drawing.view.places[node.i][0]);
      node.wide = node.side ? (last ? names - 2 * node.reaches : Math.max(2.5 * pitch - 2 * node.reaches, 40)) : 120;
    }
    Object.assign(drawing, { placed: null, scale: { x, y }, origin: {
      x: (width - x * (extent.right + extent.left)) / 2, y: (HEADING + height - 2 * BELOW - y * (extent.bottom + extent.top)) / 2 } });
  }

  place() {
    if (!this.sided) { super.place(); return; }
    const { drawing } = this;
    drawing.placeBands((x) => (this.columns ? drawing.zoom * this.columns.begins(x) : drawing.screen(x, 0).x));
    drawing.write(namesAside([...drawing.nodes.values()], { zoom: drawing.zoom, weights: drawing.weights, px: drawing.px }));
    this.placeCounts();
    for (const node of drawing.nodes.values()) node.port = this.portOf(node);
    for (const line of drawing.lines.values()) setWay(line, this.routeAside(line));
  }

  // Counts stand below what they are behind, or behind its name where rows are close, those of the centre at the
  // end of their column.
  placeCounts() {
    const { drawing } = this;
    for (const group of drawing.groups) {
      const { data, g } = group, node = drawing.nodes.get(data.of), wide = this.pillOf(group);
      const spot = !node.side ? this.pillSpot(group, wide) : node.beside ? this.beyondName(node, wide) : { x: node.x - wide / 2, y: node.y + DISC + PILL / 2 };
      g.setAttribute("transform", `translate(${num(spot.x)} ${num(spot.y)})`);
      for (const [name, value] of Object.entries({ rx: PILL / 2, height: PILL, y: -PILL / 2 })) g.firstChild.setAttribute(name, value);
    }
  }

  pillSpot(group, wide) {
    const { drawing, columns } = this, column = columns?.all.find(({ x }) => x === group.data.x), side = Math.sign(group.data.x);
    const { x, y } = drawing.screen(column?.middle ?? group.data.x, columns ? columns.pills.get(group) : group.data.y);
    const reach = column?.reach ?? 12;
    return { x: side > 0 ? x - reach : x + reach - wide, y };
  }

  beyondName(node, wide) {
    const beyond = node.reaches + NAME + this.nameWide(node);
    return { x: node.side > 0 ? node.x + beyond : node.x - beyond - wide, y: node.y };
  }

  nameWide(node) { return this.drawing.labelled.get(node.i)?.w ?? 0; }

  // How far a line to the outside starts from the middle of the drawing, as all is reckoned from there.
  portOf(node) { return node.side ? node.side * node.x + node.reaches + NAME + this.nameWide(node) + node.beside + 3 : undefined; }

  // Between neighbouring columns of a side behind the names of the inner one, in their gutter.
  routeAside(line) {
    const { drawing, columns } = this, { nodes, zoom, width, height, bands } = drawing;
    const ends = [nodes.get(line.data.source), nodes.get(line.data.target)], side = ends[0].side || ends[1].side;
    const at = ends.map((node) => columns?.all.findIndex(({ own }) => own.includes(node)));
    if (columns && Math.abs(at[0] - at[1]) === 1 && Math.abs(ends[0].x - ends[1].x) > 2 * CENTRE) {
      const flipped = ends.map((node, i) => ({ x: side * node.x, y: node.y, reach: node.reaches, port: node.port, gutter: zoom * columns.all[at[i]].gutter[side] }));
      return across(line, ...flipped, [], { flip: side });
    }
    const [a, b] = ends.map((node) => ({ ...node, reach: node.reaches }));
    const inside = { left: RIM * zoom, top: RIM * zoom, right: (width - RIM) * zoom, bottom: (height - RIM) * zoom };
    return routed(line, a, b, { columns: bands.length > 0, zoom, inside, side: side || 1, room: ASIDE_ROOM });
  }
}

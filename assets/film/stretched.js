// The plan of a film's drawing: in columns as wide as their names where there are few nodes, or else in
// the places that they have, stretched to the drawing. Counts of what is not drawn stand at the foot.

const ROOM = { top: 44, bottom: 26, left: 40, right: 30 };   // pixels around the outermost nodes
const LABEL_ROOM = 150;                                      // names stand to the right
const RIM = 10;                                              // pixels that lines keep from the border
const MOST_LABELS = 220;                                     // nodes; beyond, only what matters is named
const STRETCH = { x: [0.35, 2.4], y: [0.45, 1.7] };
const SMALL = 14;                                            // pixels; larger letters are for a stage
const LARGER = [24, 22, 21, 20, 19];                         // letters there, where names have as much room in them
const TALL = 3;                                              // how far rows are stretched there
const BADGE = 0.85;                                          // radii that a count stands above the middle
const APART = 60;                                            // pixels between two columns at least

const within = ([least, most], value) => Math.max(least, Math.min(most, value));

class Stretched {
  constructor(drawing) { Object.assign(this, { drawing, padding: 10, around: AROUND }); }          // pixels left and right in a count

  fit() {
    const { drawing } = this, { letters } = drawing;
    const larger = letters > SMALL && drawing.bands.length && drawing.shrunk === 1;
    const least = larger ? this.lack(letters) : 0;
    if (!larger || !LARGER.some((px) => this.lack(px) <= least && drawing.tight === 1)) this.lack(letters);
  }

  // In letters that large: how many names are not whole.
  lack(px) {
    Object.assign(this.drawing, { px, unnamed: 0, tight: 1 });
    this.fitLetters();
    return this.drawing.unnamed;
  }

  fitLetters() {
    const { drawing } = this, { width, height, px, nodes } = drawing, box = drawing.extent;
    const { shelf } = drawing, names = Math.min(LABEL_ROOM, width / 5), few = this.ported && this.spots <= MOST_COLUMNED;
    const wide = width - ROOM.left - ROOM.right - names;
    this.first = box.left;
    this.around = this.roomLeft();
    this.columns = few ? columnsAcross([...this.inLanes.map((node) => this.sizeOf(node)), ...this.emptySizes()], width, px, this.around) : null;
    drawing.heads = this.columns ? this.headRows() : 1;
    const top = few ? 22 + px * drawing.heads + 16 * drawing.grown : ROOM.top;
    drawing.placed = null;
    // Across first: it decides in how many rows the counts at the foot stand, and these how much is left.
    const x = within(STRETCH.x, wide / Math.max(1, box.right - box.left));
    drawing.scale = { x, y: 1 };
    drawing.origin = { x: ROOM.left + Math.max(0, (wide - x * (box.right - box.left)) / 2) - x * box.left, y: 0 };
    if (shelf) shelf.laid = laidOut(shelf, drawing);
    drawing.foot = this.placeGroups(shelf?.laid.tall ?? 0);
    const tall = height - top - ROOM.bottom - drawing.foot;
    const y = within([STRETCH.y[0], this.columns?.lanes ? TALL : STRETCH.y[1]], tall / Math.max(1, box.bottom - box.top));
    drawing.scale.y = y;
    drawing.origin.y = top + Math.max(0, (tall - y * (box.bottom - box.top)) / 2) - y * box.top;
    if (this.columns) drawing.placed = inColumns(drawing, this.columns, (node) => this.sizeOf(node));
    if (shelf) for (const [i, place] of onShelf(shelf.laid, drawing)) drawing.placed.set(i, place);
    if (drawing.placed) Object.assign(drawing, { scale: { x: 1, y: 1 }, origin: { x: 0, y: 0 } });
  }

  place() {
    const { drawing } = this, all = [...drawing.nodes.values()];
    if (this.columns?.lanes) { this.placeInLanes(all); return; }
    if (this.ported) assumePorts(all, { reach: (node) => drawing.reach(node), font: this.font });
    this.routeAll();
    drawing.placeBands((x) => (this.columns ? drawing.zoom * this.columns.starts(x) : drawing.screen(x, 0).x));
    this.placeLabels();
    if (!this.ported) return;
    for (const node of all) node.port = portOf(node, drawing.labelled.get(node.i));
    this.routeAll();
  }

  // Names have their places with their nodes, and lines keep to what is between the lanes.
  placeInLanes(all) {
    const { drawing, columns } = this;
    drawing.write(laneNames(drawing));
    for (const lane of Map.groupBy(all, ({ x }) => Math.round(x)).values()) rowsOfLane(lane);
    for (const node of all) {
      const [x] = drawing.view.places[node.i], shelved = drawing.shelf?.nodes.has(node.i);
      const port = portOf(node, drawing.labelled.get(node.i)), right = drawing.zoom * columns.right(x);
      node.port = port && !shelved ? Math.min(port, right + 1) : port;  // no name ends behind, and lines have to turn there
      node.gutter = shelved ? node.port : right;
    }
    this.routeAll();
    drawing.placeBands((x) => drawing.zoom * columns.starts(x));
  }

  get font() { return `${this.drawing.px}px ${this.drawing.family}`; }

  // Places, of which guests may share one.
  get spots() { return new Set([...this.drawing.nodes.keys()].map((i) => String(this.drawing.view.places[i]))).size; }

  get inLanes() { return [...this.drawing.nodes.values()].filter(({ i }) => !this.drawing.shelf?.nodes.has(i)); }

  // Where columns have names to their right, lines leave behind them.
  get ported() { return this.drawing.bands.length > 0; }

  isFirst(i) { return this.drawing.view.places[i]?.[0] === this.first; }

  // Whether lines go down left of the counts of nodes where this node stands.
  passes({ i }) { return this.isFirst(i) && this.around > AROUND; }

  // The pixels left of the first column: more on a stage where lines within it would lie behind the counts of its nodes.
  roomLeft() {
    const { letters, counted, lines } = this.drawing, within = [...lines.values()].some(({ data }) => this.isFirst(data.source) && this.isFirst(data.target));
    return AROUND + (letters > SMALL && within && [...counted].some((i) => this.isFirst(i)) ? ASIDE_OF_COUNTS : 0);
  }

  // On how many lines headings are written: on two where one is wider than its column.
  headRows() {
    const { bands, width, headFont } = this.drawing, last = bands.length - 1;
    const ends = ({ data }, i) => [i ? this.columns.starts(data.left) : 0, i < last ? this.columns.starts(data.right) : width];
    return bands.some((band, i) => { const [left, right] = ends(band, i); return measure(band.data.label, headFont) > right - left - 6; }) ? 2 : 1;
  }

  // What a node takes of the width of its column.
  sizeOf(node) {
    const { drawing } = this, { label, kind } = node.data, name = longName(label, kind), halves = halved(name, this.font, rowsOf(label, kind)) ?? [name];
    return { x: drawing.view.places[node.i][0], reach: drawing.reach(node), guest: Boolean(drawing.view.guests?.[node.i]), whole: measure(name, this.font) + 4, halved: longer(halves, this.font) + 4, ...laneWidths(node.data, drawing.columnReach(node), this.font, drawing.px, besideOf(node, drawing)) };
  }

  // The same of columns in which nothing will stand.
  emptySizes() {
    const { bands, headFont } = this.drawing;
    return bands.filter(({ data }) => data.empty).map(({ data: { label, empty } }) => {
      const wide = Math.max(measure(label, headFont), measure(empty.told, this.font)) + 8;
      return { x: empty.x, reach: 0, guest: false, whole: wide, halved: wide, tight: wide, ...Object.fromEntries(WIDTHS.map((name) => [name, wide])) };
    });
  }

  // At the foot of the drawing, `above` so many pixels, in the order of their columns, in fewer words if need be; gives the height
  // they take with these. There is room for the most that each may say; where it stands is decided by what it says.
  placeGroups(above) {
    const { drawing } = this, { origin, scale, height, px } = drawing, tall = px + 14, across = (x) => this.columns?.at(x) ?? origin.x + scale.x * x;
    const ordered = [...drawing.groups].sort((a, b) => a.data.x - b.data.x);
    const placed = [false, true].map((brief) => ({ brief, rows: this.beside(ordered.map(({ data, g }) => ({ g, x: across(data.x) - 14, wide: this.widest(data, brief) + 22 }))) }));
    const { brief, rows } = placed.find((one) => one.rows.length < 2) ?? placed[1];
    drawing.brief = brief;
    this.counts = rows.map((those, row) => ({ y: height - above - tall / 2 - 2 - row * tall, gs: those.map(({ g }) => g) }));
    this.across = new Map(ordered.map(({ data, g }) => [g, across(data.x) - 14]));
    for (const { g } of ordered) for (const [name, value] of Object.entries({ rx: tall / 2 - 2, height: tall - 4, y: 2 - tall / 2 })) g.children[0].setAttribute(name, value);
    return above + rows.length * tall;
  }

  // Each count that is seen below its column, or as far left of that as the next one, or the border, leaves no room for its words.
  settleCounts() {
    for (const { y, gs } of this.counts ?? []) {
      let end = this.drawing.width - 6;
      for (const g of gs.filter((one) => !one.classList.contains("off")).reverse()) {
        const x = Math.max(6, Math.min(this.across.get(g), end - Number(g.children[0].getAttribute("width"))));
        setAttribute(g, "transform", `translate(${num(x)} ${num(y)})`);
        end = x - 6;
      }
    }
  }

  // The rows of `groups`: one, moved to the left as far as they would lie over the next, or where that has no room for all more.
  beside(groups) {
    const { width } = this.drawing, rows = [];
    let end = width - 6;
    for (const { x, wide } of [...groups].reverse()) end = Math.min(x, end - wide) - 6;
    if (!groups.length || end >= 0) return groups.length ? [groups] : [];
    for (const { g, x: at, wide } of groups) {
      const x = Math.max(6, Math.min(at, width - wide - 6)), row = rows.find((those) => those.at(-1).end < x);
      const one = { g, x, end: x + wide + 6 };
      if (row) row.push(one); else rows.push([one]);
    }
    return rows;
  }

  // How wide the most is that can be said of those that a group counts.
  widest({ label, nodes }, brief) {
    const known = this.drawing.data.nodes, passages = nodes.some((i) => known[i].kind === "passage");
    return Math.max(...groupSays(label, nodes.length, passages, brief).map((words) => this.wide(words)));
  }

  // How wide words are that are written a little smaller, but on a stage.
  wide(words) { return measure(words, `${this.drawing.px > 14 ? this.drawing.px : 0.92 * this.drawing.px}px ${this.drawing.family}`); }

  routeAll() {
    const { drawing } = this;
    const around = [...drawing.nodes.values()].filter((node) => node.named || !drawing.leaves || !drawing.mayLeave(node)).flatMap((node) => [{ x: node.x, y: node.y, port: node.port, reach: drawing.reach(node), i: node.i, gold: node.data.gold, named: node.named, wide: node.named ? drawing.columnReach(node) + besideOf(node, drawing) + longer(node.named.lines, this.font) + 4 : 0, tall: node.named ? tallOf(node.named.lines.length, drawing.px) / 2 : 0, half: this.columns?.lanes && Math.max(drawing.reach(node), node.named && !node.named.under ? tallOf(node.named.lines.length, drawing.px) / 2 : 0) }, ...(node.named?.under ? [belowOf(node, drawing.labelled.get(node.i))] : [])]);
    this.corridors = new Corridors();
    for (const line of drawing.lines.values()) setWay(line, this.route(line, around));
  }

  // No line leaves the drawing: a curve lies between its four points. One without a head goes on below its nodes, which may be
  // smaller than they grow to.
  route(line, around) {
    const { drawing } = this, { nodes, zoom, width, height, foot } = drawing, end = (node) => ({ ...node, reach: line.data.directed ? drawing.reach(node) : drawing.leastReach(node) });
    const a = nodes.get(line.data.source), b = nodes.get(line.data.target);
    const inside = { left: RIM * zoom, top: RIM * zoom, right: (width - RIM) * zoom, bottom: (height - foot - RIM) * zoom };
    if (drawing.shelf && [a, b].some(({ i }) => drawing.shelf.nodes.has(i))) return shelved(line, end(a), end(b), drawing.shelf.nodes, zoom * (height - drawing.shelf.laid.tall));
    const apart = this.ported && Math.abs(a.x - b.x) > APART;
    if (this.columns?.lanes && !apart) return this.adjoin(a, b) ? upright(line, end(a), end(b)) : bracketed(line, end(a), end(b), this.passes(a));
    return apart ? across(line, end(a), end(b), around, { early: this.columns?.lanes, corridors: this.corridors, told: drawing.told.has(line.i) }) : routed(line, end(a), end(b), { columns: drawing.bands.length > 0, zoom, inside });
  }

  // Whether a line within a lane may go straight down: nothing stands between the two nodes, no name and no count of visits.
  adjoin(a, b) {
    const [upper, lower] = a.y < b.y ? [a, b] : [b, a], { drawing } = this;
    return lower.row - upper.row === 1 && !upper.named?.under && !drawing.counted.has(lower.i) && lower.y - upper.y - drawing.reach(upper) - drawing.reach(lower) > LEAST_UPRIGHT;
  }

  placeLabels() {
    const { drawing } = this, { nodes, zoom, width, px, weights, musts, counted } = drawing, placed = Boolean(drawing.placed);
    const items = [...nodes.values()].map((node) => ({
      of: node.i, x: node.x, y: node.y, side: drawing.reach(node) - 1, r: (node.data.gold ? 14.5 : 12 * drawing.largestOf(node)) * drawing.grown,
      room: placed ? node.room || width * zoom : node.room, double: placed ? node.double : node.pitch > tallOf(rowsOf(node.data.label, node.data.kind), px), text: node.data.label, kind: node.data.kind, gold: Boolean(node.data.gold), guest: Boolean(drawing.view.guests?.[node.i]), must: musts.has(node.i), at: drawing.spot(node.i).join(), weight: weights.get(node.i) ?? 0, badge: counted.has(node.i) ? 9 * drawing.grown : 0,
    }));
    const named = nodes.size > MOST_LABELS ? items.map((item) => (item.weight ? item : { ...item, text: "" })) : items;
    const free = [...drawing.lines.values()].filter(({ i }) => drawing.ways.has(i)).map(({ i, track }) => [i, track]);
    drawing.write(placeLabels(named, free, { width: width * zoom, height: (drawing.height - drawing.foot) * zoom, top: drawing.bands.length ? 26 + px * (drawing.heads - 1) : 0, font: this.font, px }));
  }
}

// Nodes and lines in their places. Everything that will ever be drawn is made once; a paint says what
// is there now and in which role, and moves nothing. `drawing.css` says how a role looks.

const ROOM = { top: 44, bottom: 26, left: 40, right: 30 };   // pixels around the outermost nodes
const LABEL_ROOM = 150;                                      // names stand to the right
const RIM = 10;                                              // pixels that lines keep from the border
const MOST_LABELS = 220;                                     // nodes; beyond, only what matters is named
const STRETCH = { x: [0.35, 2.4], y: [0.45, 1.7] };
// Of a neighbourhood: its rows take the height there is below the row of its tools.
const TALLEST = 4;
const NARROWEST = 0.24;                                      // where names stand on both sides
const TOOLS = 24;
const FARTHEST = 6;
const BADGE = 0.85;                                          // radii that a count stands above the middle
const SMALLEST = 0.6;                                        // of the size of a node
const APART = 60;                                            // pixels between two columns at least

class Drawing {
  // `on` hears {pick(kind, number), hover(kind, number, point), group(number)}.
  constructor(holder, on = {}) {
    this.holder = holder;
    this.on = on;
    this.layers = Object.fromEntries(["bands", "lines", "groups", "nodes", "labels", "above"].map((name) => [name, drawn("g", { class: name })]));
    const { groups, ...moved } = this.layers;
    this.world = drawn("g", {}, ...Object.values(moved));
    this.svg = drawn("svg", { class: "drawing", role: "img" }, this.world, groups);
    holder.append(this.svg);
    this.hands = new Hands(this);
    this.sized = new ResizeObserver(() => this.resize());
    this.sized.observe(holder);
  }

  destroy() { this.sized.disconnect(); this.svg.remove(); }

  // `view` has places, bands and groups; `weights` says by node how much its name matters, `musts` whose
  // name is never left out, `ways` which lines are to be kept free of names, `counted` which nodes will
  // have a count at their corner, `largest` how large they become, `both` that names stand to the left of
  // the first column too.
  load({ nodes, lines }, view, { weights = new Map(), musts = new Set(), ways = new Set(), counted = new Set(), px = 12, both = false, largest = null } = {}) {
    Object.assign(this, { data: { nodes, lines }, view, weights, musts, ways, counted, px, both, largest, zoom: 1, pan: { x: 0, y: 0 }, painted: {}, dragged: new Map() });
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.nodes = new Map(Object.keys(view.places).map((key) => [+key, nodeMarks(+key, nodes[key], this.layers)]));
    this.lines = new Map();
    const pairs = new Map();
    lines.forEach((line, i) => {
      if (!this.nodes.has(line.source) || !this.nodes.has(line.target)) return;
      const pair = [line.source, line.target].sort().join();
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      this.lines.set(i, lineMarks(i, line, pair, pairs.get(pair), this.layers));
    });
    for (const line of this.lines.values()) line.alone = pairs.get(line.pair) === 1;
    this.groups = view.groups.map((group, i) => groupMarks(group, i, this.layers));
    this.bands = view.bands.map((band) => bandMarks(band, this.layers));
    this.fit();
  }

  // ---- places

  resize() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!this.view || !width || (width === this.width && height === this.height)) return;
    this.fit();
    this.on.moved?.();
  }

  // Where rows are closer than their nodes are tall, nodes are drawn smaller.
  fit() {
    this.shrunk = this.tight = 1;
    this.arrange();
    if (this.tight === 1) return;
    this.shrunk = Math.max(SMALLEST, this.tight);
    for (const node of this.nodes.values()) node.role = "";  // it is shaped anew
    this.arrange();
  }

  arrange() {
    Object.assign(this, { zoom: 1, pan: { x: 0, y: 0 } });
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!width || !this.view) return;
    Object.assign(this, { width, height, family: getComputedStyle(this.holder).fontFamily });
    const spots = Object.values(this.view.places), within = ([least, most], value) => Math.max(least, Math.min(most, value));
    const xs = spots.map(([x]) => x), ys = spots.map(([, y]) => y);
    const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    const names = Math.min(LABEL_ROOM, width / (this.both ? 6 : 5)), left = ROOM.left + (this.both ? names : 0);
    const fewInColumns = this.ported && this.nodes.size <= MOST_COLUMNED;
    const wide = width - left - ROOM.right - names, top = fewInColumns ? 22 + this.px + 16 * this.grown : ROOM.top + (this.both ? TOOLS : 0);
    this.columns = fewInColumns ? columnsAcross([...this.nodes.values()].map((node) => this.across(node)), width, this.px) : null;
    this.placed = null;
    // Across first: it decides in how many rows the counts at the foot stand, and these how much is left.
    const x = within([this.both ? NARROWEST : STRETCH.x[0], STRETCH.x[1]], wide / Math.max(1, box.right - box.left));
    this.scale = { x, y: 1 };
    this.origin = { x: left + Math.max(0, (wide - x * (box.right - box.left)) / 2) - x * box.left, y: 0 };
    this.foot = this.placeGroups();
    const tall = height - top - ROOM.bottom - this.foot;
    const y = within(this.both ? [STRETCH.y[0], TALLEST] : STRETCH.y, tall / Math.max(1, box.bottom - box.top));
    this.scale.y = y;
    this.origin.y = top + Math.max(0, (tall - y * (box.bottom - box.top)) / 2) - y * box.top;
    if (this.columns) this.placed = inColumns(this, this.columns);
    else if (this.largest && !this.bands.length && this.nodes.size <= MOST_COLUMNED) this.placed = movedApart(this);
    if (this.placed) Object.assign(this, { scale: { x: 1, y: 1 }, origin: { x: 0, y: 0 } });
    this.svg.style.fontSize = `${this.px}px`;
    this.place();
  }

  screen(x, y) {
    return { x: this.zoom * (this.origin.x + this.scale.x * x), y: this.zoom * (this.origin.y + this.scale.y * y) };
  }

  spot(i) {
    return this.dragged.get(i) ?? this.placed?.get(i) ?? this.view.places[i];
  }

  // What a node takes of the width of its column.
  across(node) {
    const font = `${this.px}px ${this.family}`, name = croppedName(node.data.label, LONGEST), halves = halved(name, font) ?? [name];
    return { x: this.view.places[node.i][0], reach: this.reach(node), guest: Boolean(this.view.guests?.[node.i]), whole: measure(name, font) + 4, halved: longer(halves, font) + 4 };
  }

  place() {
    if (!this.origin) return;
    for (const node of this.nodes.values()) {
      Object.assign(node, this.screen(...this.spot(node.i)));
      node.g.setAttribute("transform", `translate(${num(node.x)} ${num(node.y)})`);
    }
    if (this.ported) assumePorts(this.nodes.values(), { reach: (node) => this.reach(node), font: `${this.px}px ${this.family}` });
    this.routeAll();
    this.placeBands();
    this.placeLabels();
    if (this.ported) {
      for (const node of this.nodes.values()) node.port = portOf(node, this.labelled.get(node.i));
      this.routeAll();
    }
    this.shift();
  }

  shift() { this.world.setAttribute("transform", `translate(${num(this.pan.x)} ${num(this.pan.y)})`); }

  placeBands() {
    this.bands.forEach(({ data, g }, i) => {
      const begins = (x) => (this.columns ? this.zoom * this.columns.starts(x) : this.screen(x, 0).x);
      const left = i ? begins(data.left) : -4000;
      const right = i < this.bands.length - 1 ? begins(data.right) : 8000;
      const [rect, text] = g.children;
      rect.setAttribute("x", num(left));
      rect.setAttribute("width", num(Math.max(0, right - left)));
      const inside = [Math.max(0, left), Math.min(this.width * this.zoom, right)];
      text.setAttribute("x", num((inside[0] + inside[1]) / 2));
      text.textContent = cropped(data.label, Math.max(3, Math.floor((inside[1] - inside[0]) / (0.6 * this.px))));
      g.classList.toggle("even", i % 2 === 0);
    });
  }

  // Side by side at the foot of the drawing, in the order of their columns; gives the height they take.
  placeGroups() {
    const rows = [], tall = this.px + 14;
    const across = (x) => this.columns?.at(x) ?? this.origin.x + this.scale.x * x;
    for (const { data, g } of [...this.groups].sort((a, b) => a.data.x - b.data.x)) {
      const width = this.wide(`+${data.nodes.length} ${data.label}`) + 22;
      const x = Math.max(6, Math.min(across(data.x) - 14, this.width - width - 6));
      let row = rows.findIndex((end) => end + 6 < x);
      if (row < 0) row = rows.push(0) - 1;
      rows[row] = x + width;
      g.setAttribute("transform", `translate(${num(x)} ${num(this.height - 16 - row * tall)})`);
      const [rect] = g.children;
      for (const [name, value] of Object.entries({ rx: tall / 2 - 2, height: tall - 4, y: 2 - tall / 2 })) rect.setAttribute(name, value);
    }
    return rows.length * tall;
  }

  // How wide words are that are written a little smaller, but on a stage.
  wide(words) { return measure(words, `${this.px > 14 ? this.px : 0.92 * this.px}px ${this.family}`); }

  // Where columns have names to their right, lines leave behind them.
  get ported() { return this.bands.length > 0 && !this.both; }

  routeAll() {
    const around = [...this.nodes.values()].map((node) => ({ x: node.x, y: node.y, port: node.port, reach: this.reach(node) }));
    for (const line of this.lines.values()) this.route(line, around);
  }

  // No line leaves the drawing: a curve lies between its four points.
  route(line, around) {
    const a = this.nodes.get(line.data.source), b = this.nodes.get(line.data.target);
    const inside = { left: RIM * this.zoom, top: RIM * this.zoom, right: (this.width - RIM) * this.zoom, bottom: (this.height - this.foot - RIM) * this.zoom };
    const apart = this.ported && Math.abs(a.x - b.x) > APART, end = (node) => ({ ...node, reach: this.reach(node) });
    const made = apart ? across(line, end(a), end(b), around) : routed(line, end(a), end(b), { columns: this.bands.length > 0, zoom: this.zoom, inside });
    line.track = made.track;
    line.stroke.setAttribute("d", made.path);
    line.hit.setAttribute("d", made.path);
    line.head.setAttribute("d", made.head);
    line.tail.setAttribute("d", made.tail);
  }

  // How far a line stays from the middle of a node: what it may grow to, so that lines never move.
  reach(node) { return (node.data.gold ? 15.5 : 13) * kindOf(node.data.kind).reach * Math.max(1, node.size) * this.grown; }

  // Nodes grow with the letters, more slowly.
  get grown() { return (0.5 + this.px / 24) * this.shrunk; }

  placeLabels() {
    const font = `${this.px}px ${this.family}`;
    const items = [...this.nodes.values()].map((node) => ({
      of: node.i, x: node.x, y: node.y, side: this.reach(node) - 1, r: (node.data.gold ? 14.5 : 12) * this.grown,
      room: this.placed ? this.zoom * node.end || node.room || this.width * this.zoom : node.room, double: this.placed ? node.double : node.pitch > tallOf(2, this.px), text: node.data.label, gold: Boolean(node.data.gold), must: this.musts.has(node.i), at: this.spot(node.i).join(), weight: this.weights.get(node.i) ?? 0, badge: this.counted.has(node.i) ? 9 * this.grown : 0,
    }));
    const named = this.nodes.size > MOST_LABELS ? items.map((item) => (item.weight ? item : { ...item, text: "" })) : items;
    const free = [...this.lines.values()].filter(({ i }) => this.ways.has(i)).map(({ i, track }) => [i, track]);
    const canvas = { width: this.width * this.zoom, height: (this.height - this.foot) * this.zoom, top: this.bands.length ? 26 : 0, font, px: this.px, bare: this.both };
    this.labelled = placeLabels(named, free, canvas);
    for (const node of this.nodes.values()) {
      const place = this.labelled.get(node.i);
      const x = place && num(place.x + 2);
      node.text.replaceChildren(...(place?.lines ?? []).map((line, i) => {
        const made = drawn("tspan", { x, dy: i * (this.px + 1) });
        made.textContent = line;
        return made;
      }));
      if (!place) continue;
      node.text.setAttribute("x", x);
      node.text.setAttribute("y", num(place.y + 0.68 * this.px + 4));
    }
  }

  // ---- looks

  // `now` has nodes and lines by number with their roles, counts, sizes; `there` are the nodes that are
  // drawn now, all if left out; the others say what is picked out.
  paint(now, { there = null, selected = null, lit = null, travels = [], fresh = false, counts = now.counts ?? {} } = {}) {
    const roleOf = (i) => (there && !there.has(i) ? undefined : now.nodes[i]);
    const moving = fresh && !still(), forced = this.forced(now, roleOf, selected);
    for (const node of this.nodes.values()) {
      const role = roleOf(node.i);
      const size = now.sizes?.[node.i] ?? 1;
      if (role && (role !== node.role || size !== node.size)) this.shape(node, role, size);
      if (role && (counts[node.i] ?? 0) !== node.count) this.count(node, counts[node.i] ?? 0, moving && !node.g.classList.contains("off"));
      const picked = selected?.kind === "node" && selected.of === node.i;
      const dim = Boolean(lit && !lit.nodes.has(node.i));
      const arrives = moving && role && node.g.classList.contains("off");
      const faded = now.faded?.nodes[node.i] && !picked && !lit && "faded";
      const classes = [role ?? "off", node.data.gold && "gold", node.data.gold === "hand" && "hand", picked && "selected", dim && "dim", faded, arrives && "arrives", node.count > 1 && "counted"];
      setClass(node.g, `node ${classes.filter(Boolean).join(" ")}`);
      const named = role && (forced.has(node.i) || this.seen(node, now, forced));
      setClass(node.label, ["label", named ? role : "off", dim && "dim", faded, picked && "selected"].filter(Boolean).join(" "));
      node.role = role ?? "";
    }
    // A line that is followed against its direction shows now where it was followed to.
    const back = new Set(travels.filter(({ line, source }) => this.lines.get(line)?.data.target === source).map(({ line }) => line));
    for (const line of this.lines.values()) {
      const role = roleOf(line.data.source) && roleOf(line.data.target) && now.lines[line.i];
      const picked = selected?.kind === "line" && selected.of === line.i;
      setClass(line.g, `line ${[role ?? "off", picked && "selected", role === "chosen" && back.has(line.i) && "back", lit && !lit.lines.has(line.i) && "dim", !lit && !picked && now.faded?.lines[line.i] && "faded"].filter(Boolean).join(" ")}`);
      if (role !== line.role && (role === "chosen" || role === "offered")) this.layers.lines.append(line.g);
      line.role = role ?? "";
    }
    this.paintGroups(now, roleOf);
    this.layers.above.replaceChildren();
    if (selected?.kind === "line") this.tellLine(selected.of);
    if (moving) for (const { line, source, target } of travels) if (this.nodes.has(target) && this.lines.has(line)) travel(this.lines.get(line), source, this.layers.above);
  }

  // Names that have to be read now, wherever they lie: of what is looked at, of what is taken there, of what
  // is picked out.
  forced(now, roleOf, selected) {
    const found = new Map(), looks = Object.values(now.nodes).includes("current");
    const taken = new Set(looks ? [...this.lines.values()].filter(({ i }) => now.lines[i] === "chosen").flatMap(({ data }) => [data.source, data.target]) : []);
    for (const { i } of this.nodes.values()) {
      const role = roleOf(i), wanted = role === "current" || (role && (taken.has(i) || (selected?.kind === "node" && selected.of === i)));
      if (wanted && this.labelled.has(i)) found.set(i, this.labelled.get(i));
    }
    return found;
  }

  // Whether a name is written: not on a line that is followed from the one place that is looked at, nor on
  // that place, nor under a name that must be read. What matters most is always named; seeds keep their
  // names on lines.
  seen(node, now, forced) {
    const place = this.labelled.get(node.i);
    if (!place) return false;
    if (this.musts.has(node.i)) return true;
    if (!(place.free || (node.data.gold && place.cost < COST.rim))) return false;
    const looks = now.nodes[node.i] !== "seed" && [...forced.keys()].some((i) => now.nodes[i] === "current");
    if (looks && [...place.on].some((line) => now.lines[line] === "chosen")) return false;
    return ![...forced].some(([i, other]) => i !== node.i && (overlap(place, other) || overlap(place, this.box(i))));
  }

  // Whether `box` covers gold, what is looked at, or the name of either.
  important(box) {
    const meant = [...this.nodes.values()].filter(({ role, data }) => role === "current" || (role && data.gold));
    return meant.some(({ i }) => overlap(box, this.box(i)) || (this.labelled.has(i) && overlap(box, this.labelled.get(i))));
  }

  box(i) {
    const { x, y } = this.nodes.get(i), reach = this.reach(this.nodes.get(i)) + 4;
    return { x: x - reach, y: y - reach, w: 2 * reach, h: 2 * reach };
  }

  // A group counts what is there and not drawn by itself.
  paintGroups(now, roleOf) {
    for (const { data, g } of this.groups) {
      const there = data.nodes.filter((i) => now.nodes[i] && !(this.nodes.has(i) && roleOf(i)));
      const current = there.some((i) => now.nodes[i] === "current");
      setClass(g, `group ${there.length ? "" : "off"} ${current ? "current" : ""}`);
      const [rect, text] = g.children;
      const words = `+${there.length} ${data.label}`;
      if (text.textContent === words) continue;
      text.textContent = words;
      rect.setAttribute("width", num(this.wide(words) + 20));
    }
  }

  shape(node, role, size) {
    const { r, side, body, mark, down } = looks(node.data, role, size * this.grown);
    node.size = size;
    node.body.setAttribute("d", body);
    node.mark.setAttribute("d", mark);
    node.mark.setAttribute("transform", `translate(0 ${down})`);
    node.hatch.setAttribute("d", node.data.unjudged ? hatching(r) : "");
    node.halo.setAttribute("r", num(Math.max(r, side) + 5));
    node.badge.setAttribute("transform", `translate(${num(-0.85 * r - 3)} ${num(-BADGE * r)}) scale(${num(this.shrunk)})`);
  }

  count(node, count, ticks) {
    node.count = count;
    const [rect, text] = node.badge.children;
    text.textContent = count > 1 ? `×${count}` : "";
    const width = 11 + 6 * text.textContent.length;
    for (const [name, value] of Object.entries({ x: -width / 2, y: -8, width, height: 15 })) rect.setAttribute(name, value);
    text.setAttribute("y", 3.5);
    if (ticks && count > 1) node.badge.animate([{ scale: "1.9" }, { scale: "1" }], { duration: 320, easing: "ease-out" });
  }

  tellLine(i) {
    const line = this.lines.get(i);
    if (!line?.role || !line.data.label) return;
    const at = along(line, 0.5), words = cropped(line.data.label, 70);
    const width = measure(words, `${this.px}px ${this.family}`) + 18;
    const x = Math.min(Math.max(at.x - width / 2, 6 - this.pan.x), Math.max(6, this.width - this.pan.x - width - 6));
    const lowest = this.height - this.foot - 18 - this.pan.y;
    const heights = [at.y - 24, at.y + 24, at.y - 60, at.y + 60, lowest].filter((y) => y + this.pan.y > 40 && y <= lowest);
    const y = heights.find((middle) => !this.important({ x, y: middle - 12, w: width, h: 24 })) ?? lowest;
    this.layers.above.append(drawn("g", { class: "words" },
      drawn("rect", { x: num(x), y: num(y - 12), width: num(width), height: 24, rx: 12 }),
      Object.assign(drawn("text", { x: num(x + 9), y: num(y + 4) }), { textContent: words })));
  }

  // ---- the view

  // What moves a node by so many pixels from where it is now.
  dragging(i) {
    const [x, y] = this.spot(i);
    return (dx, dy) => {
      this.dragged.set(i, [x + dx / this.zoom / this.scale.x, y + dy / this.zoom / this.scale.y]);
      this.soon();
    };
  }

  // The same of the ground.
  panning() {
    const { x, y } = this.pan;
    return (dx, dy) => {
      this.pan = { x: x + dx, y: y + dy };
      this.shift();
    };
  }

  zoomBy(factor, about = { x: this.width / 2, y: this.height / 2 }) {
    const zoom = Math.max(0.3, Math.min(FARTHEST, this.zoom * factor)), share = zoom / this.zoom;
    this.pan = { x: about.x - share * (about.x - this.pan.x), y: about.y - share * (about.y - this.pan.y) };
    this.zoom = zoom;
    this.soon();
  }

  soon() {
    if (this.waits) return;
    this.waits = requestAnimationFrame(() => { this.waits = 0; this.place(); this.on.moved?.(); });
  }
}

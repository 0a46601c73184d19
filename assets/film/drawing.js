// Nodes and lines in their places. Everything that will ever be drawn is made once; a plan says where it
// stands at the size that there is, a paint what is there now and in which role, and moves nothing.

const FARTHEST = 6;
const CLOSER = 1.3;                                          // times larger, a step of zooming
const SMALLEST = 0.6;                                        // of the size of a node
const TUCKED = 0.6;                                          // of it, under which what leads to it ends

class Drawing {
  // `on` hears {pick(what), hover(what, point), group(data)}, and says in words what `told(what)` asks for.
  constructor(holder, on = {}, Plan = Stretched) {
    this.holder = holder;
    this.on = on;
    this.layers = Object.fromEntries(["bands", "lines", "groups", "nodes", "labels", "above"].map((name) => [name, drawn("g", { class: name })]));
    const { groups, ...moved } = this.layers;
    this.world = drawn("g", {}, ...Object.values(moved));
    this.svg = drawn("svg", { class: "drawing" }, this.world, groups);
    holder.append(this.svg);
    this.plan = new Plan(this);
    this.painter = new Painter(this);
    this.hands = new Hands(this);
    this.cursor = new Cursor(this);
    this.sized = new ResizeObserver(() => this.resize());
    this.sized.observe(holder);
  }

  destroy() { this.sized.disconnect(); this.svg.remove(); }

  // `view` has places, bands and groups; `weights` says by node how much its name matters, `musts` whose
  // name is never left out, `ways` which lines are to be kept free of names, `counted` which nodes will
  // have a count at their corner, `looked` which a ring around them, `largest` how large they become, `untaken` which are only on offer at some step, `told` which lines are taken at some, and `taken` which nodes again;
  // `single` where of several lines between two nodes one is drawn.
  load({ nodes, lines }, view, { weights = new Map(), musts = new Set(), ways = new Set(), counted = new Set(), looked = new Set(), px = 12, largest = new Map(), untaken = new Set(), told = new Set(), taken = new Set(), single = false } = {}) {
    Object.assign(this, { data: { nodes, lines }, view, weights, musts, ways, counted, looked, letters: px, px, largest, untaken, told, zoom: 1, pan: { x: 0, y: 0 }, dragged: new Map(), left: new Set() });
    const columns = (of, beside) => [...of].map((i) => [view.places[i]?.[0], beside]);
    this.ringed = new Map([...columns(taken, BESIDE_TAKEN), ...columns(looked, BESIDE_RING)]);
    this.cursor.leave();
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.nodes = new Map(Object.keys(view.places).map((key) => [+key, nodeMarks(+key, { ...nodes[key], label: nodes[key].bare ?? nodes[key].label }, this.layers)]));
    this.lines = new Map();
    const pairs = new Map();
    lines.forEach((line, i) => {
      if (!this.nodes.has(line.source) || !this.nodes.has(line.target)) return;
      const pair = [line.source, line.target].sort().join();
      pairs.set(pair, single ? 1 : (pairs.get(pair) ?? 0) + 1);
      this.lines.set(i, lineMarks(i, line, pair, pairs.get(pair), this.layers));
    });
    for (const line of this.lines.values()) line.alone = pairs.get(line.pair) === 1;
    this.groups = view.groups.map((group, i) => groupMarks(group, i, this.layers));
    this.bands = view.bands.map((band) => bandMarks(band, this.layers));
    this.shelf = shelfOf(this);
    this.bands = this.bands.filter((band) => band !== this.shelf?.band);
    this.layers.bands.replaceChildren(...this.bands.map(({ g }) => g).reverse());  // a heading may reach over the next column
    this.cutOf = new Map((view.cuts ?? []).flatMap((cut) => cut.nodes.map((i) => [i, cut])));
    this.cuts = [];
    this.fit();
  }

  paint(now, how) {
    this.painter.paint(now, how);
    this.cursor.tell(how.selected);
  }

  pick(what) {
    if (what?.kind === "group") this.on.group?.(this.groups[what.of].data);
    else this.on.pick?.(what);
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
    if (this.tight < 1) {
      this.shrunk = Math.max(SMALLEST, this.tight);
      this.arrange();
    }
    for (const node of this.nodes.values()) node.role = "";  // it is shaped anew
  }

  arrange() {
    Object.assign(this, { zoom: 1, pan: { x: 0, y: 0 }, reaches: new Map() });
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!width || !this.view) return;
    Object.assign(this, { width, height, family: getComputedStyle(this.holder).fontFamily });
    this.plan.fit();
    this.svg.style.fontSize = `${this.px}px`;
    this.svg.classList.toggle("lanes", Boolean(this.plan.columns?.lanes));
    this.place();
    this.leaveOut();
  }

  // In large letters and in lanes no node stands without its name: one that has no room for it is not drawn, and
  // counts in the nearest group.
  leaveOut() {
    this.left = new Set(this.allNamed ? [...this.nodes.values()].filter((node) => this.mayLeave(node) && !this.labelled.has(node.i)).map(({ i }) => i) : []);
    for (const group of this.groups) group.data = { ...group.data, nodes: group.own };
    for (const i of this.left) this.countIn(i, "more");
    for (const i of this.groups.length ? this.untaken : []) if (this.nodes.has(i) && !this.left.has(i) && !this.groups.some(({ own }) => own.includes(i))) this.countIn(i);
  }

  // Where a node is not drawn it counts in the nearest group, which may have another label then.
  countIn(i, label) {
    const far = ({ data }) => Math.abs(data.x - this.view.places[i][0]), [near] = [...this.groups].sort((one, other) => far(one) - far(other));
    near.data = { ...near.data, label: label ?? near.data.label, nodes: [...near.data.nodes, i] };
  }

  // Whether none stands without its name.
  get allNamed() { return this.leaves || (this.groups.length > 0 && Boolean(this.plan.columns?.lanes)); }

  // Whether the others also take the room of those that are not drawn.
  get leaves() { return this.letters > SMALL && this.groups.length > 0; }

  mayLeave({ i, data }) { return !data.gold && data.kind !== "query" && !this.view.guests?.[i]; }

  // Whom the film looks at some time leaves last.
  leavesLast({ i }) { return (this.weights.get(i) ?? 0) >= LOOKED_AT; }

  // Where the outermost nodes stand, before anything is stretched.
  get extent() {
    const spots = Object.values(this.view.places), xs = spots.map(([x]) => x), ys = spots.map(([, y]) => y);
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  }

  screen(x, y) {
    return { x: this.zoom * (this.origin.x + this.scale.x * x), y: this.zoom * (this.origin.y + this.scale.y * y) };
  }

  spot(i) {
    return this.dragged.get(i) ?? this.placed?.get(i) ?? this.view.places[i];
  }

  place() {
    if (!this.origin) return;
    for (const node of this.nodes.values()) {
      Object.assign(node, this.screen(...this.spot(node.i)));
      node.g.setAttribute("transform", `translate(${num(node.x)} ${num(node.y)})`);
    }
    this.plan.place();
    this.placeEmpties();
    for (const { g } of this.cuts) g.remove();
    this.cuts = (this.placed && this.placedCuts ? this.placedCuts : []).map((cut) => cutMarks(cut, this.zoom));
    this.shelf?.g?.remove();
    if (this.shelf?.laid) this.shelf.g = shelfMarks(this.shelf.laid, this);
    this.layers.bands.append(...this.cuts.map(({ g }) => g), ...(this.shelf?.g ? [this.shelf.g] : []));
    this.shift();
  }

  shift() { this.world.setAttribute("transform", `translate(${num(this.pan.x)} ${num(this.pan.y)})`); }

  // `begins` gives the pixel at which a band begins.
  placeBands(begins) {
    let taken = 0;
    this.bands.forEach(({ data, g }, i) => {
      const left = i ? begins(data.left) : -4000;
      const right = i < this.bands.length - 1 ? begins(data.right) : 8000;
      const [rect, text] = g.children;
      rect.setAttribute("x", num(left));
      rect.setAttribute("width", num(Math.max(0, right - left)));
      const inside = [Math.max(0, left), Math.min(this.width * this.zoom, right)], room = this.headRoom(data.label, inside, taken);
      taken = room[1];
      this.writeHeading(text, data.label, room);
      g.classList.toggle("even", i % 2 === 0);
      const [, , empty] = g.children;
      if (empty) for (const [name, value] of Object.entries({ x: num((inside[0] + inside[1]) / 2), y: 26 + this.px * (this.heads + 1) })) empty.setAttribute(name, value);
    });
  }

  // That nothing stands in a column is said below its heading, and below the names that reach into the column.
  placeEmpties() {
    for (const { data: { empty }, g } of this.bands) {
      if (!empty) continue;
      const text = g.lastChild, x = +text.getAttribute("x"), half = measure(empty.told, `${this.px}px ${this.family}`) / 2 + 3;
      const covers = (y) => [...this.labelled.values()].some((name) => name.x < x + half && name.x + name.w > x - half && name.y < y + 4 && name.y + name.h > y - this.px);
      let y = +text.getAttribute("y");
      while (covers(y) && y < this.height * this.zoom) y += this.px;
      text.setAttribute("y", num(y));
    }
  }

  // Where a heading may be written: one that has a word wider than its column takes room of the next one. Left of
  // `taken` stand those before.
  headRoom(label, [left, right], taken) {
    const begins = Math.max(left, taken), word = Math.max(...label.split(" ").map((one) => measure(one, this.headFont)));
    return [begins, Math.max(right, begins + word + 6)];
  }

  // On as many lines as the headings have.
  writeHeading(text, label, [left, right]) {
    const x = num((left + right) / 2), fits = (words) => measure(words, this.headFont) <= right - left - 6;
    const two = this.heads > 1 && !fits(label) && halved(label, this.headFont);
    const lines = !two ? [label] : two.every(fits) ? two : wrapped(label, fits);
    text.setAttribute("y", Math.max(20, this.px + 2));
    text.replaceChildren(...lines.map((line, i) => {
      let length = line.length;
      while (length > 3 && !fits(cropped(line, length))) length -= 1;
      return Object.assign(drawn("tspan", { x, dy: i ? this.px : 0 }), { textContent: cropped(line, length) });
    }));
  }

  get headFont() { return `600 ${this.px > 14 ? this.px : 0.92 * this.px}px ${this.family}`; }

  // Write the names where `labelled` has them: a Map from node to {x, y, w, h, lines, anchor, free, on, cost}.
  write(labelled) {
    this.labelled = labelled;
    for (const node of this.nodes.values()) this.writeName(node, node.early ?? false);
  }

  // The name of a node where it has its place; `early` is the one of a question before it is asked.
  writeName(node, early) {
    const place = this.labelled.get(node.i), pitch = this.px + 1;
    node.early = early;
    if (!place) { node.ground.replaceChildren(); node.text.replaceChildren(); return; }
    const x = num({ start: place.x + 2, middle: place.x + place.w / 2, end: place.x + place.w - 2 }[place.anchor ?? "start"]);
    const lines = early ? inPlace(node.data.planned, place, `${this.px}px ${this.family}`) : place.lines;
    for (const text of [node.ground, node.text]) {
      for (const [name, value] of Object.entries({ "text-anchor": place.anchor ?? "start", x, y: num(place.y + 0.68 * this.px + 4) })) text.setAttribute(name, value);
      text.replaceChildren(...lines.map((line, i) => {
        const made = drawn("tspan", { x, dy: i ? pitch : num(((place.lines.length - lines.length) * pitch) / 2) });
        made.textContent = isolated(line);
        return made;
      }));
    }
  }

  // How far a line stays from the middle of a node: what it may grow to, so that lines never move.
  reach(node) { return (node.data.gold ? 15.5 : 13 * this.largestOf(node)) * kindOf(node.data.kind).reach * this.grown; }

  // The same of where a node begins in any case.
  leastReach(node) { return (TUCKED * this.reach(node)) / this.largestOf(node); }

  // How far the names of its column stand from the middles of its nodes, which grow to several sizes: they begin at one pixel.
  columnReach(node) {
    if (node.data.gold) return this.reach(node);  // a star keeps its size, and its name beside it
    const { i } = node, [x] = this.view.places[i];
    if (!this.reaches.has(x)) this.reaches.set(x, Math.max(...[...this.nodes.values()].filter((one) => this.view.places[one.i][0] === x).map((one) => this.reach(one))));
    return this.reaches.get(x);
  }

  largestOf({ i }) { return Math.max(1, this.largest.get(i) ?? 1); }

  // Nodes grow with the letters, more slowly.
  get grown() { return (0.5 + this.px / 24) * this.shrunk; }

  // ---- the view

  // Moves the ground until the point `x`, `y` of what is seen of it is in sight.
  bring({ x, y }) {
    const off = (at, room) => (at < 0 || at > room ? room / 2 - at : 0), dx = off(x, this.width), dy = off(y, this.height);
    if (dx || dy) this.panning()(dx, dy);
  }

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

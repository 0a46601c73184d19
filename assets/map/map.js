// The map of a corpus, drawn on the network that PyVis describes. Text reaches the page by
// `textContent` and the canvas only.

const MAP_NODES = 300, MAP_LINES = 420;

class CorpusMapView {
  static cut = mapCut;

  // `own` is a network that is there already, of the page that PyVis wrote: {network, nodes, edges, stage}.
  constructor(root, data, hear, own) {
    this.root = root;
    this.hear = hear;
    this.make = (tag, name, text) => { const element = document.createElement(tag); if (name) element.className = name; if (text != null) element.textContent = text; return element; };
    root.textContent = "";
    root.classList.add("corpus-map");
    this.stage = own ? own.stage : this.make("div", "stage");
    root.append(this.stage);
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "application");
    this.stage.setAttribute("aria-label", "Map of the corpus. Use the arrow keys to move, Enter to open, and Escape to zoom out. The table below lists the same regions and passages.");
    this.world = new MapWorld(data);
    this.colours = new MapColours(this.world, root);
    this.colours.refresh = () => { if (!this.gone) { this.recut(); this.controls.tell(); this.redraw(); } };
    this.land = new MapLand(this.world);
    this.least = 0; this.fewest = 0; this.crossed = null; this.whole = 0; this.hiddenCount = 0; this.mask = null;
    this.nodes = []; this.lines = { all: 0, lines: [] }; this.picked = null; this.hovered = null;
    this.vertices = own ? own.nodes : new globalThis.vis.DataSet(data.network.nodes);
    this.ties = own ? own.edges : new globalThis.vis.DataSet(data.network.edges);
    this.network = own ? own.network : new globalThis.vis.Network(this.stage, { nodes: this.vertices, edges: this.ties }, data.network.options);
    this.parts = { walk: this.make("div", "panel walk"), live: this.make("p", "live") };
    this.controls = new MapControls(this);
    root.append(this.parts.walk, this.parts.live);
    this.parts.live.setAttribute("aria-live", "polite");
    this.walk = new MapWalk(this);
    this.walk.bar();
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.network.on("beforeDrawing", (context) => {
      this.land.draw(context, this.look(), this.colours, context.canvas.width / this.stage.clientWidth);
      for (const line of this.standing()) this.strong(context, line);
    });
    this.network.on("afterDrawing", (context) => this.drawOver(context));
    this.listen();
    this.fitAll(true);
    this.controls.tell();
  }

  listen() {
    const later = () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.recut(), 60); };
    for (const moved of ["zoom", "dragEnd", "animationFinished"]) this.network.on(moved, () => { this.controls.showTip(null); later(); });
    this.network.on("click", (event) => {
      this.controls.showTip(null);
      const node = event.nodes[0] ?? this.regionAt(event.pointer.canvas);
      this.choose(node ?? null);
      if (node < 0) this.fly(node);
    });
    this.network.on("hoverNode", (event) => { this.hovered = event.node; this.controls.showTip(event.node, ...this.onScreen(event.node)); this.redraw(); });
    this.network.on("hoverEdge", (event) => { this.crossed = event.edge; this.controls.showLine(this.lineOf(event.edge), event.pointer.DOM); this.redraw(); });
    this.network.on("blurEdge", () => { this.crossed = null; if (this.hovered == null) this.controls.showTip(null); this.redraw(); });
    this.network.on("blurNode", () => { this.hovered = null; this.controls.showTip(null); this.redraw(); });
    this.stage.addEventListener("pointerdown", () => { this.touched = true; });
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.watch = new ResizeObserver(() => { this.controls.narrow(this.root.clientWidth < 720); if (!this.touched) this.fitAll(true); });
    this.watch.observe(this.stage);
  }

  // A click on land, where no node is: the region whose middle is nearest, if it is not open yet.
  regionAt({ x, y }) {
    const inside = this.world.regions.filter((one) => one.depth === 1 && Math.hypot(one.x - x, one.y - y) < one.radius && one.radius * this.view.scale < Math.min(this.stage.clientWidth, this.stage.clientHeight) * 0.4);
    return inside.length ? -inside[0].number - 1 : null;
  }

  look() {
    const scale = this.network.getScale(), { x, y } = this.network.getViewPosition();
    this.view = { scale, x, y, width: this.stage.clientWidth / scale, height: this.stage.clientHeight / scale, nearer: scale > 1.15 * this.whole };
    return this.view;
  }

  toScreen(x, y) { const at = this.network.canvasToDOM({ x, y }); return [at.x, at.y]; }

  // Where a passage or region lies, and how large it is, whether it is drawn or not.
  placeOf(node) { const { units, regions } = this.world; return node >= 0 ? { x: units.x[node], y: units.y[node], radius: units.radius[node] } : regions[-node - 1]; }

  onScreen(node) {
    const one = this.placeOf(node);
    return [...this.toScreen(one.x, one.y), one.radius * (node >= 0 ? 1 : 0.62) * this.view.scale];
  }

  nameOf(node) { return node >= 0 ? this.world.units.title[node] : this.world.regions[-node - 1].name || "Whole corpus"; }

  matching(wanted, most) {
    const found = [];
    const add = (text, node) => { const at = text.toLowerCase().indexOf(wanted); if (at >= 0) found.push([at === 0 ? 0 : 1, text.length, node]); };
    this.world.regions.forEach((one) => { if (one.depth) add(one.name, -one.number - 1); });
    if (this.world.openable) this.world.units.title.forEach((title, unit) => add(title, unit));
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]).slice(0, most).map((one) => one[2]);
  }

  // ---- what is drawn
  filter() {
    const { world } = this;
    let hidden = 0;
    for (let unit = 0; unit < world.count; unit++) {
      world.shown[unit] = (!this.mask || this.mask[unit]) && (!this.fewest || world.units.degree[unit] >= this.fewest) ? 1 : 0;
      hidden += 1 - world.shown[unit];
    }
    this.hiddenCount = hidden;
  }

  recut() {
    if (this.gone) return;
    const { world, colours } = this, view = this.look();
    this.nodes = mapCut(world, view, MAP_NODES);
    this.lines = mapLines(world, this.nodes, this.least, MAP_LINES);
    const want = new Set(this.nodes);
    if (!want.has(this.hovered)) this.hovered = null;
    const most = Math.max(2, ...this.lines.lines.map((one) => one.edges));
    const top = (node) => (node >= 0 ? world.topOf(node) : world.regions[-node - 1].top);
    this.ties.clear();
    this.vertices.remove(this.vertices.getIds().filter((id) => !want.has(id)));
    this.vertices.update(this.nodes.map((node) => this.vertex(node)));
    this.ties.add(this.lines.lines.toReversed().map((line) => {
      const same = top(line.from) === top(line.to), between = line.from < 0 && line.to < 0, share = line.edges / most;
      const wide = between ? (0.8 + 6 * share) / view.scale : this.land.small ? 1.1 : 1 / Math.max(0.25, Math.min(3, view.scale));
      return { ...line, width: wide, color: { color: same && !between ? colours.tone(top(line.from), 1) : colours.link, opacity: between ? 0.32 + 0.4 * share : same ? 0.6 : 0.3, inherit: false } };
    }));
    this.controls.tellPath();
    this.controls.tellScale();
    this.root.dataset.drawn = this.nodes.length;
  }

  vertex(node) {
    const fill = this.colours.of(node), rim = this.colours.dark ? "#0d151d" : "#ffffff", ink = this.colours.ink;
    const { x, y, radius } = this.placeOf(node), size = radius * (node >= 0 ? 1 : 0.62);
    return { id: node, x, y, size, borderWidth: 1.3, color: { background: fill, border: rim, highlight: { background: fill, border: ink }, hover: { background: fill, border: ink } } };
  }

  drawOver(context) {
    const pixels = context.canvas.width / this.stage.clientWidth;
    this.look();
    context.save();
    context.setTransform(pixels, 0, 0, pixels, 0, 0);
    const names = new MapNames(context, this.stage.clientWidth, this.stage.clientHeight, this.colours), frame = this.root.getBoundingClientRect();
    for (const panel of this.root.querySelectorAll(".panel:not(.tip):not([hidden])")) { const box = panel.getBoundingClientRect(); if (box.width) names.take([box.left - frame.left, box.top - frame.top, box.right - frame.left, box.bottom - frame.top]); }
    this.walk.draw(context, names);
    for (const node of [this.hovered, this.picked]) this.ring(context, node, names);
    writeNames(names, this);
    this.counts(names);
    context.restore();
  }

  ring(context, node, names) {
    if (node == null || this.walk.running || (node < 0 && !this.nodes.includes(node))) return;
    const { world, colours } = this, [x, y, radius] = this.onScreen(node);
    context.strokeStyle = colours.ink;
    if (node >= 0) {
      context.globalAlpha = 0.6;
      context.lineWidth = 1.5;
      for (const other of world.neighbours(node)) { const [a, b] = this.onScreen(other); context.beginPath(); context.moveTo(x, y); context.lineTo(a, b); context.stroke(); }
      context.globalAlpha = 1;
      names.write(cut(this.nameOf(node), 60), x, y - radius - 14, { size: 14, weight: 700, forced: true });
    }
    context.lineWidth = 3;
    context.beginPath();
    context.arc(x, y, radius + 4, 0, 7);
    context.stroke();
  }

  lineOf(id) { return this.lines.lines.find((line) => line.id === id); }

  linesOf(node) { return this.lines.lines.filter((line) => line.from === node || line.to === node); }

  // The connections under the pointer: one, or all of a region.
  standing() {
    if (this.walk.running) return [];
    if (this.hovered != null) return this.hovered < 0 ? this.linesOf(this.hovered) : [];
    return this.lines.lines.filter((line) => line.id === this.crossed);
  }

  // Draws a connection below the dots, before the map's own lines.
  strong(context, line) {
    const from = this.placeOf(line.from), to = this.placeOf(line.to);
    context.strokeStyle = this.colours.ink;
    context.lineWidth = (3 + Math.min(6, Math.log2(line.edges))) / this.view.scale;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }

  // Writes on each of those connections how many edges it stands for, where nothing else is.
  counts(names) {
    for (const line of this.standing()) {
      const [x, y, own] = this.onScreen(line.from), [a, b, other] = this.onScreen(line.to), far = Math.hypot(a - x, b - y) || 1;
      const part = (share) => (own + share * (far - own - other)) / far;
      [0.5, 0.35, 0.65, 0.2, 0.8].some((share) => names.write(line.edges.toLocaleString("en"), x + (a - x) * part(share), y + (b - y) * part(share), { size: 13, weight: 700 }));
    }
  }

  redraw() { if (!this.gone) this.network.redraw(); }

  // ---- heat
  share(node) {
    const { gold, lost } = this.colours.heat.sum(this.world.members[-node - 1]);
    return gold ? `${lost}/${gold}` : "";
  }

  told(region, unit) {
    const { gold, lost } = this.colours.heat.sum(region == null ? [unit] : this.world.members[region]);
    return gold ? `${lost} of ${gold} gold missed (${Math.round(100 * lost / gold)}%)` : "";
  }

  // ---- moving and choosing
  choose(node) {
    if (node === this.picked) return;
    this.picked = node;
    this.parts.live.textContent = node == null ? "" : `${this.nameOf(node)}${node < 0 ? `, region of ${this.world.shownIn(-node - 1)} passages` : ""}`;
    this.redraw();
    this.hear(node == null ? null : node >= 0 ? { kind: "passage", number: node } : { kind: "region", number: this.world.regions[-node - 1].id });
  }

  move(x, y, scale, now) {
    this.network.moveTo({ position: { x, y }, scale, animation: now || this.still ? false : { duration: 600, easingFunction: "easeInOutCubic" } });
    if (now || this.still) this.recut();
  }

  fly(node) {
    this.touched = true;
    const { world } = this, region = world.regions[node >= 0 ? world.units.region[node] : -node - 1];
    const box = (x, y, far) => [x - far, y - far, x + far, y + far];
    if (node < 0) this.fit(box(region.x, region.y, region.radius), 8, false, 2.4);
    else this.fit(box(world.units.x[node], world.units.y[node], Math.min(region.radius, this.land.small ? 190 : 260)), 0, false, 2);
  }

  // Fits a box into what no panel covers.
  fit([left, top, right, bottom], margin, now, most = 1.6, whole = false) {
    const free = this.controls.free(this.stage.clientWidth, this.stage.clientHeight);
    const scale = Math.min((free.right - free.left) / (right - left + 2 * margin), (free.bottom - free.top) / (bottom - top + 2 * margin), most);
    if (whole) this.whole = scale;
    const x = (left + right) / 2 + (this.stage.clientWidth - free.left - free.right) / 2 / scale, y = (top + bottom) / 2 + (this.stage.clientHeight - free.top - free.bottom) / 2 / scale;
    this.move(x, y, scale, now);
  }

  fitAll(now) { if (this.stage.clientWidth) this.fit(this.world.bounds, this.land.small ? 34 : 48, now, 1.6, true); }

  zoomBy(factor) { this.touched = true; const { x, y } = this.network.getViewPosition(); this.move(x, y, this.network.getScale() * factor); }

  // The arrow keys go to the nearest that is drawn in that direction.
  key(event) {
    const away = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const act = { Enter: () => this.picked != null && this.fly(this.picked), Escape: () => { this.choose(null); this.fitAll(); }, "+": () => this.zoomBy(1.6), "-": () => this.zoomBy(1 / 1.6) }[event.key];
    if (!away && !act) return;
    event.preventDefault();
    event.stopPropagation();
    if (act) { act(); return; }
    const start = this.nodes.includes(this.picked) ? this.onScreen(this.picked) : [this.stage.clientWidth / 2, this.stage.clientHeight / 2];
    let best = null, least = Infinity;
    for (const node of this.nodes) {
      if (node === this.picked) continue;
      const [x, y] = this.onScreen(node), along = (x - start[0]) * away[0] + (y - start[1]) * away[1], across = Math.abs((x - start[0]) * away[1]) + Math.abs((y - start[1]) * away[0]);
      const inside = x > 0 && y > 0 && x < this.stage.clientWidth && y < this.stage.clientHeight;
      if (inside && along > 1 && along + 2 * across < least) { least = along + 2 * across; best = node; }
    }
    if (best != null) this.choose(best);
  }

  // ---- what Python says: what to fly to, what to hide, a field to colour by, heat, a walk
  say(said) {
    if (this.gone) return;
    const before = this.said ?? {};
    this.said = said;
    const changed = (name) => JSON.stringify(said[name] ?? null) !== JSON.stringify(before[name] ?? null);
    if (changed("hidden")) { this.mask = said.hidden ? mapMask(said.hidden, this.world.count) : null; this.filter(); }
    if (changed("field")) { this.colours.field = said.field ?? null; this.colours.by = said.field ? "field" : this.colours.by === "field" ? "region" : this.colours.by; this.controls.colourChoices(); }
    if (changed("heat")) { this.colours.heat = said.heat ? new MapHeat(said.heat.rows) : null; this.heatNote = said.heat?.note ?? ""; }
    if (["hidden", "field", "heat"].some(changed)) { this.recut(); this.controls.tell(); }
    if (changed("focus") && (said.focus ?? null) !== this.picked) { this.picked = said.focus ?? null; if (this.picked != null) this.fly(this.picked); }
    if (changed("walk")) this.walk.load(said.walk ?? null);
    this.redraw();
  }

  setDark(dark) {
    if (this.colours.dark === dark) return;
    this.colours.dark = dark;
    this.root.classList.toggle("dark", dark);
    this.recut();
    this.controls.tell();
    this.redraw();
  }

  destroy() { this.gone = true; this.watch.disconnect(); this.walk.pause(); this.network.destroy(); }
}

// Bits of a base64 text, the lowest of each byte first, as bytes that are 1 for what is shown.
function mapMask(text, count) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)), shown = new Uint8Array(count);
  for (let i = 0; i < count; i++) shown[i] = (bytes[i >> 3] >> (i & 7)) & 1;
  return shown;
}

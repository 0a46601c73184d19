// One graph: its structure is built once on vis-network, a paint changes looks only, never places.
// `globalThis.__hopGraph` maps a graph's name to {network, roles, place(id), view, paint, emit}; place
// gives a node's point on the page. In `network` an id has a mark in front (network.js).

const EDGE_ORDER = ["plain", "unoffered", "refused", "walked", "offered", "chosen"];   // last on top
const FADED = new Set(["plain", "pruned", "refused"]);
const URGENCY = { current: 2, lost: 1, retrieved: 1, seed: 1 };

const MARKUP = ["canvas", "tools", "hint", "legend", "tip"];

class GraphView {
  constructor(root) {
    this.root = root;
    for (const part of MARKUP) this[part] = root.querySelector(`.hop-${part}`);
    this.filter = new Set();
    this.theme = readTheme(root);
    this.tools.append(
      tool("in", "Zoom in", () => this.frame.zoom(1.3)), tool("out", "Zoom out", () => this.frame.zoom(1 / 1.3)),
      tool("fit", "Fit the graph into view", () => this.frame.fit(true)),
      tool("png", "Download as PNG", () => this.save()),
      tool("full", "Full screen", () => this.fullScreen()),
    );
    guardWheel(this);
  }

  show(data, slot) {
    const theme = readTheme(this.root);
    const changed = JSON.stringify(theme) !== JSON.stringify(this.theme);
    this.theme = theme;
    this.slot = slot;
    if (this.rev === data.rev && !changed) return;
    // The legend first: it decides how high the canvas is.
    this.countLegend = makeLegend(this.legend, theme, data.legend, (key) => this.toggle(key));
    if (this.rev !== data.rev) this.build(data);
    this.apply();
  }

  build(data) {
    this.network?.destroy();
    Object.assign(this, { data, rev: data.rev, hovered: null, selected: null });
    this.root.style.setProperty("--hop-height", `${data.height}px`);
    this.frame = new Frame(this.canvas, `hop:${data.name}:${data.rev}`, data.nodes, data.bands);
    this.nodes = new Map(data.nodes.map((node) => (
      [node.id, { ...node, role: "plain", urgent: 0, ...this.frame.home(node) }]
    )));
    this.arrows = new Map(data.arrows.map((arrow) => [arrow.id, arrow]));
    this.looks = new Map();
    this.edges = new vis.DataSet(curved(data.arrows, this.nodes, data.bands.length > 0));
    this.items = this.makeItems();
    this.network = new vis.Network(this.canvas, { nodes: this.items, edges: this.edges }, OPTIONS);
    this.listen();
    this.frame.attach(this.network, this.items);
    Object.assign(this.slot, {
      view: this, network: this.network, builds: (this.slot.builds ?? 0) + 1,
      place: (id) => this.pagePlace(id),
    });
    this.describe();
  }

  makeItems() {
    const renderer = ({ ctx, id, x, y, state }) => {
      const node = this.nodes.get(given(id));
      const unit = 1 / this.network.getScale();
      const half = Math.max(radiusOf(node), 6 * unit);
      return {
        drawNode: () => {
          ctx.globalAlpha = node.dim ? 0.16 : 1;
          node.radius = drawNode(ctx, this.theme, { ...node, hover: state.hover }, x, y, unit);
          Object.assign(node, { x, y });
        },
        nodeDimensions: { width: 2 * half * kindShape(node.kind).reach, height: 2 * half },
      };
    };
    return new vis.DataSet([...this.nodes.values()].map(({ id, x, y }) => (
      { id: own(id), x, y, label: "", shape: "custom", ctxRenderer: renderer }
    )));
  }

  listen() {
    const net = this.network;
    net.on("beforeDrawing", (ctx) => onScreen(ctx, net, (at, size) => (
      drawBands(ctx, this.theme, this.frame.columns(), at, size)
    )));
    net.on("afterDrawing", (ctx) => onScreen(ctx, net, (at, size) => this.drawTexts(ctx, at, size)));
    net.on("click", (event) => this.pick(event));
    net.on("hoverNode", ({ node, pointer }) => this.hover({ kind: "node", id: given(node) }, pointer.DOM));
    net.on("hoverEdge", ({ edge, pointer }) => this.hover({ kind: "edge", id: given(edge) }, pointer.DOM));
    net.on("blurNode", () => this.hover(null));
    net.on("blurEdge", () => this.hover(null));
    net.on("dragStart", () => this.hover(null));
    net.on("zoom", () => this.hover(null));
    net.on("animationFinished", () => this.restyle());
  }

  // Looks of the step that was painted last.
  apply() {
    if (!this.network) return;
    const paint = this.slot.paint ?? {};
    if (this.painted !== paint) { this.selected = paint.selected ?? null; this.painted = paint; }
    const gold = new Set(paint.gold ?? []);
    const [looks, lines, visits, sizes] = [paint.nodes, paint.edges, paint.counts, paint.sizes]
      .map((found) => new Map(Object.entries(found ?? {})));
    const counts = new Map();
    const count = (key) => counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const [id, node] of this.nodes) {
      node.role = looks.get(id) ?? paint.node ?? "plain";
      node.gold = gold.has(id) || node.role === "lost";
      node.count = visits.get(id) ?? 0;
      node.size = sizes.get(id) ?? 1;
      count(`shape:${node.kind}`);
      count(`node:${node.role}`);
      if (node.gold) count("node:gold");
    }
    const roles = new Map([...this.arrows.keys()].map((id) => [id, lines.get(id) ?? paint.edge ?? "plain"]));
    roles.forEach((role) => count(`edge:${role}`));
    this.roles = roles;
    this.mark();
    this.restyle();
    this.countLegend?.(counts, this.filter);
    this.slot.roles = { nodes: new Map([...this.nodes].map(([id, { role }]) => [id, role])), edges: roles };
    this.network.redraw();
    if (sizes.size) this.stack();
  }

  // The larger a node the further behind, so that none hides another. Arrows, which are drawn before
  // nodes, learn in one drawing how large their ends are and show it in the next.
  stack() {
    const size = (id) => this.nodes.get(given(id)).size;
    this.network.body.nodeIndices.sort((a, b) => size(b) - size(a));
    requestAnimationFrame(() => this.network?.redraw());
  }

  // Who is dimmed by the legend's filter, selected, and labelled first.
  mark() {
    const edgeHit = (id) => this.filter.has(`edge:${this.roles.get(id)}`);
    const nodeHit = (node) => this.filter.has(`node:${node.role}`) || this.filter.has(`shape:${node.kind}`)
      || (node.gold && this.filter.has("node:gold"));
    const ends = new Set();
    this.lit = new Set();
    for (const { id, source, target } of this.arrows.values()) {
      const ofNodes = nodeHit(this.nodes.get(source)) || nodeHit(this.nodes.get(target));
      if (edgeHit(id)) { ends.add(source); ends.add(target); }
      if (!this.filter.size || edgeHit(id) || ofNodes) this.lit.add(id);
    }
    for (const [id, node] of this.nodes) {
      node.dim = this.filter.size > 0 && !nodeHit(node) && !ends.has(id);
      node.selected = this.selected?.kind === "node" && this.selected.id === id;
      node.hover = this.hovered?.kind === "node" && this.hovered.id === id;
      node.faded = FADED.has(node.role) && !node.gold;
      const pressing = node.selected || node.hover ? 4 : node.gold ? 3 : 0;
      node.urgent = node.dim ? 0 : Math.max(pressing, URGENCY[node.role] ?? 0);
      node.named = node.selected || node.hover || node.gold || node.role === "current";
    }
  }

  restyle() {
    const changed = [], zoom = this.network.getScale();
    for (const [id, role] of this.roles) {
      const selected = this.selected?.kind === "edge" && this.selected.id === id;
      const dim = !this.lit.has(id);
      const look = `${role} ${selected} ${dim} ${thickening(zoom)} ${this.theme.surface}`;
      if (this.looks.get(id) === look) continue;
      this.looks.set(id, look);
      changed.push({ id: own(id), ...edgeOptions(this.theme, role, { selected, dim, zoom, directed: this.arrows.get(id).directed }) });
    }
    if (!changed.length) return;
    this.edges.update(changed);
    const rank = (id) => EDGE_ORDER.indexOf(this.roles.get(given(id))) + (this.selected?.id === given(id) ? 10 : 0);
    this.network.body.edgeIndices.sort((a, b) => rank(a) - rank(b));
  }

  refresh() {
    this.mark();
    this.restyle();
    this.network.redraw();
  }

  toggle(key) {
    if (!this.filter.delete(key)) this.filter.add(key);
    this.apply();
  }

  pick({ nodes, edges }) {
    const [kind, id] = nodes.length ? ["node", nodes[0]] : ["edge", edges[0]];
    this.selected = id === undefined ? null : { kind, id: given(id) };
    this.refresh();
    this.slot.emit?.(this.selected);
  }

  hover(what, at) {
    this.hovered = what;
    this.tip.hidden = true;
    if (what) showTip(this.tip, this.told(what), at, this.canvas);
    this.refresh();
  }

  told({ kind, id }) {
    const word = (of, name) => this.data.legend.find((entry) => entry.of === of && entry.name === name)?.label ?? "";
    if (kind === "edge") {
      const { question, detail, source, target, directed } = this.arrows.get(id);
      const ends = [source, target].map((end) => this.nodes.get(end).label).join(directed ? " → " : " – ");
      return [["hop-tip-title", question], ["hop-tip-ends", ends],
        ["hop-tip-role", word("edge", this.roles.get(id))], ["hop-tip-text", detail]];
    }
    const node = this.nodes.get(id);
    const role = [word("shape", node.kind), word("node", node.role), node.gold ? "gold" : "", node.count > 1 ? `${node.count} visits` : ""];
    return [["hop-tip-title", node.label || id], ["hop-tip-role", role.filter(Boolean).join(" · ")],
      ["hop-tip-text", node.detail]];
  }

  drawTexts(ctx, at, size) {
    drawLabels(ctx, this.theme, [...this.nodes.values()], at, size, this.data.bands.length > 0);
    const edge = this.selected?.kind === "edge" && this.network.body.edges[own(this.selected.id)];
    if (edge?.connected) {
      drawQuestion(ctx, this.theme, this.arrows.get(this.selected.id).question, at(edge.edgeType.getPoint(0.5)), size);
    }
  }

  describe() {
    const what = this.data.nodes.every((node) => node.kind === "passage") ? "passages" : "nodes";
    this.canvas.setAttribute("aria-label", `Drawing of ${this.nodes.size} ${what} joined by ${this.arrows.size} edges`);
  }

  save() {
    savePicture(this.canvas.querySelector("canvas"), this.theme, this.data.legend, this.data.name);
  }

  fullScreen() {
    if (this.root.matches(":fullscreen")) document.exitFullscreen();
    else this.root.requestFullscreen();
  }

  pagePlace(id) {
    const at = this.network.canvasToDOM(this.network.getPosition(own(id)));
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + at.x, y: box.top + at.y };
  }

  destroy() {
    this.network?.destroy();
    this.network = null;
    if (this.slot?.view === this) Object.assign(this.slot, { view: null, network: null });
  }
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".hop");
  const graphs = (globalThis.__hopGraph ||= new Map());
  if (!graphs.has(data.name)) graphs.set(data.name, {});
  const view = (root.hopView ||= new GraphView(root));
  view.show(data, graphs.get(data.name));
  return () => { view.destroy(); root.hopView = null; };
}

// A neighbourhood that is looked at: its drawing, its legend, and what is said on hover. What is picked
// is decided by who mounts it; the hooks hear {pick(what), open(passage), title()} and may have `keys`.

const HEARD = [
  ["Pick", [["↑ ↓", "Go through the drawing, or the legend."], ["Enter", "Pick out what is there, or open a count."]]],
  ["Zoom", [["+ −", "Make the drawing larger or smaller."], ["f", "Fit the drawing into its frame."], ["Ctrl wheel", "Zoom where the pointer is."]]],
  ["View", [["?", "Show these keys."], ["Esc", "Close them."]]],
];

class Explorer {
  constructor(root, hooks) {
    Object.assign(this, { root, hooks, selected: null });
    this.keys = new Keys(() => [...HEARD.slice(0, 1), ...(this.hooks.keys ?? []), ...HEARD.slice(1)]);
    this.holder = element("div", "holder");
    this.tools = element("div", "tools");
    this.tip = element("div", "hovered");
    this.tip.hidden = true;
    this.tip.setAttribute("role", "tooltip");
    this.key = element("div", "key");
    this.foot = element("div", "foot");
    this.foot.append(this.key, this.tools);
    this.box = element("section", "graph");
    this.box.setAttribute("aria-label", "Graph");
    const { "+": closer, "-": farther, f: fit, "?": help } = this.actions;
    this.tools.append(
      tool("in", "Zoom in", closer, "+"), tool("out", "Zoom out", farther, "-"), tool("fit", "Fit all in the frame", fit, "f"),
      tool("png", "Save as a picture (PNG)", () => this.save()), wordButton("?", help, "keys-button"));
    this.tools.lastChild.title = "Keys (?)";
    this.box.append(this.holder, this.tip, this.foot, this.keys.box);
    root.append(this.box);
    this.hush = () => this.tell(null);
    this.onKey = (event) => this.pressed(event);
    document.addEventListener("keydown", this.onKey);
    addEventListener("pointerdown", this.hush, true);    // wherever one presses, what was hovered is done with
    this.drawing = new Drawing(this.holder, {
      pick: (what) => this.hooks.pick(what && this.named(what)),
      group: (group) => this.hooks.open?.(this.scene.nodes[group.of].id),
      hover: (what, point) => this.tell(what, point),
      told: (what) => this.spoken(what),
      moved: () => this.scene && this.drawing.labelled && this.paint(),
    }, Sides);
  }

  get actions() {
    const closer = () => this.drawing.zoomBy(CLOSER);
    return { "+": closer, "=": closer, "-": () => this.drawing.zoomBy(1 / CLOSER), f: () => this.drawing.fit(), "?": () => this.keys.toggle() };
  }

  // The page has keys of its own, in groups as those of the drawing, each with what is done.
  ofPage(key) { return (this.hooks.keys ?? []).flatMap(([, keys]) => keys).find(([its]) => its === key)?.[2]; }

  // Keys are heard wherever they are not typed into a field.
  pressed(event) {
    const action = this.actions[event.key] ?? this.ofPage(event.key), aside = event.composedPath().some((of) => of instanceof Element && of.matches(ASIDE));
    if (!action || aside || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    action();
    event.preventDefault();
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey);
    removeEventListener("pointerdown", this.hush, true);
    this.drawing.destroy();
    this.box.remove();
  }

  load(scene, selected) {
    const same = this.scene && JSON.stringify([this.scene.nodes, this.scene.lines, this.scene.view]) === JSON.stringify([scene.nodes, scene.lines, scene.view]);
    this.scene = scene;
    this.tell(null);
    this.legend = new Legend(scene.legend, () => this.paint());
    this.key.replaceChildren(this.legend.box);
    if (scene.faint) this.legend.box.append(this.faintEntry());
    if (!same) {
      const weights = new Map(Object.entries(scene.looks.weights).map(([i, weight]) => [+i, weight]));
      const musts = new Set(scene.tree ? weights.keys() : []);
      this.drawing.load(scene, scene.view, { weights, musts, ways: new Set(scene.tree ? [] : scene.lines.keys()) });
    }
    this.drawing.svg.setAttribute("aria-label", `${scene.title}. ${scene.note} Up and down go from node to node, Enter picks one.`);
    this.select(selected);
  }

  // `what` is {kind, id}: the passage or the edge that is picked out.
  select(what) {
    const list = what?.kind === "line" ? this.scene.lines : this.scene.nodes;
    const of = what ? list.findIndex(({ id }) => id === what.id) : -1;
    this.selected = of < 0 ? null : { kind: what.kind, of };
    this.paint();
  }

  paint() {
    const { looks } = this.scene, now = { ...looks, counts: {} };
    this.legend.show(counted(this.scene, new Set(Object.keys(this.scene.view.places).map(Number)), now));
    const lit = picked(this.scene, now, this.legend.chosen);
    this.drawing.paint(now, { selected: this.selected, lit });
    const near = this.near();
    for (const node of this.drawing.nodes.values()) {
      fade(node.g, near.nodes.has(node.i) ? 0 : looks.node_fades[node.i]);
      node.label.classList.toggle("first", Boolean(node.first));
    }
    for (const line of this.drawing.lines.values()) {
      fade(line.g, near.lines.has(line.i) ? 0 : looks.line_fades[line.i]);
      line.g.classList.toggle("near", near.lines.has(line.i));
      line.g.classList.toggle("off", !(this.always(line.i) || near.lines.has(line.i) || lit?.lines.has(line.i)));
    }
  }

  // Whether a line is drawn all the time; the others are when an end of theirs is picked out, or in the legend.
  always(i) { return !this.scene.tree || this.scene.looks.lines[i] !== "plain"; }

  // What is joined to the picked passage, which is not drawn fainter while it is.
  near() {
    const nodes = new Set(), lines = new Set();
    if (this.selected?.kind === "line") {
      const { source, target } = this.scene.lines[this.selected.of];
      [source, target].forEach((end) => nodes.add(end));
      lines.add(this.selected.of);
    } else if (this.selected) {
      nodes.add(this.selected.of);
      this.scene.lines.forEach(({ source, target }, i) => {
        if (source !== this.selected.of && target !== this.selected.of) return;
        lines.add(i);
        [source, target].forEach((end) => nodes.add(end));
      });
    }
    return { nodes, lines };
  }

  named({ kind, of }) { return { kind, id: (kind === "line" ? this.scene.lines : this.scene.nodes)[of].id }; }

  faintEntry() {
    const entry = element("span", "entry faint"), svg = swatch({ of: "node", name: "plain" });
    svg.firstChild.classList.add("fade2");
    const count = Object.keys(this.scene.looks.node_fades).length;
    entry.append(svg, element("span", "name", this.scene.faint), element("span", "count", count.toLocaleString("en")));
    return entry;
  }

  spoken({ kind, of }) {
    const { nodes } = this.scene, { groups } = this.drawing;
    return kind === "node" ? spoken(nodes[of]) : `${groups[of].g.textContent} at ${nodes[groups[of].data.of].label}, opens them`;
  }

  // A card beside the pointer, but for what the panel tells of already.
  tell(what, point) {
    const { kind, of: chosen } = this.selected ?? {};
    this.tip.hidden = !what || (what.kind === kind && what.of === chosen);
    if (this.tip.hidden) return;
    const { of } = what;
    if (what.kind === "line") {
      const { source, target, label, detail } = this.scene.lines[of], { nodes } = this.scene;
      this.tip.replaceChildren(element("b", "", `${nodes[source].label} → ${nodes[target].label}`), element("span", "", label), element("em", "", detail));
    } else {
      const { label, text } = this.scene.nodes[of];
      this.tip.replaceChildren(element("b", "", label), element("em", "", cropped(text, 160)));
    }
    const room = { x: this.box.clientWidth - this.tip.offsetWidth - 8, y: this.box.clientHeight - this.tip.offsetHeight - 8 };
    this.tip.style.left = `${Math.max(4, Math.min(point.x + 14, room.x))}px`;
    this.tip.style.top = `${point.y + 18 > room.y ? Math.max(4, point.y - this.tip.offsetHeight - 14) : point.y + 18}px`;
  }

  save() { return savePicture(this.drawing, this.legend.box, this.scene.title); }
}

function fade(of, level) {
  of.classList.toggle("fade1", level === 1);
  of.classList.toggle("fade2", level === 2);
}

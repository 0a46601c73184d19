// A neighbourhood that is looked at: its drawing, its legend, and what is said on hover. What is picked
// is decided by who mounts it; the hooks hear {pick(what), open(passage), title()}.

class Explorer {
  constructor(root, hooks) {
    Object.assign(this, { root, hooks, selected: null });
    this.holder = element("div", "holder");
    this.tools = element("div", "tools");
    this.tip = element("div", "hovered");
    this.tip.hidden = true;
    this.tip.setAttribute("role", "tooltip");
    this.foot = element("div", "foot");
    this.box = element("section", "graph");
    this.box.setAttribute("aria-label", "Graph");
    this.tools.append(
      tool("in", "Zoom in", () => this.drawing.zoomBy(1.4)), tool("out", "Zoom out", () => this.drawing.zoomBy(1 / 1.4)),
      tool("fit", "Fit all in the frame", () => this.drawing.fit()), tool("png", "Save as a picture (PNG)", () => this.save()));
    this.box.append(this.holder, this.tools, this.tip, this.foot);
    root.append(this.box);
    this.drawing = new Drawing(this.holder, {
      pick: (what) => this.hooks.pick(what && this.named(what)),
      group: (group) => this.hooks.open?.(this.reached(group)),
      hover: (what, point) => this.tell(what, point),
      moved: () => this.scene && this.drawing.labelled && this.paint(),
    });
  }

  destroy() { this.drawing.destroy(); this.box.remove(); }

  load(scene, selected) {
    const same = this.scene && JSON.stringify([this.scene.nodes, this.scene.lines, this.scene.view]) === JSON.stringify([scene.nodes, scene.lines, scene.view]);
    this.scene = scene;
    this.legend = new Legend(scene.legend, () => this.paint());
    this.foot.replaceChildren(this.legend.box);
    if (scene.faint) this.legend.box.append(this.faintEntry());
    if (!same) {
      const weights = new Map(Object.entries(scene.looks.weights).map(([i, weight]) => [+i, weight]));
      this.drawing.load(scene, scene.view, { weights, ways: this.ways(), both: scene.tree });
    }
    this.drawing.svg.setAttribute("aria-label", `${scene.title}. ${scene.note}`);
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
    const near = this.near(), more = [];
    for (const node of this.drawing.nodes.values()) fade(node.g, near.nodes.has(node.i) ? 0 : looks.node_fades[node.i]);
    for (const line of this.drawing.lines.values()) {
      fade(line.g, near.lines.has(line.i) ? 0 : looks.line_fades[line.i]);
      line.g.classList.toggle("near", near.lines.has(line.i));
      const seen = this.always(line.i) || near.lines.has(line.i) || lit?.lines.has(line.i);
      line.g.classList.toggle("off", !seen);
      if (seen && !this.always(line.i)) more.push(line);
    }
    this.keepOffLines(more);
  }

  // The lines that are always drawn; the others are when an end of theirs is picked out, or in the legend.
  ways() {
    return new Set([...this.scene.lines.keys()].filter((i) => this.always(i)));
  }

  always(i) { return !this.scene.tree || this.scene.looks.lines[i] !== "plain"; }

  // A name whose letters lie on a line is written only when it is picked out, or must be read. The box
  // round them is wider: what only touches that is no harm.
  keepOffLines(more) {
    const seen = [...this.drawing.lines.values()].filter(({ i }) => this.always(i)).concat(more).map(({ track }) => closely(track));
    for (const node of this.drawing.nodes.values()) {
      const must = (this.selected?.kind === "node" && this.selected.of === node.i) || node.role === "current" || node.data.gold;
      const box = this.drawing.labelled.get(node.i);
      if (!box || must) continue;
      const letters = { x: box.x + 1, y: box.y + 2, w: box.w - 2, h: box.h - 4 };
      if (seen.some((points) => points.some(({ x, y }) => overlap(letters, { x, y, w: 0.1, h: 0.1 })))) node.label.classList.add("off");
    }
  }

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

  // The passage behind which those of a count are.
  reached(group) { return this.scene.behind[this.scene.view.groups.indexOf(group)]; }

  faintEntry() {
    const entry = element("span", "entry faint"), svg = swatch({ of: "node", name: "plain" });
    svg.firstChild.classList.add("fade2");
    const count = Object.keys(this.scene.looks.node_fades).length;
    entry.append(svg, element("span", "name", this.scene.faint), element("span", "count", count.toLocaleString("en")));
    return entry;
  }

  tell(what, point) {
    this.tip.hidden = !what;
    if (!what) return;
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

// Points of a line so near to each other that no letter is between two of them.
function closely(track) {
  return track.slice(1).flatMap((to, i) => {
    const from = track[i], steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 2) + 1;
    return Array.from({ length: steps + 1 }, (_, j) => ({ x: from.x + ((to.x - from.x) * j) / steps, y: from.y + ((to.y - from.y) * j) / steps }));
  });
}

function fade(of, level) {
  of.classList.toggle("fade1", level === 1);
  of.classList.toggle("fade2", level === 2);
}

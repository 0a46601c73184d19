// Where the keyboard is in a drawing, which is one stop of the Tab key: up and down go from node to node and to the
// counts, column by column, and Enter picks one. What is there is told as a list.

const GAP = 24;                             // pixels between two columns
let drawings = 0;

// A node in words, with `more` of how it stands.
function spoken(node, ...more) { const { label, gold } = node; return [label, nounOf(node), gold && "gold", ...more].filter(Boolean).join(", "); }

class Cursor {
  // `drawing.on.told(what)` says a node or a count in words.
  constructor(drawing) {
    Object.assign(this, { drawing, at: null, name: `drawing${(drawings += 1)}` });
    this.ring = drawn("rect", { class: "ring", rx: 6 });
    const { svg, layers, world } = drawing;
    for (const [name, value] of Object.entries({ role: "listbox", tabindex: 0 })) svg.setAttribute(name, value);
    for (const one of [world, layers.nodes, layers.groups]) one.setAttribute("role", "presentation");
    for (const name of ["bands", "lines", "labels", "above"]) layers[name].setAttribute("aria-hidden", "true");
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focus", () => { if (svg.matches(":focus-visible")) this.moveTo(this.found ?? this.first); });
    svg.addEventListener("blur", () => drawing.on.hover?.(null));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key], { found } = this;
    if (by) this.moveTo(found ? this.beside(found, by) : this.first);
    else if (event.key === "Enter" && found) {
      this.drawing.pick({ kind: found.kind, of: found.of });
      this.drawing.on.hover?.(null);  // its details say the same
    } else return;
    event.preventDefault();
  }

  // What is drawn: nodes and counts.
  get marks() {
    const { nodes, groups } = this.drawing;
    return [...[...nodes.values()].filter(({ role }) => role).map(({ i, g }) => ({ kind: "node", of: i, g })),
      ...groups.map(({ g }, i) => ({ kind: "group", of: i, g })).filter(({ g }) => !g.classList.contains("off"))];
  }

  get found() { return this.marks.find(({ g }) => g === this.at); }

  // What is picked out, or looked at, or the first.
  get first() {
    const all = this.inOrder(), is = (name) => all.find(({ g }) => g.classList.contains(name));
    return is("selected") ?? is("current") ?? all[0];
  }

  beside(mark, by) {
    const all = this.inOrder();
    return all[all.findIndex(({ g }) => g === mark.g) + by] ?? mark;
  }

  // Column by column, each from its top.
  inOrder() {
    const spots = this.marks.map((mark) => ({ ...mark, ...this.spot(mark.g) })).sort((a, b) => a.x - b.x);
    let column = 0;
    spots.forEach((spot, i) => {
      if (i && spot.x - spots[i - 1].x > GAP) column += 1;
      spot.column = column;
    });
    return spots.sort((a, b) => a.column - b.column || a.y - b.y);
  }

  // The middle of what is drawn there, from the corner of the drawing.
  spot(g) {
    const box = g.getBoundingClientRect(), all = this.drawing.svg.getBoundingClientRect();
    return { x: ownPixels(this.drawing.holder, box.x + box.width / 2 - all.x), y: ownPixels(this.drawing.holder, box.y + box.height / 2 - all.y) };
  }

  moveTo(mark) {
    this.leave();
    if (!mark) return;
    const { svg, on } = this.drawing;
    this.at = mark.g;
    this.drawing.bring(this.spot(mark.g));
    const { x, y, width, height } = mark.g.getBBox();
    for (const [name, value] of Object.entries({ x: x - 2, y: y - 2, width: width + 4, height: height + 4 })) this.ring.setAttribute(name, num(value));
    mark.g.setAttribute("data-at", "");
    mark.g.append(this.ring);
    svg.setAttribute("aria-activedescendant", mark.g.id);
    on.hover?.(mark.kind === "group" ? null : mark, this.spot(mark.g), true);
  }

  leave() {
    this.ring.remove();
    this.at?.removeAttribute("data-at");
    this.at = null;
    this.drawing.svg.removeAttribute("aria-activedescendant");
  }

  // After a paint: what is there is told as it stands now.
  tell(selected) {
    for (const { kind, of, g } of this.marks) {
      g.id ||= `${this.name}-${kind}${of}`;
      setAttribute(g, "role", "option");
      setAttribute(g, "aria-selected", String(kind === selected?.kind && of === selected.of));
      setAttribute(g, "aria-label", this.drawing.on.told({ kind, of }));
    }
    if (this.at && !this.found) this.leave();
  }
}

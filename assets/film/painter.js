// What is there now, and in which role; `drawing.css` says how a role looks. Nothing is moved.

// The count at the corner of a node: on a stage it is never smaller than what is read from the last row.
const badgeOf = ({ letters, shrunk }) => (letters > SMALL ? { letter: 9, around: 8, tall: 20, scale: 1 } : { letter: 6, around: 11, tall: 15, scale: shrunk });

const COUNT_TOP = 29;                       // pixels above the middle of a node at which its count ends there

const AROUND_NODE = 5;                      // pixels from a node to the ring around it

class Painter {
  constructor(drawing) { this.drawing = drawing; }

  // `now` has nodes and lines by number with their roles, counts, sizes; `there` are the nodes that are
  // drawn now, all if left out; the others say what is picked out.
  paint(now, { there = null, selected = null, lit = null, travels = [], fresh = false, quiet = new Set(), counts = now.counts ?? {} } = {}) {
    const { nodes, lines, layers } = this.drawing, moving = fresh && !still();
    const roleOf = (i) => ((there && !there.has(i)) || this.drawing.left.has(i) || this.isNameless(i, now) ? undefined : now.nodes[i]);
    this.paintNodes(now, roleOf, { selected, lit, moving, counts });
    this.paintLines(now, roleOf, { selected, lit, travels, quiet });
    this.paintGroups(now, roleOf);
    this.paintOrigins(now, roleOf);
    for (const { data: { empty, since }, g } of this.drawing.bands) {
      g.children[1].classList.toggle("off", now.t < since);
      if (empty) g.lastChild.classList.toggle("off", now.t < empty.since);
    }
    this.drawing.shelf?.g?.classList.toggle("off", now.t < this.drawing.shelf.since);
    for (const { g, nodes: below } of this.drawing.cuts) g.classList.toggle("off", !below.some((i) => roleOf(i) === "lost"));
    layers.above.replaceChildren();
    if (selected?.kind === "line") this.tellLine(selected.of);
    if (moving) for (const { line, source, target } of travels) if (nodes.has(target) && lines.has(line)) travel(lines.get(line), source, layers.above);
  }

  // A guest that has no room for its name, where none stands without: it counts with the others.
  isNameless(i, { nodes }) {
    const { drawing } = this;
    return drawing.allNamed && Boolean(drawing.view.guests?.[i]) && nodes[i] !== "current" && !drawing.labelled.has(i);
  }

  paintNodes(now, roleOf, { selected, lit, moving, counts }) {
    const forced = this.forced(now, roleOf, selected), taken = new Set(now.taken);
    for (const node of this.drawing.nodes.values()) {
      const role = roleOf(node.i);
      const size = node.data.gold ? 1 : now.sizes?.[node.i] ?? 1;  // a star keeps its size, and its name beside it
      if (role && (role !== node.role || size !== node.size)) this.shape(node, role, size);
      if (role && (counts[node.i] ?? 0) !== node.count) this.count(node, counts[node.i] ?? 0, moving && !node.g.classList.contains("off"));
      const picked = selected?.kind === "node" && selected.of === node.i;
      const dim = Boolean(lit && !lit.nodes.has(node.i));
      const arrives = moving && role && node.g.classList.contains("off");
      const faded = now.faded?.nodes[node.i] && !picked && !lit && "faded";
      const classes = [role ?? "off", node.data.gold && "gold", node.data.gold === "hand" && "hand", node.data.missed && "missed", taken.has(node.i) && "taken", picked && "selected", dim && "dim", faded, arrives && "arrives", node.count > 1 && "counted"];
      setClass(node.g, `node ${classes.filter(Boolean).join(" ")}`);
      const early = Boolean(node.data.planned) && role === "plain";
      if (role && early !== Boolean(node.early)) this.drawing.writeName(node, early);
      const named = role && (forced.has(node.i) || this.seen(node, now, forced));
      setClass(node.label, ["label", named ? role : "off", dim && "dim", faded, picked && "selected"].filter(Boolean).join(" "));
      node.role = role ?? "";
    }
  }

  paintLines(now, roleOf, { selected, lit, travels, quiet }) {
    const { lines, layers } = this.drawing;
    // A line that is followed against its direction shows where it was followed to, now and later.
    const back = new Set(travels.filter(({ line, source }) => lines.get(line)?.data.target === source).map(({ line }) => line));
    for (const line of lines.values()) {
      const role = quiet.has(line.i) ? undefined : roleOf(line.data.source) && roleOf(line.data.target) && now.lines[line.i];
      const picked = selected?.kind === "line" && selected.of === line.i;
      setClass(line.g, `line ${[role ?? "off", picked && "selected", this.leadsBack(line, role, now, back) && "back", lit && !lit.lines.has(line.i) && "dim", !lit && !picked && now.faded?.lines[line.i] && "faded"].filter(Boolean).join(" ")}`);
      if (role !== line.role && (role === "chosen" || role === "offered")) layers.lines.append(line.g);
      line.role = role ?? "";
    }
    layers.lines.classList.toggle("telling", [...lines.values()].some(({ role }) => role === "chosen"));
    if (this.drawing.letters > SMALL) this.fadeLittle();
  }

  // Whether a line shows that it leads from its target to its source: it is followed so now, what is looked at is its target,
  // or it was looked at so when it was followed, or first.
  leadsBack({ i, data: { source, target, back } }, role, { nodes }, followed) {
    if (role === "chosen") return followed.has(i);
    if (role === "offered") return nodes[target] === "current" || (back && nodes[source] !== "current");
    return back && ["walked", "again", "refused", "missed"].includes(role);
  }

  // On a stage what carries little is faint, below the others.
  fadeLittle() {
    const { lines, nodes, layers } = this.drawing, little = carryingLittle([...lines.values()].filter(({ role }) => role), nodes);
    for (const line of little) line.g.classList.add("little");
    for (const line of lines.values()) if (line.role === "plain" && !little.includes(line) && [line.data.source, line.data.target].some((i) => nodes.get(i).data.gold)) line.g.classList.add("to-gold");
    layers.lines.prepend(...[...little].map(({ g }) => g));
  }

  // A group counts what is there and not drawn by itself, by how it stands; of what was only on offer, passages alone, and on a
  // stage nothing.
  paintGroups(now, roleOf) {
    const { nodes, groups, plan, data: { nodes: known } } = this.drawing, counts = (i) => now.nodes[i] && (now.nodes[i] !== "refused" || (known[i].kind === "passage" && !this.drawing.leaves));
    for (const { data, g } of groups) {
      const there = data.nodes.filter((i) => counts(i) && !(nodes.has(i) && roleOf(i)));
      const current = there.some((i) => now.nodes[i] === "current");
      setClass(g, `group ${there.length ? "" : "off"} ${current ? "current" : ""}`);
      const [rect, text] = g.children;
      const words = groupWords(data.label, there.map((i) => now.nodes[i]), this.drawing.brief);
      if (text.textContent !== words) text.textContent = words;
      rect.setAttribute("width", num(plan.wide(words) + 2 * plan.padding));
      text.setAttribute("x", plan.padding);
    }
    plan.settleCounts();
  }

  paintOrigins(now, roleOf) {
    const { drawing } = this;
    for (const old of this.origins ?? []) old.remove();
    this.origins = [];
    if (!drawing.plan.columns?.lanes || drawing.zoom !== 1) return;
    for (const [i, isNow] of originsOf(drawing, now, roleOf)) {
      const node = drawing.nodes.get(i);
      this.origins.push(originMarks(node, drawing.reach(node), isNow, passing(node, drawing.reach(node), drawing)));
    }
    drawing.layers.lines.append(...this.origins);
  }

  // Names that have to be read now, wherever they lie: of what is looked at, of what is taken there, of what
  // is picked out, and of guests.
  forced(now, roleOf, selected) {
    const { nodes, lines, labelled, view } = this.drawing;
    const found = new Map(), looks = Object.values(now.nodes).includes("current");
    const taken = new Set(looks ? [...lines.values()].filter(({ i }) => now.lines[i] === "chosen").flatMap(({ data }) => [data.source, data.target]) : []);
    for (const { i } of nodes.values()) {
      const role = roleOf(i), wanted = role === "current" || (role && (taken.has(i) || view.guests?.[i] || (selected?.kind === "node" && selected.of === i)));
      if (wanted && labelled.has(i)) found.set(i, labelled.get(i));
    }
    return found;
  }

  // Whether a name is written: not on a line that is followed from the one place that is looked at, nor on
  // that place, nor under a name that must be read. What matters most is always named; seeds keep their
  // names on lines.
  seen(node, now, forced) {
    const place = this.drawing.labelled.get(node.i);
    if (!place) return false;
    if (node.named || this.drawing.musts.has(node.i)) return true;  // one in a lane covers nothing
    if (!(place.free || (node.data.gold && place.cost < COST.rim))) return false;
    const looks = now.nodes[node.i] !== "seed" && [...forced.keys()].some((i) => now.nodes[i] === "current");
    if (looks && [...place.on].some((line) => now.lines[line] === "chosen")) return false;
    return ![...forced].some(([i, other]) => i !== node.i && (overlap(place, other) || overlap(place, this.box(i))));
  }

  // How much `box` covers of what is drawn: gold, what is looked at and the names of both before all other.
  covered(box) {
    const { nodes, labelled } = this.drawing, seen = [...nodes.values()].filter(({ role }) => role);
    const weight = ({ role, data }) => (role === "current" || data.gold ? 100 : 1);
    const named = (i) => labelled.has(i) && !nodes.get(i).label.classList.contains("off");
    return seen.reduce((sum, node) => sum + weight(node) * (overlap(box, this.box(node.i)) + (named(node.i) && overlap(box, labelled.get(node.i)))), 0);
  }

  box(i) {
    const node = this.drawing.nodes.get(i), reach = this.drawing.reach(node) + 4;
    return { x: node.x - reach, y: node.y - reach, w: 2 * reach, h: 2 * reach };
  }

  shape(node, role, size) {
    const { r, side, body, mark, down } = looks(node.data, role, size * this.drawing.grown);
    node.size = size;
    node.body.setAttribute("d", body);
    node.mark.setAttribute("d", mark);
    node.mark.setAttribute("transform", `translate(0 ${down})`);
    node.hatch.setAttribute("d", node.data.unjudged ? hatching(r) : "");
    for (const [name, value] of Object.entries({ rx: Math.max(r, side) + AROUND_NODE, ry: r + AROUND_NODE })) node.halo.setAttribute(name, num(value));
    Object.assign(node, { r, rim: Math.max(r, side) });
    this.placeBadge(node);
  }

  count(node, count, ticks) {
    node.count = count;
    const [rect, text] = node.badge.children;
    text.textContent = count > 1 ? `×${count}` : "";
    const { letter, around, tall } = badgeOf(this.drawing), width = around + letter * text.textContent.length;
    for (const [name, value] of Object.entries({ x: -width / 2, y: -0.53 * tall, width, height: tall, rx: 0.47 * tall })) rect.setAttribute(name, value);
    text.setAttribute("y", num(0.23 * tall));
    node.badgeWide = width;
    this.placeBadge(node);
    if (ticks && count > 1) node.badge.animate([{ scale: "1.9" }, { scale: "1" }], { duration: 320, easing: "ease-out" });
  }

  // At the corner of its node; on a stage above it, where it covers no mark: in the first column to its left, as far as there is
  // room, and in others in its middle, as lines come from the left.
  placeBadge({ i, badge, badgeWide: wide = 0, r, rim }) {
    const { letters, plan } = this.drawing, { tall, scale } = badgeOf(this.drawing);
    const across = plan.isFirst(i) ? Math.max(2 - rim - wide / 2, wide / 2 - rim - plan.around) : 0;
    const [x, y] = letters > SMALL ? [across, tall / 2 - COUNT_TOP] : [-0.85 * r - 3, -BADGE * r];
    badge.setAttribute("transform", `translate(${num(x)} ${num(y)}) scale(${num(scale)})`);
  }

  // The words of a line, where they cover nothing that matters.
  tellLine(i) {
    const { lines, layers, px, family, width, height, foot, pan } = this.drawing, line = lines.get(i);
    if (!line?.role || !line.data.label) return;
    const at = along(line, 0.5), words = cropped(line.data.label, 70);
    const wide = measure(words, `${px}px ${family}`) + 18;
    const x = Math.min(Math.max(at.x - wide / 2, 6 - pan.x), Math.max(6, width - pan.x - wide - 6));
    const lowest = height - foot - 18 - pan.y;
    const heights = [at.y - 24, at.y + 24, at.y - 60, at.y + 60, lowest].filter((y) => y + pan.y > 40 && y <= lowest);
    const covered = (middle) => this.covered({ x, y: middle - 12, w: wide, h: 24 });
    const y = heights.reduce((best, middle) => (covered(middle) < covered(best) ? middle : best), heights[0] ?? lowest);
    const end = y < at.y ? y + 12 : y - 12;
    layers.above.append(drawn("g", { class: "words" },
      drawn("path", { d: `M${num(at.x)} ${num(at.y)}L${num(Math.max(x + 12, Math.min(x + wide - 12, at.x)))} ${num(end)}` }), drawn("circle", { cx: num(at.x), cy: num(at.y), r: 3 }),
      drawn("rect", { x: num(x), y: num(y - 12), width: num(wide), height: 24, rx: 12 }),
      Object.assign(drawn("text", { x: num(x + 9), y: num(y + 4) }), { textContent: words })));
  }
}

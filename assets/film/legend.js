// The legend of what is there now, with how many of each; a press picks them out.

class Legend {
  constructor(entries, changed) {
    this.entries = entries;
    this.drawnOnly = false;                 // on a stage: no entry and no count for what is there and not drawn, and no faintness
    this.oneLine = false;                   // on a stage: what has no room in it is not named
    this.chosen = new Set();
    this.box = element("div", "legend");
    this.box.setAttribute("role", "toolbar");
    this.box.setAttribute("aria-orientation", "vertical");  // left and right are steps of a film
    this.box.setAttribute("aria-label", "Legend: up and down go through it, Space picks an entry out");
    this.kinds = element("span", "of", "By kind:");
    this.buttons = entries.map((entry) => {
      const button = element("button", "entry");
      button.type = "button";
      button.tabIndex = -1;
      button.dataset.entry = `${entry.of}:${entry.name}`;
      button.append(swatch(entry), element("span", "name", entry.label), ...(entry.brief ? [element("span", "brief", entry.brief)] : []), element("span", "count"));
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        const key = `${entry.of}:${entry.name}`;
        if (!this.chosen.delete(key)) this.chosen.add(key);
        button.setAttribute("aria-pressed", String(this.chosen.has(key)));
        changed();
      });
      if (entry.of === "kind" && !this.kinds.parentNode) this.box.append(element("span", "kinds"));  // never alone at the end of a row
      if (entry.of === "kind" && !this.kinds.parentNode) this.box.lastChild.append(this.kinds, button);
      else this.box.append(button);
      return button;
    });
    this.settle = walked(this.box, "button.entry:not(.nothing, [hidden])");
  }

  // Its height is that of all entries, so that nothing moves when one comes or goes.
  reserve() {
    this.box.style.minHeight = "";
    this.box.classList.add("all");
    this.box.style.minHeight = `${this.box.offsetHeight}px`;
    this.box.classList.remove("all");
  }

  // With `totals` it says of how many the counts are, where they are more. What is neither there nor `later` is
  // not named. Signs look `as` one that is drawn now, where that is known.
  show(counts, totals = counts, later = totals, as = new Map()) {
    this.buttons.forEach((button, i) => {
      const { of, name } = this.entries[i], key = `${of}:${name}`, count = counts.get(key) ?? 0, all = this.drawnOnly ? count : totals.get(key) ?? 0;
      button.lastChild.textContent = [...new Set([count, all])].map((each) => each.toLocaleString("en")).join(" of ");
      this.sign(button, this.entries[i], as.get(key));
      const alike = of === "mark" && name === "taken" && counts.get("line:chosen");  // a line says it, too: both signs are of one entry
      if (of === "mark" && name === "taken") this.alsoSigned(swatch(this.entries[i]), Boolean(count && alike));
      const nothing = alike || (this.drawnOnly ? !count || (of === "mark" && name === "faint") : !all || !(count || later.get(key)));
      button.classList.toggle("nothing", nothing);
      if (nothing) button.tabIndex = -1;
    });
    this.fit();
    this.settle();
  }

  // What is taken now has a ring beside the sign of its line, where there are both.
  alsoSigned(ring, both) {
    const line = this.buttons.find((button) => button.dataset.entry === "line:chosen");
    line?.querySelector(".also")?.remove();
    ring.classList.add("also");
    if (both) line?.querySelector(".name").before(ring);
  }

  // Kinds go first that headings of columns name, too, then other kinds, of which none is left alone, then the lines that
  // say least, and then the last of what is left.
  fit() {
    for (const button of this.buttons) button.hidden = false;
    if (!this.oneLine) return;
    const seen = this.buttons.filter((button) => button.offsetWidth), entryOf = (button) => this.entries[this.buttons.indexOf(button)];
    const headed = seen.filter((button) => entryOf(button).headed), other = seen.filter((button) => entryOf(button).of === "kind" && !headed.includes(button));
    const left = () => seen.filter(({ hidden }) => !hidden), fits = () => left().at(-1).offsetTop <= seen[0].offsetTop;
    const drop = (buttons) => { for (const button of buttons.toReversed()) if (left().length > 1 && !fits()) button.hidden = true; };
    for (const button of headed) button.hidden = left().length > 1;  // whether there is room or not: what is said does not come and go
    const shapes = other.map((button) => entryOf(button).shape ?? entryOf(button).name);
    if (new Set(shapes).size < shapes.length) for (const button of other) button.hidden = true;  // a sign of several kinds tells none
    drop(other);
    if (other.some(({ hidden }) => hidden) && other.filter(({ hidden }) => !hidden).length === 1) for (const button of other) button.hidden = true;
    drop(seen.filter((button) => entryOf(button).of === "line"));
    drop(left());
  }

  sign(button, entry, as) {
    const told = as && JSON.stringify(as);
    if (!told || button.sign === told) return;
    button.sign = told;
    button.firstChild.replaceWith(swatch(entry, as));
  }
}

// How a star ends; until then it is just gold.
const STARS = { retrieved: "kept", lost: "lost", ghost: "unseen" };
const endOf = (role) => `gold:${STARS[role] ?? "gold"}`;

// All that the legend says of a node in its role. In a film gold is a star and has no other role but that it is looked
// at, so that every star that is drawn is counted as gold.
function meant(film, now, i, role) {
  const { gold, unjudged, whose } = film.nodes[i], once = Boolean(gold && film.frames), looked = role === "current";
  return [!(once && !looked) && `node:${role}`, `kind:${nounOf(film.nodes[i])}`, now.counts?.[i] > 1 && "mark:visits", now.sizes?.[i] && "mark:large", now.taken?.includes(+i) && "mark:taken", now.faded?.nodes[i] && "mark:faint", unjudged && "node:unjudged",
    ...(gold ? ["node:gold", endOf(role), whose && `gold:${whose}`, ["hand", "rules"].includes(gold) && `gold:${gold}`] : [])].filter(Boolean);
}

// How many of the nodes that are `there`, and of the lines between them but for `quiet` ones, have a role, a
// kind, a star.
function counted(film, there, now, quiet = new Set()) {
  const counts = new Map(), add = (key) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [i, role] of Object.entries(now.nodes)) {
    if (!there.has(+i)) continue;
    for (const key of meant(film, now, i, role)) add(key);
  }
  for (const [i, role] of Object.entries(now.lines)) {
    const { source, target } = film.lines[i];
    if (there.has(source) && there.has(target) && !quiet.has(+i)) add(`line:${role}`);
  }
  return counts;
}

// How what the legend counts is drawn now: of a role its kind, of a kind its shape, of a line whether it has a
// direction. Where they differ, a passage before others. Gold that is looked at has both signs, and each is told by its own.
function drawnAs(film, there, now, quiet) {
  const found = new Map();
  for (const [i, role] of Object.entries(now.nodes)) {
    const { kind, gold } = film.nodes[i];
    if (!there.has(+i)) continue;
    for (const key of [`node:${role}`, `kind:${nounOf(film.nodes[i])}`, ...(gold ? [endOf(role)] : [])]) {
      const had = found.get(key);
      const star = key.startsWith("gold:"), own = role === "current" ? { kind, gold: star ? gold : "", role: star ? "visited" : role } : { kind, gold, role };
      if (!had || rankedAs(own.kind, own.gold) < rankedAs(had.kind, had.gold)) found.set(key, own);
    }
  }
  for (const [i, role] of Object.entries(now.lines)) {
    const { source, target, directed } = film.lines[i], key = `line:${role}`;
    if (there.has(source) && there.has(target) && !quiet.has(+i)) found.set(key, { directed: directed || Boolean(found.get(key)?.directed) });
  }
  return found;
}

const rankedAs = (kind, gold) => 2 * Boolean(gold) + (kind !== "passage");

// What is picked out in the legend: those nodes, those lines with their ends, lines between both.
function picked(film, now, chosen) {
  if (!chosen.size) return null;
  const nodes = new Set(), lines = new Set(), ends = new Set();
  for (const [i, role] of Object.entries(now.nodes)) {
    if (meant(film, now, i, role).some((key) => chosen.has(key))) nodes.add(+i);
  }
  for (const [i, role] of Object.entries(now.lines)) {
    const { source, target } = film.lines[i];
    const own = chosen.has(`line:${role}`);
    if (own) { ends.add(source); ends.add(target); }
    if (own || (nodes.has(source) && nodes.has(target))) lines.add(+i);
  }
  return { nodes: new Set([...nodes, ...ends]), lines };
}

function swatch({ of, name, shape }, as = null) {
  const svg = drawn("svg", { viewBox: "-15 -10 30 20", class: "swatch", "aria-hidden": "true" });
  if (of === "line") {
    svg.append(drawn("g", { class: `line ${name}` },
      ...["rim", "stroke"].map((part) => drawn("path", { class: part, d: as && !as.directed ? "M-13 0H13" : "M-13 0H7" })), drawn("path", { class: "head", d: as && !as.directed ? "" : "M13 0L6 4L6 -4Z" })));
    return svg;
  }
  if (of === "mark" && name === "visits") {
    svg.append(drawn("g", { class: "counted" }, drawn("g", { class: "badge" }, drawn("rect", { x: -11, y: -7, width: 22, height: 14, rx: 7 }), Object.assign(drawn("text", { "text-anchor": "middle", y: 3.6 }), { textContent: "×n" }))));
    return svg;
  }
  if (of === "mark" && name === "origin") {
    svg.append(originMarks({ x: 13, y: -5 }, 0, false));
    return svg;
  }
  if (of === "mark" && name === "taken") {
    svg.append(drawn("g", { class: "node visited taken" }, drawn("ellipse", { class: "halo", rx: 8, ry: 8 }), drawn("path", { class: "body", d: outline("disc", 4) })));
    return svg;
  }
  if (of === "mark" && name === "large") {
    const disc = (x, r) => drawn("g", { class: "node visited", transform: `translate(${x} 0)` }, drawn("path", { class: "body", d: looks({ kind: "passage" }, "visited", r / radiusOf({ kind: "passage" }, "visited")).body }));
    svg.append(disc(-9, 4), disc(5, 8));
    return svg;
  }
  if (of === "kind") {
    const node = { kind: shape ?? name }, role = as?.role ?? "visited";
    svg.append(drawn("g", { class: "node kind" }, drawn("path", { class: "body", d: looks(node, role, 8 / radiusOf(node, role)).body })));
    return svg;
  }
  const gold = of === "gold" || ["gold", "neither"].includes(name) || Boolean(as?.gold);
  const ends = of === "gold" && Object.keys(STARS).find((role) => STARS[role] === name);
  const role = name === "faint" ? "visited" : ends || (of === "gold" && as?.role) || (ROLES[name] ? name : "plain");
  const node = { kind: as?.kind ?? "passage", gold };
  const { r, side, body, mark, down } = looks(node, role, 8 / radiusOf(node, role) * (gold ? 1.1 : 1));
  svg.append(drawn("g", { class: `node ${role} ${name === "faint" ? "faded" : ""} ${gold ? "gold" : ""} ${name === "hand" || as?.gold === "hand" ? "hand" : ""} ${name === "missed" ? name : ""}` },
    drawn("ellipse", { class: "halo", rx: num(Math.max(9.5, side + 1.5)), ry: 9.5 }), drawn("path", { class: "body", d: body }),
    drawn("path", { class: "hatch", d: name === "unjudged" ? hatching(r) : "" }),
    drawn("path", { class: "mark", d: mark, transform: `translate(0 ${down})` })));
  return svg;
}

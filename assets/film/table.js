// What lies over the drawing: it as a table, and the card of what is pointed at.

class Twin {
  // `film` is the film that is played.
  constructor(film) {
    Object.assign(this, { film, group: null });
    this.leave = tool("close", "Back to the drawing", () => this.close(), "Esc");
    this.table = element("div");
    this.box = element("div", "twin");
    this.box.hidden = true;
    this.box.append(this.leave, this.table);
  }

  get isOpen() { return !this.box.hidden; }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  // What is drawn; or of a count, what it stands for. The focus goes into it, and in the end back to where it was.
  open(group = null) {
    this.before = this.box.getRootNode().activeElement;
    this.group = group;
    this.box.hidden = false;
    this.film.drawingHolder.inert = true;
    this.show();
    (this.box.querySelector(".row") ?? this.leave).focus();
  }

  close() {
    this.box.hidden = true;
    this.film.drawingHolder.inert = false;
    this.before?.focus();
    this.film.picking.hover(null);  // who comes back sees the drawing first
  }

  show() {
    const { film, now, there } = this.film, { nodes, label } = this.group ?? {};
    const shown = (nodes ?? [...there]).filter((i) => now.nodes[i] && there.has(i) === !nodes);
    const others = nodes ? [] : [...film.nodes.keys()].filter((i) => now.nodes[i] && !there.has(i));
    keepingFocus(this.table, () => this.table.replaceChildren(nodeTable(film, now, shown, nodes ? `${shown.length} ${label}` : "What is drawn now", others)));
  }
}

// `nodes` below the `title`, and below them `others`, which are known by now and not drawn.
function nodeTable(film, now, nodes, title, others = []) {
  const table = element("table"), head = element("tr"), ranked = new Map();
  now.ranking.rows.forEach(({ node, place, score }, i) => { if (node !== undefined) ranked.set(node, { rank: (place ?? i + 1) || "", score: score ?? "" }); });
  for (const name of ["Gold", "Node", "Stands as", "Visits", "Score", "Rank"]) head.append(element("th", "", name));
  table.append(element("caption", "", title), element("thead"), nodeRows(film, now, nodes, ranked, "drawn"));
  table.tHead.append(head);
  if (others.length) {
    const body = nodeRows(film, now, others, ranked, "others"), line = element("tr", "between"), cell = element("th", "", `Not drawn now: ${others.length}`);
    cell.colSpan = head.children.length;
    line.append(cell);
    body.prepend(line);
    table.append(body);
  }
  walked(table, ".row");
  return table;
}

function nodeRows(film, now, nodes, ranked, name) {
  const body = element("tbody", name);
  for (const i of nodes) {
    const row = element("tr", "row"), { label, gold } = film.nodes[i], { rank = "", score = "" } = ranked.get(i) ?? {}, star = element("td"), called = element("td");
    row.dataset.node = i;
    if (gold) star.append(element("span", "star", starOf(gold)));
    called.append(words("", label));
    row.append(star, called, ...[roleWords(film, now, i), now.counts[i], score, rank].map((told) => element("td", "", String(told ?? ""))));
    body.append(row);
  }
  return body;
}

function card(film, now, { kind, of }) {
  const { nodes, lines } = film;
  const told = kind === "node" ? [
    ["b", nodes[of].label],
    ["em", [roleWords(film, now, of), nodes[of].gold && "gold", now.counts[of] > 1 && `${now.counts[of]} visits`].filter(Boolean).join(" · ")],
    ["p", cropped(nodes[of].text, 140)],
  ] : [
    ["b", lines[of].label || [lines[of].source, lines[of].target].map((end) => nodes[end].label).join(" → ")],
    ["em", film.roles.lines[now.lines[of]] ?? ""], ["p", lines[of].detail],
  ];
  return told.filter(([, text]) => text).map(([tag, text]) => Object.assign(element(tag, "", text), { dir: "auto" }));
}

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
    keepingFocus(this.table, () => this.table.replaceChildren(nodeTable(film, now, shown, nodes ? `${shown.length} ${label}` : "What is drawn now")));
  }
}

function nodeTable(film, now, nodes, title) {
  const ranks = new Map(now.ranking.rows.map(({ node, place }, i) => [node, (place ?? i + 1) || ""]));
  const table = element("table"), head = element("tr"), body = element("tbody");
  for (const name of ["Node", "Stands as", "Visits", "Rank"]) head.append(element("th", "", name));
  for (const i of nodes) {
    const row = element("tr", "row"), node = film.nodes[i], cell = element("td"), name = words("", node.label);
    row.dataset.node = i;
    if (node.gold) name.prepend(element("span", "star", `${starOf(node.gold)} `));
    cell.append(name);
    row.append(cell, element("td", "", roleWords(film, now, i) ?? ""), element("td", "", String(now.counts[i] ?? "")), element("td", "", String(ranks.get(i) ?? "")));
    body.append(row);
  }
  table.append(element("caption", "", title), element("thead"), body);
  table.tHead.append(head);
  walked(body);
  return table;
}

function card(film, now, { kind, of }) {
  const { nodes, lines } = film;
  const told = kind === "node" ? [
    ["b", nodes[of].label],
    ["em", [roleWords(film, now, of), nodes[of].gold && "gold", now.counts[of] > 1 && `${now.counts[of]} visits`].filter(Boolean).join(" · ")],
    ["p", cropped(nodes[of].text, 140)],
  ] : [
    ["b", lines[of].label || [lines[of].source, lines[of].target].map((end) => nodes[end].label).join(" → ")],
    ["em", LINE_WORDS[now.lines[of]] ?? ""], ["p", lines[of].detail],
  ];
  return told.filter(([, text]) => text).map(([tag, text]) => Object.assign(element(tag, "", text), { dir: "auto" }));
}

// What lies over the drawing: it as a table, and the card of what is pointed at.

class Twin {
  // `film` is the film that is played.
  constructor(film) {
    this.film = film;
    this.box = element("div", "twin");
    this.box.hidden = true;
  }

  get open() { return !this.box.hidden; }

  toggle() {
    this.box.hidden = !this.box.hidden;
    if (!this.open) return;
    this.show();
    this.box.querySelector(".row")?.focus();
  }

  // What is drawn, or only what a count stands for.
  show(only = [...this.film.there].filter((i) => this.film.now.nodes[i]), title = "What is drawn now") {
    this.box.replaceChildren(tool("close", "Back to the drawing", () => this.toggle()), nodeTable(this.film.film, this.film.now, only, title));
  }

  showGroup({ nodes, label }) {
    const there = nodes.filter((i) => this.film.now.nodes[i] && !this.film.there.has(i));
    this.box.hidden = false;
    this.show(there, `${there.length} ${label}`);
  }
}

function nodeTable(film, now, nodes, title) {
  const ranks = new Map(now.ranking.rows.map(({ node }, i) => [node, i + 1]));
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

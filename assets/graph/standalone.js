// The exported page: looks, legend, and a panel about what was clicked. `network`, `nodes` and
// `edges` are PyVis' globals; ids in them are row numbers of `graph`. Text only by textContent.
(() => {
  const graph = JSON.parse(document.getElementById("graph-data").textContent);
  const many = graph.nodes.length > 200;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  function make(tag, text = "", className = "") {
    const element = document.createElement(tag);
    element.textContent = text;
    element.className = className;
    return element;
  }

  function nodeLook(node, shown) {
    const ink = dark.matches ? "#ffffff" : "#000000";
    const fill = node.centre ? "#E69F00" : dark.matches ? "#2c5f80" : "#9fd0ee";
    return {
      label: shown ? node.label || " " : " ",
      shape: node.gold ? "star" : node.centre ? "diamond" : "dot",
      size: node.gold ? 15 : node.centre ? 14 : 9,
      borderWidth: node.gold ? 3 : 1.5, borderWidthSelected: 4,
      color: {
        background: fill, border: node.gold ? ink : "#0072B2",
        highlight: { background: fill, border: ink }, hover: { background: fill, border: ink },
      },
      font: { color: ink, size: 13, strokeWidth: 4, strokeColor: dark.matches ? "#14161c" : "#ffffff" },
    };
  }

  function repaint() {
    nodes.update(graph.nodes.map((node, id) => ({ id, ...nodeLook(node, !many || node.gold || node.centre) })));
    const line = dark.matches ? "#596070" : "#b3b9c5", strong = dark.matches ? "#ffffff" : "#1f2430";
    edges.update(graph.edges.map((edge, id) => ({ id, color: { color: line, highlight: strong, hover: strong } })));
  }

  const header = make("header"), footer = make("footer"), panel = make("aside");
  const count = (number, word) => `${number.toLocaleString("en")} ${word}`;
  document.documentElement.lang = "en";
  document.title = graph.title;
  header.append(make("h1", graph.title), make("p",
    (graph.total > graph.nodes.length ? `${graph.nodes.length.toLocaleString("en")} of ` : "")
    + `${count(graph.total, "passages")}, ${count(graph.edges.length, "edges")}`));
  const legend = [["●", "Passage", "#56B4E9"], ["→", "Edge: raised there, answered here", ""]];
  if (graph.nodes.some((node) => node.centre)) legend.unshift(["◆", "Centre", "#E69F00"]);
  if (graph.nodes.some((node) => node.gold)) legend.unshift(["★", "Gold", ""]);
  for (const [mark, name, colour] of legend) {
    const entry = make("span", name);
    entry.dataset.mark = mark;
    if (colour) entry.style.setProperty("--mark", colour);
    footer.append(entry);
  }
  document.body.prepend(header);
  document.body.append(panel, footer);

  function facts(pairs) {
    const list = make("dl");
    for (const [name, value] of pairs) list.append(make("dt", name), make("dd", value));
    return list;
  }

  function link(text, action) {
    const button = make("button", text);
    button.type = "button";
    button.addEventListener("click", action);
    return button;
  }

  function showNode(id) {
    const node = graph.nodes[id];
    const near = graph.edges.map((edge, number) => ({ edge, number }));
    const rows = [
      ["Leads to", near.filter(({ edge }) => edge.source === id), "target"],
      ["Comes from", near.filter(({ edge }) => edge.target === id), "source"],
    ].flatMap(([name, found, end]) => [
      make("p", `${name} ${found.length}`, "quiet"),
      ...found.map(({ edge, number }) => link(
        `${graph.nodes[edge[end]].title}: ${edge.question}`, () => choose("edge", number))),
    ]);
    panel.replaceChildren(make("h2", node.title), make("p", node.id, "quiet"), make("p", node.text), ...rows);
  }

  function showEdge(id) {
    const edge = graph.edges[id];
    const score = (value) => value.toFixed(3);
    panel.replaceChildren(
      make("h2", edge.question), make("p", "Edge", "quiet"),
      facts([
        ...(edge.raised ? [["Raised", edge.raised]] : []), ["Answered", edge.question], ["Keywords", edge.keywords],
        ["Similarity", score(edge.similarity)], ["Jaccard", score(edge.jaccard)], ["Cosine", score(edge.cosine)],
      ]),
      make("p", "From", "quiet"), link(graph.nodes[edge.source].title, () => choose("node", edge.source)),
      make("p", "To", "quiet"), link(graph.nodes[edge.target].title, () => choose("node", edge.target)),
    );
  }

  function choose(kind, id) {
    network.setSelection(kind === "node" ? { nodes: [id], edges: [] } : { nodes: [], edges: [id] });
    if (kind === "node") showNode(id); else showEdge(id);
    panel.scrollTop = 0;
  }

  function rest() {
    panel.replaceChildren(make("p", "Click a passage for its text, an edge for its questions and scores.", "quiet"));
  }

  network.on("click", ({ nodes: [node], edges: [edge] }) => {
    if (node !== undefined) choose("node", node);
    else if (edge !== undefined) choose("edge", edge);
    else rest();
  });
  if (many) {
    const label = (id, shown) => nodes.update({ id, label: (shown && graph.nodes[id].label) || " " });
    const keeps = (id) => graph.nodes[id].gold || graph.nodes[id].centre;
    network.on("hoverNode", ({ node }) => label(node, true));
    network.on("blurNode", ({ node }) => label(node, keeps(node)));
  }
  dark.addEventListener("change", repaint);
  repaint();
  rest();
  network.fit({ animation: false });
})();

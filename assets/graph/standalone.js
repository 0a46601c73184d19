// The exported page: looks, legend, and a panel about what was clicked. `network`, `nodes` and
// `edges` are PyVis' globals; ids in them are row numbers of `graph`. Text only by textContent.

const graph = JSON.parse(document.getElementById("graph-data").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const legend = [
  ["node", "current", "Centre", graph.nodes.some((node) => node.role === "current")],
  ["node", "gold", "Gold", graph.nodes.some((node) => node.gold)],
  ["node", "visited", "Passage", true],
  ["edge", "plain", "Edge: raised there, answered here", true],
];
let theme = readTheme(document.body);
let chosen = null, hovered = null;

function make(tag, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
}

function dress() {
  theme = readTheme(document.body);
  document.querySelector("footer").replaceChildren(...legend.filter(([, , , used]) => used).map(
    ([of, role, name]) => {
      const entry = make("span");
      entry.append(swatch(theme, of, role), name);
      return entry;
    },
  ));
  dressEdges();
}

function dressEdges() {
  const zoom = network.getScale();
  edges.update(graph.edges.map((_, id) => (
    { id, ...edgeOptions(theme, "plain", { selected: state("edge", id).selected, zoom }) }
  )));
}

function state(kind, id) {
  const is = (what) => what?.kind === kind && what.id === id;
  return { selected: is(chosen), hover: is(hovered) };
}

function renderer({ ctx, id, x, y }) {
  const node = graph.nodes[id];
  const unit = 1 / network.getScale();
  const half = Math.max(radiusOf(node), 6 * unit);
  return {
    drawNode: () => {
      node.radius = drawNode(ctx, theme, { ...node, ...state("node", id) }, x, y, unit);
      Object.assign(node, { x, y });
    },
    nodeDimensions: { width: 2 * half, height: 2 * half },
  };
}

function labelled() {
  return graph.nodes.map((node, id) => {
    const now = state("node", id);
    const named = now.selected || now.hover || node.gold || node.role === "current";
    return { ...node, ...now, label: node.title, named, urgent: named ? 1 : 0 };
  });
}

function facts(pairs) {
  const list = make("dl");
  for (const [name, value] of pairs) list.append(make("dt", name), make("dd", value));
  return list;
}

function link(text, kind, id) {
  const button = make("button", text);
  button.type = "button";
  button.addEventListener("click", () => choose({ kind, id }));
  return button;
}

function aboutNode(id) {
  const node = graph.nodes[id];
  const near = graph.edges.map((edge, number) => ({ edge, number }));
  const rows = [["Leads to", "source", "target"], ["Comes from", "target", "source"]]
    .flatMap(([name, here, there]) => {
      const found = near.filter(({ edge }) => edge[here] === id);
      return [make("p", `${name} ${found.length}`, "quiet"), ...found.map(({ edge, number }) => (
        link(`${graph.nodes[edge[there]].title}: ${edge.question}`, "edge", number)
      ))];
    });
  return [make("h2", node.title), make("p", node.id, "quiet"), make("p", node.text), ...rows];
}

function aboutEdge(id) {
  const edge = graph.edges[id];
  const scores = ["similarity", "jaccard", "cosine"].map((name) => [name, edge[name].toFixed(3)]);
  return [
    make("h2", edge.question), make("p", "Edge", "quiet"),
    facts([...(edge.raised ? [["raised", edge.raised]] : []), ["answered", edge.question],
      ["keywords", edge.keywords], ...scores]),
    make("p", "From", "quiet"), link(graph.nodes[edge.source].title, "node", edge.source),
    make("p", "To", "quiet"), link(graph.nodes[edge.target].title, "node", edge.target),
  ];
}

function choose(what) {
  chosen = what;
  const panel = document.querySelector("aside");
  const hint = "Click a passage for its text, an edge for its questions and scores.";
  const rest = () => [make("p", hint, "quiet")];
  panel.replaceChildren(...({ node: aboutNode, edge: aboutEdge }[what?.kind] ?? rest)(what?.id));
  panel.scrollTop = 0;
  dress();
}

function later(action) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, 120);
  };
}

function hover(what) {
  hovered = what;
  network.redraw();
}

function open() {
  const number = (count) => count.toLocaleString("en");
  const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
  const shown = graph.total > graph.nodes.length ? `${number(graph.nodes.length)} of ` : "";
  const header = make("header");
  header.append(make("h1", graph.title), make("p", `${shown}${counted(graph.total, "passage")}, ${counted(graph.edges.length, "edge")}`));
  document.documentElement.lang = "en";
  document.title = graph.title;
  document.body.prepend(header);
  document.body.append(make("aside"), make("footer"));
  const rows = graph.nodes.map(({ x, y }, id) => ({ id: own(id), x, y }));
  const bows = curved(
    graph.edges.map(({ source, target }, id) => ({ id, source: own(source), target: own(target) })),
    new Map(rows.map((row) => [row.id, row])),
  );
  network.setOptions(OPTIONS);
  nodes.update(rows.map((_, id) => ({ id, label: " ", shape: "custom", ctxRenderer: renderer })));
  edges.update(bows.map(({ smooth }, id) => ({ id, smooth })));
  network.on("afterDrawing", (ctx) => onScreen(ctx, network, (at, size) => (
    drawLabels(ctx, theme, labelled(), at, size, false)
  )));
  network.on("click", ({ nodes: [node], edges: [edge] }) => choose(
    node !== undefined ? { kind: "node", id: node } : edge !== undefined ? { kind: "edge", id: edge } : null,
  ));
  network.on("hoverNode", ({ node }) => hover({ kind: "node", id: node }));
  network.on("blurNode", () => hover(null));
  network.on("zoom", later(dressEdges));
  dark.addEventListener("change", dress);
  network.fit({ animation: false, maxZoomLevel: 1.3 });
  choose(null);
}

open();

// The neighbourhood as a page of its own: it needs nothing but this file.

import { button, el } from "../common/dom.js";
import { starOf } from "../common/text.js";
import { around } from "./neighbours.js";
import { Explorer } from "./explorer.js";
import { centreOf, passagesOf } from "./neighbourhood_graph.js";

/** @import { GraphData, NeighbourhoodData } from "../types/neighbourhood" */
/** @import { What } from "../graph/node_columns.js" */

const root = /** @type {HTMLElement} */ (document.querySelector(".explore"));
const panel = /** @type {HTMLElement} */ (document.querySelector(".panel"));
/** @type {NeighbourhoodData | GraphData} */
const data = JSON.parse(document.getElementById("data")?.textContent ?? "");
const graph = "columns" in data ? null : data;
const shade = matchMedia("(prefers-color-scheme: dark)");
const lights = () => {
  for (const one of [document.body, root, panel]) one.classList.toggle("dark", shade.matches);
};
lights();
shade.addEventListener("change", lights);
const explorer = new Explorer(root, { pick: tell });
document.title = data.title;
const [heading, note] = [document.querySelector("h1"), document.querySelector(".note")];
heading?.append(data.title);
note?.append(data.note);
if ("columns" in data) show(data, null);
else {
  note?.append(" ", goTo(data));
  centre(data.start);
}
Object.assign(globalThis, { __hopExplorer: explorer });

/** @param {NeighbourhoodData} drawn @param {What | null} selected */
function show(drawn, selected) {
  explorer.load(drawn, selected);
  tell(selected);
}

/** Draw the neighbourhood of a passage of the whole graph. @param {string} id */
function centre(id) {
  if (graph) show(around(graph, id), id ? { node: id } : null);
}

/** A field in which the title of a passage is chosen. @param {GraphData} graph */
function goTo({ passages }) {
  const field = /** @type {HTMLInputElement} */ (
    el("input", { list: "passages", placeholder: "Go to a passage", "aria-label": "Go to a passage" })
  );
  field.addEventListener("change", () => {
    const found = passages.find(({ title }) => title === field.value);
    if (found) centre(found.id);
    field.value = "";
  });
  const titles = passages.map(({ title }) => el("option", { value: title }));
  return el("span", {}, field, el("datalist", { id: "passages" }, ...titles));
}

/** @param {What} what */
function pick(what) {
  explorer.select(what);
  tell(what);
}

/** @param {What | null} what */
function tell(what) {
  const told = what && ("edge" in what ? edgeTold(what.edge) : passageTold(what.node));
  panel.replaceChildren(...(told ?? [el("p.quiet", {}, "Select a passage or an edge to read it.")]));
}

/** @param {string} id */
function passageTold(id) {
  const { drawn } = explorer;
  const passages = new Map((drawn ? passagesOf(drawn) : []).map((passage) => [passage.id, passage]));
  const passage = passages.get(id);
  if (!drawn || !passage) return null;
  const { title, gold, text } = passage;
  const edges = drawn.edges.filter(({ source, target }) => source === id || target === id);
  const leave = (/** @type {string} */ source) => source === id;
  return [
    el("h2", { dir: "auto" }, gold && starOf(gold), title),
    el("p.quiet", {}, `passage ${id}${gold ? " · gold" : ""}${gold === "hand" ? ", marked by hand" : ""}`),
    graph && id !== centreOf(drawn)?.id && button("Centre here", "", () => centre(id), { class: "word" }),
    el("p.text", { dir: "auto" }, text),
    el("h3", {}, `Edges drawn (${edges.length})`),
    ...edges.map((edge) =>
      el(
        "button.word",
        { type: "button", dir: "auto", onclick: () => pick({ edge: edge.id }) },
        `${leave(edge.source) ? "→" : "←"} ${passages.get(leave(edge.source) ? edge.target : edge.source)?.title} `,
        el("small", {}, edge.similarity.toFixed(3)),
      ),
    ),
  ].filter((one) => one instanceof Node);
}

/** @param {string} id */
function edgeTold(id) {
  const { drawn } = explorer;
  const edge = drawn?.edges.find((one) => one.id === id);
  if (!drawn || !edge) return null;
  const end = (/** @type {string} */ passage) =>
    button(
      passagesOf(drawn).find((one) => one.id === passage)?.title ?? "",
      "",
      () => pick({ node: passage }),
      {
        class: "word",
        dir: "auto",
      },
    );
  const { jaccard, cosine, similarity } = edge;
  const scores = Object.entries({ Jaccard: jaccard, Cosine: cosine, Similarity: similarity });
  return [
    el("h2", {}, "Edge"),
    end(edge.source),
    el("h3", {}, "raises"),
    el("p.text", { dir: "auto" }, edge.raised),
    end(edge.target),
    el("h3", {}, "answers"),
    el("p.text", { dir: "auto" }, edge.question),
    el("p.quiet", {}, scores.map(([name, value]) => `${name} ${value.toFixed(3)}`).join(" · ")),
  ];
}

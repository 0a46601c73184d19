// The whole walk as a graph: nodes in columns, laid out by the browser, with edges between them.

import { button, el, svg } from "../common/dom.js";
import { dotOf, edgesOf, shapeOf } from "./graph_marks.js";
import { isGold } from "../walkthrough/model.js";
import { SIGNED } from "./overview.js";

/** @import { View } from "../types/view" */
/** @import { State, WalkthroughData } from "../types/contract" */
/** @import { Point } from "./graph_marks.js" */

/** Room for a node in px: the largest at which all columns fit, or are least too wide. */
const ROOMS = [30, 24, 18, 14, 11];
const HEADING = 50;
const RADIUS = 5;

/** @param {View} view @param {string} id @returns {State} */
const stateOf = (view, id) => view.data.states[view.stop.states].nodes[id] ?? "unseen";

/** @param {View} view */
export function graphOf(view) {
  const { data, options } = view;
  const nodes = Object.entries(data.nodes);
  const columns = data.columns.map((heading, number) => {
    const ids = nodes.filter(([, node]) => node.column === number).map(([id]) => id);
    return el(
      "section.column",
      {},
      el("h4", {}, heading, el("small", {}, `· ${ids.length}`)),
      el("ol", { "data-count": ids.length }, ...ids.map((id) => el("li", {}, nodeOf(view, id)))),
    );
  });
  const stage = el(
    `div.stage.of-graph${options.names ? ".with-names" : ""}`,
    { role: "group", "aria-label": "Graph of the whole walk" },
    el("div.columns", {}, ...columns),
  );
  const point = (/** @type {Event} */ event) => {
    const of = event.target instanceof Element ? event.target.closest("[data-node]") : null;
    light(stage, view, of instanceof HTMLElement ? (of.dataset.node ?? "") : selectedNode(view));
  };
  for (const name of ["pointerover", "focusin"]) stage.addEventListener(name, point);
  return stage;
}

/** @param {View} view */
const selectedNode = ({ selected }) => (selected && "node" in selected ? selected.node : "");

/** @param {View} view @param {string} id */
function nodeOf(view, id) {
  const node = view.data.nodes[id];
  const state = stateOf(view, id);
  const gold = isGold(node);
  const term = view.data.legend.find((one) => one.key === state);
  const told = [term?.label ?? "Not reached yet", gold && "Gold"].filter(Boolean).join(", ");
  const off = view.options.only && !(view.options.only === "gold" ? gold : view.options.only === state);
  const look = `is-${state}${gold ? " gold" : ""}`;
  const shape = shapeOf(gold, node.kind === "passage", state === "retrieved");
  const r = state === "cut_off" ? RADIUS / 2 : RADIUS;
  return el(
    `button.node.${look.replaceAll(" ", ".")}${off ? ".off" : ""}${selectedNode(view) === id ? ".selected" : ""}`,
    {
      type: "button",
      key: `graph:${id}`,
      "data-node": id,
      "aria-label": `${node.title}: ${told}`,
      onclick: () => view.act.select({ node: id }),
    },
    svg(
      "svg",
      { class: "mark", viewBox: "-8 -8 16 16", "aria-hidden": "true" },
      dotOf({ id, title: "", shape, look, x: 0, y: 0, r }),
    ),
    el("span.name", { dir: "auto" }, node.title),
    el("small.told", {}, told),
  );
}

/**
 * Give the columns of a drawn graph as much room as there is, and draw the edges.
 *
 * @param {HTMLElement} stage
 * @param {View} view
 */
export function layOut(stage, view) {
  const columns = /** @type {HTMLElement} */ (stage.querySelector(".columns"));
  if (view.options.names) return;
  const widths = ROOMS.map((room) => giveRoom(columns, room));
  giveRoom(columns, ROOMS[widths.indexOf(Math.min(...widths))]);
  drawEdges(columns, view);
  light(stage, view, selectedNode(view));
}

/** Set the room of each node; the width that all then need. @param {HTMLElement} columns @param {number} room */
function giveRoom(columns, room) {
  const rows = Math.max(1, Math.floor((columns.clientHeight - HEADING) / room));
  columns.style.setProperty("--room", `${room}px`);
  for (const list of columns.querySelectorAll("ol")) {
    const nodes = Number(list.dataset.count);
    list.style.setProperty("--rows", String(Math.ceil(nodes / Math.max(1, Math.ceil(nodes / rows)))));
  }
  return columns.scrollWidth;
}

/** @param {HTMLElement} columns @param {View} view */
function drawEdges(columns, view) {
  const { data, stop } = view;
  const frame = columns.getBoundingClientRect();
  /** @type {Map<string, Point>} */
  const at = new Map();
  for (const node of columns.querySelectorAll(".node")) {
    const box = /** @type {Element} */ (node.querySelector(".mark")).getBoundingClientRect();
    const id = /** @type {HTMLElement} */ (node).dataset.node ?? "";
    at.set(id, [(box.left + box.right) / 2 - frame.left, (box.top + box.bottom) / 2 - frame.top]);
  }
  const now = new Set([stop.arrived_by, ...stop.candidates.map((one) => one.edge)]);
  const { followed, not_followed } = data.states[stop.states];
  const both = twoWay(data, followed);
  const edges = [
    ...not_followed.flatMap((id) => edge(view, id, "refused", now)),
    ...followed.flatMap((id) => edge(view, id, both.has(id) ? "followed both" : "followed", now)),
  ];
  const size = { width: columns.scrollWidth, height: columns.scrollHeight };
  const click = (/** @type {string} */ id) => view.act.select({ edge: id });
  const drawn = edgesOf(at, edges, click);
  columns.prepend(svg("svg", { class: "ways", ...size, "aria-hidden": "true" }, ...drawn));
}

/** @param {View} view @param {string} id @param {string} look @param {Set<string>} now */
function edge({ data }, id, look, now) {
  const known = data.edges[id];
  if (!known) return [];
  const { source, target, question } = known;
  return [{ id, source, target, look: `${look}${now.has(id) ? " on" : ""}`, title: question }];
}

/** The edges that were followed in both directions. @param {WalkthroughData} data @param {string[]} followed */
export function twoWay({ edges }, followed) {
  const known = followed.filter((id) => edges[id]);
  const there = new Set(known.map((id) => `${edges[id].source}\n${edges[id].target}`));
  return new Set(known.filter((id) => there.has(`${edges[id].target}\n${edges[id].source}`)));
}

/** Show the edges of a node before all others. @param {HTMLElement} stage @param {View} view @param {string} node */
function light(stage, { data, selected }, node) {
  const chosen = selected && "edge" in selected ? selected.edge : "";
  stage.classList.toggle("lit", Boolean(node || chosen));
  for (const way of stage.querySelectorAll(".way")) {
    const id = /** @type {SVGElement} */ (way).dataset.edge ?? "";
    const { source, target } = data.edges[id];
    way.classList.toggle("lit", id === chosen || source === node || target === node);
  }
}

/** The legend with counts; a press leaves one of its terms alone in sight. @param {View} view */
export function filtersOf(view) {
  const { data, stop, options, act } = view;
  const ids = Object.keys(data.nodes).filter((id) => data.nodes[id].column >= 0);
  const of = (/** @type {string} */ key) =>
    ids.filter((id) => (key === "gold" ? isGold(data.nodes[id]) : stateOf(view, id) === key)).length;
  const { followed, not_followed } = data.states[stop.states];
  const line = (/** @type {string} */ look, /** @type {string} */ label, /** @type {number} */ found) =>
    el(`li.line.${look}`, {}, el("i"), `${label} ${found}`);
  const ever = data.states.some((one) => twoWay(data, one.followed).size > 0);
  return el(
    "div.filters",
    {},
    el(
      "ul.legend",
      { "aria-label": "Legend" },
      ...data.legend
        .filter((term) => SIGNED.has(term.key))
        .map((term) =>
          el(
            `li.is-${term.key}`,
            {},
            el(
              "button",
              {
                type: "button",
                title: `${term.meaning} Select to show only these.`,
                "aria-pressed": String(options.only === term.key),
                onclick: () => act.show({ only: options.only === term.key ? "" : term.key }),
              },
              el("i.sign"),
              `${term.label} ${of(term.key)}`,
            ),
          ),
        ),
      line("followed", "Edge followed", followed.length),
      ever && line("both", "Two-way edge", twoWay(data, followed).size),
      line("refused", "Edge not followed", not_followed.length),
    ),
    button("Names", "Show all titles instead of edges", () => act.show({ names: !options.names }), {
      class: "names",
      "aria-pressed": String(options.names),
    }),
  );
}

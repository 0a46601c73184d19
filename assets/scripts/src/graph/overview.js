// The whole walk as dots in columns: a map of where the stage looks.

import { el, svg } from "../common/dom.js";
import { dotOf, edgesOf, shapeOf } from "./graph_marks.js";
import { isGold } from "../walkthrough/model.js";

/** @import { WalkthroughData } from "../types/contract" */
/** @import { View } from "../types/view" */
/** @import { PlacedEdge, PlacedNode } from "./graph_marks.js" */

const DOT = 13;
const LETTER = 6.4; // pixels, on average
/** Terms of the legend that are states of a node, or say that it is gold. */
export const SIGNED = new Set([
  "gold",
  "queued",
  "current",
  "visited",
  "retrieved",
  "cut_off",
  "not_followed",
  "missed",
]);

/**
 * The places of all nodes, column by column, each filled from the top.
 *
 * @param {WalkthroughData} data
 * @param {number} width
 * @param {number} height
 */
export function places(data, width, height) {
  const rows = Math.max(1, Math.floor((height - 20) / DOT));
  const nodes = Object.entries(data.nodes);
  const columns = data.columns.map((_, c) => nodes.filter(([, node]) => node.column === c).map(([id]) => id));
  const wide = columns.map((ids) => Math.max(1, Math.ceil(ids.length / rows)));
  const dots = wide.reduce((sum, one) => sum + one, 0);
  const cell = Math.min(DOT, (width * 0.62) / Math.max(dots, 1));
  const gap = columns.length > 1 ? Math.min(170, (width - 16 - dots * cell) / (columns.length - 1)) : 0;
  /** @type {Map<string, [number, number]>} */
  const at = new Map();
  let x = 8;
  const heads = columns.map((ids, c) => {
    const left = x;
    ids.forEach((id, n) =>
      at.set(id, [left + cell / 2 + cell * Math.floor(n / rows), 24 + DOT * (n % rows)]),
    );
    x += cell * wide[c] + gap;
    return { label: data.columns[c], x: left };
  });
  return { at, heads, cell };
}

/** @param {View} view @param {number} width @param {number} height */
export function overviewOf(view, width, height) {
  const { data, stop } = view;
  const { at, heads, cell } = places(data, width, height);
  const states = data.states[stop.states];
  const shown = shownNodes(view);
  const box = frameOf([...shown].map((id) => at.get(id)).filter((one) => one !== undefined));
  const labels = apart(withoutRepeats(heads), width);
  return svg(
    "svg",
    {
      class: "overview",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": "Overview of the whole walk",
    },
    box && svg("rect", { class: "window", ...box, rx: 7 }),
    ...labels.map((head) => headOf(head, width)),
    ...edgesOf(
      at,
      states.followed.filter((id) => view.data.edges[id]).map((id) => followedEdge(view, id, shown)),
    ),
    ...[...at].map(([id, place]) => {
      const [state, r] = [states.nodes[id] ?? "unseen", Math.min(4.4, cell * 0.36)];
      return dotOf(placedNode(view, id, state, place, r, shown.has(id)), view.act.toNode);
    }),
  );
}

/**
 * One name for neighbours of one name, such as the query of a search and the passages it finds.
 *
 * @template {{ label: string }} Head
 * @param {Head[]} heads
 */
export const withoutRepeats = (heads) => heads.filter(({ label }, n) => label !== heads[n - 1]?.label);

/** Names that do not run into each other, the last ones first. @param {{ label: string, x: number }[]} heads @param {number} width */
function apart(heads, width) {
  let free = width + LETTER;
  return [...heads].reverse().filter((head) => {
    const wide = head.label.length * LETTER;
    const start = isLast(head, width) ? width - 2 - wide : head.x;
    if (start + wide + LETTER > free) return false;
    free = start;
    return true;
  });
}

/** Whether the name of a column has to end where the drawing does. @param {{ x: number }} head @param {number} width */
const isLast = (head, width) => head.x > width - 70;

/** The name of a column; the last one ends where the drawing does. @param {{ label: string, x: number }} head @param {number} width */
function headOf(head, width) {
  const ends = isLast(head, width);
  return svg(
    "text",
    { x: ends ? width - 2 : head.x, y: 11, class: "head", "text-anchor": ends ? "end" : "start" },
    head.label,
  );
}

/** Nodes that are on the stage. @param {View} view @returns {Set<string>} */
function shownNodes({ stop }) {
  const cards = stop.chain
    ? stop.chain.cards
    : [stop.here, ...(stop.came_from ? [stop.came_from] : []), ...stop.candidates.map((one) => one.card)];
  return new Set([...cards.map((card) => card.node), ...stop.folded.map((one) => one.node)]);
}

/** @param {[number, number][]} found */
function frameOf(found) {
  if (!found.length) return null;
  const [xs, ys] = [found.map(([x]) => x), found.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - 9, Math.min(...ys) - 9];
  return { x: left, y: top, width: Math.max(...xs) + 9 - left, height: Math.max(...ys) + 9 - top };
}

/** @param {View} view @param {string} id @param {Set<string>} shown @returns {PlacedEdge} */
function followedEdge(view, id, shown) {
  const { source, target } = view.data.edges[id];
  return { id, source, target, look: shown.has(source) && shown.has(target) ? "on" : "" };
}

/** @param {View} view @param {string} id @param {string} state @param {[number, number]} place @param {number} r @param {boolean} shown @returns {PlacedNode} */
function placedNode(view, id, state, [x, y], r, shown) {
  const node = view.data.nodes[id];
  const gold = isGold(node);
  const shape = shapeOf(gold, node.kind === "passage", state === "retrieved");
  const look = `is-${state}${gold ? " gold" : ""}${shown ? " shown" : ""}`;
  return { id, title: node.title, shape, look, x, y, r: state === "cut_off" ? r * 0.5 : r };
}

/** What the signs of cards and dots mean. @param {View} view */
export const legendOf = (view) =>
  el(
    "ul.legend",
    { "aria-label": "Legend" },
    ...view.data.legend
      .filter((term) => SIGNED.has(term.key))
      .map((term) => el(`li.is-${term.key}`, { title: term.meaning }, el("i.sign"), term.label)),
  );

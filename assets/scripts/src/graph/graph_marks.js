// Nodes as signs and edges as curves, in SVG, at given places. It knows neither where a node stands
// nor what a look means: callers give both, and style sheets do the rest.

import { svg } from "../common/dom.js";

export const STAR = "M0,-7L1.9,-2.4L6.8,-2.2L3,.9L4.2,5.7L0,3L-4.2,5.7L-3,.9L-6.8,-2.2L-1.9,-2.4Z";
const STAR_RADIUS = 4.4;

/** @typedef {[number, number]} Point */
/** @typedef {"dot" | "star" | "diamond" | "square"} Shape a passage, gold, another thing, or retrieved */

/**
 * @typedef {object} PlacedNode
 * @property {string} id
 * @property {string} title shown on hover, and read by a screen reader
 * @property {Shape} shape
 * @property {string} look classes of its state
 * @property {number} x
 * @property {number} y
 * @property {number} r half its width
 */

/**
 * @typedef {object} PlacedEdge
 * @property {string} id
 * @property {string} source id of a node
 * @property {string} target id of a node
 * @property {string} look classes of its state
 * @property {string} [title]
 */

/**
 * Draw edges; those with an end that has no place are left out.
 *
 * @param {Map<string, Point>} at places of nodes
 * @param {PlacedEdge[]} edges
 * @param {(id: string) => void} [clicked]
 * @returns {SVGElement[]}
 */
export const edgesOf = (at, edges, clicked) =>
  edges.flatMap((edge) => {
    const [source, target] = [at.get(edge.source), at.get(edge.target)];
    return source && target ? [edgeOf(edge, source, target, clicked)] : [];
  });

/** Which sign a node has. @param {boolean} gold @param {boolean} passage @param {boolean} retrieved @returns {Shape} */
export function shapeOf(gold, passage, retrieved) {
  if (gold) return "star";
  if (!passage) return "diamond";
  return retrieved ? "square" : "dot";
}

/** The path of an edge: a curve between columns, or a bow beside one. @param {Point} a @param {Point} b */
function curveOf([fromX, fromY], [toX, toY]) {
  const across = toX - fromX;
  const bend = Math.max(16, Math.abs(across) / 2) * (across > -30 ? 1 : -1);
  const end = Math.abs(across) < 30 ? toX + bend : toX - bend;
  return `M${fromX},${fromY}C${fromX + bend},${fromY} ${end},${toY} ${toX},${toY}`;
}

/** @param {PlacedEdge} edge @param {Point} a @param {Point} b @param {((id: string) => void) | undefined} clicked */
function edgeOf(edge, a, b, clicked) {
  const click = clicked && (() => clicked(edge.id));
  const props = { class: `way ${edge.look}`, d: curveOf(a, b), "data-edge": edge.id, onclick: click };
  return svg("path", props, edge.title && svg("title", {}, edge.title));
}

/** @param {PlacedNode} node @param {(id: string) => void} [clicked] */
export function dotOf(node, clicked) {
  const { id, x, y, r, shape } = node;
  const click = clicked && (() => clicked(id));
  const props = { class: `dot ${node.look}`, "data-node": id, onclick: click };
  const title = svg("title", {}, node.title);
  if (shape === "star")
    return svg(
      "path",
      { ...props, d: STAR, transform: `translate(${x},${y}) scale(${Math.max(1, r / STAR_RADIUS)})` },
      title,
    );
  if (shape === "dot") return svg("circle", { ...props, cx: x, cy: y, r }, title);
  const half = shape === "diamond" ? r * 0.8 : r;
  const turned = shape === "diamond" ? { transform: `rotate(45 ${x} ${y})` } : {};
  return svg(
    "rect",
    { ...props, ...turned, x: x - half, y: y - half, width: 2 * half, height: 2 * half },
    title,
  );
}

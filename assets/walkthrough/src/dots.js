// Nodes as signs and edges as curves, in SVG, at given places. It knows neither where a node stands
// nor what a look means: callers give both, and style sheets do the rest.

import { svg } from "./dom.js";

export const STAR = "M0,-7L1.9,-2.4L6.8,-2.2L3,.9L4.2,5.7L0,3L-4.2,5.7L-3,.9L-6.8,-2.2L-1.9,-2.4Z";
const STAR_RADIUS = 4.4;

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
 * Draw edges, and nodes in front of them. Edges with an end that is not among `nodes` are left out.
 *
 * @param {PlacedNode[]} nodes
 * @param {PlacedEdge[]} edges
 * @param {{ node?: (id: string) => void, edge?: (id: string) => void }} [clicked]
 * @returns {SVGElement[]}
 */
export function dotsOf(nodes, edges, clicked = {}) {
  return [...edgesOf(nodes, edges, clicked.edge), ...nodes.map((node) => dotOf(node, clicked.node))];
}

/**
 * Draw edges alone; those with an end that is not among `nodes` are left out.
 *
 * @param {PlacedNode[]} nodes
 * @param {PlacedEdge[]} edges
 * @param {(id: string) => void} [clicked]
 * @returns {SVGElement[]}
 */
export function edgesOf(nodes, edges, clicked) {
  const at = new Map(nodes.map((node) => [node.id, node]));
  const drawn = edges.map((edge) => {
    const [source, target] = [at.get(edge.source), at.get(edge.target)];
    return source && target && edgeOf(edge, source, target, clicked);
  });
  return drawn.filter((one) => one !== undefined);
}

/** Which sign a node has. @param {boolean} gold @param {boolean} passage @param {boolean} retrieved @returns {Shape} */
export function shapeOf(gold, passage, retrieved) {
  if (gold) return "star";
  if (!passage) return "diamond";
  return retrieved ? "square" : "dot";
}

/** The path of an edge: a curve between columns, or a bow beside one. @param {PlacedNode} a @param {PlacedNode} b */
function curveOf(a, b) {
  const across = b.x - a.x;
  const bend = Math.max(16, Math.abs(across) / 2) * (across > -30 ? 1 : -1);
  const end = Math.abs(across) < 30 ? b.x + bend : b.x - bend;
  return `M${a.x},${a.y}C${a.x + bend},${a.y} ${end},${b.y} ${b.x},${b.y}`;
}

/** @param {PlacedEdge} edge @param {PlacedNode} a @param {PlacedNode} b @param {((id: string) => void) | undefined} clicked */
function edgeOf(edge, a, b, clicked) {
  const click = clicked && (() => clicked(edge.id));
  const props = { class: `way ${edge.look}`, d: curveOf(a, b), "data-edge": edge.id, onclick: click };
  return svg("path", props, edge.title && svg("title", {}, edge.title));
}

/** @param {PlacedNode} node @param {((id: string) => void) | undefined} clicked */
function dotOf(node, clicked) {
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

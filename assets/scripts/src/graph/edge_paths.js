// Edges between boxes in columns, as paths.

import { el, svg } from "../common/dom.js";

/** @import { ColumnEdge } from "./node_columns.js" */
/** @typedef {{ left: number, right: number }} Reach from where to where a box goes */
/** @typedef {Reach & { top: number, bottom: number, column: Reach }} Place the box of a node, and its column */

const GAP = 4; // px between an edge and what it joins
const BOW = 22; // px that an edge within a column reaches out of it
const APART = 6; // px between the ends of edges at most
const STRAIGHT = 7; // px of an edge before its arrowhead

/**
 * The paths of edges; those with an end that has no place are left out.
 *
 * @param {ColumnEdge[]} edges
 * @param {Map<string, Place>} places of nodes
 */
export function pathsOf(edges, places) {
  const drawn = edges.flatMap((edge) => {
    const [a, b] = [places.get(edge.source), places.get(edge.target)];
    return a && b ? [{ edge, a, b }] : [];
  });
  const ends = drawn.flatMap(({ edge, a, b }) => [
    { at: `${edge.source} ${a.column.left <= b.column.left}`, edge, box: a, other: b },
    { at: `${edge.target} ${b.column.left <= a.column.left}`, edge, box: b, other: a },
  ]);
  /** Where each edge meets its source and its target. @type {Map<ColumnEdge, Map<Place, number>>} */
  const meets = new Map(edges.map((edge) => [edge, new Map()]));
  for (const same of Map.groupBy(ends, ({ at }) => at).values()) {
    const { top, bottom } = same[0].box;
    const apart = Math.min(APART, (bottom - top - 4) / same.length);
    same.sort((one, two) => one.other.top + one.other.bottom - two.other.top - two.other.bottom);
    for (const [n, { edge, box }] of same.entries())
      meets.get(edge)?.set(box, (top + bottom) / 2 + (n - (same.length - 1) / 2) * apart);
  }
  const columns = columnsOf(places);
  return drawn.map(({ edge, a, b }) => {
    const [from, to] = [a, b].map((box) => meets.get(edge)?.get(box) ?? 0);
    return { ...edge, d: pathOf(a, b, from, to, columns) };
  });
}

/** The places of each column, from left to right. @param {Map<string, Place>} places */
function columnsOf(places) {
  const columns = [...Map.groupBy(places.values(), ({ column }) => column.left).values()];
  return columns.sort(([one], [other]) => one.column.left - other.column.left);
}

/**
 * The height, nearest to `wanted`, at which a column can be crossed between its rows.
 *
 * @param {Place[]} column
 * @param {number} wanted
 */
function crossing(column, wanted) {
  const rows = [...column].sort((one, other) => one.top - other.top);
  const first = rows[0].top - APART;
  const between = rows.slice(1).map(({ top }, n) => (rows[n].bottom + top) / 2);
  const heights = [first, ...between, (rows.at(-1)?.bottom ?? first) + APART];
  const free = heights.filter((y) => rows.every(({ top, bottom }) => y <= top || y >= bottom));
  if (rows.every(({ top, bottom }) => wanted < top - GAP || wanted > bottom + GAP)) return wanted;
  return free.reduce((best, y) => (Math.abs(y - wanted) < Math.abs(best - wanted) ? y : best), first);
}

/**
 * The path of an edge. It bends beside the columns alone, and crosses those on its way between two
 * of their rows, so that it covers no name.
 *
 * @param {Place} a
 * @param {Place} b
 * @param {number} from where it leaves a
 * @param {number} to where it comes to b
 * @param {Place[][]} columns
 */
function pathOf(a, b, from, to, columns) {
  if (a.column.left === b.column.left) {
    const edge = a.column.right + GAP;
    return `M${a.right + GAP},${from}H${edge}C${edge + BOW},${from} ${edge + BOW},${to} ${edge},${to}H${b.right + GAP}`;
  }
  const forward = a.column.left < b.column.left;
  const leave = forward ? a.column.right + GAP : a.column.left - GAP;
  const arrive = forward ? b.column.left - GAP - STRAIGHT : b.column.right + GAP + STRAIGHT;
  const [start, end] = forward ? [a.right + GAP, b.left - GAP] : [a.left - GAP, b.right + GAP];
  const [low, high] = forward ? [a, b] : [b, a];
  const crossed = columns.filter(
    ([{ column }]) => column.left > low.column.left && column.left < high.column.left,
  );
  let [x, y, path] = [leave, from, `M${start},${from}H${leave}`];
  const bend = (/** @type {number} */ toX, /** @type {number} */ toY) => {
    const middle = (x + toX) / 2;
    path += `C${middle},${y} ${middle},${toY} ${toX},${toY}`;
    [x, y] = [toX, toY];
  };
  for (const column of forward ? crossed : crossed.reverse()) {
    const { left, right } = column[0].column;
    const [near, far] = forward ? [left - GAP, right + GAP] : [right + GAP, left - GAP];
    bend(near, crossing(column, y + ((to - y) * (near - x)) / (arrive - x)));
    path += `H${far}`;
    x = far;
  }
  bend(arrive, to);
  return `${path}H${end}`;
}

export const arrowhead = () =>
  svg(
    "defs",
    {},
    svg(
      "marker",
      {
        id: "arrow",
        viewBox: "0 0 8 8",
        refX: 6,
        refY: 4,
        markerWidth: 10,
        markerHeight: 10,
        markerUnits: "userSpaceOnUse",
        orient: "auto",
      },
      svg("path", { d: "M0,0.8L7,4L0,7.2Z", fill: "context-stroke" }),
    ),
  );

/** The sign of an edge, for a legend. @param {string} look */
export const edgeSign = (look) =>
  svg(
    "svg",
    { class: "ways sign-of-edge", width: 34, height: 12, viewBox: "0 0 34 12", "aria-hidden": "true" },
    svg("path", { class: `way ${look}`, d: "M1,6L31,6" }),
  );

/**
 * An entry of a legend with its count; a press brings what it names to the front.
 *
 * @param {Node} sign
 * @param {string} label
 * @param {string} found how many there are
 * @param {boolean} pressed
 * @param {(event: Event) => void} onclick
 */
export const legendEntry = (sign, label, found, pressed, onclick) =>
  el(
    "button.entry",
    { type: "button", title: "Bring these to the front", "aria-pressed": String(pressed), onclick },
    sign,
    `${label} · `,
    el("b", {}, found),
  );

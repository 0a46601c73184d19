// What is drawn of a difference: a pure function of the data and of what is looked at.

import { isOf, signIn, spokenOf } from "./signs.js";

/** @import { DifferenceData, LegendData, ViewName } from "../types/difference" */
/** @import { What } from "../graph/node_columns.js" */
/**
 * @typedef {object} Looking
 * @property {ViewName} view
 * @property {number | null} stop a stop, or null for the whole
 * @property {LegendData | null} term the term of the legend that is lit
 * @property {What | null} selected
 */

/** @param {DifferenceData} data @param {Looking} looking */
export function graphOf(data, { view, stop, term, selected }) {
  const until = stop === null ? null : new Set(data.stops[stop].nodes);
  const nodes = new Set(
    data.views[view].flatMap((column) => column.nodes).filter((n) => !until || until.has(n)),
  );
  const edges = data.edges.filter(
    ({ source, target, leads }) => nodes.has(source) && nodes.has(target) && (leads || view === "everything"),
  );
  const lit = stop === null ? [] : data.stops[stop].lit;
  const isLit = (/** @type {number} */ n) => {
    if (term?.of === "edge")
      return data.edges.some(
        ({ whose, source, target }) => whose === term.name && (source === n || target === n),
      );
    if (term) return isOf(term, data.nodes[n], data.gold.find((gold) => gold.node === n) ?? null);
    return !lit.length || lit.includes(n);
  };
  const chosenNode = selected && "node" in selected ? selected.node : null;
  const chosenEdge = selected && "edge" in selected ? selected.edge : null;
  const columns = data.views[view].map((column) => ({
    heading: column.heading,
    nodes: column.nodes.map((n) => {
      const node = data.nodes[n];
      const looks = [
        `is-${node.whose}`,
        node.lost && "is-lost",
        String(n) === chosenNode && "selected",
        n === data.parting.node && "is-parting",
        !nodes.has(n) && "off",
        !isLit(n) && "dim",
      ];
      return {
        id: String(n),
        name: node.name,
        before: node.ranks,
        gold: node.gold,
        sign: signIn(data, node.whose),
        look: looks.filter(Boolean).join(" "),
        spoken: spokenOf(data, node),
      };
    }),
    counts: column.left_out.map(({ label, nodes: left }) => ({
      id: "",
      label: `+${left.length} ${label}`,
      told: left
        .slice(0, 20)
        .map((n) => data.nodes[n].label)
        .join("\n"),
    })),
  }));
  const drawn = edges.map(({ id, source, target, whose, directed }) => {
    const dim = term?.of === "edge" ? term.name !== whose : !isLit(source) || !isLit(target);
    const looks = [`is-${whose}`, !directed && "undirected", id === chosenEdge && "near", dim && "dim"];
    return { id, source: String(source), target: String(target), look: looks.filter(Boolean).join(" ") };
  });
  return { columns, edges: drawn, shown: { nodes, edges } };
}

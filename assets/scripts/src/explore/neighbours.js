// The neighbours of a passage in a whole graph, as columns.

/** @import { GraphData, NeighbourhoodData, Side } from "../types/neighbourhood" */

const HEADINGS = { "-1": "Edges in", 0: "Centre", 1: "Edges out" };

/** @param {GraphData} graph @param {string} centre id of a passage @returns {NeighbourhoodData} */
export function around(graph, centre) {
  const joined = graph.edges
    .filter(({ source, target }) => source === centre || target === centre)
    .sort((a, b) => b.similarity - a.similarity);
  /** The side of each passage is that of its most similar edge. @type {Map<string, Side>} */
  const sides = new Map([[centre, 0]]);
  for (const { source, target } of joined) {
    const [other, side] = source === centre ? [target, 1] : [source, -1];
    if (!sides.has(other)) sides.set(other, /** @type {Side} */ (side));
  }
  const known = new Map(graph.passages.map((passage) => [passage.id, passage]));
  const columns = /** @type {Side[]} */ ([-1, 0, 1]).map((side) => ({
    heading: HEADINGS[side],
    side,
    passages: [...sides.keys()]
      .filter((id) => sides.get(id) === side)
      .flatMap((id) => known.get(id) ?? [])
      .map((passage) => /** @type {typeof passage} */ ({ ...passage, role: side ? "neighbour" : "centre" })),
    counts: [],
  }));
  return {
    title: graph.title,
    note: graph.note,
    columns: columns.filter(({ passages }) => passages.length),
    edges: graph.edges
      .filter(({ source, target }) => sides.has(source) && sides.has(target))
      .map((edge) => (joined.includes(edge) ? edge : { ...edge, role: "across", fade: 2 })),
  };
}

// What is drawn of a neighbourhood: a pure function of the data and of what is looked at.

/** @import { EdgeData, NeighbourhoodData, PassageData } from "../types/neighbourhood" */
/** @import { What } from "../graph/node_columns.js" */

const CENTRE = "centre";

/** The terms of the legend for passages and edges, in its order. @type {Record<string, string>} */
export const PASSAGE_TERMS = {
  centre: "Centre",
  held: "Compared with",
  expanded: "Expanded",
  collapsed: "Collapsed",
  neighbour: "Neighbour",
};
/** @type {Record<string, string>} */
export const EDGE_TERMS = {
  between: "Between the two",
  tree: "Edge: asks → answers",
  across: "Edge across columns (when selected)",
};
export const GOLD_TERM = "gold";

/** @param {NeighbourhoodData} drawn */
export const passagesOf = ({ columns }) => columns.flatMap(({ passages }) => passages);

/** The passage in the middle. @param {NeighbourhoodData} drawn */
export const centreOf = (drawn) => passagesOf(drawn).find(({ role }) => role === CENTRE);

/** What of a passage is a term of the legend. @param {PassageData} passage */
export const termsOf = ({ role, gold }) => (gold ? [role, GOLD_TERM] : [role]);

/**
 * @param {NeighbourhoodData} drawn
 * @param {What | null} selected
 * @param {Set<string>} chosen terms of the legend; what has none of them is dimmed, unless there are none
 */
export function graphOf(drawn, selected, chosen) {
  const lit = chosen.size ? litOf(drawn, chosen) : null;
  const near = nearOf(drawn, selected);
  const node = selected && "node" in selected ? selected.node : "";
  const edge = selected && "edge" in selected ? selected.edge : "";
  const centre = centreOf(drawn)?.id;
  const columns = drawn.columns.map(({ heading, side, passages, counts }) => {
    const told = counts.map(({ passage, label, told }) => ({ id: passage, label, told }));
    return {
      heading,
      mirrored: side < 0,
      nodes: passages.map((passage) => ({
        id: passage.id,
        name: passage.title,
        before: "",
        gold: passage.gold,
        sign: "",
        look: looksOf(passage, {
          selected: passage.id === node,
          near: near.has(passage.id),
          dim: lit !== null && !lit.passages.has(passage.id),
        }),
        spoken: spokenOf(passage, passage.id === node),
        count: passage.id === centre ? undefined : told.find(({ id }) => id === passage.id),
      })),
      counts: told.filter(({ id }) => id === centre),
    };
  });
  const edges = drawn.edges.flatMap((one) => {
    const { id, source, target, role, fade } = one;
    const isNear = id === edge || source === node || target === node;
    if (role === "across" && !isNear && !lit?.edges.has(id)) return [];
    const looks = [
      `is-${role}`,
      !isNear && fade && `fade${fade}`,
      isNear && "is-near",
      id === edge && "is-selected",
      lit !== null && !lit.edges.has(id) && "dim",
    ];
    return [{ id, source, target, look: looks.filter(Boolean).join(" ") }];
  });
  return { columns, edges };
}

/** @param {PassageData} passage @param {{ selected: boolean, near: boolean, dim: boolean }} now */
function looksOf({ role, fade }, { selected, near, dim }) {
  const looks = [
    `is-${role}`,
    role !== "neighbour" && "is-named",
    role === CENTRE && "is-framed",
    fade && !near && `fade${fade}`,
    selected && "selected",
    dim && "dim",
  ];
  return looks.filter(Boolean).join(" ");
}

/** @param {PassageData} passage @param {boolean} selected */
const spokenOf = ({ title, gold, role }, selected) =>
  [title, gold && "gold", PASSAGE_TERMS[role], selected && "selected"].filter(Boolean).join(", ");

/** The passages that the selected one is joined to, with itself. @param {NeighbourhoodData} drawn @param {What | null} selected */
function nearOf({ edges }, selected) {
  if (!selected) return new Set();
  if ("edge" in selected) {
    const edge = edges.find(({ id }) => id === selected.edge);
    return new Set(edge && [edge.source, edge.target]);
  }
  const joined = edges.filter(({ source, target }) => source === selected.node || target === selected.node);
  return new Set([selected.node, ...joined.flatMap(({ source, target }) => [source, target])]);
}

/** What has a term of the legend: passages, edges with their ends, and edges between such passages. @param {NeighbourhoodData} drawn @param {Set<string>} chosen */
function litOf(drawn, chosen) {
  const own = new Set(
    passagesOf(drawn)
      .filter((passage) => termsOf(passage).some((term) => chosen.has(term)))
      .map(({ id }) => id),
  );
  const named = drawn.edges.filter(({ role }) => chosen.has(role));
  const between = drawn.edges.filter(({ source, target }) => own.has(source) && own.has(target));
  return {
    passages: new Set([...own, ...named.flatMap(({ source, target }) => [source, target])]),
    edges: new Set([...named, ...between].map(({ id }) => id)),
  };
}

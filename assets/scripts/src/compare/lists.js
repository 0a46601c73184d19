// What both retrievals did and retrieved, as tables beside the drawing of their difference.

import { button, el } from "../common/dom.js";
import { starOf } from "../common/text.js";

/** @import { DifferenceData, DoneData, NodeWhose, PlaceData, Side } from "../types/difference" */
/** @import { What } from "../graph/node_columns.js" */

/** What is said of who retrieves a node. @param {DifferenceData} data */
export const nodeTold = ({ a, b }) => ({
  a: `only ${a.name} retrieves it`,
  b: `only ${b.name} retrieves it`,
  both: "both retrieve it",
  reached: "reached, not retrieved",
  neither: "gold, reached by neither",
});
const NOT_FOLLOWED = "does not follow it and misses the gold it leads to";
/** What is said of who follows an edge. @param {DifferenceData} data */
const edgeTold = ({ a, b }) => ({
  a: `only ${a.name} follows it`,
  b: `only ${b.name} follows it`,
  both: "both follow it",
  not_b: `${a.name} follows it; it is a candidate in ${b.name}, which ${NOT_FOLLOWED}`,
  not_a: `${b.name} follows it; it is a candidate in ${a.name}, which ${NOT_FOLLOWED}`,
  refused_a: `a candidate in ${a.name}, which ${NOT_FOLLOWED}`,
  refused_b: `a candidate in ${b.name}, which ${NOT_FOLLOWED}`,
  refused: "a candidate in both; neither follows it, and both miss the gold it leads to",
});
/** @type {NodeWhose[]} */
const ORDER = ["a", "b", "both", "reached", "neither"];
/** @type {Side[]} */
const SIDES = ["a", "b"];

/** What all nodes are called. @param {DifferenceData} data */
export function nounOf({ nodes }) {
  const kinds = new Set(nodes.map(({ kind }) => kind));
  kinds.delete("passage");
  if (!kinds.size) return "Passage";
  return kinds.size === 1 && kinds.has("cluster") ? "Text" : "Node";
}

/** @param {string} label @param {"" | "given" | "rules" | "hand"} gold */
const named = (label, gold) => el("span", { dir: "auto" }, gold && starOf(gold), label);

/** @param {string[]} heads @param {HTMLElement[]} rows */
const tableOf = (heads, rows) =>
  el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows),
  );

/** @param {string} label @param {number} columns */
const headRow = (label, columns) => el("tr.head", {}, el("th", { colspan: columns, dir: "auto" }, label));

/** A row that opens the details of a node. @param {number | null} node @param {Node[]} cells @param {string} [look] */
const rowOf = (node, cells, look = "") =>
  el(
    `tr.${look}`,
    node === null ? {} : { "data-node": node, tabindex: 0 },
    ...cells.map((cell) => el("td", { dir: "auto" }, cell)),
  );

/**
 * The steps of both, round by round.
 *
 * @param {DifferenceData} data
 * @param {boolean} all whether places at which both do the same are listed, too
 * @param {() => void} toggle
 */
export function stepsOf(data, all, toggle) {
  const sides = data.walker ? [data.walker] : SIDES;
  const heads = ["At", ...sides.map((side) => data[side].sign)];
  const same = data.rounds.flatMap(({ places }) => places).filter((place) => place.same).length;
  const shown = data.rounds.map(({ label, places }) => ({
    label,
    places: places.filter((place) => sides.some((side) => place[side]) && (all || !place.same)),
  }));
  const rows = joinedRounds(shown, sides).flatMap(({ label, places, until }) => [
    headRow(label, heads.length),
    ...places.map((place) =>
      rowOf(
        place.node,
        [new Text(place.name), ...sides.map((side) => doneCell(data, place[side], side))],
        place.same ? "same" : "",
      ),
    ),
    ...(until ? [headRow(`${until}: unchanged`, heads.length)] : []),
  ]);
  return [
    data.beside && el("p.quiet", { dir: "auto" }, data.beside),
    rows.length ? tableOf(heads, rows) : el("p.quiet", {}, data.parting.text),
    same > 0 &&
      button(all ? "Show differences only" : `Show the ${same} where both are the same`, "", toggle, {
        class: "more",
      }),
  ];
}

/** What one of them did, and what became of gold there. @param {DifferenceData} data @param {DoneData | null} done @param {Side} side */
function doneCell({ nodes }, done, side) {
  if (!done) return new Text("");
  const isGold = (/** @type {number} */ n) => nodes[n].gold !== "";
  const line = (/** @type {number} */ n, /** @type {string} */ after) =>
    el(`span.gold-of${after ? ".lost" : ""}`, {}, named(nodes[n].label, nodes[n].gold), after);
  const retrieved = (/** @type {number} */ n) => [side, "both"].includes(nodes[n].whose);
  return el(
    "span",
    {},
    done.text,
    ...done.nodes.filter(isGold).map((n) => line(n, "")),
    ...done.refused
      .filter(isGold)
      .map((n) => line(n, retrieved(n) ? ": not followed here" : ": not followed")),
  );
}

/**
 * Rounds in which something is listed, each with those after it that list the same.
 *
 * @param {{ label: string, places: PlaceData[] }[]} rounds
 * @param {Side[]} sides
 */
export function joinedRounds(rounds, sides) {
  const told = (/** @type {PlaceData[]} */ places) =>
    JSON.stringify(places.map((place) => [place.name, ...sides.map((side) => place[side]?.text)]));
  /** @type {{ label: string, places: PlaceData[], later: string[] }[]} */
  const found = [];
  for (const round of rounds.filter(({ places }) => places.length)) {
    const last = found.at(-1);
    if (last && told(last.places) === told(round.places)) last.later.push(round.label);
    else found.push({ ...round, later: [] });
  }
  return found.map(({ later, ...round }) => ({ ...round, until: rangeOf(later) }));
}

/** "Round 2", "Round 3", "Round 4" as "Rounds 2–4". @param {string[]} labels */
function rangeOf(labels) {
  if (labels.length < 2) return labels[0] ?? "";
  const split = (/** @type {string} */ label) => /^(.*?) ?(\d*)$/.exec(label)?.slice(1) ?? [label, ""];
  const [[name, from], [other, to]] = [split(labels[0]), split(labels[labels.length - 1])];
  return name === other && from && to
    ? `${name}s ${from}–${to}`
    : `${labels[0]} – ${labels[labels.length - 1]}`;
}

/** All nodes by who retrieves them. @param {DifferenceData} data */
export function nodesOf(data) {
  const { nodes, legend } = data;
  const rows = ORDER.flatMap((whose) => {
    const own = [...nodes.entries()].filter(([, node]) => node.whose === whose);
    const label = legend.find(({ of, name }) => of === "node" && name === whose)?.label;
    return [
      ...(own.length ? [headRow(`${label} (${own.length})`, 3)] : []),
      ...own.map(([n, node]) =>
        rowOf(n, [named(node.label, node.gold), ...node.standings.map((one) => new Text(one))]),
      ),
    ];
  });
  return [tableOf([nounOf(data), `In ${data.a.sign}`, `In ${data.b.sign}`], rows)];
}

/** @param {DifferenceData} data @param {What} what */
export function detailsOf(data, what) {
  if ("edge" in what) {
    const edge = data.edges.find(({ id }) => id === what.edge);
    if (!edge) return [];
    const [source, target] = [data.nodes[edge.source].label, data.nodes[edge.target].label];
    return [
      el("h3", { dir: "auto" }, `${source} ${edge.directed ? "→" : "–"} ${target}`),
      el("p.quiet", {}, [edgeTold(data)[edge.whose], edge.scores].filter(Boolean).join(" · ")),
      edge.question && el("q", { dir: "auto" }, edge.question),
    ];
  }
  const number = Number(what.node);
  const node = data.nodes[number];
  const by = data.gold.find((one) => one.node === number)?.by;
  const marked = node.gold === "hand" && ["marked by hand", by].filter(Boolean).join(" ");
  const done = data.rounds.flatMap(({ label, places }) =>
    places
      .filter((place) => place.node === number)
      .flatMap((place) =>
        SIDES.filter((side) => place[side]).map((side) =>
          el("p", { dir: "auto" }, `${label} · ${data[side].name} ${place[side]?.text}`),
        ),
      ),
  );
  return [
    el("h3", { dir: "auto" }, named(node.label, node.gold)),
    el("p.quiet", {}, [nodeTold(data)[node.whose], node.gold && "gold", marked].filter(Boolean).join(" · ")),
    ...node.standings.map((one, n) => el("p", {}, el("b", {}, `${data[SIDES[n]].sign} `), one)),
    node.text && el("p.text", { dir: "auto" }, node.text),
    el("h4", {}, "Steps at this passage"),
    ...(done.length ? done : [el("p.quiet", {}, "Neither retrieval examined its edges.")]),
  ];
}

/** What is told beside the pointer. @param {DifferenceData} data @param {What} what */
export function tipOf(data, what) {
  if ("node" in what) {
    const { label, whose, standings } = data.nodes[Number(what.node)];
    const [a, b] = standings;
    return [
      el("b", {}, label),
      el("span.quiet", {}, `${nodeTold(data)[whose]} · ${data.a.sign}: ${a} · ${data.b.sign}: ${b}`),
    ];
  }
  const edge = data.edges.find(({ id }) => id === what.edge);
  return edge ? [el("q", {}, edge.question), el("span.quiet", {}, edgeTold(data)[edge.whose])] : [];
}

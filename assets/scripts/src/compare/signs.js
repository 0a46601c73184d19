// Signs of the difference of two retrievals, and what they mean.

import { el } from "../common/dom.js";
import { edgeSign, legendEntry } from "../graph/edge_paths.js";
import { starOf } from "../common/text.js";
import { nodeTold } from "./lists.js";

/** @import { DifferenceData, EdgeData, GoldData, LegendData, NodeData } from "../types/difference" */
/** @typedef {[string, string, string]} Named a name, what stands beside it, and the same in short */

/** The letters in the sign of what one of them retrieves alone. @param {DifferenceData} data @param {string} whose */
export const signIn = ({ a, b }, whose) => (whose === "a" ? a.sign : whose === "b" ? b.sign : "");

/**
 * The legend with counts; a press lights one of its terms.
 *
 * @param {DifferenceData} data
 * @param {{ nodes: Set<number>, edges: EdgeData[] }} shown
 * @param {LegendData | null} chosen
 * @param {boolean} brief whether terms of which nothing is shown are left out
 * @param {(term: LegendData | null) => void} choose
 */
export function legendOf(data, shown, chosen, brief, choose) {
  const goldOfNode = (/** @type {number} */ n) => data.gold.find((gold) => gold.node === n) ?? null;
  let said = false; // what the numbers are, once
  const entries = data.legend.map((term) => {
    const all = [...data.nodes.entries()].filter(([n, node]) => isOf(term, node, goldOfNode(n)));
    const ofEdge = (/** @type {EdgeData[]} */ edges) =>
      edges.filter(({ whose }) => whose === term.name).length;
    const [here, of] =
      term.of === "edge"
        ? [ofEdge(shown.edges), ofEdge(data.edges)]
        : [all.filter(([n]) => shown.nodes.has(n)).length, all.length];
    if (brief && !here) return null;
    const found = here === of ? String(here) : `${here} of ${of}${said ? "" : " shown"}`;
    said ||= here !== of;
    const press = () => choose(chosen === term ? null : term);
    return legendEntry(signOf(data, term), term.label, found, chosen === term, press);
  });
  return el("div.legend", { role: "group", "aria-label": "Legend" }, ...entries);
}

/** The questions of edges that one of them did not follow and lost gold by. @param {DifferenceData} data */
export function untakenOf(data) {
  const lost = data.edges.filter(({ whose }) => /^(not|refused)/.test(whose));
  if (!lost.length) return "";
  const [{ whose, question }] = lost;
  const who = whose === "refused" ? "Neither follows" : `${nameIn(data, whose.slice(-1))} does not follow`;
  return el(
    "p.untaken",
    { title: lost.map((edge) => edge.question).join("\n"), dir: "auto" },
    edgeSign(`is-${whose}`),
    `${who} this edge: `,
    el("q", { dir: "auto" }, question),
    lost.length > 1 && ` and ${lost.length - 1} more`,
  );
}

/** Whether a node is one of a term of the legend. @param {LegendData} term @param {NodeData} node @param {GoldData | null} gold */
export function isOf({ of, name }, node, gold) {
  if (of === "node") return node.whose === name;
  if (of === "edge" || !node.gold) return false;
  return name === "gold" || (name === "hand" ? node.gold === "hand" : gold?.whose === name);
}

/** @param {DifferenceData} data @param {string} side */
const nameIn = ({ a, b }, side) => (side === "a" ? a.name : b.name);

/** @param {DifferenceData} data @param {LegendData} term */
function signOf(data, { of, name }) {
  if (of === "edge") return edgeSign(`is-${name}`);
  if (of === "gold")
    return el(
      `span.gold-sign.is-${name}`,
      {},
      starOf(name === "hand" ? "hand" : "given"),
      el("b", {}, signIn(data, name)),
    );
  return el(`span.is-${name}`, {}, el("i.sign", {}, signIn(data, name)));
}

/** @param {DifferenceData} data @param {NodeData} node */
export const spokenOf = (data, { label, whose, gold, standings: [a, b] }) =>
  [label, gold && "gold", nodeTold(data)[whose], `${data.a.name}: ${a}`, `${data.b.name}: ${b}`]
    .filter(Boolean)
    .join(", ");

/** The sign of a retrieval with its name. @param {DifferenceData} data @param {Named} named @param {number} n */
export const sideOf = (data, [name, whole, short], n) =>
  el(
    "li.side",
    {},
    el(`span.is-${"ab"[n]}`, {}, el("i.sign", {}, signIn(data, "ab"[n]))),
    el("b", { dir: "auto" }, name),
    short && el("small", { title: whole }, short),
  );

/** Gold with where it ended in both. @param {DifferenceData} data @param {GoldData} gold */
export function goldOf(data, { node, name, marked, ends, lost }) {
  const where = ends.map((end, n) => {
    const [at, ...why] = end
      .replace(/^rank /, "")
      .split("; ")[0]
      .split(/(?<=^[\d,]*\d)(?=, \D)/);
    return el(
      `span.end${lost[n] ? ".lost" : ""}`,
      {},
      el("b", {}, signIn(data, "ab"[n])),
      ` ${at}`,
      el("small", {}, why.join("")),
    );
  });
  return el(
    `button.gold${lost.every(Boolean) ? ".lost" : ""}`,
    {
      type: "button",
      title: `${name}\n${data.a.name}: ${ends[0]}\n${data.b.name}: ${ends[1]}`,
      disabled: node === null,
      "data-node": node,
    },
    marked && starOf(marked),
    el("span.name", { dir: "auto" }, name),
    ...where,
  );
}

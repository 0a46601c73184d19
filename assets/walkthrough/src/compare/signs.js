// Signs of the difference of two retrievals, and what they mean.

import { el } from "../dom.js";
import { edgeSign, legendEntry } from "../edge_paths.js";
import { starOf } from "../text.js";
import { NODE_TOLD } from "./lists.js";

/** @import { DifferenceData, EdgeData, GoldData, LegendData, NodeData } from "../difference" */
/** @typedef {[string, string, string]} Named a name, what stands beside it, and the same in short */

export const SIGNS = { a: "A", b: "B", both: "", reached: "", neither: "" };

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
    return legendEntry(signOf(term), term.label, found, chosen === term, press);
  });
  return el("div.legend", { role: "group", "aria-label": "Legend" }, ...entries);
}

/** The questions of edges that one of them did not follow and lost gold by. @param {DifferenceData} data */
export function untakenOf({ edges }) {
  const lost = edges.filter(({ whose }) => /^(not|refused)/.test(whose));
  if (!lost.length) return "";
  const [{ whose, question }] = lost;
  const who = whose === "refused" ? "Neither follows" : `${whose.slice(-1).toUpperCase()} does not follow`;
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

/** @param {LegendData} term */
function signOf({ of, name }) {
  if (of === "edge") return edgeSign(`is-${name}`);
  if (of === "gold") return el(`span.gold-sign.is-${name}`, {}, starOf(name === "hand" ? "hand" : "given"));
  return el(`span.is-${name}`, {}, el("i.sign", {}, SIGNS[/** @type {keyof typeof SIGNS} */ (name)]));
}

/** @param {NodeData} node */
export const spokenOf = ({ label, whose, gold, standings: [a, b] }) =>
  [label, gold && "gold", NODE_TOLD[whose], `A: ${a}`, `B: ${b}`].filter(Boolean).join(", ");

/** A or B with its name. @param {Named} named @param {number} n */
export const sideOf = ([name, whole, short], n) =>
  el(
    "li.side",
    {},
    el(`span.is-${"ab"[n]}`, {}, el("i.sign", {}, "AB"[n])),
    el("b", { dir: "auto" }, name),
    short && el("small", { title: whole }, short),
  );

/** Gold with where it ended in both. @param {GoldData} gold */
export function goldOf({ node, name, marked, ends, lost }) {
  const where = ends.map((end, n) => {
    const [at, ...why] = end
      .replace(/^rank /, "")
      .split("; ")[0]
      .split(/(?<=^[\d,]*\d)(?=, \D)/);
    return el(
      `span.end${lost[n] ? ".lost" : ""}`,
      {},
      el("b", {}, "AB"[n]),
      ` ${at}`,
      el("small", {}, why.join("")),
    );
  });
  return el(
    `button.gold${lost.every(Boolean) ? ".lost" : ""}`,
    {
      type: "button",
      title: `${name}\nA: ${ends[0]}\nB: ${ends[1]}`,
      disabled: node === null,
      "data-node": node,
    },
    marked && starOf(marked),
    el("span.name", { dir: "auto" }, name),
    ...where,
  );
}

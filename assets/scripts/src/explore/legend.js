// The legend of a neighbourhood with counts; a press lights what has one of its terms.

import { el } from "../common/dom.js";
import { edgeSign, legendEntry } from "../graph/edge_paths.js";
import { roving } from "../common/arrow_keys.js";
import { starOf } from "../common/text.js";
import { EDGE_TERMS, GOLD_TERM, PASSAGE_TERMS, passagesOf, termsOf } from "./neighbourhood_graph.js";

/** @import { NeighbourhoodData } from "../types/neighbourhood" */

/**
 * @param {NeighbourhoodData} drawn
 * @param {Set<string>} chosen terms that are lit; a press changes it
 * @param {() => void} changed
 */
export function legendOf(drawn, chosen, changed) {
  const passages = passagesOf(drawn);
  const sign = (/** @type {string} */ look) => el(`span.${look}`, {}, el("i.sign"));
  /** @type {[string, string, Node][]} */
  const terms = [];
  for (const [term, label] of Object.entries(PASSAGE_TERMS)) terms.push([term, label, sign(`is-${term}`)]);
  terms.push([GOLD_TERM, "Gold", starOf("given")]);
  for (const [term, label] of Object.entries(EDGE_TERMS)) terms.push([term, label, edgeSign(`is-${term}`)]);
  const all = [...passages.flatMap(termsOf), ...drawn.edges.map(({ role }) => role)];
  const entries = terms.flatMap(([term, label, shown]) => {
    const found = all.filter((one) => one === term).length;
    return found ? [entryOf(term, label, shown, found, chosen, changed)] : [];
  });
  const fainter = passages.filter(({ fade }) => fade).length;
  const box = el(
    "div.legend",
    {
      role: "toolbar",
      "aria-label": "Legend: use the up and down keys to move, and Space to highlight an entry",
    },
    ...entries,
    fainter > 0 &&
      el(
        "span.entry",
        {},
        sign("is-neighbour.fade2"),
        "Fainter: less similar · ",
        el("b", {}, fainter.toLocaleString("en")),
      ),
  );
  roving(box, "button");
  return box;
}

/** @param {string} term @param {string} label @param {Node} shown @param {number} found @param {Set<string>} chosen @param {() => void} changed */
function entryOf(term, label, shown, found, chosen, changed) {
  const made = legendEntry(shown, label, found.toLocaleString("en"), chosen.has(term), () => {
    if (!chosen.delete(term)) chosen.add(term);
    made.setAttribute("aria-pressed", String(chosen.has(term)));
    changed();
  });
  return made;
}

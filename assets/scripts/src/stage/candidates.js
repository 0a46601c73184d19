// What is on offer at a node: questions with their scores, and where they lead.

import { cardOf } from "./cards.js";
import { el } from "../common/dom.js";
import { backwardsOf, bothQuestions, isBackwards } from "./edge_words.js";
import { count, number, termOf } from "../common/text.js";

/** @import { CandidateData } from "../types/contract" */
/** @import { View } from "../types/view" */

const VERDICTS = {
  followed: "→ followed",
  followed_again: "↺ followed again",
  not_followed: "✕ not followed",
  seed: "→ seed",
  kept: "",
  cut_off: "cut off",
};

/** What became of a candidate, with its meaning. @param {View} view @param {CandidateData} one */
function verdictOf({ data }, { verdict, edge, card }) {
  const { glossary } = data;
  if (verdict === "followed" && isBackwards(data.edges[edge], card.node))
    return backwardsOf(data, data.edges[edge], "← walked backwards");
  /** @type {Partial<Record<typeof verdict, string>>} */
  const meanings = {
    seed: glossary.seed,
    not_followed: glossary.not_followed,
    cut_off: glossary.cut_off,
  };
  const meaning = meanings[verdict];
  return meaning ? termOf(meaning, VERDICTS[verdict]) : VERDICTS[verdict];
}

/** The question of an edge, or what is said where there is none. @param {View} view @param {CandidateData} one */
function asked(view, one) {
  const edge = view.data.edges[one.edge];
  if (!edge) return one.label ? el("p.label", { dir: "auto" }, one.label) : null;
  return el(
    edge.is_pseudo_query ? "q" : "p.label",
    { title: bothQuestions(view.data, edge), dir: "auto" },
    edge.question,
  );
}

/** Whether the headline names a candidate with the words that it adds. @param {View} view @param {CandidateData} one */
function isNamed({ data, stop }, { card, adds }) {
  const told = [data.nodes[card.node].title, ...adds].map((text) => `'${text}'`);
  return adds.length > 0 && told.every((text) => stop.headline.includes(text));
}

/** @param {View} view @param {CandidateData} one @param {number} largest */
function candidate(view, one, largest) {
  const lit =
    one.adds.length > 0 && one.verdict !== "not_followed"
      ? `adds ${one.adds.map((word) => `'${word}'`).join(", ")}`
      : "";
  const why = one.reason || lit;
  const edge = view.data.edges[one.edge];
  return el(
    `li.candidate.${one.verdict}${isNamed(view, one) ? ".named" : ""}`,
    { "data-edge": one.edge || null },
    el(
      "div.edge",
      { key: one.edge ? `edge:${one.edge}` : `offer:${one.card.node}` },
      asked(view, one),
      el(
        "p.score",
        {},
        el("span.bar", { "--w": `${Math.max(2, (100 * one.score) / largest)}%` }),
        one.verdict === "not_followed" && edge?.is_pseudo_query && el("small", {}, "edge"),
        el("b", {}, number(one.score)),
        VERDICTS[one.verdict] && el("em", {}, verdictOf(view, one)),
        one.verdict !== "followed" &&
          isBackwards(edge, one.card.node) &&
          el("em", {}, backwardsOf(view.data, edge, "← backwards")),
      ),
      why && el("p.why", { dir: "auto" }, why),
    ),
    cardOf(view, one.card, "candidate"),
  );
}

/** @param {View} view */
export function candidatesOf(view) {
  const { stop } = view;
  const largest = Math.max(...stop.candidates.map((one) => one.score), 1e-9);
  return el(
    "ol.candidates",
    { "aria-label": stop.candidates_label },
    ...stop.candidates.map((one) => candidate(view, one, largest)),
    el("li.rest", { title: view.data.glossary.candidate }),
  );
}

/** How many candidates are not drawn. @param {View} view @param {number} hidden */
export function restOf(view, hidden) {
  const { stop } = view;
  const more = stop.more_candidates + hidden;
  if (!more) return "";
  const of =
    stop.scored > more + stop.candidates.length - hidden
      ? ` of ${count(stop.scored, "scored candidate")}`
      : "";
  return `and ${more.toLocaleString("en")} more${of}`;
}

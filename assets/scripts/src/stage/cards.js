// A passage, the query, or a thing such as a fact, as a card.

import { el } from "../common/dom.js";
import { isGold } from "../walkthrough/model.js";
import { count, lit, number, sentenceOf, star, termOf } from "../common/text.js";

/** @import { CardData, ChainData, FoldedStepData, NodeData } from "../types/contract" */
/** @import { View } from "../types/view" */
/** @typedef {"here" | "from" | "candidate" | "link"} Look */

/** @type {Record<string, string>} */
const STATES = {
  unseen: "",
  candidate: "candidate",
  not_followed: "not followed",
  queued: "in the queue",
  current: "current",
  visited: "visited",
  retrieved: "retrieved",
  cut_off: "cut off",
  missed: "not retrieved",
};
const MOST_PIPS = 5;

/** Visits as dots. @param {number} visits @param {string} meaning of a visit count */
function pips(visits, meaning) {
  if (!visits) return null;
  const dots = Array.from({ length: Math.min(visits, MOST_PIPS) }, () => el("i"));
  const label = count(visits, "visit");
  return el(
    "span.pips",
    { role: "img", "aria-label": label, title: `${label}. ${meaning}` },
    ...dots,
    visits > MOST_PIPS && `×${visits}`,
  );
}

/** The numbers of the sentences that a card shows. @param {CardData} card @param {NodeData} node @param {Look} look */
function shownSentences(card, node, look) {
  const all = node.sentences.map((_, n) => n);
  if (look === "here") return all;
  if (look === "link" && card.matters.length) return card.matters;
  return card.best === null ? all.slice(0, 1) : [card.best];
}

/** State, rank and note in a few words. @param {CardData} card @param {NodeData} node @param {boolean} via */
function status(card, node, via) {
  const rank = card.rank ? `rank ${card.rank}${card.kept ? "" : ", below the cut-off"}` : "";
  const kind = node.kind === "passage" || node.kind === "query" ? "" : node.kind_label;
  return [via && "on the path", kind, STATES[card.state], rank, card.note].filter(Boolean).join(" · ");
}

/** Probability as a bar. @param {number | null} share @param {number} largest */
const shareBar = (share, largest) =>
  share !== null &&
  el(
    "p.share",
    { title: "share of the total probability" },
    el("span.bar", { "--w": `${(100 * share) / largest}%` }),
    el("b", {}, number(share)),
  );

/** @param {View} view @param {CardData} card @param {Look} look @param {boolean} [via] whether it only leads on */
export function cardOf(view, card, look, via = false) {
  const { data, stop } = view;
  const node = data.nodes[card.node];
  const gold = isGold(node);
  const title = node.title.length > 90 ? node.kind_label : node.title;
  const head = el(
    "h4",
    {},
    gold && star(goldLabel(view, node)),
    el("span.name", { dir: "auto" }, title),
    pips(card.visits, data.glossary.visits),
  );
  const sentences = shownSentences(card, node, look);
  const body = sentences.flatMap((n) => [
    sentenceOf(node.sentences[n], card.matters.includes(n) || n === card.best),
    " ",
  ]);
  const told = status(card, node, via);
  const largest = Math.max(
    ...[stop.here, ...stop.candidates.map((one) => one.card)].map((one) => one.share ?? 0),
    1e-9,
  );
  return el(
    `article.card.as-${look}.is-${card.state}.kind-${node.kind}${gold ? ".gold" : ""}${node.unjudged ? ".unjudged" : ""}${via ? ".via" : ""}`,
    {
      key: `card:${card.node}`,
      "data-node": card.node,
      tabindex: "0",
      role: "button",
      "aria-label": `${node.title}. ${told}`,
    },
    node.kind === "query" && look !== "link"
      ? el("h4.quiet", {}, termOf(data.glossary.query, node.kind_label))
      : head,
    body.length > 0
      ? el("p.body", { dir: "auto" }, ...body)
      : node.kind === "query" && el("p.body", {}, node.title),
    shareBar(card.share, largest),
    told && !(node.kind === "query" && look === "link") && el("footer", {}, el("i.sign"), told),
  );
}

/** @param {View} view @param {NodeData} node */
export const goldLabel = (view, node) =>
  node.gold.map((n) => view.data.gold[n].position || "gold evidence").join(", ") || "gold";

/** A fold: the steps in it, each with what came of it. @param {View} view */
export function foldOf(view) {
  const { folded } = view.stop;
  const items = folded.map((one) =>
    el(
      `li.${one.outcome}`,
      {},
      el(
        "button",
        { type: "button", title: OUTCOMES[one.outcome][1], onclick: () => view.act.openStop(one.stop) },
        el("b", {}, OUTCOMES[one.outcome][0]),
        isGold(view.data.nodes[one.node]) && star(),
        one.title,
      ),
    ),
  );
  const summary = Object.entries(OUTCOMES).map(([name, [sign, told]]) => {
    const times = folded.filter((one) => one.outcome === name).length;
    return times > 0 && el("span", {}, `${sign} ${times} ${told}`);
  });
  return el(
    "article.card.as-here.fold",
    { key: "fold" },
    el("h4", {}, el("span.name", {}, count(folded.length, "step"))),
    el("ul", {}, ...items),
    el("footer", {}, ...summary),
  );
}

/** @type {Record<FoldedStepData["outcome"], [string, string]>} */
const OUTCOMES = {
  new: ["+", "reached a new passage"],
  again: ["↺", "led back"],
  not_followed: ["✕", "no edge followed"],
  none: ["–", "reached no passage"],
};

/** The answer as a card: of the question set, or of the retriever. @param {ChainData} chain */
export const answerCard = ({ answer, gold_answer, complete }) =>
  el(
    `article.card.as-link.answer${complete ? "" : ".is-missed"}`,
    { key: "card:answer" },
    el("h4.quiet", {}, gold_answer ? "Gold answer" : "Answer"),
    el("p.body", { dir: "auto" }, answer || "unknown"),
    el("small.pages"),
  );

/** A statement of a model or a rule. @param {View} view */
export function statementOf(view) {
  const said = view.data.statements[view.stop.statements - 1];
  if (!said) return null;
  return el(
    "blockquote.statement",
    { key: `said:${said.t}` },
    el("b", {}, said.speaker),
    el("p", { dir: "auto" }, said.text),
    said.ends && el("footer", {}, said.ends),
  );
}

/** What somebody wrote for a story. @param {View} view */
export const slideOf = ({ stop }) =>
  el(
    "article.slide",
    { key: "slide", tabindex: 0, "aria-label": stop.label },
    el("h3", { dir: "auto" }, stop.headline),
    ...stop.notes.map((text) => el("p", { dir: "auto" }, text)),
  );

/** The query, large. @param {View} view */
export const queryCard = (view) =>
  el(
    "div.question",
    { key: "card:#" },
    el(
      "p.large",
      { dir: "auto" },
      ...lit(view.data.query_words.map(([text, word]) => [text, word ? "query" : "plain"])),
    ),
    el("p.hint", {}, view.data.summary),
    el(
      "p.hint",
      {},
      el("mark", {}, "Query terms"),
      " are underlined in each passage; ",
      el("mark.new", {}, "terms that no earlier passage contains"),
      " are highlighted.",
    ),
  );

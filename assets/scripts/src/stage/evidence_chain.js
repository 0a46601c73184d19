// The evidence chain: from the query to the answer, or to the gap.

import { answerCard, cardOf } from "./cards.js";
import { el } from "../common/dom.js";
import { backwardsOf, bothQuestions, isBackwards } from "./edge_words.js";
import { isGold } from "../walkthrough/model.js";
import { termOf } from "../common/text.js";

/** @import { CardData, LinkData } from "../types/contract" */
/** @import { Fix, View } from "../types/view" */

/** A link to a card, or to the answer. @param {View} view @param {LinkData | undefined} link @param {CardData} [to] */
function linkOf(view, link, to) {
  if (!link) return el("div.step.last");
  const last = !to;
  const edge = view.data.edges[link.edge];
  const backwards = to && isBackwards(edge, to.node);
  return el(
    `div.step.${link.kind}${last ? ".last" : ""}${backwards ? ".backwards" : ""}`,
    { key: link.edge ? `edge:${link.edge}` : null, "data-edge": link.edge || null },
    link.kind === "gap" && el("b", {}, termOf(view.data.glossary.stage, "Missed")),
    edge && el("q", { title: bothQuestions(view.data, edge), dir: "auto" }, edge.question),
    backwards &&
      el("small", {}, backwardsOf(view.data, edge, link.kind === "gap" ? "← backwards" : "walked backwards")),
    link.text && (!last || link.kind === "gap") && el("p", { dir: "auto" }, link.text),
    link.source && el("small", { dir: "auto" }, `from ${link.source}`),
  );
}

/** Which passages of a chain a page shows. @param {number} first @param {number} end @param {number} all */
export const pageOf = (first, end, all) =>
  `${end - first === 1 ? `Passage ${end}` : `Passages ${first + 1}–${end}`} of ${all} ${end < all ? "(→ for more)" : "(← for more)"}`;

/** Whether a passage only leads on to evidence. @param {View} view @param {CardData} card */
const isVia = ({ data }, { node }) =>
  data.gold.length > 0 && data.nodes[node].kind === "passage" && !isGold(data.nodes[node]);

/** @param {View} view */
export function chainOf(view) {
  const chain = view.stop.chain;
  if (!chain) return null;
  const parts = chain.cards.flatMap((card, n) => [
    ...(n > 0 ? [linkOf(view, chain.links[n - 1], card)] : []),
    cardOf(view, card, "link", isVia(view, card)),
  ]);
  const rest = chain.links.slice(chain.cards.length - 1);
  return el("div.chain", {}, ...parts, linkOf(view, rest[0]), answerCard(chain));
}

/** What would have retrieved lost evidence, with a button where it can be tried. @param {View} view */
export function fixesOf(view) {
  const fixes = view.options.keeps;
  if (view.stop.kind !== "chain" || !fixes.length) return null;
  /** Those of a passage, below its heading. @type {Fix[][]} */
  const groups = [];
  for (const fix of fixes) {
    if (fix.heading || !groups.length) groups.push([]);
    groups[groups.length - 1].push(fix);
  }
  return el(
    "section.fixes",
    { "aria-label": "What would have retrieved it", title: view.data.glossary.fix },
    ...groups.map((group) => el("div", {}, ...group.map((fix) => fixOf(view, fix)))),
  );
}

/** @param {View} view @param {Fix} fix */
const fixOf = ({ options, act }, fix) =>
  fix.heading
    ? el("h4", {}, fix.told)
    : el(
        `p${fix.below ? ".below" : ""}`,
        { title: fix.facts?.join("\n") ?? null },
        fix.searches && options.presenting ? "Searching for a fix…" : fix.told,
        fix.action &&
          !options.presenting &&
          el("button", { type: "button", onclick: () => act.send("keep", fix.value) }, fix.action),
      );

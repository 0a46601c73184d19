// The ranking, with the cut-off line, and the queue.

import { el } from "../common/dom.js";
import { fittedRanking, isGold } from "../walkthrough/model.js";
import { rowBar } from "./scores.js";
import { count, number, star, termOf } from "../common/text.js";

/** @import { StopData } from "../types/contract" */
/** @import { View } from "../types/view" */

/** @param {View} view @param {number} room lines there is room for */
export function rankingOf(view, room) {
  const { data, stop } = view;
  const ranking = data.rankings[stop.ranking];
  const focus = stop.helpfulness?.row.node ?? stop.here.node;
  const scale = Math.max(...ranking.rows.map((row) => row.score), 1e-9);
  const lines = fittedRanking(ranking, (node) => isGold(data.nodes[node]), focus, room);
  const told = ranking.total
    ? `${ranking.total.toLocaleString("en")} ranked, ${ranking.cut_off} kept`
    : "empty";
  return el(
    "section.ranking",
    {},
    el("h3", {}, "Ranking", el("small", {}, told)),
    el("ol", {}, ...lines.map((line) => lineOf(view, line, focus, scale))),
  );
}

/** @param {View} view @param {ReturnType<typeof fittedRanking>[number]} line @param {string} focus @param {number} scale */
function lineOf(view, line, focus, scale) {
  const { data, stop } = view;
  const ranking = data.rankings[stop.ranking];
  if ("gap" in line) return el("li.gap", {}, `${line.gap.toLocaleString("en")} more`);
  if ("cut" in line) {
    const score = ranking.cut_off_score === null ? "" : ` · ${number(ranking.cut_off_score)}`;
    return el(
      "li.cut",
      { key: "cut", title: data.glossary.cut_off_line },
      `${cutOffOf(stop, ranking.cut_off)}${score}`,
    );
  }
  const { row } = line;
  const node = data.nodes[row.node];
  return el(
    `li.row${row.kept ? "" : ".below"}${row.node === focus ? ".focus" : ""}`,
    { key: `rank:${row.node}`, "data-node": row.node, title: node.title },
    el("small", {}, row.rank),
    el("span.name", { dir: "auto" }, isGold(node) && star(), node.title),
    rowBar(view, row, scale),
    el("b", {}, number(row.score)),
  );
}

/** What the cut-off is called: it moves with each step, and reasons tell the one before. @param {StopData} stop @param {number} kept */
function cutOffOf({ kind, folded }, kept) {
  if (kind !== "candidates" && kind !== "fold") return `cut-off after ${kept}`;
  return folded.length > 1 ? "cut-off after these steps" : "cut-off after this step";
}

/** The queue as a strip: who left, who waits in order, who joined. @param {View} view */
export function queueOf(view) {
  const { data, stop } = view;
  if (!data.has_queue) return null;
  const queue = data.queues[stop.queue];
  const joined = new Set(queue.joined);
  const item = (/** @type {string} */ node, /** @type {string} */ look) =>
    el(
      `li${look}`,
      { key: `queue:${node}`, "data-node": node, title: data.nodes[node].title },
      isGold(data.nodes[node]) && star(),
      el("span.name", {}, data.nodes[node].title),
    );
  const changes = [
    queue.joined.length && `+${queue.joined.length}`,
    queue.left.length && `−${queue.left.length}`,
  ].filter(Boolean);
  return el(
    "section.queue",
    { "aria-label": "Queue" },
    el(
      "h3",
      {},
      termOf(data.glossary.queue, "Queue"),
      el("b", {}, queue.nodes.length),
      changes.length > 0 && el("small", {}, changes.join(", ")),
    ),
    el(
      "ol",
      {},
      ...queue.left.slice(0, 2).map((node) => item(node, ".left")),
      ...queue.nodes.filter((node) => !joined.has(node)).map((node) => item(node, "")),
      el("li.more"),
      ...queue.nodes.filter((node) => joined.has(node)).map((node) => item(node, ".joined")),
      !queue.nodes.length && el("li.none", {}, "empty"),
    ),
  );
}

/** How many of the queue are not drawn. @param {number} hidden */
export const moreWaiting = (hidden) => (hidden ? `${count(hidden, "more", "more")}` : "");

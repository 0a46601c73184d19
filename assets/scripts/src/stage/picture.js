// The picture of a stop: a pure function of the view and the size of its window.

import { candidatesOf } from "./candidates.js";
import { cardOf, foldOf, queryCard, slideOf, statementOf } from "./cards.js";
import { chainOf, fixesOf } from "./evidence_chain.js";
import { el } from "../common/dom.js";
import { backwardsOf, bothQuestions, isBackwards } from "./edge_words.js";
import { fit } from "./fit_room.js";
import { drawLines } from "./card_lines.js";
import { filtersOf, graphOf, layOut } from "../graph/graph_view.js";
import { overviewOf, legendOf } from "../graph/overview.js";
import { queueOf, rankingOf } from "./ranking.js";
import { partsKey, sumOf } from "./scores.js";
import { meter, star, termOf } from "../common/text.js";
import { timelineOf } from "./timeline.js";

/** @import { View } from "../types/view" */

const WHOLE = new Set(["question", "chain", "slide"]);

/**
 * Draw a stop into `root`, which has a size already.
 *
 * @param {HTMLElement} root element with the parts `.picture`
 * @param {View} view
 * @param {HTMLElement[]} tools buttons beside the query
 */
export function draw(root, view, tools) {
  const { stop, data, options } = view;
  const graph = options.graph && stop.kind !== "slide";
  const whole = WHOLE.has(stop.kind) && !graph;
  root.style.minHeight = ""; // a chain that lacks room makes it taller
  root.dataset.kind = whole ? stop.kind : graph ? "graph" : "walk";
  root.replaceChildren(
    el(
      "header.asked",
      {},
      el(
        "h2",
        { dir: "auto", title: data.query },
        ...meter(data.query_words, stop.covered, stop.covered_here),
      ),
      el("div.tools", { role: "toolbar", "aria-label": "Walkthrough" }, ...tools),
    ),
    stop.kind === "slide" ? "" : headline(view),
    graph ? graphOf(view) : stageOf(view),
    whole ? "" : el("aside", {}, !WHOLE.has(stop.kind) && sumOf(view), partsKey(view), rankingOf(view, 3)),
    (!whole && queueOf(view)) || "",
    el("footer.foot", {}, graph ? filtersOf(view) : el("div.map"), timelineOf(view)),
  );
  const stage = /** @type {HTMLElement} */ (root.querySelector(".stage"));
  if (!graph) drawMap(root, view);
  fit(root, view);
  if (graph) layOut(stage, view);
  else drawLines(stage);
}

/** @param {View} view */
function headline(view) {
  const { stop } = view;
  return el(
    "div.said",
    {},
    el("p.headline", { dir: "auto" }, roundOf(view), stop.headline),
    stop.notes.length > 0 && el("p.notes", { dir: "auto" }, stop.notes.join(" ")),
    goldOf(view),
  );
}

/** The round, such as "Hop 3", with its meaning if it is a term. @param {View} view */
function roundOf({ stop, data }) {
  if (!stop.round) return null;
  const isHop = /^hop/i.test(stop.round);
  return el("span.round", {}, isHop ? termOf(data.glossary.hop, stop.round) : stop.round);
}

/** Each piece of gold, and how it stands at this stop, what is lost first. @param {View} view */
function goldOf(view) {
  const { data, stop } = view;
  if (!data.gold.length) return null;
  const items = data.gold.map((gold, n) => {
    const told = stop.gold_status[n] ?? "";
    const lost = told.startsWith("lost") || (stop.kind === "chain" && !gold.retrieved);
    const node = gold.nodes.find((id) => data.nodes[id]);
    return el(
      `li${lost ? ".lost" : ""}`,
      {
        title: [gold.position, gold.text, gold.explanation, ...gold.details].filter(Boolean).join("\n"),
        "data-node": node ?? null,
      },
      star(gold.position || "gold"),
      el("span.name", { dir: "auto" }, gold.title),
      told && el("small", {}, told),
    );
  });
  const order = items.toSorted((one, other) => Number(other.matches(".lost")) - Number(one.matches(".lost")));
  return el("ul.gold-status", { "aria-label": "Gold evidence" }, ...order);
}

/** @param {View} view */
function stageOf(view) {
  const { stop, data } = view;
  if (stop.kind === "question") return el("div.stage.of-question", {}, queryCard(view));
  if (stop.kind === "slide") return el("div.stage.of-slide", {}, slideOf(view));
  if (stop.kind === "chain") return el("div.stage.of-chain", {}, chainOf(view), fixesOf(view));
  const from = stop.came_from;
  const edge = data.edges[stop.arrived_by];
  const said = stop.kind === "statement" ? statementOf(view) : null;
  return el(
    `div.stage${from ? "" : ".no-from"}${stop.candidates.length ? "" : ".no-candidates"}`,
    {},
    stop.stack.length > 1 &&
      el(
        "ol.stack",
        { "aria-label": "Nested retrievals" },
        ...stop.stack.map((query) => el("li", { dir: "auto" }, query)),
      ),
    from &&
      el(
        "div.came-from",
        {},
        cardOf(view, from, "from"),
        edge &&
          el(
            "div.edge",
            { key: `edge:${stop.arrived_by}`, "data-edge": stop.arrived_by },
            el("q", { title: bothQuestions(data, edge), dir: "auto" }, edge.question),
            isBackwards(edge, stop.here.node) && el("em", {}, backwardsOf(data, edge, "← walked backwards")),
          ),
      ),
    el("div.now", {}, stop.kind === "fold" ? foldOf(view) : (said ?? cardOf(view, stop.here, "here"))),
    stop.candidates.length > 0 && candidatesOf(view),
  );
}

/** @param {HTMLElement} root @param {View} view */
function drawMap(root, view) {
  const place = /** @type {HTMLElement} */ (root.querySelector(".map"));
  const legend = legendOf(view);
  place.append(legend);
  const width = place.clientWidth - legend.getBoundingClientRect().width - 16;
  const height = place.clientHeight;
  if (width > 120 && height > 30) place.prepend(overviewOf(view, width, height));
}

// What was selected, in full: a passage or an edge, and what a model was asked at this stop.

import { button, el } from "../common/dom.js";
import { isGold } from "../walkthrough/model.js";
import { plain, sentenceOf, star, termOf } from "../common/text.js";

/** @import { Hooks, Selection, View } from "../types/view" */

/** @param {View} view @param {Hooks} hooks @param {Selection} what */
export function detailsOf(view, hooks, what) {
  const body = "node" in what ? nodeDetails(view, hooks, what.node) : edgeDetails(view, hooks, what.edge);
  if (!body) return null;
  return el(
    "section.details",
    { role: "dialog", "aria-label": "Details", tabindex: "-1" },
    button("Close", "Close (Esc)", () => view.act.select(null), { class: "close" }),
    ...body,
    ...exchangesOf(view),
  );
}

/** @param {View} view @param {Hooks} hooks @param {string} id */
function nodeDetails(view, hooks, id) {
  const node = view.data.nodes[id];
  if (!node) return null;
  const passage = node.kind === "passage";
  return [
    el("h3", {}, isGold(node) && star(), el("span", { dir: "auto" }, node.title)),
    el("p.quiet", {}, [node.kind_label, node.source, node.gold_note].filter(Boolean).join(" · ")),
    el("p.body", { dir: "auto" }, ...node.sentences.flatMap((one) => [sentenceOf(one, true), " "])),
    passage &&
      el(
        "div.actions",
        {},
        ...markButtons(view, hooks, id),
        hooks.acts.includes("explore") &&
          button("Open in Explore", "Show the passage in the graph", () => hooks.send("explore", id)),
      ),
    linesOf(view, id, "Out-questions (raised here)", "source", "target"),
    linesOf(view, id, "In-questions (answered here)", "target", "source"),
  ];
}

/** @param {View} view @param {Hooks} hooks @param {string} id */
function markButtons(view, hooks, id) {
  if (!hooks.acts.includes("mark")) return [];
  const gold = isGold(view.data.nodes[id]);
  const label = gold ? "Unmark as gold" : "Mark as gold";
  return [button(label, label, () => view.act.mark(id, !gold))];
}

/** @typedef {"source" | "target"} End */

/** The edges of a node that has one end of them. @param {View} view @param {string} id @param {string} title @param {End} own @param {End} other */
function linesOf(view, id, title, own, other) {
  const found = Object.entries(view.data.edges).filter(([, one]) => one[own] === id && one[other] !== id);
  if (!found.length) return null;
  const followed = new Set(view.data.states[view.stop.states].followed);
  return el(
    "div.edges",
    {},
    el("h4", {}, title),
    el(
      "ul",
      {},
      ...found.map(([name, edge]) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", onclick: () => view.act.select({ edge: name }) },
            followed.has(name) ? "→ " : "",
            el("q", { dir: "auto" }, edge.question),
            el("small", {}, ` ${view.data.nodes[edge[other]]?.title ?? ""}`),
          ),
        ),
      ),
    ),
  );
}

/** @param {View} view @param {Hooks} hooks @param {string} id */
function edgeDetails(view, hooks, id) {
  const edge = view.data.edges[id];
  if (!edge) return null;
  const side = (
    /** @type {string} */ node,
    /** @type {string} */ question,
    /** @type {number | null} */ by,
    /** @type {string} */ verb,
  ) => {
    const known = view.data.nodes[node];
    const sentence = by === null ? undefined : known?.sentences[by];
    return el(
      "div.side",
      {},
      el(
        "button",
        { type: "button", onclick: () => view.act.select({ node }) },
        isGold(known) && star(),
        known?.title ?? node,
      ),
      el("small", {}, ` ${verb}`),
      el("q", { dir: "auto" }, question),
      sentence && el("p.body", { dir: "auto" }, plain(sentence)),
    );
  };
  const sim = edge.similarity;
  return [
    el("h3", {}, edge.is_pseudo_query ? termOf(view.data.glossary.edge, "Edge") : edge.question),
    edge.is_pseudo_query && side(edge.source, edge.raised || edge.question, edge.raised_by, "raises"),
    edge.is_pseudo_query && side(edge.target, edge.question, edge.answered_by, "answers"),
    sim !== null &&
      el(
        "p.similarity",
        {},
        termOf(view.data.glossary.similarity, "SIM"),
        ` ${sim.toFixed(3)} = (keyword overlap ${(edge.jaccard ?? 0).toFixed(3)} + cosine ${(edge.cosine ?? 0).toFixed(3)}) / 2`,
      ),
    edge.shared.length > 0 && el("p.quiet", {}, `Shared keywords: ${edge.shared.join(", ")}`),
    ...byHand(view, hooks, id),
  ];
}

/** Choose otherwise at the node that is looked at. @param {View} view @param {Hooks} hooks @param {string} tie */
function byHand(view, hooks, tie) {
  const { data, stop } = view;
  const at = stop.here.node;
  const candidate = stop.candidates.find((one) => one.edge === tie);
  if (!hooks.acts.includes("amend") || !candidate || !data.judged.includes(at)) return [];
  const refuse = candidate.verdict !== "not_followed";
  const label = refuse ? "Do not follow it" : "Follow it";
  const told = "Run the walk again from here with this choice";
  return [
    el(
      "div.actions",
      {},
      button(label, told, () => hooks.send("amend", { verb: refuse ? "refuse" : "take", at, tie })),
    ),
  ];
}

/** @param {View} view */
function exchangesOf(view) {
  return view.stop.exchanges.map((n) => {
    const one = view.data.exchanges[n];
    return el(
      "details.exchange",
      {},
      el("summary", {}, `${one.title} · ${one.model}`),
      one.note && el("p.quiet", {}, one.note),
      el("h4", {}, "Prompt"),
      el("pre", { dir: "auto" }, [one.system, one.user].filter(Boolean).join("\n\n")),
      el("h4", {}, one.replies.length > 1 ? "Replies" : "Reply"),
      ...one.replies.map((reply) => el("pre", { dir: "auto" }, reply)),
    );
  });
}

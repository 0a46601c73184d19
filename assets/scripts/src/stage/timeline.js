// The stops as buttons, with a star where gold evidence comes into play.

import { el } from "../common/dom.js";
import { isGold, sequence } from "../walkthrough/model.js";
import { star } from "../common/text.js";

/** @import { View } from "../types/view" */

const FEW = 14;

/** Stops at which gold is first reached. @param {View} view */
function goldStops(view) {
  const { data, place } = view;
  const seen = new Set();
  return sequence(data, place.every).map((number) => {
    const stop = data.stops[number];
    const reached = stop.candidates
      .filter((one) => one.verdict !== "not_followed" && one.verdict !== "cut_off")
      .map((one) => one.card.node)
      .filter((node) => isGold(data.nodes[node]) && !seen.has(node));
    reached.forEach((node) => seen.add(node));
    return reached.length > 0;
  });
}

/** @param {View} view */
export function timelineOf(view) {
  const { data, place } = view;
  const stops = sequence(data, place.every);
  const gold = goldStops(view);
  const many = stops.length > FEW;
  return el(
    `nav.timeline${many ? ".many" : ""}`,
    { "aria-label": "Stops" },
    ...stops.map((number, n) => {
      const stop = data.stops[number];
      const here = n === place.stop;
      return el(
        `button.stop-${stop.kind}`,
        {
          type: "button",
          "aria-current": here ? "step" : null,
          title: stop.headline,
          "aria-label": `Stop ${n + 1}: ${stop.label}`,
          onclick: () => view.act.go(n),
        },
        el("span", {}, !many || here ? stop.label : ""),
        gold[n] && star("gold evidence is reached"),
      );
    }),
  );
}

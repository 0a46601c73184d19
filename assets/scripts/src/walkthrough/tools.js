// The buttons beside the query.

import { button, el } from "../common/dom.js";
import { toggledEvery } from "./model.js";

/** @import { Player } from "./player.js" */

/** @param {Player} player @returns {HTMLElement[]} */
export function toolsOf(player) {
  const { place, data, options, playing } = player;
  const pressed = (/** @type {boolean} */ on) => ({ "aria-pressed": String(on) });
  return [
    el(
      "span.by",
      {},
      data.badge && el("b.badge", { "--tint": data.tint }, data.badge),
      data.title,
      options.beside && el("small", {}, ` ${options.beside}`),
    ),
    el("span.place", {}, playing.sign(), `${place.stop + 1} / ${player.last + 1}`),
    button("←", "Previous stop", () => player.step(-1), {
      disabled: place.stop === 0,
      "aria-label": "Previous stop",
    }),
    button(playing.on ? "Pause" : "Play", "Space", () => player.toggle(), {
      class: "play",
      ...pressed(playing.on),
    }),
    button("→", "Next stop", () => player.step(1), {
      disabled: place.stop === player.last,
      "aria-label": "Next stop",
    }),
    button(
      "Every step",
      "Show every step (e)",
      () => player.go(toggledEvery(data, place)),
      pressed(place.every),
    ),
    button(
      "Graph",
      "Show the whole walk as a graph (g)",
      () => player.change({ graph: !options.graph }),
      pressed(options.graph),
    ),
    button(
      "Present",
      "Presenter mode (p)",
      () => player.present(!options.presenting),
      pressed(options.presenting),
    ),
    player.hooks.saveGif &&
      button("GIF", "Save as GIF: every stop shown here", () => player.hooks.saveGif?.(player), {
        "aria-label": "Save as GIF",
      }),
    button("?", "Keys", () => player.showKeys(), { "aria-label": "Keys" }),
  ].filter((one) => one instanceof HTMLElement);
}

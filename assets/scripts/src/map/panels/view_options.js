// What is coloured by, and filters by numbers.

import { el } from "../../common/dom.js";

/** @import { MapView } from "../map_view.js" */

/** @typedef {{ most: number, step: number, shown: (value: number) => string, act: (value: number) => void }} Slider */

export class ViewOptions {
  /** @param {MapView} map */
  constructor(map) {
    this.map = map;
    this.select = /** @type {HTMLSelectElement} */ (el("select"));
    this.select.onchange = () => {
      map.colours.by = /** @type {typeof map.colours.by} */ (this.select.value);
      this.changed();
    };
    const sliders = [
      this.slider("Similarity ≥", {
        most: 100,
        step: 5,
        shown: (value) => (value / 100).toFixed(2),
        act: (value) => (map.leastSimilarity = value),
      }),
      map.tree.hasPassages &&
        this.slider("Neighbours ≥", {
          most: 12,
          step: 1,
          shown: String,
          act: (value) => {
            map.fewestNeighbours = value;
            map.filter();
          },
        }),
    ];
    this.element = /** @type {HTMLDetailsElement} */ (
      el(
        "details.panel.options",
        { open: true },
        el("summary", {}, "View options"),
        el("div.numbers", {}, el("label", {}, "Colour", this.select), ...sliders),
      )
    );
    this.showChoices();
  }

  /** The map is drawn by other options. */
  changed() {
    this.map.update();
    this.map.controls.show();
  }

  /** @param {string} text @param {Slider} slider */
  slider(text, { most, step, shown, act }) {
    const field = /** @type {HTMLInputElement} */ (
      el("input", { type: "range", min: 0, max: most, step, value: 0 })
    );
    const output = el("output", {}, shown(0));
    field.oninput = () => {
      const value = Number(field.value);
      output.textContent = shown(value);
      act(value);
      this.changed();
    };
    return el("label", {}, text, field, output);
  }

  /** Show what the map can be coloured by. */
  showChoices() {
    const { colours, tree } = this.map;
    const choices = [
      ["region", "Region"],
      ...(tree.hasPassages ? [["degree", "Neighbours"]] : []),
      ...(colours.field ? [["field", colours.field.name]] : []),
    ];
    this.select.replaceChildren(...choices.map(([value, text]) => el("option", { value }, text)));
    this.select.value = colours.by;
  }
}

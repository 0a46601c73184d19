// What the colours of the map mean.

import { el } from "../../common/dom.js";
import { TONES } from "../drawing/colours.js";

/** @import { MapView } from "../map_view.js" */

const RAMP = [0, 0.5, 0.99];

export class Legend {
  /** @param {MapView} map */
  constructor(map) {
    this.map = map;
    this.heading = el("summary");
    this.body = el("div");
    this.element = /** @type {HTMLDetailsElement} */ (
      el("details.panel.legend", {}, this.heading, this.body)
    );
    this.isNarrow = false;
    this.shownBy = "";
  }

  /** Fold the legend on a narrow map. @param {boolean} isNarrow */
  narrow(isNarrow) {
    this.isNarrow = isNarrow;
    this.unfold(this.shownBy);
  }

  // Regions are named on the map, so their legend is folded at first; one of other colours is not,
  // unless the map is narrow. What was opened or folded by hand stays so while the colours mean the
  // same.
  /** @param {string} by */
  unfold(by) {
    this.shownBy = by;
    this.element.open = by !== "region" && !this.isNarrow;
  }

  show() {
    const { colours } = this.map;
    this.body.textContent = "";
    const by = colours.heat ? "heat" : colours.by;
    if (by !== this.shownBy) this.unfold(by);
    if (colours.heat) this.showHeat();
    else if (colours.by === "degree") {
      const ramp = RAMP.map((share) => colours.ramp(share));
      this.showRamp("Average number of neighbours", "0", "40 or more", ramp);
    } else if (colours.by === "field" && colours.field) this.showField();
    else this.showRegions();
  }

  showRegions() {
    const { tree, colours } = this.map;
    this.heading.textContent = "Regions";
    for (const top of [...tree.tops].sort((a, b) => tree.regions[b].size - tree.regions[a].size))
      this.addRegion(top, tree.shownIn(top).toLocaleString("en"), colours.tone(top, TONES.node));
  }

  showField() {
    const { colours } = this.map;
    this.heading.textContent = colours.field?.name ?? "";
    const rows = (colours.field?.labels ?? []).map((label, n) =>
      el("div.row", {}, swatch(colours.ofValue(n)), el("span", {}, label)),
    );
    this.body.append(el("small", {}, "A region has the most common colour of its passages."), ...rows);
  }

  showHeat() {
    const { colours, tree, heatNote } = this.map;
    const { heat } = colours;
    if (!heat) return;
    this.showRamp(
      "Gold missed",
      "0%",
      "100%",
      RAMP.map((share) => colours.missedRamp(share)),
    );
    this.body.append(el("small", {}, heatNote));
    const sums = tree.tops.map((top) => ({ top, ...heat.sum(tree.members[top]) })).filter(({ gold }) => gold);
    for (const { top, gold, missed } of sums.sort((a, b) => b.missed - a.missed || b.gold - a.gold))
      this.addRegion(top, `${missed} of ${gold}`, colours.missedRamp(missed / gold));
  }

  /** @param {string} title @param {string} low @param {string} high @param {string[]} colours */
  showRamp(title, low, high, colours) {
    this.heading.textContent = title;
    const ramp = el("div.ramp");
    ramp.style.background = `linear-gradient(90deg, ${colours.join(", ")})`;
    this.body.append(ramp, el("div.row.ends", {}, el("small", {}, low), el("small", {}, high)));
  }

  /** @param {number} region @param {string} beside @param {string} colour */
  addRegion(region, beside, colour) {
    const { map } = this;
    const node = -region - 1;
    const onclick = () => {
      map.choose(node);
      map.fly(node);
    };
    const name = el("span", {}, map.tree.regions[region].name);
    this.body.append(el("button.row", { onclick }, swatch(colour), name, el("small", {}, beside)));
  }
}

/** @param {string} colour */
function swatch(colour) {
  const box = el("i");
  box.style.background = colour;
  return box;
}

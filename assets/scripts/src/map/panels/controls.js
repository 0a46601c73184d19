// The controls over the map: search, view options, the path of regions, the legend, the zoom.

import { button, el } from "../../common/dom.js";
import { Legend } from "./legend.js";
import { NodeSearch } from "./node_search.js";
import { Tooltip } from "./tooltip.js";
import { ViewOptions } from "./view_options.js";

/** @import { View } from "../map_data" */
/** @import { MapView } from "../map_view.js" */
/** @import { RegionTree } from "../region_tree.js" */

/** @param {number} value */
const count = (value) => value.toLocaleString("en");
/** @param {number} value @param {string} noun */
const counted = (value, noun) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

/**
 * Return the regions, each within the one before, that fill a view.
 *
 * @param {RegionTree} tree
 * @param {View} view
 */
export function regionsInView({ regions }, view) {
  const isFilled = (/** @type {number} */ child) => {
    const { x, y, radius } = regions[child];
    const isInside = Math.hypot(x - view.x, y - view.y) < radius;
    return isInside && radius > (Math.min(view.width, view.height) / 2) * 0.62;
  };
  /** @type {number[]} */
  const path = [];
  for (let at = regions[0].children.find(isFilled); at !== undefined;) {
    path.push(at);
    at = regions[at].children.find(isFilled);
  }
  return path;
}

/**
 * Say how much of the corpus is drawn.
 *
 * @param {{ passages: number, regions: number, ofPassages: number, hidden: number, lines: number, ofLines: number }} drawn
 */
export function scaleText({ passages, regions, ofPassages, hidden, lines, ofLines }) {
  const parts = [passages && counted(passages, "passage"), regions && counted(regions, "region")];
  const filtered = hidden ? `, ${count(hidden)} hidden by filters` : "";
  const named = parts.filter(Boolean).join(" and ") || "Nothing";
  const nodes =
    passages === ofPassages
      ? `${passages === 1 ? "" : "All "}${counted(passages, "passage")} drawn`
      : `${named} drawn, of ${counted(ofPassages, "passage")}${filtered}`;
  const few = lines < ofLines ? `the strongest ${count(lines)} of ` : "";
  const note = regions ? "; a thicker line stands for more edges" : "";
  return `${nodes} · ${few}${counted(ofLines, "connection")}${note}`;
}

export class MapControls {
  /** @param {MapView} map */
  constructor(map) {
    this.map = map;
    this.options = new ViewOptions(map);
    this.legend = new Legend(map);
    this.tooltip = new Tooltip(map);
    this.path = el("nav.panel.crumbs", { "aria-label": "Region" });
    this.scale = el("div.scale");
    /** @type {boolean | null} */
    this.isNarrow = null;
    map.root.append(
      el("div.top", {}, new NodeSearch(map).element, this.options.element),
      this.path,
      this.legend.element,
      this.zoom(),
      this.scale,
      this.tooltip.element,
    );
  }

  /** On a narrow map fold what covers much of it, until it is opened by hand. @param {boolean} isNarrow */
  narrow(isNarrow) {
    if (this.isNarrow === isNarrow) return;
    this.isNarrow = isNarrow;
    this.map.root.toggleAttribute("data-narrow", isNarrow);
    this.options.element.open = !isNarrow;
    this.legend.narrow(isNarrow);
  }

  /** The part of a map of this size that no panel covers. @param {number} width @param {number} height */
  freeArea(width, height) {
    const [legend, options] = [this.legend.element, this.options.element];
    const { walk } = this.map.parts;
    const left = legend.open ? legend.offsetWidth + 16 : 10;
    return {
      left: Math.min(left, width / 3),
      right: width - 50,
      top: options.offsetTop + options.offsetHeight + 30,
      bottom: height - 36 - (walk.hidden ? 0 : walk.offsetHeight),
    };
  }

  zoom() {
    const { map } = this;
    const control = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act) =>
      button(sign, name, act, { "aria-label": name });
    return el(
      "div.panel.zoom",
      {},
      control("+", "Zoom in", () => map.zoomBy(1.6)),
      control("−", "Zoom out", () => map.zoomBy(1 / 1.6)),
      control("◱", "Show the whole corpus", () => map.fitAll()),
    );
  }

  /** Show the legend and the scale, after whatever changed. */
  show() {
    this.showScale();
    this.legend.show();
  }

  showScale() {
    const { nodes, connections, tree, hiddenCount } = this.map;
    const passages = nodes.filter((node) => node >= 0).length;
    this.scale.textContent = scaleText({
      passages,
      regions: nodes.length - passages,
      ofPassages: tree.passages,
      hidden: hiddenCount,
      lines: connections.lines.length,
      ofLines: connections.all,
    });
  }

  showPath() {
    const { map, path } = this;
    const regions = regionsInView(map.tree, map.view);
    path.hidden = !regions.length;
    const step = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
      el("button", { onclick }, name);
    path.replaceChildren(
      step("Whole corpus", () => map.fitAll()),
      ...regions.flatMap((region) => [
        el("span", {}, "›"),
        step(map.tree.regions[region].name, () => map.fly(-region - 1)),
      ]),
    );
  }
}

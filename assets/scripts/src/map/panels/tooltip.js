// What is said of the node or connection under the pointer.

import { el } from "../../common/dom.js";

/** @import { Connection } from "../map_data" */
/** @import { MapView } from "../map_view.js" */

/** @param {number} count */
const edgesOf = (count) => `${count.toLocaleString("en")} ${count === 1 ? "edge" : "edges"}`;

export class Tooltip {
  /** @param {MapView} map */
  constructor(map) {
    this.map = map;
    this.element = el("div.panel.tip", { hidden: true });
  }

  hide() {
    this.element.textContent = "";
    this.element.hidden = true;
  }

  /** @param {number} node @param {number} x @param {number} y */
  showNode(node, x, y) {
    const { map } = this;
    const units = node < 0 ? map.tree.members[-node - 1] : [node];
    const missed = map.colours.heat?.textOf(units);
    const detail = node < 0 ? this.detailOfRegion(node) : this.detailOfPassage(node);
    this.show([map.nameOf(node), detail, missed ?? ""], x, y);
  }

  /** @param {number} node */
  detailOfPassage(node) {
    const { tree } = this.map;
    const degree = tree.degrees[node];
    return `${tree.regions[tree.topOf(node)].name} · ${degree} ${degree === 1 ? "neighbour" : "neighbours"}`;
  }

  /** @param {number} node */
  detailOfRegion(node) {
    const edges = this.map.connectionsAt(node).reduce((sum, line) => sum + line.edges, 0);
    const count = this.map.tree.shownIn(-node - 1);
    const passages = `${count.toLocaleString("en")} ${count === 1 ? "passage" : "passages"}`;
    return `${passages} · ${edgesOf(edges)} to other regions · click to open`;
  }

  /** Tell how many edges a connection stands for, and what it joins. @param {Connection | undefined} line @param {{ x: number, y: number }} pointer */
  showConnection(line, { x, y }) {
    if (!line) return this.hide();
    const [from, to] = [this.map.nameOf(line.from), this.map.nameOf(line.to)];
    return this.show([edgesOf(line.edges), `between ${from}`, `and ${to}`], x, y);
  }

  /** @param {string[]} lines @param {number} x @param {number} y */
  show([first, ...rest], x, y) {
    const { element, map } = this;
    const others = rest.filter(Boolean).map((line) => el("small", {}, line));
    element.replaceChildren(el("b", {}, first), ...others);
    element.hidden = false;
    const [right, bottom] = [
      map.stage.clientWidth - element.offsetWidth - 8,
      map.stage.clientHeight - element.offsetHeight - 8,
    ];
    element.style.left = `${Math.max(8, Math.min(right, x + 16))}px`;
    element.style.top = `${Math.max(56, Math.min(bottom, y + 14))}px`;
  }
}

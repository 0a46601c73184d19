// The field that finds passages and regions of the map by their names.

import { el } from "../../common/dom.js";

/** @import { MapView } from "../map_view.js" */
/** @import { RegionTree } from "../region_tree.js" */

const MOST = 8; // matches shown

/**
 * Return the nodes whose names contain a text: names that begin with it first, then short names.
 *
 * @param {RegionTree} tree
 * @param {string} text in small letters
 * @param {number} most
 * @returns {number[]}
 */
export function matchingNodes(tree, text, most) {
  const regions = tree.regions
    .filter(({ depth }) => depth > 0)
    .map(({ name, number }) => ({ name, node: -number - 1 }));
  const passages = tree.titles.map((name, node) => ({ name, node }));
  return [...regions, ...passages]
    .map(({ name, node }) => ({ at: name.toLowerCase().indexOf(text), length: name.length, node }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => Number(a.at > 0) - Number(b.at > 0) || a.length - b.length || a.node - b.node)
    .slice(0, most)
    .map(({ node }) => node);
}

export class NodeSearch {
  /** @param {MapView} map */
  constructor(map) {
    this.map = map;
    const hint = map.tree.hasPassages ? "Fly to a passage or region" : "Fly to a region";
    this.field = /** @type {HTMLInputElement} */ (
      el("input", { type: "search", placeholder: hint, "aria-label": hint })
    );
    this.list = el("ul");
    this.element = el("div.panel.search", {}, this.field, this.list);
    /** @type {number[]} */
    this.matches = [];
    this.chosen = 0;
    this.field.oninput = () => this.find();
    this.field.onkeydown = (event) => this.key(event);
  }

  find() {
    const text = this.field.value.trim().toLowerCase();
    this.matches = text ? matchingNodes(this.map.tree, text, MOST) : [];
    this.chosen = 0;
    this.show();
    if (text && !this.matches.length) this.list.append(el("li.none", {}, "No region or passage matches."));
  }

  show() {
    this.list.replaceChildren(
      ...this.matches.map((node, n) =>
        el(
          n === this.chosen ? "li.on" : "li",
          {},
          el(
            "button",
            { onclick: () => this.open(node) },
            el("span", {}, this.map.nameOf(node)),
            el("small", {}, this.detailOf(node)),
          ),
        ),
      ),
    );
  }

  /** @param {number} node */
  detailOf(node) {
    const { tree } = this.map;
    if (node < 0) return `region, ${tree.regionOf(node).size.toLocaleString("en")}`;
    return tree.regions[tree.topOf(node)].name.split(" · ")[0];
  }

  /** @param {number} node */
  open(node) {
    this.field.value = "";
    this.list.textContent = "";
    this.map.choose(node);
    this.map.fly(node);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.field.value = "";
      this.matches = [];
      this.show();
      this.map.stage.focus();
    } else if (event.key === "Enter") {
      if (this.matches.length) this.open(this.matches[this.chosen]);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const { length } = this.matches;
      const by = event.key === "ArrowDown" ? 1 : -1;
      this.chosen = (this.chosen + by + length) % (length || 1);
      this.show();
      event.preventDefault();
    }
  }
}

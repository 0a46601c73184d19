// The lists beside the drawing of a difference: steps, nodes, and details of what is selected.

import { button, el } from "../common/dom.js";
import { detailsOf, nodesOf, nounOf, stepsOf } from "./lists.js";

/** @import { DifferenceData } from "../types/difference" */
/** @import { What } from "../graph/node_columns.js" */
/** @typedef {"Steps" | "Nodes" | "Details"} Tab */

export class Lists {
  constructor() {
    this.box = el("div.lists");
    /** @type {Tab} */
    this.tab = "Steps";
    this.all = false;
  }

  /** @param {DifferenceData} data @param {What | null} selected @param {Tab} [tab] */
  show(data, selected, tab = this.tab) {
    /** @type {Tab[]} */
    const names = data.rounds.length > 1 ? ["Steps", "Nodes"] : ["Nodes"];
    if (selected) names.push("Details");
    this.tab = names.includes(tab) ? tab : names[0];
    const again = (/** @type {string} */ focus) => {
      this.show(data, selected);
      /** @type {HTMLElement | null} */ (this.box.querySelector(focus))?.focus();
    };
    const toggle = () => {
      this.all = !this.all;
      again(".more");
    };
    const parts = {
      Steps: () => stepsOf(data, this.all, toggle),
      Nodes: () => nodesOf(data),
      Details: () => (selected ? detailsOf(data, selected) : []),
    };
    const tabs = names.map((name) =>
      button(
        name === "Nodes" ? `${nounOf(data)}s` : name,
        "",
        () => {
          this.tab = name;
          again("[aria-selected=true]");
        },
        { role: "tab", "aria-selected": String(name === this.tab) },
      ),
    );
    this.box.replaceChildren(
      el("div.tabs", { role: "tablist" }, ...tabs),
      el("div.sheet", { tabindex: -1, role: "tabpanel" }, ...parts[this.tab]()),
    );
  }
}

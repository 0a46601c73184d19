// The map in a page of its own: PyVis's network, with the shapes and the labels drawn over it.

import { el } from "../common/dom.js";
import { MapView } from "./map_view.js";

/** @import { MapData, Selection } from "./map_data" */

/** @param {string} selector @returns {HTMLElement} */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/** @type {MapData} */
const data = JSON.parse(find("#corpus-map-data").textContent ?? "");
const panel = find(".passage-text");

/** Show the text of a passage. @param {Selection | null} selection */
function showText(selection) {
  const { title, text } = data.units;
  panel.textContent = "";
  panel.hidden = selection?.kind !== "passage" || !text;
  if (selection?.kind !== "passage" || !title || !text) return;
  panel.append(el("h2", {}, title[selection.number]), el("p", {}, text[selection.number]));
}

/** @type {any} variables that PyVis wrote */
const { network, nodes, edges } = globalThis;
const drawn = { network, nodes, edges, stage: find("#mynetwork") };
const view = new MapView(find(".corpus-map-root"), data, showText, drawn);
view.setDark(matchMedia("(prefers-color-scheme: dark)").matches);
if (data.said) view.apply(data.said);
globalThis.__hopMap = view;

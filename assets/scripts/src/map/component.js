// The map as a component of the application. It is mounted once and keeps its data. The messenger
// tells it what to show, and tells Python what is selected.

import { isDark } from "../common/theme.js";
import { slotOf } from "./map_slots.js";
import { MapView } from "./map_view.js";

/** @import { ComponentArguments } from "../types/streamlit" */

/** @param {ComponentArguments<{ name: string, version: string, map: string }>} component */
export default function mount({ data, parentElement }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".corpus-map-root"));
  const slot = slotOf(data.name);
  if (!slot.map || slot.map.isGone || root.dataset.version !== data.version) {
    slot.map?.destroy();
    root.dataset.version = data.version;
    slot.map = new MapView(root, JSON.parse(data.map), (selection) => slot.select?.(selection));
    slot.map.setDark(isDark(root));
    if (slot.settings) slot.map.apply(slot.settings);
    globalThis.__hopMap = slot.map;
  } else slot.map.setDark(isDark(root));
  return () => {
    slot.map?.destroy();
    delete root.dataset.version;
  };
}

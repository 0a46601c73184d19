// Maps by name: a map and its messenger are components of their own, mounted in any order.

/** @import { MapSettings, Selection } from "./map_data" */
/** @import { MapView } from "./map_view.js" */

/** @typedef {{ map?: MapView, settings?: MapSettings, select?: (selection: Selection | null) => void }} MapSlot */

/** @param {string} name @returns {MapSlot} */
export function slotOf(name) {
  const slots = (globalThis.__hopMaps ??= new Map());
  const slot = slots.get(name) ?? {};
  slots.set(name, slot);
  return slot;
}

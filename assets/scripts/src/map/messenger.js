// Brings what Python says to the map, and what is selected there to Python.

import { slotOf } from "./map_slots.js";

/** @import { ComponentArguments } from "../types/streamlit" */
/** @import { MapSettings } from "./map_data" */

/** @param {ComponentArguments<{ name: string, said: string }>} component */
export default function mount({ data, setTriggerValue }) {
  const slot = slotOf(data.name);
  slot.select = (selection) => setTriggerValue("chosen", selection ?? { kind: "none", number: 0 });
  /** @type {MapSettings} */
  const settings = JSON.parse(data.said);
  slot.settings = settings;
  if (slot.map && !slot.map.isGone) slot.map.apply(settings);
}

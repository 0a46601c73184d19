// What Python says that a map shows: a filter, a field to colour by, gold, a node, a retrieval.

import { GoldCounts } from "./drawing/colours.js";
import { bitsOf } from "./region_tree.js";

/** @import { Field, MapSettings } from "./map_data" */
/** @import { MapView } from "./map_view.js" */

/** Show what differs from the settings of before. @param {MapView} map @param {MapSettings} before @param {MapSettings} settings */
export function applySettings(map, before, settings) {
  const changed = (/** @type {keyof MapSettings} */ name) =>
    JSON.stringify(settings[name] ?? null) !== JSON.stringify(before[name] ?? null);
  const recolours = [changed("hidden"), changed("field"), changed("heat")];
  if (recolours[0]) hide(map, settings.hidden ?? null);
  if (recolours[1]) colourByField(map, settings.field ?? null);
  if (recolours[2]) {
    map.colours.heat = settings.heat ? new GoldCounts(settings.heat.rows) : null;
    map.heatNote = settings.heat?.note ?? "";
  }
  if (recolours.includes(true)) {
    map.update();
    map.controls.show();
  }
  if (changed("focus")) focus(map, settings.focus ?? null);
  if (changed("walk")) map.replay.load(settings.walk ?? null);
  map.redraw();
}

/** @param {MapView} map @param {string | null} bits of the passages that are shown */
function hide(map, bits) {
  map.mask = bits ? bitsOf(bits, map.tree.count) : null;
  map.filter();
}

/** @param {MapView} map @param {Field | null} field */
function colourByField({ colours, controls }, field) {
  colours.field = field;
  if (field) colours.by = "field";
  else if (colours.by === "field") colours.by = "region";
  controls.options.showChoices();
}

/** @param {MapView} map @param {number | null} node */
function focus(map, node) {
  if (node === map.picked) return;
  map.picked = node;
  if (node !== null) map.fly(node);
}

// Where a walkthrough stands, as the address of the page has it.

import { placeOfStep, stepOfPlace } from "./model.js";

/** @import { WalkthroughData } from "../types/contract" */
/** @import { Place } from "./model.js" */

/** Values of `view` that mean the graph; all but the first are of links made before. */
const GRAPHS = ["graph", "focus", "everything"];

/**
 * Read the place of an address: `step` (a number or `end`) and `every=1`. Links made before have
 * the step as `t`, or the number of a stop as `stop`, and every step as `grain=event`.
 *
 * @param {string} search
 * @param {WalkthroughData} data
 * @param {boolean} fromStart whether an address without a step means the first one
 * @returns {Place}
 */
export function placeOfAddress(search, data, fromStart) {
  const asked = new URLSearchParams(search);
  const every = asked.get("every") === "1" || asked.get("grain") === "event";
  const written = asked.get("step") ?? asked.get("t") ?? asked.get("stop");
  if (written === "end") return placeOfStep(data, every, "end");
  const step = Number.parseInt(written ?? "", 10);
  if (step > 0) return placeOfStep(data, every, step);
  return fromStart ? { every, stop: 0 } : placeOfStep(data, every, "end");
}

/** Whether an address asks for the graph. @param {string} search */
export const isGraph = (search) => GRAPHS.includes(new URLSearchParams(search).get("view") ?? "");

/** @param {WalkthroughData} data @param {Place} place @param {boolean} graph */
export const addressOfPlace = (data, place, graph) => ({
  step: String(stepOfPlace(data, place)),
  every: place.every ? "1" : null,
  view: graph ? GRAPHS[0] : null,
  t: null,
  stop: null,
  grain: null,
});

/** The parameters of an address that have a value. @param {Record<string, string | null>} address @returns {[string, string][]} */
export const written = (address) =>
  Object.entries(address).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));

/**
 * The query string of an address with other parameters.
 *
 * @param {string} search
 * @param {Record<string, string | null>} changes
 */
export function changed(search, changes) {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  return String(params);
}

/** Write parameters into the address of the page. @param {Record<string, string | null>} changes */
export function keepAddress(changes) {
  const address = new URL(location.href);
  address.search = changed(address.search, changes);
  history.replaceState(history.state, "", address);
}

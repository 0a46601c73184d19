// The keys that are heard here, in a list that lies in front.

import { button, el } from "./dom.js";

const FIELDS =
  "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=dialog]:not(.details)";

/** Whether a key is typed into a field, or meant for a list that is open. @param {Event} event @param {Element} root where keys are heard */
export const isTyping = (event, root) =>
  event.composedPath().some((of) => of instanceof Element && of !== root && of.matches(FIELDS));

/** @typedef {Record<string, Record<string, string>>} KeyGroups what keys do, by group and key */

/** @param {KeyGroups} groups @returns {HTMLDialogElement} */
export function keysDialog(groups) {
  const made = /** @type {HTMLDialogElement} */ (
    el(
      "dialog.keys",
      { "aria-label": "Keys" },
      el("h3", {}, "Keys"),
      el(
        "div.groups",
        {},
        ...Object.entries(groups).map(([name, keys]) => groupOf(name, Object.entries(keys))),
      ),
    )
  );
  made.append(button("Close", "Close (Esc)", () => made.close()));
  return made;
}

/** @param {string} name @param {[string, string][]} keys */
const groupOf = (name, keys) =>
  keys.length > 0 &&
  el(
    "section",
    {},
    el("h4", {}, name),
    el("dl", {}, ...keys.flatMap(([key, does]) => [el("dt", {}, key), el("dd", {}, does)])),
  );

/** Whether a key is one of the page, by its list of keys. @param {[string, string][]} page @param {string} key */
export const isTaken = (page, key) => page.some(([keys]) => keys.split(/[\s,]+/).includes(key));

/** @param {string[]} acts what is done in Python @param {[string, string][]} page keys of the page @returns {KeyGroups} */
export function keyGroups(acts, page) {
  /** @type {KeyGroups} */
  const groups = {
    Play: {
      Space: "Play or pause",
      "← →": "Previous or next stop",
      "Home End": "First stop or evidence chain",
      e: "Switch between all steps and about 12 stops",
    },
    Question: acts.includes("question") ? { "[ ]": "Previous or next question" } : {},
    View: {
      ...(acts.includes("keep") ? { f: "Go to the fix of missed gold; Enter searches or applies it" } : {}),
      g: "Switch between the graph and the stage",
      "Tab Enter": "Move to a card or question and open its details",
      p: "Presenter mode",
      n: "Speaker notes in a second window",
      "?": "Show these keys",
      Esc: "Close what is open, or leave presenter mode",
    },
  };
  for (const keys of Object.values(groups))
    for (const key of Object.keys(keys)) if (isTaken(page, key)) delete keys[key];
  return { ...groups, "On this page": Object.fromEntries(page) };
}

/** Whether a key is meant for the walkthrough. @param {KeyboardEvent} event @param {Element} root @param {boolean} presenting */
export function isHeard(event, root, presenting) {
  if (!root.isConnected || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.defaultPrevented && event.key !== "Escape") return false;
  if (presenting) return true;
  return !isTyping(event, root);
}

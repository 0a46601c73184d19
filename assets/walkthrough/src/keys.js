// The keys that are heard here, in a list that lies in front.

import { button, el } from "./dom.js";

const FIELDS =
  "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=dialog]:not(.details)";

/** Whether a key is typed into a field, or meant for a list that is open. @param {Event} event @param {Element} root where keys are heard */
export const isTyping = (event, root) =>
  event.composedPath().some((of) => of instanceof Element && of !== root && of.matches(FIELDS));

/** @typedef {[string, [string, string][]][]} KeyGroups names of groups, each with keys and what they do */

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
        ...groups
          .filter(([, keys]) => keys.length)
          .map(([name, keys]) =>
            el(
              "section",
              {},
              el("h4", {}, name),
              el("dl", {}, ...keys.flatMap(([key, does]) => [el("dt", {}, key), el("dd", {}, does)])),
            ),
          ),
      ),
    )
  );
  made.append(button("Close", "Close (Esc)", () => made.close()));
  return made;
}

/** Whether a key is one of the page, by its list of keys. @param {[string, string][]} page @param {string} key */
export const isTaken = (page, key) => page.some(([keys]) => keys.split(/[\s,]+/).includes(key));

/** @param {boolean} questions whether there are other questions to turn to @param {[string, string][]} page keys of the page */
export function keyGroups(questions, page) {
  /** @type {KeyGroups} */
  const groups = [
    [
      "Play",
      [
        ["Space", "Play or pause"],
        ["← →", "Previous or next stop"],
        ["Home End", "First stop or evidence chain"],
        ["e", "Switch between all steps and about 12 stops"],
      ],
    ],
    ["Question", questions ? [["[ ]", "Previous or next question"]] : []],
    [
      "View",
      [
        ["g", "Switch between the graph and the stage"],
        ["Tab Enter", "Move to a card or question and open its details"],
        ["p", "Presenter mode"],
        ["n", "Speaker notes in a second window"],
        ["?", "Show these keys"],
        ["Esc", "Close what is open, or leave presenter mode"],
      ],
    ],
  ];
  const ours = groups.map(([name, keys]) => [name, keys.filter(([key]) => !isTaken(page, key))]);
  return /** @type {KeyGroups} */ ([...ours, ["On this page", page]]);
}

/** Whether a key is meant for the walkthrough. @param {KeyboardEvent} event @param {Element} root @param {boolean} presenting */
export function isHeard(event, root, presenting) {
  if (!root.isConnected || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.defaultPrevented && event.key !== "Escape") return false;
  if (presenting) return true;
  return !isTyping(event, root);
}

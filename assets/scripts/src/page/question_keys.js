// `[` and `]` press the buttons for the previous and the next question. Streamlit's own shortcuts do
// not have these keys.

import { withKey } from "./streamlit_dom.js";

const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable]";
/** @type {Record<string, string>} */
const BUTTONS = { "[": "question_before", "]": "question_after" };

/** @param {KeyboardEvent} event */
function press(event) {
  const [target] = event.composedPath();
  const isTyped = target instanceof Element && target.closest(FIELDS);
  if (isTyped || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const key = BUTTONS[event.key];
  /** @type {HTMLButtonElement | null} */
  const button = key ? document.querySelector(`${withKey(key)} button`) : null;
  if (!button) return;
  event.preventDefault();
  button.click();
}

export default function mount() {
  const listener = (/** @type {KeyboardEvent} */ event) => press(event); // of this mount
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}

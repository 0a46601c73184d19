// Keys that press the buttons of the Errors page, and the reviewer's name, which the browser keeps.

import { isConnected, isRunning, PRIMARY_BUTTON, withKey, withKeyPrefix } from "../page/streamlit_dom.js";
import { ClosedField, FIELDS } from "./closed_field.js";
import { BUTTONS, isLabel, isOfPage, isSaved, KeyQueue, labelPlace, turns } from "./key_bindings.js";

/** @import { ComponentArguments } from "../types/streamlit" */

const YEAR = 31_536_000; // seconds
const LOOK = 40; // milliseconds between looks for the next result or for a field
const MENU = "[role=combobox]";
const NOTE = withKeyPrefix("errors_note");

/** @param {string} selector @returns {any} */
const find = (selector) => document.querySelector(selector);

const queue = new KeyQueue({
  result: () => find(withKeyPrefix("errors_note_"))?.className,
  isRunning,
  now: () => performance.now(),
});
const closedField = new ClosedField();

/** The button that a key presses. @param {string} key @returns {HTMLButtonElement | null} */
function buttonOf(key) {
  if (key in BUTTONS) return find(`${withKey(BUTTONS[key])} button`);
  if (!isLabel(key)) return null;
  const labels = document.querySelectorAll(`${withKey("errors_labels")} button`);
  return /** @type {HTMLButtonElement | undefined} */ (labels[labelPlace(key)]) ?? null;
}

/** The field of the reviewer's name, while there is none yet. @returns {HTMLInputElement | null} */
const nameField = () => find(`${withKey("errors_typed")} input`);

/** Whether a name must be entered before a key does anything. @param {string} key */
const needsName = (key) => nameField() !== null && isSaved(key);

const hasLabels = () => find(`${withKey("errors_labels")}, ${withKey("errors_new_label")}`) !== null;

/** Whether a key is one of the page that can do nothing now. Python is told, and says why. @param {string} key */
function isRefused(key) {
  if (needsName(key)) return true;
  if (isLabel(key)) return !buttonOf(key) && hasLabels();
  return (key === "." || key === "U") && (buttonOf(key)?.disabled ?? false);
}

/** Whether the key that repeats a verdict leads on: a result with a verdict keeps it, and the next one without is looked for. */
function repeatLeadsOn() {
  const verdict = find(`${withKey("errors_verdicts")} ${PRIMARY_BUTTON}`);
  return !buttonOf(verdict ? "g" : "j")?.disabled;
}

/** Do what a key means. @param {string} key @param {(key: string) => void} refuse @returns {boolean} whether it is one of the page */
function act(key, refuse) {
  if (isRefused(key)) {
    nameField()?.focus();
    refuse(key);
    return true;
  }
  /** @type {HTMLTextAreaElement | null} */
  const note = key === "n" ? find(`${NOTE} textarea`) : null;
  const target = note ?? buttonOf(key);
  if (!target || target.disabled) return target !== null;
  if (note) {
    note.focus();
    note.setSelectionRange(note.value.length, note.value.length);
  } else {
    if (turns(key) && (key !== "." || repeatLeadsOn())) queue.leave();
    target.click();
  }
  return true;
}

// After a choice in a menu the keys are the page's again: in the menu's field they would be words
// to search for.
/** @param {Event} event */
function chosen({ target }) {
  if (!(target instanceof Element) || !target.closest("[role=option]")) return;
  setTimeout(() => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.matches(MENU)) activeElement.blur();
  });
}

/** Whether Enter ends what is typed in a field: the next key is one of the page. @param {Element} field */
const endsWithEnter = (field) =>
  field.matches(MENU) || field.closest(`${withKey("errors_row")}, ${withKey("errors_new_label")}`) !== null;

/** @param {KeyboardEvent} event @param {HTMLElement} field */
function leaveField(event, field) {
  if (event.key === "Escape") field.blur();
  else if (event.key === "Enter" && endsWithEnter(field)) setTimeout(() => field.blur());
}

/** @param {Event} event @returns {HTMLElement | null} */
function fieldOf(event) {
  const [target] = event.composedPath();
  return target instanceof Element ? target.closest(FIELDS) : null;
}

/** @param {Event} event */
function consume(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {KeyboardEvent} event @param {(key: string) => void} refuse */
function press(event, refuse) {
  const { key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const field = fieldOf(event);
  if (closedField.isWaiting() || (!isConnected() && !field && isOfPage(key))) {
    if (key === "Escape") closedField.giveUp();
    if (key.length === 1) consume(event); // others, as Tab, lead on
    return;
  }
  if (field) {
    leaveField(event, field);
    return;
  }
  queue.run((one) => act(one, refuse));
  const isHeard = (/** @type {string} */ one) => buttonOf(one) !== null || needsName(one);
  if (queue.hasArrived() ? act(key, refuse) : queue.add(key, isHeard)) consume(event);
}

let stop = () => {};

/** @param {ComponentArguments<{ cookie: string, name: string }>} component */
export default function mount({ data, setTriggerValue }) {
  stop(); // another name was given: keys are heard once
  if (data.name) {
    const value = encodeURIComponent(data.name);
    document.cookie = `${data.cookie}=${value}; path=/; max-age=${YEAR}; SameSite=Strict`;
  }
  const refuse = (/** @type {string} */ key) => setTriggerValue("refused", key);
  /** @type {[string, (event: any) => void][]} */
  const listeners = [
    ["keydown", (event) => press(event, refuse)],
    ["click", chosen],
    ["focusin", closedField.entered],
    ["focusout", closedField.left],
  ];
  // On the window, before the listeners of a walkthrough.
  for (const [event, listener] of listeners) window.addEventListener(event, listener, true);
  const timer = setInterval(() => {
    closedField.isWaiting();
    queue.run((key) => act(key, refuse));
  }, LOOK);
  stop = () => {
    clearInterval(timer);
    for (const [event, listener] of listeners) window.removeEventListener(event, listener, true);
  };
  return stop;
}

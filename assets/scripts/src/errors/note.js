// A note is handed over while it is typed: as Ctrl+Enter does it, which keeps the focus and lets
// typing go on. Until the server says that it has a text, the browser keeps it as a draft. One that
// was left behind, by Back, by a window that was closed or by a server that went away, is offered to
// the server as soon as this page is open again, whichever result it shows.

import { isConnected, isRunning, withKey } from "../page/streamlit_dom.js";
import { Drafts, ifStored } from "./drafts.js";
import { AWAY, NoteSaving, SAVING } from "./note_saving.js";

/** @import { ComponentArguments } from "../types/streamlit" */
/** @import { NoteData } from "./note_saving.js" */

const REST = 1000; // milliseconds after the last key
const LONGEST = 2000; // milliseconds after the first key that was not handed over
const REFRESH = 300; // milliseconds between two looks at the server
const AWAY_HINT = "The server is not responding. Your note will be saved when it responds again.";

// It outlives a reload of its window.
const tab = ifStored(() => (sessionStorage.hopTab ??= Math.random().toString(36).slice(2))) ?? "";
const saving = new NoteSaving(new Drafts(() => localStorage, tab));

/** @typedef {{ lines: HTMLElement[], offer: (event: string, value: unknown) => void }} Mounted */

/** @type {HTMLTextAreaElement | null} the field that is being typed in */
let note = null;
let handOverTimer = 0;
let typingSince = 0;
let lookTimer = 0;
/** @type {Mounted | null} */
let mounted = null;
let path = ""; // of the page

/** @param {EventTarget | null} target @returns {target is HTMLTextAreaElement} */
const isNote = (target) =>
  target instanceof HTMLTextAreaElement && Boolean(target.closest(withKey(saving.data?.field ?? "")));

function page() {
  /** @type {HTMLTextAreaElement | null} */
  const field = document.querySelector(`${withKey(saving.data?.field ?? "")} textarea`);
  return {
    text: field ? field.value : null,
    typing: note !== null,
    connected: isConnected(),
    running: isRunning(),
  };
}

function handOver() {
  clearTimeout(handOverTimer);
  if (!note) return;
  saving.handOver(note.value, isNote(note));
  const keys = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
  note.dispatchEvent(new KeyboardEvent("keydown", keys));
  note = null;
}

/** @param {Event} event */
function typed(event) {
  const { target } = event;
  if (!isNote(target)) return;
  clearTimeout(handOverTimer);
  if (note !== target) typingSince = performance.now();
  note = target;
  saving.typed(target.value);
  showStatus();
  if (/** @type {InputEvent} */ (event).isComposing) return;
  const left = typingSince + LONGEST - performance.now();
  handOverTimer = setTimeout(handOver, Math.min(REST, Math.max(0, left)));
}

/** @param {NoteData} data @param {ReturnType<NoteSaving["update"]>} found @param {Mounted["offer"]} offer */
function send(data, { offers, lookAfter }, offer) {
  if (offers.length) offer("drafts", offers);
  clearTimeout(lookTimer);
  if (lookAfter !== null) lookTimer = setTimeout(() => send(data, saving.lookAgain(data), offer), lookAfter);
}

function retry() {
  const draft = saving.retry(page());
  if (draft) mounted?.offer("drafts", [draft]);
}

// A screen reader does not speak "Saving…": it would do so with every pause in typing.
function showStatus() {
  const [seen, spoken] = mounted?.lines ?? [];
  const status = saving.status(page());
  if (!seen || seen.textContent === status) return;
  seen.textContent = status;
  seen.classList.toggle("hop-not-saved", status.startsWith("Not") || status === AWAY);
  seen.title = status === AWAY ? AWAY_HINT : "";
  if (status !== SAVING) spoken.textContent = status && `Note: ${status}`;
}

const hidden = () => {
  if (document.hidden) handOver();
};

// Back leaves the page at once: a text handed over now would come from a page that is left, so it
// stays a draft.
function goesBack() {
  if (location.pathname === path) return;
  clearTimeout(handOverTimer);
  note = null;
}

/** @type {[EventTarget, string, (event: Event) => void][]} */
const LISTENERS = [
  [document, "input", typed],
  [document, "compositionend", typed],
  [document, "visibilitychange", hidden],
  [window, "beforeunload", handOver],
  [window, "popstate", goesBack],
];

/** @param {ComponentArguments<NoteData>} component */
export default function mount({ data, parentElement, setTriggerValue }) {
  path ||= location.pathname;
  send(data, saving.update(data), setTriggerValue);
  for (const [on, event, act] of LISTENERS) on.addEventListener(event, act, true); // added only once
  const own = { lines: [...parentElement.querySelectorAll("span")], offer: setTriggerValue };
  mounted = own;
  showStatus();
  const timer = setInterval(() => {
    retry();
    showStatus();
  }, REFRESH);
  return () => {
    clearInterval(timer);
    if (mounted !== own) return; // the note of another result is shown already
    handOver();
    clearTimeout(lookTimer);
    saving.leave();
    path = "";
    for (const [on, event, act] of LISTENERS) on.removeEventListener(event, act, true);
  };
}

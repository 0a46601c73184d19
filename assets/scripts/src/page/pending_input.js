// What is typed is sent when its field loses the focus, on a busy machine some time later. A press of
// the menu that reached the server before it would be lost: the text that comes later is of the page
// that was left, and the window would show neither that page nor the new one. So the menu waits until
// the server has begun to run the page with the text.

import { once } from "./once.js";
import { FORM, isRunning, MENU_LINK, onRunChange, TYPED_FIELD } from "./streamlit_dom.js";

const GAP = 60; // milliseconds after that, and a frame: a text saved just before may have started that run
const LATE = 2000; // milliseconds to wait for a text: after that the server is away, or has run already

/** Whether a text was typed that the server may not have yet. */
export class PendingInput {
  /** @param {() => number} now */
  constructor(now = () => performance.now()) {
    this.now = now;
    this.isTyped = false; // not handed over yet
    this.sentAt = -Infinity;
  }

  typed() {
    this.isTyped = true;
  }

  /** What was typed is on its way to the server. */
  handOver() {
    if (!this.isTyped) return;
    this.isTyped = false;
    this.sentAt = this.now();
  }

  /** The server runs the page with what it was sent. */
  arrived() {
    this.sentAt = -Infinity;
  }

  /** Milliseconds to wait for the server at most; not positive if nothing is on its way. */
  get wait() {
    return this.sentAt + LATE - this.now();
  }
}

/** Whether a field is sent without a button. @param {EventTarget | null} field @returns {field is HTMLElement} */
const isSent = (field) => field instanceof HTMLElement && field.matches(TYPED_FIELD) && !field.closest(FORM);

/** @param {KeyboardEvent} event */
const sends = ({ key, target, ctrlKey, metaKey }) =>
  key === "Enter" && (target instanceof HTMLInputElement || ctrlKey || metaKey);

export default once("pending_input", () => {
  const input = new PendingInput();
  /** @type {HTMLElement | null} the entry of the menu that was pressed last */
  let link = null;
  let timer = 0;
  const leave = () => {
    clearTimeout(timer);
    const pressed = link;
    link = null;
    pressed?.click();
  };
  addEventListener("input", ({ target }) => isSent(target) && input.typed(), true);
  addEventListener("focusout", () => input.handOver(), true);
  addEventListener("keydown", (event) => sends(event) && input.handOver(), true);
  addEventListener(
    "click",
    (event) => {
      /** @type {HTMLElement | null} */
      const entry = event.target instanceof Element ? event.target.closest(MENU_LINK) : null;
      if (!entry || !event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
        return;
      if (isSent(document.activeElement)) document.activeElement.blur();
      const { wait } = input;
      if (wait <= 0) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      link = entry;
      clearTimeout(timer);
      timer = setTimeout(leave, wait);
    },
    true,
  );
  onRunChange(() => {
    if (!isRunning()) return;
    input.arrived();
    if (link) setTimeout(() => requestAnimationFrame(() => setTimeout(leave)), GAP);
  });
});

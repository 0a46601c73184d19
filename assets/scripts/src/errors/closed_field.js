// While the server is away its fields are disabled and lose the focus. Keys typed on are meant for
// the field and are no verdict. The field gets the focus again as soon as it is enabled.

import { isConnected, KEYED } from "../page/streamlit_dom.js";

export const FIELDS = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";

/** @typedef {HTMLElement & { disabled?: boolean }} Field */

/** @param {EventTarget | null} target @returns {Field | null} */
const fieldOf = (target) => (target instanceof HTMLElement && target.matches(FIELDS) ? target : null);

export class ClosedField {
  constructor() {
    /** @type {Field | null} the field that has the focus */
    this.focused = null;
    /** @type {Field | null} one that was disabled while it had the focus */
    this.closed = null;
    this.entered = (/** @type {Event} */ { target }) => {
      this.focused = fieldOf(target);
    };
    this.left = (/** @type {Event} */ event) => {
      const { target, relatedTarget } = /** @type {FocusEvent} */ (event);
      if (target === this.focused && !this.focused?.disabled) this.focused = fieldOf(relatedTarget);
    };
  }

  /** Whether keys are meant for a field that is disabled. If it is enabled again, give it the focus. */
  isWaiting() {
    if (this.focused?.disabled) [this.closed, this.focused] = [this.focused, null];
    if (this.closed && !this.isFocusFree(this.closed)) this.closed = null;
    const { closed } = this;
    if (!closed) return false;
    if (closed.disabled || !isConnected()) return true;
    const name = closed.closest(KEYED)?.className ?? "";
    const again = /** @type {HTMLElement | null | undefined} */ (
      closed.isConnected ? closed : document.getElementsByClassName(name)[0]?.querySelector(FIELDS)
    );
    this.closed = null;
    again?.focus();
    return false;
  }

  /** Whether nothing else was given the focus. @param {Field} closed */
  isFocusFree(closed) {
    const { activeElement } = document;
    return activeElement === null || activeElement === document.body || activeElement === closed;
  }

  /** Wait for the field no longer. */
  giveUp() {
    this.closed = null;
  }
}

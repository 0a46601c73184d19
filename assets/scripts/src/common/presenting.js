// A view that a presenter shows to an audience: it fills the window, in large letters, until the
// presenter leaves it. The address has `present=1` meanwhile.

import { keepAddress } from "../walkthrough/address.js";
import { el } from "./dom.js";
import { isTyping, keysDialog } from "./keys.js";
import { withKey } from "../page/streamlit_dom.js";
import { isDark } from "./theme.js";

/** @import { KeyGroups } from "./keys.js" */

/** The buttons that switch between views of the page. */
export const VIEW_SWITCH = `${withKey("view_switch")} button`;
/** @enum {number} places in it */
export const VIEWS = { columns: 1, difference: 2 };
const MOST_LINES = 3;

export class PresentedView {
  /** @param {HTMLDialogElement} root */
  constructor(root) {
    this.root = root;
    this.presenting = false;
    this.keys = keysDialog({});
    /** @type {Element | null} */
    this.focusedBefore = null;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    // On paper the picture has another size, and is light.
    this.printed = matchMedia("print");
    this.onPrint = () => {
      root.classList.toggle("dark", isDark(root));
      this.show();
    };
    this.printed.addEventListener("change", this.onPrint);
    root.addEventListener("cancel", (event) => {
      if (event.target !== root) return;
      event.preventDefault();
      this.escape();
    });
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey);
    this.printed.removeEventListener("change", this.onPrint);
    this.root.replaceChildren();
  }

  /** Draw what is shown, in a window that may have another size now. */
  show() {}

  /** What has the focus where nothing had it before. @returns {HTMLElement} */
  get home() {
    return this.root;
  }

  /** @returns {KeyGroups} */
  get keyGroups() {
    return {
      Query: { "[ ]": "Previous or next query" },
      View: {
        p: "Presenter mode",
        "?": "Show these keys",
        Esc: "Close what is open, or leave presenter mode",
      },
    };
  }

  /** What keys do; one that returns false leaves the key to the page. @returns {Record<string, (() => unknown) | undefined>} */
  get actions() {
    return {
      p: () => this.present(!this.presenting),
      "?": () => this.showKeys(),
      Escape: () => this.escape(),
    };
  }

  /** Lie in front of the page, or in it. @param {boolean} on */
  fillWindow(on) {
    const { root } = this;
    this.presenting = on;
    document.documentElement.classList.remove("hop-presents"); // the page below may be seen from now on
    root.close();
    root.classList.toggle("presenting", on);
    root.tabIndex = -1;
    if (on) root.showModal();
    else root.show();
  }

  /** @param {boolean} on */
  present(on) {
    if (on === this.presenting) return;
    const { root } = this;
    const had = /** @type {ShadowRoot | Document} */ (root.getRootNode()).activeElement;
    this.fillWindow(on);
    keepAddress({ present: on ? "1" : null });
    const back = this.focusedBefore instanceof HTMLElement ? this.focusedBefore : this.home;
    (on ? root : back.isConnected ? back : this.home).focus({ preventScroll: true });
    this.focusedBefore = had;
    this.show();
  }

  /** Take up what the page has changed: it writes the address without what only the browser knows. */
  arrived() {
    const wanted = new URLSearchParams(location.search).get("present") === "1";
    Object.assign(globalThis, {
      __hopHome: () => (this.presenting ? this.root : this.home).focus({ preventScroll: true }),
    });
    if (this.presenting) keepAddress({ present: "1" });
    else if (wanted) this.present(true);
    dispatchEvent(new Event("hop-arrived")); // a change within a component is seen by nobody else
  }

  showKeys() {
    if (this.keys.open) return this.keys.close();
    this.keys.remove();
    this.keys = keysDialog(this.keyGroups);
    this.root.append(this.keys);
    this.keys.showModal();
  }

  /** @returns {boolean} whether there was anything to close */
  escape() {
    if (this.keys.open) this.keys.close();
    else if (this.presenting) this.present(false);
    else return false;
    return true;
  }

  /** Press a button of the page. @param {string} selector @param {number} [number] which of those found */
  press(selector, number = 0) {
    const found = document.querySelectorAll(selector)[number];
    if (found instanceof HTMLElement) found.click();
    return Boolean(found);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const action = this.actions[event.key];
    if (!action || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.presenting && isTyping(event, this.root)) return;
    if (action() !== false) event.preventDefault();
  }
}

/**
 * Keep one view in its element while the page runs again, and load what has changed.
 *
 * @template {PresentedView & { load(told: any): void }} Shown
 * @param {HTMLElement} root
 * @param {{ rev: string }} data
 * @param {() => Shown} make
 * @param {() => unknown} told what the view loads
 * @returns {() => void} takes the view away
 */
export function keepView(root, data, make, told) {
  const held = /** @type {HTMLElement & { hopView?: { view: Shown, rev: string } | null }} */ (root);
  root.classList.toggle("dark", isDark(root));
  const kept = (held.hopView ??= { view: make(), rev: "" });
  if (kept.rev !== data.rev) {
    kept.rev = data.rev;
    kept.view.load(told());
  }
  return () => {
    kept.view.destroy();
    held.hopView = null;
  };
}

/**
 * Write the first of several texts that takes few lines; each is a verdict and sentences behind it.
 *
 * @param {HTMLElement} box
 * @param {string[][]} texts the longest one first
 */
export function fitSentences(box, texts) {
  for (const [verdict, ...rest] of texts) {
    box.replaceChildren(el("b", {}, verdict), ...rest.filter(Boolean).map((one) => ` ${one}`));
    if (box.scrollHeight < (MOST_LINES + 0.5) * Number.parseFloat(getComputedStyle(box).lineHeight)) return;
  }
}

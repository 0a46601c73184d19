// What a page adds to its own address as it opens is no place to go back to: only what a person does
// is, and that once. Streamlit makes a new entry of the browser's history of every change of the
// address. When a page is left, the address of the next page may come before its name: that is the
// same entry.

import { once } from "./once.js";

/** Decides which changes of the address are new entries of the history. */
export class EntryRule {
  constructor() {
    this.opening = true; // the page is opening, or has made an entry of what was done last
    this.pushed = false; // an entry was made of what was done last
  }

  /** A person did something. */
  acted() {
    this.opening = this.pushed = false;
  }

  /** A person went to another entry. */
  travelled() {
    this.opening = true;
    this.pushed = false;
  }

  /** Whether a change of the address is a new entry. @param {boolean} leaves whether it leaves the page */
  isNew(leaves) {
    const isNew = leaves ? !this.pushed : !this.opening;
    this.pushed = !leaves && (this.pushed || !this.opening);
    this.opening = true;
    return isNew;
  }
}

export default once("history_entries", () => {
  const push = history.pushState.bind(history);
  const rule = new EntryRule();
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => rule.acted(), true);
  addEventListener("popstate", () => rule.travelled());
  history.pushState = (state, unused, url) => {
    const leaves = new URL(url ?? "", location.href).pathname !== location.pathname;
    if (rule.isNew(leaves)) push(state, unused, url);
    else history.replaceState(state, unused, url);
  };
});

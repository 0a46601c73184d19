// The dialog that searches everything. It opens without the server, which is asked for results while
// a query is typed. Titles are data: they only ever become text.

import { el } from "../common/dom.js";

/** @import { ComponentArguments } from "../types/streamlit" */

const PAUSE = 90; // milliseconds without a key before the server is asked

/** @typedef {{ title: string, detail: [text: string, isMatch: boolean][] }} Entry */
/** @typedef {{ title: string, entries: Entry[] }} Group */
/** Results of the query `text`. @typedef {{ text: string, scope: string, groups: Group[] }} Found */
/** @typedef {{ choose: (at: number) => void, open: (at: number) => void }} EntryActions */
/** What outlives an answer of the server. @typedef {{ timer: number, at: number, opensFirst: boolean }} DialogState */

/** @type {WeakMap<HTMLDialogElement, DialogState>} */
const states = new WeakMap();

/** The place after a move, of so many entries in a circle. @param {number} at @param {number} by @param {number} count */
export const placeAfter = (at, by, count) => (at + by + count) % count;

/** The nearest place among so many entries. @param {number} at @param {number} count */
export const placeWithin = (at, count) => Math.max(0, Math.min(at, count - 1));

/** Whether keys open the dialog, or shut it. @param {KeyboardEvent} event */
const isShortcut = (event) => event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);

const isPresenting = () => new URLSearchParams(location.search).get("present") === "1";

/** @param {Entry} entry @param {number} at @param {EntryActions} actions */
function row({ title, detail }, at, { choose, open }) {
  const texts = detail.map(([text, isMatch]) => (isMatch ? el("mark", {}, text) : text));
  return el(
    "div.entry",
    { id: `hop-found-${at}`, role: "option", onpointermove: () => choose(at), onclick: () => open(at) },
    el("b", { dir: "auto" }, title),
    texts.length > 0 && el("small", { dir: "auto" }, ...texts),
  );
}

/** Draw the results. @param {HTMLElement} list @param {Found} found @param {EntryActions} actions @returns {HTMLElement[]} their rows */
function draw(list, { groups, text }, actions) {
  /** @type {HTMLElement[]} */
  const rows = [];
  const parts = groups.map(({ title, entries }) => {
    const drawn = entries.map((entry, n) => row(entry, rows.length + n, actions));
    rows.push(...drawn);
    const heading = el("div.group", { "aria-hidden": "true" }, title);
    return el("div", { role: "group", "aria-label": title }, heading, ...drawn);
  });
  if (!rows.length) parts.push(el("p.none", {}, `Nothing matches '${text}'.`));
  list.replaceChildren(...parts);
  list.scrollTop = 0;
  return rows;
}

class SearchDialog {
  /** @param {ComponentArguments<Found>} component */
  constructor({ data, parentElement, setTriggerValue }) {
    const find = (/** @type {string} */ selector) =>
      /** @type {HTMLElement} */ (parentElement.querySelector(selector));
    this.data = data;
    this.send = setTriggerValue;
    this.dialog = /** @type {HTMLDialogElement} */ (find("dialog"));
    this.input = /** @type {HTMLInputElement} */ (find("input"));
    this.status = find(".said");
    this.state = states.get(this.dialog) ?? { timer: 0, at: 0, opensFirst: false };
    states.set(this.dialog, this.state);
    this.opener = find(".open");
    find(".scope").textContent = data.scope;
    find(".open kbd").textContent = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘ K" : "Ctrl K";
    this.rows = draw(find(".found"), data, {
      choose: (at) => this.choose(at),
      open: (at) => this.openEntry(at),
    });
    this.choose(0);
    this.showStatus();
    if (this.state.opensFirst && this.isCurrent) {
      this.state.opensFirst = false;
      this.openEntry(0);
    }
    this.listen();
  }

  listen() {
    const { dialog, input } = this;
    input.oninput = () => this.typed();
    input.onkeydown = (event) => this.key(event);
    dialog.onclose = () => dispatchEvent(new Event("hop-closed")); // page/page_focus.js
    dialog.onclick = (event) => {
      if (event.target === dialog) dialog.close();
    };
    this.opener.onclick = () => this.show();
  }

  /** Whether the results are those of what is typed. */
  get isCurrent() {
    return this.input.value === this.data.text;
  }

  /** @param {number} at */
  choose(at) {
    const { rows, input, state } = this;
    state.at = placeWithin(at, rows.length);
    rows.forEach((one, n) => one.setAttribute("aria-selected", String(n === state.at)));
    if (rows.length) input.setAttribute("aria-activedescendant", rows[state.at].id);
    else input.removeAttribute("aria-activedescendant");
  }

  /** @param {number} at */
  openEntry(at) {
    if (!this.rows[at] || !this.isCurrent) return;
    this.dialog.close();
    this.send("go", { text: this.data.text, at });
  }

  showStatus() {
    this.status.textContent = this.isCurrent ? `${this.rows.length} found` : "Searching …";
  }

  /** Ask the server for results. */
  ask() {
    clearTimeout(this.state.timer);
    this.send("typed", this.input.value);
  }

  typed() {
    const { state } = this;
    clearTimeout(state.timer);
    state.opensFirst = false;
    this.showStatus();
    if (!this.isCurrent) state.timer = setTimeout(() => this.ask(), PAUSE);
  }

  /** @param {number} by */
  move(by) {
    const { state, rows } = this;
    this.choose(placeAfter(state.at, by, rows.length));
    rows[state.at].scrollIntoView({ block: "nearest" });
  }

  enter() {
    if (this.isCurrent) this.openEntry(this.state.at);
    else {
      this.state.opensFirst = true; // the results of what is typed have not arrived yet
      this.ask();
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    event.stopPropagation(); // keys of the page
    if (event.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && this.rows.length) this.move(by);
    else if (event.key === "Enter") this.enter();
    else if (isShortcut(event)) this.dialog.close();
    else return;
    event.preventDefault();
  }

  show() {
    if (isPresenting() || this.dialog.open) return;
    this.dialog.showModal();
    this.input.select();
  }
}

/** @param {ComponentArguments<Found>} component */
export default function mount(component) {
  const dialog = new SearchDialog(component);
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (!isShortcut(event) || event.altKey || event.shiftKey || isPresenting()) return;
    event.preventDefault();
    dialog.show();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

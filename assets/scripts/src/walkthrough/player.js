// A walkthrough in its element: where it stands, and what keys and clicks do.

import { detailsOf } from "../stage/details.js";
import { button, el } from "../common/dom.js";
import { focusAgain, focusedIn } from "../common/focus.js";
import { isHeard, isTaken, keyGroups } from "../common/keys.js";
import { moved, placeOfNode, placeOfStop, sequence, stopAt, toggledEvery } from "./model.js";
import { animate, boxesOf, isStill } from "../common/motion.js";
import { Notes } from "./notes.js";
import { draw } from "../stage/picture.js";
import { Playing } from "./playing.js";
import { PresentedView } from "../common/presenting.js";
import { toolsOf } from "./tools.js";

/** @import { WalkthroughData } from "../types/contract" */
/** @import { Place } from "./model.js" */
/** @import { Hooks, Notice, Options, Selection, View } from "../types/view" */

const FONT = '16px "Source Sans"';

export class Player extends PresentedView {
  /**
   * @param {HTMLDialogElement} root
   * @param {WalkthroughData} data
   * @param {Place} place
   * @param {Hooks} hooks
   * @param {Options} options
   */
  constructor(root, data, place, hooks, options) {
    super(root);
    this.data = data;
    this.place = place;
    this.page = 0; // of a stop that lacks room for all of it
    this.hooks = hooks;
    this.options = options;
    this.notes = new Notes(root);
    this.playing = new Playing(this);
    /** @type {Selection | null} */
    this.selected = null;
    /** @type {Notice | null} */
    this.notice = null;
    /** @type {WalkthroughData | null} */
    this.searched = null; // for fixes
    this.picture = el("div.picture");
    this.remark = el("p.remark");
    // A live region is heard only if it stays while its text changes.
    this.live = el("p.live", { "aria-live": "polite" });
    root.replaceChildren(this.remark, this.live, this.picture);
    this.picture.addEventListener("click", (event) => this.click(event));
    this.resized = new ResizeObserver(() => this.show());
    this.resized.observe(this.picture);
    document.fonts.load(FONT).finally(() => this.show()); // boxes are measured in this font
  }

  destroy() {
    this.pause();
    this.notes.close();
    this.resized.disconnect();
    super.destroy();
  }

  /** @returns {View} */
  get view() {
    const { data, place, page, options, selected } = this;
    return {
      data,
      place,
      page,
      selected,
      stop: stopAt(data, place),
      options,
      act: {
        go: (stop) => this.go(moved(data, this.place, stop)),
        openStop: (number) => this.go(placeOfStop(data, this.place, number)),
        toNode: (node) => this.go(placeOfNode(data, this.place, node) ?? this.place),
        send: (name, value) => this.hooks.send(name, value),
        select: (what) => this.select(what),
        show: (how) => this.change(how),
        mark: (passage, gold) => this.mark(passage, gold),
      },
    };
  }

  get last() {
    return sequence(this.data, this.place.every).length - 1;
  }

  /** Show other data at a place, or the same data anew. @param {WalkthroughData} data @param {Place} place */
  load(data, place) {
    this.pause();
    this.data = data;
    this.place = place;
    this.page = 0;
    this.selected = null;
    this.show();
  }

  /** @param {Place} place @param {{ playing?: boolean }} [how] */
  go(place, { playing = false } = {}) {
    if (!playing) this.pause();
    const by = place.stop - this.place.stop;
    const near = Math.abs(by) === 1 && place.every === this.place.every;
    this.place = place;
    this.page = 0;
    this.selected = null;
    this.notice = null;
    this.show(near);
    this.hooks.moved(place);
  }

  /** @param {number} by @param {{ playing?: boolean }} [how] @returns {boolean} whether there was anywhere to go */
  step(by, how) {
    if (this.turn(by)) return true;
    const place = moved(this.data, this.place, this.place.stop + by);
    if (place.stop === this.place.stop) return false;
    this.go(place, how);
    return true;
  }

  /** Turn the page of a stop that has several. @param {number} by @returns {boolean} whether there was a page to turn to */
  turn(by) {
    const page = this.page + by;
    if (page < 0 || page >= Number(this.picture.dataset.pages)) return false;
    this.page = page;
    this.show();
    return true;
  }

  /** Draw the stop. @param {boolean} [moving] whether parts come from where they were */
  show(moving = false) {
    if (!this.picture.clientWidth) return;
    const view = this.view;
    const still = !moving || isStill();
    const before = still ? null : boxesOf(this.picture);
    const focused = focusedIn(this.picture);
    draw(this.picture, view, toolsOf(this));
    this.showDetails(view);
    if (before) animate(this.picture, before);
    focusAgain(this.picture, focused);
    this.notes.show(view);
    this.live.textContent = `${view.stop.round} ${view.stop.headline}`.trim();
    this.hooks.told(view.stop.t, this.data.stops[this.data.every.at(-1) ?? 0].t);
    this.showRemark();
    this.playing.showProgress();
    this.searchFixes(view);
  }

  /** Begin the search for fixes where an audience would see them: it sees no button. @param {View} view */
  searchFixes({ stop, data, options }) {
    const search = options.keeps.find((fix) => fix.searches);
    if (!search || !options.presenting || stop.kind !== "chain" || this.searched === data) return;
    this.searched = data;
    setTimeout(() => this.hooks.send("keep", search.value)); // not while Streamlit mounts this
  }

  /** Go to the last stop, to the button of a fix. @returns {boolean} whether there is one */
  toFix() {
    if (!this.options.keeps.some((fix) => fix.action)) return false;
    this.go({ ...this.place, stop: this.last });
    /** @type {HTMLElement | null} */ (this.root.querySelector(".fixes button"))?.focus();
    return true;
  }

  /** What was just done, or what the page says of this walkthrough, with a button. */
  showRemark() {
    const { remark } = this.options;
    const [text, label] = this.notice ? [this.notice.told, this.notice.undo && "Undo"] : remark;
    const press = this.notice?.undo ?? (() => this.hooks.send("remark", null));
    this.remark.replaceChildren(text, ...(label ? [button(label, "", press)] : []));
    this.remark.hidden = !text;
  }

  /** Tell something above the picture until the next stop. @param {Notice} notice */
  tell(notice) {
    this.notice = notice;
    this.showRemark();
  }

  /** Mark a passage as gold or not, which can be undone. @param {string} passage @param {boolean} gold */
  mark(passage, gold) {
    this.hooks.send("mark", { passage, gold });
    const undo = () => {
      this.notice = null;
      this.hooks.send("mark", { passage, gold: !gold, undo: true });
    };
    const { title } = this.data.nodes[passage];
    this.tell({ told: `'${title}' is ${gold ? "marked" : "no longer marked"} as gold.`, undo });
  }

  toggle() {
    if (this.playing.on) this.playing.pause();
    else this.playing.start();
  }

  pause() {
    this.playing.stop();
  }

  /** Show the same place otherwise. @param {Partial<Options>} how */
  change(how) {
    this.options = { ...this.options, ...how };
    this.show();
    this.hooks.moved(this.place);
  }

  /** @param {boolean} on */
  present(on) {
    if (this.presenting === on) return;
    this.options = { ...this.options, presenting: on };
    this.fillWindow(on);
    this.root.focus({ preventScroll: true });
    this.hooks.presented(on);
    this.show();
  }

  get keyGroups() {
    return keyGroups(this.hooks.acts, this.hooks.keys);
  }

  /** @param {Selection | null} what */
  select(what) {
    this.selected = what;
    if (this.options.graph) this.show();
    else this.showDetails(this.view);
    if (what)
      /** @type {HTMLElement | null} */ (this.root.querySelector(".details"))?.focus({ preventScroll: true });
  }

  /** @param {View} view */
  showDetails(view) {
    this.root.querySelector(".details")?.remove();
    const made = this.selected && detailsOf(view, this.hooks, this.selected);
    if (made) this.root.append(made);
    this.root.classList.toggle("with-details", Boolean(made));
  }

  /** @param {MouseEvent} event */
  click(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("button, a, summary, .overview")) return;
    const of = /** @type {HTMLElement | null} */ (target.closest("[data-node], [data-edge]"));
    if (of?.dataset.node) this.select({ node: of.dataset.node });
    else if (of?.dataset.edge) this.select({ edge: of.dataset.edge });
  }

  escape() {
    if (this.keys.open || !this.selected) return super.escape();
    this.select(null);
    return true;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!isHeard(event, this.root, this.options.presenting)) return;
    const target = event.composedPath()[0];
    const control = target instanceof Element ? target.closest("button, a, summary, [data-node]") : null;
    if (event.key === "Enter") return this.enter(control);
    if (event.key === " " && control && !control.classList.contains("play")) return;
    const action = isTaken(this.hooks.keys, event.key) ? undefined : this.actions[event.key];
    if (action && action() !== false) event.preventDefault();
  }

  /** @returns {Record<string, (() => unknown) | undefined>} */
  get actions() {
    const turns = this.hooks.acts.includes("question");
    return {
      ...super.actions,
      ArrowLeft: () => void this.step(-1),
      ArrowRight: () => void this.step(1),
      Home: () => this.go({ ...this.place, stop: 0 }),
      End: () => this.go({ ...this.place, stop: this.last }),
      " ": () => this.toggle(),
      e: () => this.go(toggledEvery(this.data, this.place)),
      f: this.hooks.acts.includes("keep") ? () => this.toFix() : undefined,
      g: () => this.change({ graph: !this.options.graph }),
      n: () =>
        this.notes.toggle(this.view) ||
        this.tell({ told: "The browser blocked the notes window. Allow pop-ups for this page." }),
      "[": turns ? () => this.hooks.send("question", -1) : undefined,
      "]": turns ? () => this.hooks.send("question", 1) : undefined,
    };
  }

  /** @param {Element | null} control */
  enter(control) {
    if (!(control instanceof HTMLElement)) return;
    if (control.dataset.node) this.select({ node: control.dataset.node });
  }
}

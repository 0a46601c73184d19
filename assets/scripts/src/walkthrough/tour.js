// The guided tour: scenes, each a stop of a walkthrough with what to see there.

import { cardOf } from "../stage/cards.js";
import { el, button } from "../common/dom.js";
import { isGold, stopAt } from "./model.js";
import { animate, boxesOf, isStill } from "../common/motion.js";
import { draw } from "../stage/picture.js";
import { SHOWN } from "./default_options.js";
import { isDark } from "../common/theme.js";

/** @import { WalkthroughData } from "../types/contract" */
/** @import { View } from "../types/view" */
/** @typedef {{ title: string, text: string, walkthrough: number, stop: number, focus: string, page: string, link: string }} Scene */
/** @typedef {{ walkthroughs: WalkthroughData[], scenes: Scene[] }} TourData */

const FONT = '16px "Source Sans"';
const FIELDS = "input, textarea, select, [contenteditable], [role=combobox], [role=dialog]:not(.tour)";

class Tour {
  /** @param {HTMLElement} root @param {TourData} data @param {(page: string) => void} open */
  constructor(root, data, open) {
    this.root = root;
    this.data = data;
    this.open = open;
    this.at = 0;
    this.picture = el("div.picture");
    this.words = el("div.words", { "aria-live": "polite" });
    root.replaceChildren(this.words, this.picture);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.resized = new ResizeObserver(() => this.show(false));
    this.resized.observe(this.picture);
    document.fonts.load(FONT).finally(() => this.show(false));
  }

  destroy() {
    this.resized.disconnect();
    document.removeEventListener("keydown", this.onKey);
    this.root.replaceChildren();
  }

  /** @param {number} at */
  go(at) {
    if (at < 0 || at >= this.data.scenes.length) return;
    this.at = at;
    this.show(true);
  }

  /** @param {boolean} moving */
  show(moving) {
    if (!this.picture.clientWidth) return;
    const scene = this.data.scenes[this.at];
    const data = this.data.walkthroughs[scene.walkthrough];
    const place = { stop: scene.stop, every: false };
    const before = moving && !isStill() ? boxesOf(this.picture) : null;
    const nothing = () => {};
    const view = {
      data,
      place,
      page: 0,
      stop: stopAt(data, place),
      selected: null,
      options: SHOWN,
      act: {
        go: nothing,
        openStop: nothing,
        toNode: nothing,
        send: nothing,
        select: nothing,
        show: nothing,
        mark: nothing,
      },
    };
    this.picture.dataset.focus = scene.focus;
    draw(this.picture, view, [el("span.by", {}, data.title)]);
    if (scene.focus === "gold") this.picture.querySelector(".stage")?.append(goldOf(view));
    this.tell(scene);
    if (before) animate(this.picture, before);
  }

  /** @param {Scene} scene */
  tell(scene) {
    const { scenes } = this.data;
    const last = this.at === scenes.length - 1;
    const had = this.words.contains(
      /** @type {ShadowRoot | Document} */ (this.root.getRootNode()).activeElement,
    );
    this.words.replaceChildren(
      el("h3", {}, scene.title),
      el(
        "p.scene",
        {},
        el("span", { dir: "auto" }, scene.text),
        " ",
        button(`${scene.link} ›`, `Go to ${scene.page}`, () => this.open(scene.page), { class: "link" }),
      ),
      el(
        "div.steps",
        {},
        ...scenes.map((one, n) =>
          button("", one.title, () => this.go(n), {
            class: "dot",
            "aria-label": `Scene ${n + 1}: ${one.title}`,
            "aria-current": n === this.at ? "step" : null,
          }),
        ),
        button("Back", "Previous scene (←)", () => this.go(this.at - 1), { disabled: this.at === 0 }),
        button(last ? "Start again" : "Next", "Next scene (→)", () => this.go(last ? 0 : this.at + 1), {
          class: "next",
        }),
      ),
    );
    if (had)
      /** @type {HTMLElement | null} */ (this.words.querySelector(".next"))?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.composedPath().some((of) => of instanceof Element && of.matches(FIELDS))) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.go(this.at + by);
  }
}

/** The gold of a question side by side, each with its sentence. @param {View} view */
function goldOf(view) {
  const { data } = view;
  const end = data.stops[data.stops.length - 1];
  const cards = (end.chain?.cards ?? []).filter((card) => isGold(data.nodes[card.node]));
  return el("div.needed", {}, ...cards.map((card) => cardOf(view, card, "link")));
}

/** @param {{ data: any, parentElement: HTMLElement, setTriggerValue: (name: string, value: unknown) => void }} component */
export default function mount({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement & { hopTour?: Tour | null }} */ (
    parentElement.querySelector(".walkthrough")
  );
  root.classList.toggle("dark", isDark(root));
  root.hopTour ??= new Tour(root, JSON.parse(data.tour), (page) => setTriggerValue("open", page));
  Object.assign(globalThis, { __hopTour: root.hopTour });
  return () => {
    root.hopTour?.destroy();
    root.hopTour = null;
  };
}

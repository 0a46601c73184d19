// Two retrievals of one query on one layout. Python decides what is whose (core/difference).

import { button, el } from "../common/dom.js";
import { NodeColumns } from "../graph/node_columns.js";
import { savePicture } from "../common/picture_file.js";
import { MAIN, MAIN_CONTENT, withKey } from "../page/streamlit_dom.js";
import { PresentedView, VIEWS, VIEW_SWITCH, fitSentences, keepView } from "../common/presenting.js";
import { graphOf } from "./difference_graph.js";
import { tipOf } from "./lists.js";
import { Lists } from "./list_panel.js";
import { goldOf, legendOf, sideOf, untakenOf } from "./signs.js";

/** @import { DifferenceData, LegendData, ViewName } from "../types/difference" */
/** @import { What } from "../graph/node_columns.js" */
/** @import { Named } from "./signs.js" */
/** @import { KeyGroups } from "../common/keys.js" */
/** @typedef {{ difference: DifferenceData, verdict: string, why: string[], names: Named[], pair: string, tints: string[] }} Told */

const NEXT_PAIR = `${withKey("compare_next")} button`;

class Difference extends PresentedView {
  /** @param {HTMLDialogElement} root @param {Told} told */
  constructor(root, told) {
    super(root);
    this.told = told;
    /** @type {ViewName} */
    this.view = "focus";
    /** @type {What | null} */
    this.selected = null;
    /** @type {LegendData | null} */
    this.term = null;
    /** @type {number | null} a stop, or null for the whole */
    this.stop = null;
    this.graph = new NodeColumns(
      { select: (what) => this.select(what), tip: (what) => tipOf(this.data, what) },
      "Difference between two retrievals: use the up and down keys to move, and Enter to open details.",
    );
    this.caption = el("p.told", { dir: "auto" });
    this.bar = el("div.bar");
    this.lists = new Lists();
    this.hints = el("span.hints");
    this.onSize = () => this.tell();
    addEventListener("resize", this.onSize);
    // The drawing has the room of the window below what stands above it on the page.
    this.around = new ResizeObserver(() => this.measure());
    const page = document.querySelector(MAIN_CONTENT);
    if (page) this.around.observe(page);
    this.root.addEventListener("click", (event) => this.clicked(event));
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLTableRowElement) this.clicked(event);
    });
  }

  destroy() {
    removeEventListener("resize", this.onSize);
    this.around.disconnect();
    this.graph.destroy();
    super.destroy();
  }

  get data() {
    return this.told.difference;
  }

  get home() {
    return this.graph.columns.querySelector("button") ?? this.root;
  }

  get actions() {
    const next = () => this.step(1);
    const back = () => this.step(-1);
    const inButton = () => {
      const home = /** @type {ShadowRoot | Document} */ (this.root.getRootNode());
      return home.activeElement?.matches("button") ?? false;
    };
    return {
      ...super.actions,
      ...this.graph.zoomKeys,
      l: () => this.presenting && this.root.classList.toggle("listed"),
      d: () => this.press(VIEW_SWITCH, VIEWS.columns),
      n: () => this.press(NEXT_PAIR),
      ArrowRight: next,
      PageDown: next,
      " ": () => (inButton() ? false : next()),
      ArrowLeft: back,
      PageUp: back,
    };
  }

  /** @returns {KeyGroups} */
  get keyGroups() {
    return {
      Select: { "↑ ↓": "Move between nodes", Enter: "Open details" },
      Compare: {
        d: "Show the rankings of all retrievers",
        n: "Compare the next pair of retrievers",
      },
      "Presenter mode": {
        "← →": "Previous or next stop (also Space, or a presentation remote)",
        l: "Show the lists beside the graph",
      },
      Size: { "+ −": "Zoom in or out", f: "Reset the zoom" },
      ...super.keyGroups,
    };
  }

  /** @param {Told} told */
  load(told) {
    this.told = told;
    this.selected = null;
    this.term = null;
    this.stop = null;
    const { data } = this;
    for (const [n, tint] of told.tints.entries()) this.root.style.setProperty(`--${"ab"[n]}`, tint);
    this.root.replaceChildren(
      el("header.asked", {}, el("h2", { dir: "auto" }, data.query)),
      this.caption,
      el(
        "ul.sides",
        {},
        ...told.names.map((named, n) => sideOf(data, named, n)),
        told.pair && el("li.pair.quiet", {}, told.pair),
        ...data.gold.map((gold) => el("li", {}, goldOf(data, gold))),
      ),
      el(
        "div.stage",
        {},
        el("section.graph", {}, this.bar, untakenOf(this.data), this.graph.box),
        this.lists.box,
      ),
      el("footer", {}, this.hints),
    );
    this.show();
    this.arrived();
  }

  show() {
    if (!this.presenting) {
      this.stop = null;
      this.root.classList.remove("listed");
    }
    this.tell();
    this.paint();
    this.lists.show(this.data, this.selected);
    this.measure();
  }

  /** How far below the top of the page the graph begins. */
  measure() {
    if (this.presenting) return;
    const stage = this.root.querySelector(".stage");
    const scrolled = document.querySelector(MAIN)?.scrollTop ?? scrollY;
    if (stage) {
      const above = Math.round(stage.getBoundingClientRect().top + scrolled);
      this.root.style.setProperty("--above", `${above}px`);
    }
  }

  /** Go to the next stop, or the one before; the whole comes before the first one. @param {number} by */
  step(by) {
    const at = (this.stop ?? -1) + by;
    if (!this.presenting || at >= this.data.stops.length || at < -1) return this.presenting;
    this.stop = at < 0 ? null : at;
    this.tell();
    this.paint();
    return true;
  }

  /** For an audience in few lines: what explains least is left out. */
  tell() {
    const { verdict, why, pair } = this.told;
    const { answer, stops, parting } = this.data;
    const place = this.stop === null ? "→ step by step" : `← → ${this.stop + 1} of ${stops.length}`;
    const keys = ["[ ] query", "d rankings", pair && "n next pair", "l lists", "? keys", "Esc exit"];
    this.hints.textContent = [place, ...keys].filter(Boolean).join(" · ");
    if (!this.presenting) return;
    const now = this.stop === null ? "" : stops[this.stop].text;
    fitSentences(
      this.caption,
      now
        ? [[now]]
        : [
            [verdict, ...why, answer, parting.text],
            [verdict, ...why, parting.text],
            [verdict, ...why, parting.short],
            ...why.map((_, n) => [verdict, ...why.slice(0, why.length - n)]),
            [verdict || parting.text],
          ],
    );
  }

  paint() {
    const { columns, edges, shown } = graphOf(this.data, this);
    this.graph.show(columns, edges);
    this.bar.replaceChildren(
      legendOf(this.data, shown, this.term, this.presenting, (term) => {
        this.term = term;
        this.paint();
      }),
      this.tools(),
    );
  }

  tools() {
    const pressed = (/** @type {boolean} */ on) => ({ "aria-pressed": String(on) });
    const view = (/** @type {ViewName} */ name, /** @type {string} */ label) =>
      button(
        label,
        "",
        () => {
          this.view = name;
          this.paint();
        },
        pressed(this.view === name),
      );
    const save = () =>
      savePicture(
        this.root,
        [this.graph.frame, /** @type {HTMLElement} */ (this.bar.firstChild)],
        "difference",
      );
    return el(
      "div.tools",
      { role: "toolbar", "aria-label": "Difference" },
      view("focus", "Focus"),
      view("everything", "Everything"),
      button("Present", "Presenter mode (p)", () => this.present(!this.presenting), pressed(this.presenting)),
      button("PNG", "Save as a picture (PNG)", save),
      button("?", "Keys", () => this.showKeys(), { "aria-label": "Keys" }),
    );
  }

  /** @param {What | null} what */
  select(what) {
    this.selected = what;
    if (what && this.presenting) this.root.classList.add("listed");
    this.lists.show(this.data, what, what ? "Details" : "Steps");
    this.paint();
  }

  escape() {
    if (this.keys.open || !this.selected) return super.escape();
    this.select(null);
    return true;
  }

  /** @param {Event} event */
  clicked({ target }) {
    const of = target instanceof Element ? target.closest("tr[data-node], .gold[data-node]") : null;
    if (of instanceof HTMLElement && of.dataset.node) this.select({ node: of.dataset.node });
  }
}

/** @param {{ data: any, parentElement: HTMLElement }} component */
export default function mount({ data, parentElement }) {
  const root = /** @type {HTMLDialogElement} */ (parentElement.querySelector(".difference"));
  const told = () => ({ ...data, difference: JSON.parse(data.difference) });
  return keepView(root, data, () => new Difference(root, told()), told);
}

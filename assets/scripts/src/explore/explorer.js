// A neighbourhood that is looked at: its columns, its legend, and what is told on hover. Who mounts it
// hears what is selected.

import { button, el } from "../common/dom.js";
import { isTyping, keysDialog } from "../common/keys.js";
import { NodeColumns } from "../graph/node_columns.js";
import { savePicture } from "../common/picture_file.js";
import { centreOf, graphOf, passagesOf } from "./neighbourhood_graph.js";
import { legendOf } from "./legend.js";

/** @import { NeighbourhoodData } from "../types/neighbourhood" */
/** @import { What } from "../graph/node_columns.js" */
/** @typedef {Record<string, Record<string, [string, () => void]>>} PageKeys what keys of the page do, by group and key */
/**
 * @typedef {object} ExplorerHooks
 * @property {(what: What | null) => void} pick
 * @property {(passage: string) => void} [open] draw more of what is behind a passage
 * @property {PageKeys} [keys]
 */

const LETTERS = [14, 13, 12, 11, 10.5]; // px; the largest of them in which all has room
const TEXT = 160; // letters of a passage that are told on hover

export class Explorer {
  /** @param {HTMLElement} root @param {ExplorerHooks} hooks */
  constructor(root, hooks) {
    this.root = root;
    this.hooks = hooks;
    /** @type {NeighbourhoodData | null} */
    this.drawn = null;
    /** @type {What | null} */
    this.selected = null;
    /** @type {Set<string>} */
    this.chosen = new Set();
    this.graph = new NodeColumns(
      {
        select: (what) => this.pick(what),
        tip: (what) => this.tipOf(what),
        open: hooks.open && ((passage) => this.hooks.open?.(passage)),
      },
      "Neighbourhood",
    );
    this.key = el("div.key");
    this.keys = keysDialog({});
    this.box = el(
      "section.graph",
      { "aria-label": "Graph" },
      this.graph.box,
      el("div.foot", {}, this.key, this.tools()),
    );
    root.replaceChildren(this.box, this.keys);
    this.graph.frame.addEventListener("click", (event) => {
      if (event.target instanceof Element && !event.target.closest("button, [data-edge]")) this.pick(null);
    });
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    document.addEventListener("keydown", this.onKey);
    this.sized = new ResizeObserver(() => this.fit());
    this.sized.observe(this.graph.box);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey);
    this.sized.disconnect();
    this.graph.destroy();
    this.root.replaceChildren();
  }

  /** @param {NeighbourhoodData} drawn @param {What | null} selected */
  load(drawn, selected) {
    this.drawn = drawn;
    this.chosen.clear();
    this.key.replaceChildren(legendOf(drawn, this.chosen, () => this.paint()));
    const label = `${drawn.title}. ${drawn.note} Use the up and down keys to move between passages, and Enter to select one.`;
    this.graph.frame.setAttribute("aria-label", label);
    this.select(selected);
    this.fit();
  }

  /** @param {What | null} what */
  select(what) {
    this.selected = what;
    this.paint();
  }

  /** @param {What | null} what */
  pick(what) {
    this.select(what);
    this.hooks.pick(what);
  }

  paint() {
    if (!this.drawn) return;
    const { columns, edges } = graphOf(this.drawn, this.selected, this.chosen);
    this.graph.show(columns, edges, centreOf(this.drawn)?.id);
  }

  /** Write in the largest letters in which all has room; where it has none in any, its width has. */
  fit() {
    const { box, frame, zoom } = this.graph;
    if (zoom !== 1) return;
    const sizes = LETTERS.map((px) => {
      box.style.fontSize = `${px}px`;
      const wide = frame.scrollWidth <= frame.clientWidth;
      return { px, wide, whole: wide && frame.scrollHeight <= frame.clientHeight };
    });
    const { px } = sizes.find(({ whole }) => whole) ?? sizes.find(({ wide }) => wide) ?? sizes[2];
    box.style.fontSize = `${px}px`;
    this.graph.drawEdges();
  }

  /** What is told beside the pointer, unless it is selected: then the panel tells it. @param {What} what */
  tipOf(what) {
    if (!this.drawn || JSON.stringify(what) === JSON.stringify(this.selected)) return [];
    const passages = new Map(passagesOf(this.drawn).map((passage) => [passage.id, passage]));
    if ("node" in what) {
      const { title, text } = passages.get(what.node) ?? { title: "", text: "" };
      return [el("b", {}, title), el("span.quiet", {}, cropped(text, TEXT))];
    }
    const edge = this.drawn.edges.find(({ id }) => id === what.edge);
    if (!edge) return [];
    const [source, target] = [edge.source, edge.target].map((id) => passages.get(id)?.title);
    return [
      el("b", {}, `${source} → ${target}`),
      ...(edge.raised === edge.question
        ? [el("q", {}, edge.question)]
        : [
            el("span", {}, `${source} raises `, el("q", {}, edge.raised)),
            el("span", {}, `${target} answers `, el("q", {}, edge.question)),
          ]),
      el("span.quiet", {}, `similarity ${edge.similarity.toFixed(3)}`),
    ];
  }

  tools() {
    const { "+": larger, "-": smaller, f: fit } = this.graph.zoomKeys;
    const named = (/** @type {string} */ name) => ({ "aria-label": name });
    return el(
      "div.tools",
      { role: "toolbar", "aria-label": "Drawing" },
      button("+", "Zoom in (+)", larger, named("Zoom in")),
      button("−", "Zoom out (−)", smaller, named("Zoom out")),
      button("Fit", "Fit to frame (f)", fit),
      button("PNG", "Save as a picture (PNG)", () => this.save()),
      button("?", "Keys (?)", () => this.showKeys(), named("Keys")),
    );
  }

  save() {
    const legend = /** @type {HTMLElement} */ (this.key.firstChild);
    return savePicture(this.root, [this.graph.frame, legend], this.drawn?.title ?? "");
  }

  showKeys() {
    if (this.keys.open) return this.keys.close();
    const page = Object.entries(this.hooks.keys ?? {}).map(([name, keys]) => [
      name,
      Object.fromEntries(Object.entries(keys).map(([key, [does]]) => [key, does])),
    ]);
    const made = keysDialog({
      Select: {
        "↑ ↓": "Move through the graph or the legend",
        Enter: "Select the item, or expand a count",
      },
      ...Object.fromEntries(page),
      Zoom: {
        "+ −": "Zoom in or out",
        f: "Fit to frame",
        "Ctrl wheel": "Zoom at the pointer",
        Drag: "Pan the graph when zoomed in",
      },
      View: { "?": "Show these keys", Esc: "Close this list" },
    });
    this.keys.replaceWith(made);
    this.keys = made;
    made.showModal();
  }

  /** Keys are heard wherever they are not typed into a field. @param {KeyboardEvent} event */
  pressed(event) {
    const page = Object.values(this.hooks.keys ?? {}).find((keys) => event.key in keys);
    /** @type {Record<string, () => void>} */
    const own = { ...this.graph.zoomKeys, "?": () => this.showKeys() };
    const action = own[event.key] ?? page?.[event.key][1];
    if (!action || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event, this.root)) return;
    action();
    event.preventDefault();
  }
}

/** @param {string} text @param {number} most */
const cropped = (text, most) => (text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text);

// A graph as columns of names with edges between them. The browser lays the names out; edges are
// drawn from the boxes that it has made.

import { el, svg } from "./dom.js";
import { edgesOf } from "./dots.js";
import { roving } from "./roving.js";
import { starOf } from "./text.js";

/**
 * @typedef {object} ColumnNode
 * @property {string} id
 * @property {string} name
 * @property {string} before what stands before the name, such as a rank
 * @property {"" | "given" | "rules" | "hand"} gold
 * @property {string} sign a letter in its sign, if it has one
 * @property {string} look classes
 * @property {string} spoken what a screen reader says
 */
/** @typedef {{ id: string, label: string, told: string }} Count nodes that are counted and not drawn */
/** @typedef {{ heading: string, nodes: ColumnNode[], counts: Count[], mirrored?: boolean }} Column */
/** @typedef {{ id: string, source: string, target: string, look: string }} ColumnEdge */
/** @typedef {{ node: string } | { edge: string }} What */
/**
 * @typedef {object} NodeHooks
 * @property {(what: What) => void} select
 * @property {(what: What) => (Node | string)[]} tip what is told beside the pointer; nothing if empty
 * @property {(id: string) => void} [open] show the nodes of a count
 */

const DENSE = 40; // nodes of a column, from which on only some are named
const ZOOM = 1.2;
const HIT = 14; // px around an edge in which it is pointed at
const GAP = 3; // px between an edge and what it joins

export class NodeColumns {
  /** @param {NodeHooks} hooks @param {string} label */
  constructor(hooks, label) {
    this.hooks = hooks;
    this.zoom = 1;
    /** @type {ColumnEdge[]} */
    this.edges = [];
    this.columns = el("div.columns");
    this.tip = el("div.tip", { hidden: true, role: "tooltip" });
    this.frame = el("div.node-columns", { role: "group", "aria-label": label }, this.columns);
    this.box = el("div.node-frame", {}, this.frame, this.tip);
    this.settle = roving(this.columns, "button");
    this.resized = new ResizeObserver(() => this.drawEdges());
    this.resized.observe(this.frame);
    this.resized.observe(this.columns);
    for (const name of ["pointerover", "focusin"])
      this.frame.addEventListener(name, (event) => this.point(event));
    for (const name of ["pointerleave", "focusout", "pointerdown"])
      this.frame.addEventListener(name, () => this.leave());
    this.frame.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.zoomBy(event.deltaY < 0 ? ZOOM : 1 / ZOOM);
      },
      { passive: false },
    );
  }

  destroy() {
    this.resized.disconnect();
  }

  /** @param {Column[]} columns @param {ColumnEdge[]} edges */
  show(columns, edges) {
    const root = /** @type {ShadowRoot | Document} */ (this.box.getRootNode());
    const had = root.activeElement instanceof HTMLElement ? root.activeElement : null;
    const focused = this.columns.contains(had) ? had?.dataset.node : undefined;
    this.edges = edges;
    this.columns.replaceChildren(...columns.map((column) => this.columnOf(column)));
    this.settle();
    this.drawEdges();
    if (focused !== undefined) this.button(focused)?.focus({ preventScroll: true });
  }

  /** @param {string} id @returns {HTMLElement | null} */
  button(id) {
    return this.columns.querySelector(`button[data-node="${CSS.escape(id)}"]`);
  }

  focus() {
    const stop = /** @type {HTMLElement | null} */ (this.columns.querySelector("button[tabindex='0']"));
    stop?.focus({ preventScroll: true });
  }

  /** @param {number} by a factor, or 0 for the size at first */
  zoomBy(by) {
    this.zoom = by ? Math.min(4, Math.max(0.4, this.zoom * by)) : 1;
    this.frame.style.setProperty("--zoom", String(this.zoom));
    this.drawEdges();
  }

  /** Keys that change the size. @returns {Record<string, () => void>} */
  get zoomKeys() {
    const larger = () => this.zoomBy(ZOOM);
    return { "+": larger, "=": larger, "-": () => this.zoomBy(1 / ZOOM), f: () => this.zoomBy(0) };
  }

  /** @param {Column} column */
  columnOf({ heading, nodes, counts, mirrored }) {
    return el(
      `section.column${mirrored ? ".mirrored" : ""}${nodes.length > DENSE ? ".dense" : ""}`,
      { "aria-label": heading },
      el("h4", { dir: "auto" }, heading),
      el(
        "ol",
        {},
        ...nodes.map((node) => el("li", {}, this.buttonOf(node))),
        ...counts.map(({ id, label, told }) =>
          el(
            "li",
            {},
            this.hooks.open
              ? el(
                  "button.count",
                  { type: "button", title: told, "aria-label": told, onclick: () => this.hooks.open?.(id) },
                  label,
                )
              : el("span.count", { title: told }, label),
          ),
        ),
      ),
    );
  }

  /** @param {ColumnNode} node */
  buttonOf({ id, name, before, gold, sign, look, spoken }) {
    return el(
      `button.node.${look.trim().replace(/ +/g, ".")}${gold ? ".is-gold" : ""}`,
      {
        type: "button",
        "data-node": id,
        "aria-label": spoken,
        onclick: () => this.hooks.select({ node: id }),
      },
      el("i.sign", {}, sign),
      el("span.name", { dir: "auto" }, gold && starOf(gold), before && el("small", {}, `${before} · `), name),
    );
  }

  drawEdges() {
    this.columns.querySelector("svg.ways")?.remove();
    if (!this.columns.clientWidth) return;
    const frame = this.columns.getBoundingClientRect();
    const places = new Map(
      [...this.columns.querySelectorAll("button.node")].map((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        const column = /** @type {Element} */ (node.closest(".column")).getBoundingClientRect();
        return [
          /** @type {HTMLElement} */ (node).dataset.node ?? "",
          { left: left - frame.left, right: right - frame.left, y: (top + bottom) / 2 - frame.top, column },
        ];
      }),
    );
    /** @type {import("./dots.js").PlacedNode[]} */
    const ends = [];
    const edges = this.edges.flatMap((edge) => {
      const [a, b] = [places.get(edge.source), places.get(edge.target)];
      if (!a || !b) return [];
      const aside = Math.max(a.right, b.right) + GAP;
      const xs =
        a.column.left === b.column.left
          ? [aside, aside]
          : a.column.left < b.column.left
            ? [a.right + GAP, b.left - GAP]
            : [a.left - GAP, b.right + GAP];
      [a, b].forEach(({ y }, n) =>
        ends.push({ id: `${edge.id} ${n}`, title: "", shape: "dot", look: "", x: xs[n], y, r: 0 }),
      );
      return [{ id: edge.id, source: `${edge.id} 0`, target: `${edge.id} 1`, look: edge.look }];
    });
    const hits = edges.map((edge) => ({ ...edge, look: "hit" }));
    const select = (/** @type {string} */ edge) => this.hooks.select({ edge });
    this.columns.prepend(
      svg(
        "svg",
        { class: "ways", width: frame.width, height: frame.height, "aria-hidden": "true" },
        arrowhead(),
        ...edgesOf(ends, edges),
        ...edgesOf(ends, hits, select),
      ),
    );
    for (const hit of this.columns.querySelectorAll(".way.hit")) {
      /** @type {SVGElement} */ (hit).style.strokeWidth = `${HIT}px`;
    }
  }

  /** What an event points at. @param {Event} event @returns {What | null} */
  whatOf({ target }) {
    const of = target instanceof Element ? target.closest("[data-node], [data-edge]") : null;
    const { node, edge } = /** @type {HTMLElement | null} */ (of)?.dataset ?? {};
    return node !== undefined ? { node } : edge !== undefined ? { edge } : null;
  }

  /** Tell of what is pointed at, and show its edges before all others. @param {Event} event */
  point(event) {
    const what = this.whatOf(event);
    const node = what && "node" in what ? what.node : null;
    const edge = what && "edge" in what ? what.edge : null;
    const near = new Set(
      this.edges
        .filter(({ id, source, target }) => id === edge || source === node || target === node)
        .map(({ id }) => id),
    );
    for (const way of this.columns.querySelectorAll(".way")) {
      way.classList.toggle("near", near.has(/** @type {SVGElement} */ (way).dataset.edge ?? ""));
    }
    const told = what ? this.hooks.tip(what) : [];
    this.tip.hidden = !told.length;
    if (!told.length) return;
    this.tip.replaceChildren(...told);
    const frame = this.box.getBoundingClientRect();
    const box = /** @type {Element} */ (event.target).getBoundingClientRect();
    const at = event instanceof PointerEvent ? event : { clientX: box.right, clientY: box.bottom };
    const x = Math.min(at.clientX - frame.left + 14, frame.width - this.tip.offsetWidth - 6);
    const below = at.clientY - frame.top + 16;
    const fits = below + this.tip.offsetHeight < frame.height;
    this.tip.style.left = `${Math.max(4, x)}px`;
    this.tip.style.top = `${Math.max(4, fits ? below : below - this.tip.offsetHeight - 28)}px`;
  }

  leave() {
    this.tip.hidden = true;
    for (const way of this.columns.querySelectorAll(".way.near")) way.classList.remove("near");
  }
}

const arrowhead = () =>
  svg(
    "defs",
    {},
    svg(
      "marker",
      {
        id: "arrow",
        viewBox: "0 0 8 8",
        refX: 6,
        refY: 4,
        markerWidth: 10,
        markerHeight: 10,
        markerUnits: "userSpaceOnUse",
        orient: "auto",
      },
      svg("path", { d: "M0,0.8L7,4L0,7.2Z", fill: "context-stroke" }),
    ),
  );

/** The sign of an edge, for a legend. @param {string} look */
export const edgeSign = (look) =>
  svg(
    "svg",
    { class: "ways sign-of-edge", width: 34, height: 12, viewBox: "0 0 34 12", "aria-hidden": "true" },
    svg("path", { class: `way ${look}`, d: "M1,6L31,6" }),
  );

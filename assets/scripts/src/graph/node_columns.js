// A graph as columns of names with edges between them. The browser lays the names out; edges are
// drawn from the boxes that it has made.

import { el, svg } from "../common/dom.js";
import { arrowhead, pathsOf } from "./edge_paths.js";
import { roving } from "../common/arrow_keys.js";
import { starOf } from "../common/text.js";

/** @import { Reach } from "./edge_paths.js" */

/**
 * @typedef {object} ColumnNode
 * @property {string} id
 * @property {string} name
 * @property {string} before what stands before the name, such as a rank
 * @property {"" | "given" | "rules" | "hand"} gold
 * @property {string} sign a letter in its sign, if it has one
 * @property {string} look classes
 * @property {string} spoken what a screen reader says
 * @property {Count} [count] what is counted behind it
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
    this.frame.addEventListener("pointerover", (event) => this.point(event));
    this.frame.addEventListener("focusin", (event) => {
      if (event.target instanceof Element && event.target.matches(":focus-visible")) this.point(event);
    });
    for (const name of ["pointerleave", "focusout", "pointerdown"])
      this.frame.addEventListener(name, () => this.leave());
    this.frame.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoomBy(event.deltaY < 0 ? ZOOM : 1 / ZOOM, event);
      },
      { passive: false },
    );
    this.frame.addEventListener("pointerdown", (event) => this.pan(event));
  }

  destroy() {
    this.resized.disconnect();
  }

  /** @param {Column[]} columns @param {ColumnEdge[]} edges @param {string} [home] the node that the Tab key comes to first */
  show(columns, edges, home = "") {
    const root = /** @type {ShadowRoot | Document} */ (this.box.getRootNode());
    const had = root.activeElement instanceof HTMLElement ? root.activeElement : null;
    const focused = this.columns.contains(had) ? had?.dataset.node : undefined;
    const stop = /** @type {HTMLElement | null} */ (this.columns.querySelector("[tabindex='0']"))?.dataset
      .node;
    this.leave();
    this.edges = edges;
    this.columns.replaceChildren(...columns.map((column) => this.columnOf(column)));
    (this.button(stop ?? "") ?? this.button(home))?.setAttribute("tabindex", "0");
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

  /**
   * Zoom; what is at a point stays there.
   *
   * @param {number} by a factor, or 0 for the size at first
   * @param {{ clientX: number, clientY: number }} [at] the middle, if it is left out
   */
  zoomBy(by, at) {
    const { frame } = this;
    const box = frame.getBoundingClientRect();
    const x = (at?.clientX ?? (box.left + box.right) / 2) - box.left;
    const y = (at?.clientY ?? (box.top + box.bottom) / 2) - box.top;
    const [across, down] = [
      (frame.scrollLeft + x) / frame.scrollWidth,
      (frame.scrollTop + y) / frame.scrollHeight,
    ];
    this.zoom = by ? Math.min(4, Math.max(0.4, this.zoom * by)) : 1;
    frame.style.setProperty("--zoom", String(this.zoom));
    frame.scrollTo(across * frame.scrollWidth - x, down * frame.scrollHeight - y);
    this.drawEdges();
  }

  /** Move the drawing by its ground, if it is larger than its frame. @param {PointerEvent} event */
  pan(event) {
    if (event.button || event.pointerType === "touch" || this.whatOf(event)) return;
    const { frame } = this;
    const [left, top] = [frame.scrollLeft + event.clientX, frame.scrollTop + event.clientY];
    const move = (/** @type {PointerEvent} */ now) => frame.scrollTo(left - now.clientX, top - now.clientY);
    addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"])
      addEventListener(name, () => removeEventListener("pointermove", move), { once: true });
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
        ...nodes.map((node) => el("li", {}, this.buttonOf(node), node.count && this.countOf(node.count))),
        ...counts.map((count) => el("li", {}, this.countOf(count))),
      ),
    );
  }

  /** @param {Count} count */
  countOf({ id, label, told }) {
    if (!this.hooks.open) return el("span.count", { title: told }, label);
    const open = () => this.hooks.open?.(id);
    return el("button.count", { type: "button", title: told, "aria-label": told, onclick: open }, label);
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
    const within = (/** @type {Reach} */ { left, right }) => ({
      left: left - frame.left,
      right: right - frame.left,
    });
    const nodes = /** @type {HTMLElement[]} */ ([...this.columns.querySelectorAll("button.node")]);
    const places = new Map(
      nodes.map((node) => {
        const { top, bottom } = node.getBoundingClientRect();
        const boxes = partsOf(node).map((one) => one.getBoundingClientRect());
        const beside = boxes.filter(({ width }) => width); // a dense column shows few names
        const left = Math.min(...beside.map((box) => box.left));
        const right = Math.max(...beside.map((box) => box.right));
        const column = /** @type {Element} */ (node.closest(".column")).getBoundingClientRect();
        return [
          node.dataset.node ?? "",
          {
            ...within({ left, right }),
            top: top - frame.top,
            bottom: bottom - frame.top,
            column: within(column),
          },
        ];
      }),
    );
    const paths = pathsOf(this.edges, places);
    const select = (/** @type {string} */ edge) => () => this.hooks.select({ edge });
    this.columns.prepend(
      svg(
        "svg",
        { class: "ways", width: frame.width, height: frame.height, "aria-hidden": "true" },
        arrowhead(),
        ...paths.map(({ id, look, d }) => svg("path", { class: `way ${look}`, d, "data-edge": id })),
        ...paths.map(({ id, d }) =>
          svg("path", { class: "way hit", d, "data-edge": id, onclick: select(id) }),
        ),
      ),
    );
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

/** What edges go round: a frame, or else the sign and the words; and a count beside them. @param {HTMLElement} node */
function partsOf(node) {
  const [sign, name] = node.children;
  const words = document.createRange();
  words.selectNodeContents(name);
  return [...(node.matches(".is-framed") ? [node] : [sign, words]), node.nextElementSibling ?? sign];
}

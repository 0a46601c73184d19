// Speaker notes in a second window: this stop, the next one, and the time.

import { el } from "../common/dom.js";
import { isBackwards } from "../stage/edge_words.js";
import { sequence } from "./model.js";

/** @import { View } from "../types/view" */

const STYLE =
  "html{background:Canvas;color:CanvasText}body{font:20px/1.45 system-ui,sans-serif;margin:24px;max-width:44em}h1{font-size:1.3em;margin:.2em 0}p{margin:.4em 0}.quiet{opacity:.7}.next{margin-top:1.4em;padding-top:.8em;border-top:1px solid;opacity:.85}";

/** Time as minutes and seconds. @param {number} seconds */
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

export class Notes {
  /** @param {HTMLElement} root of the walkthrough, whose theme the notes have */
  constructor(root) {
    this.root = root;
    /** @type {Window | null} */
    this.window = null;
    this.began = 0;
    this.time = el("time");
  }

  /** Open the window, or close it. @param {View} view @returns {boolean} whether the browser let it */
  toggle(view) {
    if (this.window && !this.window.closed) {
      this.close();
      return true;
    }
    this.window = open("", "hoprag-speaker-notes", "width=720,height=560");
    this.began = Date.now();
    // A timer of that window ends with it, and is not slowed down while this one is hidden.
    this.window?.setInterval(() => this.tick(), 1000);
    this.show(view);
    return this.window !== null;
  }

  close() {
    this.window?.close();
    this.window = null;
  }

  /** Show the time since the window was opened. */
  tick() {
    this.time.textContent = clock(Math.floor((Date.now() - this.began) / 1000));
  }

  /** @param {View} view */
  show(view) {
    if (!this.window || this.window.closed) return;
    const { data, place, stop } = view;
    const stops = sequence(data, place.every);
    const next = data.stops[stops[place.stop + 1]];
    const gold = data.gold.map((one, n) => `${one.title}: ${stop.gold_status[n] ?? ""}`);
    const { document: page } = this.window;
    page.title = "Speaker notes";
    page.documentElement.style.colorScheme = this.root.classList.contains("dark") ? "dark" : "light";
    page.head.replaceChildren(el("style", {}, STYLE));
    page.body.replaceChildren(
      el("p.quiet", {}, `Stop ${place.stop + 1} of ${stops.length} · `, this.time),
      el("h1", {}, stop.headline),
      ...stop.notes.map((note) => el("p", {}, note)),
      ...stop.candidates
        .slice(0, 4)
        .map((one) =>
          el(
            "p",
            {},
            `${data.edges[one.edge]?.question ?? one.label} ${isBackwards(data.edges[one.edge], one.card.node) ? "←" : "→"} ${data.nodes[one.card.node].title}: ${one.verdict.replaceAll("_", " ")}. ${one.reason}`,
          ),
        ),
      ...gold.map((told) => el("p.quiet", {}, `★ ${told}`)),
      el("p.next", {}, next ? `Next: ${next.headline}` : "Last stop"),
    );
    this.tick();
  }
}

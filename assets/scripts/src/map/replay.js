// A retrieval that is played over the map: where it starts, the edges it follows, what it retrieves,
// and the gold. A passage in a region that is not open is drawn at its place all the same.

import { button, el } from "../common/dom.js";
import { isStill } from "../common/motion.js";
import { drawFrame } from "./drawing/replay_drawing.js";

/** @import { Labels } from "./drawing/labels.js" */
/** @import { Retrieval } from "./map_data" */
/** @import { MapView } from "./map_view.js" */

const MOVE = 600; // milliseconds in which an edge is drawn

/** Milliseconds that the sentence of a frame takes to read. @param {string} sentence */
export const readingTime = (sentence) => 1200 + 45 * sentence.length;

/** All units of a retrieval. @param {Retrieval} walk @returns {Set<number>} */
export const unitsOf = ({ gold, frames }) =>
  new Set([
    ...gold.map(([unit]) => unit),
    ...frames.flatMap(({ seeds, hops }) => [...seeds, ...hops.map(([, target]) => target)]),
  ]);

export class Replay {
  /** @param {MapView} map */
  constructor(map) {
    this.map = map;
    /** @type {Retrieval | null} */
    this.walk = null;
    this.step = -1;
    this.isPlaying = false;
    this.isStill = isStill();
    this.begunAt = 0;
    this.timer = 0;
  }

  get isRunning() {
    return this.walk !== null && this.step >= 0;
  }

  /** @param {Retrieval | null} walk */
  load(walk) {
    this.walk = walk;
    this.step = walk ? 0 : -1;
    this.pause();
    this.showBar();
    if (walk) {
      const units = unitsOf(walk);
      if (units.size) this.map.fit(this.map.tree.boundsOf(units), 110);
      this.play();
    }
    this.map.redraw();
  }

  /** @param {number} step */
  go(step) {
    const { walk } = this;
    if (!walk) return;
    const last = walk.frames.length - 1;
    this.step = Math.max(0, Math.min(last, step));
    this.begunAt = performance.now();
    if (this.step === last) this.pause();
    this.showBar();
    this.animate();
  }

  play() {
    this.isPlaying = true;
    const next = () => {
      if (!this.isPlaying) return;
      this.go(this.step + 1);
      if (this.isPlaying) this.timer = setTimeout(next, this.readingTime);
    };
    this.begunAt = performance.now();
    this.showBar();
    this.timer = setTimeout(next, this.readingTime);
    this.animate();
  }

  pause() {
    this.isPlaying = false;
    clearTimeout(this.timer);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else {
      if (this.step === (this.walk?.frames.length ?? 0) - 1) this.step = 0;
      this.play();
    }
    this.showBar();
  }

  /** @param {number} step */
  pauseAt(step) {
    this.pause();
    this.go(step);
  }

  get readingTime() {
    return readingTime(this.walk?.frames[this.step].say ?? "");
  }

  animate() {
    this.map.redraw();
    if (!this.isStill && performance.now() - this.begunAt < MOVE + 50 && this.isRunning)
      requestAnimationFrame(() => this.animate());
  }

  showBar() {
    const { walk } = this;
    const bar = this.map.parts.walk;
    bar.hidden = !walk;
    bar.textContent = "";
    if (!walk) return;
    const { length } = walk.frames;
    const control = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act) =>
      button(sign, name, act, { "aria-label": name });
    const track = /** @type {HTMLInputElement} */ (
      el("input.track", { type: "range", min: 1, max: length, value: this.step + 1, "aria-label": "Step" })
    );
    track.oninput = () => this.pauseAt(Number(track.value) - 1);
    const sentence = `${this.step + 1} of ${length}: ${walk.frames[this.step].say}`;
    bar.append(
      el("p.asked", {}, walk.question),
      el("p.said", { role: "status" }, sentence),
      el(
        "div.keys",
        {},
        control("◀", "Previous step", () => this.pauseAt(this.step - 1)),
        control(this.isPlaying ? "❚❚" : "▶", this.isPlaying ? "Pause" : "Play", () => this.toggle()),
        control("▶|", "Next step", () => this.pauseAt(this.step + 1)),
        track,
      ),
    );
  }

  /** @param {CanvasRenderingContext2D} context @param {Labels} labels */
  draw(context, labels) {
    if (!this.walk || !this.isRunning) return;
    const part = this.isStill ? 1 : Math.min(1, (performance.now() - this.begunAt) / MOVE);
    drawFrame(context, labels, this.map, { walk: this.walk, step: this.step, part });
  }
}

// Playing a walkthrough: each stop stays as long as it takes to read.

import { el } from "../common/dom.js";
import { readingTime, stopAt } from "./model.js";
import { isStill } from "../common/motion.js";

/** @import { Player } from "./player.js" */

export class Playing {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    /** @type {ReturnType<typeof setTimeout> | 0} */
    this.timer = 0;
    this.began = 0;
    this.duration = 0;
    /** Whether playing was interrupted at this stop. */
    this.paused = false;
  }

  get on() {
    return Boolean(this.timer);
  }

  /** Play on from here, or from the start where this is the end. */
  start() {
    const { player } = this;
    if (player.place.stop === player.last) player.go({ ...player.place, stop: 0 });
    this.wait();
    player.show(false);
  }

  wait() {
    const { data, place } = this.player;
    clearTimeout(this.timer);
    this.paused = false;
    this.began = performance.now();
    this.duration = readingTime(data, stopAt(data, place));
    this.timer = setTimeout(() => this.advance(), this.duration);
    this.showProgress();
  }

  advance() {
    const { player } = this;
    if (player.step(1, { playing: true })) return this.wait();
    this.stop();
    player.show(false);
  }

  /** Stop at this stop, to play on from here. */
  pause() {
    this.stop();
    this.paused = true;
    this.player.show(false);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.paused = false;
  }

  /** The sign of playing or of a pause, which an audience sees in place of the button. */
  sign() {
    if (!this.on && !this.paused) return null;
    const [kind, label] = this.on ? ["playing", "Playing"] : ["paused", "Paused"];
    return el(`i.play-sign.${kind}`, { role: "img", "aria-label": label, title: label });
  }

  /** Show on the button of this stop how much of its time is over, unless motion is unwanted. */
  showProgress() {
    const here = this.player.picture.querySelector(".timeline [aria-current]");
    if (!this.on || !here || isStill()) return;
    here.querySelector(".progress")?.remove();
    const line = el("i.progress");
    here.append(line);
    const frames = [{ transform: "scaleX(0)" }, { transform: "none" }];
    line.animate(frames, { duration: this.duration, fill: "both" }).currentTime =
      performance.now() - this.began;
  }
}

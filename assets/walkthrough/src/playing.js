// Playing a walkthrough: each stop stays as long as it takes to read.

import { readingTime, stopAt } from "./model.js";

/** @import { Player } from "./player.js" */

export class Playing {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    /** @type {ReturnType<typeof setTimeout> | 0} */
    this.timer = 0;
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
    this.timer = setTimeout(() => this.advance(), readingTime(data, stopAt(data, place)));
  }

  advance() {
    const { player } = this;
    if (player.step(1, { playing: true })) return this.wait();
    this.stop();
    player.show(false);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
  }
}

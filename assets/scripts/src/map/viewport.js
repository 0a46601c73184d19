// Where the map is and how it moves: places of nodes on the screen, and views of parts of it.

import { isStill } from "../common/motion.js";

/** @import { Box, Circle, Network, Point, View } from "./map_data" */
/** @import { RegionShapes } from "./drawing/region_shapes.js" */
/** @import { RegionTree } from "./region_tree.js" */

const REGION_SIZE = 0.62; // of a region's radius that its node has

export class MapViewport {
  /** @param {HTMLElement} stage @param {Network} network @param {RegionTree} tree @param {RegionShapes} shapes */
  constructor(stage, network, tree, shapes) {
    this.stage = stage;
    this.network = network;
    this.tree = tree;
    this.shapes = shapes;
    this.isTouched = false; // the view was changed by hand
    this.isStill = isStill();
    this.wholeScale = 0; // of the view of the whole corpus
    this.view = this.look();
  }

  /** Draw what a new view shows. */
  update() {}

  /** The part of a picture of this size that no panel covers. @param {number} width @param {number} height */
  freeArea(width, height) {
    return { left: 0, right: width, top: 0, bottom: height };
  }

  /** Take up the view that the network has now. @returns {View} */
  look() {
    const scale = this.network.getScale();
    const { x, y } = this.network.getViewPosition();
    const [width, height] = [this.stage.clientWidth / scale, this.stage.clientHeight / scale];
    this.view = { scale, x, y, width, height, nearer: scale > 1.15 * this.wholeScale };
    return this.view;
  }

  /** @param {number} x @param {number} y @returns {Point} */
  toScreen(x, y) {
    const at = this.network.canvasToDOM({ x, y });
    return [at.x, at.y];
  }

  /** Where a node lies and how large it is, whether it is drawn or not. @param {number} node */
  placeOf(node) {
    const { units, regions } = this.tree;
    if (node < 0) return regions[-node - 1];
    return { x: units.x[node], y: units.y[node], radius: units.radius[node] };
  }

  /** @param {number} node @param {number} radius */
  drawnRadius(node, radius) {
    return radius * (node >= 0 ? 1 : REGION_SIZE);
  }

  /** @param {number} node @returns {Circle} */
  onScreen(node) {
    const { x, y, radius } = this.placeOf(node);
    return [...this.toScreen(x, y), this.drawnRadius(node, radius) * this.view.scale];
  }

  /** @param {Point} place @param {number} scale @param {boolean} [now] without an animation */
  move([x, y], scale, now = false) {
    const isJump = now || this.isStill;
    const animation = isJump ? false : { duration: 600, easingFunction: "easeInOutCubic" };
    this.network.moveTo({ position: { x, y }, scale, animation });
    if (isJump) this.update();
  }

  /** Move to a node. @param {number} node */
  fly(node) {
    this.isTouched = true;
    const { radius } = this.tree.regionOf(node);
    const { x, y } = this.placeOf(node);
    const around = node < 0 ? radius : Math.min(radius, this.shapes.isSmall ? 190 : 260);
    /** @type {Box} */
    const box = [x - around, y - around, x + around, y + around];
    if (node < 0) this.fit(box, 8, { most: 2.4 });
    else this.fit(box, 0, { most: 2 });
  }

  /**
   * Fit a box into the part that no panel covers.
   *
   * @param {Box} box
   * @param {number} margin
   * @param {{ now?: boolean, most?: number, isWhole?: boolean }} [how] `most` is the largest scale
   */
  fit([left, top, right, bottom], margin, { now = false, most = 1.6, isWhole = false } = {}) {
    const { clientWidth: width, clientHeight: height } = this.stage;
    const free = this.freeArea(width, height);
    const scale = Math.min(
      (free.right - free.left) / (right - left + 2 * margin),
      (free.bottom - free.top) / (bottom - top + 2 * margin),
      most,
    );
    if (isWhole) this.wholeScale = scale;
    const x = (left + right) / 2 + (width - free.left - free.right) / 2 / scale;
    const y = (top + bottom) / 2 + (height - free.top - free.bottom) / 2 / scale;
    this.move([x, y], scale, now);
  }

  /** Show the whole corpus. @param {boolean} [now] without an animation */
  fitAll(now = false) {
    if (this.stage.clientWidth)
      this.fit(this.tree.bounds, this.shapes.isSmall ? 34 : 48, { now, isWhole: true });
  }

  /** @param {number} factor */
  zoomBy(factor) {
    this.isTouched = true;
    const { x, y } = this.network.getViewPosition();
    this.move([x, y], this.network.getScale() * factor);
  }
}

// Text on the map, no label on another one.

/** @import { MapColours } from "./colours.js" */
/** @import { Box, Circle, Point, RegionCircle } from "../map_data" */

const CELL = [64, 32]; // pixels of a cell of the index of boxes
const LINE = 1.15; // height of a line, in letter sizes
const HALF = 0.7; // half the height of a label of one line, in letter sizes

/**
 * How a label is written: over other labels too if it is `forced`; not on the land of a region other
 * than `own` if that is given.
 *
 * @typedef {{ size?: number, weight?: number, fill?: string, alpha?: number, forced?: boolean, own?: number | null }} LabelStyle
 */

/** Half the height of a label, without margins. @param {string} text @param {number} size */
export const halfHeight = (text, size) => ((text.split("\n").length - 1) * size * LINE) / 2 + size * HALF;

/** A text of at most so many letters. @param {string} text @param {number} most */
export const truncated = (text, most) =>
  text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;

/**
 * The terms of a region's name, then fewer of them, each time beside and below each other.
 *
 * @param {string} name
 * @returns {string[]}
 */
export const shorterNames = (name) =>
  name.split(" · ").flatMap((_, dropped, terms) => {
    const kept = terms.slice(0, terms.length - dropped);
    return kept.length > 1 ? [kept.join(" · "), kept.join("\n")] : kept;
  });

/**
 * The region of the circle to which a line of text is nearest.
 *
 * @param {Point} place
 * @param {number} size
 * @param {RegionCircle[]} circles
 */
export function nearestRegion([x, y], size, circles) {
  const gap = (/** @type {RegionCircle} */ [left, top, radius]) =>
    Math.hypot(x - left, Math.max(0, Math.abs(y - top) - size * HALF)) - radius;
  /** @type {RegionCircle | undefined} */
  let best;
  for (const circle of circles) if (!best || gap(circle) < gap(best)) best = circle;
  return best?.[3];
}

export class Labels {
  /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {MapColours} colours */
  constructor(context, width, height, colours) {
    this.context = context;
    this.width = width;
    this.height = height;
    this.colours = colours;
    /** @type {Map<number, Box[]>} */
    this.taken = new Map();
    /** The land of each region of depth 1. @type {RegionCircle[]} */
    this.lands = [];
  }

  /** @param {Box} box @returns {number[]} */
  cells([left, top, right, bottom]) {
    const found = [];
    for (let x = Math.floor(left / CELL[0]); x <= right / CELL[0]; x++)
      for (let y = Math.floor(top / CELL[1]); y <= bottom / CELL[1]; y++) found.push(x * 1000 + y);
    return found;
  }

  /** Keep labels out of a box. @param {Box} box */
  take(box) {
    for (const cell of this.cells(box)) {
      const there = this.taken.get(cell);
      if (there) there.push(box);
      else this.taken.set(cell, [box]);
    }
  }

  /** Keep labels out of a square round a circle. @param {Circle} circle */
  takeCircle([x, y, half]) {
    this.take([x - half, y - half, x + half, y + half]);
  }

  /** @param {Box} box */
  isFree(box) {
    const overlaps = (/** @type {Box} */ other) =>
      other[0] < box[2] && box[0] < other[2] && other[1] < box[3] && box[1] < other[3];
    return !this.cells(box).some((cell) => this.taken.get(cell)?.some(overlaps));
  }

  /** Whether a box is on the land of another region. @param {Box} box @param {number} own */
  isOnOtherLand([left, top, right, bottom], own) {
    return this.lands.some(([x, y, radius, region]) => {
      const [dx, dy] = [x - Math.max(left, Math.min(right, x)), y - Math.max(top, Math.min(bottom, y))];
      return region !== own && Math.hypot(dx, dy) < radius;
    });
  }

  /** @param {number} weight @param {number} size */
  font(weight, size) {
    return `${weight} ${size}px "Source Sans","Source Sans 3",system-ui,sans-serif`;
  }

  /** Half the width of a text. @param {string} text @param {number} weight @param {number} size */
  halfWidth(text, weight, size) {
    this.context.font = this.font(weight, size);
    return Math.max(...text.split("\n").map((line) => this.context.measureText(line).width)) / 2;
  }

  /**
   * Write a label, if its place is free and in the picture; see `LabelStyle`.
   *
   * @param {string} text of lines
   * @param {Point} place of its middle
   * @param {LabelStyle} [style]
   * @returns {boolean} whether it was written
   */
  write(text, [x, y], style = {}) {
    const { size = 12, weight = 400, forced = false, own = null } = style;
    const width = this.halfWidth(text, weight, size) + 4;
    const height = halfHeight(text, size);
    /** @type {Box} */
    const box = [x - width, y - height, x + width, y + height];
    if (!forced && !this.fits(box, own)) return false;
    this.take(box);
    this.paint(text, [x, y], size, style);
    return true;
  }

  /** @param {Box} box @param {number | null} own */
  fits(box, own) {
    const isInside = box[0] >= 2 && box[2] <= this.width - 2 && box[1] >= 2 && box[3] <= this.height - 2;
    return isInside && this.isFree(box) && (own === null || !this.isOnOtherLand(box, own));
  }

  /** @param {string} text @param {Point} place @param {number} size @param {LabelStyle} style */
  paint(text, [x, y], size, { fill = this.colours.ink, alpha = 1 }) {
    const { context } = this;
    const lines = text.split("\n");
    const at = (/** @type {number} */ n) => y + (n - (lines.length - 1) / 2) * size * LINE;
    context.globalAlpha = alpha;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    context.strokeStyle = this.colours.dark ? "rgba(10,17,24,.88)" : "rgba(255,255,255,.9)";
    lines.forEach((line, n) => context.strokeText(line, x, at(n)));
    context.fillStyle = fill;
    lines.forEach((line, n) => context.fillText(line, x, at(n)));
    context.globalAlpha = 1;
  }

  /** Draw a line from a land to its name. @param {Point} from @param {Point} to @param {{ fill: string, alpha?: number }} style */
  line(from, to, { fill, alpha = 1 }) {
    const { context } = this;
    context.globalAlpha = alpha;
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.strokeStyle = fill;
    context.lineWidth = 1.5;
    context.stroke();
    context.globalAlpha = 1;
  }
}

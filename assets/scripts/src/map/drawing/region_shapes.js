// The shapes of the regions, as land in a sea: soft outlines round units that belong together. They
// are made once and painted once per theme into a picture, which is drawn scaled until the map is
// nearer than the picture is sharp.

import { TONES } from "./colours.js";

/** @import { MapColours } from "./colours.js" */
/** @import { Circle, Region, View } from "../map_data" */
/** @import { RegionTree } from "../region_tree.js" */

const PICTURE = 2000; // pixels of the picture, at most, either way
const SMALL = 1500; // passages of a map whose outlines follow each passage
const SHORES = [15, 36, 66]; // how far each shore lies from the land
const SHORE_OPACITY = [0.05, 0.035, 0.025];
const MARGIN = 140;

export class RegionShapes {
  /** @param {RegionTree} tree */
  constructor(tree) {
    this.tree = tree;
    this.isSmall = tree.hasPassages && tree.count <= SMALL;
    this.width = this.isSmall ? 1 : 2.2;
    /** How far land reaches round what lies on it. */
    this.rim = this.isSmall ? 17 : 10;
    this.shores = SHORES.map(() => new Path2D());
    this.outlines = new Map(tree.tops.map((top) => [top, this.outline(top)]));
    /** @type {HTMLCanvasElement | null} */
    this.picture = null;
    this.look = "";
    this.sharpness = 1;
  }

  /** @param {number} top */
  outline(top) {
    const path = new Path2D();
    const discs = this.discsOf(top);
    for (const [x, y, radius] of discs) {
      addDisc(path, x, y, radius);
      this.shores.forEach((shore, n) => addDisc(shore, x, y, radius + SHORES[n] * this.width));
    }
    for (const [a, b] of bridges(discs)) addBridge(path, a, b);
    return path;
  }

  /** @param {number} top @returns {Circle[]} */
  discsOf(top) {
    const { units, members, regions } = this.tree;
    if (this.isSmall)
      return members[top].map((unit) => [units.x[unit], units.y[unit], units.radius[unit] + this.rim]);
    const leaves = regions.filter((one) => one.top === top && !one.children.length);
    return leaves.map(({ x, y, radius }) => [x, y, radius * 1.06 + this.rim]);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} scale
   * @param {MapColours} colours
   * @param {(region: Region) => boolean} [isWanted]
   */
  paint(context, scale, colours, isWanted = () => true) {
    context.fillStyle = colours.soft;
    for (const n of [2, 1, 0]) {
      context.globalAlpha = SHORE_OPACITY[n];
      context.fill(this.shores[n]);
    }
    context.globalAlpha = 1;
    const heatLand = colours.dark ? "#1d2934" : "#f1f4f6";
    for (const [top, path] of this.outlines) {
      if (!isWanted(this.tree.regions[top])) continue;
      context.lineJoin = "round";
      context.strokeStyle = colours.tone(top, TONES.node);
      context.globalAlpha = 0.5;
      context.lineWidth = Math.min(5 * this.width, 4.5 / scale);
      context.stroke(path);
      context.globalAlpha = 1;
      context.fillStyle = colours.heat ? heatLand : colours.tone(top, TONES.land);
      context.fill(path);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {View} view @param {MapColours} colours @param {number} pixels of the screen to one of CSS */
  draw(context, view, colours, pixels) {
    const [left, top, right, bottom] = this.tree.bounds;
    const margin = MARGIN * this.width;
    const [x, y] = [left - margin, top - margin];
    const [width, height] = [right - left + 2 * margin, bottom - top + 2 * margin];
    const picture = this.painted(x, y, width, height, colours);
    if (view.scale * pixels < this.sharpness * 1.9) context.drawImage(picture, x, y, width, height);
    else this.paint(context, view.scale, colours, (region) => isNear(region, view, 60));
    if (!this.isSmall) this.drawRims(context, view, colours);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {MapColours} colours */
  painted(x, y, width, height, colours) {
    const look = `${colours.dark} ${Boolean(colours.heat)}`;
    if (this.picture && this.look === look) return this.picture;
    const picture = (this.picture ??= document.createElement("canvas"));
    const sharpness = Math.min(PICTURE / width, PICTURE / height);
    [this.look, this.sharpness] = [look, sharpness];
    picture.width = Math.ceil(width * sharpness);
    picture.height = Math.ceil(height * sharpness);
    const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
    context.setTransform(sharpness, 0, 0, sharpness, -x * sharpness, -y * sharpness);
    this.paint(context, sharpness, colours);
    return picture;
  }

  /** Draw the circles of the smallest regions. @param {CanvasRenderingContext2D} context @param {View} view @param {MapColours} colours */
  drawRims(context, view, colours) {
    context.lineWidth = 1 / view.scale;
    context.globalAlpha = 0.35;
    for (const region of this.tree.regions) {
      const { x, y, radius, top, children } = region;
      if (children.length || radius * view.scale < 24 || isFar(region, view)) continue;
      context.strokeStyle = colours.tone(top, TONES.node);
      context.beginPath();
      context.arc(x, y, radius, 0, 7);
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}

/** @param {Region} region @param {View} view @param {number} margin */
const isNear = ({ x, y, radius }, view, margin) =>
  Math.abs(x - view.x) < view.width / 2 + radius + margin &&
  Math.abs(y - view.y) < view.height / 2 + radius + margin;

/** @param {Region} region @param {View} view */
const isFar = ({ x, y, radius }, view) =>
  Math.abs(x - view.x) > view.width / 2 + radius || Math.abs(y - view.y) > view.height / 2 + radius;

/** @param {Path2D} path @param {number} x @param {number} y @param {number} radius */
function addDisc(path, x, y, radius) {
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, 7);
}

/**
 * Return the pairs of discs that grow together: each disc with its 3 nearest ones that are near.
 *
 * @param {Circle[]} discs
 * @returns {[Circle, Circle][]}
 */
export function bridges(discs) {
  return discs.flatMap((disc, own) => {
    const [x, y, radius] = disc;
    const gaps = discs.map(
      ([a, b, r], n) => /** @type {const} */ ([Math.hypot(a - x, b - y) - r - radius, n]),
    );
    const nearest = gaps
      .filter(([, n]) => n !== own)
      .sort((one, other) => one[0] - other[0])
      .slice(0, 3);
    return nearest
      .filter(([gap]) => gap <= radius * 2.2)
      .map(([, n]) => /** @type {[Circle, Circle]} */ ([disc, discs[n]]));
  });
}

/** @param {Path2D} path @param {Circle} one @param {Circle} other */
function addBridge(path, [x, y, radius], [a, b, r]) {
  const distance = Math.hypot(a - x, b - y) || 1;
  const [nx, ny] = [(b - y) / distance, (x - a) / distance];
  const [one, other] = [radius * 0.86, r * 0.86];
  path.moveTo(x + nx * one, y + ny * one);
  path.lineTo(a + nx * other, b + ny * other);
  path.lineTo(a - nx * other, b - ny * other);
  path.lineTo(x - nx * one, y - ny * one);
  path.closePath();
}

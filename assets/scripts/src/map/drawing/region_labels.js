// What is written on the map: names of regions, then of smaller ones, then of passages.

import { TONES } from "./colours.js";
import { halfHeight, nearestRegion, shorterNames, truncated } from "./labels.js";

/** @import { Labels } from "./labels.js" */
/** @import { Circle, Point, Region, RegionCircle } from "../map_data" */
/** @import { MapView } from "../map_view.js" */

/** @typedef {{ size: number, weight: number, fill: string, alpha: number }} NameStyle */

const TITLE = 11; // letter size of a passage
const DIMMED = 0.5; // opacity of names while a retrieval is played

/** @param {Labels} labels @param {MapView} map */
export function writeLabels(labels, map) {
  const { tree, view } = map;
  const { width, height } = labels;
  const isInPicture = (/** @type {Point | Circle} */ [x, y]) =>
    x > -60 && x < width + 60 && y > -40 && y < height + 40;
  for (const node of map.nodes) {
    const circle = map.onScreen(node);
    if (!isInPicture(circle)) continue;
    if (node >= 0) labels.takeCircle([circle[0], circle[1], circle[2] * 0.8]);
    else if (circle[2] > 9) writeNumber(labels, map, node, circle);
  }
  labels.lands = tree.tops.filter((top) => tree.shownIn(top)).map((top) => landOf(map, tree.regions[top]));
  const regions = tree.regions
    .filter((one) => one.depth > 0 && tree.shownIn(one.number))
    .sort((a, b) => a.depth - b.depth || b.size - a.size);
  const circles = regions.filter((one) => one.depth > 1).map((one) => circleOf(map, one));
  const alpha = map.replay.isRunning ? DIMMED : 1;
  for (const region of regions) {
    const place = map.toScreen(region.x, region.y);
    const radius = region.radius * view.scale;
    if (!isInPicture(place) || radius > Math.max(width, height) * 0.75) continue;
    if (region.depth === 1) writeTopRegion(labels, map, region, place, alpha);
    else if (radius > 26) writeSmallRegion(labels, map, region, place, circles, alpha);
  }
  if (!map.replay.isRunning && tree.hasPassages) writePassages(labels, map, isInPicture);
}

/** @param {MapView} map @param {Region} region @returns {RegionCircle} */
const circleOf = (map, { x, y, radius, number }) => [...map.toScreen(x, y), radius * map.view.scale, number];

/** @param {MapView} map @param {Region} region @returns {RegionCircle} */
const landOf = (map, { x, y, radius, number }) => [
  ...map.toScreen(x, y),
  (radius * 0.92 + map.shapes.rim) * map.view.scale,
  number,
];

/** Write a region's number of passages on it, or of its missed gold. @param {Labels} labels @param {MapView} map @param {number} node @param {Circle} circle */
function writeNumber(labels, map, node, [x, y, radius]) {
  const { colours, tree } = map;
  const text = colours.heat
    ? colours.heat.shareOf(tree.members[-node - 1])
    : tree.shownIn(-node - 1).toLocaleString("en");
  if (!text) return;
  const { context } = labels;
  context.font = labels.font(600, Math.min(13, radius * 0.8));
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colours.heat ? colours.ink : colours.dark ? "#0d151d" : "#fff";
  context.fillText(text, x, y);
  labels.takeCircle([x, y, radius * 0.7]);
}

/**
 * Write the name of a region of depth 1 above or below its land, or on it where that fills the
 * picture: as many terms as fit beside the land of others, or else one term where no name is.
 *
 * @param {Labels} labels
 * @param {MapView} map
 * @param {Region} region
 * @param {Point} place
 * @param {number} alpha
 */
function writeTopRegion(labels, map, region, place, alpha) {
  const { tree, colours, view, shapes } = map;
  const radius = region.radius * view.scale;
  const size = Math.max(13, Math.min(21, 11 + radius * 0.05));
  const bounds = tree.boundsOf(tree.members[region.number]);
  const [, peak] = map.toScreen(0, bounds[1] - shapes.rim);
  const [, foot] = map.toScreen(0, bounds[3] + shapes.rim);
  const missed = colours.heat?.textOf(tree.members[region.number]);
  const isOutside = shapes.isSmall || radius < 200;
  const heights = (/** @type {string} */ name) => {
    const half = halfHeight(name, size) + 2;
    return isOutside ? [Math.max(46 + half, peak - half - (missed ? 17 : 0)), foot + half] : [place[1]];
  };
  const style = { size, weight: 700, fill: colours.tone(region.number, TONES.letters), alpha };
  const names = shorterNames(region.name).flatMap((name) =>
    heights(name).map((y) => ({ name, at: /** @type {Point} */ ([place[0], y]) })),
  );
  const single = names.filter(({ name }) => !/[·\n]/.test(name));
  const written =
    names.find(({ name, at }) => labels.write(name, at, { ...style, own: region.number })) ??
    single.find(({ name, at }) => labels.write(name, at, style));
  if (!written) {
    if (single.length)
      writeBeside(labels, single[0].name, place, Math.max(place[1] - peak, foot - place[1]), style);
    return;
  }
  const half = halfHeight(written.name, size);
  if (isOutside) joinToLand(labels, region, place, written.at, half, style);
  if (missed) {
    const below = { size: 12, weight: 600, fill: colours.soft };
    labels.write(missed, [place[0], written.at[1] + half + 9], below);
  }
}

/**
 * Draw a line from a land to its name if the name is near another land.
 *
 * @param {Labels} labels
 * @param {Region} region
 * @param {Point} place
 * @param {Point} name
 * @param {number} half height of the name
 * @param {NameStyle} style
 */
function joinToLand(labels, region, [x, y], [, at], half, style) {
  if (!labels.isOnOtherLand([x - 20, at - half - 18, x + 20, at + half + 18], region.number)) return;
  const side = Math.sign(y - at);
  labels.line([x, at + side * half], [x, y - side * (Math.abs(y - at) - half) * 0.55], style);
}

/**
 * Write a name at the nearest free place around a land, with a line to it; on the land if there is none.
 *
 * @param {Labels} labels
 * @param {string} name
 * @param {Point} place
 * @param {number} radius
 * @param {NameStyle} style
 */
function writeBeside(labels, name, [x, y], radius, style) {
  const half = labels.halfWidth(name, style.weight, style.size) + 6;
  for (const distance of [4, 24, 48, 80])
    for (let turn = 0; turn < 12; turn++) {
      const [dx, dy] = [Math.cos((turn * Math.PI) / 6), Math.sin((turn * Math.PI) / 6)];
      const a = x + dx * (radius + distance + half);
      const b = y + dy * (radius + distance + style.size);
      if (!labels.write(name, [a, b], style)) continue;
      const from = /** @type {Point} */ ([x + dx * radius * 0.8, y + dy * radius * 0.8]);
      labels.line(from, [a - dx * half, b - dy * style.size * 0.8], style);
      return;
    }
  labels.write(name, [x, y + radius * 0.6], { ...style, forced: true });
}

/**
 * Write the name of a smaller region above or below it, whichever is nearest to that region.
 *
 * @param {Labels} labels
 * @param {MapView} map
 * @param {Region} region
 * @param {Point} place
 * @param {RegionCircle[]} circles
 * @param {number} alpha
 */
function writeSmallRegion(labels, map, region, [x, y], circles, alpha) {
  const isNode = map.nodes.includes(-region.number - 1);
  const size = region.children.length ? 13.5 : 12;
  const away = region.radius * map.view.scale * (isNode ? 0.62 : 0.9) + 8;
  const isNearest = (/** @type {number} */ at) => nearestRegion([x, at], size, circles) === region.number;
  const at = [y - away, y + away].find(isNearest) ?? y - away;
  const fill = map.colours.tone(region.top, TONES.letters);
  labels.write(truncated(region.name, 34), [x, at], { size, weight: 600, fill, alpha });
}

/** Write titles of passages, those with most neighbours first. @param {Labels} labels @param {MapView} map @param {(place: Circle) => boolean} isInPicture */
function writePassages(labels, map, isInPicture) {
  const { tree, view, colours } = map;
  const passages = map.nodes.filter((node) => node >= 0 && node !== map.picked && node !== map.hovered);
  for (const node of passages.sort((a, b) => tree.degrees[b] - tree.degrees[a])) {
    const circle = map.onScreen(node);
    if (!isInPicture(circle) || !(view.scale > 0.55 || tree.degrees[node] > 12)) continue;
    writeTitle(labels, tree.titles[node], circle, { size: TITLE, fill: colours.soft });
  }
}

/** Write a title below, above or beside its dot; shortened where only that has room. @param {Labels} labels @param {string} title @param {Circle} circle @param {{ size: number, fill: string }} style */
function writeTitle(labels, title, [x, y, radius], style) {
  const away = radius + 8;
  for (const most of [28, 16, 10]) {
    const text = truncated(title, most);
    const beside = radius + 6 + labels.halfWidth(text, 400, style.size);
    /** @type {Point[]} */
    const places = [
      [x, y + away],
      [x, y - away],
      [x + beside, y],
      [x - beside, y],
    ];
    if (places.some((place) => labels.write(text, place, style))) return;
  }
}

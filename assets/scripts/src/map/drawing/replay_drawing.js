// One frame of a retrieval, drawn over the map.

import { truncated } from "./labels.js";

/** @import { Labels } from "./labels.js" */
/** @import { Point, Retrieval } from "../map_data" */
/** @import { MapView } from "../map_view.js" */

const MOST_TITLES = 14; // of passages reached in a frame

/** @typedef {CanvasRenderingContext2D} Context */
/** A moment of a retrieval; `part` is how much of this step's edges is drawn. @typedef {{ walk: Retrieval, step: number, part: number }} Moment */

/** @param {Context} context @param {Labels} labels @param {MapView} map @param {Moment} moment */
export function drawFrame(context, labels, map, moment) {
  const { walk, step } = moment;
  const { colours } = map;
  context.fillStyle = colours.dark ? "rgba(8,14,20,.6)" : "rgba(250,252,253,.66)";
  context.fillRect(0, 0, labels.width, labels.height);
  const edge = colours.named("edge");
  drawHops(context, map, moment, edge);
  const frames = walk.frames.slice(0, step + 1);
  const reached = new Set(frames.flatMap(({ seeds, hops }) => [...hops.map(([, to]) => to), ...seeds]));
  for (const unit of reached) drawDot(context, placeOf(map, unit), 5, edge, colours.paper);
  const isLast = step === walk.frames.length - 1;
  if (isLast)
    for (const unit of walk.frames[step].hits)
      drawDot(context, placeOf(map, unit), 6.5, colours.named("found-fill"), colours.paper);
  writeTitles(labels, map, moment);
  for (const [unit, isMissed] of walk.gold) drawGold(context, labels, map, unit, isLast && Boolean(isMissed));
}

/** @param {MapView} map @param {number} unit @returns {Point} */
const placeOf = (map, unit) => map.toScreen(map.tree.units.x[unit], map.tree.units.y[unit]);

/** @param {Context} context @param {MapView} map @param {Moment} moment @param {string} colour */
function drawHops(context, map, { walk, step, part }, colour) {
  walk.frames.slice(0, step + 1).forEach(({ hops }, number) => {
    const isNow = number === step;
    context.strokeStyle = colour;
    context.globalAlpha = isNow ? 0.95 : 0.5;
    context.lineWidth = isNow ? 2.4 : 1.4;
    for (const [from, to] of hops) {
      const [[x, y], [a, b]] = [placeOf(map, from), placeOf(map, to)];
      const drawn = isNow ? part : 1;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + (a - x) * drawn, y + (b - y) * drawn);
      context.stroke();
    }
  });
  context.globalAlpha = 1;
}

/**
 * Return the passages reached in a step that get a title: one of those with the same title, and none
 * with the title of gold, which is beside its star.
 *
 * @param {Retrieval} walk
 * @param {number} step
 * @param {(unit: number) => string} titleOf
 */
export function titledUnits({ frames, gold }, step, titleOf) {
  const titles = new Set(gold.map(([unit]) => titleOf(unit)));
  const { seeds, hops } = frames[step];
  const units = [...seeds, ...hops.map(([, to]) => to)].filter((unit) => {
    const isNew = !titles.has(titleOf(unit));
    titles.add(titleOf(unit));
    return isNew;
  });
  return units.slice(0, MOST_TITLES);
}

/** @param {Labels} labels @param {MapView} map @param {Moment} moment */
function writeTitles(labels, map, { walk, step }) {
  for (const unit of titledUnits(walk, step, (one) => map.tree.titleOf(one))) {
    const [x, y] = placeOf(map, unit);
    labels.write(truncated(map.tree.titleOf(unit), 30), [x, y + 15], { size: 12, weight: 600 });
  }
}

/** @param {Context} context @param {Labels} labels @param {MapView} map @param {number} unit @param {boolean} isMissed */
function drawGold(context, labels, map, unit, isMissed) {
  const { colours, tree } = map;
  const [x, y] = placeOf(map, unit);
  const fill = isMissed ? colours.paper : colours.gold;
  drawStar(context, [x, y], 11, fill, isMissed ? colours.missed : colours.ink);
  const text = truncated(tree.titleOf(unit), 34) + (isMissed ? " (missed)" : "");
  const style = { size: 13, weight: 700, fill: isMissed ? colours.missed : colours.ink };
  const isWritten = [-19, 20, -36, 37].some((away) => labels.write(text, [x, y + away], style));
  if (!isWritten) labels.write(text, [x, y - 19], { ...style, forced: true });
}

/** @param {Context} context @param {Point} place @param {number} radius @param {string} fill @param {string} rim */
function drawDot(context, [x, y], radius, fill, rim) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = rim;
  context.stroke();
}

/** @param {Context} context @param {Point} place @param {number} radius @param {string} fill @param {string} rim */
function drawStar(context, [x, y], radius, fill, rim) {
  context.beginPath();
  for (let n = 0; n < 10; n++) {
    const distance = n % 2 ? radius * 0.45 : radius;
    const turn = -Math.PI / 2 + (n * Math.PI) / 5;
    context.lineTo(x + distance * Math.cos(turn), y + distance * Math.sin(turn));
  }
  context.closePath();
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 1.6;
  context.strokeStyle = rim;
  context.stroke();
}

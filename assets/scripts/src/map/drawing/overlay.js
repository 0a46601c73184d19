// What is drawn over and under the network: the selected node, connections under the pointer, labels.

import { Labels, truncated } from "./labels.js";
import { writeLabels } from "./region_labels.js";

/** @import { Connection } from "../map_data" */
/** @import { MapView } from "../map_view.js" */

const PANELS = ".panel:not(.tip):not([hidden])";

/** Draw over the network. @param {CanvasRenderingContext2D} context @param {MapView} map */
export function drawOver(context, map) {
  const { stage, root } = map;
  const pixels = context.canvas.width / stage.clientWidth;
  map.look();
  context.save();
  context.setTransform(pixels, 0, 0, pixels, 0, 0);
  const labels = new Labels(context, stage.clientWidth, stage.clientHeight, map.colours);
  const { left, top } = root.getBoundingClientRect();
  for (const panel of root.querySelectorAll(PANELS)) {
    const box = panel.getBoundingClientRect();
    if (box.width) labels.take([box.left - left, box.top - top, box.right - left, box.bottom - top]);
  }
  map.replay.draw(context, labels);
  for (const node of [map.hovered, map.picked]) drawRing(context, map, node, labels);
  writeLabels(labels, map);
  for (const line of map.highlighted()) writeEdgeCount(labels, map, line);
  context.restore();
}

/** Draw a ring round a node, and lines to the neighbours of a passage. @param {CanvasRenderingContext2D} context @param {MapView} map @param {number | null} node @param {Labels} labels */
function drawRing(context, map, node, labels) {
  if (node === null || map.replay.isRunning || (node < 0 && !map.nodes.includes(node))) return;
  const [x, y, radius] = map.onScreen(node);
  context.strokeStyle = map.colours.ink;
  if (node >= 0) {
    context.globalAlpha = 0.6;
    context.lineWidth = 1.5;
    for (const other of map.tree.neighbours(node)) {
      const [a, b] = map.onScreen(other);
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(a, b);
      context.stroke();
    }
    context.globalAlpha = 1;
    const style = { size: 14, weight: 700, forced: true };
    labels.write(truncated(map.nameOf(node), 60), [x, y - radius - 14], style);
  }
  context.lineWidth = 3;
  context.beginPath();
  context.arc(x, y, radius + 4, 0, 7);
  context.stroke();
}

/** Draw a connection under the nodes. @param {CanvasRenderingContext2D} context @param {MapView} map @param {Connection} line */
export function drawConnection(context, map, line) {
  const [from, to] = [map.placeOf(line.from), map.placeOf(line.to)];
  context.strokeStyle = map.colours.ink;
  context.lineWidth = (3 + Math.min(6, Math.log2(line.edges))) / map.view.scale;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
}

/** Write on a connection how many edges it stands for, where nothing else is. @param {Labels} labels @param {MapView} map @param {Connection} line */
function writeEdgeCount(labels, map, line) {
  const [x, y, own] = map.onScreen(line.from);
  const [a, b, other] = map.onScreen(line.to);
  const distance = Math.hypot(a - x, b - y) || 1;
  for (const share of [0.5, 0.35, 0.65, 0.2, 0.8]) {
    const part = (own + share * (distance - own - other)) / distance;
    const text = line.edges.toLocaleString("en");
    if (labels.write(text, [x + (a - x) * part, y + (b - y) * part], { size: 13, weight: 700 })) return;
  }
}

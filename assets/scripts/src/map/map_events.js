// What the pointer and the keys do on the map.

import { DIRECTIONS, nearestInDirection } from "./map_keys.js";

/** @import { Point } from "./map_data" */
/** @import { MapView } from "./map_view.js" */

const SETTLE = 60; // milliseconds after a move

/** Hear the events of a map's network. @param {MapView} map */
export function listen(map) {
  const { network, controls } = map;
  const { tooltip } = controls;
  let timer = 0;
  const moved = () => {
    tooltip.hide();
    clearTimeout(timer);
    timer = setTimeout(() => map.update(), SETTLE);
  };
  for (const event of ["zoom", "dragEnd", "animationFinished"]) network.on(event, moved);
  network.on("click", ({ nodes, pointer }) => {
    tooltip.hide();
    const node = nodes[0] ?? map.regionAt(pointer.canvas);
    map.choose(node);
    if (node !== null && node < 0) map.fly(node);
  });
  network.on("hoverNode", ({ node }) => {
    map.hovered = node;
    const [x, y] = map.onScreen(node);
    tooltip.showNode(node, x, y);
    map.redraw();
  });
  network.on("blurNode", () => {
    map.hovered = null;
    tooltip.hide();
    map.redraw();
  });
  network.on("hoverEdge", ({ edge, pointer }) => {
    map.crossed = edge;
    const line = map.connections.lines.find(({ id }) => id === edge);
    tooltip.showConnection(line, pointer.DOM);
    map.redraw();
  });
  network.on("blurEdge", () => {
    map.crossed = null;
    if (map.hovered === null) tooltip.hide();
    map.redraw();
  });
  map.stage.addEventListener("pointerdown", () => (map.isTouched = true));
  map.stage.addEventListener("keydown", (event) => press(map, event));
}

/** @param {MapView} map @param {KeyboardEvent} event */
function press(map, event) {
  const direction = DIRECTIONS[event.key];
  /** @type {(() => void) | undefined} */
  const act = {
    Enter: () => map.picked !== null && map.fly(map.picked),
    Escape: () => {
      map.choose(null);
      map.fitAll();
    },
    "+": () => map.zoomBy(1.6),
    "-": () => map.zoomBy(1 / 1.6),
  }[event.key];
  if (!direction && !act) return;
  event.preventDefault();
  event.stopPropagation();
  if (act) act();
  else step(map, direction);
}

/** Select the next node in a direction. @param {MapView} map @param {Point} direction */
function step(map, direction) {
  const { picked, nodes } = map;
  const picture = { width: map.stage.clientWidth, height: map.stage.clientHeight };
  /** @type {Point} */
  let start = [picture.width / 2, picture.height / 2];
  if (picked !== null && nodes.includes(picked)) {
    const [x, y] = map.onScreen(picked);
    start = [x, y];
  }
  const others = nodes
    .filter((node) => node !== picked)
    .map((node) => ({ node, circle: map.onScreen(node) }));
  const next = nearestInDirection(others, start, direction, picture);
  if (next !== null) map.choose(next);
}

// The arrow keys go to the nearest node that is drawn in that direction.

/** @import { Circle, Point } from "./map_data" */

/** @type {Record<string, Point>} */
export const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Return the nearest node in a direction, of those in the picture; null if there is none.
 *
 * @param {{ node: number, circle: Circle }[]} nodes
 * @param {Point} start
 * @param {Point} direction
 * @param {{ width: number, height: number }} picture
 */
export function nearestInDirection(nodes, start, [dx, dy], { width, height }) {
  /** @type {number | null} */
  let best = null;
  let least = Infinity;
  for (const { node, circle } of nodes) {
    const [x, y] = circle;
    const along = (x - start[0]) * dx + (y - start[1]) * dy;
    const across = Math.abs((x - start[0]) * dy) + Math.abs((y - start[1]) * dx);
    const isInside = x > 0 && y > 0 && x < width && y < height;
    if (isInside && along > 1 && along + 2 * across < least) {
      least = along + 2 * across;
      best = node;
    }
  }
  return best;
}

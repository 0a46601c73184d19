// Nodes and connections as vis-network takes them.

import { TONES } from "./colours.js";

/** @import { Connection } from "../map_data" */
/** @import { MapView } from "../map_view.js" */

/** @param {MapView} map @param {number} node */
export function nodeItem(map, node) {
  const { colours } = map;
  const background = colours.of(node);
  const { x, y, radius } = map.placeOf(node);
  const marked = { background, border: colours.ink };
  return {
    id: node,
    x,
    y,
    size: map.drawnRadius(node, radius),
    borderWidth: 1.3,
    color: { background, border: colours.dark ? "#0d151d" : "#ffffff", highlight: marked, hover: marked },
  };
}

/** Items for connections, the strongest one last and so on top. @param {MapView} map @param {Connection[]} lines */
export function connectionItems(map, lines) {
  const most = Math.max(2, ...lines.map(({ edges }) => edges));
  return lines.toReversed().map((line) => connectionItem(map, line, line.edges / most));
}

/** @param {MapView} map @param {Connection} line @param {number} share of the edges of the strongest connection */
function connectionItem(map, line, share) {
  const { tree, colours } = map;
  const top = tree.topOf(line.from);
  const isOfRegions = line.from < 0 && line.to < 0;
  const isWithin = !isOfRegions && top === tree.topOf(line.to);
  const opacity = isOfRegions ? 0.32 + 0.4 * share : isWithin ? 0.6 : 0.3;
  return {
    ...line,
    width: isOfRegions ? (0.8 + 6 * share) / map.view.scale : thinWidth(map),
    color: { color: isWithin ? colours.tone(top, TONES.node) : colours.link, opacity, inherit: false },
  };
}

/** @param {MapView} map */
const thinWidth = ({ shapes, view }) => (shapes.isSmall ? 1.1 : 1 / Math.max(0.25, Math.min(3, view.scale)));

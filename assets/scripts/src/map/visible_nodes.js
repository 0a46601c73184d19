// What is drawn at a view. Nodes are numbers: units as they are, region r as -r - 1.

/** @import { Connection, Region, View } from "./map_data" */
/** @import { RegionTree } from "./region_tree.js" */

const LARGE = 40; // pixels of radius from which a region is opened into regions
const LARGE_WITH_PASSAGES = 58; // and into passages
const HIDDEN = -2147483648;

/**
 * Return the nodes to draw: regions, opened while they are large on the screen and fewer than `most`
 * nodes are drawn; into passages only if the view is nearer than that of the whole corpus.
 *
 * @param {RegionTree} tree
 * @param {View} view
 * @param {number} most
 * @returns {number[]}
 */
export function visibleNodes(tree, view, most) {
  if (tree.hasPassages && tree.count <= most)
    return [...Array(tree.count).keys()].filter((unit) => tree.shown[unit]);
  /** @type {number[]} */
  const nodes = [];
  /** @type {[priority: number, region: number][]} */
  const queue = [[Infinity, 0]];
  let total = 1;
  for (let next = queue.pop(); next; next = queue.sort((a, b) => a[0] - b[0]).pop()) {
    const region = tree.regions[next[1]];
    const children = region.children.filter((child) => tree.shownIn(child));
    const inside = children.length || (tree.hasPassages ? tree.shownIn(region.number) : 0);
    const opens = inside > 0 && isInView(region, view) && isLarge(region, children.length > 0, view);
    if (region.number && !(opens && total + inside - 1 <= most)) {
      nodes.push(-region.number - 1);
      continue;
    }
    total += inside - 1;
    if (!children.length) nodes.push(...tree.members[region.number].filter((unit) => tree.shown[unit]));
    for (const child of children) queue.push([priorityOf(tree.regions[child], view), child]);
  }
  return nodes;
}

/** @param {Region} region @param {View} view */
const isInView = ({ x, y, radius }, view) =>
  Math.abs(x - view.x) < (view.width / 2) * 1.08 + radius &&
  Math.abs(y - view.y) < (view.height / 2) * 1.08 + radius;

/** @param {Region} region @param {boolean} hasRegions @param {View} view */
const isLarge = ({ radius }, hasRegions, view) =>
  hasRegions ? radius * view.scale > LARGE : radius * view.scale > LARGE_WITH_PASSAGES && view.nearer;

/** Large regions near the middle are opened first. @param {Region} region @param {View} view */
const priorityOf = ({ x, y, radius }, view) =>
  radius * view.scale - Math.hypot(x - view.x, y - view.y) * view.scale * 0.25;

/**
 * Return the connections of these nodes, each with the number of its edges: the `most` strongest
 * ones, and of how many.
 *
 * @param {RegionTree} tree
 * @param {number[]} nodes
 * @param {number} least similarity, in hundredths
 * @param {number} most
 * @returns {{ all: number, lines: Connection[] }}
 */
export function connectionsOf(tree, nodes, least, most) {
  const nodeOf = new Int32Array(tree.count).fill(HIDDEN);
  for (const node of nodes) {
    if (node >= 0) nodeOf[node] = node;
    else for (const unit of tree.members[-node - 1]) if (tree.shown[unit]) nodeOf[unit] = node;
  }
  /** @type {Map<string, Connection>} */
  const found = new Map();
  const { source, target, similarity, count } = tree.edges;
  for (let n = 0; n < source.length; n++) {
    const [one, other] = [nodeOf[source[n]], nodeOf[target[n]]];
    if (similarity[n] < least || one === other || one === HIDDEN || other === HIDDEN) continue;
    const [from, to] = one < other ? [one, other] : [other, one];
    const id = `${from}|${to}`;
    const line = found.get(id) ?? { id, from, to, edges: 0 };
    line.edges += count ? count[n] : 1;
    found.set(id, line);
  }
  const lines = [...found.values()].sort((a, b) => b.edges - a.edges || (a.id < b.id ? -1 : 1));
  return { all: lines.length, lines: lines.slice(0, most) };
}

// The corpus as a map has it: regions within regions, and units, which the smallest regions hold.
// Units are passages. In a corpus too large for that, each smallest region is a unit itself.

/** @import { Box, MapData, Region } from "./map_data" */

export class RegionTree {
  /** @param {MapData} data */
  constructor({ regions, units, edges, passages }) {
    /** @type {Region[]} */
    this.regions = regions.parent.map((parent, number) => ({
      number,
      id: regions.number[number],
      parent,
      depth: 0,
      top: 0,
      children: [],
      name: regions.name[number],
      size: regions.size[number],
      x: regions.x[number],
      y: regions.y[number],
      radius: regions.radius[number],
    }));
    for (const region of this.regions) {
      if (region.parent < 0) continue;
      const parent = this.regions[region.parent];
      parent.children.push(region.number);
      region.depth = parent.depth + 1;
      region.top = region.depth === 1 ? region.number : parent.top;
    }
    const [whole] = this.regions;
    /** Regions of depth 1, or the whole corpus if it has no others. */
    this.tops = whole.children.length ? whole.children : [0];
    this.units = units;
    this.count = units.x.length;
    this.passages = passages;
    /** Whether units are passages. */
    this.hasPassages = Boolean(units.title);
    this.titles = units.title ?? [];
    this.degrees = units.degree ?? [];
    this.edges = edges;
    /** 1 for each unit that no filter hides. */
    this.shown = new Uint8Array(this.count).fill(1);
    /** Units of each region and of those within it. @type {number[][]} */
    this.members = this.regions.map(() => []);
    for (let unit = 0; unit < this.count; unit++)
      for (let region = units.region[unit]; region >= 0; region = this.regions[region].parent)
        this.members[region].push(unit);
    /** @type {Set<number>[] | null} */
    this.adjacency = null;
    this.bounds = this.boundsOf(Array(this.count).keys());
  }

  /** The region of depth 1 of a node. @param {number} node */
  topOf(node) {
    return this.regionOf(node).top;
  }

  /** The region that a node is, or the smallest one with that passage. @param {number} node */
  regionOf(node) {
    return this.regions[node >= 0 ? this.units.region[node] : -node - 1];
  }

  /** The title of a passage; of a unit that is a region its name. @param {number} unit */
  titleOf(unit) {
    return this.titles[unit] ?? this.regionOf(unit).name;
  }

  /** The name of a node. @param {number} node */
  nameOf(node) {
    return node >= 0 ? this.titleOf(node) : this.regionOf(node).name || "Whole corpus";
  }

  /** The box round units with their radii. @param {Iterable<number>} units @returns {Box} */
  boundsOf(units) {
    const { x, y, radius } = this.units;
    /** @type {Box} */
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const unit of units) {
      box[0] = Math.min(box[0], x[unit] - radius[unit]);
      box[1] = Math.min(box[1], y[unit] - radius[unit]);
      box[2] = Math.max(box[2], x[unit] + radius[unit]);
      box[3] = Math.max(box[3], y[unit] + radius[unit]);
    }
    return box;
  }

  /** Passages of a region that no filter hides. @param {number} region */
  shownIn(region) {
    if (!this.hasPassages) return this.regions[region].size;
    return this.members[region].reduce((sum, unit) => sum + this.shown[unit], 0);
  }

  /** Units joined to a unit by an edge. @param {number} unit */
  neighbours(unit) {
    if (!this.adjacency) {
      this.adjacency = Array.from({ length: this.count }, () => new Set());
      const { source, target } = this.edges;
      for (let n = 0; n < source.length; n++) {
        this.adjacency[source[n]].add(target[n]);
        this.adjacency[target[n]].add(source[n]);
      }
    }
    return this.adjacency[unit];
  }
}

/**
 * Read the bits of a base64 text, the lowest of each byte first, as one byte each.
 *
 * @param {string} text
 * @param {number} count
 */
export function bitsOf(text, count) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return Uint8Array.from({ length: count }, (_, n) => (bytes[n >> 3] >> (n & 7)) & 1);
}

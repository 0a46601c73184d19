// Colours of a map. A node for several passages has the mean of their numbers, or the value that most
// of them have.

import { mix, oklch } from "./colour_values.js";

/** @import { Field, Heat } from "../map_data" */
/** @import { RegionTree } from "../region_tree.js" */

const FIELD_COLOURS = 7; // values of a field that have a colour of their own
const HUES = [204, 322, 125, 4]; // those that gold, edges, losses and the like do not have
const SHADES = 2 * HUES.length; // each hue is there darker and lighter
const MOST_NEIGHBOURS = 40; // of the colour scale
const RETRY = 150; // milliseconds

/** @enum {number} parts of a region in its own hue */
export const TONES = { land: 0, node: 1, letters: 2 };
const CHROMA = [0.025, 0.075, 0.06]; // of these parts

export class MapColours {
  /** @param {RegionTree} tree @param {HTMLElement} root @param {() => void} refresh draws the map again */
  constructor(tree, root, refresh) {
    this.tree = tree;
    this.root = root;
    this.refresh = refresh;
    this.dark = false;
    /** @type {Map<string, string>} */
    this.known = new Map();
    /** What regions and passages are coloured by. @type {"region" | "degree" | "field"} */
    this.by = "region";
    /** @type {Field | null} */
    this.field = null;
    /** @type {GoldCounts | null} */
    this.heat = null;
    this.shades = shadesOf(tree);
    this.timer = 0;
  }

  get ink() {
    return this.dark ? "#e6ebf0" : "#1b2228";
  }
  get soft() {
    return this.dark ? "#b8c6d2" : "#43505b";
  }
  get paper() {
    return this.dark ? "#11161c" : "#ffffff";
  }
  get grey() {
    return this.dark ? "#4d5a66" : "#bcc5cc";
  }
  get link() {
    return this.dark ? "#9fb0bf" : "#566572";
  }
  get gold() {
    return this.named("gold");
  }
  get missed() {
    return this.named("lost");
  }

  /**
   * A colour of the application's table, as rgb(). The map may be there before the table is: then it
   * is drawn again soon.
   *
   * @param {string} name
   */
  named(name) {
    const key = `${name} ${this.dark}`;
    if (!getComputedStyle(this.root).getPropertyValue(`--hop-${name}`)) {
      clearTimeout(this.timer);
      this.timer = setTimeout(this.refresh, RETRY);
      return this.soft;
    }
    const known = this.known.get(key);
    if (known) return known;
    const probe = this.root.appendChild(document.createElement("i"));
    probe.style.color = `var(--hop-${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    this.known.set(key, color);
    return color;
  }

  /** Of the value of a field. @param {number} place of the value in the legend */
  ofValue(place) {
    return place < FIELD_COLOURS ? this.shade(place, TONES.node, 0.11) : this.grey;
  }

  /** Of a region of depth 1. @param {number} top @param {number} tone one of `TONES` */
  tone(top, tone) {
    return this.shade(this.shades.get(top) ?? 0, tone, CHROMA[tone]);
  }

  /** @param {number} place of a shade @param {number} tone @param {number} chroma */
  shade(place, tone, chroma) {
    const isPale = place >= HUES.length;
    const node = this.dark ? (isPale ? 0.79 : 0.66) : isPale ? 0.57 : 0.44;
    const light = [this.dark ? 0.28 : 0.945, node, this.dark ? 0.88 : 0.36][tone];
    return oklch(light, chroma, HUES[place % HUES.length]);
  }

  /** From few neighbours to many. @param {number} share */
  ramp(share) {
    return mix([this.grey, this.named("edge"), this.ink], share);
  }

  /** From gold that is all retrieved to gold that is all missed. @param {number} share */
  missedRamp(share) {
    return mix([this.named("found-fill"), this.grey, this.named("lost-fill")], share);
  }

  /** Of a node. @param {number} node */
  of(node) {
    const { tree } = this;
    const units = node >= 0 ? [node] : tree.members[-node - 1].filter((unit) => tree.shown[unit]);
    if (this.heat) {
      const { gold, missed } = this.heat.sum(units);
      return gold ? this.missedRamp(missed / gold) : this.grey;
    }
    if (this.by === "degree" && tree.hasPassages) return this.ramp(degreeShare(tree, units));
    if (this.by === "field" && this.field) {
      const value = mostFrequent(units.map((unit) => /** @type {Field} */ (this.field).of[unit]));
      return value === null ? this.grey : this.ofValue(value);
    }
    return this.tone(tree.topOf(node), TONES.node);
  }
}

/** The mean number of neighbours on a logarithmic scale up to 1. @param {RegionTree} tree @param {number[]} units */
export function degreeShare(tree, units) {
  const mean = units.reduce((sum, unit) => sum + tree.degrees[unit], 0) / (units.length || 1);
  return Math.min(1, Math.log1p(mean) / Math.log(MOST_NEIGHBOURS + 1));
}

/** The most frequent value, the lowest one of several; null without any. @param {number[]} values */
export function mostFrequent(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return first ? first[0] : null;
}

/** The gold of a run on the map: how often each unit is gold, and how often it was missed. */
export class GoldCounts {
  /** @param {Heat["rows"]} rows */
  constructor(rows) {
    this.gold = new Map(rows.map(([unit, gold]) => [unit, gold]));
    this.missed = new Map(rows.map(([unit, , missed]) => [unit, missed]));
  }

  /** How much of the gold in units was missed, as "1/3"; empty without gold. @param {number[]} units */
  shareOf(units) {
    const { gold, missed } = this.sum(units);
    return gold ? `${missed}/${gold}` : "";
  }

  /** The same in words. @param {number[]} units */
  textOf(units) {
    const { gold, missed } = this.sum(units);
    return gold ? `${missed} of ${gold} gold missed (${Math.round((100 * missed) / gold)}%)` : "";
  }

  /** @param {number[]} units */
  sum(units) {
    let [gold, missed] = [0, 0];
    for (const unit of units) {
      gold += this.gold.get(unit) ?? 0;
      missed += this.missed.get(unit) ?? 0;
    }
    return { gold, missed };
  }
}

/** @param {number} one @param {number} other places of shades */
const likeness = (one, other) => (one === other ? 1 : one % HUES.length === other % HUES.length ? 0.3 : 0);

/**
 * Return the place of each top region's shade: those of regions near each other differ.
 *
 * @param {RegionTree} tree
 */
export function shadesOf({ tops, regions }) {
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const top of [...tops].sort((a, b) => regions[b].size - regions[a].size || a - b)) {
    const { x, y } = regions[top];
    const cost = Array(SHADES).fill(0);
    for (const [other, place] of found) {
      const distance = Math.hypot(regions[other].x - x, regions[other].y - y) || 1;
      cost.forEach((_, shade) => (cost[shade] += likeness(shade, place) / distance ** 2));
    }
    found.set(top, cost.indexOf(Math.min(...cost)));
  }
  return found;
}

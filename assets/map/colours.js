// Colours of a map. What stands for several passages has the mean of their numbers, or the value that
// most of them have.

const MAP_FIELDS = 7; // values of a field that have a colour of their own
const MAP_HUES = [204, 322, 125, 4]; // those that gold, edges, losses and the like do not have
const MAP_SHADES = 2 * MAP_HUES.length; // each hue is there darker and lighter

class MapColours {
  constructor(world, root) {
    this.world = world;
    this.root = root;
    this.dark = false;
    this.known = new Map();
    this.by = "region";
    this.field = null;
    this.heat = null;
    this.shades = mapShades(world);
  }

  get ink() { return this.dark ? "#e6ebf0" : "#1b2228"; }
  get soft() { return this.dark ? "#b8c6d2" : "#43505b"; }
  get paper() { return this.dark ? "#11161c" : "#ffffff"; }
  get grey() { return this.dark ? "#4d5a66" : "#bcc5cc"; }
  get link() { return this.dark ? "#9fb0bf" : "#566572"; }
  get gold() { return this.named("gold"); }
  get lost() { return this.named("lost"); }

  // A colour of the application's table, as rgb(). The map may be there before the table is: then it
  // is drawn again soon.
  named(name) {
    const key = `${name} ${this.dark}`;
    if (!getComputedStyle(this.root).getPropertyValue(`--hop-${name}`)) {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.refresh(), 150);
      return this.soft;
    }
    if (!this.known.has(key)) {
      const probe = this.root.appendChild(document.createElement("i"));
      probe.style.color = `var(--hop-${name})`;
      this.known.set(key, getComputedStyle(probe).color);
      probe.remove();
    }
    return this.known.get(key);
  }

  // Of the value of a field at that place in the legend.
  ofValue(place) { return place < MAP_FIELDS ? this.shade(place, 1, 0.11) : this.grey; }

  // Of a region of depth 1: the tint of its land, its own colour, its letters.
  tone(top, which) { return this.shade(this.shades.get(top) ?? 0, which, [0.025, 0.075, 0.06][which]); }

  shade(place, which, chroma) {
    const pale = place >= MAP_HUES.length, own = this.dark ? (pale ? 0.79 : 0.66) : pale ? 0.57 : 0.44;
    const light = [this.dark ? 0.28 : 0.945, own, this.dark ? 0.88 : 0.36][which];
    return mapOklch(light, chroma, MAP_HUES[place % MAP_HUES.length]);
  }

  // From few neighbours to many.
  ramp(share) { return mapMix([this.grey, this.named("edge"), this.ink], share); }

  // From gold that is all retrieved to gold that is all lost.
  lostRamp(share) { return mapMix([this.named("found-fill"), this.grey, this.named("lost-fill")], share); }

  of(node) {
    const { world } = this;
    const units = node >= 0 ? [node] : world.members[-node - 1].filter((unit) => world.shown[unit]);
    if (this.heat) {
      const { gold, lost } = this.heat.sum(units);
      return gold ? this.lostRamp(lost / gold) : this.grey;
    }
    if (this.by === "degree" && world.openable) {
      const mean = units.reduce((sum, unit) => sum + world.units.degree[unit], 0) / (units.length || 1);
      return this.ramp(Math.min(1, Math.log1p(mean) / Math.log(41)));
    }
    if (this.by === "field" && this.field) {
      const counts = new Map();
      for (const unit of units) counts.set(this.field.of[unit], (counts.get(this.field.of[unit]) || 0) + 1);
      const most = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];
      return most ? this.ofValue(most[0]) : this.grey;
    }
    return this.tone(node >= 0 ? world.topOf(node) : world.regions[-node - 1].top, 1);
  }
}

// The gold of a run on the map: how often each unit is gold, and how often it was lost.
class MapHeat {
  constructor(rows) {
    this.gold = new Map(rows.map(([unit, gold]) => [unit, gold]));
    this.lost = new Map(rows.map(([unit, , lost]) => [unit, lost]));
  }

  sum(units) {
    let gold = 0, lost = 0;
    for (const unit of units) { gold += this.gold.get(unit) || 0; lost += this.lost.get(unit) || 0; }
    return { gold, lost };
  }
}

// Of each region of depth 1 the place of its shade: those of regions near each other differ.
function mapShades(world) {
  const found = new Map();
  const alike = (one, other) => (one === other ? 1 : one % MAP_HUES.length === other % MAP_HUES.length ? 0.3 : 0);
  for (const top of [...world.tops].sort((a, b) => world.regions[b].size - world.regions[a].size || a - b)) {
    const { x, y } = world.regions[top], cost = new Array(MAP_SHADES).fill(0);
    for (const [other, place] of found) {
      const far = Math.hypot(world.regions[other].x - x, world.regions[other].y - y) || 1;
      cost.forEach((_, shade) => { cost[shade] += alike(shade, place) / far ** 2; });
    }
    found.set(top, cost.indexOf(Math.min(...cost)));
  }
  return found;
}

// A colour between several, each as rgb() or #rrggbb.
function mapMix(stops, share) {
  const at = Math.min(0.999, Math.max(0, share)) * (stops.length - 1), low = Math.floor(at), part = at - low;
  const one = mapChannels(stops[low]), other = mapChannels(stops[low + 1]);
  return `rgb(${one.map((value, i) => Math.round(value + (other[i] - value) * part))})`;
}

function mapChannels(colour) {
  if (colour.startsWith("#")) return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return colour.match(/[\d.]+/g).slice(0, 3).map(Number);
}

// CSS knows oklch(), vis-network parses its colours by hand.
function mapOklch(light, chroma, hue) {
  const a = chroma * Math.cos(hue * Math.PI / 180), b = chroma * Math.sin(hue * Math.PI / 180);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3, m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3, s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
  const byte = (value) => Math.round(255 * Math.min(1, Math.max(0, value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)));
  return `#${linear.map((value) => byte(value).toString(16).padStart(2, "0")).join("")}`;
}

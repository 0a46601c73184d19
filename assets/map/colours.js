// Colours of a map. What stands for several passages has the mean of their numbers, or the value that
// most of them have.

const MAP_FIELDS = 7; // values of a field that have a colour of their own

class MapColours {
  constructor(world, root) {
    this.world = world;
    this.root = root;
    this.dark = false;
    this.known = new Map();
    this.by = "region";
    this.field = null;
    this.heat = null;
  }

  get ink() { return this.dark ? "#e6ebf0" : "#1b2228"; }
  get soft() { return this.dark ? "#b8c6d2" : "#43505b"; }
  get paper() { return this.dark ? "#11161c" : "#ffffff"; }
  get grey() { return this.dark ? "#4d5a66" : "#bcc5cc"; }
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
  ofValue(place) { return place < MAP_FIELDS ? mapOklch(this.dark ? 0.72 : 0.58, 0.13, 250 + place * 137.508) : this.grey; }

  // Of a region of depth 1: the tint of its land, its own colour, its letters.
  tone(top, which) {
    const place = Math.max(0, this.world.tops.indexOf(top)), hue = Math.round((28 + place * 137.508) % 360);
    const [light, chroma] = this.dark ? [[0.27, 0.72, 0.87][which], [0.04, 0.11, 0.07][which]] : [[0.94, 0.6, 0.4][which], [0.035, 0.12, 0.1][which]];
    return mapOklch(light, chroma, hue);
  }

  // From few neighbours to many.
  ramp(share) { return mapMix([this.grey, this.named("edge"), this.ink], share); }

  // From gold that is all retrieved to gold that is all lost.
  lostRamp(share) { return mapMix([this.named("edge"), this.grey, this.named("lost-fill")], share); }

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

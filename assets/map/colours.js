// Colours of a map. What stands for several passages has the mean of their numbers, or the value that
// most of them have.

const MAP_FIELD = ["#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#8c7ae6", "#7f8c3b", "#a65628"];

class MapColours {
  constructor(world, root) {
    this.world = world;
    this.root = root;
    this.dark = false;
    this.by = "region";
    this.field = null;
    this.heat = null;
  }

  get ink() { return this.dark ? "#e6ebf0" : "#1b2228"; }
  get soft() { return this.dark ? "#b8c6d2" : "#43505b"; }
  get paper() { return this.dark ? "#11161c" : "#ffffff"; }
  get grey() { return this.dark ? "#4d5a66" : "#bcc5cc"; }
  get gold() { return getComputedStyle(this.root).getPropertyValue("--gold").trim(); }
  get lost() { return this.dark ? "#ff7f41" : "#d55e00"; }

  // Of a region of depth 1: the tint of its land, its own colour, its letters.
  tone(top, which) {
    const place = Math.max(0, this.world.tops.indexOf(top)), hue = Math.round((28 + place * 137.508) % 360);
    const [light, chroma] = this.dark ? [[0.27, 0.72, 0.87][which], [0.04, 0.11, 0.07][which]] : [[0.94, 0.6, 0.4][which], [0.035, 0.12, 0.1][which]];
    return mapOklch(light, chroma, hue);
  }

  ramp(share) {
    const stops = this.dark ? [[52, 72, 92], [77, 163, 200], [250, 226, 140]] : [[204, 219, 229], [54, 130, 172], [98, 24, 82]];
    return mapMix(stops, share);
  }

  // From gold that is all retrieved, blue, to gold that is all lost, vermilion.
  lostRamp(share) {
    return mapMix(this.dark ? [[86, 170, 226], [196, 178, 160], [255, 127, 65]] : [[64, 140, 200], [208, 186, 166], [213, 94, 0]], share);
  }

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
      return (most && MAP_FIELD[most[0]]) || this.grey;
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

function mapMix(stops, share) {
  const at = Math.min(0.999, Math.max(0, share)) * (stops.length - 1), low = Math.floor(at), part = at - low;
  return `rgb(${stops[low].map((value, i) => Math.round(value + (stops[low + 1][i] - value) * part))})`;
}

// CSS knows oklch(), vis-network parses its colours by hand.
function mapOklch(light, chroma, hue) {
  const a = chroma * Math.cos(hue * Math.PI / 180), b = chroma * Math.sin(hue * Math.PI / 180);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3, m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3, s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
  const byte = (value) => Math.round(255 * Math.min(1, Math.max(0, value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)));
  return `#${linear.map((value) => byte(value).toString(16).padStart(2, "0")).join("")}`;
}

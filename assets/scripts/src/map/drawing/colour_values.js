// Colours as numbers.

/**
 * A colour between several, each as rgb() or #rrggbb.
 *
 * @param {string[]} stops
 * @param {number} share 0 for the first one, 1 for the last
 */
export function mix(stops, share) {
  const at = Math.min(0.999, Math.max(0, share)) * (stops.length - 1);
  const low = Math.floor(at);
  const [one, other] = [channels(stops[low]), channels(stops[low + 1])];
  return `rgb(${one.map((value, n) => Math.round(value + (other[n] - value) * (at - low)))})`;
}

/** Red, green and blue of rgb() or #rrggbb. @param {string} colour */
export function channels(colour) {
  if (colour.startsWith("#")) return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}

/**
 * A colour of OKLCH as #rrggbb. CSS knows oklch(), but vis-network parses its colours itself.
 *
 * @param {number} light
 * @param {number} chroma
 * @param {number} hue degrees
 */
export function oklch(light, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${linear.map((value) => gammaByte(value).toString(16).padStart(2, "0")).join("")}`;
}

/** @param {number} value of a linear channel */
function gammaByte(value) {
  const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, encoded)));
}

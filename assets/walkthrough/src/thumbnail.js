// A small picture of a whole walkthrough: what was reached, column by column, and the ranking.

import { STAR } from "./graph_marks.js";
import { isGold, TONES } from "./model.js";
import { places } from "./overview.js";

/** @import { RankingData, StatesData, WalkthroughData } from "./contract" */
/** @typedef {[number, number]} Point */

/** The outermost question, which some retrievers show among the nodes of their first column. */
const QUESTION = "#";

const WIDTH = 640;
const HEIGHT = 184;
const WALK = { x: 46, y: -12, width: 396, height: 172 };
const BARS = { x: 500, width: 136, top: 7 };
const MIDDLE = 76;
const TOP = 20;
const MANY = 100;
const LABEL = { letter: 9.8, gap: 12 };

/** @param {number} number */
const short = (number) => String(Math.round(number * 10) / 10);

/** @param {Point} place */
const spot = ([x, y]) => `${short(x)} ${short(y)}`;

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Draw a walkthrough at its last step as an SVG, whose colours are those of its classes.
 *
 * @param {WalkthroughData} data
 * @returns {string}
 */
export function thumbnail(data) {
  const last = data.stops[data.every[data.every.length - 1]];
  const [states, ranking] = [data.states[last.states], data.rankings[last.ranking]];
  const made = places(data, WALK.width, WALK.height);
  const at = new Map(
    [...made.at].map(([id, [x, y]]) => [id, /** @type {Point} */ ([x + WALK.x, y + WALK.y])]),
  );
  const heads = made.heads.map(({ label, x }) => ({ label, x: x + WALK.x }));
  const label = `${data.columns.join(", ")}; ${ranking.total} ranked`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="hop-picture" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(label)}">`,
    ways(data, states, at),
    at.has(QUESTION) ? "" : `<path class="root" d="M16 ${MIDDLE - 11}l11 11l-11 11l-11 -11z"/>`,
    ...dots(data, states, at),
    ...bars(data, ranking),
    ...labels([...heads, ...(ranking.rows.length ? [{ label: "Ranking", x: BARS.x }] : [])]),
    "</svg>",
  ].join("\n");
}

/** One path of dots for each look; gold is a star. @param {WalkthroughData} data @param {StatesData} states @param {Map<string, Point>} at */
function dots(data, states, at) {
  /** @type {Map<string, string>} */
  const drawn = new Map();
  const stars = [];
  for (const [id, place] of at) {
    const state = states.nodes[id];
    if (isGold(data.nodes[id])) stars.push(star(place, state === "retrieved" ? "gold" : "lost"));
    else drawn.set(lookOf(state), `${drawn.get(lookOf(state)) ?? ""}M${spot(place)}h0`);
  }
  return [...[...drawn].map(([look, d]) => `<path class="dots ${look}" d="${d}"/>`), ...stars];
}

/** @param {Point} place @param {string} look */
const star = ([x, y], look) =>
  `<path class="star ${look}" d="${STAR}" transform="translate(${short(x)} ${short(y)}) scale(1.35)"/>`;

/** @param {string | undefined} state */
const lookOf = (state) =>
  state === "retrieved" ? "retrieved" : state === "visited" || state === "current" ? "visited" : "left";

/** Whether the question was searched for a node: those of the first column. @param {WalkthroughData} data @param {StatesData} states @param {string} id */
const isSearched = (data, states, id) => data.nodes[id].column === 0 && states.nodes[id] !== "missed";

/** From the question to what it was searched for, and from each node to what it led to. @param {WalkthroughData} data @param {StatesData} states @param {Map<string, Point>} at */
function ways(data, states, at) {
  const pairs = new Set(states.followed.map((id) => `${data.edges[id]?.source}\n${data.edges[id]?.target}`));
  for (const { here, candidates } of data.every.map((number) => data.stops[number]))
    for (const { card, verdict } of candidates)
      if (verdict !== "not_followed" && verdict !== "cut_off") pairs.add(`${here.node}\n${card.node}`);
  const searched = at.has(QUESTION) ? [] : [...at].filter(([id]) => isSearched(data, states, id));
  const led = [...pairs].map((pair) => {
    const [from, to] = pair.split("\n").map((id) => at.get(id));
    return from && to && from !== to ? `M${spot(from)}L${spot(to)}` : "";
  });
  const drawn = [...searched.map(([, place]) => `M22 ${MIDDLE}L${spot(place)}`), ...led].join("");
  return `<path class="ways${led.length > MANY ? " many" : ""}" d="${drawn}"/>`;
}

/** The top of the ranking as bars, each of the parts of its score. @param {WalkthroughData} data @param {RankingData} ranking */
function bars(data, ranking) {
  const rows = ranking.rows.filter((row) => row.rank <= TOP);
  const longest = Math.max(...rows.map((row) => row.score));
  /** @type {Map<string, string>} */
  const drawn = new Map();
  const stars = [];
  for (const row of rows) {
    const y = BARS.top + (row.rank - 1) * 7;
    let x = BARS.x;
    const parts = row.parts.length ? row.parts : [row.score];
    for (const [n, part] of parts.entries()) {
      const wide = (Math.max(0, part) / longest) * BARS.width;
      const tone = TONES[data.score.parts[n]?.tone ?? 1];
      if (wide > 0.3) drawn.set(tone, `${drawn.get(tone) ?? ""}M${spot([x, y])}h${short(wide)}`);
      x += wide;
    }
    if (isGold(data.nodes[row.node])) stars.push(star([BARS.x - 14, y], "gold"));
  }
  return [...[...drawn].map(([tone, d]) => `<path class="bars ${tone}" d="${d}"/>`), ...stars];
}

/** Names of columns, as many as do not run into each other. @param {{ label: string, x: number }[]} heads */
function labels(heads) {
  let free = WIDTH + LABEL.gap;
  const fresh = heads.filter(({ label }, n) => label !== heads[n - 1]?.label);
  return fresh.reverse().flatMap(({ label, x }) => {
    if (x + label.length * LABEL.letter + LABEL.gap > free) return [];
    free = x;
    return [`<text x="${short(x - 4)}" y="${HEIGHT - 8}">${escaped(label)}</text>`];
  });
}

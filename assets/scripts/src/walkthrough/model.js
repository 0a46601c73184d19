// Where a walkthrough stands, and what that shows. All functions are pure.

/** @import { NodeData, RankingData, RankingRowData, StopData, WalkthroughData } from "../types/contract" */

/**
 * @typedef {object} Place
 * @property {number} stop number of the stop in the sequence that is shown, from 0
 * @property {boolean} every whether the sequence has all steps, not only those of the arc
 */

/** The tones of parts of a score by number, as style sheets name them (assets/theme/tones.css). */
export const TONES = [..."abcdwv"];

/** @param {WalkthroughData} data @param {boolean} every @returns {number[]} numbers of stops, in order */
export const sequence = (data, every) => (every ? data.every : data.audience);

/** @param {WalkthroughData} data @param {Place} place @returns {StopData} */
export const stopAt = (data, place) => data.stops[sequence(data, place.every)[place.stop]];

/** @param {WalkthroughData} data @param {Place} place @param {number} stop @returns {Place} */
export function moved(data, place, stop) {
  const last = sequence(data, place.every).length - 1;
  return { ...place, stop: Math.min(Math.max(0, stop), last) };
}

/**
 * The place at which a step is shown: its own stop, or the fold that it is part of.
 *
 * @param {WalkthroughData} data
 * @param {boolean} every
 * @param {number | "end"} step number of a step, from 1; "end" is the evidence chain
 * @returns {Place}
 */
export function placeOfStep(data, every, step) {
  const stops = sequence(data, every).map((number) => data.stops[number]);
  const found = stops.findIndex((stop) => (step === "end" ? stop.kind === "chain" : stop.t >= step));
  return { every, stop: found < 0 ? stops.length - 1 : found };
}

/**
 * The step of a place, for addresses.
 *
 * @param {WalkthroughData} data
 * @param {Place} place
 * @returns {number | "end"}
 */
export function stepOfPlace(data, place) {
  const stop = stopAt(data, place);
  return stop.kind === "chain" ? "end" : stop.t;
}

/** The same step in the other sequence. @param {WalkthroughData} data @param {Place} place @returns {Place} */
export const toggledEvery = (data, place) => placeOfStep(data, !place.every, stepOfPlace(data, place));

/**
 * The place of a stop by its number in `data.stops`.
 *
 * @param {WalkthroughData} data
 * @param {Place} place
 * @param {number} number
 * @returns {Place}
 */
export function placeOfStop(data, place, number) {
  const here = sequence(data, place.every).indexOf(number);
  if (here >= 0) return { ...place, stop: here };
  const there = data.every.indexOf(number);
  return there >= 0 ? { every: true, stop: there } : place;
}

/**
 * The next stop that shows a node in the middle or among its candidates, from the place on.
 *
 * @param {WalkthroughData} data
 * @param {Place} place
 * @param {string} node
 * @returns {Place | null}
 */
export function placeOfNode(data, place, node) {
  const stops = sequence(data, place.every).map((number) => data.stops[number]);
  const here = stops.findIndex((stop) => stop.here.node === node && !["chain", "slide"].includes(stop.kind));
  const found =
    here >= 0 ? here : stops.findIndex((stop) => stop.candidates.some((one) => one.card.node === node));
  return found < 0 ? null : { ...place, stop: found };
}

/** Milliseconds that it takes to read a stop. @param {WalkthroughData} data @param {StopData} stop */
export function readingTime(data, stop) {
  if (stop.kind === "slide") return waiting([stop.headline, ...stop.notes], 0, 60000);
  const cards = [stop.here, ...stop.candidates.slice(0, 2).map((one) => one.card)];
  const sentences = cards.flatMap((card) => card.matters.map((n) => data.nodes[card.node].sentences[n]));
  const texts = [
    stop.headline,
    ...sentences.map((one) => (one ? one.pieces.map(([text]) => text).join("") : "")),
  ];
  const questions = stop.candidates.slice(0, 3).map((one) => data.edges[one.edge]?.question ?? one.label);
  return waiting([...texts, ...questions], 6000, 10000);
}

/** @param {string[]} texts @param {number} least @param {number} most */
const waiting = (texts, least, most) =>
  Math.min(most, Math.max(least, 1500 + texts.join(" ").split(/\s+/).length * 230));

/** Whether a node holds gold. @param {NodeData | undefined} node */
export const isGold = (node) => Boolean(node?.gold.length);

/**
 * Rows of a ranking for a given room: the best, both sides of the cut-off, gold, and one in focus;
 * between them the number of rows left out.
 *
 * @param {RankingData} ranking
 * @param {(node: string) => boolean} gold
 * @param {string} focus id of a node that stays in sight
 * @param {number} room lines there is room for
 * @returns {({ row: RankingRowData } | { gap: number } | { cut: true })[]}
 */
export function fittedRanking(ranking, gold, focus, room) {
  const { rows } = ranking;
  const weight = (/** @type {RankingRowData} */ row) => {
    const edge = row.rank <= ranking.cut_off ? ranking.cut_off - row.rank : row.rank - ranking.cut_off - 1;
    if (row.node === focus) return -3;
    if (gold(row.node)) return -2 + row.rank / 1e6;
    return Math.min(row.rank * 1.5, 3 + edge * 4);
  };
  const order = [...rows].sort((a, b) => weight(a) - weight(b) || a.rank - b.rank);
  for (let kept = Math.min(order.length, room); kept > 0; kept -= 1) {
    const lines = withGaps(ranking, new Set(order.slice(0, kept)));
    if (lines.length <= room) return lines;
  }
  return withGaps(ranking, new Set(order.slice(0, 1)));
}

/** @param {RankingData} ranking @param {Set<RankingRowData>} shown */
function withGaps(ranking, shown) {
  /** @type {ReturnType<typeof fittedRanking>} */
  const lines = [];
  let last = 0;
  const cutBetween = (/** @type {number} */ rank) =>
    last <= ranking.cut_off && rank > ranking.cut_off && ranking.cut_off > 0;
  const step = (/** @type {number} */ rank) => {
    const cut = cutBetween(rank) && ranking.total > ranking.cut_off;
    const above = cut ? ranking.cut_off - last : rank - last - 1;
    const below = cut ? rank - ranking.cut_off - 1 : 0;
    if (above > 0) lines.push({ gap: above });
    if (cut) lines.push({ cut: true });
    if (below > 0) lines.push({ gap: below });
  };
  for (const row of ranking.rows.filter((one) => shown.has(one))) {
    step(row.rank);
    lines.push({ row });
    last = row.rank;
  }
  if (last < ranking.total) step(ranking.total + 1);
  return lines;
}

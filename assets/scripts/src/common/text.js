// Texts of passages and queries, with the words that matter lit.

import { el } from "./dom.js";

/** @import { Piece, SentenceData } from "../types/contract" */

/** @param {Piece[]} pieces @returns {(string | HTMLElement)[]} */
export const lit = (pieces) =>
  pieces.map(([text, mark]) =>
    mark === "plain" ? text : el(mark === "new" ? "mark.new" : "mark", {}, text),
  );

/** @param {SentenceData} sentence */
export const plain = (sentence) => sentence.pieces.map(([text]) => text).join("");

/**
 * A sentence of a card.
 *
 * @param {SentenceData} sentence
 * @param {boolean} matters whether it explains the stop; others are dimmed
 */
export const sentenceOf = (sentence, matters) =>
  el(
    `span.sentence.${matters ? "matters" : "dim"}${sentence.evidence.length ? ".evidence" : ""}`,
    {},
    ...lit(sentence.pieces),
  );

/**
 * The query as a meter: words that the path covers by now are lit.
 *
 * @param {[string, boolean][]} words
 * @param {number[]} covered
 * @param {number[]} coveredHere
 */
export const meter = (words, covered, coveredHere) =>
  words.map(([text], number) => {
    if (coveredHere.includes(number)) return el("mark.new", {}, text);
    return covered.includes(number) ? el("mark", {}, text) : text;
  });

/** A star marks gold; its shape tells it without a colour. @param {string} [label] */
export const star = (label = "gold evidence") =>
  el("span.star", { role: "img", "aria-label": label, title: label }, "★");

/**
 * A word that says what it means on hover.
 *
 * @param {string} meaning of the glossary
 * @param {string} word
 */
export const termOf = (meaning, word) => el("abbr.term", { title: meaning }, word);

/** @param {number} value @param {string} one @param {string} [many] */
export const count = (value, one, many = `${one}s`) =>
  `${value.toLocaleString("en")} ${value === 1 ? one : many}`;

/** The decimals that tell a score from others. @param {number} value */
function decimals(value) {
  const size = Math.abs(value);
  return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

/** A score in as few digits as tell it from others. @param {number} value */
export function number(value) {
  const told = value.toFixed(decimals(value));
  return Number(told) ? told : told.replace("-", "");
}

/**
 * Parts of a sum, which add up to it as `number` shows it: parts that lose most by being cut are
 * rounded up (as `addends` in core/text/display/scores.py). The sum itself is only rounded.
 *
 * @param {number[]} values
 * @param {number} sum
 */
export function addends(values, sum) {
  const places = decimals(sum);
  const units = values.map((value) => value * 10 ** places);
  const whole = units.map((value) => Math.floor(value + 1e-6));
  const left = Math.round(Number(sum.toFixed(places)) * 10 ** places) - whole.reduce((a, b) => a + b, 0);
  if (left < 0 || left > values.length) return values.map(number); // they are not all of the sum
  const most = units.map((_, n) => n).sort((a, b) => units[b] - whole[b] - (units[a] - whole[a]));
  for (const n of most.slice(0, left)) whole[n] += 1;
  return whole.map((value) => (value / 10 ** places).toFixed(places));
}

/** The star of gold: full if it comes with the question set or from rules, open if a person marked it. @param {"given" | "rules" | "hand"} marked */
export const starOf = (marked) =>
  el(
    "span.star",
    { role: "img", "aria-label": marked === "hand" ? "gold, marked by hand" : "gold" },
    marked === "hand" ? "☆" : "★",
  );

// A score as a sum: similarity and importance, two bars that become one, with the cut-off.

import { el } from "../common/dom.js";
import { isGold, TONES } from "../walkthrough/model.js";
import { addends, number, star, termOf } from "../common/text.js";

/** @import { RankingRowData as Row, ScorePartData } from "../types/contract" */
/** @import { View } from "../types/view" */

/** @param {ScorePartData} part */
const lookOf = ({ tone, half }) => `i.tone-${TONES[tone]}${half === "importance" ? ".hatched" : ""}`;

/** Parts that count, as segments of a bar. @param {View} view @param {Row} row @param {(half: string) => boolean} [of] */
const segments = (view, row, of = () => true) =>
  view.data.score.parts
    .map((part, n) => ({ part, value: row.parts[n] ?? 0 }))
    .filter(({ part, value }) => of(part.half) && value > 0);

/** @param {{ part: ScorePartData, value: number }[]} found */
const total = (found) => found.reduce((sum, one) => sum + one.value, 0);

/**
 * A bar of segments that begins at `from`; all in the unit of the score.
 *
 * @param {ReturnType<typeof segments>} found
 * @param {number} scale largest value
 * @param {{ from?: number, cutOff?: number | null }} [where]
 */
const bar = (found, scale, { from = 0, cutOff = null } = {}) =>
  el(
    "span.bar.parts",
    {},
    el("span.space", { "--w": `${(100 * from) / scale}%` }),
    ...found.map(({ part, value }) =>
      el(lookOf(part), {
        "--w": `${(100 * value) / scale}%`,
        title: `${part.label} ${number(value)}`,
      }),
    ),
    cutOff !== null &&
      cutOff <= scale &&
      el("u.cut", { "--x": `${(100 * cutOff) / scale}%`, title: `cut-off ${number(cutOff)}` }),
  );

/** @param {string | HTMLElement} name @param {HTMLElement} drawn @param {string} value @param {string} [look] */
const line = (name, drawn, value, look = "") =>
  el(`li${look}`, {}, el("span", {}, name), drawn, el("b", {}, value));

/** The sum that is told at a stop; null where none is, and the ranking has scores. @param {View} view */
export function sumOf(view) {
  const { data, stop } = view;
  const told = stop.helpfulness;
  const ranking = data.rankings[stop.ranking];
  if (!told && ranking.rows.length) return null;
  if (!told) return el("section.sum.empty", {}, el("h3", {}, named(view)), el("p", {}, "No scores yet."));
  const node = data.nodes[told.row.node];
  const cutOff = ranking.total > ranking.cut_off ? ranking.cut_off_score : null;
  const scale = Math.max(told.row.score, told.before?.score ?? 0, cutOff ?? 0, 1e-9);
  const halves = data.score.parts.some((part) => part.half !== "");
  return el(
    "section.sum",
    {},
    el(
      "h3",
      {},
      el("span", {}, named(view), " of"),
      isGold(node) && star(),
      el("span.name", { dir: "auto" }, node.title),
      el("small", {}, `rank ${told.row.rank}`),
    ),
    el(
      "ul",
      {},
      ...(halves ? halfLines(view, told.row, scale, cutOff) : partLines(view, told.row, scale, cutOff)),
      ...beforeLine(view, scale, cutOff),
    ),
    data.score.formula &&
      el(
        "p.formula",
        { title: data.score.note || null },
        [data.score.formula, told.why_lower].filter(Boolean).join("; "),
      ),
  );
}

/** @param {View} view @param {Row} row @param {number} scale @param {number | null} cutOff */
function halfLines(view, row, scale, cutOff) {
  const similarity = segments(view, row, (half) => half !== "importance");
  const importance = segments(view, row, (half) => half === "importance");
  const first = total(similarity);
  const [ofFirst, ofSecond] = addends([first, row.score - first], row.score);
  const [ofSimilarity, ofImportance] = weightsOf(view.data.score.formula);
  const meaning = view.data.score.note;
  return [
    line(
      el("span", {}, ofSimilarity, termOf(meaning || view.data.glossary.similarity, "similarity")),
      bar(similarity, scale),
      ofFirst,
    ),
    line(
      el("span", {}, "+ ", ofImportance, termOf(meaning || view.data.glossary.importance, "importance")),
      bar(importance, scale, { from: first }),
      ofSecond,
    ),
    totalLine(view, row, [...similarity, ...importance], scale, cutOff, "= "),
  ];
}

/** What similarity and importance are multiplied by in a formula of Helpfulness. @param {string} formula @returns {[string, string]} */
export function weightsOf(formula) {
  if (formula.endsWith("(SIM + IMP) / 2")) return ["½ ", "½ "];
  const weight = /^H = SIM \/ 2 \+ (\S+) IMP$/.exec(formula)?.[1];
  return weight ? ["½ ", `${weight} `] : ["", ""];
}

/** Each part begins where the one before it ended. @param {View} view @param {Row} row @param {number} scale @param {number | null} cutOff */
function partLines(view, row, scale, cutOff) {
  const found = segments(view, row);
  const values = addends(
    found.map(({ value }) => value),
    row.score,
  );
  let from = 0;
  const lines = found.map((one, n) => {
    const made = line(`${n ? "+ " : ""}${one.part.label}`, bar([one], scale, { from }), values[n]);
    from += one.value;
    return made;
  });
  if (lines.length < 2) return [totalLine(view, row, found, scale, cutOff)];
  return [...lines, totalLine(view, row, found, scale, cutOff, "= ")];
}

/** @param {View} view @param {Row} row @param {ReturnType<typeof segments>} found @param {number} scale @param {number | null} cutOff @param {string} [is] */
const totalLine = (view, row, found, scale, cutOff, is = "") =>
  line(`${is}${short(view)}`, bar(found, scale, { cutOff }), number(row.score), ".total");

/** @param {View} view @param {number} scale @param {number | null} cutOff */
function beforeLine(view, scale, cutOff) {
  const before = view.stop.helpfulness?.before;
  if (!before) return [];
  return [line("before", bar(segments(view, before), scale, { cutOff }), number(before.score), ".before")];
}

/** What the score is called, with its meaning if it is a term of the paper. @param {View} view */
const named = ({ data }) =>
  isHelpfulness(data) ? termOf(data.glossary.helpfulness, data.score.name) : data.score.name;

/** @param {View["data"]} data */
const isHelpfulness = (data) => data.score.name === "Helpfulness";

/** @param {View} view */
const short = (view) => (isHelpfulness(view.data) ? "H" : view.data.score.name.toLowerCase());

/** The parts of a row as one small bar. @param {View} view @param {Row} row @param {number} scale */
export const rowBar = (view, row, scale) => bar(segments(view, row), scale);

/** What the colours of parts mean, of those that any passage has. @param {View} view */
export function partsKey(view) {
  const { rows } = view.data.rankings[view.stop.ranking];
  const used = view.data.score.parts.filter((_, n) => rows.some((row) => (row.parts[n] ?? 0) > 0));
  if (used.length < 2) return null;
  const item = (/** @type {ScorePartData} */ part) =>
    el("span", {}, el(lookOf(part)), part.meaning ? termOf(part.meaning, part.label) : part.label);
  return el("p.parts-key", {}, ...used.map(item));
}

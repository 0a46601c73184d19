// A small picture of a whole walkthrough: what was reached, column by column, and the first ranks.
// It has few marks: of a column the most telling nodes are drawn and the others counted.

import { STAR } from "./graph_marks.js";
import { isGold } from "../walkthrough/model.js";

/** @import { RankingData, StatesData, WalkthroughData } from "../types/contract" */
/** @typedef {[number, number]} Point */
/** @typedef {{ label: string, ids: string[] }} Column */
/** @typedef {{ at: Map<string, Point>, labels: string[] }} Layout places of what is drawn, and texts */

/** The outermost question, which some retrievers show among the nodes of their first column. */
const QUESTION = "#";

const WIDTH = 520;
const HEIGHT = 214;
const ROOT = /** @type {Point} */ ([20, 84]);
const WALK = { left: 84, right: 340, top: 20, row: 27, rows: 5, step: 130 };
const COLUMNS = 4;
const BARS = { x: 412, width: 104, top: 18, row: 21, rows: 7 };
const LABEL = { y: HEIGHT - 9, letter: 10.2, gap: 10 };
const MANY = 24;

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
  const { at, labels } = layOut(data, states);
  const label = `${data.columns.join(", ")}; ${ranking.total} ranked`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="hop-picture" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(label)}">`,
    ways(data, states, at),
    ...marks(data, states, at),
    ...bars(data, ranking),
    ...labels,
    ranking.rows.length ? textOf("Ranking", BARS.x + BARS.width / 2, LABEL.y) : "",
    "</svg>",
  ].join("\n");
}

/** Columns of one name are drawn as one, and of many those with gold and the first ones. @param {WalkthroughData} data */
function columnsOf(data) {
  /** @type {Map<string, string[]>} */
  const named = new Map();
  for (const [id, node] of Object.entries(data.nodes)) {
    if (node.column < 0 || id === QUESTION) continue;
    const label = data.columns[node.column];
    named.set(label, [...(named.get(label) ?? []), id]);
  }
  const order = [...new Set(data.columns)].filter((label) => named.has(label));
  const columns = order.map((label) => ({ label, ids: named.get(label) ?? [] }));
  const hasGold = (/** @type {Column} */ { ids }) => ids.some((id) => isGold(data.nodes[id]));
  const kept = new Set(
    [...columns.filter(hasGold), ...columns.filter((one) => !hasGold(one))].slice(0, COLUMNS),
  );
  return columns.filter((column) => kept.has(column));
}

/** @param {WalkthroughData} data @param {StatesData} states @returns {Layout} */
function layOut(data, states) {
  const columns = columnsOf(data);
  const room = WALK.right - WALK.left;
  const step = Math.min(WALK.step, room / Math.max(1, columns.length - 1));
  const first = WALK.left + (room - step * (columns.length - 1)) / 2;
  /** @type {Map<string, Point>} */
  const at = new Map([[QUESTION, ROOT]]);
  const texts = columns.flatMap(({ label, ids }, n) => {
    const x = first + n * step;
    const drawn = telling(data, states, ids);
    drawn.forEach((id, row) => at.set(id, [x, WALK.top + row * WALK.row]));
    const left = ids.length - drawn.length;
    const more = left ? [textOf(`+${left}`, x, WALK.top + WALK.rows * WALK.row + 6)] : [];
    return [...more, { label, x }];
  });
  const heads = texts.filter((one) => typeof one !== "string");
  return { at, labels: [...texts.filter((one) => typeof one === "string"), ...headTexts(heads)] };
}

/** The first nodes of a column by what became of them, in their order. @param {WalkthroughData} data @param {StatesData} states @param {string[]} ids */
function telling(data, states, ids) {
  const looks = ["retrieved", "visited", "left"];
  const rank = (/** @type {string} */ id) =>
    isGold(data.nodes[id]) ? -1 : looks.indexOf(lookOf(states.nodes[id]));
  const first = new Set(ids.toSorted((one, other) => rank(one) - rank(other)).slice(0, WALK.rows));
  return ids.filter((id) => first.has(id));
}

/** @param {WalkthroughData} data @param {StatesData} states @param {Map<string, Point>} at */
function marks(data, states, at) {
  /** @type {Map<string, string>} */
  const drawn = new Map();
  const signs = [];
  for (const [id, place] of at) {
    const [node, state] = [data.nodes[id], states.nodes[id]];
    if (id === QUESTION || node.kind === "query") signs.push(diamond(place));
    else if (isGold(node)) signs.push(star(place, state === "retrieved" ? "gold" : "lost"));
    else drawn.set(lookOf(state), `${drawn.get(lookOf(state)) ?? ""}M${spot(place)}h0`);
  }
  return [...[...drawn].map(([look, d]) => `<path class="dots ${look}" d="${d}"/>`), ...signs];
}

/** @param {Point} place @param {string} look */
const star = ([x, y], look) =>
  `<path class="star ${look}" d="${STAR}" transform="translate(${short(x)} ${short(y)}) scale(1.9)"/>`;

/** @param {Point} place */
const diamond = ([x, y]) => `<path class="query" d="M${spot([x - 10, y])}l10 -10l10 10l-10 10z"/>`;

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
  const ids = [...at.keys()].filter((id) => id !== QUESTION);
  if (!data.nodes[QUESTION])
    for (const id of ids.filter((one) => isSearched(data, states, one))) pairs.add(`${QUESTION}\n${id}`);
  const led = [...pairs].flatMap((pair) => {
    const [from, to] = pair.split("\n").map((id) => at.get(id));
    return from && to && from !== to ? [`M${spot(from)}L${spot(to)}`] : [];
  });
  return `<path class="ways${led.length > MANY ? " many" : ""}" d="${led.join("")}"/>`;
}

/** The top of the ranking as bars, as long as their scores. @param {WalkthroughData} data @param {RankingData} ranking */
function bars(data, ranking) {
  const rows = ranking.rows.filter((row) => row.rank <= BARS.rows);
  const longest = Math.max(...rows.map((row) => row.score));
  const place = (/** @type {number} */ rank) => BARS.top + (rank - 1) * BARS.row;
  const drawn = rows.map(({ rank, score }) => {
    const wide = longest > 0 ? Math.max(6, (score / longest) * BARS.width) : BARS.width;
    return `M${spot([BARS.x, place(rank)])}h${short(wide)}`;
  });
  const stars = rows
    .filter((row) => isGold(data.nodes[row.node]))
    .map((row) => star([BARS.x - 18, place(row.rank)], "gold"));
  const left = ranking.rows.length - rows.length;
  const more = left > 0 ? textOf(`+${left}`, BARS.x + 18, place(BARS.rows + 1) + 7) : "";
  return [drawn.length ? `<path class="bars" d="${drawn.join("")}"/>` : "", ...stars, more];
}

/** Names of columns below them, as many as do not run into each other. @param {{ label: string, x: number }[]} heads */
function headTexts(heads) {
  let free = BARS.x;
  return heads.toReversed().flatMap(({ label, x }) => {
    const half = (label.length * LABEL.letter) / 2;
    if (x + half + LABEL.gap > free) return [];
    free = x - half;
    return [textOf(label, x, LABEL.y)];
  });
}

/** @param {string} text @param {number} x @param {number} y */
const textOf = (text, x, y) => `<text x="${short(x)}" y="${short(y)}">${escaped(text)}</text>`;

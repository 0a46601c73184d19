// The list of results in one element. Selecting one sends its place in the list.

import { el } from "../common/dom.js";

/** @import { ComponentArguments } from "../types/streamlit" */

/**
 * @typedef {object} Result
 * @property {number} at its place among all results, from 1
 * @property {string} said its place, outcome and stage of loss
 * @property {string} share
 * @property {string} mark of its verdict
 * @property {string} note
 * @property {string} conflict what is said of two different notes, or empty
 * @property {string} text of the question
 * @property {string} hint
 * @property {string} noted what the reviewer sees below the first line, or empty
 */
/** @typedef {{ sign: string, hint: string, at: number | null }} PageButton a page of the list that a button leads to */
/** @typedef {{ rows: Result[], now: number, turns: PageButton[], total: number, says: string }} ListData */
/** @typedef {(at: number | null) => void} Go */

/** The verdict and the sign of a note. @param {Pick<Result, "mark" | "note" | "conflict">} result */
export function marksOf({ mark, note, conflict }) {
  const sign = conflict ? "⚠ note" : note && "✎";
  const alone = conflict ? "⚠ note in conflict" : note && "✎ note";
  return [mark, mark ? sign : alone].filter(Boolean).join(" ");
}

/** What a screen reader says. @param {Result} result */
export const labelOf = ({ at, text, said, share, mark, conflict, note, noted }) =>
  [`${at}: ${text}`, said, share, mark, conflict, note && `note: ${note}`, noted].filter(Boolean).join(", ");

/** @param {Result} result @param {number} now @param {Go} go */
function row(result, now, go) {
  const { at, said, share, text, hint, noted } = result;
  const isShown = at === now;
  return el(
    isShown ? "button.hop-case.hop-case-now" : "button.hop-case",
    {
      title: hint,
      "aria-current": isShown && "true",
      "aria-label": labelOf(result),
      onclick: () => go(at),
    },
    el(
      "span.hop-case-head",
      {},
      el("span", {}, said),
      el("span.hop-case-share", {}, share),
      el("b", {}, marksOf(result)),
    ),
    noted && el("em.hop-case-noted", {}, noted),
    el("span.hop-case-text", { dir: "auto" }, text),
  );
}

/**
 * A button that scrolls a list shown as a row, and at its end leads to the next page.
 *
 * @param {PageButton} page
 * @param {1 | -1} direction
 * @param {HTMLElement} list
 * @param {Go} go
 */
function pageButton({ sign, hint, at }, direction, list, go) {
  const hidden = () =>
    direction < 0 ? list.scrollLeft : list.scrollWidth - list.clientWidth - list.scrollLeft;
  const hasMore = () => hidden() > 1;
  const onclick = () => (hasMore() ? list.scrollBy({ left: direction * list.clientWidth }) : go(at));
  const button = /** @type {HTMLButtonElement} */ (el("button", { onclick }, sign));
  const update = () => {
    button.disabled = !at && !hasMore();
    const results = direction < 0 ? "Previous results" : "More results";
    button.title = hasMore() ? results : hint;
  };
  return { button, update };
}

/** The results that are fully in view. @param {HTMLElement} list @param {Result[]} rows */
function inView(list, rows) {
  const { left, right } = list.getBoundingClientRect();
  const seen = rows.filter((_, n) => {
    const box = list.children[n].getBoundingClientRect();
    return box.left > left - 2 && box.right < right + 2;
  });
  return seen.length ? seen : rows;
}

/** The places in view, as "1 to 20 of 43". @param {Result[]} seen @param {number} total */
export function rangeOf(seen, total) {
  if (!seen.length) return "";
  const [first, last, all] = [seen[0].at, seen[seen.length - 1].at, total].map((n) => n.toLocaleString("en"));
  return `${first} to ${last} of ${all}`;
}

/** @param {ComponentArguments<ListData>} component */
export default function mount({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".hop-cases"));
  const hadFocus = root.contains(document.activeElement);
  /** @type {Go} */
  const go = (at) => setTriggerValue("at", at);
  const list = el("div.hop-cases-list", {}, ...data.rows.map((one) => row(one, data.now, go)));
  const buttons = data.turns.map((one, n) => pageButton(one, n ? 1 : -1, list, go));
  const range = el("span");
  const order = el("span.hop-cases-says", {}, data.says);
  root.replaceChildren(
    list,
    el("div.hop-cases-foot", {}, ...buttons.map(({ button }) => button), range, order),
  );
  const update = () => {
    for (const one of buttons) one.update();
    range.title = data.says; // where there is no room for the line
    range.textContent = rangeOf(inView(list, data.rows), data.total);
  };
  list.onscroll = update;
  new ResizeObserver(update).observe(list);
  const now = /** @type {HTMLElement | null} */ (root.querySelector(".hop-case-now"));
  // A list shown as a row has the current result in its middle.
  if (now) list.scrollLeft = now.offsetLeft - list.offsetLeft - (list.clientWidth - now.offsetWidth) / 2;
  if (hadFocus) now?.focus();
}

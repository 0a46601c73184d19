// What lacks room is left out in a fixed order until everything fits. It depends on the picture and
// the size of its window only.

import { restOf } from "./candidates.js";
import { el } from "../common/dom.js";
import { pageOf } from "./evidence_chain.js";
import { moreWaiting, rankingOf } from "./ranking.js";

/** @import { View } from "../types/view" */

const LEAST_ROWS = 3;
const LEAST_LINES = 2;

/** What is left out next: a level of the style sheet, or rows from the end. @typedef {number | { most: number }} Step */

/** @type {Step[]} */
const CANDIDATES = [1, 2, 3, { most: 4 }, 4, { most: 2 }, 5, { most: 1 }, 6];
/** What an audience can do without: sentences beside the evidence, where an edge comes from, what passages on the path say, and last the query. @type {Step[]} */
const CHAIN = [2, 3, 8, 1];
/** Texts are shortened only where nobody turns pages, or where one passage alone lacks room. @type {Step[]} */
const SHORTER = [...CHAIN, 4, 5, 6, 7];
/** Evidence is shortened only where a picture cannot be taller. @type {Step[]} */
const ALONE = [...SHORTER, 9, 10];
const MOST_GROWTHS = 3;

/** @param {HTMLElement} root @param {View} view */
export function fit(root, view) {
  fitRanking(root, view);
  fitQueue(root);
  fitGold(root);
  const stage = /** @type {HTMLElement} */ (root.querySelector(".stage"));
  fitText(stage, stage.querySelector(".now"));
  const from = stage.querySelector(".came-from");
  if (from && !inside(stage, from)) stage.dataset.from = "off";
  const rows = [...stage.querySelectorAll("li.candidate")];
  const list = stage.querySelector(".candidates");
  if (list instanceof HTMLElement) leaveOut(stage, list, rows, CANDIDATES, (hidden) => restOf(view, hidden));
  const chain = stage.querySelector(".chain");
  fitFixes(stage);
  root.dataset.pages = chain instanceof HTMLElement ? String(fitChain(root, stage, chain, view)) : "1";
}

/**
 * A chain as a row, or else as a column without what matters less. If it still lacks room: for an
 * audience without fixes, or else page by page; on a page, which scrolls, without the map, with
 * shorter texts, or else in a taller picture.
 *
 * @param {HTMLElement} root
 * @param {HTMLElement} stage
 * @param {HTMLElement} chain
 * @param {View} view
 * @returns {number} how many pages it takes
 */
function fitChain(root, stage, chain, view) {
  if (chain.scrollWidth <= chain.clientWidth && fits(chain, chain)) return 1;
  chain.classList.add("as-column");
  const without = (/** @type {Step[]} */ steps) => {
    delete chain.dataset.fit;
    leaveOut(chain, chain, [], steps, () => "");
    return fits(chain, chain);
  };
  if (without(CHAIN)) return 1;
  if (!view.options.presenting) {
    stage.dataset.map = "off";
    if (!without(SHORTER)) grow(root, chain);
    return 1;
  }
  stage.dataset.fixes = "off";
  return without(CHAIN) ? 1 : turnTo(chain, view.page);
}

/** Make a picture as much taller as its chain lacks. @param {HTMLElement} root @param {HTMLElement} chain */
function grow(root, chain) {
  // A taller picture shows what a low one leaves out, which takes some of what it gained.
  for (let times = 0; times < MOST_GROWTHS && !fits(chain, chain); times += 1) {
    const parts = [...chain.querySelectorAll(".card, .step")].map((part) => part.getBoundingClientRect());
    const drawn = parts.filter(({ height }) => height);
    const needed = Math.max(...drawn.map(({ bottom }) => bottom)) - Math.min(...drawn.map(({ top }) => top));
    root.style.minHeight = `${Math.ceil(root.clientHeight + needed - chain.clientHeight)}px`;
  }
}

/** Count the changes below those in sight. @param {HTMLElement} stage */
function fitFixes(stage) {
  const list = stage.querySelector(".fixes");
  if (!(list instanceof HTMLElement) || list.scrollHeight <= list.clientHeight + 1) return;
  const more = el("span.more", {}, "↓");
  list.append(more);
  const tell = () => {
    const end = list.getBoundingClientRect().bottom - more.offsetHeight;
    const below = [...list.querySelectorAll("p")].filter(
      (one) => one.getBoundingClientRect().bottom > end + 1,
    );
    more.textContent = `↓ ${below.length} more`;
    more.classList.toggle("none", !below.length);
  };
  list.onscroll = tell;
  tell();
}

/**
 * Show a page of a chain: as many passages as there is room for, each with the link to it, and the answer.
 *
 * @param {HTMLElement} chain
 * @param {number} page
 * @returns {number} how many pages there are
 */
function turnTo(chain, page) {
  const links = /** @type {HTMLElement[]} */ ([...chain.querySelectorAll(".step:not(.last)")]);
  const told = /** @type {HTMLElement} */ (chain.querySelector(".pages"));
  const show = (/** @type {number} */ first, /** @type {number} */ end) => {
    told.textContent = pageOf(first, end, links.length);
    for (const [n, link] of links.entries())
      for (const part of [link, link.nextElementSibling])
        part?.toggleAttribute("hidden", n < first || n >= end);
  };
  const pages = [];
  for (let first = 0; first < links.length;) {
    let end = links.length;
    show(first, end);
    while (end > first + 1 && !fits(chain, chain)) show(first, --end);
    pages.push({ first, end });
    first = end;
  }
  const { first, end } = pages[Math.min(page, pages.length - 1)];
  show(first, end);
  leaveOut(chain, chain, [], ALONE, () => "");
  return pages.length;
}

/**
 * Leave parts of a list out, in order, until it fits.
 *
 * @param {HTMLElement} stage
 * @param {HTMLElement} list
 * @param {Element[]} rows
 * @param {Step[]} steps
 * @param {(hidden: number) => string} rest what is said of rows that are left out
 */
function leaveOut(stage, list, rows, steps, rest) {
  const levels = [];
  let drawn = rows.length;
  const tell = () => list.querySelector(".rest")?.replaceChildren(rest(rows.length - drawn));
  tell();
  for (const step of steps) {
    if (fits(stage, list)) return;
    if (typeof step === "number") {
      levels.push(step);
      list.dataset.fit = levels.join(" ");
      continue;
    }
    while (drawn > step.most && !fits(stage, list)) {
      drawn -= 1;
      const left = rows.filter((row) => row.isConnected);
      // The first one is what the headline names.
      const beside = left.slice(1);
      (beside.findLast((row) => !row.matches(".named, :has(.card.gold)")) ?? left[drawn]).remove();
      tell();
    }
  }
}

/** Whether every part of a list is inside the stage. @param {HTMLElement} stage @param {Element} list */
const fits = (stage, list) =>
  [...list.querySelectorAll(".card, .edge, .step, .rest")].every((part) => inside(stage, part));

/** @param {HTMLElement} stage @param {Element} part */
function inside(stage, part) {
  const box = stage.getBoundingClientRect();
  const { top, bottom, height } = part.getBoundingClientRect();
  return !height || (top >= box.top - 1 && bottom <= box.bottom + 1);
}

/** The card that is looked at: without what explains nothing, then in as many lines as there are. @param {HTMLElement} stage @param {Element | null} now */
function fitText(stage, now) {
  const part = now?.firstElementChild;
  if (!(part instanceof HTMLElement) || inside(stage, part)) return;
  part.dataset.fit = "1";
  const text = part.querySelector(".body, p, ul");
  if (!(text instanceof HTMLElement) || inside(stage, part)) return;
  if (text instanceof HTMLUListElement) return fitList(stage, part, text);
  const line = Number.parseFloat(getComputedStyle(text).lineHeight);
  const free = stage.clientHeight - (part.offsetHeight - text.offsetHeight);
  text.style.setProperty("--lines", String(Math.max(LEAST_LINES, Math.floor(free / line))));
  part.dataset.fit = "1 2";
}

/** The first items of a list in a card; the others are counted. @param {HTMLElement} stage @param {HTMLElement} card @param {HTMLUListElement} list */
function fitList(stage, card, list) {
  const items = [...list.children];
  const more = el("li.more");
  const hidden = [];
  list.append(more);
  while (items.length > 1 && !inside(stage, card)) {
    const last = /** @type {Element} */ (items.pop());
    hidden.unshift(last.textContent);
    last.remove();
    more.textContent = `${hidden.length} more`;
    more.title = hidden.join("\n");
  }
}

/** @param {Element} of */
const isDrawn = (of) => of instanceof HTMLElement && of.offsetParent !== null;

/** As many rows of the ranking as there is room for. @param {HTMLElement} root @param {View} view */
function fitRanking(root, view) {
  const aside = root.querySelector("aside");
  const drawn = aside?.querySelector(".ranking");
  if (!aside || !drawn || !isDrawn(aside)) return;
  const list = /** @type {HTMLElement} */ (drawn.querySelector("ol"));
  const row = list.querySelector("li")?.getBoundingClientRect().height || 20;
  const free = aside.getBoundingClientRect().bottom - list.getBoundingClientRect().top;
  for (let room = Math.floor(free / row); room >= LEAST_ROWS; room -= 1) {
    const made = rankingOf(view, room);
    aside.querySelector(".ranking")?.replaceWith(made);
    const last = made.querySelector("ol")?.lastElementChild?.getBoundingClientRect();
    if (!last || last.bottom <= aside.getBoundingClientRect().bottom + 0.5) return;
  }
}

/** The first in the queue, and those that joined; the others are counted. @param {HTMLElement} root */
function fitQueue(root) {
  const list = root.querySelector(".queue ol");
  if (!(list instanceof HTMLElement) || !isDrawn(list)) return;
  const more = /** @type {HTMLElement} */ (list.querySelector(".more"));
  const joined = [...list.querySelectorAll(".joined")];
  const waiting = [...list.querySelectorAll("li:not(.joined, .left, .more, .none)")];
  const candidates = [
    ...waiting.toReversed(),
    ...joined.slice(1).toReversed(),
    ...list.querySelectorAll(".left"),
    ...joined.slice(0, 1),
  ];
  let hidden = 0;
  for (const item of candidates) {
    if (list.scrollWidth <= list.clientWidth + 1) return;
    item.remove();
    if (!item.classList.contains("left")) hidden += 1;
    more.replaceChildren(moreWaiting(hidden));
  }
}

/** The gold that has room in one line; the rest is counted. @param {HTMLElement} root */
function fitGold(root) {
  const list = root.querySelector(".gold-status");
  if (!(list instanceof HTMLElement) || !isDrawn(list)) return;
  const items = [...list.children];
  const more = el("li.more");
  const hidden = [];
  while (items.length > 1 && list.scrollHeight > list.clientHeight + 1) {
    const last = /** @type {Element} */ (items.pop());
    hidden.unshift(last.textContent);
    last.remove();
    more.textContent = `+${hidden.length}`;
    more.title = hidden.join("\n");
    list.append(more);
  }
}

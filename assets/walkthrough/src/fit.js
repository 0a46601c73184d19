// What lacks room is left out in a fixed order until everything fits. It depends on the picture and
// the size of its window only.

import { restOf } from "./candidates.js";
import { moreWaiting, rankingOf } from "./ranking.js";

/** @typedef {import("./view").View} View */

const LEAST_ROWS = 3;

/** What is done while something does not fit: a level of the style sheet, or fewer candidates. */
const STEPS = [
  { level: 1 },
  { level: 2 },
  { level: 3 },
  { most: 4 },
  { level: 4 },
  { level: 5 },
  { most: 2 },
  { level: 6 },
  { level: 7 },
];

/** @param {HTMLElement} root @param {View} view */
export function fit(root, view) {
  fitRanking(root, view);
  fitQueue(root);
  const stage = /** @type {HTMLElement} */ (root.querySelector(".stage"));
  const rows = [...stage.querySelectorAll("li.candidate")];
  const levels = [];
  let drawn = rows.length;
  const tell = () => stage.querySelector(".rest")?.replaceChildren(restOf(view, rows.length - drawn));
  tell();
  for (const step of STEPS) {
    if (fits(stage)) return;
    if (step.level) {
      levels.push(step.level);
      stage.dataset.fit = levels.join(" ");
    }
    while (step.most && drawn > step.most && !fits(stage)) {
      drawn -= 1;
      rows[drawn].remove();
      tell();
    }
  }
}

/** @param {Element} of */
const isDrawn = (of) => of instanceof HTMLElement && of.offsetParent !== null;

/** Whether every card and edge is inside the stage. @param {HTMLElement} stage */
function fits(stage) {
  const box = stage.getBoundingClientRect();
  return [...stage.querySelectorAll(".card, .edge, .step, .rest, .statement, .fixes")].every((part) => {
    const { top, bottom, height } = part.getBoundingClientRect();
    return !height || (top >= box.top - 1 && bottom <= box.bottom + 1);
  });
}

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

// Lines between cards, drawn from the boxes that the browser has laid out.

import { svg } from "../common/dom.js";

/** @typedef {[number, number]} Point */

/**
 * Draw the lines of a stage: into the node that is looked at, on to its candidates, to their cards.
 *
 * @param {HTMLElement} stage
 */
export function drawLines(stage) {
  stage.querySelector(":scope > svg.lines")?.remove();
  const here = stage.querySelector(".card.as-here, .statement");
  if (!(here instanceof HTMLElement) || stage.classList.contains("of-chain")) return;
  const frame = stage.getBoundingClientRect();
  const box = (/** @type {Element} */ of) => {
    const found = of.getBoundingClientRect();
    return {
      left: found.left - frame.left,
      right: found.right - frame.left,
      top: found.top - frame.top,
      bottom: found.bottom - frame.top,
    };
  };
  const paths = [...pathsIn(stage, here, box), ...pathsOut(stage, here, box)];
  const size = { width: frame.width, height: frame.height };
  stage.prepend(svg("svg", { class: "lines", ...size, "aria-hidden": "true" }, ...paths));
}

/** @typedef {(of: Element) => { left: number, right: number, top: number, bottom: number }} Box */

/** @param {HTMLElement} stage @param {HTMLElement} here @param {Box} box */
function pathsIn(stage, here, box) {
  const from = stage.querySelector(".came-from");
  if (!(from instanceof HTMLElement) || !from.offsetParent) return [];
  const last = from.lastElementChild ?? from;
  return [
    curve(
      middle(box(last), "right"),
      [box(here).left, clamp(middle(box(last), "right")[1], box(here))],
      "followed",
    ),
  ];
}

/** @param {HTMLElement} stage @param {HTMLElement} here @param {Box} box */
function pathsOut(stage, here, box) {
  const paths = [];
  for (const row of stage.querySelectorAll("li.candidate")) {
    const [edge, card] = row.children;
    if (!(edge instanceof HTMLElement) || !edge.offsetParent) continue;
    const look =
      ["followed", "followed_again", "not_followed", "seed", "kept", "cut_off"].find((name) =>
        row.classList.contains(name),
      ) ?? "";
    const [a, b, c] = [box(here), box(edge), box(card)];
    if (b.left > a.right)
      paths.push(curve([a.right, clamp((b.top + b.bottom) / 2, a)], middle(b, "left"), look));
    if (c.left > b.right) paths.push(curve(middle(b, "right"), middle(c, "left"), look));
  }
  return paths;
}

/** @param {ReturnType<Box>} box @param {"left" | "right"} side @returns {Point} */
const middle = (box, side) => [box[side], (box.top + box.bottom) / 2];

/** A height at which a line can leave a box. @param {number} y @param {ReturnType<Box>} box */
const clamp = (y, box) => Math.min(Math.max(y, box.top + 16), Math.max(box.bottom - 16, box.top + 8));

/** @param {Point} a @param {Point} b @param {string} look */
function curve(a, b, look) {
  const bend = Math.max(8, (b[0] - a[0]) / 2);
  const d = `M${a}C${a[0] + bend},${a[1]} ${b[0] - bend},${b[1]} ${b}`;
  return svg("path", { class: `line ${look}`, d, pathLength: 1 });
}

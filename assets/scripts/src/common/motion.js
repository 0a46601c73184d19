// Motion is one rule: what has the same key at two stops moves from its old box to its new one.

const EASE = "cubic-bezier(.2,.7,.2,1)";
const MOVE = 300;
const APPEAR = 220;
const LATEST = 120;

/** @typedef {Map<string, DOMRect>} Boxes */

/** The boxes of all parts that have a key. @param {HTMLElement} root @returns {Boxes} */
export function boxesOf(root) {
  const parts = [...root.querySelectorAll("[data-key]")].filter(
    (part) => part instanceof HTMLElement && part.offsetParent,
  );
  return new Map(
    parts.map((part) => [/** @type {HTMLElement} */ (part).dataset.key ?? "", part.getBoundingClientRect()]),
  );
}

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Let the parts of a new picture come from where they were. @param {HTMLElement} root @param {Boxes} before */
export function animate(root, before) {
  let late = 0;
  for (const part of root.querySelectorAll("[data-key]")) {
    const was = before.get(/** @type {HTMLElement} */ (part).dataset.key ?? "");
    const now = part.getBoundingClientRect();
    if (was) {
      const [dx, dy] = [was.left - now.left, was.top - now.top];
      if (dx || dy)
        part.animate([{ transform: `translate(${dx}px,${dy}px)` }, { transform: "none" }], {
          duration: MOVE,
          easing: EASE,
        });
      continue;
    }
    const isEdge = part.classList.contains("edge") || part.classList.contains("candidate");
    const delay = isEdge || part.classList.contains("card") ? Math.min(LATEST, 30 * late++) : 0;
    const shift = isEdge ? "translateX(-24px)" : "translateY(6px)";
    part.animate(
      [
        { opacity: 0, transform: shift },
        { opacity: 1, transform: "none" },
      ],
      { duration: APPEAR, delay, easing: EASE, fill: "backwards" },
    );
  }
  for (const line of root.querySelectorAll(".lines .line")) {
    line.animate([{ opacity: 0 }, { opacity: 1 }], { duration: APPEAR, delay: LATEST, fill: "backwards" });
  }
}

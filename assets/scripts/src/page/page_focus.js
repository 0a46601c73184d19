// The keyboard stays on the page. If the pressed element, or the dialog it was in, is gone after a
// run, the walkthrough or else the page gets the focus. Otherwise Tab would begin at the menus again.

import { once } from "./once.js";
import { isIdle, MAIN, onRunChange } from "./streamlit_dom.js";

const LOOK = 150; // milliseconds between looks
const LATE = 5000; // milliseconds after a run in which an element of before it may still go

const isLost = () => document.activeElement === document.body;

function focusResult() {
  const root = globalThis.__hopWalkthrough?.root;
  const play = root?.isConnected && root.querySelector("button.play");
  if (play instanceof HTMLElement) play.focus({ preventScroll: true });
  else globalThis.__hopHome?.();
  /** @type {HTMLElement | null} */
  const main = document.querySelector(MAIN);
  if (isLost()) main?.focus({ preventScroll: true });
}

export default once("page_focus", () => {
  let expected = false; // the keyboard was used, and no pointer or key since
  let timer = 0;
  const follow = () => {
    clearInterval(timer);
    const until = performance.now() + LATE;
    timer = setInterval(() => {
      if (expected && isLost()) focusResult();
      else if (expected && performance.now() < until) return;
      clearInterval(timer);
    }, LOOK);
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (expected = false), true);
  // A press by the keyboard has no count of clicks.
  addEventListener("click", (event) => (expected ||= event.isTrusted && !event.detail), true);
  addEventListener("hop-closed", () => {
    expected = true;
    follow();
  });
  onRunChange(() => isIdle() && follow());
});

// A pressed button is busy at once, and not only when the server says so, until the page has done
// what it says. `style.css` draws that.

import { once } from "./once.js";
import { BUTTON, FORM, isIdle, onRunChange } from "./streamlit_dom.js";

const LATE = 4000; // milliseconds after which a press that the server never took up is over

export default once("busy_buttons", () => {
  /** @type {Element | null} */
  let pressed = null;
  let isTakenUp = false;
  let timer = 0;
  const release = () => {
    pressed?.removeAttribute("aria-busy");
    pressed = null;
    clearTimeout(timer);
  };
  const press = (/** @type {HTMLButtonElement | null | undefined} */ button) => {
    release();
    if (!button || button.disabled) return;
    [pressed, isTakenUp] = [button, false];
    button.setAttribute("aria-busy", "true");
    timer = setTimeout(() => isTakenUp || release(), LATE);
  };
  addEventListener(
    "click",
    ({ target }) => {
      /** @type {HTMLButtonElement | null} */
      const button = target instanceof Element ? target.closest(BUTTON) : null;
      if (button) press(button);
    },
    true,
  );
  addEventListener(
    "keydown",
    ({ key, target }) => {
      if (key === "Enter" && target instanceof HTMLInputElement)
        press(target.closest(FORM)?.querySelector(BUTTON));
    },
    true,
  );
  onRunChange(() => {
    if (!isIdle()) isTakenUp = true;
    else if (isTakenUp) release();
  });
});

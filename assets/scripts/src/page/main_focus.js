// The scrolled part of the page is no stop of the Tab key: nobody would see where the focus is. What
// is in it is, and a click or the link past the menus still focuses it, for scrolling. After a click
// the focus is not marked.

import { MAIN } from "./streamlit_dom.js";

const CLICK = 500; // milliseconds from a press to the focus that it gives

export default function mount() {
  /** @type {HTMLElement | null} */
  const main = document.querySelector(MAIN);
  if (!main) return;
  main.setAttribute("tabindex", "-1");
  let pressedAt = -CLICK;
  const mark = (/** @type {boolean} */ isClicked) => main.toggleAttribute("data-hop-clicked", isClicked);
  main.onpointerdown = () => {
    pressedAt = performance.now();
    if (document.activeElement === main) mark(true);
  };
  main.onfocus = () => mark(performance.now() - pressedAt < CLICK);
}

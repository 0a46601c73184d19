// Search is above the menu on the screen, and so it is for the Tab key, though it stands behind the
// menu in the page.

import { once } from "./once.js";
import { ISOLATED, SKIP_LINK, withKey } from "./streamlit_dom.js";

const HOST = `${withKey("hop_search")} ${ISOLATED}`;

/** The button that opens the search, if there is one. @returns {HTMLElement | null} */
const opener = () => document.querySelector(HOST)?.shadowRoot?.querySelector("button.open") ?? null;

export default once("search_order", () => {
  let isBackwards = false;
  const onTab = (/** @type {KeyboardEvent} */ event) => {
    isBackwards = event.key === "Tab" && event.shiftKey;
    /** @type {HTMLElement | null} */
    const link = document.querySelector(SKIP_LINK);
    const search = opener();
    if (event.key !== "Tab" || !link || !search) return;
    search.tabIndex = -1; // it is no stop behind the menu, too
    if (document.activeElement === link && !event.shiftKey) {
      event.preventDefault();
      search.focus();
    } else if (document.activeElement?.shadowRoot?.activeElement === search) {
      if (event.shiftKey) event.preventDefault();
      isBackwards = false;
      link.focus(); // from which the browser goes on to the menu
    }
  };
  addEventListener("keydown", onTab, true);
  addEventListener("focusin", ({ target }) => {
    if (isBackwards && target instanceof Element && target.matches(SKIP_LINK)) opener()?.focus();
  });
});

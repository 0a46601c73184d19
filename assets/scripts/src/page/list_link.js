// Streamlit keeps the address when the menu's entry of the page itself is pressed, so that a page that
// shows one of a list would show the same again. Here the entry leads to the list, as the page's own
// button does.

import { once } from "./once.js";
import { MENU_LINK, withKey } from "./streamlit_dom.js";

const BACK = `${withKey("studies_back")} button`;

export default once("list_link", () => {
  addEventListener(
    "click",
    (event) => {
      /** @type {HTMLAnchorElement | null} */
      const entry = event.target instanceof Element ? event.target.closest(MENU_LINK) : null;
      if (!entry || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (new URL(entry.href).pathname !== location.pathname) return;
      /** @type {HTMLElement | null} */
      const back = document.querySelector(BACK);
      if (!back) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      back.click();
    },
    true,
  );
});

// Keys on the Compare page: a column of passages is one stop of the Tab key, a link leads past the
// row of the query, and after a key that has the page drawn anew the focus is back where it was.

import { roving } from "../common/arrow_keys.js";
import { isTyping } from "../common/keys.js";
import { once } from "../page/once.js";
import {
  isIdle,
  KEYED,
  keyClass,
  onPageChange,
  VISIBLE_BUTTON,
  withKeyPrefix,
} from "../page/streamlit_dom.js";

const COLUMNS = `${withKeyPrefix("compare_hit_")}[class*='_column']`;
const REDRAWING = ["d", "n", "[", "]"];
const REDRAWN_WITHIN = 8000; // ms
const STOPS = "button, input, a[href], [tabindex='0']";

/** @typedef {{ key: string, at: number }} Place a widget by its key, and an element in it */

/** The place of what has the focus; null in a component or outside of widgets. @param {Element | null} had @returns {Place | null} */
function placeOf(had) {
  const box = had?.closest(KEYED);
  const key = keyClass(box);
  const at = box ? [...box.querySelectorAll(STOPS)].findIndex((one) => one === had) : -1;
  return key && at >= 0 ? { key, at } : null;
}

/** @param {Place} place */
function elementAt({ key, at }) {
  const found = document.querySelector(`.${CSS.escape(key)}`)?.querySelectorAll(STOPS)[at];
  return found instanceof HTMLElement && found.checkVisibility() ? found : null;
}

const isLost = () => !document.activeElement || document.activeElement === document.body;
/** Give the focus to what is drawn: it says itself where (presenting.js). */
const goHome = () => globalThis.__hopHome?.();

/** Call a function once in a frame, however often it is wanted. @param {() => void} act */
function soon(act) {
  let due = 0;
  return () => {
    due ||= requestAnimationFrame(() => {
      due = 0;
      act();
    });
  };
}

function joinColumns() {
  /** @type {WeakMap<Element, () => void>} */
  const joined = new WeakMap();
  const join = () => {
    for (const column of document.querySelectorAll(COLUMNS)) {
      const settle = joined.get(column);
      if (settle) settle();
      else joined.set(column, roving(/** @type {HTMLElement} */ (column), VISIBLE_BUTTON));
    }
  };
  new MutationObserver(soon(join)).observe(document.body, { childList: true, subtree: true });
  join();
}

function keepFocus() {
  /** @type {(Place | null)[]} the last place, and the last one in a widget */
  let places = [null, null];
  let until = 0;
  const back = soon(() => {
    if (performance.now() > until || !isLost()) return;
    const [found] = places.map((place) => place && elementAt(place)).filter((one) => one !== null);
    if (found) found.focus({ preventScroll: true });
    else if (isIdle()) goHome();
  });
  const wanted = () => until && back();
  addEventListener(
    "keydown",
    (event) => {
      until = 0;
      if (!REDRAWING.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event, document.body)) return;
      const now = placeOf(document.activeElement);
      places = [now, now ?? places[1]];
      until = performance.now() + REDRAWN_WITHIN;
    },
    true,
  );
  addEventListener("pointerdown", () => (until = 0), true);
  addEventListener("hop-arrived", wanted);
  onPageChange(wanted);
}

function leadPastTheRow() {
  addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest(".hop-skip"))) return;
    event.preventDefault();
    const card = /** @type {HTMLElement | null} */ (
      document.querySelector(`${COLUMNS} ${VISIBLE_BUTTON}[tabindex='0']`)
    );
    if (card) card.focus();
    else goHome();
  });
}

export default once("compare_page_keys", () => {
  joinColumns();
  keepFocus();
  leadPastTheRow();
});

// A popover opened with the keyboard takes the focus, and Tab stays in it until Esc closes it.
// Streamlit puts it at the end of the page, where Tab would reach it last of all.

import { once } from "./once.js";
import { POPOVER_BODY, POPOVER_BUTTON } from "./streamlit_dom.js";

const STOPS = ":is(input, textarea, button, a[href], [tabindex]):not(:disabled, [tabindex='-1'])";
const LATE = 2000; // milliseconds to wait for the popover

/** @param {Element} body @returns {HTMLElement[]} */
const stopsOf = (body) =>
  /** @type {HTMLElement[]} */ ([...body.querySelectorAll(STOPS)]).filter((one) => one.checkVisibility());

/** Focus what a button opened, as soon as it is there. @param {Element} button */
function enter(button, until = performance.now() + LATE) {
  const [first] = [...document.querySelectorAll(POPOVER_BODY)].flatMap(stopsOf);
  if (document.activeElement !== button || performance.now() > until) return;
  if (first) first.focus();
  else requestAnimationFrame(() => enter(button, until));
}

/** Whether two elements are one stop, as radio buttons of a group are. @param {EventTarget | null} one @param {Element | undefined} other */
const isSameStop = (one, other) =>
  one === other ||
  (one instanceof HTMLInputElement &&
    one.type === "radio" &&
    one.name === /** @type {HTMLInputElement | undefined} */ (other)?.name);

/** Have Tab lead from one end of a popover to its other end. @param {Element} body @param {KeyboardEvent} event */
function stay(body, event) {
  const stops = stopsOf(body);
  const [end, other] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (!isSameStop(event.target, end)) return;
  event.preventDefault();
  other?.focus();
}

export default once("popover_focus", () => {
  addEventListener(
    "keydown",
    (event) => {
      const { key, target } = event;
      if (!(target instanceof Element)) return;
      const button = target.closest(POPOVER_BUTTON);
      const body = target.closest(POPOVER_BODY);
      if (button?.ariaExpanded === "false" && ["Enter", " "].includes(key))
        requestAnimationFrame(() => enter(button));
      else if (body && key === "Tab") stay(body, event);
    },
    true,
  );
});

// What a key opens at a button takes the focus, and Tab stays in it until Esc closes it: Streamlit puts it at the end
// of the page, where a Tab would come last of all.

const BUTTON = "[data-testid='stPopoverButton']", BODY = "[data-testid='stPopoverBody']";
const STOPS = ":is(input, textarea, button, a[href], [tabindex]):not(:disabled, [tabindex='-1'])";
const LATE = 2000; // ms after which what was to be opened is waited for no longer

const stops = (body) => [...body.querySelectorAll(STOPS)].filter((one) => one.checkVisibility());

function enter(button, until = performance.now() + LATE) {
  const [first] = [...document.querySelectorAll(BODY)].flatMap(stops);
  if (document.activeElement !== button || performance.now() > until) return;
  if (first) first.focus();
  else requestAnimationFrame(() => enter(button, until));
}

// A Tab at one end of `body` leads to its other end. Of radio buttons one is a stop.
function stay(body, event) {
  const all = stops(body), [end, other] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
  const same = event.target.type === "radio" && event.target.name === end?.name;
  if (event.target !== end && !same) return;
  event.preventDefault();
  other.focus();
}

export default function () {
  if (globalThis.__hopOpened) return;
  globalThis.__hopOpened = true;
  addEventListener("keydown", (event) => {
    const { key, target } = event, button = target.closest?.(BUTTON), body = target.closest?.(BODY);
    if (button?.ariaExpanded === "false" && ["Enter", " "].includes(key)) requestAnimationFrame(() => enter(button));
    else if (body && key === "Tab") stay(body, event);
  }, true);
}

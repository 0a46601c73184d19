// Where the keys are: after one that has the page drawn anew they go back to where they were, or to what stands there
// now; and a link leads past the question's row.

const TURNS = ["d", "n", "[", "]"];
const DRAWN_ANEW = 8000;                    // ms in which what a key asked for is waited for
const KEYED = "st-key-";
const STOPS = "button, input, a[href], [tabindex='0']";

// The widget that has the keys, by its key and its place there; nothing of what lies in a component, or has none.
function widgetOf(had) {
  const box = had?.closest?.(`[class*='${KEYED}']`), key = [...(box?.classList ?? [])].find((name) => name.startsWith(KEYED));
  const at = box ? [...box.querySelectorAll(STOPS)].indexOf(had) : -1;
  return key && at >= 0 ? { key, at } : null;
}

function found({ key, at }) {
  const stop = document.querySelector(`.${CSS.escape(key)}`)?.querySelectorAll(STOPS)[at];
  return stop?.checkVisibility() ? stop : null;
}

const lost = () => !document.activeElement || document.activeElement === document.body;
const goHome = () => globalThis.__hopHome?.();

function keepKeys() {
  let had = null, before = null, until = 0, due = 0;
  const back = () => {
    due = 0;
    if (performance.now() > until || !lost()) return;
    const [stop] = [had, before].filter(Boolean).map(found).filter(Boolean);
    if (stop) stop.focus({ preventScroll: true });
    else if (document.querySelector("[data-test-script-state='notRunning']")) goHome();
  };
  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey } = event, [target] = event.composedPath();
    until = 0;
    if (!TURNS.includes(key) || ctrlKey || metaKey || altKey || target.matches?.(ASIDE)) return;
    const now = widgetOf(document.activeElement);
    if (now) before = now;
    [had, until] = [now, performance.now() + DRAWN_ANEW];
  }, true);
  addEventListener("pointerdown", () => { until = 0; }, true);
  const soon = () => { if (until) due ||= requestAnimationFrame(back); };
  addEventListener("hop-arrived", soon);
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-test-script-state"] });
  addEventListener("click", (event) => {
    if (!event.target.closest?.(".hop-skip")) return;
    event.preventDefault();
    const card = document.querySelector(`${COLUMNS} ${CARDS}[tabindex='0']`);
    if (card) card.focus();
    else goHome();
  });
}

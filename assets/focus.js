// The keyboard stays on the page: where what was pressed, or the dialog it was chosen in, is gone once the page has
// run, the walkthrough or else the page has the focus. Without it, Tab would begin at the menus again.

const LOOK = 150, LATE = 5000; // ms between looks, and after a run in which what was there before it goes

function result() {
  const root = globalThis.__hopWalkthrough?.root;
  const play = root?.isConnected && root.querySelector("button.play");
  if (play) play.focus({ preventScroll: true });
  else globalThis.__hopHome?.();
  if (document.activeElement === document.body) document.querySelector("[data-testid='stMain']")?.focus({ preventScroll: true });
}

export default function () {
  if (globalThis.__hopFocus) return;
  globalThis.__hopFocus = true;
  let awaited = false, timer = 0;
  function follow() {
    clearInterval(timer);
    const until = performance.now() + LATE;
    timer = setInterval(() => {
      if (awaited && document.activeElement === document.body) result();
      else if (awaited && performance.now() < until) return;
      clearInterval(timer);
    }, LOOK);
  }
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { awaited = false; }, true);
  // A press by the keyboard has no count of clicks.
  addEventListener("click", (event) => { if (event.isTrusted && !event.detail) awaited = true; }, true);
  addEventListener("hop-closed", () => { awaited = true; follow(); });
  new MutationObserver(([{ target }]) => {
    if (target.dataset.testScriptState === "notRunning") follow();
  }).observe(document.body, { subtree: true, attributeFilter: ["data-test-script-state"] });
}

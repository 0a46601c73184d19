// What is pressed answers at once: it is busy from the press, and not from when the server says so, until
// the page has done what it says. `style.css` draws that.

const BUTTONS = ":is([data-testid='stButton'], [data-testid='stFormSubmitButton']) button";
const FORM = "[data-testid='stForm']";
const LATE = 4000; // ms after which a press that the server never took up is let go

export default function () {
  if (globalThis.__hopPressed) return;
  globalThis.__hopPressed = true;
  let pressed = null, taken = false, late = 0;
  const letGo = () => { pressed?.removeAttribute("aria-busy"); pressed = null; clearTimeout(late); };
  const press = (button) => {
    letGo();
    if (!button || button.disabled) return;
    [pressed, taken] = [button, false];
    button.setAttribute("aria-busy", "true");
    late = setTimeout(() => taken || letGo(), LATE);
  };
  addEventListener("click", ({ target }) => { if (target.closest?.(BUTTONS)) press(target.closest(BUTTONS)); }, true);
  addEventListener("keydown", ({ key, target }) => {
    if (key === "Enter" && target.tagName === "INPUT") press(target.closest(FORM)?.querySelector(BUTTONS));
  }, true);
  new MutationObserver(([{ target }]) => {
    if (target.dataset.testScriptState !== "notRunning") taken = true;
    else if (taken) letGo();
  }).observe(document.body, { subtree: true, attributeFilter: ["data-test-script-state"] });
}

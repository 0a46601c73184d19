// What is typed is sent when its field loses the focus, and on a busy machine some time later. A press of the menu that
// reached the server before it would be in vain: what comes later is of the page that was left, and the window would
// show neither that nor the new one. So the menu waits until the server has begun to run the page with it.

const MENU = "[data-testid='stSidebarNav'] a", FORM = "[data-testid='stForm']";
const FIELDS = ["TextInput input", "TextArea textarea", "NumberInput input"].map((one) => `.st${one}`).join();
const GAP = 60; // milliseconds after that, and a frame: a text that was saved just before may have started that run
const LATE = 2000; // milliseconds after which a text is waited for no longer: the server is away, or has run already

const isSent = (field) => field.matches?.(FIELDS) && !field.closest(FORM);
const sends = ({ key, target, ctrlKey, metaKey }) =>
  key === "Enter" && (target.tagName === "INPUT" || ctrlKey || metaKey);

export default function () {
  if (globalThis.__hopLeaving) return;
  globalThis.__hopLeaving = true;
  let typed = false, since = -Infinity; // what was not handed over, and when the last text was that is on its way
  let link = null, late = 0; // the entry of the menu that was pressed last
  const handOver = () => { if (typed) [typed, since] = [false, performance.now()]; };
  const leave = () => {
    clearTimeout(late);
    const pressed = link;
    link = null;
    pressed?.click();
  };
  addEventListener("input", ({ target }) => { if (isSent(target)) typed = true; }, true);
  addEventListener("focusout", handOver, true);
  addEventListener("keydown", (event) => { if (sends(event)) handOver(); }, true);
  addEventListener("click", (event) => {
    const entry = event.target.closest?.(MENU);
    if (!entry || !event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (isSent(document.activeElement)) document.activeElement.blur();
    const wait = since + LATE - performance.now();
    if (wait <= 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    link = entry;
    clearTimeout(late);
    late = setTimeout(leave, wait);
  }, true);
  new MutationObserver((changes) => {
    if (!changes.some(({ target }) => target.dataset.testScriptState === "running")) return;
    since = -Infinity;
    if (link) setTimeout(() => requestAnimationFrame(() => setTimeout(leave)), GAP);
  }).observe(document.body, { subtree: true, attributeFilter: ["data-test-script-state"] });
}

// What a field holds is handed over a moment after it loses the focus. A press of the menu that reached the server before
// it would be in vain: what comes later is of the page that was left, and the window would show neither that nor the new
// one. So the menu waits for the field.

const MENU = "[data-testid='stSidebarNav'] a", FIELDS = "input, textarea, [contenteditable]";
const HANDED = 60; // milliseconds, and a frame: Streamlit hands over what it has drawn

export default function () {
  if (globalThis.__hopLeaving) return;
  globalThis.__hopLeaving = true;
  let left = -Infinity; // when a field lost the focus
  addEventListener("focusout", ({ target }) => { if (target.matches?.(FIELDS)) left = performance.now(); }, true);
  addEventListener("click", (event) => {
    const link = event.target.closest?.(MENU);
    if (!link || !event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (document.activeElement?.matches(FIELDS)) document.activeElement.blur();
    if (performance.now() - left > HANDED) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    setTimeout(() => requestAnimationFrame(() => setTimeout(() => link.click())), HANDED);
  }, true);
}

// A note is handed over while it is typed: as Ctrl+Enter does it, which keeps the focus and what is typed on.

const NOTE = "[class*='st-key-errors_note_'] textarea";
const REST = 1000; // milliseconds after the last key

export default function () {
  let note = null, later = 0;
  const save = () => {
    clearTimeout(later);
    note?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
    note = null;
  };
  const typed = ({ target, isComposing }) => {
    clearTimeout(later);
    if (!target.matches(NOTE)) return;
    note = target;
    if (!isComposing) later = setTimeout(save, REST);
  };
  const leaves = () => { if (document.hidden) save(); };
  const told = [[document, "input", typed], [document, "compositionend", typed], [document, "visibilitychange", leaves], [window, "beforeunload", save]];
  for (const [where, what, act] of told) where.addEventListener(what, act, true);
  return () => {
    save();
    for (const [where, what, act] of told) where.removeEventListener(what, act, true);
  };
}

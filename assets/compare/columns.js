// A column of passages is one stop of the Tab key, also after the page made its cards anew.

const COLUMNS = "[class*='st-key-compare_hit_'][class*='_column']";
// Streamlit makes the button of a card with a hint twice, of which the second is not shown (style.css).
const CARDS = "button:not([data-testid='stButton'] > div + div button)";

export default function () {
  if (globalThis.__hopColumns) return;
  globalThis.__hopColumns = true;
  const settled = new WeakMap();
  let due = 0;
  const settle = () => {
    due = 0;
    for (const column of document.querySelectorAll(COLUMNS)) {
      if (settled.has(column)) settled.get(column)();
      else settled.set(column, walked(column, CARDS));
    }
  };
  new MutationObserver(() => { due ||= requestAnimationFrame(settle); }).observe(document.body, { childList: true, subtree: true });
  settle();
  keepKeys();
}

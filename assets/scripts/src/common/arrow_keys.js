// Lists as one stop of the Tab key: arrows go from item to item, and Tab comes back to the last one.

/**
 * Make the items of a list reachable with the arrow keys.
 *
 * @param {HTMLElement} list
 * @param {string} selector of its items
 * @returns {() => void} call it after items came or went
 */
export function roving(list, selector) {
  const items = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll(selector)]);
  const stopAt = (/** @type {Element | undefined} */ item) => {
    for (const one of items()) one.tabIndex = one === item ? 0 : -1;
  };
  const settle = () => {
    const all = items();
    stopAt(all.find((item) => item.tabIndex === 0 && item.getAttribute("tabindex")) ?? all[0]);
  };
  list.addEventListener("focusin", ({ target }) => {
    const item = items().find((one) => one === target);
    if (item) stopAt(item);
  });
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = items();
    const at = all.findIndex((one) => one === event.target);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (at < 0 || (!by && event.key !== "Enter")) return;
    if (by) all[at + by]?.focus();
    else all[at].click();
    event.preventDefault();
  });
  settle();
  return settle;
}

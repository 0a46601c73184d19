// Elements from data. Text goes in as text only: nothing here writes markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Props */

/**
 * Create an HTML element.
 *
 * @param {string} name tag and classes, as "p.headline.long"
 * @param {Props} [props] attributes; `on…` are listeners, `--…` custom properties, `key` names the
 *   element for motion, and a value that is null or false is left out
 * @param {Child[]} children
 * @returns {HTMLElement}
 */
export function el(name, props = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.filter(Boolean).join(" ");
  assign(made, props);
  made.append(...present(children));
  return made;
}

/**
 * Create an SVG element; see `el`.
 *
 * @param {string} tag
 * @param {Props} [props]
 * @param {Child[]} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(made, props);
  made.append(...present(children));
  return made;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
const present = (children) =>
  children
    .filter((one) => one !== null && one !== undefined && one !== false)
    .map((one) => (one instanceof Node ? one : String(one)));

/** @param {HTMLElement | SVGElement} made @param {Props} props */
function assign(made, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (name === "key") made.dataset.key = String(value);
    else if (name.startsWith("--")) made.style.setProperty(name, String(value));
    else made.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Have the browser save a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/**
 * A button with words.
 *
 * @param {string} label
 * @param {string} title
 * @param {() => void} onclick
 * @param {Props} [props]
 */
export const button = (label, title, onclick, props = {}) =>
  el("button", { type: "button", title, onclick, ...props }, label);

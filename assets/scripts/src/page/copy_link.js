// Copies the address that the browser shows. Where a page is not served over HTTPS or from this
// machine, browsers have no clipboard, and a selected text is copied with the older command.

/** @import { ComponentArguments } from "../types/streamlit" */

const SHOWN_FOR = 2000; // milliseconds

/** @type {WeakMap<HTMLElement, number>} */
const timers = new WeakMap();

/** @param {string} text @returns {Promise<boolean>} whether it was copied */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.cssText = "position:fixed;opacity:0";
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}

/** @param {ComponentArguments} component */
export default function mount({ parentElement }) {
  const button = /** @type {HTMLButtonElement} */ (parentElement.querySelector("button"));
  button.setAttribute("aria-live", "polite");
  button.onclick = async () => {
    const isCopied = await copy(window.location.href);
    button.textContent = isCopied ? "Copied" : "Copy failed: use the address bar";
    clearTimeout(timers.get(button));
    timers.set(
      button,
      setTimeout(() => (button.textContent = "Copy link"), SHOWN_FOR),
    );
    button.focus();
  };
}

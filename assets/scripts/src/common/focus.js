// Where the keyboard is in a picture that is drawn anew.

/** A selector of the part that has the focus; empty if none has. @param {HTMLElement} picture */
export function focusedIn(picture) {
  const had = /** @type {ShadowRoot | Document} */ (picture.getRootNode()).activeElement;
  const named = had?.closest("[data-key], button");
  if (!(named instanceof HTMLElement) || !picture.contains(named)) return "";
  if (named.dataset.key) return `[data-key="${CSS.escape(named.dataset.key)}"]`;
  if (named.closest(".fixes")) return ".fixes button";
  return named.className ? `button.${named.className}` : "button.play";
}

/** Focus that part again, or if it is gone the button that plays. @param {HTMLElement} picture @param {string} selector */
export function focusAgain(picture, selector) {
  if (!selector) return;
  const again = picture.querySelector(selector) ?? picture.querySelector("button.play");
  /** @type {HTMLElement | null} */ (again)?.focus({ preventScroll: true });
}

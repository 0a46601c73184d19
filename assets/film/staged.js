// What is shown to an audience: `p` or a button puts it in front of everything else, in large letters, and `p` or
// Esc leaves. The address has `present=1` meanwhile. What extends this draws itself anew in `staged()` and has a
// `home`, which gets the keys where nothing had them before.

// Buttons of the page that keys press, of the switch by their places.
const VIEWS = ".st-key-view_switch button", COLUMNS = 1, DIFFERENCE = 2;

class Staged {
  constructor(root) {
    Object.assign(this, { root, presenting: false });
    this.keys = new Keys(() => this.heard);
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    root.addEventListener("keydown", (event) => stayInside(root, event));
    root.addEventListener("cancel", (event) => { event.preventDefault(); if (!this.keys.close()) this.present(false); });
  }

  destroy() { document.removeEventListener("keydown", this.onKey); }

  key(event) {
    const aside = event.composedPath().some((of) => of instanceof Element && of !== this.root && of.matches(ASIDE));
    const action = this.actions[event.key];
    if (!action || (aside && !this.presenting) || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (action() !== false) event.preventDefault();
  }

  get actions() { return { p: () => this.present(!this.presenting), "?": () => this.keys.toggle(), Escape: () => this.keys.close() }; }

  // Press the button of the page that is this one of `buttons`.
  press(buttons, at = 0) {
    const button = document.querySelectorAll(buttons)[at];
    button?.click();
    return Boolean(button);
  }

  get heard() { return [
    ["Question", [["[ ]", "Turn to the previous or next question."]]],
    ["View", [["p", "Show it alone, in large letters: presenter mode."], ["?", "Show these keys."], ["Esc", "Close what is open, or leave presenter mode."]]],
  ]; }

  present(on) {
    this.presenting = on;
    keepPlace({ present: on ? "1" : null });
    setInFront(this.root, on, () => this.home);
    this.staged();
  }

  // Where the keys go whenever what had them is gone.
  get place() { return this.presenting ? this.root : this.home; }

  // After what is shown was changed by the page, which writes the address without what only the browser knows.
  arrived() {
    globalThis.__hopHome = () => this.place.focus({ preventScroll: true });
    const wanted = placeOf(location.search).present;
    if (this.presenting) keepPlace({ present: "1" });
    else if (wanted) this.present(true);
    dispatchEvent(new Event("hop-arrived"));  // what changes within a component is seen by nobody else
  }
}

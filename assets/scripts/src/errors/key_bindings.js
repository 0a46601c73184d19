// What the keys of the Errors page do, and which of them wait for the next result.

/** Keys that press a button of the page, by the key of its container. @type {Record<string, string>} */
export const BUTTONS = {
  j: "errors_next",
  k: "errors_before",
  y: "errors_pass",
  x: "errors_fail",
  d: "errors_defer",
  g: "errors_unjudged",
  ".": "errors_again",
  u: "errors_undo",
  U: "errors_redo",
};
const TURNING = "jkg.";
const LONGEST_WAIT = 20_000; // milliseconds
const SETTLED = 1500; // milliseconds after which any result that is shown is the next one

/** Whether a key adds or removes a label. @param {string} key */
export const isLabel = (key) => /^[0-9]$/.test(key);

/** The place of the label with a key: 1 to 9, then 0. @param {string} key */
export const labelPlace = (key) => (Number(key) + 9) % 10;

/** Whether a key changes a review, which is saved under the name of its reviewer. @param {string} key */
export const isSaved = (key) => /^[vyxdnguU.0-9]$/.test(key);

/** Whether a key belongs to the page even while the server is away. @param {string} key */
export const isOfPage = (key) => key in BUTTONS || key === "n" || isLabel(key);

/** Whether a key may lead to another result. @param {string} key */
export const turns = (key) => TURNING.includes(key);

/**
 * Keys typed between leaving a result and the arrival of the next one, which they are meant for.
 */
export class KeyQueue {
  /** @param {{ result: () => string | undefined, isRunning: () => boolean, now: () => number }} page */
  constructor(page) {
    this.page = page;
    /** @type {string[]} */
    this.keys = [];
    /** @type {{ of: string | undefined, at: number } | null} the result that was left, and when */
    this.left = null;
  }

  /** Wait for another result. */
  leave() {
    this.left = { of: this.page.result(), at: this.page.now() };
  }

  /** Whether the next result is shown, or none is waited for. */
  hasArrived() {
    if (!this.left) return true;
    const waited = this.page.now() - this.left.at;
    if (waited > LONGEST_WAIT) {
      this.left = null;
      this.keys.length = 0;
    } else if ((waited > SETTLED || this.page.result() !== this.left.of) && !this.page.isRunning())
      this.left = null;
    return !this.left;
  }

  /**
   * Have a key wait. One typed after the key of the note is text for the note, which is not there
   * yet, and no verdict.
   *
   * @param {string} key
   * @param {(key: string) => boolean} isHeard whether the page does anything with it
   * @returns {boolean} whether it belongs to the page
   */
  add(key, isHeard) {
    if (this.keys.includes("n")) return true;
    if (key !== "n" && !isLabel(key) && !isHeard(key)) return false;
    this.keys.push(key);
    return true;
  }

  /** Do what the waiting keys mean, as far as their result is shown. @param {(key: string) => void} act */
  run(act) {
    while (this.keys.length && this.hasArrived()) act(/** @type {string} */ (this.keys.shift()));
  }
}

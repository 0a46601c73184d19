// Drafts of notes, which the browser stores until the server has saved them. A draft belongs to a
// result and to the window in which it was typed.

/** Milliseconds after which a draft of another window counts as left behind. */
export const ABANDONED_AFTER = 10_000;
const PREFIX = "hop-note";

/**
 * A text typed over the note `over`. The server may have been sent some of its earlier states.
 *
 * @typedef {{ text: string, over: string | null, sent: string[], at: number }} Draft
 */
/** @typedef {{ key: string, about: string, own: boolean, draft: Draft }} StoredDraft */

/**
 * Call a function that uses the browser's storage; null if that is turned off or has other content.
 *
 * @template Value
 * @param {() => Value} act
 */
export function ifStored(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

export class Drafts {
  /**
   * @param {() => Storage} storage throws if the browser has none
   * @param {string} tab the window; the same one after a reload
   * @param {() => number} now
   */
  constructor(storage, tab, now = Date.now) {
    this.storage = storage;
    this.tab = tab;
    this.now = now;
  }

  /** @param {string} about */
  keyOf(about) {
    return `${PREFIX} ${about} ${this.tab}`;
  }

  /** The draft of this window. @param {string} about @returns {Draft | null} */
  read(about) {
    return this.readKey(this.keyOf(about));
  }

  /** @param {string} key @returns {Draft | null} */
  readKey(key) {
    return ifStored(() => JSON.parse(this.storage().getItem(key) ?? "null"));
  }

  /** @param {string} about @param {Draft} draft */
  keep(about, draft) {
    ifStored(() => this.storage().setItem(this.keyOf(about), JSON.stringify(draft)));
  }

  /** @param {string} about */
  drop(about) {
    this.dropKey(this.keyOf(about));
  }

  /** @param {string} key */
  dropKey(key) {
    ifStored(() => this.storage().removeItem(key));
  }

  /**
   * All drafts of the same index and reviewer, of this window and of others.
   *
   * @param {string} about
   * @returns {StoredDraft[]}
   */
  all(about) {
    const [index, , , , reviewer] = JSON.parse(about);
    const keys = ifStored(() => Object.keys(this.storage())) ?? [];
    return keys
      .filter((key) => key.startsWith(`${PREFIX} `))
      .flatMap((key) => {
        const draft = this.readKey(key);
        const end = key.lastIndexOf(" ");
        const of = key.slice(PREFIX.length + 1, end);
        const subject = ifStored(() => JSON.parse(of));
        if (!draft || !subject || subject[0] !== index || subject[4] !== reviewer) return [];
        return [{ key, about: of, own: key.slice(end + 1) === this.tab, draft }];
      });
  }

  /** Whether the window of a draft has stopped typing it. @param {StoredDraft} stored */
  isAbandoned({ draft }) {
    return this.now() - draft.at >= ABANDONED_AFTER;
  }

  /**
   * The draft of this window, or else one that another window left behind, which is this one's from
   * now on.
   *
   * @param {string} about
   * @param {StoredDraft[]} drafts
   */
  takeOver(about, drafts) {
    const own = this.read(about);
    if (own) return own;
    const left = drafts.find((one) => one.about === about && this.isAbandoned(one));
    if (!left) return null;
    this.dropKey(left.key);
    this.keep(about, left.draft);
    return left.draft;
  }

  /**
   * Milliseconds until a draft of another window counts as left behind; null if none is waited for.
   *
   * @param {StoredDraft[]} drafts
   */
  nextLook(drafts) {
    const young = drafts.filter((one) => !one.own && !this.isAbandoned(one)).map(({ draft }) => draft.at);
    return young.length ? Math.min(...young) + ABANDONED_AFTER - this.now() + 100 : null;
  }
}

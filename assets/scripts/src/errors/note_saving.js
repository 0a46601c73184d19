// How a note is saved: which drafts the server is sent, when a text is sent again, and what the line
// below the field says. The element and its events are in note.js.

/** @import { Draft, Drafts, StoredDraft } from "./drafts.js" */

/** Milliseconds in which a text that was handed over is saved, or has not reached the server. */
const LATE = 4000;
export const SAVING = "Saving…";
export const AWAY = "Kept in this browser; not yet saved on the server";

/**
 * What Python says of the note that is shown: the key of its field, what it is about, the note it is
 * written over, and the texts that were saved, given up or refused. `settled` has the texts saved
 * last of other results. `session` changes with the server's memory.
 *
 * @typedef {object} NoteData
 * @property {string} field
 * @property {string} about
 * @property {string | null} over
 * @property {string} kept
 * @property {string | null} dropped
 * @property {string | null} refused
 * @property {Record<string, string>} settled
 * @property {string} session
 */
/** @typedef {Partial<Draft> & { about: string, text: string }} OfferedDraft */

/**
 * The page at one moment: the text of the field, or null without a field; whether it is being typed.
 *
 * @typedef {{ text: string | null, typing: boolean, connected: boolean, running: boolean }} PageState
 */

export class NoteSaving {
  /**
   * @param {Drafts} drafts
   * @param {() => number} now milliseconds that only grow
   * @param {() => Date} date
   */
  constructor(drafts, now = () => performance.now(), date = () => new Date()) {
    this.drafts = drafts;
    this.now = now;
    this.date = date;
    /** @type {NoteData | null} */
    this.data = null;
    /** @type {string | null} what the note shown last is about; null behind another page */
    this.shown = null;
    /** @type {string | null} */
    this.session = null;
    /** @type {Set<string>} what was typed in this window is about */
    this.typedHere = new Set();
    /** @type {Set<string>} results whose draft was looked for */
    this.offered = new Set();
    /** @type {Set<string>} drafts of other results that were sent, by key and text */
    this.handed = new Set();
    /** @type {{ about: string, text: string } | null} the text typed last, until the server has it */
    this.pending = null;
    /** @type {{ text: string, at: Date } | null} the text saved last while its result was shown */
    this.saved = null;
    /** @type {string | null} a text that was not saved when it was handed over */
    this.missed = null;
    this.sentAt = Infinity;
    this.wasAway = false;
  }

  /**
   * Take up what Python says.
   *
   * @param {NoteData} data
   * @returns {{ offers: OfferedDraft[], lookAfter: number | null }} drafts for the server, and when
   *   to look for those of other windows again
   */
  update(data) {
    if (this.shown !== data.about) this.saved = null;
    this.data = data;
    return this.follow(data);
  }

  /** @param {NoteData} data @returns {{ offers: OfferedDraft[], lookAfter: number | null }} */
  follow(data) {
    const { about, kept, dropped, settled } = data;
    const drafts = this.drafts.all(about);
    const draft = this.drafts.read(about);
    const returns = this.shown !== about || this.session !== data.session;
    const isSettled = (/** @type {StoredDraft} */ one) => settled[one.about] === one.draft.text;
    for (const one of drafts) if (isSettled(one) && one.about !== about) this.drafts.dropKey(one.key);
    this.shown = about;
    this.session = data.session;
    const offers = this.ofOtherResults(
      about,
      drafts.filter((one) => !isSettled(one)),
    );
    if (this.isPending(about, kept) || this.isPending(about, dropped)) this.pending = null;
    if (draft && [kept, dropped].includes(draft.text)) this.drafts.drop(about);
    else if (this.typedHere.has(about) && !returns) {
      if (draft) this.drafts.keep(about, { ...draft, over: data.over });
    } else if (returns || !this.offered.has(about)) {
      this.offered.add(about);
      const left = this.drafts.takeOver(about, drafts);
      if (left) offers.push({ about, ...left });
    }
    return { offers, lookAfter: this.drafts.nextLook(drafts) };
  }

  /** Look again for drafts that other windows left behind. @param {NoteData} data */
  lookAgain(data) {
    if (!this.typedHere.has(data.about)) this.offered.delete(data.about);
    return this.follow(data);
  }

  /**
   * Drafts left of other results, each of which is sent once.
   *
   * @param {string} about
   * @param {StoredDraft[]} drafts
   * @returns {OfferedDraft[]}
   */
  ofOtherResults(about, drafts) {
    const id = (/** @type {StoredDraft} */ { key, draft }) => key + draft.text;
    const left = drafts.filter((one) => one.about !== about && (one.own || this.drafts.isAbandoned(one)));
    const fresh = left.filter((one) => !this.handed.has(id(one)));
    for (const one of fresh) this.handed.add(id(one));
    return fresh.map((one) => ({ about: one.about, ...one.draft }));
  }

  /** @param {string} about @param {string | null | undefined} text */
  isPending(about, text) {
    return this.pending?.about === about && this.pending.text === text;
  }

  /** Keep what was typed as a draft. @param {string} text */
  typed(text) {
    if (!this.data) return;
    const { about, kept, over } = this.data;
    this.typedHere.add(about);
    this.pending = { about, text };
    if (text === kept) this.drafts.drop(about);
    else {
      const sent = this.drafts.read(about)?.sent ?? [];
      this.drafts.keep(about, { text, over, sent, at: this.drafts.now() });
    }
  }

  /** Note that a text is handed over. @param {string} text @param {boolean} isShown whether its field is still that of the note shown */
  handOver(text, isShown) {
    const draft = isShown && this.data && this.drafts.read(this.data.about);
    if (draft && this.data)
      this.drafts.keep(this.data.about, { ...draft, sent: [...draft.sent.slice(-2), text] });
    this.sentAt = this.now();
  }

  /**
   * Return the draft to send again, or null. A text handed over while nothing reached the server is
   * lost: Streamlit does not send it again. A field that nobody has typed in shows an older note for
   * a moment after undo and redo; that note is not sent.
   *
   * @param {PageState} page
   * @returns {OfferedDraft | null}
   */
  retry(page) {
    const { data } = this;
    if (!data) return null;
    const { about, kept, refused, over } = data;
    const { text } = page;
    if (!page.connected) this.wasAway = true;
    else if (page.typing || text === null || !this.isPending(about, text) || [kept, refused].includes(text))
      this.wasAway = false;
    else if (!page.running && (this.wasAway || this.isLate(page))) {
      this.wasAway = false;
      this.sentAt = this.now();
      this.missed = text;
      return { about, ...(this.drafts.read(about) ?? { text, over, sent: [] }) };
    }
    return null;
  }

  /** @param {PageState} page */
  isLate({ typing, running }) {
    return !typing && !running && this.now() - this.sentAt > LATE;
  }

  /** What the line below the field says; empty about a text that nobody has touched. @param {PageState} page */
  status(page) {
    const { data } = this;
    const { text } = page;
    if (!data || text === null || !this.typedHere.has(data.about)) return "";
    if (text === data.kept) return this.savedAt(text);
    if (text === data.refused) return "Not saved";
    if (!this.isPending(data.about, text)) return "";
    return !page.connected || this.missed === text || this.isLate(page) ? AWAY : SAVING;
  }

  /** @param {string} text */
  savedAt(text) {
    if (this.saved?.text !== text) this.saved = { text, at: this.date() };
    return `Saved ${this.saved.at.toISOString().slice(11, 16)} UTC`; // as marks of gold have it
  }

  /** Forget which note is shown: the page was left. */
  leave() {
    this.shown = null;
  }
}

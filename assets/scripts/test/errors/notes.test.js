import assert from "node:assert/strict";
import { test } from "node:test";
import { ABANDONED_AFTER, Drafts } from "../../src/errors/drafts.js";
import { AWAY, NoteSaving, SAVING } from "../../src/errors/note_saving.js";

/** A browser's storage, of which each window has its own view. */
const storage = () => {
  const kept = {};
  const methods = {
    getItem: (key) => kept[key] ?? null,
    setItem: (key, value) => void (kept[key] = value),
    removeItem: (key) => void delete kept[key],
  };
  return new Proxy(kept, { get: (_, name) => methods[name] ?? kept[name] });
};

const about = (question, reviewer = "ada") => JSON.stringify(["sample", "run", "bm25", question, reviewer]);
const said = (more = {}) => ({
  field: "errors_note_1",
  about: about("who"),
  over: "",
  kept: "",
  dropped: null,
  refused: null,
  settled: {},
  session: "s",
  ...more,
});
const page = (text, more = {}) => ({ text, typing: false, connected: true, running: false, ...more });

/** A window of a browser, and the time that passes for it. */
function windowOf(kept, tab = "one", time = { now: 0 }) {
  const drafts = new Drafts(
    () => kept,
    tab,
    () => time.now,
  );
  const saving = new NoteSaving(
    drafts,
    () => time.now,
    () => new Date("2026-01-02T03:04:05Z"),
  );
  return { saving, drafts, time };
}

test("a note is unsaved until the server has its text", () => {
  const { saving, drafts } = windowOf(storage());
  saving.update(said());
  assert.equal(saving.status(page("")), "");
  saving.typed("late");
  assert.equal(saving.status(page("late", { typing: true })), SAVING);
  assert.equal(drafts.read(about("who")).text, "late");
  saving.handOver("late", true);
  assert.deepEqual(drafts.read(about("who")).sent, ["late"]);
  saving.update(said({ kept: "late", over: "late" }));
  assert.equal(saving.status(page("late")), "Saved 03:04 UTC");
  assert.equal(drafts.read(about("who")), null);
});

test("a note typed back to the saved text needs no draft", () => {
  const { saving, drafts } = windowOf(storage());
  saving.update(said({ kept: "old" }));
  saving.typed("new");
  saving.typed("old");
  assert.equal(drafts.read(about("who")), null);
});

test("a text that was handed over while the server was away is sent once more", () => {
  const { saving } = windowOf(storage());
  saving.update(said());
  saving.typed("lost");
  saving.handOver("lost", true);
  assert.equal(saving.retry(page("lost", { connected: false })), null);
  assert.equal(saving.status(page("lost", { connected: false })), AWAY);
  assert.equal(saving.retry(page("lost", { running: true })), null);
  assert.equal(saving.retry(page("lost")).text, "lost");
  assert.equal(saving.status(page("lost")), AWAY);
  assert.equal(saving.retry(page("lost")), null);
});

test("a text that the server never took up is sent again after a while, also an empty one", () => {
  const { saving, time } = windowOf(storage());
  saving.update(said({ kept: "old", over: "old" }));
  saving.typed("");
  saving.handOver("", true);
  time.now = 4000;
  assert.equal(saving.retry(page("")), null);
  time.now = 4001;
  assert.equal(saving.retry(page("")).text, "");
});

test("a note that was refused, or that nobody typed, is not sent again", () => {
  const { saving } = windowOf(storage());
  saving.update(said());
  saving.typed("mine");
  saving.retry(page("mine", { connected: false }));
  saving.update(said({ refused: "mine" }));
  assert.equal(saving.retry(page("mine")), null);
  assert.equal(saving.status(page("mine")), "Not saved");
  saving.retry(page("other", { connected: false }));
  assert.equal(saving.retry(page("other")), null);
});

test("a draft is offered to the server by the window that opens its result next", () => {
  const kept = storage();
  const first = windowOf(kept, "one");
  first.saving.update(said());
  first.saving.typed("left behind");
  const other = windowOf(kept, "two");
  const { offers, lookAfter } = other.saving.update(said());
  assert.deepEqual(offers, []); // the first window may still type it
  assert.equal(lookAfter, ABANDONED_AFTER + 100);
  other.time.now = lookAfter;
  const again = other.saving.lookAgain(said());
  assert.deepEqual(
    again.offers.map(({ about, text }) => [about, text]),
    [[about("who"), "left behind"]],
  );
  assert.equal(again.lookAfter, null);
  assert.equal(first.drafts.read(about("who")), null);
});

test("drafts of other results are offered once, unless they are saved", () => {
  const kept = storage();
  const { saving, drafts } = windowOf(kept);
  for (const [question, text] of [
    ["what", "one"],
    ["when", "two"],
  ])
    drafts.keep(about(question), { text, over: "", sent: [], at: 0 });
  drafts.keep(about("where", "bob"), { text: "of another reviewer", over: "", sent: [], at: 0 });
  const settled = { [about("when")]: "two" };
  const { offers } = saving.update(said({ settled }));
  assert.deepEqual(
    offers.map(({ text }) => text),
    ["one"],
  );
  assert.equal(drafts.read(about("when")), null);
  assert.deepEqual(saving.update(said({ settled })).offers, []);
});

test("a window that comes back to a result takes up its own draft", () => {
  const { saving } = windowOf(storage());
  saving.update(said());
  saving.typed("not sent");
  saving.leave();
  const { offers } = saving.update(said());
  assert.equal(offers[0].text, "not sent");
});

test("without storage notes are saved all the same", () => {
  const drafts = new Drafts(() => {
    throw new Error("turned off");
  }, "");
  const saving = new NoteSaving(drafts);
  assert.deepEqual(saving.update(said()), { offers: [], lookAfter: null });
  saving.typed("text");
  assert.equal(saving.status(page("text", { typing: true })), SAVING);
});

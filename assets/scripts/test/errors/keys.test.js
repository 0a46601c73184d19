import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfPage, isSaved, KeyQueue, labelPlace } from "../../src/errors/key_bindings.js";
import { labelOf, marksOf, rangeOf } from "../../src/errors/result_list.js";

/** A queue on a page whose result, run and time a test sets. */
function queueOn(state = { result: "one", running: false, now: 0 }) {
  const queue = new KeyQueue({
    result: () => state.result,
    isRunning: () => state.running,
    now: () => state.now,
  });
  const done = [];
  return { state, queue, done, run: () => queue.run((key) => done.push(key)) };
}
const isHeard = (key) => "jyx".includes(key);

test("labels have the keys 1 to 9 and 0", () => {
  assert.deepEqual([..."1290"].map(labelPlace), [0, 1, 8, 9]);
});

test("the keys of the page are those that save a review and those that turn", () => {
  for (const key of "yxdnguU.0123") assert.ok(isSaved(key) && isOfPage(key), key);
  for (const key of "jk") assert.ok(!isSaved(key) && isOfPage(key), key);
  for (const key of ["z", "Enter", "Tab", " "]) assert.ok(!isSaved(key) && !isOfPage(key), key);
});

test("keys wait for the next result", () => {
  const { state, queue, done, run } = queueOn();
  queue.leave();
  assert.ok(queue.add("y", isHeard));
  assert.ok(queue.add("3", isHeard));
  assert.ok(!queue.add("z", isHeard));
  run();
  assert.deepEqual(done, []);
  Object.assign(state, { result: "two", running: true });
  run();
  assert.deepEqual(done, []);
  state.running = false;
  run();
  assert.deepEqual(done, ["y", "3"]);
});

test("what is typed after the key of the note is no verdict", () => {
  const { state, queue, done, run } = queueOn();
  queue.leave();
  for (const key of "nyx") assert.ok(queue.add(key, isHeard));
  state.result = "two";
  run();
  assert.deepEqual(done, ["n"]);
});

test("a key that turns again leaves the keys behind it waiting", () => {
  const { state, queue } = queueOn();
  const done = [];
  queue.leave();
  for (const key of "jy") queue.add(key, isHeard);
  state.result = "two";
  queue.run((key) => {
    done.push(key);
    if (key === "j") queue.leave();
  });
  assert.deepEqual(done, ["j"]);
});

test("a turn that leads to the same result is over after a while", () => {
  const { state, queue } = queueOn();
  queue.leave();
  state.now = 1500;
  assert.ok(!queue.hasArrived());
  state.now = 1501;
  assert.ok(queue.hasArrived());
});

test("keys are forgotten where no result comes", () => {
  const { state, queue, done, run } = queueOn();
  queue.leave();
  queue.add("y", isHeard);
  Object.assign(state, { running: true, now: 20_001 });
  assert.ok(queue.hasArrived());
  run();
  assert.deepEqual(done, []);
});

test("a note in conflict is shown before one that is saved", () => {
  assert.equal(marksOf({ mark: "✓", note: "late", conflict: "" }), "✓ ✎");
  assert.equal(marksOf({ mark: "", note: "late", conflict: "" }), "✎ note");
  assert.equal(marksOf({ mark: "", note: "late", conflict: "yes" }), "⚠ note in conflict");
  assert.equal(marksOf({ mark: "", note: "", conflict: "" }), "");
});

test("a result is read out with what is known of it", () => {
  const result = { at: 2, text: "Who?", said: "2 lost", share: "", mark: "✓", note: "late", noted: "" };
  assert.equal(labelOf({ ...result, conflict: "" }), "2: Who?, 2 lost, ✓, note: late");
});

test("the list says which results are in view", () => {
  assert.equal(rangeOf([{ at: 999 }, { at: 1000 }], 1234), "999 to 1,000 of 1,234");
  assert.equal(rangeOf([], 0), "");
});

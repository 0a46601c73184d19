import assert from "node:assert/strict";
import { test } from "node:test";
import { EntryRule } from "../../src/page/history_entries.js";
import { once } from "../../src/page/once.js";
import { PendingInput } from "../../src/page/pending_input.js";
import { placeAfter, placeWithin } from "../../src/search/search_dialog.js";

test("a page that opens adds no entry to the history", () => {
  const rule = new EntryRule();
  assert.ok(!rule.isNew(false));
  assert.ok(!rule.isNew(false));
});

test("what a person does is one entry, however often the address changes", () => {
  const rule = new EntryRule();
  rule.acted();
  assert.ok(rule.isNew(false));
  assert.ok(!rule.isNew(false));
  rule.acted();
  assert.ok(rule.isNew(false));
});

test("a page that is left is one entry, also if its address changes first", () => {
  const rule = new EntryRule();
  rule.acted();
  assert.ok(rule.isNew(true));
  assert.ok(!rule.isNew(false));
  rule.acted();
  assert.ok(rule.isNew(false));
  assert.ok(!rule.isNew(true));
});

test("going back adds no entry", () => {
  const rule = new EntryRule();
  rule.acted();
  rule.travelled();
  assert.ok(!rule.isNew(false));
});

test("a page script starts once", () => {
  let started = 0;
  const mount = once("of a test", () => (started += 1));
  mount();
  mount();
  once("of a test", () => (started += 1))();
  assert.equal(started, 1);
  delete globalThis.__hopScripts;
});

test("the menu waits for a text that is on its way, and not for long", () => {
  const time = { now: 100 };
  const input = new PendingInput(() => time.now);
  assert.ok(input.wait <= 0);
  input.typed();
  assert.ok(input.wait <= 0); // its field still has the focus
  input.handOver();
  assert.equal(input.wait, 2000);
  time.now += 500;
  input.handOver();
  assert.equal(input.wait, 1500);
  input.arrived();
  assert.ok(input.wait <= 0);
});

test("arrows go round the results, and a place stays among them", () => {
  assert.deepEqual([placeAfter(0, -1, 3), placeAfter(2, 1, 3), placeAfter(0, 1, 3)], [2, 0, 1]);
  assert.deepEqual([placeWithin(-1, 3), placeWithin(5, 3), placeWithin(0, 0)], [0, 2, 0]);
});

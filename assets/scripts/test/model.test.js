import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOfPlace, changed, isGraph, placeOfAddress } from "../src/walkthrough/address.js";
import {
  fittedRanking,
  moved,
  placeOfStep,
  placeOfStop,
  readingTime,
  sequence,
  stepOfPlace,
  toggledEvery,
} from "../src/walkthrough/model.js";
import { withoutRepeats } from "../src/graph/overview.js";
import { addends, number } from "../src/common/text.js";

const stop = (t, kind = "candidates") => ({
  t,
  kind,
  headline: "One two three.",
  here: { node: "a", matters: [] },
  candidates: [],
});
// Steps 1 to 6; the audience sees 1, a fold of 2 to 5, 6, and the chain.
const data = {
  stops: [
    stop(1, "question"),
    stop(2),
    stop(3),
    stop(4),
    stop(5),
    stop(6, "result"),
    stop(6, "chain"),
    stop(5, "fold"),
  ],
  every: [0, 1, 2, 3, 4, 5, 6],
  audience: [0, 7, 5, 6],
  nodes: { a: { sentences: [] } },
  edges: {},
};
const everyPlace = [false, true].flatMap((every) =>
  sequence(data, every).map((_, stop) => ({ every, stop })),
);

test("a step is shown by its stop, or by the fold that it is part of", () => {
  assert.deepEqual(placeOfStep(data, false, 3), { every: false, stop: 1 });
  assert.deepEqual(placeOfStep(data, true, 3), { every: true, stop: 2 });
  assert.deepEqual(placeOfStep(data, false, "end"), { every: false, stop: 3 });
  assert.deepEqual(placeOfStep(data, false, 99), { every: false, stop: 3 });
});

test("every place is found again by its address, by any route", () => {
  for (const place of everyPlace) {
    const { step, every } = addressOfPlace(data, place, false);
    const search = `?step=${step}${every ? "&every=1" : ""}`;
    assert.deepEqual(placeOfAddress(search, data, false), place);
    let walked = { every: place.every, stop: 0 };
    for (let n = 0; n < place.stop; n += 1) walked = moved(data, walked, walked.stop + 1);
    assert.deepEqual(walked, place);
    if (!place.every) assert.equal(stepOfPlace(data, toggledEvery(data, place)), stepOfPlace(data, place));
  }
});

test("addresses of before open at their step", () => {
  assert.deepEqual(placeOfAddress("?t=2", data, false), { every: false, stop: 1 });
  assert.deepEqual(placeOfAddress("?stop=1", data, false), { every: false, stop: 0 });
  assert.deepEqual(placeOfAddress("?t=3&grain=event", data, false), { every: true, stop: 2 });
  assert.deepEqual(placeOfAddress("", data, true), { every: false, stop: 0 });
  assert.deepEqual(placeOfAddress("?step=-4&every=2", data, false), { every: false, stop: 3 });
});

test("a place gone to replaces the one at which a page was opened", () => {
  const opened = "?index=sample&q=Who%3F&stop=1&view=graph";
  const last = addressOfPlace(data, { every: false, stop: data.audience.length - 1 }, false);
  const search = changed(opened, last);
  assert.equal(search, "index=sample&q=Who%3F&step=end");
  assert.equal(changed(search, last), search);
});

test("the graph has an address, also as links made before have it", () => {
  for (const view of ["graph", "focus", "everything"]) assert.ok(isGraph(`?view=${view}`));
  assert.ok(!isGraph("?view=<b>"));
  const { view } = addressOfPlace(data, { every: false, stop: 0 }, true);
  assert.ok(isGraph(`?view=${view}`));
});

test("slides of a story have places of their own, and the end is still the evidence chain", () => {
  const [before, behind] = [data.stops.length, data.stops.length + 1];
  const told = { ...data, stops: [...data.stops, stop(0, "slide"), stop(7, "slide")] };
  told.every = [before, ...data.every, behind];
  told.audience = [before, ...data.audience, behind];
  assert.deepEqual(placeOfStep(told, false, 0), { every: false, stop: 0 });
  assert.deepEqual(placeOfStep(told, false, "end"), { every: false, stop: 4 });
  assert.deepEqual(placeOfStep(told, true, 7), { every: true, stop: 8 });
  assert.deepEqual(toggledEvery(told, { every: false, stop: 5 }), { every: true, stop: 8 });
});

test("a place stays within the sequence", () => {
  assert.equal(moved(data, { every: false, stop: 3 }, 4).stop, 3);
  assert.equal(moved(data, { every: false, stop: 0 }, -1).stop, 0);
});

test("a step of a fold opens among all steps", () => {
  assert.deepEqual(placeOfStop(data, { every: false, stop: 1 }, 3), { every: true, stop: 3 });
});

test("a stop stands as long as its words take to read, from 6 to 10 seconds", () => {
  const time = (/** @type {number} */ words) =>
    readingTime(data, { ...data.stops[0], headline: Array(words).fill("word").join(" ") });
  assert.equal(readingTime(data, data.stops[0]), 6000);
  const words = Math.round((time(25) - 1500) / 230);
  assert.equal(time(26), 1500 + (words + 1) * 230);
  assert.equal(time(90), 10000);
});

const ranking = (total, cut) => ({
  rows: Array.from({ length: total }, (_, n) => ({
    node: `p${n + 1}`,
    rank: n + 1,
    score: 1 - n / 100,
    parts: [],
    visits: 0,
    kept: n < cut,
  })),
  omitted: {},
  total,
  top_k: cut,
  cut_off: cut,
  cut_off_score: 0.5,
});

for (const room of [6, 9, 15, 40]) {
  test(`a ranking in ${room} lines counts all its rows and has the cut-off where it belongs`, () => {
    const lines = fittedRanking(ranking(30, 20), (node) => node === "p27", "p3", room);
    assert.ok(lines.length <= room);
    const told = lines.reduce((sum, line) => sum + ("row" in line ? 1 : "gap" in line ? line.gap : 0), 0);
    assert.equal(told, 30);
    let rank = 0;
    for (const line of lines) {
      if ("cut" in line) assert.equal(rank, 20);
      rank += "row" in line ? 1 : "gap" in line ? line.gap : 0;
      if ("row" in line) assert.equal(line.row.rank, rank);
    }
    if (room >= 9)
      for (const node of ["p27", "p3"])
        assert.ok(
          lines.some((line) => line.row?.node === node),
          node,
        );
  });
}

test("neighbours of one name are named once", () => {
  const heads = ["Question", "Search #1", "Search #2", "Search #2", "Search #1"].map((label, x) => ({
    label,
    x,
  }));
  assert.deepEqual(
    withoutRepeats(heads).map(({ x }) => x),
    [0, 1, 2, 4],
  );
});

test("parts add up to their sum as it is shown", () => {
  for (const values of [
    [0.2013, 0.0084],
    [0.0667, 0.0226],
    [0.1004, 0.1004, 0.1004],
    [12.34, 0.56],
    [0.5, 0],
  ]) {
    const sum = values.reduce((one, other) => one + other, 0);
    const shown = addends(values, sum);
    const digits = number(sum).split(".")[1].length;
    assert.equal(shown.reduce((one, other) => one + Number(other), 0).toFixed(digits), number(sum));
    shown.forEach((told, n) => assert.ok(Math.abs(Number(told) - values[n]) < 10 ** -digits));
  }
  assert.deepEqual(addends([0.2, 0.1], 0.9), ["0.200", "0.100"]); // not all of the sum
});

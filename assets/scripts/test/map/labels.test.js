import assert from "node:assert/strict";
import { test } from "node:test";
import { halfHeight, Labels, nearestRegion, shorterNames, truncated } from "../../src/map/drawing/labels.js";

/** Labels on a picture whose letters are 6 pixels wide. */
function labelsOn(width = 400, height = 200) {
  const written = [];
  const nothing = () => {};
  const context = {
    measureText: (text) => ({ width: 6 * text.length }),
    strokeText: nothing,
    fillText: (text, x, y) => written.push([text, x, y]),
    beginPath: nothing,
  };
  return { labels: new Labels(context, width, height, { ink: "black", dark: false }), written };
}

test("no label is on another one", () => {
  const { labels, written } = labelsOn();
  assert.ok(labels.write("rivers", [100, 100]));
  assert.ok(!labels.write("lakes", [120, 105]));
  assert.ok(labels.write("lakes", [120, 130]));
  assert.ok(labels.write("towns", [100, 100], { forced: true }));
  assert.deepEqual(written, [
    ["rivers", 100, 100],
    ["lakes", 120, 130],
    ["towns", 100, 100],
  ]);
});

test("no label is over a panel or out of the picture", () => {
  const { labels } = labelsOn();
  labels.take([0, 0, 200, 40]);
  assert.ok(!labels.write("rivers", [100, 30]));
  assert.ok(!labels.write("rivers", [10, 100]));
  assert.ok(!labels.write("rivers", [200, 195]));
  assert.ok(labels.write("rivers", [200, 100]));
});

test("boxes far apart do not hide each other, in whatever cells they are", () => {
  const { labels } = labelsOn();
  labels.takeCircle([70, 40, 10]);
  assert.ok(!labels.isFree([60, 30, 65, 35]));
  assert.ok(labels.isFree([60, 51, 80, 60]));
  assert.ok(labels.isFree([-30, -30, -10, -10]));
});

test("a name may be kept off the land of other regions", () => {
  const { labels } = labelsOn();
  labels.lands = [
    [100, 100, 30, 1],
    [300, 100, 30, 2],
  ];
  assert.ok(!labels.write("towns", [100, 100], { own: 2 }));
  assert.ok(labels.write("towns", [300, 100], { own: 2 }));
  assert.ok(labels.write("anywhere", [100, 100]));
});

test("lines of a label lie round its middle", () => {
  const { labels, written } = labelsOn();
  labels.write("rivers\nlakes", [100, 100], { size: 20 });
  assert.deepEqual(
    written.map(([, , y]) => y),
    [88.5, 111.5],
  );
  assert.equal(halfHeight("rivers", 10), 7);
  assert.equal(halfHeight("rivers\nlakes", 10), 12.75);
});

test("a name gets shorter by its last terms, beside and below each other", () => {
  assert.deepEqual(shorterNames("rivers · lakes · towns"), [
    "rivers · lakes · towns",
    "rivers\nlakes\ntowns",
    "rivers · lakes",
    "rivers\nlakes",
    "rivers",
  ]);
  assert.deepEqual(shorterNames("rivers"), ["rivers"]);
});

test("a long text ends with an ellipsis, without a space before it", () => {
  assert.equal(truncated("Lime River", 10), "Lime River");
  assert.equal(truncated("Lime River", 6), "Lime…");
});

test("a line of text is nearest to the circle whose rim it is nearest to", () => {
  const circles = [
    [0, 0, 10, 7],
    [100, 0, 60, 8],
  ];
  assert.equal(nearestRegion([20, 0], 12, circles), 7);
  assert.equal(nearestRegion([35, 0], 12, circles), 8);
  assert.equal(nearestRegion([0, 0], 12, []), undefined);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { channels, mix, oklch } from "../../src/map/drawing/colour_values.js";
import { degreeShare, GoldCounts, mostFrequent, shadesOf } from "../../src/map/drawing/colours.js";
import { regionsInView, scaleText } from "../../src/map/panels/controls.js";
import { DIRECTIONS, nearestInDirection } from "../../src/map/map_keys.js";
import { matchingNodes } from "../../src/map/panels/node_search.js";
import { bridges } from "../../src/map/drawing/region_shapes.js";
import { bitsOf, RegionTree } from "../../src/map/region_tree.js";
import { readingTime, unitsOf } from "../../src/map/replay.js";
import { titledUnits } from "../../src/map/drawing/replay_drawing.js";
import { connectionsOf, visibleNodes } from "../../src/map/visible_nodes.js";

// The whole corpus (0) has regions 1 and 2; region 1 has regions 3 and 4. Units 0 and 1 are in
// region 3, 2 in region 4, 3 and 4 in region 2.
const data = (more = {}) => ({
  passages: 5,
  regions: {
    number: [10, 11, 12, 13, 14],
    parent: [-1, 0, 0, 1, 1],
    name: ["", "rivers · lakes", "towns", "rivers", "lakes"],
    x: [0, -100, 100, -120, -80],
    y: [0, 0, 0, 0, 0],
    radius: [200, 60, 60, 20, 20],
    size: [5, 3, 2, 2, 1],
  },
  units: {
    x: [-125, -115, -80, 95, 105],
    y: [0, 0, 0, 0, 0],
    radius: [3, 3, 3, 3, 3],
    region: [3, 3, 4, 2, 2],
    title: ["Lime River", "River", "Lake", "Town of the river", "Hamlet"],
    degree: [1, 2, 2, 1, 0],
  },
  edges: { source: [0, 1, 2], target: [1, 2, 3], similarity: [90, 50, 20] },
  ...more,
});
const view = (more = {}) => ({ scale: 1, x: 0, y: 0, width: 600, height: 400, nearer: false, ...more });

test("regions know their depth, their top region and their passages", () => {
  const tree = new RegionTree(data());
  assert.deepEqual(
    tree.regions.map(({ depth, top }) => [depth, top]),
    [
      [0, 0],
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 1],
    ],
  );
  assert.deepEqual(tree.tops, [1, 2]);
  assert.deepEqual(tree.members, [[0, 1, 2, 3, 4], [0, 1, 2], [3, 4], [0, 1], [2]]);
  assert.deepEqual([tree.topOf(2), tree.topOf(-5)], [1, 1]);
  assert.deepEqual(tree.bounds, [-128, -3, 108, 3]);
  assert.deepEqual([...tree.neighbours(1)], [0, 2]);
});

test("nodes have names, also the whole corpus and units that are regions", () => {
  const tree = new RegionTree(data());
  assert.deepEqual([tree.nameOf(4), tree.nameOf(-3), tree.nameOf(-1)], ["Hamlet", "towns", "Whole corpus"]);
  const { title, degree, ...units } = data().units;
  assert.ok(title && degree);
  assert.equal(new RegionTree(data({ units })).nameOf(2), "lakes");
});

test("a small corpus is drawn whole, without what a filter hides", () => {
  const tree = new RegionTree(data());
  assert.deepEqual(visibleNodes(tree, view(), 5), [0, 1, 2, 3, 4]);
  tree.shown[2] = 0;
  assert.deepEqual(visibleNodes(tree, view(), 5), [0, 1, 3, 4]);
  assert.deepEqual([tree.shownIn(1), tree.shownIn(4)], [2, 0]);
});

test("regions open while they are large, near and few enough nodes are drawn", () => {
  const tree = new RegionTree(data());
  assert.deepEqual(visibleNodes(tree, view({ scale: 0.5 }), 4), [-3, -2]);
  assert.deepEqual(new Set(visibleNodes(tree, view(), 4)), new Set([-3, -4, -5])); // 60 of 40 pixels
  assert.deepEqual(visibleNodes(tree, view({ scale: 4, x: 100, width: 150, nearer: true }), 4), [3, 4, -2]);
  assert.deepEqual(new Set(visibleNodes(tree, view({ x: 900 }), 4)), new Set([-2, -3]));
  for (const most of [2, 3, 4])
    for (const scale of [0.2, 1, 5])
      assert.ok(visibleNodes(tree, view({ scale, nearer: true }), most).length <= most);
});

test("connections add up the edges between two nodes", () => {
  const tree = new RegionTree(data({ edges: { ...data().edges, count: [1, 5, 7] } }));
  assert.deepEqual(connectionsOf(tree, [-4, -5, -3], 0, 9), {
    all: 2,
    lines: [
      { id: "-5|-3", from: -5, to: -3, edges: 7 },
      { id: "-5|-4", from: -5, to: -4, edges: 5 },
    ],
  });
  assert.equal(connectionsOf(tree, [-2, -3], 0, 9).lines[0].edges, 7);
  assert.equal(connectionsOf(tree, [-2, -3], 30, 9).all, 0); // similarity
  const few = connectionsOf(tree, [0, 1, 2, 3], 0, 1);
  assert.deepEqual([few.all, few.lines.length, few.lines[0].edges], [3, 1, 7]);
});

test("a filter has a bit for each passage, the lowest of a byte first", () => {
  assert.deepEqual([...bitsOf(btoa("\x05\x02"), 10)], [1, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
});

test("names that begin with what is typed come first, then short ones", () => {
  const tree = new RegionTree(data());
  assert.deepEqual(matchingNodes(tree, "river", 9), [1, -4, -2, 0, 3]);
  assert.deepEqual(matchingNodes(tree, "river", 2), [1, -4]);
  assert.deepEqual(matchingNodes(tree, "castle", 9), []);
});

test("arrow keys go to the nearest node in their direction", () => {
  const nodes = [
    { node: 1, circle: [10, 50, 3] },
    { node: 2, circle: [60, 90, 3] },
    { node: 3, circle: [70, 50, 3] },
    { node: 4, circle: [150, 50, 3] },
  ];
  const go = (key) => nearestInDirection(nodes, [50, 50], DIRECTIONS[key], { width: 100, height: 100 });
  assert.deepEqual(["ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp"].map(go), [1, 3, 2, null]);
});

test("the path has the regions that fill the view", () => {
  const tree = new RegionTree(data());
  assert.deepEqual(regionsInView(tree, view()), []);
  assert.deepEqual(regionsInView(tree, view({ x: -100, width: 100, height: 100 })), [1]);
  assert.deepEqual(regionsInView(tree, view({ x: -120, width: 50, height: 50 })), [1, 3]);
});

test("the scale says what is drawn, of how much", () => {
  const drawn = { passages: 5, regions: 0, ofPassages: 5, hidden: 0, lines: 3, ofLines: 3 };
  assert.equal(scaleText(drawn), "All 5 passages drawn · 3 connections");
  assert.equal(
    scaleText({ passages: 2, regions: 3, ofPassages: 1234, hidden: 7, lines: 420, ofLines: 999 }),
    "2 passages and 3 regions drawn, of 1,234 passages, 7 hidden by filters" +
      " · the strongest 420 of 999 connections; a thicker line stands for more edges",
  );
  assert.match(scaleText({ ...drawn, passages: 0 }), /^Nothing drawn, of 5 passages/);
});

test("regions near each other have different shades", () => {
  const shades = shadesOf(new RegionTree(data()));
  assert.deepEqual(
    [...shades],
    [
      [1, 0],
      [2, 1],
    ],
  );
});

test("a region has the value of most of its passages, and their mean number of neighbours", () => {
  assert.equal(mostFrequent([2, 1, 1, 2, 3]), 1);
  assert.equal(mostFrequent([]), null);
  const tree = new RegionTree(data());
  assert.equal(degreeShare(tree, [1, 2]), Math.log(3) / Math.log(41));
  assert.equal(degreeShare(tree, []), 0);
});

test("gold is counted in regions", () => {
  const counts = new GoldCounts([
    [0, 3, 1],
    [2, 1, 1],
  ]);
  assert.deepEqual(counts.sum([0, 1, 2]), { gold: 4, missed: 2 });
  assert.deepEqual([counts.shareOf([0, 2]), counts.shareOf([1])], ["2/4", ""]);
  assert.equal(counts.textOf([0]), "1 of 3 gold missed (33%)");
});

test("colours lie between others", () => {
  assert.deepEqual(channels("#0a14ff"), [10, 20, 255]);
  assert.equal(mix(["#000000", "rgb(100, 200, 50)"], 0.5), "rgb(50,100,25)");
  assert.equal(mix(["#000000", "#ffffff", "#000000"], 0), "rgb(0,0,0)");
  assert.deepEqual([oklch(0, 0, 0), oklch(1, 0, 90)], ["#000000", "#ffffff"]);
});

test("discs that are near grow together", () => {
  const discs = [
    [0, 0, 10],
    [30, 0, 10],
    [300, 0, 10],
  ];
  assert.deepEqual(bridges(discs), [
    [discs[0], discs[1]],
    [discs[1], discs[0]],
  ]);
});

test("passages of one document are named once, and not beside gold of it", () => {
  const frames = [{ say: "", seeds: [0, 1], hops: [[0, 2]], hits: [] }];
  const titles = ["River", "Lake", "River", "Lake"];
  const titled = (gold) => titledUnits({ question: "", frames, gold }, 0, (unit) => titles[unit]);
  assert.deepEqual(titled([]), [0, 1]);
  assert.deepEqual(titled([[3, 0]]), [0]);
});

test("a retrieval is shown with all its units, and its sentences long enough to read", () => {
  const frames = [
    { say: "", seeds: [1], hops: [], hits: [] },
    { say: "", seeds: [], hops: [[1, 4]], hits: [] },
  ];
  assert.deepEqual([...unitsOf({ question: "", frames, gold: [[3, 0]] })], [3, 1, 4]);
  assert.equal(readingTime("x".repeat(20)), 2100);
});

// The map of a corpus, drawn on the network that PyVis describes. Text reaches the page by
// `textContent` and the canvas only.

import { el } from "../common/dom.js";
import { MapColours } from "./drawing/colours.js";
import { MapControls } from "./panels/controls.js";
import { listen } from "./map_events.js";
import { applySettings } from "./map_settings.js";
import { connectionItems, nodeItem } from "./drawing/network_items.js";
import { drawConnection, drawOver } from "./drawing/overlay.js";
import { RegionShapes } from "./drawing/region_shapes.js";
import { RegionTree } from "./region_tree.js";
import { Replay } from "./replay.js";
import { MapViewport } from "./viewport.js";
import { connectionsOf, visibleNodes } from "./visible_nodes.js";

/** @import { Connection, DataSet, MapData, MapSettings, Network, Selection, View } from "./map_data" */

const MOST_NODES = 300;
const MOST_CONNECTIONS = 420;
const NARROW = 720; // pixels
const LABEL =
  "Map of the corpus. Use the arrow keys to move, Enter to open, and Escape to zoom out. The table below lists the same regions and passages.";

/** A network that is there already, of the page that PyVis wrote. @typedef {{ network: Network, nodes: DataSet, edges: DataSet, stage: HTMLElement }} DrawnNetwork */

/** @param {HTMLElement} stage @param {MapData} data @returns {DrawnNetwork} */
function makeNetwork(stage, data) {
  const { vis } = globalThis;
  const { nodes, edges, options } = data.network ?? { nodes: [], edges: [], options: {} };
  const sets = { nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges) };
  return { network: new vis.Network(stage, sets, options), ...sets, stage };
}

/** Make the stage an element of the map that the keyboard reaches. @param {HTMLElement} root @param {HTMLElement} stage */
function placeStage(root, stage) {
  root.textContent = "";
  root.classList.add("corpus-map");
  root.append(stage);
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-label", LABEL);
}

export class MapView extends MapViewport {
  /**
   * @param {HTMLElement} root
   * @param {MapData} data
   * @param {(selection: Selection | null) => void} select is told what is selected
   * @param {DrawnNetwork} [drawn]
   */
  constructor(root, data, select, drawn) {
    const stage = drawn?.stage ?? el("div.stage");
    placeStage(root, stage);
    const tree = new RegionTree(data);
    const { network, nodes, edges } = drawn ?? makeNetwork(stage, data);
    super(stage, network, tree, new RegionShapes(tree));
    this.nodeItems = nodes;
    this.connectionItems = edges;
    this.root = root;
    this.select = select;
    this.isGone = false;
    this.colours = new MapColours(tree, root, () => this.recolour());
    this.leastSimilarity = 0;
    this.fewestNeighbours = 0;
    /** @type {Uint8Array | null} 1 for each passage that Python shows */
    this.mask = null;
    this.hiddenCount = 0;
    /** @type {number[]} */
    this.nodes = [];
    /** @type {{ all: number, lines: Connection[] }} */
    this.connections = { all: 0, lines: [] };
    /** @type {number | null} */
    this.picked = null;
    /** @type {number | null} */
    this.hovered = null;
    /** @type {string | null} the connection under the pointer */
    this.crossed = null;
    /** @type {MapSettings} */
    this.settings = {};
    this.heatNote = "";
    this.parts = { walk: el("div.panel.walk"), live: el("p.live", { "aria-live": "polite" }) };
    this.controls = new MapControls(this);
    root.append(this.parts.walk, this.parts.live);
    this.replay = new Replay(this);
    this.replay.showBar();
    network.on("beforeDrawing", (context) => this.drawUnder(context));
    network.on("afterDrawing", (context) => drawOver(context, this));
    listen(this);
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(stage);
    this.fitAll(true);
    this.controls.show();
  }

  resized() {
    this.controls.narrow(this.root.clientWidth < NARROW);
    if (!this.isTouched) this.fitAll(true);
  }

  /** @override @param {number} width @param {number} height */
  freeArea(width, height) {
    return this.controls.freeArea(width, height);
  }

  /** The region under a click on land where no node is, unless it is open. @param {{ x: number, y: number }} place */
  regionAt({ x, y }) {
    const largest = Math.min(this.stage.clientWidth, this.stage.clientHeight) * 0.4;
    const region = this.tree.regions.find(
      (one) =>
        one.depth === 1 &&
        Math.hypot(one.x - x, one.y - y) < one.radius &&
        one.radius * this.view.scale < largest,
    );
    return region ? -region.number - 1 : null;
  }

  /** @param {number} node */
  nameOf(node) {
    return this.tree.nameOf(node);
  }

  /** Hide the passages that a filter leaves out. */
  filter() {
    const { tree, mask, fewestNeighbours: fewest } = this;
    this.hiddenCount = 0;
    for (let unit = 0; unit < tree.count; unit++) {
      const isShown = (!mask || mask[unit]) && (!fewest || tree.degrees[unit] >= fewest);
      tree.shown[unit] = isShown ? 1 : 0;
      this.hiddenCount += isShown ? 0 : 1;
    }
  }

  /** The nodes to draw at a view, of at most so many. @param {View} view @param {number} most */
  nodesAt(view, most) {
    return visibleNodes(this.tree, view, most);
  }

  /** @override */
  update() {
    if (this.isGone) return;
    const view = this.look();
    this.nodes = this.nodesAt(view, MOST_NODES);
    this.connections = connectionsOf(this.tree, this.nodes, this.leastSimilarity, MOST_CONNECTIONS);
    const drawn = new Set(this.nodes);
    if (this.hovered !== null && !drawn.has(this.hovered)) this.hovered = null;
    this.connectionItems.clear();
    this.nodeItems.remove(this.nodeItems.getIds().filter((id) => !drawn.has(id)));
    this.nodeItems.update(this.nodes.map((node) => this.itemOf(node)));
    this.connectionItems.add(connectionItems(this, this.connections.lines));
    this.controls.showPath();
    this.controls.showScale();
    this.root.dataset.drawn = String(this.nodes.length);
  }

  /** Draw everything again, in colours that may be others. */
  recolour() {
    if (this.isGone) return;
    this.update();
    this.controls.show();
    this.redraw();
  }

  /** @param {CanvasRenderingContext2D} context */
  drawUnder(context) {
    const pixels = context.canvas.width / this.stage.clientWidth;
    this.shapes.draw(context, this.look(), this.colours, pixels);
    for (const line of this.highlighted()) this.drawConnection(context, line);
  }

  /** @param {CanvasRenderingContext2D} context @param {Connection} line */
  drawConnection(context, line) {
    drawConnection(context, this, line);
  }

  /** What the network draws for a node. @param {number} node */
  itemOf(node) {
    return nodeItem(this, node);
  }

  /** @param {number} node */
  connectionsAt(node) {
    return this.connections.lines.filter(({ from, to }) => from === node || to === node);
  }

  /** The connections under the pointer: one, or all of a region. */
  highlighted() {
    if (this.replay.isRunning) return [];
    const { hovered, crossed } = this;
    if (hovered !== null) return hovered < 0 ? this.connectionsAt(hovered) : [];
    return this.connections.lines.filter(({ id }) => id === crossed);
  }

  redraw() {
    if (!this.isGone) this.network.redraw();
  }

  /** Select a node, or nothing. @param {number | null} node */
  choose(node) {
    if (node === this.picked) return;
    this.picked = node;
    const region = node !== null && node < 0 ? this.tree.regionOf(node) : null;
    const passages = region ? `, region of ${this.tree.shownIn(region.number)} passages` : "";
    this.parts.live.textContent = node === null ? "" : `${this.nameOf(node)}${passages}`;
    this.redraw();
    if (region) this.select({ kind: "region", number: region.id });
    else this.select(node === null ? null : { kind: "passage", number: node });
  }

  /** Show what Python says. @param {MapSettings} settings */
  apply(settings) {
    if (this.isGone) return;
    const before = this.settings;
    this.settings = settings;
    applySettings(this, before, settings);
  }

  /** @param {boolean} dark */
  setDark(dark) {
    if (this.colours.dark === dark) return;
    this.colours.dark = dark;
    this.root.classList.toggle("dark", dark);
    this.recolour();
  }

  destroy() {
    this.isGone = true;
    this.sizes.disconnect();
    this.replay.pause();
    this.network.destroy();
  }
}

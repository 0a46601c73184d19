// How vis-network is used: nothing moves by itself, keys and plain wheel stay with the page.

const OPTIONS = {
  physics: false,
  layout: { improvedLayout: false },
  interaction: {
    hover: true, keyboard: false, multiselect: false, selectConnectedEdges: false,
    hoverConnectedEdges: false, hideEdgesOnDrag: false, zoomSpeed: 0.7,
  },
  nodes: { chosen: false },
  edges: {
    smooth: { enabled: true, type: "curvedCW", roundness: 0 },
    arrowStrikethrough: false,
    chosen: { label: false, edge: (values, id, selected, hovering) => { if (hovering) values.width += 1.4; } },
  },
};

// vis-network keeps ids in plain objects, where "constructor" would be taken: it gets them marked.
const own = (id) => `#${id}`;
const given = (key) => key.slice(1);

// Edges between the same two passages bow apart; in columns an edge to the right swings like an S.
function curved(arrows, nodes, columns = false) {
  const met = new Map();
  const pair = ({ source, target }) => JSON.stringify([source, target].sort());
  const several = new Map();
  arrows.forEach((arrow) => several.set(pair(arrow), (several.get(pair(arrow)) ?? 0) + 1));
  return arrows.map((arrow) => {
    const way = JSON.stringify([arrow.source, arrow.target]);
    const turn = met.get(way) ?? 0;
    met.set(way, turn + 1);
    const alone = several.get(pair(arrow)) === 1;
    const dx = nodes.get(arrow.target).x - nodes.get(arrow.source).x;
    const dy = nodes.get(arrow.target).y - nodes.get(arrow.source).y;
    const apart = Math.min(0.16, 36 / Math.hypot(dx, dy));             // of its length
    const smooth = columns && alone && dx > 90 && dx > 0.5 * Math.abs(dy)
      ? { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.42 }
      : { enabled: true, type: "curvedCW", roundness: alone ? (columns ? bow(dx, dy) : 0.08) : apart * (turn + 1) };
    return { id: own(arrow.id), from: own(arrow.source), to: own(arrow.target), smooth };
  });
}

// Within a column an edge goes around the passages between.
function bow(dx, dy) {
  return Math.abs(dx) < 0.3 * Math.abs(dy) ? 0.28 : 0.1;
}

// The wheel scrolls the page until the graph was clicked or a key for zooming is held.
function guardWheel(view) {
  let engaged = false, timer = 0;
  view.canvas.addEventListener("pointerdown", () => { engaged = true; });
  view.root.addEventListener("pointerleave", () => { engaged = false; view.hover(null); });
  view.canvas.addEventListener("wheel", (event) => {
    if (engaged || event.ctrlKey || event.metaKey || view.root.matches(":fullscreen")) return;
    event.stopPropagation();
    view.hint.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => { view.hint.hidden = true; }, 1200);
  }, { capture: true, passive: true });
}

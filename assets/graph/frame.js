// What part of a graph is seen and where its passages stand. Kept in the browser's tab for one
// structure, so that a step, another page or a reload changes neither zoom nor dragged passages.

const MARGIN = { top: 46, bottom: 44, left: 40 };     // CSS pixels
const LABEL_ROOM = 150, LABEL_SHARE = 0.25;          // labels are to the right; a narrow canvas crops them
const LARGEST_FIT = 1.25;

class Frame {
  constructor(canvas, key, places, bands) {
    Object.assign(this, { canvas, key, places, bands, fitted: true });
    const stored = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    this.moved = stored.moved ?? {};           // dragged passages' places, before stretching
    this.view = stored.view ?? null;           // null: everything fitted
    this.stretch = stored.stretch ?? 1;
  }

  attach(network, items) {
    Object.assign(this, { network, items });
    this.reframe();
    network.on("dragEnd", ({ nodes }) => this.dragged(nodes));
    network.on("zoom", () => this.keep(false));
    network.on("animationFinished", () => this.keep());
    // vis-network puts its own view back right after this event: have the last word.
    network.on("resize", () => queueMicrotask(() => this.canvas.isConnected && this.reframe()));
  }

  // Where a passage stands: as given or as the user dragged it, stretched.
  home({ id, x, y }) {
    const place = this.moved[own(id)] ?? { x, y };
    return { x: place.x * this.stretch, y: place.y };
  }

  columns() {
    return this.bands.map(({ label, left, right }) => (
      { label, left: left * this.stretch, right: right * this.stretch }
    ));
  }

  dragged(ids) {
    for (const id of ids) {
      const { x, y } = this.network.getPosition(id);
      this.moved[id] = { x: x / this.stretch, y };
    }
    this.keep(false);
  }

  zoom(factor) {
    this.fitted = false;
    this.move({ scale: Math.min(4, this.network.getScale() * factor) }, true);
  }

  // Everything in view, with room for labels and headings.
  fit(animated = false) {
    if (!this.places.length) return;
    this.spread();
    const { left, right, top, bottom } = extent(this.places.map((place) => this.home(place)));
    const { width, height, right: labels } = this.room();
    const scale = Math.max(0.05, Math.min(LARGEST_FIT, width / (right - left || 1), height / (bottom - top || 1)));
    const aside = { x: (labels - MARGIN.left) / 2 / scale, y: (MARGIN.bottom - MARGIN.top) / 2 / scale };
    this.fitted = true;
    this.move({ scale, position: { x: (left + right) / 2 + aside.x, y: (top + bottom) / 2 + aside.y } }, animated);
  }

  move(target, animated) {
    const still = !animated || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.network.moveTo({ ...target, animation: still ? false : { duration: 180, easingFunction: "easeOutQuad" } });
    if (still) this.keep();
  }

  // At the start and after a change of size: as it was, or else fitted.
  reframe() {
    if (this.view) this.network.moveTo({ ...this.view, animation: false });
    else this.fit();
  }

  // Wider or narrower, to fill the canvas.
  spread() {
    const { left, right, top, bottom } = extent(this.places);
    const { width, height } = this.room();
    const scale = Math.min(LARGEST_FIT, height / (bottom - top || 1));
    this.stretch = Math.max(0.5, Math.min(2, width / scale / (right - left || 1)));
    this.items.update(this.places.map((place) => ({ id: own(place.id), ...this.home(place) })));
    // What stood out of sight learns its new place in one drawing and is seen in the next.
    requestAnimationFrame(() => this.canvas.isConnected && this.network.redraw());
  }

  room() {
    const right = Math.min(LABEL_ROOM, LABEL_SHARE * this.canvas.clientWidth);
    return {
      width: Math.max(50, this.canvas.clientWidth - MARGIN.left - right),
      height: Math.max(50, this.canvas.clientHeight - MARGIN.top - MARGIN.bottom),
      right,
    };
  }

  keep(fitted = this.fitted) {
    if (!this.canvas.clientWidth) return;      // already taken from the page
    this.fitted = fitted;
    this.view = fitted ? null : { scale: this.network.getScale(), position: this.network.getViewPosition() };
    const { view, moved, stretch } = this;
    sessionStorage.setItem(this.key, JSON.stringify({ view, moved, stretch }));
  }
}

function extent(places) {
  const xs = places.map(({ x }) => x), ys = places.map(({ y }) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

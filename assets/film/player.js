// Where a film stands and how it goes on: by keys, by buttons, by itself.

const PAUSE = { whole: 3200, round: 2600, event: 1250 };   // milliseconds at a stop
// On a stage it stands as long as its sentence takes to read aloud, and longer where gold is reached, kept or lost.
const READ = { least: 900, letter: 25, most: 5000, gold: 1500 };
const ASKED = 3000;                         // milliseconds that a question stands at least before it is answered
const SPEEDS = [0.5, 1, 2];
// In groups, as they are listed; where no question can be turned to those of one are left out.
const KEYS = [
  ["Play", [["Space", "Play or stop the film."], ["s", "Play at another speed."]]],
  ["Move", [
    ["← →", "Go one step back or forward. In presenter mode steps that say little are told together, as when it plays."],
    ["Shift ← →", "Go to every single step."], ["Home End", "Go to the question or to the result."],
    ["g", "Coarser or finer steps."],
  ]],
  ["Question", [["[ ]", "Turn to the previous or next question: to its result, or in presenter mode to its beginning."]]],
  ["Pick", [
    ["↑ ↓", "Go through the drawing, a list or the legend."],
    ["Enter", "Pick out what is there. Tab then leads to its details, and Esc back."],
  ]],
  ["View", [
    ["e", "Draw what led to the result, or everything."], ["t", "Show the drawing as a table."],
    ["p", "Show the film alone, in large letters: presenter mode."], ["?", "Show these keys."],
    ["Esc", "Close what is open, or leave presenter mode."],
  ]],
  ["Zoom", [["+ −", "Make the drawing larger or smaller."], ["f", "Fit the drawing into its frame."], ["Ctrl wheel", "Zoom where the pointer is."]]],
];

// What shows it extends this: `show(fresh)` draws the frame of now, `buttonState()` and `makeSettings()`
// follow what was chosen.
class Player {
  constructor(root, hooks) {
    Object.assign(this, { root, hooks, t: null, grain: "event", speed: 1, played: false, alone: false });
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  destroy() {
    this.stop();
    clearTimeout(this.resting);
    document.removeEventListener("keydown", this.onKey);
  }

  frames(grain) { return (this.unpacked[grain] ??= unpacked(this.film.frames[grain])); }

  get stops() { return this.frames(this.grain); }

  get at() {
    let found = 0;
    this.stops.forEach(({ t }, i) => { if (t <= this.t) found = i; });
    return found;
  }

  // The frame that is shown: of this stop, or of it and the uneventful stops before it.
  get now() { return this.merged.frame ?? this.stops[this.at]; }

  // The uneventful stops that this one is merged with, and the merged frame. It depends on the stop alone, so that presenter
  // mode shows one picture for a stop by whichever key it was reached; only Shift and an arrow ask for single stops.
  get merged() {
    const { still, stops, at } = this;
    if (this.alone || !(this.presenting || this.played) || still.has(stops[at].t)) return { count: 0, frame: null };
    let count = 0;
    while (still.has(stops[at - count - 1]?.t)) count += 1;
    return { count, frame: this.runs.get(stops[at].t) ?? null };
  }

  // The number of this stop, from 1; `since` is the first one that it is merged with.
  get counter() { return { since: this.at + 1 - this.merged.count, at: this.at + 1, of: this.stops.length }; }

  // The same in words. Presenter mode counts the stops that the arrow keys visit, unless single stops were asked for.
  get place() {
    const { since, at, of } = this.counter;
    if (this.presenting && !this.alone) {
      const visited = this.stops.filter(({ t }, i) => i === of - 1 || !this.still.has(t)), nth = visited.indexOf(this.stops[this.at]);
      if (nth >= 0) return `${nth + 1} of ${visited.length}`;
    }
    return `${since < at ? `stops ${since}–${at}` : `stop ${at}`} of ${of}`;
  }

  // `fresh` animates the step from the stop before; `played` and `alone` decide what is merged (see `merged`).
  go(t, { fresh = false, played = false, alone = false } = {}) {
    const before = this.at;
    this.landed = false;
    Object.assign(this, { t, played, alone });
    this.show(fresh && this.at === before + 1);
    this.settle();
  }

  // When it stands still for a moment its place is told, for the address.
  settle() {
    clearTimeout(this.resting);
    if (!this.playing) this.resting = setTimeout(() => this.hooks.moved?.({ stop: this.counter.at, grain: this.grain, view: this.view }), 350);
  }

  // A film that opened at its end is seen from the beginning by the key that leads on. On a stage it goes from one stop
  // that play shows to the next, unless it is to go to each `single` one.
  step(by, single = !this.presenting) {
    this.stop();
    if (by === 1 && this.landed) return this.edge(0);
    const at = single ? this.at + by : this.following(by), to = this.stops[at];
    return to && this.go(to.t, { fresh: by === 1, alone: single && this.presenting });
  }

  // The stops that say little, by their t: what they do is told at one behind them.
  get still() { return new Set(this.grain === "event" ? this.film.timeline.still : []); }

  // The place of the next stop that is not still, or the one before it; the last one is never passed over.
  following(by) {
    const { still, stops } = this;
    let at = this.at + by;
    while (at < stops.length - 1 && still.has(stops[at]?.t)) at += by;
    return at;
  }

  // By t the frames of the stops of the finest grain that tell of those before them, too.
  get runs() {
    const { together } = this.film.timeline;
    return (this.unpacked.together ??= new Map(this.frames("event").filter(({ t }) => together[t]).map((frame) => [frame.t, patched(frame, together[frame.t])])));
  }

  edge(end) {
    this.stop();
    this.go(this.stops.at(end ? -1 : 0).t);
  }

  toggle() {
    if (this.playing) return this.stop();
    const again = this.at === this.stops.length - 1;
    if (again) this.go(this.stops[0].t);
    this.playing = true;
    this.buttonState();
    return this.next(again ? this.asking : this.pause);
  }

  get pause() { return (this.presenting ? Math.max(this.reading, this.grain === "event" ? 0 : PAUSE[this.grain]) : PAUSE[this.grain]) / this.speed; }

  get reading() {
    const { t, caption } = this.now, before = this.stops[this.at - 1]?.t ?? 0;
    const decisive = this.film.timeline.moments.some((moment) => moment.kind !== "offered" && moment.t > before && moment.t <= t);
    return Math.min(READ.most, READ.least + READ.letter * caption.length) + (decisive ? READ.gold : 0);
  }

  get asking() { return Math.max(ASKED, this.pause); }

  // Another question, at which what plays waits for it; where this one stands is told no more.
  turn(by) {
    clearTimeout(this.resting);
    this.hooks.question(by);
    if (this.playing) this.next(this.asking);
  }

  next(wait = this.pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const at = this.following(1), to = this.stops[at];
      if (!to) return this.stop();
      this.go(to.t, { fresh: true, played: true });
      if (this.at === this.stops.length - 1) return this.stop();
      return this.next();
    }, wait);
  }

  stop() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.buttonState();
    this.settle();
  }

  key(event) {
    const handled = event.defaultPrevented && !(this.presenting && event.key === "Escape");  // nothing else is in front
    if (!this.root.isConnected || handled || event.ctrlKey || event.metaKey || event.altKey) return;
    const path = event.composedPath(), aside = path.some((of) => of instanceof Element && of !== this.root && of.matches(ASIDE));
    if (aside && !this.presenting) return;
    const actions = {
      ArrowLeft: () => this.step(-1, event.shiftKey || !this.presenting), ArrowRight: () => this.step(1, event.shiftKey || !this.presenting), Home: () => this.edge(0), End: () => this.edge(1),
      " ": () => this.toggle(), s: () => this.faster(), g: () => this.setGrain(this.other(this.film.grains.map(([name]) => name), this.grain)),
      e: () => this.setView(this.view === "focus" ? "everything" : "focus"), t: () => this.twin.toggle(),
      p: () => this.present(!this.presenting), "?": () => this.keys.toggle(), Escape: () => this.escape(),
      "+": () => this.drawing.zoomBy(CLOSER), "=": () => this.drawing.zoomBy(CLOSER), "-": () => this.drawing.zoomBy(1 / CLOSER), f: () => this.fit(),
      "[": this.hooks.question && (() => this.turn(-1)), "]": this.hooks.question && (() => this.turn(1)),
    };
    const action = actions[event.key];
    if (!action) return;
    const control = path[0] instanceof Element ? path[0].closest("button, [role=button], a, summary") : null;
    if (event.key === " " && control && control !== this.playButton) return;
    if (!["?", "Escape"].includes(event.key)) this.keys.close();
    if (action() !== false) event.preventDefault();
  }

  escape() {
    if (this.keys.close()) return true;
    if (this.twin.isOpen) { this.twin.close(); return true; }
    if (this.sidebar.holdsFocus && this.sidebar.fold(true)) return true;
    if (this.picking.selected) { this.picking.letGo(); return true; }
    if (this.presenting) { this.present(false); return true; }
    return false;
  }

  other(all, current) { return all[(all.indexOf(current) + 1) % all.length]; }

  faster() { this.speed = this.other(SPEEDS, this.speed); this.makeSettings(); }

  setGrain(grain) { this.stop(); this.grain = grain; this.makeSettings(); this.go(this.t); }
}

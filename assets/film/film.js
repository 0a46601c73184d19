// A trace as a film: drawing, lists, sentence and timeline from one frame. All that is shown was decided
// before (core/film); here it is drawn, moved, and steered. It calls no server while it plays.

const NARROW = 640;                         // pixels
const NARROWER = 1100;                      // pixels; in no more the timeline stands above the buttons, as in `film.css`
const DENSE = 60;                            // lines; more are thin where all are drawn
const STACKED = { focus: 620, everything: 900 };  // pixels; in no more the lists stand below, as in `film.css`

class Film extends Player {
  // `hooks`: mark(id), explore(id), question(by) where they are to be had, and moved(place).
  constructor(root, hooks = {}) {
    super(root, hooks);
    this.view = "focus";
    assemble(this);
  }

  destroy() {
    super.destroy();
    this.drawing.destroy();
  }

  // ---- a film

  load(film, place = {}) {
    const same = this.film && this.film.query === film.query && this.film.retriever === film.retriever && this.film.index === film.index;
    const held = same && this.picking.named, ended = same && this.t >= this.film.timeline.last;
    this.film = film;
    this.played = this.alone = false;
    this.unpacked = {};
    this.events = this.frames("event");
    const asks = this.presenting || place.present || this.playing;  // where a question is asked before it is answered
    if (!same) {
      this.picking.selected = null;
      this.sidebar.tab = "Step";
      if (this.twin.isOpen) this.twin.close();
      this.t = place.t ?? (asks ? 1 : film.timeline.last);
    } else if (held) this.picking.find(held);
    if (ended) this.t = film.timeline.last;
    if (!same) this.furthest = 0;
    if (place.grain && film.frames[place.grain]) this.grain = place.grain;
    if (!film.frames[this.grain]) this.grain = "event";
    if (!same && place.stop && !this.playing) this.t = (this.stops[place.stop - 1] ?? this.stops.at(-1)).t;
    if (!same) this.landed = this.t >= film.timeline.last;
    if (place.view && film.views[place.view]) this.view = place.view;
    this.sidebar.load(film, this.events);
    this.makeSettings();
    this.legend = new Legend(film.legend, () => this.paint());
    this.root.querySelector(".legend")?.remove();
    this.foot.append(this.legend.box);
    this.legend.reserve();
    this.timeline.load(film);
    this.query.textContent = this.opened.textContent = film.query;
    this.idea.replaceChildren(...film.opening.map((text) => words("", text)));
    this.by.textContent = film.title;
    this.by.title = film.footer;
    this.loadView();
    this.show(false);
    if (!same && this.playing) this.next(this.asking);
  }

  // What the page says of this film, with the word of a button that does something about it.
  remark(told, action) {
    this.remarked.hidden = !told;
    this.remarked.replaceChildren(words("", told), ...(action ? [wordButton(action, () => this.hooks.remark?.(1), "act")] : []));
  }

  // The step to which what happened may be told: on a stage the one that is shown, else the last one that was.
  get told() { return this.presenting ? this.now.t : this.furthest; }

  get ended() { return this.now.t === this.film.timeline.last; }

  // What can be done from here: a mark says what it did, with the way back. It says what is to be, not that it is to
  // change: in another window it may have been changed before.
  get acts() {
    const { mark } = this.hooks;
    return { ...this.hooks, mark: mark && ((id) => {
      const gold = !isGold(this.film, id), make = (to, undo) => mark({ passage: id, gold: to, undo });
      this.sentence.toast.say(gold ? "Marked as gold" : "No longer gold", markTold(this.film, id, gold), () => make(!gold, true));
      make(gold, false);
    }) };
  }

  // Where letters are large or the drawing is narrow, passages are few.
  get drawnView() { return this.view === "focus" && (this.presenting || this.narrow) ? "stage" : this.view; }

  // What the view draws now: of what it has room for all that is not adrift, which counts with the others of its column.
  get there() {
    const all = this.thereAt(this.now), { drawing, film, now, picking } = this;
    if (this.view === "everything" || !drawing.groups.length) return all;
    const named = [...all].filter((i) => !drawing.painter.isNameless(i, now)), away = adrift(film, now, new Set(named), this.quiet);
    return new Set(named.filter((i) => !away.has(i) || (picking.selected?.kind === "node" && picking.selected.of === i)));
  }

  // All that the view has, but for the guests of other stops and what makes room at this one.

  thereAt(frame) {
    const view = this.film.views[this.drawnView], aside = new Set(frame.aside[this.drawnView]);
    const always = Object.keys(view.places).map(Number).filter((i) => !aside.has(i) && !this.drawing.left.has(i));
    return new Set([...always, ...(frame.guests[this.drawnView] ?? [])]);
  }

  // Lines that are not drawn: of several between two nodes all but one, and on a stage all but what stays and what is told
  // now, as long as nothing is picked out in the legend.
  get quiet() {
    if (this.view === "everything") return new Set();
    const { now, film, picking } = this, { kind, of } = picking.selected ?? {}, twins = weakerTwins(film, now, kind === "line" ? of : null);
    if (!this.presenting || this.legend.chosen.size) return twins;
    const stays = (this.stays ??= this.staying()), picked = (i) => (kind === "line" && i === of) || (kind === "node" && [film.lines[i].source, film.lines[i].target].includes(of));
    const left = Object.keys(now.lines).map(Number).filter((i) => !stays.has(i) && !picked(i) && !TOLD_NOW.includes(now.lines[i]));
    return new Set([...twins, ...left]);
  }

  // Lines that stay where they are drawn on a stage, of those between nodes that have room there.
  staying() {
    const { drawing, film, events } = this, last = events.at(-1), twins = weakerTwins(film, last, null), there = (i) => drawing.nodes.has(i) && !drawing.left.has(i);
    const lines = [...drawing.lines.values()].map(({ i, data }) => ({ i, data, role: last.lines[i] })).filter(({ i, data, role }) => role && !twins.has(i) && there(data.source) && there(data.target));
    return staying(lines, drawing.nodes, last);
  }

  // The frames that are told on a stage, none elsewhere.
  get onStage() { return this.presenting ? this.stops.filter(({ t }) => !this.still.has(t)).map((stop) => this.runs.get(stop.t) ?? stop) : []; }

  get isNarrow() { return this.drawingHolder.clientWidth > 0 && this.drawingHolder.clientWidth < NARROW; }

  moved() {
    this.stays = null;
    this.stack();
    this.legend.reserve();
    this.reserveGolds();
    if (this.narrow !== this.isNarrow) this.loadView();
    this.sentence.resized(this.presenting ? `${this.film.query} ${this.film.title}` : "", this.onStage);
    this.paint();
  }

  // A Tab comes to the timeline where it is seen: before the buttons, or between them and the settings.
  stack() {
    const { clientWidth: width } = this.root, { box } = this.timeline;
    this.root.classList.toggle("stacked", width <= STACKED[this.view]);
    if (width <= NARROWER && !this.presenting) { if (this.buttons.previousSibling !== box) this.buttons.before(box); }
    else if (this.buttons.nextSibling !== box) this.buttons.after(box);
  }

  loadView() {
    this.stays = null;
    this.stack();
    this.reserveGolds();
    this.narrow = this.isNarrow;
    this.root.classList.toggle("whole", this.view === "everything");
    this.legend.drawnOnly = this.legend.oneLine = Boolean(this.presenting);
    const view = this.film.views[this.drawnView], { guests } = view;
    this.drawing.load(this.film, { ...view, places: { ...view.places, ...guests } }, { ...weighed(this.film, this.events, guests), single: this.view !== "everything", px: this.presenting ? 18 : 12 });
    this.root.classList.toggle("dense", this.view === "everything" && this.drawing.lines.size > DENSE);
    this.sentence.resized(this.presenting ? `${this.film.query} ${this.film.title}` : "", this.onStage);
  }

  fit() {
    this.drawing.fit();
    this.paint();
  }

  setView(view) {
    this.view = view;
    this.makeSettings();
    this.loadView();
    this.show(false);
    this.settle();
  }

  // ---- what is seen

  show(fresh) {
    this.waiting = { fresh: this.waiting ? false : fresh };
    if (this.drawnOnce) {
      if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
      return;
    }
    this.drawnOnce = true;
    this.draw();
  }

  draw() {
    const { fresh } = this.waiting ?? { fresh: false };
    this.frame = 0;
    this.picking.hover(null);  // what it says is of another step
    this.waiting = null;
    const { now, film } = this;
    this.sentence.tell(this.now, this.place);
    this.furthest = Math.max(this.furthest, now.t);
    this.hooks.told?.(this.told, film.timeline.last);
    this.opening.hidden = now.t > 1 && Object.keys(now.nodes).length > 0;
    this.root.classList.toggle("untold", !this.opening.hidden);
    this.sentence.place.title = film.timeline.names[now.t - 1] ?? "";
    this.drawGolds();
    this.sidebar.show(fresh);
    this.timeline.show(now, this.counter, this.told);
    this.buttonState();
    this.paint(fresh);
    if (this.twin.isOpen) this.twin.show();
    this.root.dataset.t = now.t;
  }

  paint(fresh = false) {
    const { now, film, there } = this, chosen = this.legend.chosen, all = this.view === "everything";
    const [here, last] = [now, this.events.at(-1)].map((one) => (all ? { ...one, faded: null } : one));  // nothing is faint there
    const known = Object.keys(now.nodes), quiet = this.quiet;
    this.drawing.paint(now, { there, selected: this.picking.selected, lit: picked(film, here, chosen), travels: now.travels, fresh, quiet });
    const counts = counted(film, there, here, quiet), origins = this.drawing.painter.origins?.length;
    if (origins) counts.set("mark:origin", origins);
    this.legend.show(counts, counted(film, new Set(known.map(Number)), here), counted(film, this.thereAt(last), last), drawnAs(film, there, now, quiet));
    const drawnNow = known.filter((i) => there.has(+i)).length;
    this.shown.textContent = drawnNow < known.length ? `${drawnNow} of ${known.length} drawn` : "";
    this.drawing.svg.setAttribute("aria-label", `Drawing of ${drawnNow} ${drawnNow === 1 ? "node" : "nodes"}: up and down go through them, Enter picks one, t shows a table`);
  }

  drawGolds() {
    this.golds.hidden = !this.film.gold.length;
    keepingFocus(this.golds, () => this.golds.replaceChildren(...this.chipsAt(this.now)));
  }

  // In a film in little room, too, a second row of chips moves nothing below it.
  reserveGolds() { reserveChips(this.golds, this.presenting || this.isStacked ? this.events : [], (frame) => this.chipsAt(frame)); }

  get isStacked() { return this.root.classList.contains("stacked"); }

  chipsAt(frame) {
    const ended = frame.t === this.film.timeline.last, brief = this.presenting || this.isStacked;
    return this.film.gold.map((gold) => (gold.marked ? goldChip(gold, frame, ended, brief) : removedChip(gold, this.acts.mark)));
  }

  // A node or a count of the drawing in words.
  spoken({ kind, of }) {
    if (kind === "group") return `${this.drawing.groups[of].g.textContent}, opens a table`;
    const { film, now } = this, visits = now.counts[of] > 1 && `${now.counts[of]} visits`;
    return spoken(film.nodes[of], roleWords(film, now, of), visits);
  }

  makeSettings() { keepingFocus(this.settings, () => this.fillSettings()); }

  fillSettings() {
    const { film } = this;
    const speed = wordButton(`${this.speed}×`, () => this.faster(), "speed");
    speed.title = "Speed (s)";
    this.speedAt.replaceChildren(speed);
    this.grainAt.replaceChildren(choices("Steps", film.grains, this.grain, (grain) => this.setGrain(grain)));
    const views = [["focus", "Focus"], ["everything", "Everything"]].filter(([name]) => film.views[name]);
    this.viewAt.replaceChildren(choices("Drawn", views, this.view, (view) => this.setView(view)));
  }

  buttonState() {
    const at = this.at, end = this.stops.length - 1;
    const idle = (name, on) => setIdle(this.buttons.querySelector(`.tool-${name}`), on);
    for (const name of ["first", "back"]) idle(name, at === 0);
    idle("forward", at === end && !this.landed);
    idle("last", at === end);
    const words = this.playing ? "Pause" : at === end ? "Play from the start" : "Play";
    this.playWord.textContent = words;
    this.playButton.setAttribute("aria-label", words);
    this.playButton.title = `${words} (Space)`;
    this.playButton.querySelector("path").setAttribute("d", ICONS[this.playing ? "pause" : "play"]);
    this.playButton.classList.toggle("playing", Boolean(this.playing));
  }

  // ---- on a stage

  // Who has pressed a key on a stage knows that there are keys.
  key(event) {
    const before = this.presenting;
    super.key(event);
    if (before && this.presenting) this.hint.classList.add("read");
  }

  present(on) {
    if (Boolean(this.presenting) === on) return;
    this.presenting = on;
    setInFront(this.root, on, () => this.settings.querySelector(".tool-present"));
    this.hint.textContent = ["Space plays", "← → a step", "Shift ← → every step", this.hooks.question && "[ ] previous / next question", "? all keys", "Esc leaves"].filter(Boolean).join(" · ");
    this.hint.classList.remove("read");
    this.hooks.presented?.(on);
    this.played = this.playing;
    this.alone = false;
    this.loadView();
    this.show(false);
    this.settle();
  }
}

// A trace as a film: drawing, lists, sentence and timeline from one frame. All that is shown was decided
// before (core/film); here it is drawn, moved, and steered. It calls no server while it plays.

const NARROW = 640;                         // pixels
const STACKED = { focus: 620, everything: 900 };  // pixels; in no more the lists stand below, as in `film.css`

class Film extends Player {
  // `hooks`: mark(id), explore(id), question(by) where they are to be had, and moved(place).
  constructor(root, hooks = {}) {
    super(root, hooks);
    Object.assign(this, { view: "focus", selected: null, tab: "Step" });
    this.build();
  }

  destroy() {
    super.destroy();
    this.drawing.destroy();
  }

  build() {
    const part = (tag, name, ...inside) => { const made = element(tag, name); made.append(...inside); this[name] = made; return made; };
    this.drawingHolder = element("div", "holder");
    this.drawing = new Drawing(this.drawingHolder, {
      pick: (what) => this.select(what), hover: (what, at) => this.hover(what, at), group: (group) => this.openGroup(group),
      moved: () => this.moved(),
    });
    this.timeline = new Timeline((t) => this.go(t), (t) => this.events.find((frame) => frame.t >= t)?.caption ?? "");
    const caption = part("p", "caption");
    caption.setAttribute("aria-live", "polite");
    caption.dir = "auto";
    // What was just done stands over the count of stops: it covers nothing that is drawn or said.
    this.toast = new Toast();
    part("div", "story", part("span", "round"), caption, part("div", "where", this.toast.box, part("span", "place")));
    part("header", "asked", part("b", "query"), part("span", "by"));
    this.query.dir = "auto";
    part("div", "golds");
    part("p", "remarked").hidden = true;
    part("div", "tools",
      part("span", "shown"), tool("in", "Zoom in", () => this.drawing.zoomBy(1.3)), tool("out", "Zoom out", () => this.drawing.zoomBy(1 / 1.3)),
      tool("fit", "Fit into view", () => { this.drawing.fit(); this.paint(); }), tool("table", "The drawing as a table", () => this.toggleTable(), "t"),
      tool("png", "Download as PNG", () => savePicture(this.drawing, this.legend.box, "film")),
    );
    part("div", "hovered").hidden = true;
    part("div", "twin").hidden = true;
    part("div", "opening", part("b", "opened"), element("span", "", "Space plays the film, → goes one step forward"));
    this.opened.dir = "auto";
    part("p", "hint");
    part("div", "foot", this.tools);
    part("section", "graph", this.drawingHolder, this.opening, this.hovered, this.twin);
    part("div", "tabs").setAttribute("role", "tablist");
    part("div", "middle");
    part("aside", "side");
    part("div", "keeps");
    const b = (icon, words, act, key) => tool(icon, words, act, key);
    this.playButton = b("play", "Play", () => this.toggle(), "Space");
    this.playWord = element("span", "", "Play");
    this.playButton.append(this.playWord);
    part("div", "buttons", b("first", "To the question", () => this.edge(0), "Home"), b("back", "Back", () => this.step(-1), "←"), this.playButton,
      b("forward", "Forward", () => this.step(1), "→"), b("last", "To the result", () => this.edge(1), "End"));
    part("div", "settings", part("span", "speedAt"), part("span", "grainAt"), part("span", "viewAt"),
      tool("present", "Presenter mode", () => this.present(!this.presenting), "p"), wordButton("?", () => this.keys.toggle(), "keys-button"));
    part("footer", "player", this.buttons, this.timeline.box, this.settings);
    this.keys = new Keys(() => [...KEYS.filter(([key]) => key !== "[ ]" || this.hooks.question), ...(this.hooks.keys ?? [])]);
    part("div", "stage", this.graph, this.side);
    // The player is what a Tab comes to first, though it stands below.
    this.root.append(this.player, this.asked, this.story, this.remarked, this.golds, this.stage, this.foot, this.hint, this.keys.box);
    this.root.addEventListener("click", (event) => this.clicked(event));
    this.root.addEventListener("cancel", (event) => { event.preventDefault(); this.escape(); });
  }

  // ---- a film

  load(film, place = {}) {
    const same = this.film && this.film.query === film.query && this.film.retriever === film.retriever && this.film.index === film.index;
    const held = same && this.selected && this.named(this.selected), ended = same && this.t >= this.film.timeline.last;
    this.film = film;
    this.unpacked = {};
    this.events = this.frames("event");
    const stage = this.presenting || place.present;  // where a question is asked before it is answered
    if (!same) Object.assign(this, { selected: null, tab: "Step", t: place.t ?? (stage ? 1 : film.timeline.last) });
    else if (held) this.selected = this.found(held);
    if (ended) this.t = film.timeline.last;
    if (!same) this.furthest = 0;
    this.sized = "";
    if (place.grain && film.frames[place.grain]) this.grain = place.grain;
    if (!film.frames[this.grain]) this.grain = "event";
    if (!same && place.stop) this.t = (this.stops[place.stop - 1] ?? this.stops.at(-1)).t;
    if (!same) this.landed = this.t >= film.timeline.last;
    if (place.view && film.views[place.view]) this.view = place.view;
    this.makeLists();
    this.makeSettings();
    this.legend = new Legend(film.legend, () => this.paint());
    this.root.querySelector(".legend")?.remove();
    this.foot.append(this.legend.box);
    this.legend.reserve();
    this.timeline.load(film);
    this.query.textContent = this.opened.textContent = film.query;
    this.by.textContent = film.title;
    this.by.title = film.footer;
    this.loadView();
    this.show(false);
  }

  // What the page says of this film, with the word of a button that does something about it.
  remark(told, action) {
    this.remarked.hidden = !told;
    this.remarked.replaceChildren(words("", told), ...(action ? [wordButton(action, () => this.hooks.remark?.(1), "act")] : []));
  }

  // What would have retrieved lost gold, below what is said of it in the end; each line with the word of a button.
  keep(lines) {
    this.keeps.replaceChildren(...lines.map(({ told, action, value }) => {
      const line = words("keep", told), button = action && wordButton(action, () => { button.disabled = true; this.hooks.keep?.(value); }, "act");
      if (button) line.append(button);
      return line;
    }));
    this.drawTabs(false);
  }

  // The step to which what happened may be told: on a stage the one that is shown, else the last one that was.
  get told() { return this.presenting ? this.now.t : this.furthest; }

  get ended() { return this.now.t === this.film.timeline.last; }

  // What can be done from here: a mark says what it did, with the way back. It says what is to be, not that it is to
  // change: in another window it may have been changed before.
  get acts() {
    const { mark } = this.hooks;
    return { ...this.hooks, mark: mark && ((id) => {
      const gold = !isGold(this.film, id), make = (to) => mark({ passage: id, gold: to });
      this.toast.say(gold ? "Marked as gold" : "No longer gold", markTold(this.film, id, gold), () => make(!gold));
      make(gold);
    }) };
  }

  // What is picked out by its id, which it keeps when the film is made anew; and the other way round.
  named({ kind, of }) { return { kind, id: this.film[kind === "node" ? "nodes" : "lines"][of].id }; }

  found({ kind, id }) {
    const of = this.film[kind === "node" ? "nodes" : "lines"].findIndex((one) => one.id === id);
    return of < 0 ? null : { kind, of };
  }

  // Where letters are large or the drawing is narrow, passages are few.
  get drawnView() { return this.view === "focus" && (this.presenting || this.narrow) ? "stage" : this.view; }

  // What the view draws now: all that it has, but for the guests of other stops and what makes room here.
  get there() { return this.thereAt(this.now); }

  thereAt(frame) {
    const view = this.film.views[this.drawnView], aside = new Set(frame.aside[this.drawnView]);
    const always = Object.keys(view.places).map(Number).filter((i) => !aside.has(i) && !this.drawing.left.has(i));
    return new Set([...always, ...(frame.guests[this.drawnView] ?? [])]);
  }

  // Lines that are not drawn among all there are: what was not taken, until one of its ends is looked at or picked.
  get quiet() {
    if (this.view !== "everything") return new Set();
    const { now, film, selected } = this, { chosen } = this.legend;
    const told = (i) => now.nodes[i] === "current" || (selected?.kind === "node" && selected.of === i);
    const kept = (i) => chosen.has("line:refused") || (selected?.kind === "line" && selected.of === i) || [film.lines[i].source, film.lines[i].target].some(told);
    return new Set(Object.keys(now.lines).map(Number).filter((i) => now.lines[i] === "refused" && !kept(i)));
  }

  get isNarrow() { return this.drawingHolder.clientWidth > 0 && this.drawingHolder.clientWidth < NARROW; }

  moved() {
    this.stack();
    this.legend.reserve();
    if (this.narrow !== this.isNarrow) this.loadView();
    this.sizeCaption();
    this.paint();
  }

  stack() { this.root.classList.toggle("stacked", this.root.clientWidth <= STACKED[this.view]); }

  makeLists() {
    const { nodes } = this.film;
    this.boards = { queue: new Board("queue", nodes, { chips: true }), step: new Board("step", nodes), ranking: new Board("ranking", nodes, { ranked: true }) };
    this.queued = this.events.some((frame) => frame.queue);
    this.side.replaceChildren(...(this.queued ? [this.boards.queue.box] : []), this.tabs, this.middle, this.boards.ranking.box);
    this.side.classList.toggle("queued", this.queued);
  }

  loadView() {
    this.stack();
    this.narrow = this.isNarrow;
    this.root.classList.toggle("whole", this.view === "everything");
    this.legend.drawnOnly = this.presenting;
    const view = this.film.views[this.drawnView], { guests } = view;
    this.drawing.load(this.film, { ...view, places: { ...view.places, ...guests } }, { ...weighed(this.film, this.events, guests), px: this.presenting ? 18 : 12 });
    this.sizeCaption();
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
    this.waiting = null;
    const { now, film } = this;
    this.tell(now);
    this.furthest = Math.max(this.furthest, now.t);
    this.hooks.told?.(this.told, film.timeline.last);
    this.opening.hidden = now.t > 1 && Object.keys(now.nodes).length > 0;
    this.place.title = film.timeline.names[now.t - 1] ?? "";
    this.drawGolds();
    const waits = this.queued && !(this.ended && !now.queue?.rows.length);  // an empty queue is folded away in the end
    this.side.classList.toggle("queued", waits);
    this.boards.queue.show(waits ? now.queue : null, fresh);
    this.boards.ranking.show(now.ranking, fresh);
    this.drawTabs(fresh);
    this.boards.ranking.bring(this.ended);
    this.timeline.show(now, this.counter, this.told);
    this.buttonState();
    this.paint(fresh);
    if (!this.twin.hidden) this.drawTwin();
    this.root.dataset.t = now.t;
  }

  tell({ caption, round }, { at, of } = this.counter) {
    this.place.textContent = `stop ${at} of ${of}`;
    this.caption.textContent = caption;
    this.round.textContent = caption.startsWith(round) ? "" : round;
  }

  // One size for the whole film: the largest letters in which its longest sentences have room.
  sizeCaption() {
    const { caption, story, film, events } = this, room = `${story.clientWidth} ${story.clientHeight} ${this.presenting}`;
    if (room === this.sized || !story.clientWidth) return;
    this.sized = room;
    const told = Object.keys(film.frames).flatMap((grain) => this.frames(grain)).sort((a, b) => b.caption.length - a.caption.length);
    const longest = [...new Map(told.map((frame) => [frame.caption, frame])).values()].slice(0, 4);
    caption.setAttribute("aria-busy", "true");
    const fits = (frame) => { this.tell(frame, { at: events.length, of: events.length }); return caption.scrollHeight <= story.clientHeight + 1; };
    ["", "long", "longer", "longest"].some((size) => { caption.className = `caption ${size}`.trim(); return longest.every(fits); });
    this.tell(this.now ?? events[0]);
    caption.removeAttribute("aria-busy");
  }

  paint(fresh = false) {
    const { now, film, there } = this, chosen = this.legend.chosen, last = this.events.at(-1);
    const known = Object.keys(now.nodes), quiet = this.quiet;
    this.drawing.paint(now, { there, selected: this.selected, lit: picked(film, now, chosen), travels: now.travels, fresh, quiet });
    this.legend.show(counted(film, there, now, quiet), counted(film, new Set(known.map(Number)), now), counted(film, this.thereAt(last), last));
    const drawnNow = known.filter((i) => there.has(+i)).length;
    this.shown.textContent = drawnNow < known.length ? `${drawnNow} of ${known.length} drawn` : "";
    this.drawing.svg.setAttribute("aria-label", `${drawnNow} nodes joined by lines. ${now.caption} Press t for a table.`);
  }

  drawGolds() {
    this.golds.hidden = !this.film.gold.length;
    this.golds.replaceChildren(...this.film.gold.map((gold) => (gold.marked ? goldChip(gold, this.now, this.ended) : removedChip(gold, this.acts.mark))));
  }

  tabNames() {
    const { film } = this;
    return ["Step", film.questions.length > 1 && "Questions", film.said.length && "Transcript", film.exchanges.length && "Model", this.selected && "Details"].filter(Boolean);
  }

  drawTabs(fresh) {
    const names = this.tabNames();
    if (!names.includes(this.tab)) this.tab = "Step";
    this.tabs.hidden = names.length < 2;
    this.tabs.replaceChildren(...names.map((name) => {
      const made = wordButton(name, () => { this.tab = name; this.drawTabs(false); }, "tab");
      made.setAttribute("role", "tab");
      made.setAttribute("aria-selected", String(name === this.tab));
      return made;
    }));
    const panel = this.panel(fresh);
    if (this.tab !== "Step") { panel.setAttribute("role", "tabpanel"); panel.setAttribute("aria-label", this.tab); }  // a Tab stops where it scrolls
    this.middle.replaceChildren(panel, ...(this.tab === "Step" && this.ended && this.keeps.firstChild ? [this.keeps] : []));
    const large = this.tab !== "Step";
    this.side.classList.toggle("large", large);
    this.side.classList.toggle("ended", this.ended);
  }

  panel(fresh) {
    const { film, now } = this;
    if (this.tab === "Details") return details(film, this.events, now, this.selected, this.acts);
    if (this.tab === "Questions") return questions(film, now);
    if (this.tab === "Transcript") return transcript(film, now);
    if (this.tab === "Model") return exchanges(film, now);
    this.boards.step.show(now.board, fresh);
    this.middle.classList.toggle("nothing", !now.board);
    return this.boards.step.box;
  }

  makeSettings() {
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
    for (const name of ["first", "back"]) this.buttons.querySelector(`.tool-${name}`).disabled = at === 0;
    this.buttons.querySelector(".tool-forward").disabled = at === end && !this.landed;
    this.buttons.querySelector(".tool-last").disabled = at === end;
    const words = this.playing ? "Pause" : at === end ? "Play from the start" : "Play";
    this.playWord.textContent = words;
    this.playButton.setAttribute("aria-label", words);
    this.playButton.title = `${words} (Space)`;
    this.playButton.querySelector("path").setAttribute("d", ICONS[this.playing ? "pause" : "play"]);
    this.playButton.classList.toggle("playing", Boolean(this.playing));
  }

  // ---- picking

  clicked({ target }) {
    const row = target.closest?.(".row, .gold-chip, .fact");
    if (!row || target.closest("svg.drawing")) return;
    if (row.dataset.t) return this.go(+row.dataset.t);
    const { node, line } = row.dataset;
    if (line && (row.closest(".step") || !node)) return this.select({ kind: "line", of: +line });
    if (node !== undefined && node !== "") return this.select({ kind: "node", of: +node });
    return null;
  }

  select(what) {
    this.selected = what && this.selected?.kind === what.kind && this.selected.of === what.of && this.tab === "Details" ? null : what;
    this.tab = this.selected ? "Details" : "Step";
    this.drawTabs(false);
    this.paint();
  }

  openGroup(group) {
    const there = group.nodes.filter((i) => this.now.nodes[i] && !this.there.has(i));
    this.twin.hidden = false;
    this.drawTwin(there, `${there.length} ${group.label}`);
  }

  hover(what, at) {
    this.hovered.hidden = true;
    if (!what || !this.film) return;
    this.hovered.replaceChildren(...card(this.film, this.now, what));
    this.hovered.hidden = false;
    const { offsetWidth: w, offsetHeight: h } = this.hovered, { clientWidth, clientHeight } = this.drawingHolder;
    this.hovered.style.left = `${Math.max(4, Math.min(at.x + 14, clientWidth - w - 4))}px`;
    this.hovered.style.top = `${at.y + 18 + h > clientHeight ? Math.max(4, at.y - h - 12) : at.y + 18}px`;
  }

  // ---- the drawing as a table

  // Who has pressed a key on a stage knows that there are keys.
  key(event) {
    const before = this.presenting;
    super.key(event);
    if (before && this.presenting) this.hint.classList.add("read");
  }

  toggleTable() {
    this.twin.hidden = !this.twin.hidden;
    if (this.twin.hidden) return;
    this.drawTwin();
    this.twin.querySelector(".row")?.focus();
  }

  drawTwin(only = [...this.there].filter((i) => this.now.nodes[i]), title = "What is drawn now") {
    this.twin.replaceChildren(tool("close", "Back to the drawing", () => this.toggleTable()), nodeTable(this.film, this.now, only, title));
  }

  present(on) {
    if (Boolean(this.presenting) === on) return;
    this.presenting = on;
    setInFront(this.root, on);
    this.root.classList.toggle("presenting", on);
    this.hint.textContent = ["Space plays", "← → a step", this.hooks.question && "[ ] previous / next question", "? all keys", "Esc leaves"].filter(Boolean).join(" · ");
    this.hint.classList.remove("read");
    this.hooks.presented?.(on);
    this.loadView();
    this.show(false);
    this.settle();
  }
}

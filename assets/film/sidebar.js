// The lists beside the drawing: what waits, what this step is about or what is picked out, and the ranking.

class Sidebar {
  // `film` is the film that is played: what is shown of it now, and what can be done from here.
  constructor(film) {
    Object.assign(this, { film, tab: "Step" });
    this.tabs = element("div", "tabs");
    this.tabs.setAttribute("role", "tablist");
    this.middle = element("div", "middle");
    this.keeps = element("div", "keeps");
    this.answer = element("p", "answer");
    this.answer.dir = "auto";
    this.box = element("aside", "side");
  }

  load({ nodes, answer }, events) {
    this.answer.textContent = answer;
    this.boards = { queue: new Board("queue", nodes, { chips: true }), step: new Board("step", nodes), ranking: new Board("ranking", nodes, { ranked: true }) };
    this.queued = events.some((frame) => frame.queue);
    keepingFocus(this.box, () => this.box.replaceChildren(...(this.queued ? [this.boards.queue.box] : []), this.tabs, this.middle, this.boards.ranking.box));
    this.box.classList.toggle("queued", this.queued);
  }

  // What would have kept lost gold, below what is said of it in the end; each line with the word of a button.
  keep(lines) {
    const found = this.opens(lines);
    // In front of an audience why gold was lost comes first, and what would retrieve it when it is asked for.
    if (found) this.folded ??= Boolean(this.film.presenting) && !this.looks;
    else this.folded = false;
    if (!found && lines.at(-1)?.action) this.asked = lines.at(-1).action;
    this.kept = lines;
    this.fillKept();
    if (this.looks && lines.some(({ told }) => told)) { this.bringKept(); this.keeps.querySelector("button")?.focus({ preventScroll: true }); }
  }

  // Whether `lines` are more than a question: in front of an audience also those that only say that nothing was found.
  opens(lines) { return lines.some(({ told, action }) => told && (action || this.film.presenting)); }

  // What was found can be closed, which leaves the button that asked for it, with the focus.
  fillKept() {
    const { folded, kept } = this, found = this.opens(kept);
    const lines = folded ? [] : kept.map(({ told, action, value, heading, facts }) => {
      const line = words(heading ? "keep heading" : facts ? "keep change" : "keep", told), button = action && wordButton(action, () => this.take(button, value), "act");
      if (button && told) button.classList.add("beside");
      if (button) line.append(button);
      if (facts) line.append(words("facts", facts.join(" · ")));
      return line;
    });
    const fold = wordButton(folded ? this.asked ?? "What would retrieve it?" : "Close", () => this.fold(!folded), folded ? "act" : "");
    const way = folded ? words("keep", "") : words("keep close", "");
    way.append(fold);
    this.keeps.replaceChildren(...lines, ...(found ? [way] : []));
    this.keeps.classList.toggle("told", !folded && kept.some(({ told }) => told));
    this.showTabs(false);
  }

  // Says whether there was anything to close.
  fold(folded) {
    if (!this.opens(this.kept ?? []) || this.folded === folded) return false;
    this.folded = folded;
    this.fillKept();
    (folded ? this.keeps.querySelector("button") : this.keeps.querySelector(".close button"))?.focus({ preventScroll: true });
    if (!folded) this.bringKept();
    return true;
  }

  get holdsFocus() { return this.keeps.contains(this.box.getRootNode().activeElement); }

  // Who looked for it reads it first, below the heading.
  bringKept() {
    const top = (of) => ownPixels(of, of.getBoundingClientRect().top);
    this.looks = false;
    this.middle.scrollTop += top(this.keeps) - top(this.middle) - this.boards.step.head.offsetHeight;
  }

  // Once.
  take(button, value) {
    if (button.ariaDisabled === "true") return;
    setIdle(button, true);
    this.looks = true;
    this.film.hooks.keep?.(value);
  }

  show(fresh) {
    const { now, ended } = this.film, waits = this.queued && !(ended && !now.queue?.rows.length);  // an empty queue is folded away in the end
    this.box.classList.toggle("queued", waits);
    this.boards.queue.show(waits ? now.queue : null, fresh);
    this.boards.ranking.show(now.ranking, fresh);
    this.showTabs(fresh);
    this.boards.ranking.bring(ended);
  }

  // Whether that is in the tabs or below them.
  has(element) { return this.tabs.contains(element) || this.middle.contains(element); }

  // What is shown below the tabs.
  get panelShown() { return this.middle.firstChild; }

  turnTo(tab) {
    this.tab = tab;
    this.showTabs(false);
  }

  get names() {
    const { film: { questions, said, exchanges }, picking } = this.film;
    return ["Step", questions.length > 1 && "Searches", said.length && "Transcript", exchanges.length && "Model", picking.selected && "Details"].filter(Boolean);
  }

  showTabs(fresh) {
    keepingFocus(this.tabs, () => this.fillTabs());
    keepingFocus(this.middle, () => this.fillMiddle(fresh));
  }

  fillTabs() {
    const { names } = this;
    if (!names.includes(this.tab)) this.tab = "Step";
    this.tabs.hidden = names.length < 2;
    this.tabs.replaceChildren(...names.map((name) => {
      const made = wordButton(name, () => this.turnTo(name), "tab");
      made.setAttribute("role", "tab");
      made.setAttribute("aria-selected", String(name === this.tab));
      return made;
    }));
  }

  fillMiddle(fresh) {
    const panel = this.panel(fresh), { ended } = this.film, large = this.tab !== "Step", told = !large && ended && this.film.film.answer;
    if (large) {
      for (const [name, value] of [["role", "tabpanel"], ["aria-label", this.tab], ["tabindex", "0"]]) panel.setAttribute(name, value);
    }
    if (told) this.middle.classList.remove("nothing");
    this.middle.replaceChildren(...(told ? [this.answer] : []), panel, ...(!large && ended && this.keeps.firstChild ? [this.keeps] : []));
    this.box.classList.toggle("large", large);
    this.box.classList.toggle("ended", ended);
  }

  panel(fresh) {
    const { film, now, events, acts, picking } = this.film;
    if (this.tab === "Details") return this.withRemedy(details(film, events, now, picking.selected, acts));
    if (this.tab === "Searches") return searches(film, now);
    if (this.tab === "Transcript") return transcript(film, now);
    if (this.tab === "Model") return exchanges(film, now);
    this.boards.step.show(now.board, fresh);
    this.middle.classList.toggle("nothing", !now.board);
    return this.boards.step.box;
  }

  // Below what is said of lost gold, the way to what would retrieve it.
  withRemedy(panel) {
    const missed = panel.querySelector(".standing.missed");
    if (!missed || !this.kept?.some(({ action }) => action)) return panel;
    const row = element("div", "actions");
    row.append(wordButton("What would retrieve it?", () => this.remedy(), "remedy"));
    missed.after(row);
    return panel;
  }

  // All of it stands at the end of the step; what was not looked for yet is looked for there.
  remedy() {
    this.turnTo("Step");
    if (!this.fold(false)) this.bringKept();
    this.keeps.querySelector("button")?.focus({ preventScroll: true });
  }
}

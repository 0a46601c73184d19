// The whole film as a line: rounds as segments, what happens to gold as stars, and where it stands. It
// is a slider: click, drag, or the keys of the player.

const LEAST_NAMED = 12;                     // letters of a name that is cut
const MOST_NAMED = 24;                      // letters of one that is written whole where it stands
const MOMENTS = { offered: "is first on offer", reached: "is first reached", kept: "is retrieved", lost: "is lost" };

class Timeline {
  constructor(go, tell) {
    this.go = go;
    this.box = element("div", "timeline");
    this.track = element("div", "track");
    this.track.setAttribute("role", "slider");
    this.track.setAttribute("aria-label", "Timeline");
    this.track.tabIndex = 0;
    this.rounds = element("div", "rounds");
    this.stars = element("div", "stars");
    this.done = element("div", "done");
    this.head = element("div", "playhead");
    this.tip = element("div", "tip");
    this.tip.hidden = true;
    this.track.append(this.rounds, this.done, this.stars, this.head);
    this.box.append(this.track, this.tip);
    this.tell = tell;
    new ResizeObserver(() => this.name()).observe(this.track);
    this.track.addEventListener("pointerdown", (event) => this.scrub(event));
    this.track.addEventListener("pointermove", (event) => this.hover(event));
    this.track.addEventListener("pointerleave", () => { this.tip.hidden = true; });
  }

  load(film) {
    this.film = film;
    const { segments, moments } = film.timeline;
    const depth = Math.max(0, ...segments.map((one) => one.depth));
    this.box.style.setProperty("--levels", depth + 1);
    this.rounds.replaceChildren(...segments.map((segment, i) => {
      const made = element("div", i % 2 ? "round odd" : "round");
      made.dataset.label = segment.label;
      const left = this.share(segment.first - 0.5), right = this.share(segment.last + 0.5);
      Object.assign(made.style, { left: `${left}%`, width: `calc(${right - left}% - 2px)` });
      made.style.setProperty("--level", segment.depth);
      return made;
    }));
    // One star a step: what is of most weight there.
    const weight = ["offered", "reached", "lost", "kept"];
    const by = new Map();
    for (const moment of moments) {
      const held = by.get(moment.t) ?? [];
      by.set(moment.t, [...held, moment].sort((a, b) => weight.indexOf(b.kind) - weight.indexOf(a.kind)));
    }
    this.moments = by;
    const absent = film.gold.filter(({ node, marked }) => marked && node == null).length;
    this.stars.replaceChildren(...[...by].map(([t, all]) => {
      const [kept, lost] = ["kept", "lost"].map((end) => all.filter(({ kind }) => kind === end).length), part = kept && lost + absent > 0;
      const made = element("i", `star ${part ? "part" : all[0].kind}`, part ? `${kept}/${kept + lost + absent}` : all[0].kind === "lost" ? "✕" : starOf(film.nodes[all[0].node].gold));
      made.style.left = `${this.share(t)}%`;
      made.dataset.t = t;
      return made;
    }));
    this.name();
    this.track.setAttribute("aria-valuemin", "1");
  }

  // A name is written where there is room for it, a long one as far as it goes, or else its number.
  name() {
    for (const of of this.rounds.children) of.classList.remove("whole");
    for (const of of this.rounds.children) {
      const { fontSize, fontFamily } = getComputedStyle(of), { label } = of.dataset;
      const fits = (text) => measure(text, `600 ${fontSize} ${fontFamily}`) + 10 < of.clientWidth;
      let length = label.length;
      while (length > LEAST_NAMED && !fits(cropped(label, length))) length -= 1;
      const [id] = /^#\S+|\d+$/.exec(label) ?? [""];  // a question has its number first
      of.dataset.short = of.textContent = [cropped(label, length), id].find(fits) ?? "";
      of.dataset.wide = measure(label, `600 ${fontSize} ${fontFamily}`) + 14;
    }
    this.wide = this.track.clientWidth;
    this.nameHere();
  }

  // The name of where it stands is whole, over what is beside it; a sub-question is too long for that.
  nameHere() {
    for (const of of this.rounds.children) {
      const { label, short, wide } = of.dataset, whole = of.classList.contains("here") && label.length <= MOST_NAMED && short !== label;
      const beyond = (parseFloat(of.style.left) / 100) * this.wide + +wide - this.wide;
      of.textContent = whole ? label : short;
      of.classList.toggle("whole", whole);
      of.style.translate = whole && beyond > 0 ? `${-beyond}px` : "";
    }
  }

  share(t) {
    const { last } = this.film.timeline;
    return last > 1 ? (100 * Math.max(0, Math.min(last - 1, t - 1))) / (last - 1) : 0;
  }

  // `at` is the stop of its grain, from 1, `of` how many there are. What happens after step `told` is not yet seen.
  show(frame, { at, of }, told) {
    this.told = told;
    for (const star of this.stars.children) star.hidden = star.dataset.t > told;
    this.film.timeline.segments.forEach(({ first, last }, i) => this.rounds.children[i].classList.toggle("here", first <= frame.t && frame.t <= last));
    this.nameHere();
    this.head.style.left = this.done.style.width = `${this.share(frame.t)}%`;
    this.track.setAttribute("aria-valuemax", String(of));
    this.track.setAttribute("aria-valuenow", String(at));
    this.track.setAttribute("aria-valuetext", `Stop ${at} of ${of}. ${frame.caption}`);
  }

  at({ clientX }) {
    const box = this.track.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (clientX - box.left) / box.width));
    return 1 + Math.round(share * (this.film.timeline.last - 1));
  }

  scrub(event) {
    if (event.button) return;
    this.track.setPointerCapture(event.pointerId);
    this.go(this.at(event));
    const move = (next) => this.go(this.at(next));
    this.track.addEventListener("pointermove", move);
    this.track.addEventListener("pointerup", () => this.track.removeEventListener("pointermove", move), { once: true });
  }

  hover(event) {
    const t = this.at(event), name = this.film.timeline.names[t - 1] ?? "";
    const gold = (t > this.told ? [] : this.moments.get(t) ?? []).map(({ kind, node }) => `${starOf(this.film.nodes[node].gold)} ${this.film.nodes[node].label} ${MOMENTS[kind]}`);
    this.tip.replaceChildren(element("b", "", name), ...gold.map((text) => element("div", "gold", text)), element("div", "", t > this.told ? "" : this.tell(t)));
    this.tip.hidden = false;
    const box = this.box.getBoundingClientRect();
    const wanted = event.clientX - box.left - this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(0, Math.min(box.width - this.tip.offsetWidth, wanted))}px`;
  }
}

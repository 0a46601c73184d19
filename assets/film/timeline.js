// The whole film as a line: rounds as segments, what happens to gold as stars, and where it stands. It
// is a slider: click, drag, or the keys of the player.

const LEAST_NAMED = 12;                     // letters of a name that is cut
const MOST_NAMED = 24;                      // letters of one that is written whole where it stands
const BESIDE_NAME = 5;                      // pixels on each side of a name
const MOMENTS = { offered: "is first on offer", reached: "is first reached", fell: "stands below the line from here on", kept: "is retrieved", lost: "is lost" };
const ENDS = { lost: "✕", fell: "▼" };     // what stands for a star

let timelines = 0;

// A share of a line, in percent, whose places `from` are moved to `to`, and what is between two of them is stretched.
function bent(share, from, to) {
  const next = Math.max(1, from.findIndex((one) => one >= share)), [a, b, c, d] = [from[next - 1], from[next], to[next - 1], to[next]];
  return b > a ? c + ((share - a) * (d - c)) / (b - a) : c;
}

// What parts of a line take that are `least` wide and share what is left of `wide` by their `weights`.
function filled(least, weights, wide) {
  const sum = (values) => values.reduce((all, one) => all + one, 0);
  let free = weights.map(() => true), unit = 0;
  for (;;) {
    const rest = wide - sum(least.filter((_, i) => !free[i]));
    unit = Math.max(0, rest) / sum(weights.filter((_, i) => free[i]));
    const next = free.map((on, i) => on && unit * weights[i] >= least[i]);
    if (!next.includes(true) || next.every((on, i) => on === free[i])) break;
    free = next;
  }
  return weights.map((one, i) => (free[i] ? Math.max(least[i], unit * one) : least[i]));
}

const numberOf = (label) => (/^#\S+|#?\d+$/.exec(label) ?? [""])[0];  // a question has its number first

// The run of a segment that is not nested, if it is in one.
const runOf = ({ first, last, depth }, runs) => (depth ? undefined : runs.find((run) => run.first <= first && last <= run.last));

class Timeline {
  constructor(go, tell) {
    this.go = go;
    this.box = element("div", "timeline");
    this.track = element("div", "track");
    this.track.setAttribute("role", "slider");
    this.track.setAttribute("aria-label", "Timeline");
    this.track.setAttribute("aria-describedby", `timeline${(timelines += 1)}`);
    this.track.tabIndex = 0;
    this.rounds = element("div", "rounds");
    this.runs = element("div", "runs");
    this.written = [];
    this.stars = element("div", "stars");
    this.done = element("div", "done");
    this.head = element("div", "playhead");
    this.tip = element("div", "tip");
    this.tip.id = `timeline${timelines}`;
    this.tip.hidden = true;
    this.track.append(this.runs, this.rounds, this.done, this.stars, this.head);
    this.box.append(this.track, this.tip);
    this.tell = tell;
    new ResizeObserver(() => this.name()).observe(this.track);
    this.track.addEventListener("pointerdown", (event) => this.scrub(event));
    this.track.addEventListener("pointermove", (event) => this.hover(event));
    this.track.addEventListener("pointerleave", () => this.tellHere());
    this.track.addEventListener("focus", () => this.heard(this.track.matches(":focus-visible")));
    for (const name of ["blur", "pointerdown"]) this.track.addEventListener(name, () => this.heard(false));
  }

  load(film) {
    this.film = film;
    const { segments, moments } = film.timeline;
    const depth = Math.max(0, ...segments.map((one) => one.depth));
    this.box.style.setProperty("--levels", depth + 1);
    this.rounds.replaceChildren(...segments.map((segment, i) => {
      const made = element("div", i % 2 ? "round odd" : "round");
      made.dataset.label = segment.label;
      made.style.setProperty("--level", segment.depth);
      return made;
    }));
    // One star a step: what is of most weight there.
    const weight = ["offered", "reached", "fell", "lost", "kept"];
    const by = new Map();
    for (const moment of moments) {
      const held = by.get(moment.t) ?? [];
      by.set(moment.t, [...held, moment].sort((a, b) => weight.indexOf(b.kind) - weight.indexOf(a.kind)));
    }
    this.moments = by;
    const absent = film.gold.filter(({ node, marked }) => marked && node == null).length;
    this.stars.replaceChildren(...[...by].map(([t, all]) => {
      const [kept, lost] = ["kept", "lost"].map((end) => all.filter(({ kind }) => kind === end).length), part = kept && lost + absent > 0;
      const made = element("i", `star ${part ? "part" : all[0].kind}`, part ? `★ ${kept}/${kept + lost + absent}` : ENDS[all[0].kind] ?? starOf(film.nodes[all[0].node].gold));
      made.dataset.t = t;
      return made;
    }));
    this.name();
    this.track.setAttribute("aria-valuemin", "1");
  }

  // Where each segment stands, and the ways to write its name, the longest first. Where the rounds of a run have no room for
  // their names, the name that they share stands once above their numbers.
  name() {
    if (!this.film) return;
    this.wide = this.track.clientWidth;
    const { segments, runs } = this.film.timeline;
    this.bend = this.bendOf();
    const stand = (of, { first, last: until }) => {
      const left = this.share(first - 0.5), right = this.share(until + 0.5);
      Object.assign(of.style, { left: `${left}%`, width: `calc(${right - left}% - 2px)` });
    };
    segments.forEach((segment, i) => stand(this.rounds.children[i], segment));
    for (const star of this.stars.children) star.style.left = `${this.share(+star.dataset.t)}%`;
    if (this.here) this.stand();
    for (const of of this.rounds.children) { of.classList.remove("whole"); of.style.padding = 0; }
    const { font } = this;  // asked for once: at each step it would make the browser work out all styles anew
    // Of nested searches all are told by their numbers where one has no room for its name.
    const tight = segments.some(({ depth, label }, i) => depth && measure(label, font) + 2 * BESIDE_NAME > this.rounds.children[i].offsetWidth);
    this.written = segments.map((segment, i) => {
      const of = this.rounds.children[i], { label, depth } = segment, left = of.offsetLeft, number = numberOf(label);
      const told = (this.shortened && runOf(segment, runs)) || (tight && depth && number) ? number : label;
      return { of, label: told, number, left, right: left + of.offsetWidth, level: String(depth), wide: (text) => measure(text, font) };
    });
    this.box.style.setProperty("--runs", this.shortened ? 1 : 0);
    this.runs.replaceChildren(...(this.shortened ? runs : []).map((run) => {
      const made = element("div", "run");
      made.dataset.label = run.label;
      stand(made, run);
      return made;
    }));
    for (const made of this.runs.children) made.textContent = this.form({ label: made.dataset.label, number: "", wide: (text) => measure(text, font) }, 0, made.offsetWidth).text;
    this.nameHere();
  }

  get font() {
    const { fontSize, fontFamily } = getComputedStyle(this.rounds.lastChild);
    return `600 ${fontSize} ${fontFamily}`;
  }

  // What of a name has room between two pixels: a long one as far as it goes, its number, or nothing.
  form(one, from, to) {
    const { label, number, wide } = one, room = to - from, fits = (text) => wide(text) + 2 * BESIDE_NAME < room;
    let length = label.length;
    while (length > LEAST_NAMED && !fits(cropped(label, length))) length -= 1;
    const text = fits(cropped(label, length)) ? cropped(label, length) : number && wide(number) + 2 <= room ? number : "";
    return { text, pad: Math.max(1, Math.min(BESIDE_NAME, (room - wide(text)) / 2)) };
  }

  // The name of where it stands is whole, over what is beside it, as long as each number there still has its room; or
  // it is short: of a name without a number its first letter, here alone. A sub-question is too long for that.
  nameHere() {
    const forms = new Map(this.written.map((one) => [one, { ...this.form(one, one.left, one.right), shift: 0, move: 0 }])), whole = new Set();
    for (const one of this.written) {
      if (!one.of.classList.contains("here") || one.label.length > MOST_NAMED) continue;
      for (const text of [one.label, one.number || one.label.slice(0, 1)]) {
        if (whole.has(one) || forms.get(one).text === text) break;
        if (this.laidOver(one, text, forms)) whole.add(one);
      }
    }
    for (const [one, { text, pad, shift, move }] of forms) {
      one.of.textContent = text;
      one.of.classList.toggle("whole", whole.has(one));
      Object.assign(one.of.style, { padding: `0 ${num(pad)}px 0 ${num(pad + shift)}px`, translate: move ? `${num(move)}px` : "" });
    }
  }

  // A name over its neighbours, which write beside it what has room there. The last one keeps its name: what is before
  // it reaches back.
  laidOver(one, text, forms) {
    const wide = one.wide(text) + 2 * BESIDE_NAME + 4, end = this.written.at(-1);
    for (const begin of [one.left, one.right - wide]) {
      const from = Math.max(0, Math.min(begin, this.wide - wide)), to = from + wide;
      const covered = this.written.filter((other) => other !== one && other.level === one.level && other.left < to && other.right > from);
      const room = ({ left, right }) => (left < from ? [left, from] : [Math.max(to, left), right]);
      const rest = covered.map((other) => ({ ...this.form(other, ...room(other)), shift: other.left < from ? 0 : Math.max(0, to - other.left), move: 0 }));
      if (covered.some((other, i) => !rest[i].text && (other.number || (other === end && forms.get(end).text)))) continue;
      covered.forEach((other, i) => forms.set(other, rest[i]));
      forms.set(one, { text, pad: BESIDE_NAME, shift: 0, move: from - one.left });
      return true;
    }
    return false;
  }

  // Where a step would stand if all were equally wide, and where it does, in percent.
  evenly(t) {
    const { last } = this.film.timeline;
    return last > 1 ? (100 * Math.max(0, Math.min(last - 1, t - 1))) / (last - 1) : 0;
  }

  share(t) { return bent(this.evenly(t), ...this.bend); }

  // The step at a share of the whole.
  stepAt(share) { return 1 + Math.round((bent(share, ...[...this.bend].reverse()) / 100) * (this.film.timeline.last - 1)); }

  // Where the segments that are not nested would begin and end, and where they do: each has room for its name, or in a run
  // for its number and its share of the name of the run. Else the first ones have none, and the last one has it anyhow.
  bendOf() {
    const { segments, runs } = this.film.timeline, outer = segments.filter(({ depth }) => !depth), { wide, font } = this;
    const even = [0, ...outer.slice(1).map(({ first }) => this.evenly(first - 0.5)), 100];
    this.shortened = false;
    if (!wide || outer.length < 2) return [[0, 100], [0, 100]];
    const room = (label) => measure(label, font) + 2 * BESIDE_NAME + 4, sum = (all) => all.reduce((one, other) => one + other, 0);
    const whole = outer.map(({ label }) => (label.length > MOST_NAMED ? 0 : room(label)));
    let least = whole;
    if (sum(least) > wide) {
      this.shortened = runs.length > 0;
      least = outer.map((segment, i) => {
        const run = runOf(segment, runs);
        return run ? Math.max(room(numberOf(segment.label)) - BESIDE_NAME, room(run.label) / outer.filter((one) => runOf(one, runs) === run).length) : whole[i];
      });
    }
    for (let i = 0; i < outer.length - 1 && sum(least) > wide; i += 1) least[i] = 0;
    const widths = filled(least.map((one) => Math.min(one, wide / 2)), outer.map((_, i) => even[i + 1] - even[i]), wide);
    let end = 0;
    return [even, [0, ...widths.map((one) => (end += (100 * one) / sum(widths)))]];
  }

  stand() { this.head.style.left = this.done.style.width = `${this.share(this.here)}%`; }

  // `at` is the stop of its grain, from 1, `of` how many there are. What happens after step `told` is not yet seen.
  show(frame, { at, of }, told) {
    Object.assign(this, { told, here: frame.t });
    for (const star of this.stars.children) star.hidden = star.dataset.t > told;
    this.film.timeline.segments.forEach(({ first, last }, i) => this.rounds.children[i].classList.toggle("here", first <= frame.t && frame.t <= last));
    this.nameHere();
    this.stand();
    this.track.setAttribute("aria-valuemax", String(of));
    this.track.setAttribute("aria-valuenow", String(at));
    this.track.setAttribute("aria-valuetext", `Stop ${at} of ${of}. ${frame.caption}`);
    this.tellHere();
  }

  // A star is pointed at as a whole, though it is wider than its step.
  at({ clientX, target }) {
    const star = target.closest?.(".star"), box = this.track.getBoundingClientRect();
    if (star) return +star.dataset.t;
    const share = Math.max(0, Math.min(1, (clientX - box.left) / box.width));
    return this.stepAt(100 * share);
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
    const box = this.box.getBoundingClientRect();
    this.tellOf(this.at(event), ownPixels(this.box, event.clientX - box.left));
  }

  // Whoever came here with the keys, and not with the pointer, reads what it would be told.
  heard(keys) {
    this.byKeys = keys;
    this.tellHere();
  }

  // But for the sentence, which stands above.
  tellHere() {
    this.tip.hidden = true;
    if (this.byKeys) this.tellOf(this.here, this.track.offsetLeft + this.head.offsetLeft, "");
  }

  // The rounds of step `t` by their whole names, what happens to gold in it, and its sentence.
  tellOf(t, x, sentence = t > this.told ? "" : this.tell(t)) {
    const { segments, names } = this.film.timeline, name = names[t - 1] ?? "", rounds = segments.filter(({ first, last }) => first <= t && t <= last).map(({ label }) => label);
    const gold = (t > this.told ? [] : this.moments.get(t) ?? []).map(({ kind, node }) => `${starOf(this.film.nodes[node].gold)} ${this.film.nodes[node].label} ${MOMENTS[kind]}`);
    this.tip.replaceChildren(element("b", "", [...rounds.filter((round) => !name.startsWith(round)), name].filter(Boolean).join(" · ")),
      ...gold.map((text) => element("div", "gold", text)), element("div", "", sentence));
    this.tip.hidden = false;
    this.tip.style.left = `${Math.max(0, Math.min(this.box.clientWidth - this.tip.offsetWidth, x - this.tip.offsetWidth / 2))}px`;
  }
}

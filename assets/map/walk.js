// A retrieval that is played over the map: where it starts, the edges it follows, what it retrieves,
// and the gold. What lies in a region that is not open is drawn at its place all the same.

class MapWalk {
  constructor(map) {
    this.map = map;
    this.walk = null;
    this.step = -1;
    this.playing = false;
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  get running() { return Boolean(this.walk) && this.step >= 0; }

  load(walk) {
    this.walk = walk;
    this.step = walk ? 0 : -1;
    this.pause();
    this.bar();
    if (walk) { this.fit(); this.play(); }
    this.map.redraw();
  }

  fit() {
    const units = new Set(this.walk.gold.map(([unit]) => unit));
    for (const frame of this.walk.frames) { frame.seeds.forEach((unit) => units.add(unit)); frame.hops.forEach(([, to]) => units.add(to)); }
    if (units.size) this.map.fit(this.map.world.boundsOf(units), 110);
  }

  go(step) {
    if (!this.walk) return;
    this.step = Math.max(0, Math.min(this.walk.frames.length - 1, step));
    this.begun = performance.now();
    if (this.step === this.walk.frames.length - 1) this.pause();
    this.bar();
    this.animate();
  }

  play() {
    this.playing = true;
    const next = () => { if (this.playing) { this.go(this.step + 1); if (this.playing) this.timer = setTimeout(next, this.reading()); } };
    this.begun = performance.now();
    this.bar();
    this.timer = setTimeout(next, this.reading());
    this.animate();
  }

  // Milliseconds that the sentence of this frame takes to read.
  reading() { return 1200 + 45 * this.walk.frames[this.step].say.length; }

  pause() { this.playing = false; clearTimeout(this.timer); }

  animate() {
    this.map.redraw();
    if (!this.still && performance.now() - this.begun < 650 && this.running) requestAnimationFrame(() => this.animate());
  }

  bar() {
    const { walk } = this, box = this.map.parts.walk;
    box.hidden = !walk;
    box.textContent = "";
    if (!walk) return;
    const make = this.map.make;
    box.append(make("p", "asked", walk.question), make("p", "said", `${this.step + 1} of ${walk.frames.length}: ${walk.frames[this.step].say}`));
    box.lastChild.setAttribute("role", "status");
    const keys = box.appendChild(make("div", "keys"));
    const button = (text, name, act) => { const one = keys.appendChild(make("button", "", text)); one.setAttribute("aria-label", name); one.title = name; one.onclick = act; };
    button("◀", "Previous step", () => { this.pause(); this.go(this.step - 1); });
    button(this.playing ? "❚❚" : "▶", this.playing ? "Pause" : "Play", () => { if (this.playing) this.pause(); else { if (this.step === walk.frames.length - 1) this.step = 0; this.play(); } this.bar(); });
    button("▶|", "Next step", () => { this.pause(); this.go(this.step + 1); });
    const track = keys.appendChild(make("input", "track"));
    track.type = "range"; track.min = 1; track.max = walk.frames.length; track.value = this.step + 1;
    track.setAttribute("aria-label", "Step");
    track.oninput = () => { this.pause(); this.go(Number(track.value) - 1); };
  }

  draw(context, names) {
    if (!this.running) return;
    const { map, walk } = this, { colours, world } = map;
    context.fillStyle = colours.dark ? "rgba(8,14,20,.6)" : "rgba(250,252,253,.66)";
    context.fillRect(0, 0, names.width, names.height);
    const at = (unit) => map.toScreen(world.units.x[unit], world.units.y[unit]);
    const moved = this.still ? 1 : Math.min(1, (performance.now() - this.begun) / 600), reached = new Set();
    const blue = colours.named("edge");
    walk.frames.slice(0, this.step + 1).forEach((frame, number) => {
      const now = number === this.step, part = now ? moved : 1;
      context.strokeStyle = blue;
      context.globalAlpha = now ? 0.95 : 0.5;
      context.lineWidth = now ? 2.4 : 1.4;
      for (const [from, to] of frame.hops) {
        const [x, y] = at(from), [a, b] = at(to);
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(x + (a - x) * part, y + (b - y) * part);
        context.stroke();
        reached.add(to);
      }
      frame.seeds.forEach((unit) => reached.add(unit));
    });
    context.globalAlpha = 1;
    for (const unit of reached) this.dot(context, at(unit), 5, blue, colours.paper);
    const last = this.step === walk.frames.length - 1;
    if (last) for (const unit of walk.frames[this.step].hits) this.dot(context, at(unit), 6.5, colours.named("found-fill"), colours.paper);
    const fresh = walk.frames[this.step], gold = new Set(walk.gold.map(([unit]) => unit)); // whose names stand beside their stars
    const titles = new Set([...gold].map((unit) => world.units.title[unit])); // passages of one document are named once
    const unnamed = (unit) => !titles.has(world.units.title[unit]) && titles.add(world.units.title[unit]);
    for (const unit of [...fresh.seeds, ...fresh.hops.map(([, to]) => to)].filter(unnamed).slice(0, 14)) { const [x, y] = at(unit); names.write(cut(world.units.title[unit], 30), x, y + 15, { size: 12, weight: 600 }); }
    for (const [unit, lost] of walk.gold) {
      const [x, y] = at(unit), missed = last && lost;
      this.star(context, x, y, 11, missed ? colours.paper : colours.gold, missed ? colours.lost : colours.ink);
      const told = cut(world.units.title[unit], 34) + (missed ? " (missed)" : ""), style = { size: 13, weight: 700, fill: missed ? colours.lost : colours.ink };
      const places = [[x, y - 19], [x, y + 20], [x, y - 36], [x, y + 37]];
      if (!places.some((place) => names.write(told, ...place, style))) names.write(told, x, y - 19, { ...style, forced: true });
    }
  }

  dot(context, [x, y], radius, fill, rim) {
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.fillStyle = fill;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = rim;
    context.stroke();
  }

  star(context, x, y, radius, fill, rim) {
    context.beginPath();
    for (let i = 0; i < 10; i++) { const far = i % 2 ? radius * 0.45 : radius, turn = -Math.PI / 2 + i * Math.PI / 5; context.lineTo(x + far * Math.cos(turn), y + far * Math.sin(turn)); }
    context.closePath();
    context.fillStyle = fill;
    context.fill();
    context.lineWidth = 1.6;
    context.strokeStyle = rim;
    context.stroke();
  }
}

// The controls over the map: search, colours, filters by numbers, the path to where one is, the legend.

class MapControls {
  constructor(map) {
    this.map = map;
    const { make } = map, top = map.root.appendChild(make("div", "top"));
    this.searchBox(top);
    this.numbers(top);
    this.crumbs = map.root.appendChild(make("nav", "panel crumbs"));
    this.crumbs.setAttribute("aria-label", "Region");
    this.key = map.root.appendChild(make("details", "panel legend"));
    this.key.append(this.heading = make("summary"), this.legend = make("div"));
    this.zoom(map.root.appendChild(make("div", "panel zoom")));
    this.scale = map.root.appendChild(make("div", "scale"));
    this.tip = map.root.appendChild(make("div", "panel tip"));
    this.tip.hidden = true;
  }

  // On a narrow map what covers much of it is shut, until it is opened by hand.
  narrow(yes) {
    if (this.isNarrow === yes) return;
    this.isNarrow = yes;
    this.map.root.toggleAttribute("data-narrow", yes);
    this.options.open = !yes;
    this.unfold(this.coloured);
  }

  // Regions are named on the map, so their legend is folded at first; one of other colours is not, unless
  // the map is narrow. What was opened or folded by hand stays so while the colours mean the same.
  unfold(coloured) {
    this.coloured = coloured;
    this.key.open = coloured !== "region" && !this.isNarrow;
  }

  // What no panel covers of a map of this size.
  free(width, height) {
    const left = this.key.open ? this.key.offsetWidth + 16 : 10;
    return { left: Math.min(left, width / 3), right: width - 50, top: this.options.offsetTop + this.options.offsetHeight + 30, bottom: height - 36 - (this.map.parts.walk.hidden ? 0 : this.map.parts.walk.offsetHeight) };
  }

  searchBox(top) {
    const { map } = this, { make, world } = map, box = top.appendChild(make("div", "panel search"));
    const find = box.appendChild(make("input")), list = box.appendChild(make("ul"));
    find.type = "search";
    find.placeholder = world.openable ? "Fly to a passage or region" : "Fly to a region";
    find.setAttribute("aria-label", find.placeholder);
    this.find = find;
    let hits = [], chosen = 0;
    const open = (hit) => { find.value = ""; list.textContent = ""; map.choose(hit); map.fly(hit); };
    const show = () => {
      list.textContent = "";
      hits.forEach((hit, i) => {
        const row = list.appendChild(make("li", i === chosen ? "on" : "")), button = row.appendChild(make("button"));
        button.append(make("span", "", map.nameOf(hit)), make("small", "", hit < 0 ? `region, ${world.regions[-hit - 1].size.toLocaleString("en")}` : world.regions[world.topOf(hit)].name.split(" · ")[0]));
        button.onclick = () => open(hit);
      });
    };
    find.oninput = () => {
      const wanted = find.value.trim().toLowerCase();
      hits = wanted ? map.matching(wanted, 8) : [];
      chosen = 0;
      show();
      if (wanted && !hits.length) list.append(make("li", "none", "No region or passage matches."));
    };
    find.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === "Escape") { find.value = ""; hits = []; show(); map.stage.focus(); }
      if (event.key === "Enter" && hits[chosen] != null) open(hits[chosen]);
      if (event.key === "ArrowDown" || event.key === "ArrowUp") { chosen = (chosen + (event.key === "ArrowDown" ? 1 : -1) + hits.length) % (hits.length || 1); show(); event.preventDefault(); }
    };
  }

  numbers(top) {
    const { map } = this, { make, world } = map, shut = top.appendChild(make("details", "panel options"));
    shut.append(make("summary", "", "View options"));
    shut.open = true;
    const box = shut.appendChild(make("div", "numbers"));
    this.options = shut;
    const labelled = (text, control) => { const label = box.appendChild(make("label", "", text)); label.append(control); return label; };
    this.by = make("select");
    labelled("Colour", this.by);
    this.by.onchange = () => { map.colours.by = this.by.value; map.recut(); this.tell(); };
    this.colourChoices();
    const range = (text, most, step, shown, act) => {
      const slider = make("input"), said = make("output", "", shown(0));
      slider.type = "range"; slider.min = 0; slider.max = most; slider.step = step; slider.value = 0;
      labelled(text, slider).append(said);
      slider.oninput = () => { said.textContent = shown(Number(slider.value)); act(Number(slider.value)); map.recut(); this.tell(); };
    };
    range("Similarity ≥", 100, 5, (value) => (value / 100).toFixed(2), (value) => { map.least = value; });
    if (world.openable) range("Neighbours ≥", 12, 1, String, (value) => { map.fewest = value; map.filter(); });
  }

  colourChoices() {
    const { map } = this, { make } = map, field = map.colours.field;
    this.by.textContent = "";
    for (const [value, text] of [["region", "Region"], ...(map.world.openable ? [["degree", "Neighbours"]] : []), ...(field ? [["field", field.name]] : [])]) {
      const option = this.by.appendChild(make("option", "", text));
      option.value = value;
    }
    this.by.value = map.colours.by;
  }

  zoom(box) {
    const { map } = this;
    for (const [text, name, act] of [["+", "Zoom in", () => map.zoomBy(1.6)], ["−", "Zoom out", () => map.zoomBy(1 / 1.6)], ["◱", "Show the whole corpus", () => map.fitAll()]]) {
      const button = box.appendChild(map.make("button", "", text));
      button.title = name;
      button.setAttribute("aria-label", name);
      button.onclick = act;
    }
  }

  // What the legend and the line below say, after whatever changed.
  tell() {
    this.tellScale();
    const { map, legend } = this, { make, colours, world } = map;
    legend.textContent = "";
    const coloured = colours.heat ? "heat" : colours.by;
    if (coloured !== this.coloured) this.unfold(coloured);
    if (colours.heat) return this.tellHeat();
    if (colours.by === "degree") return this.tellRamp("Average number of neighbours", "0", "40 or more", [0, 0.5, 0.99].map((share) => colours.ramp(share)));
    if (colours.by === "field" && colours.field) {
      this.heading.textContent = colours.field.name;
      legend.append(make("small", "", "A region has the colour of most of its passages."));
      colours.field.labels.forEach((label, i) => { const row = legend.appendChild(make("div", "row")); row.appendChild(make("i")).style.background = colours.ofValue(i); row.append(make("span", "", label)); });
      return null;
    }
    this.heading.textContent = "Regions";
    for (const top of [...world.tops].sort((a, b) => world.regions[b].size - world.regions[a].size)) this.regionRow(top, world.shownIn(top).toLocaleString("en"), colours.tone(top, 1));
    return null;
  }

  tellHeat() {
    const { map, legend } = this, { make, colours, world } = map, note = map.heatNote;
    this.tellRamp("Gold missed", "0%", "100%", [0, 0.5, 0.99].map((share) => colours.lostRamp(share)));
    legend.append(make("small", "", note));
    const sums = world.tops.map((top) => ({ top, ...colours.heat.sum(world.members[top]) })).filter((one) => one.gold);
    sums.sort((a, b) => b.lost - a.lost || b.gold - a.gold);
    for (const { top, gold, lost } of sums) this.regionRow(top, `${lost} of ${gold}`, colours.lostRamp(lost / gold));
  }

  tellRamp(title, low, high, colours) {
    const { legend } = this, { make } = this.map;
    this.heading.textContent = title;
    legend.appendChild(make("div", "ramp")).style.background = `linear-gradient(90deg, ${colours.join(", ")})`;
    const ends = legend.appendChild(make("div", "row ends"));
    ends.append(make("small", "", low), make("small", "", high));
    return null;
  }

  regionRow(region, beside, colour) {
    const { make } = this.map, row = this.legend.appendChild(make("button", "row"));
    row.appendChild(make("i")).style.background = colour;
    row.append(make("span", "", this.map.world.regions[region].name), make("small", "", beside));
    row.onclick = () => { this.map.choose(-region - 1); this.map.fly(-region - 1); };
  }

  tellScale() {
    const { map } = this, { world, nodes, lines } = map, number = (value) => value.toLocaleString("en");
    const units = nodes.filter((node) => node >= 0).length, regions = nodes.length - units;
    const parts = [units ? `${number(units)} passages` : "", regions ? `${number(regions)} regions` : ""].filter(Boolean);
    const hidden = map.hiddenCount ? `, ${number(map.hiddenCount)} hidden by filters` : "";
    const drawn = units === world.passages ? `All ${number(units)} passages drawn` : `${parts.join(" and ") || "Nothing"} drawn, of ${number(world.passages)} passages${hidden}`;
    const few = lines.lines.length < lines.all ? `the strongest ${number(lines.lines.length)} of ${number(lines.all)}` : number(lines.all);
    this.scale.textContent = `${drawn} · ${few} connections${regions ? "; a thicker line stands for more edges" : ""}`;
  }

  tellPath() {
    const { map, crumbs } = this, { make, world, view } = map;
    const chain = [];
    for (let at = 0; ;) {
      const next = world.regions[at].children.find((child) => { const one = world.regions[child]; return Math.hypot(one.x - view.x, one.y - view.y) < one.radius && one.radius > Math.min(view.width, view.height) / 2 * 0.62; });
      if (next == null) break;
      chain.push(next);
      at = next;
    }
    crumbs.hidden = !chain.length;
    crumbs.textContent = "";
    const step = (text, act) => { const button = crumbs.appendChild(make("button", "", text)); button.onclick = act; };
    step("Whole corpus", () => map.fitAll());
    for (const region of chain) { crumbs.append(make("span", "", "›")); step(world.regions[region].name, () => map.fly(-region - 1)); }
  }

  showTip(node, x, y) {
    const { map, tip } = this, { make, world, colours } = map;
    tip.textContent = "";
    tip.hidden = node == null;
    if (node == null) return;
    tip.append(make("b", "", map.nameOf(node)));
    if (node >= 0) {
      const degree = world.units.degree[node];
      tip.append(make("small", "", `${world.regions[world.topOf(node)].name} · ${degree} ${degree === 1 ? "neighbour" : "neighbours"}`));
    } else {
      const edges = map.linesOf(node).reduce((sum, line) => sum + line.edges, 0);
      tip.append(make("small", "", `${world.shownIn(-node - 1).toLocaleString("en")} passages · ${this.edges(edges)} to others · click to open`));
    }
    if (colours.heat) { const told = map.told(node < 0 ? -node - 1 : null, node); if (told) tip.append(make("small", "", told)); }
    this.place(x, y);
  }

  // A connection: how many edges it stands for, and what it joins.
  showLine(line, { x, y }) {
    const { tip, map } = this, { make } = map;
    tip.textContent = "";
    tip.hidden = !line;
    if (!line) return;
    tip.append(make("b", "", this.edges(line.edges)), make("small", "", `between ${map.nameOf(line.from)}`), make("small", "", `and ${map.nameOf(line.to)}`));
    this.place(x, y);
  }

  edges(many) { return `${many.toLocaleString("en")} ${many === 1 ? "edge" : "edges"}`; }

  place(x, y) {
    const { map, tip } = this;
    tip.style.left = `${Math.max(8, Math.min(map.stage.clientWidth - tip.offsetWidth - 8, x + 16))}px`;
    tip.style.top = `${Math.max(56, Math.min(map.stage.clientHeight - tip.offsetHeight - 8, y + 14))}px`;
  }
}

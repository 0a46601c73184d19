// Two retrievals of one question on one layout, as a component of the application. What is whose was
// decided before (core/film/difference); here it is drawn, and what is picked is told.

const WHOSE = { a: "only A retrieves it", b: "only B retrieves it", both: "both retrieve it", reached: "reached, not retrieved", neither: "gold that neither retrieves" };
const LINE_WHOSE = {
  a: "only A follows it", b: "only B follows it", both: "both follow it",
  not_b: "A follows it; B was offered it, did not take it, and lost the gold that it leads to",
  refused_a: "A was offered it and did not take it, and lost the gold that it leads to",
  refused_b: "B was offered it and did not take it, and lost the gold that it leads to",
  refused: "both were offered it and did not take it, and lost the gold that it leads to",
  not_a: "B follows it; A was offered it, did not take it, and lost the gold that it leads to",
};

const MOST_LINES = 3.5;                     // of what is told on a stage, as letters reach beyond theirs
const PAGE = "[data-testid='stMainBlockContainer']", SCROLLED = "[data-testid='stMain']";
const NEXT = ".st-key-compare_next button";

class Difference extends Staged {
  constructor(root) {
    super(root);
    Object.assign(this, { view: "focus", tab: "Steps", selected: null, all: false, stop: null });
    this.holder = element("div", "holder");
    this.drawing = new Drawing(this.holder, { pick: (what) => this.select(what), hover: (what, at) => this.hover(what, at),
      told: (what) => this.spoken(what), moved: () => this.paint() });
    this.hovered = element("div", "hovered");
    this.shown = element("span", "shown");
    this.viewAt = element("span", "viewAt");
    this.tools = element("div", "tools");
    this.more = element("div", "more-tools");
    this.more.hidden = true;
    this.more.append(wordButton("Zoom in", () => this.drawing.zoomBy(CLOSER)), wordButton("Zoom out", () => this.drawing.zoomBy(1 / CLOSER)),
      wordButton("Fit into view", () => this.fit()), wordButton("Download as PNG", () => savePicture(this.drawing, this.legend.box, "difference")),
      wordButton("Keys", () => this.keys.toggle()), this.shown);
    this.moreButton = tool("more", "More", () => this.open(this.more.hidden));
    this.tools.append(this.viewAt, tool("present", "Presenter mode", () => this.present(!this.presenting), "p"), this.moreButton, this.more);
    this.golds = element("div", "golds");
    this.untaken = element("p", "untaken");
    this.asked = element("header", "asked");
    this.sides = element("div", "sides");
    this.told = element("p", "caption");
    this.told.dir = "auto";
    this.foot = element("div", "foot");
    this.foot.append(this.tools);
    const graph = element("section", "graph compared");
    graph.append(this.foot, this.untaken, this.holder, this.hovered);
    this.tabs = element("div", "tabs");
    this.tabs.setAttribute("role", "tablist");
    this.panel = element("div", "details sheet");
    const side = element("aside", "side"), stage = element("div", "stage");
    this.stage = stage;
    side.append(this.tabs, this.panel);
    stage.append(graph, side);
    this.drawnLine = element("span");
    const end = element("p", "legend-line");
    this.hint = element("span");
    end.append(this.drawnLine, this.hint);
    this.root.replaceChildren(this.asked, this.sides, this.told, this.golds, stage, end, this.keys.box);
    this.hovered.hidden = true;
    this.onSize = () => this.tell();
    addEventListener("resize", this.onSize);
    this.around = new ResizeObserver(() => this.fitWindow());
    const page = document.querySelector(PAGE);
    if (page) this.around.observe(page);
    this.root.addEventListener("click", (event) => this.clicked(event));
    this.root.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.target.matches?.("tr")) this.clicked(event); });
  }

  destroy() {
    super.destroy();
    removeEventListener("resize", this.onSize);
    this.around.disconnect();
    this.drawing.destroy();
  }

  // An audience sees the drawing alone, until the lists are wanted.
  staged() { this.list(false); this.stop = null; this.tell(); this.loadView(); }

  // An audience has all of it first, and then goes through its stops, of which the last is all again.
  step(by) {
    const { stops } = this.data, at = (this.stop ?? -1) + by;
    if (!this.presenting || at >= stops.length || at < -1) return this.presenting;
    this.stop = at < 0 ? null : at;
    this.tell();
    this.paint();
    return true;
  }

  // What is there now: at a stop what is drawn by then, in the focus the lines that led to something.
  get now() {
    const { data: { node_roles: nodes, line_roles: lines, leading, stops }, stop } = this;
    const there = stop === null ? null : new Set(stops[stop].nodes), leads = this.view === "focus" ? new Set(leading) : null;
    const only = (roles, of) => (of ? Object.fromEntries(Object.entries(roles).filter(([i]) => of.has(+i))) : roles);
    return { nodes: only(nodes, there), lines: only(lines, leads) };
  }

  // What the stop tells of: the lines between are, too.
  get lit() {
    const { data: { stops, lines }, stop } = this, nodes = new Set(stop === null ? [] : stops[stop].lit);
    const between = lines.flatMap(({ source, target }, i) => (nodes.has(source) && nodes.has(target) ? [i] : []));
    return nodes.size ? { nodes, lines: new Set(between) } : null;
  }

  tellWhere() {
    const { pair, presenting, stop, data: { stops } } = this;
    const at = stop === null ? "→ step by step" : `← → ${stop + 1} of ${stops.length}`;
    this.hint.textContent = [presenting && at, "[ ] question", "d columns", pair && "n next two", "l lists", "? keys", "Esc leaves"].filter(Boolean).join(" · ");
  }

  // On a stage in a few lines: the answer is left out first, then how they part, then what tells least of why.
  tell() {
    const { verdict, why, told, data: { answer, stops, parting: { text, short } } } = this;
    this.tellWhere();
    if (this.stop !== null && stops[this.stop].text) {
      told.replaceChildren(words("verdict", stops[this.stop].text));
      return;
    }
    told.style.minHeight = "";
    const parts = [[...why, answer, text], [...why, text], [...why, short], ...why.map((_, i) => why.slice(0, why.length - i)), []];
    for (const rest of parts) {
      told.replaceChildren(words("verdict", verdict), ...rest.filter(Boolean).map((one) => words("", ` ${one}`)));
      if (!this.presenting || told.scrollHeight < MOST_LINES * parseFloat(getComputedStyle(told).lineHeight)) break;
    }
    if (this.presenting) told.style.minHeight = `${told.offsetHeight}px`;  // what is drawn stays in its place
  }

  // How far below the top of the page the drawing begins, which is as tall as the window has room for then.
  fitWindow() {
    if (this.presenting) return;
    const above = this.stage.getBoundingClientRect().top + (document.querySelector(SCROLLED)?.scrollTop ?? scrollY);
    this.root.style.setProperty("--above", `${Math.round(above)}px`);
  }

  open(on) {
    this.more.hidden = !on;
    this.moreButton.setAttribute("aria-expanded", String(on));
  }

  get place() { return this.presenting ? this.root : this.drawing.svg; }

  get home() { return this.tools.querySelector(".tool-present"); }

  list(on) { this.root.classList.toggle("listed", on); }

  fit() {
    this.drawing.fit();
    this.paint();
  }

  get actions() {
    const closer = () => this.drawing.zoomBy(CLOSER);
    return { ...super.actions, l: () => this.presenting && this.list(!this.root.classList.contains("listed")), "+": closer, "=": closer, "-": () => this.drawing.zoomBy(1 / CLOSER), f: () => this.fit(),
      d: () => this.press(VIEWS, COLUMNS), n: () => this.press(NEXT), ...this.stepping };
  }

  // Those of a clicker, too.
  get stepping() {
    const next = () => this.step(1), back = () => this.step(-1);
    return { ArrowRight: next, PageDown: next, " ": () => !this.root.getRootNode().activeElement?.matches("button") && next(), ArrowLeft: back, PageUp: back };
  }

  get heard() {
    return [
      ["Pick", [["↑ ↓", "Go through the drawing or the legend."], ["Enter", "Pick out what is there."]]],
      ["Compare", [["d", "Go to the columns of all."], ["n", "Go to the next two of several."]]],
      ...super.heard,
      ["Steps", [["← →", "Go through the difference step by step, in presenter mode; Space and a clicker go on, too."]]],
      ["Lists", [["l", "Show the lists beside the drawing, in presenter mode."]]],
      ["Zoom", [["+ −", "Make the drawing larger or smaller."], ["f", "Fit the drawing into its frame."], ["Ctrl wheel", "Zoom where the pointer is."]]],
    ];
  }

  get drawnView() { return this.presenting && this.view === "focus" ? "stage" : this.view; }

  // `names` are what both are called, each with what stands beside it, whole and in short; `pair` which two of several.
  load(data, verdict, why, names, pair) {
    Object.assign(this, { data, verdict, why, selected: null, tab: this.tab === "Details" ? "Steps" : this.tab, stop: null, pair });
    for (const { node, lost, whose } of data.gold) if (node !== null) Object.assign(data.nodes[node], { whose, missed: lost.every(Boolean) });
    this.legend = new Legend(data.legend, () => this.paint());
    this.root.querySelector(".legend")?.remove();
    this.foot.prepend(this.legend.box);
    this.asked.replaceChildren(words("query", data.query));
    this.sides.replaceChildren(...names.map((told, i) => sideOf("ab"[i], told)), words("pair", pair));
    this.tell();
    this.golds.replaceChildren(...names.map(([name, whole, short], i) => sideOf("ab"[i], [name, short], whole)), ...data.gold.map(endsOf));
    this.golds.hidden = !this.golds.children.length;
    this.tellUntaken();
    this.loadView();
    this.showTabs();
  }

  // The names of the edges that one of them did not take and lost gold by.
  tellUntaken() {
    const { lines, line_roles: roles } = this.data, lost = Object.keys(roles).filter((i) => /^(not|refused)/.test(roles[i]));
    this.untaken.hidden = !lost.length;
    this.untaken.replaceChildren(...lost.slice(0, 1).flatMap((i) => [
      swatch({ of: "line", name: roles[i] }), words("", `${roles[i] === "refused" ? "Both were" : `${roles[i].at(-1).toUpperCase()} was`} offered this edge and did not take it: `), words("quote", `“${lines[i].label}”`),
    ]), ...(lost.length > 1 ? [element("span", "", ` and ${lost.length - 1} more`)] : []));
    this.untaken.title = lost.map((i) => lines[i].label).join("\n");
  }

  loadView() {
    const { data } = this, weights = new Map();
    data.nodes.forEach((node, i) => weights.set(i, node.gold ? 9 : { a: 4, b: 4, both: 2 }[data.node_roles[i]] ?? 1));
    if (data.parting.node !== null) weights.set(data.parting.node, 8);
    const ways = new Set(Object.keys(this.now.lines).map(Number));
    const named = data.nodes.map((node) => (node.ranks ? { ...node, label: `${node.ranks} · ${node.bare ?? node.label}`, bare: undefined } : node));
    this.drawing.load({ ...data, nodes: named }, data.views[this.drawnView], { weights, musts: new Set(this.view === "focus" ? weights.keys() : []), ways, px: this.presenting ? 18 : 13 });
    const views = choices("Drawn", [["focus", "Focus"], ["everything", "Everything"]], this.view, (view) => { this.view = view; this.loadView(); });
    keepingFocus(this.viewAt, () => this.viewAt.replaceChildren(views));
    this.paint();
  }

  paint() {
    const { data, now } = this, view = data.views[this.drawnView];
    this.drawing.paint(now, { selected: this.selected, lit: picked(data, now, this.legend.chosen) ?? this.lit });
    const here = (numbers) => new Set([...numbers].map(Number).filter((i) => now.nodes[i]));
    const there = [...here(Object.keys(view.places))].filter((i) => !this.drawing.left?.has(i));
    const drawn = counted(data, new Set(there), now), all = counted(data, here(data.nodes.keys()), now);
    const headed = new Map([...drawnAs(data, new Set(there), now, new Set())].filter(([key]) => key.startsWith("line:")));
    this.legend.show(drawn, all, this.presenting ? drawn : all, headed);  // on a stage nothing is named that is not drawn
    const { length } = there;
    this.shown.textContent = this.drawnLine.textContent = length < data.nodes.length ? `${length} of ${data.nodes.length} drawn` : "";
    this.drawing.svg.setAttribute("aria-label", `Drawing of ${length} ${length === 1 ? "node" : "nodes"}: up and down go through them, Enter picks one. The list beside it tells the same.`);
  }

  spoken({ kind, of }) {
    const { nodes, node_roles: roles, standings } = this.data;
    if (kind === "group") return this.drawing.groups[of].g.textContent;
    return spoken(nodes[of], WHOSE[roles[of]], ...["A", "B"].map((letter, i) => `${letter}: ${standings[of][i]}`));
  }

  // ---- lists

  showTabs() {
    const walked = this.data.rounds.length > 1, called = { Nodes: `${this.noun}s` }, names = [walked && "Steps", "Nodes", this.selected && "Details"].filter(Boolean);
    if (!names.includes(this.tab)) this.tab = names[0];
    keepingFocus(this.tabs, () => this.tabs.replaceChildren(...names.map((name) => {
      const made = wordButton(called[name] ?? name, () => { this.tab = name; this.showTabs(); }, "tab");
      made.setAttribute("role", "tab");
      made.setAttribute("aria-selected", String(name === this.tab));
      return made;
    })));
    const parts = { Steps: () => this.steps(), Nodes: () => this.passages(), Details: () => this.details() }[this.tab]();
    keepingFocus(this.panel, () => this.panel.replaceChildren(...parts));
  }

  // What all that is drawn is called.
  get noun() {
    const kinds = new Set(this.data.nodes.map(({ kind }) => kind));
    kinds.delete("passage");
    return !kinds.size ? "Passage" : kinds.size === 1 && kinds.has("cluster") ? "Text" : "Node";
  }

  steps() {
    const { rounds, walker, beside } = this.data, rows = [], sides = walker ? [walker] : ["a", "b"];
    const same = rounds.flatMap(({ places }) => places).filter((place) => place.same).length;
    const shownOf = ({ places }) => places.filter((place) => sides.some((side) => place[side]) && (this.all || !place.same));
    for (const { label, shown, until } of runs(rounds.map((round) => ({ label: round.label, shown: shownOf(round) })), sides)) {
      rows.push(rowOf([headOf(label, 1 + sides.length)], { className: "round-row" }));
      for (const { name, node, same: alike, ...done } of shown) {
        rows.push(rowOf([cell(name), ...sides.map((side) => (done[side] ? this.doneCell(done[side], side) : cell("")))], { node, className: alike ? "alike" : "" }));
      }
      if (until) rows.push(rowOf([headOf(`${until}: unchanged`, 1 + sides.length)], { className: "round-row" }));
    }
    const more = same ? [wordButton(this.all ? "Only where they differ" : `Show the ${same} where both do the same`, () => { this.all = !this.all; this.showTabs(); }, "more")] : [];
    const heads = ["At", ...sides.map((side) => side.toUpperCase())];
    return [...(beside ? [words("standing", beside)] : []), ...(rows.length ? [tableOf(heads, rows)] : [element("p", "none", this.data.parting.text)]), ...more];
  }

  // What `side` did, and of gold whether it was taken there; what it has in the end was not taken here alone.
  doneCell({ text, nodes, refused }, side) {
    const made = cell(text), gold = (numbers, className, after) => numbers.filter((i) => this.data.nodes[i].gold).map((i) => {
      const line = element("span", `gold-of ${className}`), { gold: marked, label } = this.data.nodes[i];
      line.append(element("span", "star", starOf(marked)), words("", `${label}${after}`));
      return line;
    });
    const has = (i) => [side, "both"].includes(this.data.node_roles[i]), later = refused.filter(has);
    made.append(...gold(nodes, "", ""), ...gold(refused.filter((i) => !has(i)), "refused", ": not taken"), ...gold(later, "refused", ": not taken here"));
    return made;
  }

  passages() {
    const { nodes, node_roles: roles, standings } = this.data, order = ["a", "b", "both", "reached", "neither"];
    const sorted = nodes.map((_, i) => i).filter((i) => roles[i]).sort((x, y) => order.indexOf(roles[x]) - order.indexOf(roles[y]));
    const rows = [];
    for (const role of order) {
      const own = sorted.filter((i) => roles[i] === role);
      if (own.length) rows.push(rowOf([headOf(`${this.data.legend.find(({ of, name }) => of === "node" && name === role)?.label} (${own.length})`, 3)], { className: "round-row" }));
      for (const i of own) {
        const name = cell(nodes[i].label);
        if (nodes[i].gold) name.prepend(element("span", "star", `${starOf(nodes[i].gold)} `));
        rows.push(rowOf([name, ...standings[i].map((text) => cell(text))], { node: i }));
      }
    }
    return [tableOf([this.noun, "In A", "In B"], rows)];
  }

  details() {
    const { data } = this, { kind, of } = this.selected;
    if (kind === "line") {
      const line = data.lines[of], ends = [line.source, line.target].map((end) => data.nodes[end].label);
      return [heading(ends.join(line.directed ? " → " : " – "), ""), words("standing", [LINE_WHOSE[data.line_roles[of]], line.detail].filter(Boolean).join(" · ")),
        ...(line.label ? [words("passage quoted", line.label)] : [])];
    }
    const node = data.nodes[of], [inA, inB] = data.standings[of], facts = element("div", "facts");
    facts.append(element("h4", "", "What was done there"));
    for (const { label, places } of data.rounds) {
      for (const place of places.filter((one) => one.node === of)) {
        for (const [letter, done] of [["A", place.a], ["B", place.b]]) if (done) facts.append(words("fact", `${label} · ${letter} ${done.text}`));
      }
    }
    if (facts.children.length === 1) facts.append(element("p", "none", "Neither looked at its edges."));
    return [heading(node.label, node.gold), words("standing", [WHOSE[data.node_roles[of]], node.gold && "gold", node.gold === "hand" && ["marked by hand", data.gold.find((one) => one.node === of)?.by].filter(Boolean).join(" ")].filter(Boolean).join(" · ")),
      words("standing", `A: ${inA}`), words("standing", `B: ${inB}`), ...(node.text ? [words("passage", node.text)] : []), facts];
  }

  // ---- picking

  clicked({ target }) {
    if (!target.closest?.(".tools")) this.open(false);
    const row = target.closest?.("[data-node]:is(tr, .gold-chip)");
    if (row) this.select({ kind: "node", of: +row.dataset.node });
  }

  select(what) {
    this.selected = what;
    this.tab = what ? "Details" : "Steps";
    if (what) this.list(true);
    this.showTabs();
    this.paint();
  }

  hover(what, at) {
    this.hovered.hidden = !what;
    if (!what) return;
    const { data } = this;
    const [title, told] = what.kind === "node"
      ? [data.nodes[what.of].label, [WHOSE[data.node_roles[what.of]], ...["A", "B"].map((letter, i) => `${letter}: ${data.standings[what.of][i]}`)].join(" · ")]
      : [data.lines[what.of].label, LINE_WHOSE[data.line_roles[what.of]]];
    this.hovered.replaceChildren(words("", title), element("em", "", told));
    const { clientWidth, clientHeight } = this.holder, { offsetWidth: w, offsetHeight: h } = this.hovered;
    this.hovered.style.left = `${Math.max(4, Math.min(at.x + 14, clientWidth - w - 4))}px`;
    this.hovered.style.top = `${at.y + 18 + h > clientHeight ? Math.max(4, at.y - h - 12) : at.y + 18}px`;
  }
}

// A or B with its name, as its nodes look.
function sideOf(letter, [name, beside], whole = beside) {
  const made = element("span", "side-name");
  made.append(element("b", letter, letter.toUpperCase()), words("name", name));
  if (beside) made.append(Object.assign(words("beside", beside), { title: whole }));
  return made;
}

// Gold with where it ended in both.
function endsOf({ node, name, marked, ends, lost }) {
  const made = element("button", lost.every(Boolean) ? "gold-chip lost" : "gold-chip"), [a, b] = ends;
  made.type = "button";
  if (node !== null) made.dataset.node = node;
  made.disabled = node === null;
  made.append(element("span", "star", starOf(marked)), words("name", name));
  for (const [i, end] of ends.entries()) {
    const where = element("span", lost[i] ? "end miss" : "end");
    const [at, ...why] = end.replace(/^rank /, "").split("; ")[0].split(/(?<=^[\d,]*\d)(?=, \D)/);
    where.append(element("b", "", "AB"[i]), ` ${at}`, element("span", "why", why.join("")));
    made.append(where);
  }
  made.title = `${name}\nA: ${a}\nB: ${b}`;
  return made;
}

// The rounds in which anything is shown, each with those right after it that show the same, as words: `until`.
function runs(rounds, sides) {
  const told = ({ shown }) => JSON.stringify(shown.map((place) => [place.name, ...sides.map((side) => place[side]?.text)])), found = [];
  for (const round of rounds.filter(({ shown }) => shown.length)) {
    const last = found.at(-1);
    if (last && told(last) === told(round)) last.later.push(round.label);
    else found.push({ ...round, later: [] });
  }
  return found.map(({ later, ...round }) => ({ ...round, until: between(later) }));
}

// "Round 2", "Round 3", "Round 4" as "Rounds 2–4".
function between(labels) {
  if (labels.length < 2) return labels[0] ?? "";
  const [[name, from], [other, to]] = [labels[0], labels.at(-1)].map((label) => /^(.*?) ?(\d*)$/.exec(label).slice(1));
  return name === other && from && to ? `${name}s ${from}–${to}` : `${labels[0]} – ${labels.at(-1)}`;
}

function tableOf(heads, rows) {
  const table = element("table"), head = element("tr"), top = element("thead"), body = element("tbody");
  head.append(...heads.map((text) => element("th", "", text)));
  top.append(head);
  body.append(...rows);
  table.append(top, body);
  return table;
}

function rowOf(cells, { node = null, className = "" } = {}) {
  const row = element("tr", className);
  row.append(...cells);
  if (node !== null) {
    row.dataset.node = node;
    row.tabIndex = 0;
  }
  return row;
}

function cell(text) {
  const made = element("td");
  made.append(words("", text));
  return made;
}

function headOf(text, span) {
  const made = element("th", "", text);
  made.colSpan = span;
  return made;
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".film");
  const held = (root.hopDifference ??= {});
  if (!held.shown) held.shown = new Difference(root);
  root.classList.toggle("dark", isDark(root));
  if (held.rev !== data.rev) {
    held.rev = data.rev;
    held.shown.load(JSON.parse(data.difference), data.verdict, data.why, data.names, data.pair);
    held.shown.arrived();
  }
  return () => { held.shown.destroy(); root.hopDifference = null; root.replaceChildren(); };
}

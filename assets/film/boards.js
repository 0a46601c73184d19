// The lists beside the drawing: queue, what this step is about, the ranking. Rows are told apart by
// what they are of, so that one that stays is moved to its new place and not made anew.

const SIGNS = { "+": ["came", "+"], "-": ["went", "−"], y: ["taken", "✓"], r: ["revisits", "✓"], n: ["refused", "✗"] };
const WORDY = 60;                           // letters of a text that need the width beside the word for it
const BY_RANK = "1/rank";                   // a measure that says no more than the place
const SUMMED = 2;                           // parts of a sum that a stage names
const MOST_KEYS = 6;                        // parts of a score that are named above a list
const FADES = 26;                           // pixels at the end of a list that goes on
const TWO_ROWS = 52;                        // pixels that chips take on two rows
const RELATED = " – ";                     // between the ends of a relation
const MOST_TOLD = 90;                       // letters of a reason on a stage: more would leave a ranking no room
const LEAST_ROWS = 2;                       // of a ranking on a stage: one tells nothing
const LEAST_DOUBLE = 3;                     // rows of two lines: fewer would tell less than more of one
const MOST_MOVED = 60;                      // rows; beyond, nobody can follow what slides

// What the numbers of a list are where no bars are drawn: the two parts that they are sums of, or what has a name of its own.
function unit({ title, measure, keys }) {
  if (measure === "worth") return "";
  if (measure === "score") return keys.length === SUMMED ? keys.map(({ name }) => name).join(" + ") : "";
  return title.toLowerCase() === measure || measure === BY_RANK ? "" : measure;
}

class Board {
  // `name` is a class; `nodes` are the film's.
  constructor(name, nodes, { ranked = false, chips = false } = {}) {
    Object.assign(this, { nodes, ranked, chips, shown: null, brought: null, lines: 0, scrolled: 0 });
    this.head = element("div", "head");
    this.below = element("span", "below");
    this.list = element(ranked ? "ol" : "ul", "rows");
    this.list.tabIndex = -1;
    this.box = element("section", `board ${name}${chips ? " chips" : ""}`);
    this.box.append(this.head, this.list);
    this.rows = new Map();
    this.settle = walked(this.list);
    this.sized = new ResizeObserver(() => this.snap());
    this.sized.observe(this.box);
    this.sized.observe(this.head);
  }

  show(board, fresh) {
    this.box.hidden = !board;
    if (!board || board === this.shown) return;
    const before = fresh && !still() && this.shown && board.rows.length <= MOST_MOVED ? this.places() : null;
    this.shown = board;
    this.box.setAttribute("aria-label", board.title);
    this.headline(board);
    this.list.classList.toggle("by-rank", board.measure === BY_RANK);
    this.list.classList.toggle("counted", this.ranked && board.rows.some(({ times: count }) => count));
    const rows = new Map();
    const items = board.rows.map((row, i) => {
      const key = this.key(row, rows);
      const item = this.rows.get(key) ?? element("li", "row");
      rows.set(key, item);
      const told = JSON.stringify([row, this.ranked && i, board.top, board.keys.length]);
      if (item.told !== told) this.fill(item, row, i, board);
      item.told = told;
      return item;
    });
    if (!this.ranked && !this.chips) this.tellReasons(items, board.rows);
    if (board.cut_text && board.rows.length) items.splice(board.cut, 0, cutLine(board.cut_text));
    if (board.more) items.push(element("li", "none", `and ${board.more.toLocaleString("en")} ${board.rest}`));
    if (!board.rows.length) items.push(element("li", "none", board.empty));
    keepingFocus(this.list, () => this.list.replaceChildren(...items));
    this.rows = rows;
    this.settle();
    if (!this.ranked) this.snapSoon();
    if (before) this.slide(before);
  }

  // Once all of the step is in the page: what is read of a layout before makes the browser lay out once more.
  snapSoon() {
    if (!this.soon) queueMicrotask(() => { this.soon = false; if (this.chips || this.lines) this.snap(); else this.bringUp(); });
    this.soon = true;
  }

  // Why rows are not taken stands above those it is told of, where several have one reason, as on a stage it is not told of
  // each, or where their scores do not say it. `items` are those of `rows`.
  tellReasons(items, rows) {
    const reasons = rows.map(({ sign, why }) => (sign === "n" ? why ?? "" : "")), begins = (i) => reasons[i] && reasons[i] !== reasons[i - 1];
    const scored = (sign) => rows.filter((row) => row.sign === sign && row.score && (sign === "y" || row.why)).map(({ score }) => Number(score.replace("−", "-")));
    const passed = Math.max(...scored("n")) > Math.min(...scored("y"));  // what is worth more than one that was taken has a reason
    if (!passed && !reasons.some((why, i) => why && !begins(i))) return;
    for (let i = rows.length - 1; i >= 0; i -= 1) if (begins(i)) items.splice(i, 0, element("li", "reason", `Not taken: ${reasons[i]}`));
  }

  // Chips that have no room are counted in one before them. On a stage they do not scroll and are left out, but for gold;
  // elsewhere the last is named, too, for what joins a queue joins it there.
  countAway() {
    this.list.querySelector(".away")?.remove();
    const chips = [...this.rows.values()], tall = this.list.clientHeight;
    for (const chip of chips) chip.hidden = false;
    if (!tall) return;
    const cut = getComputedStyle(this.list).overflowY === "hidden", seen = chips.filter((chip) => chip.offsetHeight), out = (of) => of.offsetTop + of.offsetHeight > tall;
    const first = seen.findIndex(out);  // the count may have room where this one has none; each try lays out anew
    if (first < 0) return;
    const away = element("li", "away"), last = cut || tall < TWO_ROWS ? "" : `, last: ${seen.at(-1).querySelector(".name").textContent}`;
    for (const stays of cut ? [(chip) => chip.matches(".gold"), () => false] : [() => false]) {
      for (let kept = first; kept >= 0; kept -= 1) {
        const left = seen.slice(kept).filter((chip) => !stays(chip));
        if (!left.length) continue;
        if (cut) for (const chip of seen) chip.hidden = left.includes(chip);
        left[0].before(away);
        away.textContent = `+${left.length} more${last}`;
        if (!(cut ? [...seen.filter(({ hidden }) => !hidden), away] : [away]).some(out)) return;
      }
    }
  }

  // On a stage a list ends with a whole row, or where prose is longer with a whole line. A list that is as tall as what is
  // in it keeps its height.
  snap() {
    if (this.chips) { this.countAway(); return; }
    this.below.textContent = "";
    if (!this.ranked) this.bringBack();
    this.fitRows();
    if (!this.ranked) this.bringUp();
    if (this.countBelow()) { this.fitRows(); if (!this.ranked) this.bringUp(); this.countBelow(); }  // which may have made the heading taller
    if (this.brought && this.list.scrollTop === this.scrolled) this.reveal();
  }

  // What must not be missed is seen without a scroll.
  bringUp() {
    this.tellBriefly();
    this.bringBack();
    this.raise();
  }

  // All rows are told briefly where they have no room else, and on a stage each that is long.
  tellBriefly() {
    const { list } = this, texts = [...list.querySelectorAll("[data-brief]")], crowded = (of) => of && of.scrollHeight > of.clientHeight + 1;
    const tell = (most) => { for (const text of texts) text.textContent = text.dataset[text.dataset.whole.length > most ? "brief" : "whole"]; };
    if (!texts.length) return;
    tell(!list.closest(".presenting") ? Infinity : texts.length > 1 ? MOST_TOLD : 2 * MOST_TOLD);
    if (crowded(list) || crowded(list.closest(".middle"))) tell(0);
  }

  // Gold that was not taken is seen without a scroll: where it would be out of sight it stands below the last that was
  // taken, which it is told against, or where nothing was below the first. On a stage all whose place is told are seen.
  raise() {
    const { list } = this, taken = [...list.querySelectorAll(".row.taken:not(.placed)")];
    const seen = () => list.clientHeight - (!this.lines && list.scrollHeight > list.clientHeight + 1 ? FADES : 0), bottom = (row) => row.offsetTop + row.offsetHeight;
    const told = list.querySelectorAll(this.lines ? ".row.placed" : ".row.placed.refused"), out = [...told].filter((row) => bottom(row) > seen());
    const refused = out.filter((row) => row.matches(".refused")), before = [...list.querySelectorAll(".row.taken")].at(-1) ?? list.querySelector(".row.refused");
    const moved = refused.filter((row) => row !== before);
    const skips = !this.lines && moved.length && moved[0].previousElementSibling !== before;
    if (!list.querySelector(".gap")) before?.after(...(skips ? [gapRow()] : []), ...moved);
    if (this.lines && moved.length) this.list.style.maxHeight = `${this.wholeRows(this.room)}px`;  // there may be more room than for the rows that stood there
    const past = () => (out.length ? bottom(out.at(-1)) - seen() : 0);
    if (this.lines) this.leaveOut(taken, out[0], past);
    else if (Math.abs(list.scrollTop - this.scrolled) < 1) { list.scrollTop = Math.max(0, past()); this.scrolled = list.scrollTop; }
  }

  // On a stage nobody scrolls: as long as the last of what is told, of which `first` is the first, is `past` the end rows before
  // it are left out, the dots for them and the first only then. Refused gold keeps the last that was taken beside it for longest.
  leaveOut(taken, first, past) {
    if (past() <= 1) return;
    const gap = gapRow(), last = first.matches(".refused") && taken.length > 1 ? taken.at(-1) : null;
    const middle = taken.slice(1).filter((row) => row !== last).reverse();
    if (middle.length) (last ?? first).before(gap);
    for (const one of [...middle, gap, taken[0], last]) if (one && past() > 1) one.hidden = true;
    last?.classList.toggle("nth", gap.hidden && middle.some(({ hidden }) => hidden));  // its place says that some are left out
  }

  // Where rows of a step have no room its heading says how many are seen: nobody scrolls in front of an audience.
  countBelow() {
    const { list, below } = this, end = this.lines && !this.ranked ? list.clientHeight : Infinity;
    const away = (row) => (row.hidden && !this.ranked) || (row.offsetHeight && row.offsetTop + row.offsetHeight > end + 1);
    const aside = list.querySelector(".taken") ? ".reason, .gap, .prose, .refused, .none" : ".reason, .gap, .prose";  // of what is taken, if anything is
    const out = [...list.children].filter((row) => !row.matches(aside) && away(row)), seen = [...this.rows.values()].filter((row) => row.offsetHeight && !row.matches(aside) && !out.includes(row));
    if (!this.ranked) below.textContent = out.length ? `${this.shown.note ? "· " : ""}${seen.length} shown` : "";
    return out.length;
  }

  bringBack() {
    if (this.lines) this.list.querySelector(".gap")?.remove();
    for (const row of this.list.querySelectorAll(".row[hidden]")) row.hidden = false;
    this.list.querySelector(".nth")?.classList.remove("nth");
  }

  fitRows() {
    const tall = parseFloat(getComputedStyle(this.list).getPropertyValue("--row-tall")), { room } = this;
    const rows = Math.max(0, Math.floor(room / tall) || 0);
    this.box.classList.toggle("cramped", this.ranked && tall > 0 && rows < LEAST_ROWS);
    this.list.style.maxHeight = rows ? `${this.ranked ? rows * tall + 2 : this.wholeRows(room)}px` : "";
    Object.assign(this, { tall: 0, lines: rows });
    this.gather();
  }

  get room() { return this.box.clientHeight - this.head.offsetHeight - 2; }

  gather() {
    if (!this.ranked) return;
    gather(this.list, this.lines || Infinity);
    const rows = [...this.rows.values()], seen = Math.min(this.lines || Infinity, rows.filter(({ hidden }) => !hidden).length);
    this.below.textContent = this.ended && seen < rows.length ? `· ${seen} shown` : "";
  }

  // How much of so much room whole rows take, which are of several heights: what is cut has two lines where as many rows
  // are seen then, or enough of them.
  wholeRows(room) {
    const { list } = this, within = () => [...list.children].filter((row) => row.offsetHeight && !row.matches(".reason")).map((row) => row.offsetTop + row.offsetHeight).filter((end) => end <= room);
    list.classList.remove("double");
    const single = within(), cut = (of) => of.clientWidth && (of.scrollWidth > of.clientWidth + 1 || of.scrollHeight > of.clientHeight + 2);
    const wanted = list.querySelector(".origin") || [...list.children].slice(0, single.length).some((row) => [...row.querySelectorAll(".name, .name > *")].some(cut));
    list.classList.toggle("double", Boolean(wanted));
    const double = wanted ? within() : single, told = double.length >= Math.min(LEAST_DOUBLE, single.length);
    if (!told) list.classList.remove("double");
    const ends = told ? double : single;
    const line = parseFloat(getComputedStyle(this.list).lineHeight);
    return 2 + (ends.at(-1) ?? Math.floor(room / line) * line);
  }

  key({ node, line, text }, taken) {
    let key = `${node ?? ""}:${this.chips || this.ranked ? "" : line ?? ""}:${node === undefined ? text : ""}`;
    while (taken.has(key)) key += "'";
    return key;
  }

  headline({ title, note, measure, keys }) {
    const names = element("span", "keys"), visits = this.ranked && this.shown.rows.some(({ times: count }) => count);
    if (visits) names.append(holding("span", "visits", element("span", "n", "×n "), "visits"));
    else names.append(element("span", "unit", unit(this.shown)));
    if (keys.length > MOST_KEYS) names.append(element("span", "pointed", `${keys.length} parts: point at a row to read them`));
    else for (const [i, { tone, name, meaning }] of keys.entries()) {
      const one = element("span", "", name);
      one.title = meaning;
      one.prepend(i ? "+ " : `${measure} = `, element("i", `tone-${tone}`));
      names.append(one);
    }
    this.head.replaceChildren(element("b", "", title), holding("span", "noted", element("span", "note", note), this.below), names);
    this.head.title = note ? `${title}: ${note}` : title;
  }

  fill(item, row, i, board) {
    const node = this.nodes[row.node], title = row.called ?? ((board.bare && node?.bare) || (node?.label ?? ""));
    const [state, sign] = SIGNS[row.sign] ?? ["", ""];
    setClass(item, ["row", state, row.faint && "faint", node?.gold && "gold", row.of && "placed", !node && row.text && "prose", !node && row.text?.length > WORDY && "long"].filter(Boolean).join(" "));
    item.dataset.node = row.node ?? "";
    item.dataset.line = row.line ?? "";
    const cells = [];
    const rank = String((row.place ?? i + 1) || ""), placed = row.of ? `${row.place} of ${row.of.toLocaleString("en")}` : "";
    if (this.ranked) cells.push(element("span", "rank", node || row.score ? rank : ""));
    if (sign && !(this.chips && !row.sign)) cells.push(element("span", "sign", sign));
    const name = element("span", "name");
    name.dataset.place = row.place ? `rank ${row.place}` : "";
    if (node?.gold) name.append(element("span", "star", starOf(node.gold)));
    if (title) name.append(...(node.kind === "relation" ? related(title) : titled(title)));
    if (row.text) name.append(textOf(row));
    if (row.fact) name.append(holding("span", "evidence", element("mark", "highlight", row.fact)));
    if (row.origin) name.append(words("origin", `from ${row.origin}`));
    cells.push(name);
    const note = row.why ?? row.note;  // why it was not taken, before what speaks for it
    if (note && !this.chips) (node ? name : cells)[node ? "append" : "push"](words(row.why ? "note why" : "note", note));
    if (placed) cells.push(element("span", "place", placed));
    if (row.parts?.length) cells.push(bar(row.parts, board));
    if (this.ranked) cells.push(times(item, row.times ?? 0));
    if (row.score !== undefined) cells.push(element("span", "score", row.score));
    item.replaceChildren(...cells);
    item.title = [title, row.text, row.origin && `from ${row.origin}`, row.note, row.why, told(row, board)].filter(Boolean).join("\n");
    item.setAttribute("aria-label", [state, this.ranked && node && rank && `rank ${rank}`, node?.gold && "gold", placed, title, row.text, row.origin && `from ${row.origin}`, row.note, row.why,
      row.times && `${row.times} ${row.times === 1 ? "visit" : "visits"}`, told(row, board)].filter(Boolean).join(", "));
  }

  // Once at the `end` of a film whose list has gold below its cut: both are brought into sight, or the gold
  // where they are too far apart. Elsewhere the list begins at its first row.
  bring(end) {
    this.ended = end;
    this.gather();
    const lost = end ? [...this.list.querySelectorAll(".cut ~ .row.gold")].at(-1) ?? null : null;
    if (lost === this.brought) return;
    this.brought = lost;
    this.reveal();
  }

  // Again where there is less room than there was, unless somebody has scrolled.
  reveal() {
    const { brought: lost, list } = this;
    list.scrollTop = lost ? lost.offsetTop + lost.offsetHeight - list.clientHeight : 0;
    this.scrolled = list.scrollTop;
  }

  // How many rows down each row stands, the cut-off line left out.
  places() { return new Map([...this.rows.keys()].map((key, i) => [key, i])); }

  // What stays in a ranking slides from where it was, what is new comes in. All rows are equally tall:
  // to read where they stand would make the browser lay out the page once more at every step.
  slide(before) {
    if (this.ranked && !this.tall) this.tall = this.list.querySelector(".row")?.offsetHeight ?? 0;
    for (const [key, now] of this.places()) {
      const was = before.get(key), item = this.rows.get(key);
      if (was === undefined) item.animate([{ opacity: 0, translate: "12px 0" }, { opacity: 1, translate: "0 0" }], { duration: 260, easing: "ease-out" });
      else if (this.ranked && was !== now) {
        item.animate([{ translate: `0 ${(was - now) * this.tall}px` }, { translate: "0 0" }], { duration: 300, easing: "ease-in-out" });
      }
    }
  }
}

const gapRow = () => element("li", "none gap", "…");

function textOf({ text, brief }) {
  const made = words("text", text);
  if (brief) Object.assign(made.dataset, { whole: text, brief });
  return made;
}

function words(className, text) {
  const made = element("span", className, text);
  made.dir = "auto";
  return made;
}

// Stacked parts, as wide as their share of the board's top; an addend below 0 has no width.
function bar(parts, { keys, top }) {
  const made = element("span", "bar");
  parts.forEach((value, i) => {
    const piece = element("i", `tone-${keys[i]?.tone ?? "a"}`);
    piece.style.width = `${top > 0 ? (100 * Math.min(top, Math.max(0, value))) / top : 0}%`;
    made.append(piece);
  });
  return made;
}

function times(item, count) {
  const made = element("span", "times", count ? `×${count}` : "");
  if (count > (+item.dataset.times || 0) && item.dataset.times && !still()) {
    made.animate([{ scale: "1.7", color: "var(--now)" }, { scale: "1" }], { duration: 420, easing: "ease-out" });
  }
  item.dataset.times = count;
  return made;
}

function told({ parts, score }, { keys }) {
  if (!parts?.length) return score ?? "";
  const sum = parts.map((value, i) => (value ? `${keys[i]?.name} ${value.toFixed(placesOf(score)).replace("-", "−")}` : "")).filter(Boolean).join(" + ");
  return [score, sum].filter(Boolean).join(" = ");
}

// As many decimals as the score has that they add up to.
const placesOf = (score) => score?.split(".")[1]?.length ?? 3;

function cutLine(text) {
  const made = element("li", "cut");
  made.append(element("span", "", text));
  return made;
}

// Of a relation both ends are told, also where its name is cut: the first of them gives way.
function related(title) {
  const at = title.indexOf(RELATED);
  return at < 0 ? [words("title", title)] : [words("title from", title.slice(0, at)), words("title to", title.slice(at))];
}

// A name in its two parts, of which the first gives way: the heading tells it from the others of its document.
function titled(title) {
  const at = title.lastIndexOf(HEADED);
  return at < 0 ? [words("title", title)] : [words("title document", title.slice(0, at)), words("title heading", title.slice(at))];
}

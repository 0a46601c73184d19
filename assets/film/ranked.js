// The rankings of several retrievers beside each other, for an audience: as many ranks as the window has room for,
// and below them the gold that stands lower or was lost. What is said of each was decided before
// (pages/components/compare/staging); here it is laid out.

const FEWEST = 3;                           // ranks that are shown however little room there is
const ENOUGH = 8;                           // the same before what became of lost gold is left out
const MOST_LINES = 3.5;                     // of what is told above them
const DOTS = 2;                             // letters that the sign of what is cut may hide

class Ranked extends Staged {
  constructor(root, opener) {
    super(root);
    this.asked = element("header", "asked");
    this.told = element("p", "caption");
    this.told.dir = "auto";
    this.lists = element("div", "lists");
    this.keyLine = element("p", "legend-line");
    this.root.replaceChildren(this.asked, this.told, this.lists, this.keyLine, this.keys.box);
    this.opener = wordButton("Presenter mode", () => this.present(true), "opener");
    this.opener.title = "p";
    opener.replaceChildren(this.opener, wordButton("?", () => this.keys.toggle(), "opener"));
    this.onSize = () => this.staged();
    addEventListener("resize", this.onSize);
  }

  get home() { return this.opener; }

  get actions() { return { ...super.actions, d: () => this.press(VIEWS, DIFFERENCE) }; }

  get heard() {
    const walk = [["Tab", "Go to the next column, which is one stop."], ["↑ ↓", "Go through a column."], ["Enter", "Open the passage, on the page."]];
    return [["Columns", walk], ["Compare", [["d", "Go to the difference of two."]]], ...super.heard];
  }

  destroy() {
    super.destroy();
    removeEventListener("resize", this.onSize);
  }

  load(data) {
    this.data = data;
    this.asked.replaceChildren(words("query", data.query), words("by", data.by));
    this.keyLine.replaceChildren(words("moves", data.key), element("span", "leave", "[ ] question · d difference · ? keys · Esc leaves"));
    this.staged();
    this.arrived();
  }

  staged() {
    if (!this.presenting) return;
    enlarge(this.root);  // of the window that there is now, which may just have changed
    this.tell();
    const { columns } = this.data;
    this.lists.style.setProperty("--columns", columns.length);
    const most = Math.max(...columns.map(({ rows }) => rows.length)), fits = () => this.lists.scrollHeight <= this.lists.clientHeight;
    for (const [least, fates] of [[Math.min(most, ENOUGH), true], [FEWEST, false]]) {
      for (let shown = most; shown >= least; shown -= 1) {
        this.fill(shown, { fates });
        if (fits()) return;
      }
    }
    for (let extra = Math.max(...columns.map((column) => lower(column, FEWEST).length)) - 1; extra >= 0 && !fits(); extra -= 1) this.fill(FEWEST, { extra });
  }

  // Who found how much, and of why as much as has room.
  tell() {
    const { told, data: { why, told: verdict } } = this;
    for (let most = why.length; most >= 0; most -= 1) {
      told.replaceChildren(words("verdict", verdict), ...why.slice(0, most).map((one) => words("", ` ${one}`)));
      if (told.scrollHeight < MOST_LINES * parseFloat(getComputedStyle(told).lineHeight)) return;
    }
  }

  // A row of the grid for the heads, one for each rank, and those of gold that stands lower: so many of them, and whether
  // what became of it is told.
  fill(shown, { extra = Infinity, fates = false }) {
    const columns = this.data.columns.map((column, x) => {
      const below = lower(column, shown), told = below.slice(0, extra);
      if (told.length < below.length) told.push({ title: `${below.length - told.length} more gold`, gold: "", rank: "" });
      const made = [headCell(column), ...column.rows.slice(0, shown).map((row) => hitCell(row))];
      const hidden = column.rows.slice(shown).filter(({ gold }) => !gold).length;
      if (hidden > 0) told.unshift({ title: `… ${hidden} more`, gold: "", rank: "" });
      const ends = told.map((row, i) => { const cell = hitCell(row, fates); if (!i) cell.classList.add("first"); return cell; });
      made.forEach((cell, y) => { cell.style.gridArea = `${y + 1} / ${x + 1}`; });
      ends.forEach((cell, y) => { cell.style.gridArea = `${shown + y + 2} / ${x + 1}`; });
      const list = element("div", "list");
      list.setAttribute("role", "list");
      list.setAttribute("aria-label", column.title);
      list.append(...made, ...ends);
      walked(list, ".hit");
      return list;
    });
    keepingFocus(this.lists, () => this.lists.replaceChildren(...columns));
    this.tellApart();
  }

  // Names that would read the same where they are cut are written whole.
  tellApart() {
    const all = new Set(this.data.columns.flatMap(({ rows, missed }) => [...rows, ...missed].map(({ title }) => title)));
    const cuts = [...this.lists.querySelectorAll(".hit:not(.is-gold)")].map((hit) => [hit, [...hit.querySelectorAll(".title")].map(readOf)]);
    for (const [hit, parts] of cuts.filter(([, parts]) => parts.some(({ cut }) => cut))) {
      const own = parts.map(({ text }) => text).join("");
      const alike = (title) => { const other = titled(title).map((part) => part.textContent); return other.length === parts.length && parts.every(({ read }, i) => read(other[i])); };
      if ([...all].some((title) => title !== own && alike(title))) hit.classList.add("whole");
    }
    for (const hit of this.lists.querySelectorAll(".hit:is(.is-gold, .whole):has(.move)")) hit.classList.toggle("under", breaksWord(hit.querySelector(".titles")));
  }
}

// Gold below the first `shown` ranks, and gold that was not kept.
const lower = ({ rows, missed }, shown) => [...rows.slice(shown).filter(({ gold }) => gold), ...missed];

function headCell({ badge, tint, title, beside, found, told }) {
  const made = element("div", "head-cell"), sign = element("b", "letters", badge);
  sign.style.background = tint;
  made.append(sign, words("title", title), words("found", [found, told, beside].filter(Boolean).join(" · ")));
  return made;
}

// Gold that was lost has its name first, and what became of it behind that or below.
function hitCell({ rank, title, gold, move, kind, said, fate }, fates = false) {
  const made = element("div", `hit ${gold ? "is-gold" : ""} ${fate ? "missed" : ""} ${fate && !rank ? "unranked" : ""}`.trim());
  const name = element("span", "name"), titles = element("span", "titles");
  if (gold) name.append(element("span", "star", starOf(gold)));
  titles.append(...titled(title));
  name.append(titles);
  made.append(...(fate && !rank ? [name] : [element("span", "rank", String(rank ?? "")), name]));
  if (fate && !rank && fates) made.append(words("fate", fate));
  made.title = [title, [fate, said].filter(Boolean).join(", ")].filter(Boolean).join(": ");
  made.setAttribute("role", "listitem");
  made.setAttribute("aria-label", [rank && `${rank}.`, made.title, gold && "gold"].filter(Boolean).join(" "));
  if (move) made.append(element("span", `move ${kind}`, move));
  return made;
}

// Whether a word of a name is wider than its room: what stands beside it goes below it then.
function breaksWord(titles) {
  titles.classList.add("unbroken");
  const wide = titles.scrollWidth > titles.clientWidth + 1;
  titles.classList.remove("unbroken");
  return wide;
}

// Whether a name is cut, and whether all of it that can be read is what another one begins with.
function readOf(part) {
  const text = part.textContent, cut = part.scrollHeight > part.clientHeight + 2 || part.scrollWidth > part.clientWidth + 1;
  if (!cut) return { text, cut, read: (other) => other === text };
  const box = part.getBoundingClientRect(), range = document.createRange();
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    range.setStart(part.firstChild, middle);
    range.setEnd(part.firstChild, middle + 1);
    const { left, right, bottom } = range.getBoundingClientRect();
    if (left >= box.left - 1 && right <= box.right + 1 && bottom <= box.bottom + 3) low = middle + 1;
    else high = middle;
  }
  const some = text.slice(0, Math.max(1, low - DOTS));
  return { text, cut, read: (other) => other.startsWith(some) };
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".film");
  const held = (root.hopRanked ??= {});
  held.shown ??= new Ranked(root, parentElement.querySelector(".opens"));
  root.classList.toggle("dark", isDark(root));
  if (held.rev !== data.rev) {
    held.rev = data.rev;
    held.shown.load(JSON.parse(data.ranked));
  }
  return () => { held.shown.destroy(); root.hopRanked = null; root.replaceChildren(); };
}

// The rankings of several retrievers beside each other, for an audience: as many ranks as the window has room for,
// and below them the gold that stands lower or was lost. What is said of each was decided before
// (pages/components/compare/staging); here it is laid out.

const FEWEST = 3;                           // ranks that are shown however little room there is

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

  get heard() {
    const walk = [["Tab", "Go to the next column, which is one stop."], ["↑ ↓", "Go through a column."], ["Enter", "Open the passage."]];
    return [["Columns on the page", walk], ...super.heard];
  }

  destroy() {
    super.destroy();
    removeEventListener("resize", this.onSize);
  }

  load(data) {
    this.data = data;
    this.asked.replaceChildren(words("query", data.query), words("by", data.by));
    this.told.replaceChildren(words("verdict", data.told));
    this.keyLine.replaceChildren(words("moves", data.key), element("span", "leave", "[ ] previous / next question · ? keys · Esc leaves"));
    this.staged();
    this.arrived();
  }

  staged() {
    if (!this.presenting) return;
    const { columns } = this.data;
    this.lists.style.setProperty("--columns", columns.length);
    const most = Math.max(...columns.map(({ rows }) => rows.length)), fits = () => this.lists.scrollHeight <= this.lists.clientHeight;
    for (let shown = most; shown >= FEWEST; shown -= 1) {
      this.fill(shown);
      if (fits()) return;
    }
    for (let extra = Math.max(...columns.map((column) => lower(column, FEWEST).length)) - 1; extra >= 0 && !fits(); extra -= 1) this.fill(FEWEST, extra);
  }

  // A row of the grid for the heads, one for each rank, and those of gold that stands lower.
  fill(shown, extra = Infinity) {
    const cells = this.data.columns.flatMap((column, x) => {
      const below = lower(column, shown), told = below.slice(0, extra);
      if (told.length < below.length) told.push({ title: `${below.length - told.length} more gold`, gold: "", rank: "" });
      const made = [headCell(column), ...column.rows.slice(0, shown).map(hitCell)];
      const hidden = column.rows.length - shown - below.filter(({ rank }) => rank).length;
      if (hidden > 0) told.unshift({ title: `… ${hidden} more`, gold: "", rank: "" });
      const ends = told.map((row, i) => { const cell = hitCell(row); if (!i) cell.classList.add("first"); return cell; });
      made.forEach((cell, y) => { cell.style.gridArea = `${y + 1} / ${x + 1}`; });
      ends.forEach((cell, y) => { cell.style.gridArea = `${shown + y + 2} / ${x + 1}`; });
      return [...made, ...ends];
    });
    this.lists.replaceChildren(...cells);
  }
}

// Gold below the first `shown` ranks, and gold that was not kept.
const lower = ({ rows, missed }, shown) => [...rows.slice(shown).filter(({ gold }) => gold), ...missed];

function headCell({ badge, tint, title, beside, found, told }) {
  const made = element("div", "head-cell"), sign = element("b", "letters", badge), name = words("title", title);
  sign.style.background = tint;
  if (beside) name.append(element("span", "by", ` ${beside}`));
  made.append(sign, name, words("found", [found, told].filter(Boolean).join(" · ")));
  return made;
}

function hitCell({ rank, title, gold, move, kind, fate }) {
  const made = element("div", `hit ${gold ? "is-gold" : ""} ${fate ? "missed" : ""}`.trim());
  const name = element("span", "name");
  if (gold) name.append(element("span", "star", starOf(gold)));
  name.append(...titled(title));
  made.append(element("span", "rank", String(rank ?? "")), name);
  if (fate && !rank) made.append(element("span", "fate", fate));
  made.title = [title, fate].filter(Boolean).join(": ");
  if (move) made.append(element("span", `move ${kind}`, move));
  return made;
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

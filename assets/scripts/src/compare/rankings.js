// The rankings of several retrievers side by side, for an audience: as many ranks as the window has
// room for, and below them gold that ranks lower or was lost.

import { button, el } from "../common/dom.js";
import { PresentedView, VIEWS, VIEW_SWITCH, fitSentences, keepView } from "../common/presenting.js";
import { roving } from "../common/arrow_keys.js";
import { starOf } from "../common/text.js";

/** @import { ColumnData, RankingsData, RowData } from "../types/rankings" */
/** @import { KeyGroups } from "../common/keys.js" */

const FEWEST = 3;
const ENOUGH = 8; // ranks, before reasons of a loss are left out

class Rankings extends PresentedView {
  /** @param {HTMLDialogElement} root @param {HTMLElement} opener */
  constructor(root, opener) {
    super(root);
    this.opener = button("Presenter mode", "p", () => this.present(true), { class: "opener" });
    opener.replaceChildren(
      this.opener,
      button("?", "Keys", () => this.showKeys(), { class: "opener" }),
    );
    this.told = el("p.told", { dir: "auto" });
    this.lists = el("div.lists");
    this.resized = new ResizeObserver(() => this.show());
    this.resized.observe(root);
  }

  get home() {
    return this.opener;
  }

  get actions() {
    return { ...super.actions, d: () => this.press(VIEW_SWITCH, VIEWS.difference) };
  }

  /** @returns {KeyGroups} */
  get keyGroups() {
    return {
      Columns: {
        Tab: "Move to the next column",
        "↑ ↓": "Move within a column",
        Enter: "Open the passage (on the page)",
      },
      Compare: { d: "Difference between two retrievers" },
      ...super.keyGroups,
    };
  }

  destroy() {
    this.resized.disconnect();
    super.destroy();
  }

  /** @param {RankingsData} data */
  load(data) {
    this.data = data;
    this.columns = data.columns.map(columnOf);
    this.lists.style.setProperty("--columns", String(data.columns.length));
    this.lists.replaceChildren(...this.columns);
    this.root.replaceChildren(
      el(
        "header.asked",
        {},
        el("h2", { dir: "auto" }, data.query),
        el("span.quiet", {}, `top ${data.top_k}`),
      ),
      this.told,
      this.lists,
      el(
        "footer",
        {},
        el("span", { dir: "auto" }, data.signs),
        el("span.hints", {}, "[ ] query · d difference · ? keys · Esc exit"),
      ),
    );
    this.show();
    this.arrived();
  }

  show() {
    if (!this.presenting || !this.data) return;
    const { verdict, reasons } = this.data;
    fitSentences(
      this.told,
      [...reasons, ""].map((_, n) => [verdict, ...reasons.slice(0, reasons.length - n)]),
    );
    const most = Math.max(...this.data.columns.map(({ rows }) => rows.length));
    const fits = () => this.lists.scrollHeight <= this.lists.clientHeight;
    for (const [least, reasonsOfLoss] of /** @type {[number, boolean][]} */ ([
      [Math.min(most, ENOUGH), true],
      [FEWEST, false],
    ])) {
      this.lists.classList.toggle("brief", !reasonsOfLoss);
      for (let shown = most; shown >= least; shown -= 1) {
        this.showRanks(shown);
        if (fits()) return;
      }
    }
  }

  /** Show the first ranks, and gold below them. @param {number} shown */
  showRanks(shown) {
    for (const column of this.columns ?? []) {
      const rows = /** @type {HTMLElement[]} */ ([...column.querySelectorAll("li.kept")]);
      for (const [n, row] of rows.entries()) row.hidden = n >= shown && !row.classList.contains("is-gold");
      const left = rows.filter((row) => row.hidden).length;
      const rest = /** @type {HTMLElement} */ (column.querySelector("li.rest"));
      rest.textContent = left ? `… ${left} more` : "";
      column.insertBefore(rest, rows[shown] ?? column.querySelector("li.is-lost"));
    }
  }
}

/** @param {ColumnData} column */
function columnOf({ badge, tint, title, note, found, problem, rows, lost }) {
  const list = el(
    "ol",
    { "aria-label": title },
    el(
      "li.head",
      {},
      el("b.badge", { "--tint": tint }, badge),
      el("b", { dir: "auto" }, title),
      el("small", {}, [found, problem, note].filter(Boolean).join(" · ")),
    ),
    ...rows.map((row) => rowOf(row, "kept")),
    el("li.rest"),
    ...lost.map((row) => rowOf(row, "is-lost")),
  );
  roving(list, "li.kept:not([hidden]), li.is-lost");
  return list;
}

/** @param {RowData} row @param {string} look */
function rowOf({ rank, title, gold, sign, move, move_told: moveTold, loss }, look) {
  const told = [title, [loss, moveTold].filter(Boolean).join(", ")].filter(Boolean).join(": ");
  return el(
    `li.${look}${gold ? ".is-gold" : ""}`,
    {
      title: told,
      "aria-label": [rank && `${rank}.`, told, gold && "gold"].filter(Boolean).join(" "),
    },
    el("span.rank", {}, rank ?? ""),
    el("span.name", { dir: "auto" }, gold && starOf(gold), title),
    sign && el(`span.move.is-${move}`, {}, sign),
    loss && !rank && el("span.loss", { dir: "auto" }, loss),
  );
}

/** @param {{ data: any, parentElement: HTMLElement }} component */
export default function mount({ data, parentElement }) {
  const root = /** @type {HTMLDialogElement} */ (parentElement.querySelector(".rankings"));
  const opener = /** @type {HTMLElement} */ (parentElement.querySelector(".opens"));
  return keepView(
    root,
    data,
    () => new Rankings(root, opener),
    () => JSON.parse(data.rankings),
  );
}

// Made by `python -m core.compare.schema` from core/compare/contract.py.

export type Marked = "" | "given" | "rules" | "hand";

export type Move = "" | "only" | "new" | "same" | "up" | "down";

/**
 * A passage of a ranking, or gold that the ranking lacks.
 *
 * `rank` is None if it is unknown. `sign` is the sign of its move, `move_told` the move in words.
 * `loss` says how gold was lost, empty for a passage of the ranking.
 */
export interface RowData {
  rank: number | null;
  title: string;
  gold: Marked;
  sign: string;
  move: Move;
  move_told: string;
  loss: string;
}

/**
 * A retriever with its ranking and the gold that it lost.
 *
 * `badge` and `tint` are the letters and the colour of its sign. `note` stands beside its title:
 * what replaced its language model. `found` counts the gold that it retrieves. `problem` says why
 * there is no ranking.
 */
export interface ColumnData {
  badge: string;
  tint: string;
  title: string;
  note: string;
  found: string;
  problem: string;
  rows: RowData[];
  lost: RowData[];
}

/**
 * What an audience sees of rankings side by side.
 *
 * `verdict` says which retriever did better, `reasons` why, most important first. `signs` explains
 * the signs beside ranks.
 */
export interface RankingsData {
  query: string;
  top_k: number;
  verdict: string;
  reasons: string[];
  signs: string;
  columns: ColumnData[];
}

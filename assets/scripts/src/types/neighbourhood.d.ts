// Made by `python -m core.explore.schema` from core/explore/contract.py.

export type Marked = "" | "given" | "rules" | "hand";

export type PassageRole = "centre" | "held" | "expanded" | "collapsed" | "neighbour";

export type EdgeRole = "between" | "tree" | "across";

export type Side = -1 | 0 | 1;

/**
 * A passage. `fade` is 0 for the strongest third, 1 and 2 for the weaker ones.
 */
export interface PassageData {
  id: string;
  title: string;
  text: string;
  gold: Marked;
  role: PassageRole;
  fade: number;
}

/**
 * An edge from passage `source`, which raises `raised`, to `target`, which answers `question`.
 *
 * `fade` is as of a passage.
 */
export interface EdgeData {
  id: string;
  source: string;
  target: string;
  raised: string;
  question: string;
  jaccard: number;
  cosine: number;
  similarity: number;
  role: EdgeRole;
  fade: number;
}

/**
 * How many passages are not drawn behind a passage.
 *
 * `passage` is of the same column, or it is the centre. `told` says in words what is counted.
 */
export interface CountData {
  passage: string;
  label: string;
  told: string;
}

/**
 * The passages at one distance from the centre on one side of it.
 *
 * They are in the order of a depth-first walk of the best paths, so no two of these cross.
 */
export interface ColumnData {
  heading: string;
  side: Side;
  passages: PassageData[];
  counts: CountData[];
}

/**
 * A drawn neighbourhood, its columns from left to right.
 *
 * `note` says how much of what there is the columns hold.
 */
export interface NeighbourhoodData {
  title: string;
  note: string;
  columns: ColumnData[];
  edges: EdgeData[];
}

/**
 * A whole graph; the page draws the neighbourhood of one passage at a time.
 *
 * `start` is the passage with most edges, empty if there is no passage.
 */
export interface GraphData {
  title: string;
  note: string;
  start: string;
  passages: PassageData[];
  edges: EdgeData[];
}

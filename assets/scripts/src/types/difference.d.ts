// Made by `python -m core.difference.schema` from core/difference/contract.py.

export type Marked = "" | "given" | "rules" | "hand";

export type Kind = "passage" | "sentence" | "entity" | "fact" | "relation" | "cluster" | "community" | "field" | "query" | "speaker";

export type Whose = "a" | "b" | "both";

export type NodeWhose = "a" | "b" | "both" | "reached" | "neither";

export type GoldWhose = "a" | "b" | "both" | "missed" | "neither";

export type EdgeWhose = "a" | "b" | "both" | "not_a" | "not_b" | "refused_a" | "refused_b" | "refused";

export type ViewName = "focus" | "everything";

export type Side = "a" | "b";

/**
 * A node of the drawing.
 *
 * `label` is its whole title, `name` what stands beside its sign: without the kind, which the
 * column says. `ranks` are told before the name in a column that ranks. `standings` say where it
 * ended in A and in B. `lost` is true for gold that both lost.
 */
export interface NodeData {
  id: string;
  kind: Kind;
  label: string;
  name: string;
  text: string;
  gold: Marked;
  ranks: string;
  whose: NodeWhose;
  lost: boolean;
  standings: [string, string];
}

/**
 * An edge between two nodes.
 *
 * `question` is its pseudo-query, or the label of another line. `scores` are empty for a line that
 * is no edge of the hop graph. `leads` is true if a view of the focus shows it: it leads to a
 * retrieved passage, to gold or to a sub-question, or gold was refused on it.
 */
export interface EdgeData {
  id: string;
  source: number;
  target: number;
  question: string;
  scores: string;
  directed: boolean;
  whose: EdgeWhose;
  leads: boolean;
}

/**
 * Nodes of a column that are counted and not drawn.
 */
export interface CountData {
  label: string;
  nodes: number[];
}

/**
 * A column of a view with its nodes from top to bottom.
 */
export interface ColumnData {
  heading: string;
  nodes: number[];
  left_out: CountData[];
}

/**
 * A term of the legend. `name` is the `whose` of a node, of gold or of an edge; `hand` and
 * `gold` mark gold.
 */
export interface LegendData {
  of: "node" | "gold" | "edge";
  name: string;
  label: string;
}

/**
 * A gold passage, and where it ended in A and in B; `lost` says in which of them it was lost.
 *
 * `node` is None if nothing of it is drawn. `by` says who marked it by hand and when, if known.
 */
export interface GoldData {
  node: number | null;
  name: string;
  marked: Marked;
  by: string;
  ends: [string, string];
  lost: [boolean, boolean];
  whose: GoldWhose;
}

/**
 * What one of them did at a place: at step `t`, in words, and the nodes it took. `refused` is
 * gold that was a candidate and was not taken.
 */
export interface DoneData {
  t: number;
  text: string;
  nodes: number[];
  refused: number[];
}

/**
 * A place at which one of them or both did something.
 *
 * `node` is None if it is not drawn, a side that was not there is None. `same` is true if both did
 * the same.
 */
export interface PlaceData {
  name: string;
  node: number | null;
  same: boolean;
  a: DoneData | null;
  b: DoneData | null;
}

/**
 * A round of either retrieval, with its nodes in order.
 */
export interface RoundData {
  label: string;
  places: PlaceData[];
}

/**
 * The first place at which they part, in a sentence and in a `short` one.
 *
 * `same` is true if they never part, `alike` if both do something of one kind there, so that it
 * explains why they part.
 */
export interface PartingData {
  text: string;
  short: string;
  node: number | null;
  same: boolean;
  alike: boolean;
}

/**
 * A stop for an audience: what is told there, the nodes shown by then, and those it tells of.
 *
 * The last stop has no `text` and shows all nodes.
 */
export interface StopData {
  text: string;
  nodes: number[];
  lit: number[];
}

/**
 * One of the two retrievals: its title, its key with settings, and its cost.
 *
 * `name` is what sentences call it, `sign` what the drawing and the tables call it.
 */
export interface SideData {
  title: string;
  name: string;
  sign: string;
  retriever: string;
  footer: string;
}

/**
 * Two retrievals in one layout.
 *
 * `answer` says what the answer is and which of them has it, empty if unknown. `walker` is the one
 * whose steps are listed if the other takes none; `beside` says what that other one did.
 */
export interface DifferenceData {
  query: string;
  a: SideData;
  b: SideData;
  nodes: NodeData[];
  edges: EdgeData[];
  views: Record<string, ColumnData[]>;
  stops: StopData[];
  legend: LegendData[];
  parting: PartingData;
  answer: string;
  rounds: RoundData[];
  walker: "" | "a" | "b";
  beside: string;
  gold: GoldData[];
}

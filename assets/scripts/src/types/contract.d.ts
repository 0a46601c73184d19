// Made by `python -m core.walkthroughs.schema` from core/walkthroughs/contract.py.

export type Kind = "passage" | "sentence" | "entity" | "fact" | "relation" | "cluster" | "community" | "field" | "query" | "speaker";

export type Mark = "plain" | "query" | "new";

export type Piece = [string, Mark];

export type State = "unseen" | "candidate" | "not_followed" | "queued" | "current" | "visited" | "retrieved" | "cut_off" | "missed";

export type Verdict = "followed" | "followed_again" | "not_followed" | "seed" | "kept" | "cut_off";

export type StopKind = "question" | "round" | "candidates" | "iteration" | "statement" | "merging" | "result" | "fold" | "chain" | "slide";

export type GlossaryTerm = "query" | "edge" | "backwards" | "seed" | "hop" | "queue" | "visits" | "similarity" | "importance" | "helpfulness" | "candidate" | "not_followed" | "cut_off_line" | "cut_off" | "stage" | "fix";

/**
 * A sentence of a passage. `evidence` lists the numbers (in `gold`) of evidence that it
 * holds.
 */
export interface SentenceData {
  pieces: Piece[];
  evidence: number[];
}

/**
 * A node of the walkthrough: a passage, a query, or a thing such as an entity or a fact.
 *
 * `kind_label` is what readers call it ("passage", "sub-question", "fact"). `column` is its
 * column of the overview, counted from 0. `gold` lists the numbers of the evidence that it holds
 * as a whole, `gold_note` says when and by whom it was marked, if known. `unjudged` is true where
 * a model would be asked and has not been asked yet.
 */
export interface NodeData {
  kind: Kind;
  kind_label: string;
  title: string;
  source: string;
  sentences: SentenceData[];
  column: number;
  gold: number[];
  gold_note: string;
  unjudged: boolean;
}

/**
 * An edge of the hop graph, or a line that a retriever drew between two nodes.
 *
 * `question` is the in-question, which `target` answers; every view shows an edge by it. `raised`
 * is the out-question, which `source` raises, empty if unknown. For other lines `question` is the
 * label. `raised_by` and `answered_by` are the numbers of the sentences that both questions come
 * from, in `source` and `target`, None if unknown. `similarity` is SIM, the mean of `jaccard`
 * and `cosine`; `shared` are the keywords of both questions.
 */
export interface EdgeData {
  source: string;
  target: string;
  question: string;
  raised: string;
  raised_by: number | null;
  answered_by: number | null;
  similarity: number | null;
  jaccard: number | null;
  cosine: number | null;
  shared: string[];
  is_pseudo_query: boolean;
}

/**
 * A part of a score. `half` says to which half of Helpfulness it belongs.
 */
export interface ScorePartData {
  label: string;
  meaning: string;
  tone: number;
  half: "similarity" | "importance" | "";
}

/**
 * How scores of this retriever are made up. `formula` is in plain text, "H = (SIM + IMP) / 2";
 * `note` says how its parts map to the two halves. Both are empty for a score without parts.
 */
export interface ScoreData {
  name: string;
  formula: string;
  note: string;
  parts: ScorePartData[];
}

/**
 * A node as it is at a stop.
 *
 * `matters` are the numbers of the sentences that explain this stop, `best` the one to show if
 * there is room for one only. `rank` is 0 if it has none. `share` is its probability after an
 * iteration, None where nothing is spread. `note` says what else there is to say about its state.
 */
export interface CardData {
  node: string;
  state: State;
  visits: number;
  rank: number;
  kept: boolean;
  matters: number[];
  best: number | null;
  share: number | null;
  note: string;
}

/**
 * A candidate: the edge that leads to it if there is one, its score, and what became of it.
 *
 * `reason` says why it was not followed, or what spoke for it. `label` is what to show where
 * there is no edge question.
 */
export interface CandidateData {
  card: CardData;
  edge: string;
  label: string;
  score: number;
  verdict: Verdict;
  reason: string;
  adds: string[];
}

/**
 * A step of a fold: the stop that shows it, and what came of it.
 */
export interface FoldedStepData {
  stop: number;
  node: string;
  title: string;
  outcome: "new" | "again" | "not_followed" | "none";
}

/**
 * A row of the ranking. `parts` are values in the order of `score.parts`; they add up to
 * `score`.
 */
export interface RankingRowData {
  node: string;
  rank: number;
  score: number;
  parts: number[];
  kept: boolean;
}

/**
 * The ranking at a stop, best first, with gold in it however far down.
 *
 * `cut_off` is the number of rows kept if it ended now, `cut_off_score` the lowest score kept,
 * None if nothing is cut off.
 */
export interface RankingData {
  rows: RankingRowData[];
  total: number;
  cut_off: number;
  cut_off_score: number | null;
}

/**
 * The queue at a stop, in order; `joined` and `left` in this step.
 */
export interface QueueData {
  nodes: string[];
  joined: string[];
  left: string[];
}

/**
 * The sum to show at a stop: a row of the ranking and, if its score changed, the row before.
 * `why_lower` says why importance fell though the passage lost no visit; empty if it did not.
 */
export interface HelpfulnessData {
  row: RankingRowData;
  before: RankingRowData | null;
  why_lower: string;
}

/**
 * A link of the evidence chain between two cards: an edge, a reason without an edge, or a gap.
 *
 * `text` says how it was found, or for a gap at which stage it was lost and why. `source` is the
 * title of the node from which the edge leads if that is not the card before.
 */
export interface LinkData {
  kind: "edge" | "found" | "gap";
  edge: string;
  text: string;
  source: string;
}

/**
 * The evidence chain from the query to the answer.
 *
 * `links[i]` leads to `cards[i + 1]`; the last link leads to the answer. `gold_answer` says that
 * the answer is that of the question set, not one that the retriever gave.
 */
export interface ChainData {
  cards: CardData[];
  links: LinkData[];
  answer: string;
  gold_answer: boolean;
  complete: boolean;
}

/**
 * What the stage shows at one stop.
 *
 * `t` is the step that it shows, for a fold the last one. `label` is for the timeline. `headline`
 * is one sentence, `notes` are further ones. `came_from` and `arrived_by` are the card and the
 * edge by which `here` was first reached. `candidates` are best first with gold in sight;
 * `more_candidates` counts those left out, `scored` all that were scored, `candidates_label` names
 * them. `covered` are the numbers of the query's words (in `query_words`) that the path covers by
 * now, `covered_here` those that `here` adds. `stack` are the retrievals around this one, the
 * outermost first, as the queries they were asked. `ranking`, `queue` and `states` are numbers in
 * the lists of the walkthrough. `gold_status` is by evidence, in a few words.
 */
export interface StopData {
  t: number;
  kind: StopKind;
  label: string;
  round: string;
  headline: string;
  notes: string[];
  came_from: CardData | null;
  arrived_by: string;
  here: CardData;
  candidates: CandidateData[];
  candidates_label: string;
  more_candidates: number;
  scored: number;
  covered: number[];
  covered_here: number[];
  stack: string[];
  folded: FoldedStepData[];
  chain: ChainData | null;
  helpfulness: HelpfulnessData | null;
  ranking: number;
  queue: number;
  states: number;
  gold_status: string[];
  exchanges: number[];
  statements: number;
}

/**
 * States of all nodes seen so far, and the edges followed, for the overview.
 */
export interface StatesData {
  nodes: Record<string, State>;
  followed: string[];
  not_followed: string[];
}

/**
 * A piece of gold: evidence, or a passage or document where that is the level of gold.
 *
 * `position` is "evidence 2 of 3 (hop 2: …)" where the order is known, `nodes` hold it (any of
 * them is enough, except that split evidence needs one of each part). `explanation` says why it
 * was lost, empty if it was retrieved; `details` say how far it is from being retrieved.
 */
export interface GoldData {
  text: string;
  title: string;
  position: string;
  nodes: string[];
  retrieved: boolean;
  explanation: string;
  details: string[];
}

/**
 * What a model was asked at step `t` and what it replied, word for word or shortened.
 */
export interface ExchangeData {
  t: number;
  title: string;
  model: string;
  system: string;
  user: string;
  replies: string[];
  note: string;
}

/**
 * What was said at step `t`: a plan, a thought, a verdict, an answer to a sub-question.
 */
export interface StatementData {
  t: number;
  speaker: string;
  text: string;
  ends: string;
}

/**
 * A term of the legend.
 */
export interface TermData {
  key: string;
  label: string;
  meaning: string;
}

/**
 * A walkthrough. `every` are the stops of all steps in order, `audience` the arc of about
 * twelve; both are numbers in `stops`. The last of both is the evidence chain, in a story perhaps
 * with a slide behind it. `badge` and `tint` are the letters and the colour of the retriever's
 * sign, empty for one that is not known. `judged` are nodes whose candidates can be followed or
 * refused by hand.
 */
export interface WalkthroughData {
  query: string;
  query_words: [string, boolean][];
  retriever: string;
  title: string;
  badge: string;
  tint: string;
  summary: string;
  footer: string;
  score: ScoreData;
  has_queue: boolean;
  columns: string[];
  nodes: Record<string, NodeData>;
  edges: Record<string, EdgeData>;
  stops: StopData[];
  every: number[];
  audience: number[];
  rankings: RankingData[];
  queues: QueueData[];
  states: StatesData[];
  gold: GoldData[];
  exchanges: ExchangeData[];
  statements: StatementData[];
  judged: string[];
  legend: TermData[];
  glossary: Record<string, string>;
}

"""The wire format of a walkthrough: JSON values, from Python to the browser.

A walkthrough is a list of stops. A stop depends on the step it shows and on nothing before it, so
every route to it gives the same picture. Texts, sentences and edges are stored once and referred to
by id; rankings and queues are stored once and referred to by number.

`core.walkthroughs.schema` writes these types as a JSON schema and as TypeScript declarations.
"""

from typing import Literal

from typing_extensions import TypedDict

from core.steps import Kind

Mark = Literal["plain", "query", "new"]
"""How a piece of text is set: plain, a word of the query, or one no earlier passage on the path
has."""
Piece = tuple[str, Mark]
State = Literal[
    "unseen", "candidate", "not_followed", "queued", "current", "visited", "retrieved", "cut_off",
    "missed",
]  # fmt: skip
"""State of a node at a stop. `missed` is gold that the result does not have."""
Verdict = Literal["followed", "followed_again", "not_followed", "seed", "kept", "cut_off"]
StopKind = Literal[
    "question", "round", "candidates", "iteration", "statement", "merging", "result", "fold",
    "chain", "slide",
]  # fmt: skip
"""What a stop shows: a (sub-)question that is asked, a round that begins, candidates at a node, an
iteration that spreads scores, a statement of a model or rule, lists that become one, the final
ranking, several uneventful steps in one, the evidence chain, or a slide of a story: its `headline`
and, as paragraphs, its `notes`."""

GlossaryTerm = Literal[
    "query", "edge", "backwards", "seed", "hop", "queue", "visits", "similarity", "importance",
    "helpfulness", "candidate", "not_followed", "cut_off_line", "cut_off", "stage", "fix",
]  # fmt: skip
"""Terms that headings and labels are made of: keys of `core.glossary`."""


class SentenceData(TypedDict):
    """A sentence of a passage. `evidence` lists the numbers (in `gold`) of evidence that it
    holds."""

    pieces: list[Piece]
    evidence: list[int]


class NodeData(TypedDict):
    """A node of the walkthrough: a passage, a query, or a thing such as an entity or a fact.

    `kind_label` is what readers call it ("passage", "sub-question", "fact"). `column` is its
    column of the overview, counted from 0. `gold` lists the numbers of the evidence that it holds
    as a whole, `gold_note` says when and by whom it was marked, if known. `unjudged` is true where
    a model would be asked and has not been asked yet.
    """

    kind: Kind
    kind_label: str
    title: str
    source: str
    sentences: list[SentenceData]
    column: int
    gold: list[int]
    gold_note: str
    unjudged: bool


class EdgeData(TypedDict):
    """An edge of the hop graph, or a line that a retriever drew between two nodes.

    `question` is the in-question, which `target` answers; every view shows an edge by it. `raised`
    is the out-question, which `source` raises, empty if unknown. For other lines `question` is the
    label. `raised_by` and `answered_by` are the numbers of the sentences that both questions come
    from, in `source` and `target`, None if unknown. `similarity` is SIM, the mean of `jaccard`
    and `cosine`; `shared` are the keywords of both questions.
    """

    source: str
    target: str
    question: str
    raised: str
    raised_by: int | None
    answered_by: int | None
    similarity: float | None
    jaccard: float | None
    cosine: float | None
    shared: list[str]
    is_pseudo_query: bool


class ScorePartData(TypedDict):
    """A part of a score. `half` says to which half of Helpfulness it belongs."""

    label: str
    meaning: str
    tone: int
    half: Literal["similarity", "importance", ""]


class ScoreData(TypedDict):
    """How scores of this retriever are made up. `formula` is in plain text, "H = (SIM + IMP) / 2";
    `note` says how its parts map to the two halves. Both are empty for a score without parts."""

    name: str
    formula: str
    note: str
    parts: list[ScorePartData]


class CardData(TypedDict):
    """A node as it is at a stop.

    `matters` are the numbers of the sentences that explain this stop, `best` the one to show if
    there is room for one only. `rank` is 0 if it has none. `share` is its probability after an
    iteration, None where nothing is spread. `note` says what else there is to say about its state.
    """

    node: str
    state: State
    visits: int
    rank: int
    kept: bool
    matters: list[int]
    best: int | None
    share: float | None
    note: str


class CandidateData(TypedDict):
    """A candidate: the edge that leads to it if there is one, its score, and what became of it.

    `reason` says why it was not followed, or what spoke for it. `label` is what to show where
    there is no edge question.
    """

    card: CardData
    edge: str
    label: str
    score: float
    verdict: Verdict
    reason: str
    adds: list[str]


class FoldedStepData(TypedDict):
    """A step of a fold: the stop that shows it, and what came of it."""

    stop: int
    node: str
    title: str
    outcome: Literal["new", "again", "not_followed", "none"]


class RankingRowData(TypedDict):
    """A row of the ranking. `parts` are values in the order of `score.parts`; they add up to
    `score`."""

    node: str
    rank: int
    score: float
    parts: list[float]
    kept: bool


class RankingData(TypedDict):
    """The ranking at a stop, best first, with gold in it however far down.

    `cut_off` is the number of rows kept if it ended now, `cut_off_score` the lowest score kept,
    None if nothing is cut off.
    """

    rows: list[RankingRowData]
    total: int
    cut_off: int
    cut_off_score: float | None


class QueueData(TypedDict):
    """The queue at a stop, in order; `joined` and `left` in this step."""

    nodes: list[str]
    joined: list[str]
    left: list[str]


class HelpfulnessData(TypedDict):
    """The sum to show at a stop: a row of the ranking and, if its score changed, the row before.
    `why_lower` says why importance fell though the passage lost no visit; empty if it did not."""

    row: RankingRowData
    before: RankingRowData | None
    why_lower: str


class LinkData(TypedDict):
    """A link of the evidence chain between two cards: an edge, a reason without an edge, or a gap.

    `text` says how it was found, or for a gap at which stage it was lost and why. `source` is the
    title of the node from which the edge leads if that is not the card before.
    """

    kind: Literal["edge", "found", "gap"]
    edge: str
    text: str
    source: str


class ChainData(TypedDict):
    """The evidence chain from the query to the answer.

    `links[i]` leads to `cards[i + 1]`; the last link leads to the answer. `gold_answer` says that
    the answer is that of the question set, not one that the retriever gave.
    """

    cards: list[CardData]
    links: list[LinkData]
    answer: str
    gold_answer: bool
    complete: bool


class StopData(TypedDict):
    """What the stage shows at one stop.

    `t` is the step that it shows, for a fold the last one. `label` is for the timeline. `headline`
    is one sentence, `notes` are further ones. `came_from` and `arrived_by` are the card and the
    edge by which `here` was first reached. `candidates` are best first with gold in sight;
    `more_candidates` counts those left out, `scored` all that were scored, `candidates_label` names
    them. `covered` are the numbers of the query's words (in `query_words`) that the path covers by
    now, `covered_here` those that `here` adds. `stack` are the retrievals around this one, the
    outermost first, as the queries they were asked. `ranking`, `queue` and `states` are numbers in
    the lists of the walkthrough. `gold_status` is by evidence, in a few words.
    """

    t: int
    kind: StopKind
    label: str
    round: str
    headline: str
    notes: list[str]
    came_from: CardData | None
    arrived_by: str
    here: CardData
    candidates: list[CandidateData]
    candidates_label: str
    more_candidates: int
    scored: int
    covered: list[int]
    covered_here: list[int]
    stack: list[str]
    folded: list[FoldedStepData]
    chain: ChainData | None
    helpfulness: HelpfulnessData | None
    ranking: int
    queue: int
    states: int
    gold_status: list[str]
    exchanges: list[int]
    statements: int


class StatesData(TypedDict):
    """States of all nodes seen so far, and the edges followed, for the overview."""

    nodes: dict[str, State]
    followed: list[str]
    not_followed: list[str]


class GoldData(TypedDict):
    """A piece of gold: evidence, or a passage or document where that is the level of gold.

    `position` is "evidence 2 of 3 (hop 2: …)" where the order is known, `nodes` hold it (any of
    them is enough, except that split evidence needs one of each part). `explanation` says why it
    was lost, empty if it was retrieved; `details` say how far it is from being retrieved.
    """

    text: str
    title: str
    position: str
    nodes: list[str]
    retrieved: bool
    explanation: str
    details: list[str]


class ExchangeData(TypedDict):
    """What a model was asked at step `t` and what it replied, word for word or shortened."""

    t: int
    title: str
    model: str
    system: str
    user: str
    replies: list[str]
    note: str


class StatementData(TypedDict):
    """What was said at step `t`: a plan, a thought, a verdict, an answer to a sub-question."""

    t: int
    speaker: str
    text: str
    ends: str


class TermData(TypedDict):
    """A term of the legend."""

    key: str
    label: str
    meaning: str


class WalkthroughData(TypedDict):
    """A walkthrough. `every` are the stops of all steps in order, `audience` the arc of about
    twelve; both are numbers in `stops`. The last of both is the evidence chain, in a story perhaps
    with a slide behind it. `badge` and `tint` are the letters and the colour of the retriever's
    sign, empty for one that is not known. `judged` are nodes whose candidates can be followed or
    refused by hand."""

    query: str
    query_words: list[tuple[str, bool]]
    retriever: str
    title: str
    badge: str
    tint: str
    summary: str
    footer: str
    score: ScoreData
    has_queue: bool
    columns: list[str]
    nodes: dict[str, NodeData]
    edges: dict[str, EdgeData]
    stops: list[StopData]
    every: list[int]
    audience: list[int]
    rankings: list[RankingData]
    queues: list[QueueData]
    states: list[StatesData]
    gold: list[GoldData]
    exchanges: list[ExchangeData]
    statements: list[StatementData]
    judged: list[str]
    legend: list[TermData]
    glossary: dict[GlossaryTerm, str]

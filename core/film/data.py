"""The film of a trace as the browser has it: JSON values, and nothing left for it to decide.

Nodes, lines and texts stand in lists, and everything else names them by their place there. The
frames of a grain are the first one whole, and each later one as a JSON merge patch (RFC 7396) to
the one before it, in which mappings are patched and lists are replaced.
"""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from core.steps import Kind

NodeRole = Literal[
    "seed", "queued", "visited", "current", "retrieved", "pruned", "lost", "refused", "plain",
    "ghost",
]  # fmt: skip
"""`lost` is gold that the result does not have; `ghost` is drawn though no step names it."""
GoldLook = Literal["gold", "kept", "lost", "unseen", "rules", "hand"]
"""`rules` and `hand` are said beside another one, of who says that it is gold."""
LineRole = Literal[
    "offered", "chosen", "refused", "missed", "walked", "again", "unoffered", "plain", "ghost"
]
"""`walked` led to something new, `again` to what had been visited before."""
View = Literal["focus", "stage", "everything"]
Marked = Literal["", "given", "rules", "hand"]
"""Whether a node is gold, and who said so: the question set, rules, or a person on the screen."""


class NodeData(TypedDict):
    """A node. `label` is the whole title, `text` what can be read of it.

    `short` is for where the label has no room, `bare` the label without its kind, for where that is
    seen. `planned` is the label of a question until it is
    asked, if that is another one.
    `noun` is what people call a question that is asked, a thought, or keywords.
    `facts` are the parts of `text` that are evidence, in order.
    `unjudged` is where a model would be asked and nobody has asked it.
    """

    id: str
    kind: Kind
    label: str
    text: str
    gold: Marked
    short: NotRequired[str]
    bare: NotRequired[str]
    planned: NotRequired[str]
    noun: NotRequired[str]
    facts: NotRequired[list[str]]
    unjudged: NotRequired[bool]


class LineData(TypedDict):
    """A line from node `source` to node `target`; `detail` is of its similarity.

    It was followed `back`, from its target to its source, or would have been.
    """

    id: str
    source: int
    target: int
    label: str
    detail: str
    directed: bool
    back: NotRequired[bool]


class XrayData(TypedDict):
    """An edge from within: SIM, its two halves, and the questions that it joins.

    `raised` is the out-coming question, `answered` the in-coming one, each with the sentence it
    came `from`; `shared` are the keywords of both. Without an index only the figures are known.
    """

    similarity: float
    jaccard: float
    cosine: float
    raised: NotRequired[str]
    raised_from: NotRequired[str]
    answered: NotRequired[str]
    answered_from: NotRequired[str]
    shared: NotRequired[list[str]]


class BandData(TypedDict):
    """A column of the drawing with its heading, in the drawing's pixels; one in which nothing will
    stand says so. The heading is told from step `since` on, from the first one if that is left out.
    """

    label: str
    left: float
    right: float
    since: NotRequired[int]
    empty: NotRequired["EmptyData"]


class EmptyData(TypedDict):
    """What stands in a column of nothing from step `since` on, and where its nodes would be."""

    told: str
    x: float
    since: int


class GroupData(TypedDict):
    """Nodes that a view does not always draw: a count in their stead, at the foot below `x`.

    `label` is what is counted; the number is of those that are there by now.
    """

    label: str
    x: float
    nodes: list[int]


class CutData(TypedDict):
    """A line in a column at the end of a film: above it is what was kept, below it are `nodes`."""

    label: str
    nodes: list[int]


class ViewData(TypedDict):
    """What is drawn and where, for the whole film. `places` are x and y by node.

    `guests` are the places of nodes that are drawn only where a frame names them as guests.
    """

    places: dict[str, tuple[float, float]]
    guests: dict[str, tuple[float, float]]
    bands: list[BandData]
    cuts: list[CutData]
    groups: list[GroupData]
    left_out: int


class RowData(TypedDict):
    """A row of a board; what is missing is empty.

    `node` and `line` are what a click selects. `sign` is `+` for what came, `-` for what went, `y`
    for what was taken, `r` where that had been visited before, `n` for what was not. `parts` are
    values under the board's keys. `times` are visits. `why` says why it was not taken. `place`
    is where it stands by its score, from 1, where the rows are in another order; 0 where it has no
    place among them. `of` so many it is told, of
    gold that was not taken, and of gold and what led to it far down: such a row is kept in sight on
    a stage. `origin` is what leads there, where a list has several places. `faint` rows are cut or
    refused. `brief` says what `text` does where that has no room, `called` what stands for the name
    of the node. `fact` is the evidence in it.
    """

    node: NotRequired[int]
    line: NotRequired[int]
    sign: NotRequired[str]
    text: NotRequired[str]
    brief: NotRequired[str]
    fact: NotRequired[str]
    called: NotRequired[str]
    note: NotRequired[str]
    origin: NotRequired[str]
    why: NotRequired[str]
    score: NotRequired[str]
    parts: NotRequired[list[float]]
    times: NotRequired[int]
    place: NotRequired[int]
    of: NotRequired[int]
    faint: NotRequired[bool]


class KeyData(TypedDict):
    """A part of a score: its tone (a letter), its name, and what it means."""

    tone: str
    name: str
    meaning: str


class BoardData(TypedDict):
    """A list with a heading. `top` is the score that fills a bar. `more` counts rows left out, and
    `rest` says what they are.

    `measure` is what the keys are parts of. `cut` is the number of rows above the cut-off line,
    with `cut_text` on it; None without one. `bare` where the title says of what kind all rows are.
    """

    title: str
    note: str
    bare: NotRequired[bool]
    measure: str
    keys: list[KeyData]
    rows: list[RowData]
    top: float
    cut: int | None
    cut_text: str
    empty: str
    more: int
    rest: str


class TravelData(TypedDict):
    """A movement of this stop: along `line` from a node to a node, or to it out of nowhere."""

    line: int | None
    source: int | None
    target: int


class FadedData(TypedDict):
    """What led nowhere, by number: 1 for each node and each line that is drawn faintly in focus."""

    nodes: dict[str, int]
    lines: dict[str, int]


class FrameData(TypedDict):
    """What the screen shows at one stop.

    `nodes` and `lines` are roles by number: what is not named is not there yet. `counts` are
    visits, `sizes` factors of a radius. `taken` are nodes that were there before and are taken now,
    where no line says so. `queue` is None where nothing waits in this film, `board`
    where the step has none. `said` and `questions` count how many of the film's are there by now.
    `gold` says where each gold node stands, by number. `means` explains a figure of the caption, if
    it has one that needs it. `guests` are drawn at this stop by view,
    and `aside` is not.
    """

    t: int
    round: str
    caption: str
    means: str
    nodes: dict[str, NodeRole]
    lines: dict[str, LineRole]
    guests: dict[View, list[int]]
    aside: dict[View, list[int]]
    faded: FadedData
    counts: dict[str, int]
    sizes: dict[str, float]
    taken: list[int]
    queue: BoardData | None
    board: BoardData | None
    ranking: BoardData
    gold: dict[str, str]
    answers: dict[str, str]
    questions: int
    said: int
    asked: int
    travels: list[TravelData]


class FramesData(TypedDict):
    """All frames of a grain: `first`, and patches that make each next one."""

    first: FrameData
    patches: list[dict[str, object]]


class SegmentData(TypedDict):
    """A round on the timeline, with the steps it spans, both included; `depth` from 0."""

    label: str
    first: int
    last: int
    depth: int


class MomentData(TypedDict):
    """Something that happens to gold at step `t`."""

    t: int
    kind: Literal["offered", "reached", "fell", "kept", "lost"]
    node: int


class TimelineData(TypedDict):
    """The whole film at a glance. `names` has a short name for each step, from t = 1.

    `still` are the stops of the finest grain that are passed over when it plays; `together` makes
    of the frame of one that comes behind some of them that of all of them, by its t, as a patch.
    `runs` are what several rounds one after the other are called alike, whose numbers alone tell
    them apart.
    """

    last: int
    names: list[str]
    segments: list[SegmentData]
    runs: list[SegmentData]
    moments: list[MomentData]
    still: list[int]
    together: dict[str, dict[str, object]]


class SaidData(TypedDict):
    """What a voice said at step `t`, about which node; `ends` says why it stops there."""

    t: int
    by: str
    text: str
    about: int | None
    ends: str


class QuestionData(TypedDict):
    """A question that was asked at step `t`, or a thought that was searched with.

    `id` is dotted as questions nest, `name` says what it is; `text` is empty where that says all.
    `found` is what a search for it found, and is known from the step `until` on.
    """

    t: int
    id: str
    name: str
    text: str
    found: NotRequired[str]
    until: NotRequired[int]


class ExchangeData(TypedDict):
    """What a model was asked at step `t` and what it replied, word for word or cropped."""

    t: int
    title: str
    model: str
    system: str
    user: str
    replies: list[str]
    note: str


class EntryData(TypedDict):
    """An entry of the legend: of a node's role, the look of gold, a line's role, a kind's shape, a
    mark on any node.

    `shape` is the kind as which one of another name is drawn, `brief` what is said where there is
    little room, `headed` that a heading of a column names that kind, too.
    """

    of: Literal["node", "gold", "line", "mark", "kind"]
    name: str
    label: str
    brief: NotRequired[str]
    shape: NotRequired[Kind]
    headed: NotRequired[bool]


class GoldData(TypedDict):
    """A gold passage, or one whose mark was taken away: then nobody says that it is gold.

    `by` says who marked or unmarked it by hand, and when, where that is known. `node` is None where
    nothing of it is drawn, `missing` says how far a miss is away, `lost` how it was lost in a word
    or two, `means` explains that stage. `id` is what is marked, empty where there is no such
    passage. `fate` says how it stood as a seed, `told` what step `told_at` said of the place from
    which it was nearest; both may be empty. `told_line` is the line that would have led on from
    there, if it was on offer and not taken. `lists` say how near it came in lists of which no step
    shows that much.
    """

    id: str
    node: int | None
    name: str
    marked: Marked
    by: str
    missing: str
    lost: str
    means: str
    fate: str
    told: str
    told_at: int | None
    told_line: int | None
    lists: list[str]


class HandsData(TypedDict):
    """What can be chosen otherwise by hand, all by number.

    Walks start at `starts` and look at the edges of `judged`; `taken` are by line the nodes at
    which it was followed; `both` says that lines may be followed from their ends too.
    """

    starts: list[int]
    judged: list[int]
    taken: dict[str, list[int]]
    both: bool


class RolesData(TypedDict):
    """What the roles of nodes and lines are called in a sentence."""

    nodes: dict[NodeRole, str]
    lines: dict[LineRole, str]


class FilmData(TypedDict):
    """A film. `grains` are the coarsest first, each with its frames; `xrays` are by line.

    `sources` are the nodes at which walks to gold began, and what led from there to it.

    `unsaid` says how much of the exchanges with a model is left out, empty if nothing is. `answer`
    tells the end what the question's answer is, empty where it is not known. `opening` is said
    below the question before anything is drawn.
    """

    query: str
    opening: list[str]
    retriever: str
    title: str
    index: str
    footer: str
    nodes: list[NodeData]
    lines: list[LineData]
    xrays: dict[str, XrayData]
    views: dict[View, ViewData]
    sources: list[int]
    legend: list[EntryData]
    roles: RolesData
    gold: list[GoldData]
    grains: list[tuple[str, str]]
    frames: dict[str, FramesData]
    timeline: TimelineData
    said: list[SaidData]
    questions: list[QuestionData]
    exchanges: list[ExchangeData]
    unsaid: str
    hands: HandsData | None
    answer: str

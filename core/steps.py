"""The immutable steps of a retrieval, common to every retriever and every screen.

`Asked` ... `Ranked` is a bracket. Brackets nest: a retriever used by another one records all its
steps inside the outer bracket, so a composition needs no step of its own.

| step | what happens |
| --- | --- |
| Asked | a retrieval begins: a question, a sub-question, a generated query |
| Began | a round begins, in the retriever's own word: hop, layer, thought, turn |
| Offered | a scored list of candidates, of which some are selected: seeds, edges, facts |
| Spread | a value at each node after an iteration: probability |
| Said | a text: a plan, a thought, a verdict, an answer to a sub-question |
| Pooled | several lists become one |
| Ranked | the end of the bracket: what is retrieved and what is cut off |

A node other than a passage is a `Thing`, a line between two nodes a `Tie`; the first step that
mentions them introduces them. Ids of questions are `#`, `#1`, `#1.2`, dotted as the brackets nest.
What the screen shows at step t is computed from the first t steps (`core.playback.frame`).
`core.retrievers.step_contract` checks the rules stated here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from core.types import Hit, Part

Kind = Literal[
    "passage",
    "sentence",
    "entity",
    "fact",
    "relation",
    "cluster",
    "community",
    "field",
    "query",
    "speaker",
]
"""What a node is; it decides the shape in which it is drawn."""

Value = str | int | float | bool
"""The value of a setting."""

ROOT = "#"  # the id of the outermost question
LEFT_OUT = "left out:"  # begins the note of a candidate that something else than a score excludes
ARROW = " → "  # joins the texts of a path, the label of the candidate at its end


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a step: wall-clock seconds, model calls, tokens, and cached calls."""

    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """A model call for one purpose: the prompt and the raw replies.

    There is a second reply only if the first could not be read. `trouble` says why none could be
    used. `cached`: nothing was asked anew. `estimated`: the server did not count tokens.
    """

    model: str
    system: str
    user: str
    replies: tuple[str, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    cached: bool = False
    trouble: str = ""
    estimated: bool = False

    @property
    def cost(self) -> Cost:
        """The cost of the calls; a cached reply costs nothing."""
        if self.cached:
            return Cost(cached=len(self.replies))
        return Cost(self.seconds, len(self.replies), self.tokens_in + self.tokens_out)


@dataclass(frozen=True, slots=True)
class Told:
    """The cost and the decision of a step, in the same form for every step.

    `reason` is a sentence; `verdict` the model's own words; `fallback` what was done instead of
    what was asked for; `exchange` the model call. `by_hand` are the amendments
    (`core.counterfactual`) that changed the choice.
    """

    cost: Cost = Cost()
    reason: str = ""
    verdict: str = ""
    fallback: str = ""
    exchange: Exchange | None = None
    by_hand: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thing:
    """A node other than a passage, such as an entity or a pending sub-question.

    `id` is unique among all nodes of a trace; by convention it begins with the kind: `entity:ada`.
    """

    id: str
    kind: Kind
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """A line between two nodes: a triple, 'holds', 'needs'. Ids are unique among all lines."""

    id: str
    source: str
    target: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """The start of a retrieval; its cost is the embedding of the question.

    In a nested retrieval, `parents` are the nodes it came from: questions, passages, things.
    `narrowed` counts the passages before and after a filter. `weight_of_visits` is w in score(v) =
    sum(parts of v) + w * IMP(v), with IMP(v) the share of visits to v (HopRAG, Eq. 3): 1/2 for
    Helpfulness (Eq. 2), 0 if visits do not count. `amendments` are the changes made by hand, as
    texts.
    """

    retriever: str
    query: str
    top_k: int
    terms: tuple[str, ...] = ()
    settings: Mapping[str, Value] = field(default_factory=dict)
    id: str = ROOT
    parents: tuple[str, ...] = ()
    narrowed: tuple[int, int] | None = None
    weight_of_visits: float = 0.0
    amendments: tuple[str, ...] = ()
    told: Told = Told()


@dataclass(frozen=True, slots=True)
class Began:
    """The start of a round, with the retriever's own `name` for it; `number` counts from 1.

    A stage that occurs once and has no queue, such as the search for entities, has the number 0.
    `waiting` are the nodes in the queue for this round, if there is one.
    """

    name: str
    number: int
    waiting: tuple[str, ...] = ()
    things: tuple[Thing, ...] = ()
    ties: tuple[Tie, ...] = ()
    told: Told = Told()

    def __str__(self) -> str:
        # A search is called as the question that it asks.
        number = f"#{self.number}" if self.name == "search" else f"{self.number}"
        return f"{self.name} {number}" if self.number else self.name


@dataclass(frozen=True, slots=True)
class Offer:
    """A candidate with its score as addends, and whether it was selected (`taken`).

    `tie` is the line that leads to it; `backwards` if it is followed from its end. `label` is a
    text of the candidate itself, such as an edge's question. `notes` are reasons for or against it,
    as (what, text). `size` is its share of the room. `why` says why it was not selected if its
    score does not, and `margin` how far the deciding value is above what it had to beat.
    """

    target: str
    score: float
    parts: tuple[Part, ...] = ()
    taken: bool = False
    tie: str = ""
    label: str = ""
    notes: tuple[tuple[str, str], ...] = ()
    size: int = 0
    backwards: bool = False
    why: str = ""
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """A visit to a node: its count goes up by one; the first visit puts it into the queue.

    `parts` are the addends of its score without importance, as known from now on. `tie` is the line
    by which it was reached.
    """

    id: str
    parts: tuple[Part, ...]
    tie: str = ""


@dataclass(frozen=True, slots=True)
class Offered:
    """A scored list of candidates at one node, of which some are selected.

    `at` is the node: a question, a passage from the queue, or a thing. `of` is the noun for the
    candidates, in the plural. `offers` are best first; `considered` counts what was scored, listed
    or not. `entry` marks the seeds of a walk. Nodes that a walk selects have `arrivals`, in the
    same order. `room` is the budget that `Offer.size` counts against, 0 for none.
    """

    at: str
    of: str
    offers: tuple[Offer, ...]
    arrivals: tuple[Arrival, ...] = ()
    considered: int = 0
    entry: bool = False
    room: int = 0
    things: tuple[Thing, ...] = ()
    ties: tuple[Tie, ...] = ()
    told: Told = Told()

    @property
    def taken(self) -> tuple[Offer, ...]:
        return tuple(offer for offer in self.offers if offer.taken)

    @property
    def scored(self) -> int:
        """Number of candidates examined, listed or not."""
        return max(self.considered, len(self.offers))


@dataclass(frozen=True, slots=True)
class Spread:
    """A value `of` each node after an iteration, such as a probability.

    `hits` are passages and things, best first, as many as are worth showing. `moved` is the total
    change since the last iteration, in [0, 2].
    """

    of: str
    hits: tuple[Hit, ...]
    moved: float = 0.0
    things: tuple[Thing, ...] = ()
    ties: tuple[Tie, ...] = ()
    told: Told = Told()


@dataclass(frozen=True, slots=True)
class Said:
    """A text by a model or rule: a plan, a thought, a verdict, an answer to a sub-question.

    `by` is the speaker, `about` the node it concerns. `closes` are the ids of questions it answers,
    `rests_on` the passages it cites. `ends` is why the retrieval stops here, empty if it goes on.
    """

    by: str
    about: str
    text: str
    closes: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    ends: str = ""
    things: tuple[Thing, ...] = ()
    ties: tuple[Tie, ...] = ()
    told: Told = Told()


@dataclass(frozen=True, slots=True)
class Pooled:
    """Several lists become one, best first. `of` names the lists."""

    of: tuple[str, ...]
    hits: tuple[Hit, ...]
    things: tuple[Thing, ...] = ()
    ties: tuple[Tie, ...] = ()
    told: Told = Told()


@dataclass(frozen=True, slots=True)
class Returned:
    """A text as a custom retriever returned it, with the `passages` it was matched to.

    `id` is the retriever's own and may be empty. `match` says how the text was matched
    (`core.evidence.contexts`), and `whole` whether it is all of their text.
    """

    score: Part
    text: str = ""
    id: str = ""
    title: str = ""
    passages: tuple[str, ...] = ()
    match: Literal["id", "exact", "contained", "fuzzy", "none"] = "none"
    whole: bool = True

    @property
    def is_passage(self) -> bool:
        """Whether it is one passage of the index, with its whole text."""
        return self.whole and self.match in ("id", "exact")


@dataclass(frozen=True, slots=True)
class Ranked:
    """The end of a retrieval: at most `top_k` hits, best first, and what was cut off.

    Its seconds are those of the whole retrieval without the question's embedding. `engine` names
    the search engine, if there is a choice. `findings` are texts for the reader besides the
    passages, the most important first: notes, relations, sub-answers. `returned` are the texts of a
    custom retriever in its order, if any is not a whole passage of the index: gold counts by them
    (`core.playback.returned_texts`).
    """

    hits: tuple[Hit, ...]
    pruned: tuple[Hit, ...] = ()
    engine: str = ""
    told: Told = Told()
    findings: tuple[str, ...] = ()
    returned: tuple[Returned, ...] = ()


Step = Asked | Began | Offered | Spread | Said | Pooled | Ranked


def things_of(step: Step) -> tuple[Thing, ...]:
    """Return the things that `step` introduces."""
    return () if isinstance(step, Asked | Ranked) else step.things


def ties_of(step: Step) -> tuple[Tie, ...]:
    """Return the lines that `step` introduces."""
    return () if isinstance(step, Asked | Ranked) else step.ties


def result(steps: Sequence[Step]) -> Ranked:
    """Return the end of the outermost bracket, or one without hits if there is none."""
    last = steps[-1] if steps else None
    return last if isinstance(last, Ranked) else Ranked(())


def own_answer(steps: Sequence[Step]) -> str | None:
    """Return the last answer to the outermost question, or None."""
    said = (step.text for step in reversed(steps) if isinstance(step, Said) and ROOT in step.closes)
    return next(said, None)

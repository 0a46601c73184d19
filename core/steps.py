"""The immutable steps of a retrieval, the one language of every retriever and every screen.

There are seven. `Asked` ... `Ranked` is a bracket, and brackets nest: what a retriever has another
one do for it stands inside its own bracket, whole. So a composition needs no step of its own.

| step | what happens |
| --- | --- |
| Asked | a retrieval begins: a question, a sub-question, a thought that is searched with |
| Began | a round begins, in the retriever's own word: hop, layer, thought, turn |
| Offered | a scored list at a place, of which some are taken: seeds, edges, facts, candidates |
| Spread | a number at each node after an iteration: probability |
| Said | a voice: a plan, a thought, a verdict, an answer to a sub-question |
| Pooled | several lists become one |
| Ranked | the end of the bracket: what is kept and what is cut |

What is no passage is a `Thing`, what joins two nodes a `Tie`; a step brings them along when it
first speaks of them. A node is named by its id: a passage's, a thing's, or a question's. Ids of
questions are `#`, `#1`, `#1.2`: dotted as the brackets nest.

Whatever the screen shows at step t is a pure fold over the first t steps (`core.playback.frame`);
`core.playback.check` says in code what is promised here in words.
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
"""Of a setting."""

ROOT = "#"
"""The id of the outermost question."""
LEFT_OUT = "left out:"
"""What the note of an offer begins with that says why it is not taken, though no score decides."""
ARROW = " → "
"""Between the texts of a path, which is the label of what is on offer at its end."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step took: wall-clock seconds, model calls and tokens, calls answered by a cache."""

    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a model was asked for one thing, and what it answered, word for word.

    `replies` are its raw replies in order: a second one only where the first could not be read.
    `trouble` says why none could be used, empty if one was. `cached` when nothing was asked anew.
    `estimated` when the server did not count tokens.
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
        """What the calls took; a cached reply costs nothing."""
        if self.cached:
            return Cost(cached=len(self.replies))
        return Cost(self.seconds, len(self.replies), self.tokens_in + self.tokens_out)


@dataclass(frozen=True, slots=True)
class Told:
    """What a step cost and who decided: the same on every step.

    `reason` says in a sentence why; `verdict` is a model's own word for what it found; `fallback`
    what was done instead of what was asked for, if anything; `exchange` what was said, if a model
    was asked. `by_hand` are the amendments (`core.counterfactual`) that made it choose otherwise.
    """

    cost: Cost = Cost()
    reason: str = ""
    verdict: str = ""
    fallback: str = ""
    exchange: Exchange | None = None
    by_hand: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thing:
    """A node that is no passage, such as an entity or a sub-question that waits.

    `id` is unique among all nodes of a trace; by custom it begins with the kind: `entity:ada`.
    `detail` is more of its text, for who looks closely.
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
    """A retrieval begins; its cost is the question's embedding.

    Inside another bracket it is a part of that one, and `parents` are the nodes that it came from:
    other questions, passages, things. `narrowed` counts the passages before and after a filter.
    `weight_of_visits` is w in score(v) = sum(parts of v) + w * IMP(v), IMP(v) being the visits of
    v over all visits (HopRAG, Eq. 3). Helpfulness (Eq. 2) has w = 1/2; what counts no visits, 0.
    `amendments` are what was to be chosen by hand, each as its text (`core.counterfactual`).
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
    """A round begins. `name` is the retriever's own word for it; `number` counts from 1.

    A stage, which comes once and has no queue, such as the search for entities, has the number 0.
    `waiting` are the nodes that will be taken in it, if it has a queue.
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
    """One node on offer, with its score as addends, and whether it was taken.

    `tie` is the line that leads to it, of the graph or brought by a step; `backwards` when it is
    followed from its end. `label` is a text of the offer itself, such as an edge's question.
    `notes` say what speaks for it or against it, in the retriever's words: (what, text). `size` is
    what it takes of the room there is. `why` says why it is not taken where its score beside those
    of the others does not, and `margin` how far what decided is above what it had to beat.
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
    """A visit of a node: its count goes up by one; the first visit puts it into the queue.

    `parts` are its score's addends without importance, as known from now on (they may have grown
    since the last visit). `tie` is the line by which it was reached.
    """

    id: str
    parts: tuple[Part, ...]
    tie: str = ""


@dataclass(frozen=True, slots=True)
class Offered:
    """A scored list at one place, of which some are taken.

    `at` is the place: the id of the question, of a passage that was taken from the queue, of a
    thing. `of` is the retriever's word for what is listed, in the plural. `offers` are best first;
    `considered` counts what was scored, which may be more than is listed. `entry` when a walk
    starts with what is taken. What is taken by a walk has its `arrivals`, in the same order; other
    lists have none. `room` is the budget that `Offer.size` counts against, 0 for none.
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
    """A number at each node after an iteration. `of` names it: probability.

    `hits` are passages and things, best first, as many as are worth showing. `moved` is how much
    of it stands elsewhere than before, in [0, 2].
    """

    of: str
    hits: tuple[Hit, ...]
    moved: float = 0.0
    things: tuple[Thing, ...] = ()
    ties: tuple[Tie, ...] = ()
    told: Told = Told()


@dataclass(frozen=True, slots=True)
class Said:
    """A voice: a plan, a thought, a memory, a verdict, a sub-answer, a turn of a dialogue.

    `by` is who speaks, `about` the node that it is about. `closes` are the ids of questions that
    it answers, `rests_on` the passages that it cites. `ends` is why the retrieval stops here,
    empty if it goes on.
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
    """A text as a custom retriever returned it.

    Parameters
    ----------
    id : as the retriever names it; may be empty.
    passages : the passages of the index that it was matched to.
    match : how (`core.evidence.contexts`).
    whole : whether it has all of their text, and not a part of it.
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
    """The end of a bracket: at most `top_k` hits, best first, and what was seen but cut.

    Its seconds are those of the whole bracket without the embedding of its own question; searches
    inside it embed theirs on its clock (`core.playback.account`). `engine` names
    who ranked, where there is a choice. `findings` are what the retriever worked out beside the
    passages, for whoever answers from them: a memory, notes, relations, answers to sub-questions;
    a text each, the most important first. `returned` are the texts of a custom retriever, in its
    order, if any of them is not a whole passage of the index: gold counts by them
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

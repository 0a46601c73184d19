"""The data of a run: questions, retrievers, and one row per question and retriever."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from core.evaluation.outcomes import OutcomeName, outcome_of
from core.evaluation.role_costs import RoleCost
from core.funnel.data import Fate
from core.measures import Measured, measured, recall
from core.types import Query

State = Literal["begun", "stopped", "finished"]
"""`stopped` was cancelled, ran out of its budget, or failed: it can be resumed."""

OUTCOMES: tuple[OutcomeName, ...] = get_args(OutcomeName)


@dataclass(frozen=True, slots=True)
class Column:
    """One retriever of a run.

    `retriever` is the text of a `Spec`, or the name of a ranking that was made elsewhere.
    `configuration` is the digest of all that decides what it finds (`configuration`); empty for a
    ranking that was made elsewhere.
    """

    retriever: str
    configuration: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """The questions and retrievers of an evaluation, and its progress.

    Parameters
    ----------
    made_at : UTC, ISO 8601. `by` is who began it, where visitors are told apart.
    question_set : what the questions came from: `index`, or the name of a file.
    questions : how many there are.
    content : of the passages and of the graph that were asked (`Workbench.content`).
    graph : the version of the graph, as the index's meta has it.
    settings : of the run as a whole: embedder, model, baseline, and the like.
    message : why it stopped, if it did.
    """

    id: str
    name: str
    made_at: str
    question_set: str
    questions: int
    columns: tuple[Column, ...]
    content: str
    graph: str = ""
    settings: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    state: State = "begun"
    message: str = ""
    by: str = ""

    @property
    def retrievers(self) -> tuple[str, ...]:
        return tuple(column.retriever for column in self.columns)

    @property
    def is_trial(self) -> bool:
        """Whether it measures the effect of a change: it repeats another run, or is of a study.

        Runs of studies count by their study: earlier versions stored no `trial_of` with them.
        """
        return bool(self.settings.get("trial_of") or self.settings.get("study")) or self.is_search

    @property
    def is_search(self) -> bool:
        """Whether it is a search over the settings of a retriever."""
        return bool(self.settings.get("search"))

    def configuration(self, retriever: str) -> str:
        """Return the configuration digest of a retriever, "" if the run does not have it."""
        configurations = {column.retriever: column.configuration for column in self.columns}
        return configurations.get(retriever, "")


@dataclass(frozen=True, slots=True)
class Row:
    """One question by one retriever of a run.

    Parameters
    ----------
    ranks : for each gold id the rank it was kept at, from 1, or None.
    absent : the gold ids that the index does not hold: nothing that asks it can find them.
    hits : ids of the passages that were kept, best first.
    seconds : wall clock, with `embed_seconds`, which the question's embedding took.
    judgements : places at which there was a choice.
    calls, tokens : of a model, all that it takes; of the calls `kept` were known before, for
        which nothing was paid.
    turned_to, decided : how often a model was turned to, and how often its word counted.
    reasons : why it did not count, each with the number of times; empty when read from a page of
        rows (`Runs.reasons` has them).
    found : how many gold ids had been reached after the start and after each round.
    fates : what became of each gold passage.
    em, f1 : of a model's answer from the hits, in [0, 1]; None if it was asked for none.
    scores : of the hits; empty when read from a page of rows (`Runs.scores` has them), and where
        they are not known.
    answer, accuracy, judge : a model's answer, whether it contains a reference answer, and whether
        a model took it for right, each 1 or 0; None when read from a page of rows (`Runs.answers`
        has them), and where that is not known.
    lengths : tokens of the hits' texts, in order, at least as far as measures count them
        (`core.measures.Lengths`); None when read from a page of rows, and where they are not known.
    costs : what models took by role; None when read from a page of rows (`Runs.model_costs` has
        them), and where that is not known.
    similarities : cosine of each search's query with that of the search before it
        (`core.runs.search_similarity`); None as for `costs`.
    """

    retriever: str
    question: Query
    ranks: Mapping[str, int | None]
    hits: tuple[str, ...]
    absent: tuple[str, ...] = ()
    seconds: float = 0.0
    embed_seconds: float = 0.0
    judgements: int = 0
    calls: int = 0
    tokens: int = 0
    kept: int = 0
    turned_to: int = 0
    decided: int = 0
    reasons: tuple[tuple[str, int], ...] = ()
    found: tuple[int, ...] = ()
    fates: tuple[Fate, ...] = ()
    em: float | None = None
    f1: float | None = None
    scores: tuple[float, ...] = ()
    lengths: tuple[int, ...] | None = None
    answer: str | None = None
    accuracy: float | None = None
    judge: float | None = None
    costs: tuple[RoleCost, ...] | None = None
    similarities: tuple[float, ...] | None = None

    @property
    def recall(self) -> float | None:
        """The share of the gold ids that were kept, in [0, 1]; None without gold."""
        return recall(self._kept)

    @property
    def _kept(self) -> dict[str, int | None]:
        """The ranks within the top k; only imported rankings have others."""
        cut = {fate.gold: fate.rank for fate in self.fates if fate.stage == "cut"}
        lost = {name for name, rank in self.ranks.items() if rank and cut.get(name) == rank}
        return {name: None if name in lost else rank for name, rank in self.ranks.items()}

    @property
    def outcome(self) -> OutcomeName:
        """The outcome in a word, as in the list of questions."""
        kept = sum(rank is not None for rank in self._kept.values())
        absent = sum(name in self.absent for name in self.ranks)
        return outcome_of(kept, len(self.ranks) - absent, absent)

    @property
    def stages(self) -> tuple[str, ...]:
        """The distinct stages of its gold passages."""
        return tuple(dict.fromkeys(fate.stage for fate in self.fates))


def measured_rows(rows: Sequence[Row]) -> list[Measured]:
    """Return the `MEASURES` of each row, in order; None for each where it has no gold."""
    return measured(
        [row.ranks for row in rows],
        [row.question.grades for row in rows],
        [row.lengths for row in rows],
    )


def hops_of(question: Query) -> int:
    """Return the number of hops of a question, from its file, else its number of gold ids."""
    return question.hops

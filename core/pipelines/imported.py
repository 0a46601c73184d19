"""Results of another pipeline, matched to the questions of a run and the passages of an index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.corpus.record_formats.retrieved_results import Context, ContextKey, Result
from core.evidence.contexts import ContextMatch, MatchStep
from core.pipelines.traced import Placed, placed
from core.runs.store import checked_name
from core.spans import TracedResult
from core.text.display.plurals import number
from core.types import Query

ALLOWED = 0.05
"""The share of unknown ids above which a file is imported only if the user insists."""
LISTED = 10
"""How many unknown ids a message names."""
INCOMPLETE = (
    "{} lack documents, because the exporter limits the number of attributes per span: set "
    "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=10000 where the pipeline runs, and record the spans again"
)
FOUND_BY: Mapping[MatchStep, str] = {
    "id": "matched by id",
    "exact": "matched by their text",
    "contained": "matched as part of a passage, or containing one",
    "fuzzy": "matched by similar text",
    "none": "not in the index",
}


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The retrieved contexts of a question of the run, best first, each with its match.

    Parameters
    ----------
    known : the matches of all texts of the file.
    """

    result: Result
    contexts: tuple[Context, ...]
    known: Mapping[ContextKey, ContextMatch] = field(repr=False)

    @property
    def matches(self) -> tuple[ContextMatch, ...]:
        return tuple(self.known[one.key] for one in self.contexts)

    @property
    def answer(self) -> str:
        return self.result.answer

    def placed(self, query: Query, passages_by_gold: Mapping[str, Sequence[str]]) -> Placed | None:
        """Return its documents in the steps of the pipeline; None if these are unknown."""
        if not isinstance(self.result, TracedResult):
            return None
        return placed(self.result, self.known, query, passages_by_gold)


@dataclass(frozen=True, slots=True)
class ImportedResults:
    """A file of results to import, with the number of its ids that the run and the index contain.

    Parameters
    ----------
    name : what the column will be called.
    retrieved : for each question of the run that the file has.
    questions : how many questions the run has.
    question_ids, passage_ids : how many questions the file has, and ids of passages without text.
    unknown_questions, unknown_passages : those that the run and the index do not have.
    steps : how many different contexts with text were matched by each step.
    incomplete : how many traces lack documents, which their exporter left out.
    pipeline : what the pipeline calls itself in its spans; empty if it does not.
    unmatched : the different contexts with text that no passage holds.
    """

    name: str
    retrieved: Mapping[str, Retrieved] = field(repr=False)
    questions: int
    question_ids: int
    passage_ids: int
    unknown_questions: tuple[str, ...] = ()
    unknown_passages: tuple[str, ...] = ()
    steps: Mapping[MatchStep, int] = field(default_factory=dict)
    unmatched: tuple[Context, ...] = field(default=(), repr=False)
    incomplete: int = 0
    pipeline: str = ""

    def named(self, name: str) -> "ImportedResults":
        """Return the same for a column called `name`.

        Raises
        ------
        InputError : a column cannot have that name.
        """
        return replace(self, name=checked_name(name, "A column"))

    @property
    def has_steps(self) -> bool:
        """Whether the steps of any retrieval are known, from its spans."""
        return any(isinstance(one.result, TracedResult) for one in self.retrieved.values())

    @property
    def is_doubtful(self) -> bool:
        """Whether so many ids are unknown that the file is probably of another run or index."""
        return (
            len(self.unknown_questions) > ALLOWED * self.question_ids
            or len(self.unknown_passages) > ALLOWED * self.passage_ids
        )

    @property
    def unknown(self) -> list[str]:
        """The unknown ids in words: a phrase for questions, and one for passages."""
        sides = (
            ("questions", "run", self.unknown_questions, self.question_ids),
            ("passage ids", "index", self.unknown_passages, self.passage_ids),
        )
        return [
            f"{len(ids):,} of {of:,} {what} {'is' if len(ids) == 1 else 'are'} not in the "
            f"{where}: {_listed_ids(ids)}"
            for what, where, ids, of in sides
            if ids
        ]

    def __str__(self) -> str:
        ranked = len(self.retrieved)
        sentences = [
            f"{self.name} has results for {ranked:,} of {number(self.questions, 'question')}"
        ]
        if ranked < self.questions:
            sentences.append("its measures average over these only")
        if texts := sum(self.steps.values()):
            counts = (f"{n:,} {FOUND_BY[step]}" for step, n in self.steps.items() if n)
            sentences.append(f"{texts:,} different texts: {', '.join(counts)}")
        if self.incomplete:
            sentences.append(
                INCOMPLETE.format(f"{self.incomplete:,} of {self.question_ids:,} traces")
            )
        return "; ".join([*sentences, *self.unknown]) + "."

    def to_json(self) -> dict[str, Any]:
        """Return the same with all unknown ids and unmatched texts."""
        return {
            "retriever": self.name,
            "ranked": len(self.retrieved),
            "questions": self.questions,
            "question_ids": self.question_ids,
            "passage_ids": self.passage_ids,
            "unknown_questions": list(self.unknown_questions),
            "unknown_passages": list(self.unknown_passages),
            "matched": dict(self.steps),
            "unmatched": [{"id": one.id, "text": one.text} for one in self.unmatched],
        }


def _listed_ids(ids: Sequence[str]) -> str:
    more = len(ids) - LISTED
    named = ", ".join(one[:80] for one in ids[:LISTED])
    return f"{named} and {more:,} more" if more > 0 else named

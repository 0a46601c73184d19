"""Import of TREC's run files: a ranking that was made elsewhere becomes a column of a run."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.compare import gold_ranks
from core.errors import InputError
from core.evaluate.lengths import lengths_of
from core.runs.gold import passages_of_gold
from core.runs.ranks import ranked_fates
from core.runs.run import Column, Row, Run
from core.runs.store import Runs, checked_name
from core.runs.trec_ids import Ids, trec_id
from core.store.index import Index
from core.types import Query

MOST = 1000
"""How many passages of a question count, of a ranking that was made elsewhere."""
ALLOWED = 0.05
"""The share of unknown ids above which a file is imported only if the user insists."""
LISTED = 10
"""How many unknown ids a message names."""
_PAGE = 500  # rows that are in memory at once
_LINE = "each line is 'question Q0 passage rank score tag'."
_Scored = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """A file that can be imported: its rankings, and how much of it the run and the index know.

    Parameters
    ----------
    name : what the column will be called.
    ranked : for each question of the run that the file has, its best passages with their scores.
    questions : how many questions the run has.
    question_ids, passage_ids : how many ids the file has.
    unknown_questions, unknown_passages : its ids that the run and the index do not have.
    """

    name: str
    ranked: Mapping[str, _Scored] = field(repr=False)
    questions: int
    question_ids: int
    passage_ids: int
    unknown_questions: tuple[str, ...] = ()
    unknown_passages: tuple[str, ...] = ()

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
            ("question", "run", self.unknown_questions, self.question_ids),
            ("passage", "index", self.unknown_passages, self.passage_ids),
        )
        return [
            f"{len(ids):,} of {of:,} {what} ids {'is' if len(ids) == 1 else 'are'} not in the "
            f"{where}: {_named(ids)}"
            for what, where, ids, of in sides
            if ids
        ]

    def __str__(self) -> str:
        ranked = len(self.ranked)
        told = [f"{self.name} ranks {ranked:,} of {self.questions:,} questions"]
        if ranked < self.questions:
            told.append("its measures are means over these only")
        return "; ".join([*told, *self.unknown]) + "."

    def to_json(self) -> dict[str, Any]:
        """The same with all unknown ids."""
        return {
            "retriever": self.name,
            "ranked": len(self.ranked),
            "questions": self.questions,
            "question_ids": self.question_ids,
            "passage_ids": self.passage_ids,
            "unknown_questions": list(self.unknown_questions),
            "unknown_passages": list(self.unknown_passages),
        }


def _named(ids: Sequence[str]) -> str:
    more = len(ids) - LISTED
    named = ", ".join(one[:80] for one in ids[:LISTED])
    return f"{named} and {more:,} more" if more > 0 else named


def read_trec(runs: Runs, run: Run, path: Path, index: Index, name: str = "") -> Ranking:
    """Read a ranking that was made elsewhere, to be imported into `run`.

    Of each question the `MOST` passages with the highest scores count; what the file says of ranks
    does not, as nowhere else.

    Parameters
    ----------
    name : what the column is to be called, and the file where it is refused; else by the file's
        name.

    Raises
    ------
    InputError : the file cannot be read as a TREC run, or holds none of the run's questions or of
        the index's passages.
    """
    queries = {query.id: query for query in runs.questions(run.id)}
    called = name or path.name
    file = _File(Ids(queries, queries), Ids(index, _names(index)))
    file.read(path, called)
    if not file.scored:
        raise InputError(
            f"{called} has none of the {len(queries):,} questions of {run.name}. Its first column "
            f"must be their ids, such as {trec_id(next(iter(queries), ''))!r}."
        )
    if not any(file.passages.values()):
        raise InputError(
            f"{called} has none of the passages of {index.name}. Its third column must be their "
            f"ids, such as {trec_id(next(iter(index.number), ''))!r}."
        )
    return Ranking(
        checked_name(name or path.stem, "A column"),
        {question: tuple(_best(found)) for question, found in file.scored.items()},
        len(queries),
        len(file.questions),
        len(file.passages),
        tuple(word for word, known in file.questions.items() if not known),
        tuple(word for word, known in file.passages.items() if not known),
    )


def import_trec(
    runs: Runs, run: Run, found: Ranking, index: Index, *, force: bool = False
) -> Column:
    """Add a ranking to a run, as a column of its own.

    Parameters
    ----------
    force : import it whatever share of its ids is unknown.

    Raises
    ------
    InputError : more than `ALLOWED` of its ids are unknown, or the run has a column of that name.
    """
    if found.is_doubtful and not force:
        raise InputError(
            f"{found.name} was not imported: {'; '.join(found.unknown)}. More than "
            f"{ALLOWED:.0%} of its ids are unknown, so it may be of other questions or another "
            "index."
        )
    column = Column(found.name)
    queries = [query for query in runs.questions(run.id) if query.id in found.ranked]
    runs.add_column(run.id, column)
    for start in range(0, len(queries), _PAGE):
        page = queries[start : start + _PAGE]
        stands = passages_of_gold(page, run, index)
        rows = (
            _row(column, query, found.ranked[query.id], each, index)
            for query, each in zip(page, stands, strict=True)
        )
        runs.append(run.id, rows)
    return column


def _names(index: Index) -> Iterator[str]:
    yield from dict.fromkeys((*index.ids, *index.document_passages))


def _row(
    column: Column, query: Query, scored: _Scored, stands: Mapping[str, Sequence[str]], index: Index
) -> Row:
    hits = tuple(name for name, _ in scored)
    ranks = gold_ranks(hits, query.gold, stands)
    absent = tuple(name for name in ranks if not stands.get(name))
    return Row(
        retriever=column.retriever,
        question=query,
        ranks=ranks,
        hits=hits,
        absent=absent,
        fates=ranked_fates(ranks, hits, absent, stands),
        scores=tuple(score for _, score in scored),
        lengths=lengths_of(hits, index),
    )


class _File:
    """What was read of a file: the scores of each known question, and which ids are known.

    Passages of the same score are as the file has them.
    """

    def __init__(self, asked: Ids, passages: Ids) -> None:
        self._asked, self._held = asked, passages
        self.scored: dict[str, dict[str, float]] = {}
        self.questions: dict[str, str | None] = {}
        self.passages: dict[str, str | None] = {}

    def read(self, path: Path, called: str) -> None:
        try:
            with path.open(encoding="utf-8-sig") as lines:
                for number, line in enumerate(lines, start=1):
                    if line.strip():
                        self._take(*_scored(line, f"Line {number:,} of {called}"))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"{called} cannot be read as text. Give a TREC run: {_LINE}"
            ) from error

    def _take(self, asked: str, spelled: str, score: float) -> None:
        if asked not in self.questions:
            self.questions[asked] = self._asked.find(asked)
        if spelled not in self.passages:
            self.passages[spelled] = self._held.find(spelled)
        question, passage = self.questions[asked], self.passages[spelled] or spelled
        if question is None:
            return
        found = self.scored.setdefault(question, {})
        found[passage] = max(found.get(passage, -math.inf), score)
        if len(found) > 2 * MOST:
            self.scored[question] = dict(_best(found))


def _scored(line: str, where: str) -> tuple[str, str, float]:
    """Question, passage and score of a line."""
    try:
        question, _, passage, _, score, _ = line.split()
        value = float(score)
    except ValueError:
        raise InputError(f"{where} is none of a TREC run: {_LINE}") from None
    if not math.isfinite(value):
        raise InputError(f"{where} has the score {score}, by which nothing can be ranked.")
    return question, passage, value


def _best(scored: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(scored.items(), key=lambda each: -each[1])[:MOST]

"""TREC's run and qrels files: what a run found, for other tools, and what they found, as a column.

A hit that counts as a gold id is written under that id, so that other tools measure what is
measured here. White space, which would end a column, is written as `%20` in ids, and `%` in such
ids as `%25`; ids without white space are written as they are.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote

from core.compare import gold_ranks
from core.errors import InputError
from core.runs.run import Column, Row, Run
from core.runs.store import Runs, checked_name
from core.store.index import Index
from core.types import Query

MOST = 1000
"""How many passages of a question count, of a ranking that was made elsewhere."""
_PAGE = 500  # rows that are in memory at once
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
_LINE = "each line is 'question Q0 passage rank score tag'."


def run_lines(runs: Runs, run: Run, retriever: str) -> Iterator[str]:
    """`QUESTION Q0 PASSAGE RANK SCORE TAG`; scores fall by one from rank to rank."""
    tag = _word(retriever)
    for row in _rows(runs, run, retriever):
        gold = {rank: name for name, rank in row.ranks.items() if rank}
        for rank, passage in enumerate(row.hits, start=1):
            name = _id(gold.get(rank, passage))
            yield f"{_id(row.question.id)} Q0 {name} {rank} {len(row.hits) - rank + 1} {tag}"


def qrels_lines(runs: Runs, run: Run) -> Iterator[str]:
    """`QUESTION 0 GOLD GRADE` for each gold id; the grade is 1 where the question set has none."""
    told: set[str] = set()
    for retriever in run.retrievers:
        for row in _rows(runs, run, retriever):
            if row.question.id not in told:
                told.add(row.question.id)
                for name in row.ranks:
                    grade = max(1, round(row.question.grades.get(name, 1)))
                    yield f"{_id(row.question.id)} 0 {_id(name)} {grade}"


def write_trec(runs: Runs, run: Run, folder: Path) -> list[Path]:
    """Write `qrels.txt` and a `.run` file for each retriever; returns their paths.

    Raises
    ------
    InputError : the folder cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths = [_write(folder / "qrels.txt", qrels_lines(runs, run))]
        for retriever in run.retrievers:
            place = folder / f"{_file_name(retriever)}.run"
            paths.append(_write(place, run_lines(runs, run, retriever)))
    except OSError as error:
        raise InputError(
            f"{folder} cannot be written ({error.strerror}). Give another folder."
        ) from error
    return paths


@dataclass(frozen=True, slots=True)
class Imported:
    """A column that was imported: how much of its file the run and the index know.

    `ranked` of the `questions` of the run are in the file. `unknown_questions` of its question ids
    are not in the run, and `unknown_passages` of its `passages` are not in the index.
    """

    column: Column
    ranked: int
    questions: int
    unknown_questions: int
    passages: int
    unknown_passages: int

    def __str__(self) -> str:
        told = [f"{self.column.retriever} ranks {self.ranked:,} of {self.questions:,} questions"]
        if self.ranked < self.questions:
            told.append("its measures are means over these only")
        if self.unknown_questions:
            told.append(f"question ids that are not in the run: {self.unknown_questions:,}")
        if self.unknown_passages:
            told.append(
                "passage ids that are not in the index: "
                f"{self.unknown_passages:,} of {self.passages:,}"
            )
        return "; ".join(told) + "."


def import_trec(runs: Runs, run: Run, path: Path, index: Index, name: str = "") -> Imported:
    """Add a ranking that was made elsewhere to a run, as a column of its own.

    Of each question the `MOST` passages with the highest scores count; what the file says of ranks
    does not, as nowhere else.

    Parameters
    ----------
    name : what the column is called, and the file where it is refused; else by the file's name.

    Raises
    ------
    InputError : the file cannot be read as a TREC run, holds none of the run's questions or of the
        index's passages, or the run has a column of that name.
    """
    queries = {query.id: query for query in runs.questions(run.id)}
    asked = Ids(queries, queries)
    called = name or path.name
    ranked, strange = _read(path, called, asked, Ids(index, _names(index)))
    if not ranked:
        raise InputError(
            f"{called} has none of the {len(queries):,} questions of {run.name}. Its first column "
            f"must be their ids, such as {_id(next(iter(queries), ''))!r}."
        )
    hits = {hit for found in ranked.values() for hit in found}
    known = sum(map(index.holds, hits))
    if not known:
        raise InputError(
            f"{called} has none of the passages of {index.name}. Its third column must be their "
            f"ids, such as {_id(next(iter(index.number), ''))!r}."
        )
    column = Column(checked_name(name or path.stem, "A column"))
    rows = [_row(column, queries[key], found, index) for key, found in ranked.items()]
    runs.add_column(run.id, column)
    for start in range(0, len(rows), _PAGE):
        runs.append(run.id, rows[start : start + _PAGE])
    return Imported(column, len(ranked), len(queries), strange, len(hits), len(hits) - known)


class Ids:
    """Ids as TREC files spell them, to the ids that they stand for.

    Parameters
    ----------
    known : says by `in` or `holds` whether there is such an id.
    names : all ids.
    """

    def __init__(self, known: Index | Collection[str], names: Iterable[str]) -> None:
        self._holds = known.holds if isinstance(known, Index) else known.__contains__
        self._names = names

    def find(self, word: str) -> str | None:
        """The id that is written as `word`, or None."""
        for name in (unquote(word), word):
            if self._holds(name):
                return name
        return self._underscored.get(word)

    @cached_property
    def _underscored(self) -> dict[str, str]:
        """Ids with white space as earlier versions wrote them, if unambiguous."""
        spaced = [name for name in self._names if len(name.split()) > 1]
        several = Counter(map(_word, spaced))
        return {_word(name): name for name in spaced if several[_word(name)] == 1}


def _names(index: Index) -> Iterator[str]:
    yield from dict.fromkeys((*index.ids, *index.document_passages))


def _row(column: Column, query: Query, hits: Sequence[str], index: Index) -> Row:
    ranks: Mapping[str, int | None] = gold_ranks(hits, query.gold, index.document_passages)
    return Row(
        retriever=column.retriever,
        question=query,
        ranks=ranks,
        hits=tuple(hits),
        absent=tuple(name for name in ranks if not index.holds(name)),
    )


def _read(path: Path, called: str, asked: Ids, passages: Ids) -> tuple[dict[str, list[str]], int]:
    """The ranking of each question of `asked`, by score, and how many others the file has.

    Passages of the same score are as the file has them.
    """
    scored: dict[str, dict[str, float]] = {}
    others: set[str] = set()
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                word, spelled, score = _scored(line, f"Line {number:,} of {called}")
                question = asked.find(word)
                if question is None:
                    others.add(word)
                else:
                    passage = passages.find(spelled) or spelled
                    found = scored.setdefault(question, {})
                    found[passage] = max(found.get(passage, -math.inf), score)
                    if len(found) > 2 * MOST:
                        scored[question] = dict(_best(found))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{called} cannot be read as text. Give a TREC run: {_LINE}") from error
    ranked = {question: [name for name, _ in _best(found)] for question, found in scored.items()}
    return ranked, len(others)


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


def _rows(runs: Runs, run: Run, retriever: str) -> Iterator[Row]:
    for offset in range(0, max(run.questions, 1), _PAGE):
        yield from runs.rows(run.id, retriever, order="asked", limit=_PAGE, offset=offset)


def _write(path: Path, lines: Iterator[str]) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(line + "\n" for line in lines)
    return path


def _id(name: str) -> str:
    """`name` as one column, from which it can be read again."""
    if len(name.split()) == 1 and not _ENCODED.search(name):
        return name
    return re.sub(r"[\s%]", lambda found: quote(found[0], safe=""), name) or "_"


def _word(text: str) -> str:
    """`text` as one column: white space would end it."""
    return "_".join(text.split()) or "_"


def _file_name(retriever: str) -> str:
    return "".join(c if c.isalnum() or c in "-=" else "_" for c in retriever).strip("_")

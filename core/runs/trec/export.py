"""TREC's run and qrels files of a run, for other tools.

Both name the passages themselves, so that what other tools measure is what a reader of the ranking
sees: a gold id stands in the qrels as the passages that hold it. Gold that no passage holds stands
there under its own id, as it counts as missed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from core.errors import InputError
from core.runs.gold import passages_of_gold
from core.runs.run import Row, Run
from core.runs.store import Runs
from core.runs.trec.ids import trec_id, word
from core.store.index import Index

Level: TypeAlias = Literal["passage", "document"]
"""What the lines of the files name."""

_LOWEST = np.float32(-np.inf)
_PAGE = 500  # rows that are in memory at once


def run_lines(
    runs: Runs, run: Run, retriever: str, index: Index, level: Level = "passage"
) -> Iterator[str]:
    """Yield `QUESTION Q0 PASSAGE RANK SCORE TAG` for each hit, best first.

    Scores are the retriever's, or 1 / rank where they were not stored. A score that is not below
    the one before is lowered to the next 32-bit number: trec_eval reads no more, and would order
    equal scores by their ids. A document has its best passage's score.
    """
    tag, scores = word(retriever), runs.scores(run.id, retriever)
    for row in _rows(runs, run, retriever):
        known = scores.get(row.question.id) or [1 / rank for rank, _ in enumerate(row.hits, 1)]
        score_of = dict[str, float]()
        for passage, score in zip(row.hits, known, strict=True):
            score_of.setdefault(_exported_id(passage, index, level), score)
        lines = zip(score_of, _falling(list(score_of.values())), strict=True)
        for rank, (name, score) in enumerate(lines, start=1):
            yield f"{trec_id(row.question.id)} Q0 {trec_id(name)} {rank} {score!r} {tag}"


def _falling(scores: Sequence[float]) -> Iterator[float]:
    """Yield strictly decreasing scores, also as 32-bit numbers."""
    last = np.float32(np.inf)
    for score in scores:
        own = np.float32(score)
        if own >= last:
            own = np.nextafter(last, _LOWEST)
            score = float(own)
        last = own
        yield score


def qrels_lines(runs: Runs, run: Run, index: Index, level: Level = "passage") -> Iterator[str]:
    """Yield `QUESTION 0 PASSAGE GRADE` for each gold passage.

    The grade is 1 where the question set has none, and the highest of what a passage holds.
    """
    questions = runs.questions(run.id)
    for query, passages_by_gold in zip(
        questions, passages_of_gold(questions, run, index), strict=True
    ):
        grades: dict[str, int] = {}
        for gold in query.gold:
            grade = max(1, round(query.grades.get(gold, 1)))
            for passage in passages_by_gold.get(gold) or (gold,):
                name = _exported_id(passage, index, level)
                grades[name] = max(grade, grades.get(name, 0))
        for name, grade in grades.items():
            yield f"{trec_id(query.id)} 0 {trec_id(name)} {grade}"


def without_scores(runs: Runs, run: Run) -> list[str]:
    """Return the retrievers without stored scores: their files use 1 / rank."""
    return [one for one in run.retrievers if not any(runs.scores(run.id, one).values())]


def write_trec(
    runs: Runs, run: Run, folder: Path, index: Index, level: Level = "passage"
) -> list[Path]:
    """Write `qrels.txt` and a `.run` file for each retriever; returns their paths.

    Raises
    ------
    InputError : the folder cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths = [_write(folder / "qrels.txt", qrels_lines(runs, run, index, level))]
        for retriever in run.retrievers:
            place = folder / f"{_file_name(retriever)}.run"
            paths.append(_write(place, run_lines(runs, run, retriever, index, level)))
    except OSError as error:
        raise InputError(
            f"Could not write to {folder} ({error.strerror}). Choose another folder."
        ) from error
    return paths


def _exported_id(passage: str, index: Index, level: Level) -> str:
    """Return the id of a passage or of its document; unknown ids unchanged."""
    if level == "passage" or passage not in index.number:
        return passage
    return index.passage(passage).document_id


def _rows(runs: Runs, run: Run, retriever: str) -> Iterator[Row]:
    for offset in range(0, max(run.questions, 1), _PAGE):
        yield from runs.rows(run.id, retriever, order="asked", limit=_PAGE, offset=offset)


def _write(path: Path, lines: Iterator[str]) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(line + "\n" for line in lines)
    return path


def _file_name(retriever: str) -> str:
    return "".join(c if c.isalnum() or c in "-=" else "_" for c in retriever).strip("_")

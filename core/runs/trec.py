"""TREC's run and qrels files: what a run found, for other tools, and what they found, as a column.

A hit that counts as a gold id is written under that id, so that other tools measure what is
measured here.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from core.compare import gold_ranks
from core.errors import InputError
from core.runs.run import Column, Row, Run
from core.runs.store import Runs, checked_name
from core.store.index import Index
from core.types import Query

MOST = 1000
"""How many passages of a question count, of a ranking that was made elsewhere."""
_PAGE = 500  # rows that are in memory at once
_LINE = "each line is 'question Q0 passage rank score tag'."


def run_lines(runs: Runs, run: Run, retriever: str) -> Iterator[str]:
    """`QUESTION Q0 PASSAGE RANK SCORE TAG`; scores fall by one from rank to rank."""
    tag = _word(retriever)
    for row in _rows(runs, run, retriever):
        gold = {rank: name for name, rank in row.ranks.items() if rank}
        for rank, passage in enumerate(row.hits, start=1):
            name = _word(gold.get(rank, passage))
            yield f"{_word(row.question.id)} Q0 {name} {rank} {len(row.hits) - rank + 1} {tag}"


def qrels_lines(runs: Runs, run: Run) -> Iterator[str]:
    """`QUESTION 0 GOLD 1` for each gold id."""
    told: set[str] = set()
    for retriever in run.retrievers:
        for row in _rows(runs, run, retriever):
            if row.question.id not in told:
                told.add(row.question.id)
                yield from (f"{_word(row.question.id)} 0 {_word(name)} 1" for name in row.ranks)


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


def import_trec(runs: Runs, run: Run, path: Path, index: Index, name: str = "") -> Column:
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
    asked = {_word(query.id): query for query in runs.questions(run.id)}
    called = name or path.name
    ranked = _read(path, called, asked)
    if not ranked:
        raise InputError(
            f"{called} has none of the {len(asked):,} questions of {run.name}. Its first column "
            f"must be their ids, such as {next(iter(asked), '')!r}."
        )
    if not any(index.holds(hit) for hits in ranked.values() for hit in hits):
        raise InputError(
            f"{called} has none of the passages of {index.name}. Its third column must be their "
            f"ids, such as {next(iter(index.number), '')!r}."
        )
    column = Column(checked_name(name or path.stem, "A column"))
    rows = [_row(column, asked[key], hits, index) for key, hits in ranked.items()]
    runs.add_column(run.id, column)
    for start in range(0, len(rows), _PAGE):
        runs.append(run.id, rows[start : start + _PAGE])
    return column


def _row(column: Column, query: Query, hits: Sequence[str], index: Index) -> Row:
    ranks: Mapping[str, int | None] = gold_ranks(hits, query.gold, index.document_passages)
    return Row(
        retriever=column.retriever,
        question=query,
        ranks=ranks,
        hits=tuple(hits),
        absent=tuple(name for name in ranks if not index.holds(name)),
    )


def _read(path: Path, called: str, asked: Collection[str]) -> dict[str, list[str]]:
    """The ranking of each question of `asked`, by score; equal ones as the file has them."""
    scored: dict[str, dict[str, float]] = {}
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                question, passage, score = _scored(line, f"Line {number:,} of {called}")
                if question in asked:
                    found = scored.setdefault(question, {})
                    found[passage] = max(found.get(passage, -math.inf), score)
                    if len(found) > 2 * MOST:
                        scored[question] = dict(_best(found))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{called} cannot be read as text. Give a TREC run: {_LINE}") from error
    return {question: [name for name, _ in _best(found)] for question, found in scored.items()}


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


def _word(text: str) -> str:
    """`text` as one column: white space would end it."""
    return "_".join(text.split()) or "_"


def _file_name(retriever: str) -> str:
    return "".join(c if c.isalnum() or c in "-=" else "_" for c in retriever).strip("_")

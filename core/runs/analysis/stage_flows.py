"""Gold of a run by its stages for two retrievers at once, and the questions at each pair."""

from collections.abc import Sequence

from core.runs.store import Runs

_BOTH = (
    " FROM golds a JOIN golds b ON b.run = a.run AND b.question = a.question AND b.gold = a.gold"
    " WHERE a.run = ? AND a.retriever = ? AND b.retriever = ?"
)


def stage_pairs(runs: Runs, run: str, one: str, other: str) -> dict[tuple[str, str], int]:
    """Count the gold ids at each pair of stages of two retrievers, where both are known."""
    rows = runs.read(
        f"SELECT a.stage, b.stage, count(*){_BOTH} AND a.stage != '' AND b.stage != ''"
        " GROUP BY a.stage, b.stage",
        *(run, one, other),
    )
    return {(first, second): count for first, second, count in rows}


def questions_at(
    runs: Runs,
    run: str,
    one: tuple[str, Sequence[str]],
    other: tuple[str, Sequence[str]],
) -> tuple[str, ...]:
    """Return the ids of questions with gold at the given stages of two retrievers.

    Parameters
    ----------
    one, other : a retriever and stages; no stage is any.
    """
    (first, here), (second, there) = one, other
    rows = runs.read(f"SELECT DISTINCT a.question, a.stage, b.stage{_BOTH}", run, first, second)
    questions = (
        question for question, a, b in rows if (not here or a in here) and (not there or b in there)
    )
    return tuple(dict.fromkeys(questions))

"""The gold that a run measures by, and the passages of each gold id."""

from collections.abc import Mapping, Sequence

from core.evidence import GoldLevel
from core.marks.gold import golds_of_queries, passages_by_gold_id
from core.runs.question_sets import OWN
from core.runs.run import Run
from core.store.index import Index
from core.types import Query


def level_of(run: Run) -> GoldLevel:
    """Return the gold level of a run; runs without this setting use documents."""
    return "evidence" if run.settings.get("gold") == "evidence" else "document"


def passages_of_gold(
    questions: Sequence[Query], run: Run, index: Index
) -> list[Mapping[str, Sequence[str]]]:
    """Return, for each question, the current passages of its gold ids.

    Marks made by hand belong to the index's own questions. One that the index does not have any
    more stands for what it was asked with.
    """
    if run.question_set == OWN:
        golds = golds_of_queries(index, questions, level_of(run))
        pairs = zip(questions, golds, strict=True)
        return [
            gold.passages if gold else passages_by_gold_id(query, index) for query, gold in pairs
        ]
    return [passages_by_gold_id(query, index) for query in questions]

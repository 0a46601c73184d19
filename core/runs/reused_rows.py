"""Rows of earlier runs in place of asking the same again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.artefacts.workbench import Workbench
from core.ranking_comparison import gold_ranks
from core.runs.evaluation_report import with_answer
from core.runs.measuring import gold_passages_of
from core.runs.run import Run
from core.runs.store import Runs
from core.types import Query


def take_over(workbench: Workbench, kept: Runs, run: Run) -> None:
    """Copy rows of earlier runs that asked the same question with the same configuration.

    They are the rankings that are kept with what they cost, with answers where `run` has answers
    of the same model. Those whose gold stands at other ranks by now, as marks may change that, are
    asked again.
    """
    questions, earlier = kept.questions(run.id), Runs(workbench.index.path)
    passages_by_gold = gold_passages_of(questions, run, workbench)

    def ranks(hits: Sequence[str], question: Query) -> Mapping[str, int | None]:
        passages = passages_by_gold.get(question.id) or workbench.index.document_passages
        return gold_ranks(hits, question.gold, passages)

    answering = _answering(run)
    same = {(one.text, one.gold): one for one in questions}
    for column in run.columns:
        missing = {one.id for one in questions} - kept.asked(run.id, column.retriever)
        for other in earlier.all():
            if not missing or other.id == run.id or _answering(other) != answering:
                continue
            if other.configuration(column.retriever) != column.configuration:
                continue
            answers = earlier.answers(other.id, column.retriever)
            costs = earlier.model_costs(other.id, column.retriever)
            similarities = earlier.similarities(other.id, column.retriever)
            rows = [
                replace(
                    with_answer(row, answers),
                    question=question,
                    costs=costs.get(row.question.id),
                    similarities=similarities.get(row.question.id),
                )
                for row in earlier.every(other.id, column.retriever)
                if (question := same.get((row.question.text, row.question.gold)))
                and question.id in missing
                and row.ranks == ranks(row.hits, question)
            ]
            kept.append(run.id, rows)
            missing -= {row.question.id for row in rows}


def _answering(run: Run) -> str:
    """Return the models that answer and judge in a run; empty where none does."""
    if not run.settings.get("answers"):
        return ""
    names = ("model", "reader", "judge")
    return " ".join(f"{name}={run.settings.get(name, '')}" for name in names)

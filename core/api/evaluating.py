"""Measure retrievers on questions with gold."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.api.opening import OpenIndex, allowed
from core.api.progress import progress_bars
from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.evaluation import Counted, Evaluation, pair
from core.evidence import GoldLevel
from core.jobs import evaluation_place
from core.models.money.budget import Budget
from core.pipelines import ImportedResults, begin_imported_run, read_results
from core.pipelines import import_results as add_results
from core.retrievers import Spec, default_retrievers
from core.runs import Run, Runs
from core.runs.evaluation_report import report_of
from core.runs.measuring import begin, measured
from core.runs.measuring import evaluate as measured_unstored
from core.runs.question_sets import OWN, own_questions, questions_in
from core.store.locking.writer_lock import writer_lock
from core.types import Query

if TYPE_CHECKING:
    import pandas as pd

Questions = Sequence[Query] | str | os.PathLike[str] | None
"""Questions, a file of them, or None: those of the index."""


@dataclass(frozen=True, slots=True, eq=False)
class Evaluated:
    """The results of retrievers for questions.

    Parameters
    ----------
    report : all outcomes (`core.evaluation.Evaluation`).
    gold : what counts as gold.
    """

    report: Evaluation = field(repr=False)
    gold: GoldLevel = "evidence"

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each retriever: `n` questions with gold, and the means of all measures.

        Shares are in percent, times in seconds; `embed_seconds_p50` is not part of the others.
        """
        import pandas as pd

        rows = {self.report.called(key): self.report.named(key) for key in self.report.keys}
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("retriever")

    def by_question(self) -> "pd.DataFrame":
        """Return a row for each question and retriever.

        `found` of `gold` pieces are in the result, `ranks` has the rank of each (None: not
        found), `hits` the ids of passages, best first. `seconds` leave out `embed_seconds`, the
        embedding of the question.
        """
        import pandas as pd

        rows = [
            {
                "retriever": row.retriever,
                "id": row.question.id,
                "question": row.question.text,
                "type": row.question.type,
                "gold": len(row.ranks),
                "found": sum(rank is not None for rank in row.ranks.values()),
                "ranks": list(row.ranks.values()),
                "hits": list(row.hits),
                "seconds": row.retrieval_seconds,
                "embed_seconds": row.embed_seconds,
                "answer": row.answer,
            }
            for row in self.report.rows
        ]
        return pd.DataFrame(rows)

    def differences(self, baseline: str = "") -> "pd.DataFrame":
        """Return each retriever minus `baseline` (the first if empty), paired by question.

        `mean` and its 95% interval `low` to `high` are in percentage points, `p` is of Fisher's
        randomization test (Smucker, Allan and Carterette, CIKM 2007).

        Raises
        ------
        InputError : no retriever of that name was measured.
        """
        import pandas as pd

        paired = pair(self.report, baseline or self.report.keys[0])
        rows = [
            {"retriever": key, "measure": one.measure, **one.to_dict()}
            for key, differences in paired.overall.items()
            for one in differences
        ]
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        keys = ", ".join(self.report.keys)
        return f"<Evaluated: {keys}; {len(self.report.rows):,} results, gold: {self.gold}>"

    def _repr_html_(self) -> str:
        html: str = self.to_frame().round(2).to_html()
        return html


def evaluate(
    index: OpenIndex,
    retrievers: Sequence[str | Spec] = (),
    questions: Questions = None,
    *,
    gold: GoldLevel = "evidence",
    name: str = "",
    answers: bool = False,
    judge: bool = False,
    budget: float | Budget | None = None,
    **settings: object,
) -> Evaluated:
    """Measure retrievers: recall of evidence, nDCG, seconds and, if wanted, answers.

    Parameters
    ----------
    retrievers : keys, also with settings. Default: one of each family that needs no model.
    questions : a question file or questions; those of the index by default.
    gold : what counts as gold: each piece of evidence, or whole documents.
    name : store the result as a run of that name, which the app shows on Evaluate and Errors. A
        run that was stopped resumes.
    answers : have the language model answer from each result, and measure EM, F1 and string
        accuracy.
    judge : have it then judge each answer, and measure how often it agrees with EM.
    budget : the most that model calls may cost, in dollars (see `retrieve`).
    settings : settings of all retrievers by name, such as `top_k=10`.

    Raises
    ------
    InputError : there is no question, no such retriever or setting; or a run of that name exists.
    LeaveMissing : a model would have to be called, and there is no budget.
    """
    specs = [Spec.of(one).with_settings(**settings) for one in retrievers or default_retrievers()]
    asked, source = questions_of(index, questions, gold)
    with index.asking(specs, allowed(budget)) as workbench, progress_bars() as bars:
        task = bars.add_task("Evaluating")

        def told(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total)

        if name:
            run = stored_run(workbench, asked, specs, name, source, answers=answers, judge=judge)
            report = measured_run(workbench, run, told)
        else:
            report = measured_unstored(
                *(asked, workbench, specs),
                question_set=source,
                answers=answers,
                judge=judge,
                on_progress=told,
            )
    if report.stopped:
        raise report.stopped
    return Evaluated(report, gold)


def questions_of(
    index: OpenIndex, questions: Questions, gold: GoldLevel
) -> tuple[list[Query], str]:
    """Return questions with gold in the index, and the name of their set.

    Raises
    ------
    InputError : a file cannot be read or holds no question, or the index has none.
    """
    if questions is None:
        return own_questions(index.index, gold), OWN
    if isinstance(questions, str | os.PathLike):
        path = Path(questions)
        return questions_in(path, index.index, level=gold).questions, path.name
    return list(questions), OWN


def stored_run(
    workbench: Workbench,
    questions: Sequence[Query],
    specs: Sequence[Spec],
    name: str,
    question_set: str,
    *,
    baseline: str = "",
    answers: bool = False,
    judge: bool = False,
) -> Run:
    """Return the stopped run of that name, or begin a new one.

    Raises
    ------
    InputError : a run of that name is finished, or asks something else.
    """
    kept = Runs(workbench.index.path)
    there = next((run for run in kept.all() if run.name == name), None)
    if there is None:
        return begin(
            workbench,
            questions,
            specs,
            name=name,
            question_set=question_set,
            baseline=baseline,
            answers=answers,
            judge=judge,
        )
    own = [column.retriever for column in there.columns if column.configuration]
    same = own == list(map(str, specs)) and kept.questions(there.id) == list(questions)
    same = same and answers == bool(there.settings.get("answers"))
    same = same and judge == bool(there.settings.get("judge"))
    if there.state == "finished" or not same:
        raise InputError(
            f"A run named {there.name!r} already exists. Choose another name, or delete it: "
            f"python -m core runs delete {there.name!r}"
        )
    return there


def measured_run(workbench: Workbench, run: Run, told: Counted) -> Evaluation:
    """Evaluate the remaining questions of a stored run and report all of it.

    Raises
    ------
    IndexLocked : another evaluation of the index runs.
    """
    place = workbench.index.path
    with writer_lock(evaluation_place(place), "an evaluation"):
        return measured(Runs(place), run, workbench, told)


def import_results(
    index: OpenIndex,
    file: str | os.PathLike[str] | ImportedResults,
    run: str,
    *,
    name: str = "",
    gold: GoldLevel = "evidence",
    force: bool = False,
) -> Evaluated:
    """Add results of another pipeline to a run, and return the measures of all its columns.

    Parameters
    ----------
    file : JSON Lines of {question, contexts: [{text, id?, score?, title?}], answer?}, or any other
        format that the app imports: RAGAS, RAGChecker, TREC, BEIR, HippoRAG, CSV, Parquet, spans.
        Or what `core.pipelines.read_results` returned.
    run : name of a run; a new one with the questions of the index if there is none.
    name : name of the column. By default what the pipeline calls itself in its spans, or else the
        name of the file.
    gold : what counts as gold in a new run.
    force : import however many of its ids are unknown.

    Raises
    ------
    InputError : the file cannot be read, has none of the questions, or most ids are unknown.
    """
    kept = Runs(index.index.path)
    known = next((one for one in kept.all() if one.name == run), None)
    questions = kept.questions(known.id) if known else own_questions(index.index, gold)
    if isinstance(file, ImportedResults):
        read = file.named(name or file.name)
    else:
        read = read_results(Path(file), questions, index.index, name)
    imported = known or begin_imported_run(index.index, questions, run)
    try:
        add_results(kept, imported, read, index.index, force=force)
    except InputError:
        if known is None:
            kept.delete(imported.id)
        raise
    return Evaluated(report_of(kept, kept.get(imported.id)), gold)

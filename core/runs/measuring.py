"""Measuring a run: every question by every retriever, each row stored as it comes."""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from core.artefacts.workbench import Workbench
from core.errors import HopRagError, InputError, RetrieverFailed
from core.evaluation.measures import Evaluation
from core.evaluation.running import Counted, asked
from core.evidence import level_of_questions
from core.retrievers import Retriever, Spec, make
from core.retrievers.warm_up import warm_up
from core.runs.answers import Answers, answers_of, is_answered_by, reader_setting
from core.runs.configuration import configuration, versions
from core.runs.evaluation_report import report_of
from core.runs.gold import passages_of_gold
from core.runs.question_sets import OWN
from core.runs.row_writer import Asked, GoldPassages, Keeping
from core.runs.run import Column, Run
from core.runs.store import Runs
from core.types import Query

_FAILURES = 3  # of a custom retriever, after which it is asked no further question


def begin(
    workbench: Workbench,
    questions: Sequence[Query],
    specs: Sequence[Spec],
    *,
    name: str,
    question_set: str = OWN,
    baseline: str = "",
    by: str = "",
    answers: bool = False,
    judge: bool = False,
    trial_of: str = "",
    more: Mapping[str, str | int] | None = None,
    runs: Runs | None = None,
) -> Run:
    """Store a new run that has no results yet.

    Parameters
    ----------
    runs : the store; by default, the one in the index folder.
    answers : whether the model answers each question from the passages of each retriever.
    judge : whether the model also judges each of its answers.
    trial_of : id of the run whose questions are run again with a change.
    more : further settings to record, such as those of a settings search or a study.

    Raises
    ------
    InputError : there is no question or no retriever, or the name is invalid; or `answers` is set,
        but no model is configured or no question has a known answer.
    StoreError : the run cannot be written.
    """
    if not questions:
        raise InputError("There are no questions to evaluate.")
    wanted = list(dict.fromkeys(specs))
    if not wanted:
        raise InputError("No retriever is selected. Choose at least one.")
    for spec in wanted:
        make(spec, workbench)  # raises for a retriever that cannot run, before any question is run
    index, oracle = workbench.index, workbench.oracle
    if answers:
        check_answers(questions)
        if oracle is None:
            raise InputError("Answers need a language model, and none is configured.")
    calls_model = answers or any(spec.asks_model for spec in wanted)
    run = Run(
        id=uuid.uuid4().hex[:12],
        name=name,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        question_set=question_set,
        questions=len(questions),
        columns=tuple(Column(str(spec), configuration(workbench, spec)) for spec in wanted),
        content=workbench.content,
        graph=index.meta.graph_version,
        settings={
            "embedder": index.meta.embedder.name,
            "precision": index.meta.embedder.precision,
            "model": oracle.llm.model if oracle and calls_model else "",
            "baseline": baseline or str(wanted[0]),
            "answers": answers,
            **reader_setting(oracle, answers=answers),
            **({"judge": oracle.llm.model} if judge and answers and oracle else {}),
            "gold": level_of_questions(questions),
            **versions(workbench, wanted),
            **({"trial_of": trial_of} if trial_of else {}),
            **(more or {}),
        },
        by=by,
    )
    return (runs or Runs(index.path)).begin(run, questions)


def check_answers(questions: Sequence[Query]) -> None:
    """Raise InputError if no question has a known answer to compare with."""
    if not any(question.is_answer_known for question in questions):
        raise InputError(
            "No question has an 'answer' to compare with. Add one to each line: {\"question\": "
            '..., "answer": ...}'
        )


def evaluate(
    questions: Sequence[Query],
    workbench: Workbench,
    specs: Sequence[Spec | str],
    *,
    question_set: str = "",
    answers: bool = False,
    judge: bool = False,
    on_progress: Counted | None = None,
) -> Evaluation:
    """Evaluate retrievers without storing the run in the index folder.

    The run is stored in a temporary folder instead.

    Parameters
    ----------
    questions, answers, judge, on_progress : as for `begin` and `measure`.
    specs : the retrievers; their texts are the keys of the report.

    Returns
    -------
    The report; `stopped` says why it is incomplete, if it is.

    Raises
    ------
    InputError : there is no question, or no such retriever.
    HopRagError : nothing could be measured at all.
    """
    with TemporaryDirectory(prefix="hoprag-") as folder:
        runs, wanted = Runs(Path(folder)), [Spec.of(each) for each in specs]
        run = begin(
            workbench,
            questions,
            wanted,
            name="evaluation",
            question_set=question_set,
            answers=answers,
            judge=judge,
            runs=runs,
        )
        return measured(runs, run, workbench, on_progress)


def measured(
    runs: Runs, run: Run, workbench: Workbench, on_progress: Counted | None = None
) -> Evaluation:
    """Evaluate the questions of a run that have no result yet, and report on the whole run.

    Raises
    ------
    HopRagError : nothing could be measured at all.
    """
    answers, stopped = answers_of(run, workbench), None
    try:
        measure(run, workbench, on_progress, runs=runs, answers=answers)
    except HopRagError as error:
        stopped = error
    report = report_of(runs, runs.get(run.id))
    if stopped and not report.rows:
        raise stopped
    return replace(report, answering=answers.usage if answers else None, stopped=stopped)


def unasked(runs: Runs, run: Run) -> dict[str, list[Query]]:
    """Return the questions left to run by retriever; imported rankings have none."""
    questions = runs.questions(run.id)
    own = [column.retriever for column in run.columns if column.configuration]
    by_retriever = {}
    for retriever in own:
        done = runs.asked(run.id, retriever)
        by_retriever[retriever] = [each for each in questions if each.id not in done]
    return by_retriever


def measure(
    run: Run,
    workbench: Workbench,
    on_progress: Counted | None = None,
    *,
    runs: Runs | None = None,
    answers: Answers | None = None,
    warming: Callable[[], None] | None = None,
) -> None:
    """Evaluate the remaining questions of a run and store how the evaluation ended.

    Parameters
    ----------
    on_progress : called with the number of stored rows and the total. An exception from it ends
        the run; stored rows are kept.
    runs : the store; by default, the one in the index folder.
    answers : generates the answers, if the run has them; pass it to read its cost afterwards.
    warming : called before the warm-up for the first question.

    Raises
    ------
    InputError : the index has changed since the run began, or lacks one of the retrievers.
    HopRagError : a budget is used up, or the model keeps failing.
    """
    runs = runs or Runs(workbench.index.path)
    answers = answers or answers_of(run, workbench)
    _check_unchanged(run, workbench)
    runs.end(run.id, "begun")
    try:
        _measure_remaining(runs, run, workbench, answers, on_progress, warming)
    except HopRagError as error:
        runs.end(run.id, "stopped", str(error))
        raise
    except KeyboardInterrupt:
        runs.end(run.id, "stopped")
        raise
    runs.end(run.id, "finished")


def _check_unchanged(run: Run, workbench: Workbench) -> None:
    """Raise InputError if the index, a model or a retriever has changed since the run started."""
    measured_columns = [column for column in run.columns if column.configuration]
    same = all(
        configuration(workbench, Spec.parse(c.retriever)) == c.configuration
        for c in measured_columns
    )
    oracle = workbench.oracle
    if run.settings.get("answers"):
        same = same and oracle is not None and is_answered_by(run, oracle)
    if not same:
        raise InputError(
            f"Could not resume {run.name}: the index {workbench.index.name}, its model, the code "
            "or server of a custom retriever, or the embedder's server has changed since the run "
            "started. Start a new run."
        )


def _measure_remaining(
    runs: Runs,
    run: Run,
    workbench: Workbench,
    answers: Answers | None,
    told: Counted | None,
    warming: Callable[[], None] | None,
) -> None:
    """Evaluate the remaining questions, one retriever after another, and store their rows.

    `told` receives the number of finished rows and of all rows; `warming` is called before the
    first retriever is loaded. If a retriever fails, the others still run, and RetrieverFailed is
    raised at the end.
    """
    left = unasked(runs, run)
    total = run.questions * len(left)
    done = total - sum(map(len, left.values()))
    texts = list(dict.fromkeys(each.text for some in left.values() for each in some))
    started = time.perf_counter()
    workbench = workbench.with_embedded(texts)
    share = (time.perf_counter() - started) / max(len(texts), 1)
    if first := next((key for key, questions in left.items() if questions), ""):
        if warming:
            warming()
        warm_up(Spec.parse(first), workbench)
    if told:
        told(done, total)
    keeping = Keeping(
        runs,
        run,
        workbench,
        gold_passages_of(runs.questions(run.id), run, workbench),
        share,
        answers,
    )
    failed: list[RetrieverFailed] = []
    for key, questions in left.items():
        spec = Spec.parse(key)
        try:
            warm_up(spec, workbench)
            retriever = make(spec, workbench)
        except RetrieverFailed as error:  # the other retrievers are still evaluated
            failed.append(error)
            continue
        with keeping.of(spec):
            for each in _run_questions(
                questions, retriever, workbench, keeping.gold_passages, failed
            ):
                keeping.add(*each)
                if told:
                    told(done + keeping.count, total)
    if failed:
        more = f" {total - done - keeping.count:,} results are missing." if keeping.count else ""
        raise RetrieverFailed(f"{failed[0]}{more}")


def _run_questions(
    questions: Sequence[Query],
    retriever: Retriever,
    workbench: Workbench,
    gold_passages: GoldPassages,
    failed: list[RetrieverFailed],
) -> Iterator[Asked]:
    """Run every question and yield its outcome and steps; stop if the model keeps failing.

    Questions at which a custom retriever fails are left out. After `_FAILURES` consecutive
    failures, no further question is run.
    """
    in_a_row = 0
    for question in questions:
        try:
            outcome, steps = asked(
                question, retriever, workbench.index, gold_passages.get(question.id)
            )
        except RetrieverFailed as error:
            failed.append(error)
            in_a_row += 1
            if in_a_row == _FAILURES:
                return
            continue
        in_a_row = 0
        yield outcome, steps
        if outcome.model.turned_to and workbench.oracle and (given_up := workbench.oracle.given_up):
            raise given_up


def gold_passages_of(questions: Sequence[Query], run: Run, workbench: Workbench) -> GoldPassages:
    """Return the passages of the gold ids, by question id."""
    gold_passages = passages_of_gold(questions, run, workbench.index)
    return {query.id: each for query, each in zip(questions, gold_passages, strict=True)}

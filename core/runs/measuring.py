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
from core.runs.row_writer import Asked, Keeping, Stands
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
    runs : where it is stored; without, beside the index.
    answers : whether the model is to answer from what each retriever finds.
    judge : whether it is then to judge each answer.
    trial_of : the id of the run whose questions are asked again with a change.
    more : further settings of the run: of a search over settings, or of a study.

    Raises
    ------
    InputError : there is no question or no retriever, or the name cannot be had; or answers are
        wanted, and there is no model or no question whose answer is known.
    StoreError : it cannot be written.
    """
    if not questions:
        raise InputError("There are no questions to evaluate.")
    wanted = list(dict.fromkeys(specs))
    if not wanted:
        raise InputError("No retriever is selected. Choose at least one.")
    for spec in wanted:
        make(spec, workbench)  # what cannot run is refused before anything is asked
    index, oracle = workbench.index, workbench.oracle
    if answers:
        check_answers(questions)
        if oracle is None:
            raise InputError("Answers need a language model, and none is configured.")
    asks = answers or any(each.asks_model for each in wanted)
    run = Run(
        id=uuid.uuid4().hex[:12],
        name=name,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        question_set=question_set,
        questions=len(questions),
        columns=tuple(Column(str(each), configuration(workbench, each)) for each in wanted),
        content=workbench.content,
        graph=index.meta.graph_version,
        settings={
            "embedder": index.meta.embedder.name,
            "precision": index.meta.embedder.precision,
            "model": oracle.llm.model if oracle and asks else "",
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
    told: Counted | None = None,
) -> Evaluation:
    """Measure retrievers without storing the run beside the index.

    It is measured as a stored run is, in a temporary folder.

    Parameters
    ----------
    questions, answers, judge, told : as for `begin` and `measure`.
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
        return measured(runs, run, workbench, told)


def measured(runs: Runs, run: Run, workbench: Workbench, told: Counted | None = None) -> Evaluation:
    """Evaluate the remaining questions of a run and report all of it.

    Raises
    ------
    HopRagError : nothing could be measured at all.
    """
    answers, stopped = answers_of(run, workbench), None
    try:
        measure(run, workbench, told, runs=runs, answers=answers)
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
    told: Counted | None = None,
    *,
    runs: Runs | None = None,
    answers: Answers | None = None,
    warming: Callable[[], None] | None = None,
) -> None:
    """Evaluate the remaining questions of a run and store how the evaluation ended.

    Parameters
    ----------
    told : is called with the number of rows there are and of those there will be; what it raises
        ends the run, which keeps what was measured.
    runs : where the run is stored; without, beside the index.
    answers : gives the answers of a run that has them, where the caller wants to know their cost.
    warming : is called before the warm-up for the first question.

    Raises
    ------
    InputError : the index is another one than when the run began, or has no such retriever.
    HopRagError : what ended it early: a budget, a model that is lost.
    """
    runs = runs or Runs(workbench.index.path)
    answers = answers or answers_of(run, workbench)
    _check_same(run, workbench)
    runs.end(run.id, "begun")
    try:
        _measure(runs, run, workbench, answers, told, warming)
    except HopRagError as error:
        runs.end(run.id, "stopped", str(error))
        raise
    except KeyboardInterrupt:
        runs.end(run.id, "stopped")
        raise
    runs.end(run.id, "finished")


def _check_same(run: Run, workbench: Workbench) -> None:
    own = [column for column in run.columns if column.configuration]
    same = all(configuration(workbench, Spec.parse(c.retriever)) == c.configuration for c in own)
    oracle = workbench.oracle
    if run.settings.get("answers"):
        same = same and oracle is not None and is_answered_by(run, oracle)
    if not same:
        raise InputError(
            f"Could not resume {run.name}: the index {workbench.index.name}, its model, the code "
            "or server of a custom retriever, or the embedder's server has changed since the run "
            "started. Start a new run."
        )


def _measure(
    runs: Runs,
    run: Run,
    workbench: Workbench,
    answers: Answers | None,
    told: Counted | None,
    warming: Callable[[], None] | None,
) -> None:
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
        runs, run, workbench, stands_of(runs.questions(run.id), run, workbench), share, answers
    )
    failed: list[RetrieverFailed] = []
    for key, questions in left.items():
        spec = Spec.parse(key)
        try:
            warm_up(spec, workbench)
            retriever = make(spec, workbench)
        except RetrieverFailed as error:  # the columns of others are measured all the same
            failed.append(error)
            continue
        with keeping.of(spec):
            for each in _asked(questions, retriever, workbench, keeping.stands, failed):
                keeping.add(*each)
                if told:
                    told(done + keeping.count, total)
    if failed:
        more = f" {total - done - keeping.count:,} results are missing." if keeping.count else ""
        raise RetrieverFailed(f"{failed[0]}{more}")


def _asked(
    questions: Sequence[Query],
    retriever: Retriever,
    workbench: Workbench,
    stands: Stands,
    failed: list[RetrieverFailed],
) -> Iterator[Asked]:
    """Run every question and yield its outcome and steps; stop if the model is given up.

    A question at which a custom retriever fails is left out. The run stops after `_FAILURES` in a
    row.
    """
    in_a_row = 0
    for question in questions:
        try:
            outcome, steps = asked(question, retriever, workbench.index, stands.get(question.id))
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


def stands_of(questions: Sequence[Query], run: Run, workbench: Workbench) -> Stands:
    """Return by question id the passages that its gold ids stand for."""
    stands = passages_of_gold(questions, run, workbench.index)
    return {query.id: each for query, each in zip(questions, stands, strict=True)}

"""Start, find and resume the run of a study on an index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.answers import is_answered_by
from core.runs.configuration import configuration
from core.runs.measuring import begin
from core.runs.question_sets import OWN, own_questions, questions_in
from core.runs.reused_rows import take_over
from core.runs.store import MAX_NAME
from core.studies.definition import Study
from core.types import Query

STUDY, FILE = "study", "study_file"
"""Settings of a run: the digest of its study, and the text of the study's file."""
NAMED = {"model": "study_model", "reader": "study_reader"}
"""Settings of a run: the models that its study names, by axis."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The retrievers of a study as they are evaluated here.

    Parameters
    ----------
    asked : by the retriever that the study names, the one that is asked.
    left_out : those that cannot run without a model and for which nothing stands in.
    """

    asked: dict[Spec, Spec]
    left_out: tuple[Spec, ...] = ()

    @property
    def substituted(self) -> dict[Spec, Spec]:
        """Those for which another retriever is asked."""
        return {named: asked for named, asked in self.asked.items() if named != asked}


def columns_of(study: Study, *, with_model: bool) -> Columns:
    """Return the requests for each retriever of a study.

    Raises
    ------
    InputError : a retriever that stands in lacks a setting.
    """
    substitutes = dict(study.offline)
    asked: dict[Spec, Spec] = {}
    left_out = []
    for spec in study.retrievers:
        if with_model or not spec.idle_without_model:
            asked[spec] = spec
        elif spec.key in substitutes:
            asked[spec] = _standing_in(spec, Spec.parse(substitutes[spec.key]))
        else:
            left_out.append(spec)
    return Columns(asked, tuple(left_out))


def _standing_in(spec: Spec, substitute: Spec) -> Spec:
    """Return `substitute` with the settings of `spec` that it has too."""
    shared = {name: value for name, value in spec.settings if name in substitute.values}
    return substitute.with_settings(**shared)


def questions_of(study: Study, workbench: Workbench) -> tuple[list[Query], str]:
    """Return the questions of a study, and what their set is called.

    Raises
    ------
    InputError : a file cannot be read, or there is no question.
    """
    data = study.data
    if data.run:
        runs = Runs(workbench.index.path)
        questions, source = runs.questions(runs.get(data.run).id), runs.get(data.run).question_set
    elif data.questions:
        questions = questions_in(data.questions, workbench.index, level=study.gold).questions
        source = data.questions.name
    else:
        questions, source = own_questions(workbench.index, study.gold), OWN
    return (questions[: data.first] if data.first else questions), source


def study_run(
    study: Study, workbench: Workbench, by: str = "", models: Mapping[str, str] | None = None
) -> Run:
    """Return the existing run of a study on an index, or a new one.

    What other runs of the index measured with the same configuration is taken over.

    Parameters
    ----------
    models : the models that the study names for this run, which `workbench` has; None if it names
        none.

    Raises
    ------
    InputError : there is no question, or no retriever can run without a model.
    StoreError : the run cannot be stored.
    """
    oracle, named = workbench.oracle, dict(models or {})
    columns = columns_of(study, with_model=oracle is not None)
    specs = list(dict.fromkeys(columns.asked.values()))
    if not specs:
        raise InputError(
            f"Every retriever of the study {study.name} needs a language model. Set HOPRAG_LLM."
        )
    runs = Runs(workbench.index.path)
    questions, source = questions_of(study, workbench)
    known = any(one.is_answer_known for one in questions)
    answers = study.answers and oracle is not None and known
    there = found_run(study, runs, named)
    judge = study.judge and answers
    if there and _is_run_of(there, runs, workbench, specs, questions, answers=answers):
        return there
    run = begin(
        workbench,
        questions,
        specs,
        name=_free_name(study.title, {one.name for one in runs.all()}),
        question_set=source,
        by=by,
        answers=answers,
        judge=judge,
        trial_of=study.data.run,
        more={
            STUDY: study.digest,
            FILE: study.text,
            **{NAMED[axis]: name for axis, name in named.items()},
        },
    )
    take_over(workbench, runs, run)
    return run


def found_run(study: Study, runs: Runs, models: Mapping[str, str] | None = None) -> Run | None:
    """Return the newest run of a study in `runs`; None if there is none.

    Parameters
    ----------
    models : those that the study names for the run; None for a run with any.
    """
    return next(
        (
            one
            for one in runs.all()
            if one.settings.get(STUDY) == study.digest and models in (None, models_of(one))
        ),
        None,
    )


def models_of(run: Run) -> dict[str, str]:
    """Return the models that the study of `run` names, by `model` and `reader`."""
    return {axis: str(run.settings[key]) for axis, key in NAMED.items() if key in run.settings}


def _is_run_of(
    run: Run,
    runs: Runs,
    workbench: Workbench,
    specs: Sequence[Spec],
    questions: Sequence[Query],
    *,
    answers: bool,
) -> bool:
    """Return whether `run` has these retrievers, configurations, questions and answers.

    The model is compared only if the run has answers.
    """
    wanted = [(str(spec), configuration(workbench, spec)) for spec in specs]
    columns = [(one.retriever, one.configuration) for one in run.columns]
    oracle = workbench.oracle if answers else None
    return (
        columns == wanted
        and bool(run.settings.get("answers")) == answers
        and (oracle is None or is_answered_by(run, oracle))
        and runs.questions(run.id) == list(questions)
    )


def _free_name(title: str, taken: set[str]) -> str:
    """Return `title`, with a number where a run has that name."""
    name = title[: MAX_NAME - 5]
    return next(
        each
        for each in (name, *(f"{name} {number}" for number in range(2, len(taken) + 3)))
        if each not in taken
    )

"""The remaining work of a study: indexes, results, and the estimated time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from core.artefacts.workbench import Workbench
from core.evaluation import read_questions
from core.models.money.forecast import Forecast
from core.retrievers import Spec, make
from core.retrievers.cost_forecast import forecast_all
from core.runs import Runs
from core.runs.answers import AnsweringRetriever
from core.store.tables import last_meta
from core.studies.definition import Study
from core.studies.measuring import columns_of, found_run, questions_of
from core.studies.variants import Variant
from core.text.display.plurals import number


@dataclass(frozen=True, slots=True)
class StudyForecast:
    """The remaining work of a study.

    Parameters
    ----------
    to_build : indexes that are not built yet.
    results : questions times retrievers that no run of the study has yet, at most: what other runs
        have measured is taken over. None where the questions are not known before the build.
    seconds : how long the results take, by what the same retrievers took before on these indexes;
        None where one of them was never asked.
    """

    to_build: int
    results: int | None
    seconds: float | None

    def __str__(self) -> str:
        """Return one line for people.

        >>> str(StudyForecast(1, 200, 12.3))
        'Left: 1 index to build, up to 200 results to measure, about 12 s.'
        """
        parts = [f"{number(self.to_build, 'indexes')} to build"] if self.to_build else []
        if self.results:
            parts.append(f"up to {number(self.results, 'results')} to measure")
            if self.seconds is not None:
                parts.append(f"about {max(1, round(self.seconds)):,} s")
        if parts:
            return f"Left: {', '.join(parts)}."
        return (
            "The remaining work is unknown until the index is built."
            if self.results is None
            else "Complete."
        )


def forecast_of(study: Study, variants: Sequence[Variant], *, with_model: bool) -> StudyForecast:
    """Return the remaining work of a study, without opening an index.

    Raises
    ------
    InputError : a question file cannot be read, or the run that the study names does not exist.
    StoreError : an index cannot be read.
    """
    specs = list(dict.fromkeys(columns_of(study, with_model=with_model).asked.values()))
    to_build, results = len({one.place for one in variants if last_meta(one.place) is None}), 0
    unknown = False
    seconds: float | None = 0.0
    for variant in variants:
        built = last_meta(variant.place) is not None
        questions = _question_count(study, variant) if built else None
        if questions is None:
            unknown, seconds = True, None
            continue
        left = _remaining_questions(study, variant, specs, questions)
        results += sum(left.values())
        known = _seconds_by_key(Runs(variant.place))
        if seconds is not None and all(spec.key in known for spec, rows in left.items() if rows):
            seconds += sum(rows * known[spec.key] for spec, rows in left.items() if rows)
        else:
            seconds = None
    return StudyForecast(to_build, None if unknown else results, seconds)


def model_forecast(
    study: Study, workbench: Workbench, prices: Path | None = None
) -> Forecast | None:
    """Estimate the model calls of a study; None without a model.

    Raises
    ------
    InputError : the questions cannot be read, or the table of prices cannot.
    """
    if workbench.oracle is None:
        return None
    questions, _ = questions_of(study, workbench)
    answered = frozenset(one.text for one in questions if one.is_answer_known)
    retrievers = [make(spec, workbench) for spec in study.retrievers]
    if study.answers:
        retrievers = [
            AnsweringRetriever(one, workbench, answered, study.judge) for one in retrievers
        ]
    else:
        retrievers = [
            one for one, spec in zip(retrievers, study.retrievers, strict=True) if spec.asks_model
        ]
    return forecast_all(retrievers, [one.text for one in questions], prices)


def _remaining_questions(
    study: Study, variant: Variant, specs: Sequence[Spec], questions: int
) -> dict[Spec, int]:
    """Count the questions left for each retriever."""
    runs = Runs(variant.place)
    run = found_run(study, runs, variant.models)
    if run is None:
        return dict.fromkeys(specs, questions)
    return {spec: max(0, run.questions - runs.count(run.id, str(spec))) for spec in specs}


def _question_count(study: Study, variant: Variant) -> int:
    """Return the number of questions that the study evaluates on a built index."""
    data = study.data
    if data.run:
        total = Runs(variant.place).get(data.run).questions
    elif data.questions:
        total = len(read_questions(data.questions))
    else:
        meta = last_meta(variant.place)
        total = meta.counts.questions if meta else 0
    return min(total, data.first) if data.first else total


def _seconds_by_key(runs: Runs) -> dict[str, float]:
    """Return the mean seconds of a question by the key of a retriever."""
    rows = runs.read("SELECT retriever, avg(seconds) FROM rows GROUP BY retriever")
    by_key: dict[str, list[float]] = {}
    for retriever, seconds in rows:
        by_key.setdefault(retriever.partition("(")[0], []).append(float(seconds))
    return {key: fmean(some) for key, some in by_key.items()}

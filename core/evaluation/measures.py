"""Evaluation measures: recall, time and decisions of retrievers, and EM and F1 of answers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from statistics import fmean
from typing import Any, TypeVar

import numpy as np

from core.answers import Score
from core.errors import HopRagError
from core.evaluation.role_costs import RoleCost, by_role_json, mean_costs
from core.measures import by_name
from core.playback.decided import NO_MODEL, Decided, all_decided
from core.playback.returned_texts import ByText
from core.store.index import Index
from core.types import Passage, Query

OF_ANSWERS = ("n_answers", "EM", "F1", "Accuracy", "Judge", "Agreement")
"""Measures of answers by name, after the number of answers."""
_Took = TypeVar("_Took", "Answering", "Judging")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question by one retriever.

    `ranks` has for each gold id the rank it was found at, from 1, or None. `hits` are passage ids,
    best first. `seconds` include `embed_seconds`, the embedding of the question. `judgements`
    counts the vertices at which an edge was on offer. `score` is that of a model's answer from the
    hits, None if it was asked for none; where the retriever itself gave an `answer`, it is that
    one's. `model` says what a model decided of what the retriever asked it. `lengths` are the
    tokens of the hits' texts (`core.measures.Lengths`), None where they are not known. `findings`
    are what the retriever hands a reader beside the hits; they are not kept with a run. `accuracy`
    is 1 if the answer contains a reference answer, `judge` 1 if a model took it for right; None
    where that is not known. `by_text` has the texts of hits that are no whole passages, None if
    there are none. `costs` are what models took by role; None where that is not known.
    """

    retriever: str
    question: Query
    hits: tuple[str, ...]
    ranks: Mapping[str, int | None]
    seconds: float
    embed_seconds: float
    judgements: int
    score: Score | None = None
    model: Decided = NO_MODEL
    answer: str | None = None
    lengths: tuple[int, ...] | None = None
    findings: tuple[str, ...] = ()
    accuracy: float | None = None
    judge: float | None = None
    by_text: ByText | None = None
    costs: tuple[RoleCost, ...] | None = None

    @property
    def retrieval_seconds(self) -> float:
        """Without the embedding of the question."""
        return self.seconds - self.embed_seconds

    def passages(self, index: Index) -> list[Passage]:
        """Return the texts of the hits as the retriever returned them."""
        if self.by_text:
            return self.by_text.passages(index)
        return [index.passage(name) for name in self.hits]

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as JSON, without the text of the question and the passages."""
        score: dict[str, Any] = asdict(self.score) if self.score else {}
        more = {"accuracy": self.accuracy, "judge": self.judge}
        score |= {name: value for name, value in more.items() if value is not None}
        if self.costs:
            score |= {"costs": by_role_json(self.costs)}
        return {
            "id": self.question.id,
            "ranks": dict(self.ranks),
            "seconds": self.retrieval_seconds,
            "embed_seconds": self.embed_seconds,
            "judgements": self.judgements,
            "model": self.model.to_json(),
            **score,
        }


@dataclass(frozen=True, slots=True)
class Judging:
    """Cost of judging the answers; `unreadable` verdicts count neither for nor against."""

    model: str
    calls: int = 0
    kept: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Answering:
    """Cost of answering, with each prompt counted once even if retrievers share it.

    `calls` and tokens are those that were made for it, `kept` the answers that were known already.
    `unanswered` counts the replies that say that the passages do not hold the answer, `unreadable`
    those that nothing could be made of; both count as wrong. `troubles` are the questions of the
    latter, each with the reason. `judging` is None if no model judged the answers.
    """

    model: str
    calls: int = 0
    kept: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    unanswered: int = 0
    unreadable: int = 0
    troubles: tuple[tuple[str, str], ...] = ()
    judging: Judging | None = None

    def plus(self, other: "Answering") -> "Answering":
        """Return the sum of both, which are of the same model."""
        judging = self.judging or other.judging
        if self.judging and other.judging:
            judging = _add(self.judging, other.judging)
        total = _add(self, other)
        return replace(total, troubles=(*self.troubles, *other.troubles), judging=judging)


@dataclass(frozen=True, slots=True)
class Measures:
    """Means and percentiles of rows.

    `n` counts the questions with gold, which alone are in `shares`, the means of
    `core.measures.MEASURES` by name; percent, None when none is known. Seconds are
    retrieval times, beside which `embed_seconds_p50` stands; they and judgements are of all
    questions. `em` and `f1` are means over the `n_answers` questions that
    were answered and whose answer is known; percent, None without any. So are `accuracy`, the
    answers that contain a reference answer, and `judge`, those that a model took for right;
    `agreement` is of how many of the latter the judge says what EM says. A model was turned to
    `turned_to` times, and `decided` at so many of them.
    """

    n: int
    shares: Mapping[str, float | None]
    seconds_p50: float
    seconds_p95: float
    embed_seconds_p50: float
    judgements: float
    n_answers: int = 0
    em: float | None = None
    f1: float | None = None
    turned_to: int = 0
    decided: int = 0
    accuracy: float | None = None
    judge: float | None = None
    agreement: float | None = None

    def to_dict(
        self, *, answers: bool = False, judge: bool = False, model: bool = False
    ) -> dict[str, float | None]:
        """Return the measures by name, including those of answers, the judge or the model on
        request.
        """
        answered = {"n_answers": self.n_answers, "EM": self.em, "F1": self.f1} if answers else {}
        if answers:
            answered["Accuracy"] = self.accuracy
        if judge:
            answered |= {"Judge": self.judge, "Agreement": self.agreement}
        model_use = {"turned_to": self.turned_to, "decided": self.decided} if model else {}
        return {
            "n": self.n,
            **self.shares,
            "seconds_p50": self.seconds_p50,
            "seconds_p95": self.seconds_p95,
            "embed_seconds_p50": self.embed_seconds_p50,
            "judgements": self.judgements,
            **answered,
            **model_use,
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All rows. `unknown_gold` are the gold ids that the index does not have: never found.

    `answering` is None if no answer was asked for. `stopped` says why not every retriever of those
    wanted was asked every question, if it was not.
    """

    keys: tuple[str, ...]
    rows: tuple[Outcome, ...]
    unknown_gold: tuple[str, ...]
    answering: Answering | None = None
    stopped: HopRagError | None = None

    @property
    def datasets(self) -> list[str]:
        """The names of the data sets, in order of first appearance."""
        names = dict.fromkeys(row.question.dataset for row in self.rows)
        return [name for name in names if name]

    def of(self, key: str, dataset: str | None = None) -> list[Outcome]:
        """Return the rows of one retriever, over all questions or those of a data set."""
        return [
            row
            for row in self.rows
            if row.retriever == key and dataset in (None, row.question.dataset)
        ]

    def measures(self, key: str, dataset: str | None = None) -> Measures:
        """Return the measures of one retriever, over all questions or those of a data set."""
        return measure(self.of(key, dataset))

    def model(self, key: str) -> Decided:
        """Return the decisions of the model for one retriever, over all questions."""
        return all_decided(row.model for row in self.of(key))

    def costs(self, key: str) -> list[RoleCost]:
        """Return the mean model costs per question of one retriever, by role."""
        return mean_costs(row.costs for row in self.of(key))

    def called(self, key: str) -> str:
        """Return the display name of the row of one retriever; a model that decided nothing is left
        out.
        """
        return self.model(key).called(key)

    def answers_by(self, field: str) -> dict[str, dict[str, dict[str, float | None]]]:
        """Return the measures of answers by the values of `type` or `hops`, then by retriever.

        It is empty without answers, and where all questions have the same value.
        """
        answered = [row for row in self.rows if row.score]
        values = sorted({str(getattr(row.question, field)) for row in answered})
        if len(values) < 2:
            return {}
        judge = any(row.judge is not None for row in answered)
        measures_by: dict[str, dict[str, dict[str, float | None]]] = {}
        for value in values:
            alike = [row for row in answered if str(getattr(row.question, field)) == value]
            for key in self.keys:
                if mine := [row for row in alike if row.retriever == key]:
                    measures = measure(mine).to_dict(answers=True, judge=judge)
                    measures = {name: measures[name] for name in OF_ANSWERS if name in measures}
                    measures_by.setdefault(value, {})[key] = measures
        return measures_by

    def to_json(self) -> dict[str, Any]:
        """Return `{"retrievers": {NAME: {"all": {...}, "by_dataset": {NAME: {...}}, ...}}}`.

        Each retriever also has `model` and `by_question`. The gold that the index does not hold
        follows. With answers there are also `"answers"`, their cost, and `"answers_by"`, their
        measures by type and hops of the question; with `"stopped"` not all questions were run.
        """
        measured = {
            self.called(key): {
                "all": self.named(key),
                "by_dataset": {name: self.named(key, name) for name in self.datasets},
                "model": self.model(key).to_json(),
                "costs": by_role_json(self.costs(key)),
                "by_question": [self._row(row) for row in self.of(key)],
            }
            for key in self.keys
        }
        took: dict[str, Any] = {"answers": asdict(self.answering)} if self.answering else {}
        by = {field: measures for field in ("type", "hops") if (measures := self.answers_by(field))}
        took |= {"answers_by": by} if by else {}
        stopped = {"stopped": str(self.stopped)} if self.stopped else {}
        unknown = {"gold_not_in_index": list(self.unknown_gold)}
        return {"retrievers": measured, **unknown, **took, **stopped}

    def _row(self, row: Outcome) -> dict[str, Any]:
        missing = [name for name in row.ranks if name in self.unknown_gold]
        return {**row.to_json(), "not_in_index": missing}

    def named(self, key: str, dataset: str | None = None) -> dict[str, float | None]:
        """Return the measures of one retriever by name, with those of answers and models if any."""
        return self.measures(key, dataset).to_dict(
            answers=self.answering is not None or any(row.score for row in self.rows),
            judge=any(row.judge is not None for row in self.rows),
            model=any(row.model.turned_to for row in self.rows),
        )


def measure(rows: Sequence[Outcome]) -> Measures:
    """Return the measures of one retriever over `rows`, which must not be empty."""
    judged = [row for row in rows if row.ranks]
    seconds = [row.retrieval_seconds for row in rows]
    scores = [row.score for row in rows if row.score]
    verdicts = [(row.judge, row.score.em) for row in rows if row.score and row.judge is not None]
    model = all_decided(row.model for row in rows)
    shares = by_name(
        [row.ranks for row in judged],
        [row.question.grades for row in judged],
        [row.lengths for row in judged],
    )
    return Measures(
        n=len(judged),
        shares={name: _percent(values) for name, values in shares.items()},
        seconds_p50=float(np.percentile(seconds, 50)),
        seconds_p95=float(np.percentile(seconds, 95)),
        embed_seconds_p50=float(np.percentile([row.embed_seconds for row in rows], 50)),
        judgements=fmean(row.judgements for row in rows),
        n_answers=len(scores),
        em=100 * fmean(score.em for score in scores) if scores else None,
        f1=100 * fmean(score.f1 for score in scores) if scores else None,
        turned_to=model.turned_to,
        decided=model.decided,
        accuracy=_percent([row.accuracy for row in rows if row.accuracy is not None]),
        judge=_percent([judge for judge, _ in verdicts]),
        agreement=_percent([float(judge == em) for judge, em in verdicts]),
    )


def _add(one: _Took, other: _Took) -> _Took:
    """Return `one` with its whole numbers increased by those of `other`."""
    numbers = {
        each.name: getattr(one, each.name) + getattr(other, each.name)
        for each in fields(one)
        if isinstance(getattr(one, each.name), int)
    }
    return replace(one, **numbers)


def _percent(shares: Sequence[float]) -> float | None:
    return 100 * fmean(shares) if shares else None

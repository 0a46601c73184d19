"""Write rows of a run in batches, with the answers of a model if one reads."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby

from core.artefacts.workbench import Workbench
from core.evaluation.kept import KeptRankings, kept_passages
from core.evaluation.measures import Outcome
from core.funnel.lists import Lists
from core.retrievers import Spec
from core.runs.answers import Answered, Answers
from core.runs.model_prices import prices_of
from core.runs.question_sets import OWN
from core.runs.row_of_steps import row_of
from core.runs.run import Row, Run
from core.runs.search_similarity import similarities
from core.runs.store import Runs
from core.runs.store.contexts import StoredContext
from core.steps import Step

_AT_ONCE = 25  # rows of which no more is lost when it is killed
_EVERY = 2.0  # seconds after which those that are there are kept

Asked = tuple[Outcome, tuple[Step, ...]]
GoldPassages = Mapping[str, Mapping[str, Sequence[str]]]


class Keeping:
    """Keeps rows a few at a time.

    Parameters
    ----------
    gold_passages : by question id, the passages of each gold id.
    share : seconds of each question in the embedding of all.
    answers : a model's answers, in a run that has them.
    """

    def __init__(
        self,
        runs: Runs,
        run: Run,
        workbench: Workbench,
        gold_passages: GoldPassages,
        share: float,
        answers: Answers | None,
    ) -> None:
        self._runs, self._run, self._workbench = runs, run, workbench
        self.gold_passages = gold_passages
        self._share = share
        self._model_answers = answers
        self._price_of = prices_of(workbench.oracle)
        self._beside_index = runs.path.parent == workbench.index.path
        self._waiting: list[Asked] = []
        self._since = time.monotonic()
        self._kept: dict[str, Sequence[str]] = {}
        self.count = 0

    @contextmanager
    def of(self, spec: Spec) -> Iterator[None]:
        """Add rows of `spec` inside the context, and store the measured ones at its end.

        Rows waiting for an answer are not stored: answering them now may cost unwanted money.
        """
        self._kept = {}
        try:
            yield
        except BaseException:
            if not self._model_answers:
                self._store_waiting()
            self._waiting = []
            raise
        else:
            self._store_waiting()
        finally:
            if self._run.question_set == OWN and self._beside_index:
                KeptRankings.of(self._workbench).put(spec, self._kept)

    def add(self, outcome: Outcome, steps: tuple[Step, ...]) -> None:
        """Keep a row, now or with the next ones; `count` counts them.

        Raises
        ------
        LlmError, BudgetReached : there is no answer; what was answered before is kept.
        """
        self._waiting.append((outcome, steps))
        self.count += 1
        if len(self._waiting) >= _AT_ONCE or time.monotonic() - self._since > _EVERY:
            self._store_waiting()

    def _store_waiting(self) -> None:
        """Answer the waiting outcomes and store their rows.

        If the model fails, the rows before the failure are stored.
        """
        waiting, self._waiting = self._waiting, []
        rows: list[Row] = []
        try:
            for (outcome, steps), answered in zip(waiting, self._answers(waiting), strict=True):
                rows.append(self._build_row(outcome, steps, answered))
                if (passages := kept_passages(steps)) is not None:
                    self._kept[outcome.question.text] = passages
        finally:
            self._runs.append(self._run.id, rows)
            self._keep_texts([outcome for outcome, _ in waiting[: len(rows)]])
            self._since = time.monotonic()

    def _keep_texts(self, outcomes: Sequence[Outcome]) -> None:
        """Keep what a custom retriever returned that is no whole passage."""
        for retriever, some in groupby(outcomes, key=lambda one: one.retriever):
            texts = [
                StoredContext(one.question.id, hit, text.title, text.text, one.by_text.match(hit))
                for one in some
                if one.by_text
                for hit, text in one.by_text.texts.items()
            ]
            if texts:
                self._runs.put_contexts(self._run.id, retriever, texts)

    def _answers(self, waiting: Sequence[Asked]) -> Iterable[Answered | None]:
        if self._model_answers is None:
            return [None] * len(waiting)
        return self._model_answers.answers_of([outcome for outcome, _ in waiting])

    def _build_row(
        self, outcome: Outcome, steps: tuple[Step, ...], answered: Answered | None
    ) -> Row:
        """Build the row of an outcome, with its share of the time for embedding questions."""
        placed = outcome.by_text
        names = placed.gold.passages if placed else self.gold_passages.get(outcome.question.id)
        # Complete rankings cost another retrieval, for a loss analysis only shown for kept runs,
        # and are large: they are not held from one question to the next. A search has many
        # settings, and asks of each what it retrieves and costs, not why.
        analysed = self._beside_index and not self._run.is_search
        lists = Lists(self._workbench) if analysed else None
        row = row_of(
            *(outcome, steps, self._workbench.index, names, answered, lists),
            price_of=self._price_of,
        )
        share = self._share if row.embed_seconds else 0.0  # BM25 embeds no question
        row = replace(row, similarities=similarities(steps, self._workbench.embedder))
        return replace(row, seconds=row.seconds + share, embed_seconds=row.embed_seconds + share)

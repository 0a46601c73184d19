"""Ask an index one question."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.api.opening import OpenIndex, allowed
from core.artefacts.workbench import Workbench, check_question
from core.marks import gold_of
from core.models.money.budget import Budget
from core.retrievers import CARDS, Spec, make
from core.retrievers.warm_up import warm_up
from core.steps import own_answer, result
from core.traces import Trace, dump, record
from core.types import Hit

if TYPE_CHECKING:
    import pandas as pd

RETRIEVER = "hoprag-coverage"
"""The retriever that is used if none is named."""


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """The passages that a retriever returned for a question, best first, and how it found them.

    Parameters
    ----------
    opened : the index that was asked.
    trace : all steps of the retrieval, with the gold of the question.
    """

    opened: OpenIndex
    trace: Trace

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The ranked passages with their scores and the parts of these."""
        return result(self.trace.steps).hits

    @property
    def answer(self) -> str:
        """The answer that the retriever itself gave; empty if it gives none."""
        return own_answer(self.trace.steps) or ""

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __repr__(self) -> str:
        return f"<{len(self):,} hits by {self.trace.retriever} for {self.trace.query!r}>"

    def _repr_html_(self) -> str:
        html: str = self.to_frame().drop(columns="id").to_html(index=False, escape=True)
        return html

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each hit: rank, gold, score, its parts, title, text, and id.

        `gold` is true where the passage holds evidence or is gold itself.
        """
        import pandas as pd

        gold = self.trace.kept_gold
        rows = []
        for rank, hit in enumerate(self.hits, start=1):
            passage = self.trace.passages[hit.passage_id]
            rows.append(
                {
                    "rank": rank,
                    "gold": gold.has(passage.id),
                    "score": hit.score,
                    **{part.name: part.value for part in hit.parts},
                    "title": passage.title,
                    "text": passage.text,
                    "id": passage.id,
                }
            )
        return pd.DataFrame(rows)

    def save(self, path: str | Path) -> None:
        """Write the trace as JSON Lines, which the app opens on Trace.

        Raises
        ------
        OSError : the file cannot be written.
        """
        Path(path).write_bytes(dump(self.trace))


def retrieve(
    index: OpenIndex,
    question: str,
    retriever: str | Spec = RETRIEVER,
    *,
    budget: float | Budget | None = None,
    **settings: object,
) -> Hits:
    """Retrieve passages for a question.

    Parameters
    ----------
    retriever : its key, also with settings: "bm25" or "bm25(top_k=10)" (`list_retrievers`).
    budget : the most that calls of the configured language model may cost, in dollars. None: no
        model is called; cached replies are used, and a call that would be needed is an error.
    settings : settings of the retriever by name, such as `top_k=10`.

    Raises
    ------
    InputError : the question is empty, or there is no such retriever, setting or value.
    LeaveMissing : a model would have to be called, and there is no budget.
    BudgetReached : the budget is used up.
    """
    check_question(question)
    spec = Spec.of(retriever).with_settings(**settings)
    with index.asking([spec], allowed(budget)) as workbench:
        return Hits(index, recorded(workbench, spec, question))


def recorded(workbench: Workbench, spec: Spec, question: str) -> Trace:
    """Return the trace of a retrieval after a warm-up, with the question's gold of now."""
    warm_up(spec, workbench)
    trace = record(make(spec, workbench), question, workbench.index)
    return trace.with_gold(gold_of(workbench.index, question))


def list_retrievers() -> "pd.DataFrame":
    """Return all retrievers: a row each, with key, title, family, summary and settings.

    `settings` has the defaults by name; `asks_model` is true where a language model may be called.
    """
    import pandas as pd

    rows = [
        {
            "key": key,
            "title": card.title,
            "family": card.family,
            "asks_model": Spec(key).asks_model,
            "settings": {name: str(value) for name, value in Spec(key).values.items()},
            "summary": card.summary,
            "paper": card.paper,
        }
        for key, card in CARDS.items()
    ]
    return pd.DataFrame(rows).set_index("key")

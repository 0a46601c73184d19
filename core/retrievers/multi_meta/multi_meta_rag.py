"""Multi-Meta-RAG (arXiv 2406.13213): dense search, filtered by the fields that a query names."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from core.artefacts.document_fields import FIELDS, Fields, Numbers
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step_and_query
from core.retrievers.model_replies import reply_or_none, speaker
from core.retrievers.multi_meta.filters import GUESS, named_by_model, prompt_of, read_filters
from core.retrievers.multi_meta.naming import Named, fitting, named_by_rules
from core.retrievers.nesting import question
from core.retrievers.settings import Setting
from core.steps import (
    ROOT,
    Asked,
    Cost,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Step,
    Thing,
    Tie,
    Told,
)
from core.types import Hit, Part

NARROWS, DENSE = "narrows", "dense"
"""Parts of the score of a value, and of a passage."""
_NO_FILTER = "The query names no field value, so all passages are searched."
_NO_FIELD = "The documents have no fields to filter by."


@dataclass(frozen=True, slots=True)
class MultiMetaRag:
    """Passages by their cosine, among those that match the field values in the query.

    A query may name the source and the date of a text, or a value of any other field of the
    documents. A passage matches if it has one of the named values in every named field.

    Parameters
    ----------
    fields : names of the fields to use, separated by commas; empty for all. In the paper, source
        and date.
    least : minimum number of passages that a filter must leave; else all passages are searched.
        The paper's code returns nothing then.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    fields: Annotated[str, Setting("fields to filter by, separated by commas; empty means all")] = (
        ""
    )
    least: Annotated[int, Setting("passages that a filter must leave", least=1, most=100)] = 1

    card = Card(
        key="multi-meta-rag",
        title="Multi-Meta-RAG",
        badge="MM",
        family="dense",
        place=1,
        summary="Searches only passages with the source, date or other field named in the query.",
        paper="Poliakov and Shvai 2024, arXiv 2406.13213",
        asks_model=True,
        substitute="Without a model, rules look for dates and field values in the query.",
        needs=(KEYWORDS, FIELDS),
        parts={
            NARROWS: ("c", "share of passages without this value"),
            DENSE: ("b", "embedding similarity (cosine)"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the filter values and the filtered ranking, or a ranking of all passages."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started, index = time.perf_counter(), self.workbench.index
        fields = self._fields()
        named, told = self._find_values(query, fields)
        cosine = self.workbench.cosines(encoded.vector)
        fallback, left = "", np.arange(len(index.passages))
        if named:
            listed = _value_step(named, fields, told)
            yield listed
            left, parents = fitting(named), tuple(offer.target for offer in listed.offers)
            sizes = len(index.passages), len(left)
            yield Asked(DENSE, query, self.top_k, id=question(1), parents=parents, narrowed=sizes)
            hits = self._top_hits(cosine, left)
            if hits:
                yield Pooled(
                    ("passages that match the filter",), hits, ties=self._ties(named, hits)
                )
            yield Ranked(hits)
            if len(left) < self.least:
                fallback = f"The filter leaves only {len(left):,} passages, so all are searched."
                left = np.arange(len(index.passages))
        else:
            yield Said(speaker("filter", told), ROOT, _NO_FILTER, told=told)
        end = Told(Cost(time.perf_counter() - started), fallback=fallback)
        yield Ranked(self._top_hits(cosine, left), told=end)

    def _fields(self) -> Fields:
        """Return the fields to use; there may be none."""
        all_fields = self.workbench.get(FIELDS)
        wanted = {name.strip() for name in self.fields.split(",")} - {""}
        kept = {name: of for name, of in all_fields.by_name.items() if not wanted or name in wanted}
        return replace(all_fields, by_name=kept)

    def _find_values(self, query: str, fields: Fields) -> tuple[list[Named], Told]:
        """Return the field values in the question, by model or rules, and who found them."""
        if not fields.by_name:
            return [], Told(reason=_NO_FIELD)
        reply, told = reply_or_none(
            self.workbench.oracle,
            prompt_of(query, fields),
            read_filters,
            GUESS,
            self.card.substitute,
        )
        if reply is None:
            return named_by_rules(query, fields), told
        return named_by_model(reply.conditions, fields), told

    def _top_hits(self, cosine: Scores, left: Numbers) -> tuple[Hit, ...]:
        """Rank the passages left after filtering by their cosine with the question."""
        ids = self.workbench.index.ids
        numbers = left[best(cosine[left], self.top_k)].tolist()
        return tuple(
            Hit(ids[n], float(cosine[n]), (Part(DENSE, float(cosine[n])),)) for n in numbers
        )

    def _ties(self, named: Sequence[Named], hits: Sequence[Hit]) -> tuple[Tie, ...]:
        """Return lines from the named values to the hits that have them."""
        numbers = {hit.passage_id: self.workbench.index.number[hit.passage_id] for hit in hits}
        return tuple(
            Tie(f"{_id(one)}>{passage}", _id(one), passage, one.field)
            for one in named
            for passage, number in numbers.items()
            if number in one.passages
        )


def _id(one: Named) -> str:
    return f"field:{one.field}={one.value}"


def _value_step(named: Sequence[Named], fields: Fields, told: Told) -> Offered:
    """Return the step with the field values found in the question, the most selective first."""
    offers, things = [], []
    for one in sorted(named, key=lambda one: (len(one.passages), one.field, one.value)):
        share = 1 - len(one.passages) / fields.passages
        things.append(Thing(_id(one), "field", f"{one.field}: {one.value}"))
        have = (("passages with this value:", f"{len(one.passages):,}"),)
        offers.append(Offer(_id(one), share, (Part(NARROWS, share),), taken=True, notes=have))
    count = sum(len(field.values) for field in fields.by_name.values())
    return Offered(
        ROOT, "field values", tuple(offers), considered=count, things=tuple(things), told=told
    )

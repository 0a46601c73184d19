"""The first step of every retrieval, derived from the retriever itself."""

import time
from dataclasses import replace
from typing import Protocol

from core.artefacts.hop_graph import EncodedQuery
from core.artefacts.workbench import check_question
from core.retrievers.base import Retriever
from core.retrievers.spec import declared_settings
from core.steps import Asked, Cost, Told


class RankingRetriever(Retriever, Protocol):
    """A retriever that ranks passages itself."""

    @property
    def top_k(self) -> int: ...


def first_step(retriever: RankingRetriever, query: str) -> Asked:
    """Return the `Asked` step of a retrieval that does not embed the query.

    Key, `top_k`, settings and amendments are read from `retriever`, so that a trace can be
    rebuilt with exactly the settings that produced it.

    Parameters
    ----------
    retriever : the retriever that is about to run.
    query : the user's query.

    Raises
    ------
    InputError : the query is empty, or not valid Unicode.
    """
    check_question(query)
    settings = declared_settings(retriever)
    settings.pop("top_k", None)
    amendments = tuple(map(str, retriever.workbench.amendments))
    asked = Asked(retriever.card.key, query, retriever.top_k, amendments=amendments)
    return replace(asked, settings=settings)


def first_step_and_query(
    retriever: RankingRetriever, query: str, *, named: bool = False
) -> tuple[Asked, EncodedQuery]:
    """Return the same step and the embedded query.

    Parameters
    ----------
    named : whether the query's keywords affect the ranking; they are recorded if so.
    """
    asked = first_step(retriever, query)
    started = time.perf_counter()
    encoded = retriever.workbench.encode(query)
    told = Told(Cost(time.perf_counter() - started))
    return replace(asked, terms=encoded.keywords if named else (), told=told), encoded

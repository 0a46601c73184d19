"""The first step of every retrieval, derived from the retriever itself."""

import time
from dataclasses import replace

from core.artefacts.hop_graph import EncodedQuery
from core.artefacts.workbench import check_question
from core.retrievers.base import Retriever
from core.retrievers.spec import declared_settings
from core.steps import Asked, Cost, Told


def first_step(retriever: Retriever, query: str) -> Asked:
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
    top_k = int(settings.pop("top_k"))
    amendments = tuple(map(str, retriever.workbench.amendments))
    return Asked(retriever.card.key, query, top_k, settings=settings, amendments=amendments)


def first_step_and_query(
    retriever: Retriever, query: str, *, named: bool = False
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

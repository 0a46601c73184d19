"""Retriever objects of LangChain, LlamaIndex and Haystack, by their methods; none is imported."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_LIMITS = ("similarity_top_k", "top_k", "k")
_TEXTS = ("page_content", "content", "text")


def call_of(retriever: Any) -> Callable[[str, int], Any]:
    """Return a function of the question and `top_k` that calls a retriever object.

    It is one of LangChain if it has `invoke`, of LlamaIndex if it has `retrieve`, and of Haystack
    if it has `run`. `top_k` is handed on where the object has a place for it: a parameter, or an
    attribute named `similarity_top_k`, `top_k` or `k`.

    Raises
    ------
    ValueError : it is none of them, or its `run` takes no query.
    """
    if callable(getattr(retriever, "invoke", None)):
        return lambda question, top_k: _langchain(retriever, question, top_k)
    if callable(getattr(retriever, "retrieve", None)):
        return lambda question, top_k: _llama_index(retriever, question, top_k)
    if callable(getattr(retriever, "run", None)):
        takes = inspect.signature(retriever.run).parameters
        if "query" not in takes:
            raise ValueError(
                f"run() of its retriever takes {', '.join(takes)}, but no query. Write a "
                "function retrieve(question, top_k) that calls it"
            )
        return lambda question, top_k: _haystack(retriever, question, top_k, takes)
    raise ValueError("its variable retriever has none of the methods invoke, retrieve and run")


def _langchain(retriever: Any, question: str, top_k: int) -> Any:
    """Call `invoke` of a LangChain retriever, with `k` if it passes search arguments on."""
    # Retrievers of vector stores search with `search_kwargs`, which arguments of a call override.
    more = {"k": top_k} if hasattr(retriever, "search_kwargs") else {}
    if not more:
        _limit(retriever, top_k)
    return retriever.invoke(question, **more)


def _llama_index(retriever: Any, question: str, top_k: int) -> Any:
    _limit(retriever, top_k)
    return retriever.retrieve(question)


def _haystack(retriever: Any, question: str, top_k: int, takes: Iterable[str]) -> Any:
    """Call `run` of a Haystack retriever, with `top_k` if it is a parameter."""
    more = {"top_k": top_k} if "top_k" in takes else {}
    if not more:
        _limit(retriever, top_k)
    return retriever.run(query=question, **more)


def limit_of(retriever: Any) -> int:
    """Return the configured number of results of a retriever object; 0 if it is unknown."""
    arguments = getattr(retriever, "search_kwargs", None)
    limits = [arguments.get("k")] if isinstance(arguments, Mapping) else []
    limits += [getattr(retriever, name, None) for name in _LIMITS]
    return next((limit for limit in limits if type(limit) is int), 0)


def _limit(retriever: Any, top_k: int) -> None:
    """Set each attribute for the number of results that the retriever has."""
    for name in _LIMITS:
        if type(getattr(retriever, name, None)) is int:
            setattr(retriever, name, top_k)


def as_record(found: Any) -> Mapping[str, Any] | None:
    """Return a document or node of these libraries as `{id, text, score, metadata}`.

    None if it has no text.
    """
    node = getattr(found, "node", found)
    text = next((each for name in _TEXTS if isinstance(each := getattr(node, name, None), str)), "")
    if not text and callable(getattr(node, "get_content", None)):
        text = str(node.get_content())
    if not text:
        return None
    meta = getattr(node, "metadata", None) or getattr(node, "meta", None)
    record = {
        "id": getattr(node, "node_id", None) or getattr(node, "id", None) or "",
        "text": text,
        "metadata": meta if isinstance(meta, Mapping) else {},
    }
    score = getattr(found, "score", None)
    return record if score is None else {**record, "score": score}

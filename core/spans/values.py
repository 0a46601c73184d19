"""Values of spans: inputs and outputs that are texts, JSON as text, or objects of a framework."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core.corpus.record_formats.retrieved_results import Context, context_of

_ASKED = (
    *("question", "query", "query_str", "query_bundle", "user_input", "input", "text", "content"),
    *("prompt", "messages", "message", "kwargs", "data", "args", "kwds", "value"),
)
_SAID = (
    *("answer", "response", "result", "output_text", "final_answer", "text", "content", "output"),
    *("completion", "generations", "message", "messages", "choices", "kwargs", "data"),
    *("return_values", "outputs", "value"),
)
_DOCUMENTS = ("documents", "output", "source_nodes", "nodes", "results", "docs", "value")


def decoded(value: Any) -> Any:
    """Return the value of a text that is JSON; any other value as it is."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def asked_text(value: Any) -> str:
    """Return the question in an input; empty if there is none."""
    return _text(decoded(value), _ASKED)


def said_text(value: Any) -> str:
    """Return the answer in an output; empty if there is none."""
    return _text(decoded(value), _SAID)


def _text(value: Any, keys: Sequence[str]) -> str:
    """Return the text of a nested value, from the first of `keys` that has one."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list | tuple):  # of messages the last one
        return next((text for one in reversed(value) if (text := _text(one, keys))), "")
    if isinstance(value, Mapping):
        return next((text for key in keys if (text := _text(value.get(key), keys))), "")
    return ""


def all_text(value: Any) -> str:
    """Return every text in a value, one below the other."""
    return "\n".join(_texts(decoded(value)))


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in a JSON value, depth first; keys are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)


def documents_in(value: Any) -> tuple[Context, ...]:
    """Return the documents in an output: a list of them, or an object that has such a list."""
    content = decoded(value)
    if isinstance(content, Mapping):
        return next((some for key in _DOCUMENTS if (some := documents_in(content.get(key)))), ())
    if not isinstance(content, list | tuple) or not all(
        isinstance(one, Mapping) for one in content
    ):
        return ()
    return contexts(content)


def contexts(documents: Sequence[Any]) -> tuple[Context, ...]:
    """Return documents as contexts, without those that have neither id nor text."""
    read = (context_of(_with_metadata(one)) for one in documents)
    return tuple(one for one in read if one.text or one.id)


def _with_metadata(document: Any) -> Any:
    """Return a document whose metadata, which may be JSON as text, is an object."""
    if not isinstance(document, Mapping):
        return document
    return {
        key: decoded(value) if key == "metadata" else _with_metadata(value)
        for key, value in document.items()
    }


def seconds(value: Any) -> float:
    """Return a time in seconds since the epoch: of nanoseconds, a number or ISO 8601; 0 if none."""
    if isinstance(value, str) and not value.isdecimal():
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return 0.0
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    number = real(value)
    # The epoch lies 1e18 nanoseconds back since 2001.
    return number / 1e9 if number > 1e17 else number / 1e3 if number > 1e11 else number


def real(value: Any) -> float:
    """Return a finite number, 0 if it is none."""
    try:
        number = 0.0 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return number if math.isfinite(number) else 0.0


def count(value: Any) -> int:
    """Return a number of tokens or attributes that can be added up."""
    return int(min(max(real(value), 0.0), 1e12))


def words_of(value: Any) -> str:
    """Return a name or id as text; empty for any other value."""
    return value.strip() if isinstance(value, str) else ""


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping as it is, and an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> Sequence[Any]:
    """Return a list as it is, and an empty one for anything else."""
    return value if isinstance(value, list | tuple) else ()

"""The description of a custom retriever, available before the first call."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from core.errors import RetrieverFailed
from core.retrievers.custom.fields import Field

LARGEST = 10_000
"""Results and steps that are read of one answer."""
_LONGEST = 300  # characters


@dataclass(frozen=True, slots=True)
class Answer:
    """The output of a custom retriever for a question.

    Parameters
    ----------
    items : results, best first, and steps, in the order in which they came.
    note : a sentence about them, or an empty string.
    """

    items: Sequence[object]
    note: str = ""


Ask = Callable[[str, int, Mapping[str, Any]], Answer]
"""Called with the question, the number of results wanted, and the settings."""


@dataclass(frozen=True, slots=True, eq=False)
class Description:
    """A custom retriever.

    Parameters
    ----------
    where : the file name, URL or entry point, as messages and lists show it.
    title, badge, summary : as on a card; the badge may be empty or taken.
    settings : annotation and default of each setting, by name.
    version : changes whenever its code does.
    ask : returns its answer, or raises `RetrieverFailed`.
    probe : returns a digest of its results for a fixed question, or an empty string; None of code,
        which `version` stands for.
    top_k : how many results it returns by itself; 0 if that is not known.
    problem : why it cannot be used, in a sentence with the remedy; empty if it can.
    """

    where: str
    title: str
    ask: Ask
    badge: str = ""
    summary: str = ""
    settings: Mapping[str, Field] = field(default_factory=dict)
    version: str = ""
    problem: str = ""
    top_k: int = 0
    probe: Callable[[], str] | None = None


class Source(Protocol):
    """The origin of a custom retriever."""

    def described(self) -> Description:
        """Return the same object until what it describes has changed."""
        ...


def broken(where: str, title: str, problem: str, before: Description | None = None) -> Description:
    """Return the description of a retriever that cannot be used; `before` is how it was."""

    def ask(question: str, top_k: int, settings: Mapping[str, Any]) -> Answer:  # noqa: ARG001
        raise RetrieverFailed(problem)

    if before:
        return replace(before, ask=ask, problem=problem)
    return Description(where, title, ask, problem=problem)


def one_line(text: object) -> str:
    """Return a text of any origin as one short line.

    >>> one_line("Broken.\\n  At the second line")
    'Broken. At the second line'
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def slug(title: str) -> str:
    """Return a title as the key of a retriever.

    >>> slug("My RAG, v2")
    'my-rag-v2'
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "custom"

"""A request: a question, its retriever, and changes by hand, as an address and as a command."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from core.counterfactual import (
    PLAIN,
    Amendment,
    Amendments,
    amendments_text,
    append_amendment,
    parse,
)
from core.errors import InputError
from core.playback.wording import join_names
from core.retrievers import Spec
from core.retrievers.base import KEPT
from core.retrievers.registry import NoSuchRetriever
from core.retrievers.spec_syntax import read
from pages.components.ask.retriever_names import called

USUAL = Spec("hoprag-coverage")


FEWEST_KEPT, PART_KEPT = 3, 4
"""Of a small index the screen begins with a quarter: of half of it every hop leads to what was kept
already. One with so few passages that 3 are half of it is kept whole."""


def kept_of(passages: int) -> int:
    """Return the default top k for an index of `passages` passages, low enough that hops can be
    seen.

    >>> kept_of(5), kept_of(11), kept_of(40), kept_of(203)
    (20, 3, 10, 20)
    """
    if passages <= 2 * FEWEST_KEPT:
        return KEPT
    return min(KEPT, max(FEWEST_KEPT, passages // PART_KEPT))


def usual_for(passages: int) -> Spec:
    """Return the default retriever for an index with so many passages."""
    return USUAL.with_settings(top_k=kept_of(passages))


AMEND = "amend"
"""Of an address: what is to be chosen by hand (`core.counterfactual`)."""
LONGEST_QUESTION = 2000  # characters; it has to fit into an address


def too_long(question: str) -> str:
    """Return why `question` is too long and how to fix it; empty if it is short enough."""
    if len(question) <= LONGEST_QUESTION:
        return ""
    return (
        f"The query was not run: it has {len(question):,} characters, and the limit is "
        f"{LONGEST_QUESTION:,}. Shorten it and press Ask."
    )


ADDRESS = (
    *("q", "index", "retriever", "chooser", AMEND),
    *("step", "every", "stop", "t", "grain", "view", "present", "show"),
    *("embed", "embed_options"),
)
"""Names of the address that are no settings of a retriever."""
OLD = ("chooser", "entry", "top_k", "n_hop")
"""What an address had in the place of `retriever` before there was more than HopRAG to trace."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question and its retriever. `question` may be empty, which the retriever rejects."""

    question: str = ""
    spec: Spec = USUAL
    amendments: Amendments = PLAIN

    def plain(self) -> "Ask":
        """Return this request without changes made by hand."""
        return replace(self, amendments=PLAIN)

    def amended(self, one: Amendment) -> "Ask":
        """Return this request with one more change made by hand, which replaces the changes it
        undoes.
        """
        return replace(self, amendments=append_amendment(self.amendments, one))

    def without(self, one: Amendment) -> "Ask":
        """Return this request without the change `one` made by hand."""
        return replace(self, amendments=tuple(a for a in self.amendments if a != one))

    @property
    def summary(self) -> str:
        """Return the retriever's title and the settings that differ from the defaults."""
        return called(self.spec)

    def params(self) -> dict[str, str]:
        """Return this request as parameters of an address."""
        by_hand = {AMEND: amendments_text(self.amendments)} if self.amendments else {}
        return {"q": self.question, "retriever": str(self.spec), **by_hand}

    def command(self, index: str) -> str:
        """Return the command that runs this request; `index` is the path of the index folder."""
        said = ("ask", self.question, "--index", index, "--retriever", str(self.spec))
        by_hand = ("--amend", amendments_text(self.amendments)) if self.amendments else ()
        return shlex.join(["python", "-m", "core", *said, *by_hand, "--trace", "trace.jsonl"])

    @staticmethod
    def from_params(
        params: Mapping[str, str], usual: Spec = USUAL
    ) -> "tuple[Ask, tuple[str, ...]]":
        """Read a request from an address; return it with messages on ignored parameters.

        Settings are in the retriever's brackets or parameters of their own. Missing ones have
        defaults; a missing retriever is `usual`.
        """
        ignored: list[str] = []
        spec, given = _named(params, usual, ignored)
        for name, value in given:
            with _note_input_error(ignored, name):
                spec = spec.with_settings(**{name: value})
        by_hand = PLAIN
        with _note_input_error(ignored, AMEND):
            by_hand = parse(params.get(AMEND, ""))
        return Ask(params.get("q", ""), spec, by_hand), tuple(ignored)


def _named(
    params: Mapping[str, str], usual: Spec, ignored: list[str]
) -> tuple[Spec, list[tuple[str, Any]]]:
    """Return the retriever that an address names, with default settings, and the settings to apply
    to it.
    """
    spec, given = usual, list[tuple[str, Any]]()
    key = params.get("retriever", f"hoprag-{params['chooser']}" if "chooser" in params else "")
    if "retriever" in params or key:
        with _note_input_error(ignored, "retriever"):
            written = read(key)
            try:
                spec, given = Spec.parse(written.key), list(written.settings)
            except NoSuchRetriever:
                ignored.append(unknown_retrievers([written.key]))
    told = {name for name, _ in given}
    outside = [(name, one) for name, one in params.items() if name not in {*ADDRESS, *told}]
    return spec, [*given, *outside]


def unknown_retrievers(names: Sequence[str]) -> str:
    """Return the message that an address names unknown retrievers."""
    quoted = [repr(name[:40]) for name in names]
    return f"The link names unknown retrievers: {join_names(quoted)}."


@contextmanager
def _note_input_error(ignored: list[str], name: str) -> Iterator[None]:
    """Add a message to `ignored` if the body cannot use the parameter `name`, and continue."""
    try:
        yield
    except InputError as error:
        ignored.append(f"Ignored {name[:40]} in the link: {error}")

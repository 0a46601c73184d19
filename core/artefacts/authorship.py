"""Who wrote an artefact: a model, or rules in its place."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from core.artefacts.base import Artefact, Bench
from core.errors import LlmError
from core.models.oracle import Oracle, Said
from core.progress import Authorship, Progress, Report
from core.store.artefact_tables import Shelved


class AuthorshipCounter:
    """Counts how many parts of an artefact the model wrote, while it is built.

    Parameters
    ----------
    oracle : the model that is called; None if no model is called, and nothing is counted.
    """

    def __init__(self, oracle: Oracle | None) -> None:
        self._oracle = oracle
        self._by_model = 0
        self._troubles: Counter[str] = Counter()

    @property
    def authorship(self) -> Authorship | None:
        """The counts so far."""
        if self._oracle is None:
            return None
        why = next((trouble for trouble, _ in self._troubles.most_common(1)), "")
        return Authorship(self._oracle.llm.model, self._by_model, self._troubles.total(), why)

    def counted_bench(self, bench: Bench) -> Bench:
        """Return `bench` with a model whose replies are counted."""
        return bench.with_oracle(self._oracle.observed(self._count)) if self._oracle else bench

    def counted_report(self, report: Report) -> Report:
        """Return `report` extended so that each message carries the current counts."""
        if self._oracle is None:
            return report

        def report_with_counts(progress: Progress) -> None:
            report(replace(progress, authorship=self.authorship))

        return report_with_counts

    def _count(self, said: Said[Any]) -> None:
        """Count a reply of the model, or the reason why it was unusable."""
        reply, exchange = said
        if reply is not None:
            self._by_model += 1
        else:
            self._troubles[exchange.trouble] += 1


def check_written(artefact: Artefact[Any], authorship: Authorship | None) -> None:
    """Raise LlmError if a model was called for an artefact but wrote no part of it."""
    if authorship is None or authorship.by_model or not authorship.total:
        return
    raise LlmError(
        f"{artefact.name} was not built: {authorship.model} gave no usable reply (0 of "
        f"{authorship.total:,} {artefact.parts}). Most common reason: {authorship.why} "
        "Fix that or choose another model, then build it again. On the command line, "
        "--ask-again retries unusable replies."
        + (" Without HOPRAG_LLM, rules build it." if artefact.substitute else "")
    )


def authorship_told(artefact: Artefact[Any] | None, row: Shelved) -> str:
    """Describe in a phrase who wrote a stored artefact, for lists of artefacts.

    Parameters
    ----------
    artefact : the declared artefact of that name; None if no retriever uses it any more.

    Returns
    -------
    An empty string if no model contributes to it.
    """
    if artefact is not None and not artefact.asks_model:
        return ""
    if not row.maker:
        return "by rules, without a model" if artefact else ""
    if row.authorship is None:
        return f"{row.maker} was asked; how much of it the model wrote was not recorded"
    if artefact is None:
        return row.authorship.told()
    return row.authorship.told(artefact.parts, artefact.otherwise)


def authorship_sentence(artefact: Artefact[Any], row: Shelved, makers: Iterable[str] = ()) -> str:
    """Describe in a sentence who wrote an artefact, for the traces that use it.

    Parameters
    ----------
    row : the record of the stored artefact.
    makers : the model that wrote each part, "" for rules. Counted only if the version of this
        program that built the artefact did not record authorship.
    """
    if not row.maker:
        return artefact.substitute
    counted = row.authorship or _authorship_of_makers(row.maker, makers)
    if counted is None:
        return (
            f"{row.maker} was called for the {artefact.parts}. The earlier version that "
            "built them did not record how many it wrote."
        )
    authorship = counted.told(artefact.parts, artefact.otherwise)
    sentence = f"{authorship[0].upper()}{authorship[1:]}".rstrip(".") + "."
    return f"{sentence} {artefact.substitute}" if counted.by_rules else sentence


def _authorship_of_makers(model: str, makers: Iterable[str]) -> Authorship | None:
    written = Counter(makers)
    return Authorship(model, written.total() - written[""], written[""]) if written else None

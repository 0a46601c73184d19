"""What a person says of a result, what they say anew of it, and what they take back."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

Verdict = Literal["", "pass", "fail", "defer"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)[1:]
Key = tuple[str, str]
"""A question, by its text, and a retriever."""

LONGEST_NOTE = 4000  # characters
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Review:
    """What `reviewer` says of what `retriever` found for `question`.

    `found` is the stage at which the trace lost its first gold, `stage` another one where the
    reviewer says so; both are empty where nothing was lost. `note` is about the first thing that
    went wrong. `labels` are ids of codes, `at` is a time in ISO 8601. `run` is the id of the run on
    which it was judged, `gold` what was gold there; both are empty where that is not known.
    """

    reviewer: str
    question: str
    retriever: str
    verdict: Verdict = ""
    stage: str = ""
    found: str = ""
    note: str = ""
    labels: tuple[int, ...] = ()
    at: str = ""
    run: str = ""
    gold: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        return self.question, self.retriever

    @property
    def lost_at(self) -> str:
        """The stage that counts."""
        return self.stage or self.found

    def __bool__(self) -> bool:
        """Return whether anything is said."""
        return bool(self.verdict or self.stage or self.note or self.labels)


@dataclass(frozen=True, slots=True)
class Change:
    """What is said anew of one result; what is None stays as it was.

    `on` and `off` are ids of codes: two windows of one reviewer do not lose each other's labels.
    `run` and `gold` are what it is said on; they stay those of a verdict until another is said.
    """

    question: str
    retriever: str
    verdict: Verdict | None = None
    stage: str | None = None
    found: str | None = None
    note: str | None = None
    on: tuple[int, ...] = ()
    off: tuple[int, ...] = ()
    run: str = ""
    gold: tuple[str, ...] = ()

    def applied(self, before: Review) -> Review:
        kept = tuple(one for one in before.labels if one not in self.off)
        given = {name: getattr(self, name) for name in ("verdict", "stage", "found", "note")}
        anew = self.run and (self.verdict is not None or not before.verdict)
        on = self if anew else before
        return replace(
            before,
            run=on.run,
            gold=on.gold,
            **{name: value for name, value in given.items() if value is not None},
            labels=tuple(dict.fromkeys((*kept, *self.on))),
        )


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back of a result: `gone` had been said, `now` is what stands in its place."""

    gone: Review
    now: Review


@dataclass(frozen=True, slots=True)
class Act:
    """What a reviewer did at once, and what stands in its place without it; empty for nothing.

    `said` is of results. `labels` tells, as in "merge into 'words'", what was done to labels;
    `stood` is false where all of that was changed again before it was taken back.
    """

    said: tuple[Undone, ...] = ()
    labels: str = ""
    stood: bool = True

    def __bool__(self) -> bool:
        return bool(self.said or self.labels)


def judged(reviews: Iterable[Review]) -> set[Key]:
    """Return what has a verdict."""
    return {review.key for review in reviews if review.verdict}

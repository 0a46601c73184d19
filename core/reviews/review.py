"""A review of a result, a change of it, and an undone change."""

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
    """A reviewer's verdict, labels and note on the result of a retriever for a question.

    `found` is the stage at which the trace lost its first gold, `stage` the reviewer's correction;
    both are empty if nothing was lost. `note` is about the first error. `labels` are ids of codes,
    `at` is a time in ISO 8601. `run` is the id of the run that was reviewed, `gold` its gold ids;
    both are empty if unknown.
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
        """Return whether the review has a verdict, label, stage or note."""
        return bool(self.verdict or self.stage or self.note or self.labels)


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one review; fields that are None keep their value.

    `on` and `off` are ids of labels to add and remove, so that two windows of one reviewer do not
    overwrite each other. `run` and `gold` are those of the reviewed result; they change with the
    verdict only.
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

    def apply_to(self, before: Review) -> Review:
        """Return the review `before` with this change."""
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
    """An undone change of a review: `gone` is the review before the undo, `now` the review after
    it.
    """

    gone: Review
    now: Review


@dataclass(frozen=True, slots=True)
class Act:
    """The changes that a reviewer made at once, with what undoing them restores; false if empty.

    `said` are the changes of reviews. `labels` describes changes of labels, as in "merge into
    'words'"; `stood` is false if all of these were changed again before the undo.
    """

    said: tuple[Undone, ...] = ()
    labels: str = ""
    stood: bool = True

    def __bool__(self) -> bool:
        return bool(self.said or self.labels)


def judged(reviews: Iterable[Review]) -> set[Key]:
    """Return the keys of the results that have a verdict."""
    return {review.key for review in reviews if review.verdict}

"""An edit of one passage: another text, other pseudo-queries, or both."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from core.errors import InputError
from core.store.records.json_values import stored
from core.text.clean import one_line, text_digest
from core.types import Direction, Passage, PseudoQuery

HAND = "hand"
"""Maker of pseudo-queries that a person wrote."""
MOST_QUESTIONS = 50
LONGEST_QUESTION = 500  # characters
LONGEST_TEXT = 100_000  # characters


@dataclass(frozen=True, slots=True)
class Written:
    """A pseudo-query of an edited passage; `maker` is `HAND`, or who made it before the edit."""

    direction: Direction
    text: str
    maker: str


@dataclass(frozen=True, slots=True)
class Edit:
    """The edited content of one passage.

    Parameters
    ----------
    passage : id of the passage.
    title : its title, for people.
    original : digest of its unedited text; the edit applies to no other text.
    text : the new text; None keeps the text.
    queries : all its pseudo-queries; None has the maker of the index make them of the text.
    """

    passage: str
    title: str
    original: str
    text: str | None = None
    queries: tuple[Written, ...] | None = None

    def __str__(self) -> str:
        """Describe the edited fields."""
        by_hand = sum(one.maker == HAND for one in self.queries or ())
        questions = (
            f"pseudo-queries ({by_hand} written by hand)" if self.queries is not None else ""
        )
        parts = filter(None, ("text" if self.text is not None else "", questions))
        return f"{self.title or self.passage}: {' and '.join(parts)}"


@dataclass(frozen=True, slots=True)
class Edits:
    """All edits of a copy; `source` is the name of the index that was copied."""

    source: str
    edits: tuple[Edit, ...] = ()

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @staticmethod
    def from_json(content: str) -> "Edits":
        """Read the output of `to_json`. Raises ValueError if it is damaged."""
        return stored(Edits, content)

    def with_edit(self, edit: Edit) -> "Edits":
        """Add an edit, or replace that of the same passage: it still applies to its first text."""
        before = {one.passage: one for one in self.edits}
        if known := before.get(edit.passage):
            text = known.text if edit.text is None else edit.text
            edit = replace(edit, original=known.original, text=text)
        return replace(self, edits=tuple({**before, edit.passage: edit}.values()))


def edit_of(
    passage: Passage,
    queries: Sequence[PseudoQuery],
    *,
    text: str | None = None,
    answered: Iterable[str] | None = None,
    raised: Iterable[str] | None = None,
) -> Edit | None:
    """Return the edit that replaces the text or the pseudo-queries of `passage`.

    A pseudo-query whose text is kept keeps its maker; the others are written by hand.

    Parameters
    ----------
    queries : its pseudo-queries now.
    text : its new text; None keeps the text.
    answered, raised : texts of all in-questions and out-questions; None keeps them, or has them
        made again if the text changes and neither is given.

    Returns
    -------
    None if nothing changes.

    Raises
    ------
    InputError : the text is empty or too long, or there are too many or too long questions.
    """
    changed = _changed_text(passage, text)
    now = {way: [one.text for one in queries if one.direction == way] for way in ("in", "out")}
    wanted = {
        "in": now["in"] if answered is None else _question_lines(answered),
        "out": now["out"] if raised is None else _question_lines(raised),
    }
    rewritten = any(sorted(wanted[way]) != sorted(set(now[way])) for way in wanted)
    if changed is None and not rewritten:
        return None
    makers = {(one.direction, one.text): one.maker for one in queries}
    directions: tuple[Direction, ...] = ("in", "out")
    written = tuple(
        Written(way, one, makers.get((way, one), HAND)) for way in directions for one in wanted[way]
    )
    digest = text_digest(passage.text)
    return Edit(passage.id, passage.title, digest, changed, written if rewritten else None)


def kept_texts(
    lines: Iterable[str], shown: Iterable[str], queries: Iterable[PseudoQuery]
) -> list[str]:
    """Return the stored text of each line that shows a pseudo-query; other lines as they are.

    Parameters
    ----------
    lines : what a person left or wrote.
    shown : the display text of each of `queries`. Several may have the same one.
    """
    stored_by_shown: dict[str, list[str]] = {}
    for text, query in zip(shown, queries, strict=True):
        stored_by_shown.setdefault(text, []).append(query.text)
    return [same.pop(0) if (same := stored_by_shown.get(line)) else line for line in lines]


def _changed_text(passage: Passage, text: str | None) -> str | None:
    """Return the new text of a passage without outer white space; None if nothing changes."""
    if text is None:
        return None
    text = text.replace("\x00", "").strip()
    if not text:
        raise InputError("The text of a passage cannot be empty. Remove its document instead.")
    if len(text) > LONGEST_TEXT:
        raise InputError(
            f"The text has {len(text):,} characters; the limit is {LONGEST_TEXT:,}. Shorten it."
        )
    return None if text == passage.text.strip() else text


def _question_lines(questions: Iterable[str]) -> list[str]:
    """Return the distinct questions, each on one line; InputError for too many or too long."""
    lines = list(dict.fromkeys(filter(None, map(one_line, questions))))
    if len(lines) > MOST_QUESTIONS:
        raise InputError(
            f"There are {len(lines)} questions of one kind; the limit is {MOST_QUESTIONS}. "
            "Remove some."
        )
    if too_long := next((line for line in lines if len(line) > LONGEST_QUESTION), ""):
        raise InputError(
            f"A question has {len(too_long):,} characters; the limit is {LONGEST_QUESTION}. "
            f"Shorten '{too_long[:40]}…'."
        )
    return lines

"""The prompt for the model's choice at a vertex of HopRAG's graph, and its reply."""

import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, StrictInt, field_validator, model_validator

from core import prompts
from core.errors import ReplyUnreadable
from core.models.prompt import Prompt
from core.steps import Offer
from core.text.sentences import sentences
from core.types import Passage

SHOWN = 1_500  # characters of a passage that the model is shown
LONGEST = 300
"""Tokens of a reply: two short sentences, a number and a verdict."""
_NUMBER = re.compile(r"[0-9]{1,9}")


class Choice(BaseModel):
    """What a model says at one vertex: the number of the question to follow, from 1, or none.

    It says what the passage answers before it chooses, and judges what it has chosen, as it reads
    what it has written so far.
    """

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    answers: str
    reason: str
    follow: StrictInt | None
    verdict: Literal["relevant and necessary", "indirectly relevant", "irrelevant"]

    @model_validator(mode="before")
    @classmethod
    def _without_words(cls, said: Any) -> Any:
        """Accept a choice whose reply omits its texts."""
        return {"answers": "", "reason": "", **said} if isinstance(said, dict) else said

    @field_validator("verdict", mode="before")
    @classmethod
    def _in_small_letters(cls, verdict: Any) -> Any:
        return " ".join(verdict.casefold().split()) if isinstance(verdict, str) else verdict

    @field_validator("follow", mode="before")
    @classmethod
    def _as_number(cls, follow: Any) -> Any:
        """Convert `"1"` and `1.0` to 1."""
        if isinstance(follow, str) and _NUMBER.fullmatch(follow.strip()):
            return int(follow)
        whole = isinstance(follow, float) and follow.is_integer()
        return int(follow) if whole else follow

    @field_validator("follow")
    @classmethod
    def _from_one(cls, follow: int | None) -> int | None:
        if follow is not None and follow < 1:
            raise ValueError("questions are numbered from 1")
        return follow


class ChoiceOrNone(Choice):
    """The choice of a model that may name none: exactly then it has found all irrelevant."""

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> "ChoiceOrNone":
        if (self.follow is None) != (self.verdict == "irrelevant"):
            raise ValueError("the verdict contradicts the chosen question")
        return self


class SomeChoice(Choice):
    """The choice of a model that has to name a question, whatever its verdict on it is."""

    follow: StrictInt


def question(
    query: str, passage: Passage, offers: Sequence[Offer], considered: int, *, none: bool
) -> Prompt:
    """Return the prompt at `passage`, which has `considered` edges.

    The same words are the same judgement. So the way that led here is not told, nor how many
    passages are kept and how far the walk goes: with those, little would be asked only once.
    """
    text = opening_sentences(passage.text, SHOWN)
    return prompts.prompt(
        "choose" if none else "choose_always",
        ChoiceOrNone if none else SomeChoice,
        longest=LONGEST,
        query=query,
        passage={
            "title": passage.title,
            "text": text,
            "goes_on": len(text) < len(passage.text.strip()),
        },
        questions=[{"number": i, "question": o.label} for i, o in enumerate(offers, start=1)],
        left_out=considered - len(offers),
    )


def opening_sentences(text: str, length: int) -> str:
    """Return the beginning of `text` that fits into `length` characters, in whole sentences.

    If a sentence is too long for that, the text is cut at a space.

    >>> opening_sentences("He bought the club. It plays by the sea.", 30)
    'He bought the club.'
    """
    text = text.strip()
    if len(text) <= length:
        return text
    head = text[:length]
    # The last sentence may go on behind the cut. Half of a long one tells more than none of it.
    end = max((head.rfind(last) for last in sentences(head)[-1:]), default=0)
    if end < length / 2:
        end = head.rfind(" ")
    return (head[:end] if end > 0 else head).rstrip()


def read_choice(listed: int, text: str, *, none: bool) -> Choice:
    """Parse the choice in a reply, among questions numbered from 1 to `listed`, or `none` of them.

    Raises
    ------
    ReplyUnreadable : it holds none, or names a number that is not listed.
    """
    choice = prompts.read(text, ChoiceOrNone if none else SomeChoice)
    if choice.follow and choice.follow > listed:
        raise ReplyUnreadable(
            f"The reply names question {cropped(str(choice.follow), 20)}, but only {listed} were "
            "listed."
        )
    return choice


def cropped(text: str, length: int) -> str:
    """Return `text` in at most `length` characters, shortened with an ellipsis."""
    return text if len(text) <= length else f"{text[: length - 1]}…"

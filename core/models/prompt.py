"""A prompt to a model, and its reply."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

LONGEST = 1_000  # tokens of a reply, without what a model thinks before it

Ending = Literal["whole", "length", "thought", "refusal", "filter", "empty", "overlong"]
"""How a reply ended: whole; cut off at its limit of tokens; with nothing but the model's thinking;
with the model saying no; taken away by a filter of the server; with nothing at all; far longer than
its limit of tokens allows."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt for a model. `system` is ours; text from a corpus appears in `user` only.

    `schema` is the JSON schema of the reply, empty for plain text, and `name` the kind of prompt.
    `longest` is the maximum reply in tokens. Thinking has a limit of its own, from the endpoint; a
    prompt that does not allow thinking needs none.
    """

    name: str
    system: str
    user: str
    schema: Mapping[str, Any]
    longest: int = LONGEST
    temperature: float = 0.0
    thinks: bool = True

    def limit(self, thinking: int) -> int:
        """Return the maximum tokens of a reply, with `thinking` more if the model may think."""
        return self.longest + (thinking if self.thinks else 0)

    @property
    def letters(self) -> int:
        """The number of characters that the model reads."""
        return len(self.system) + len(self.user)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply: the raw text, its tokens (0 if the server does not count) and seconds.

    Only a reply whose `ending` is `whole` can be used; otherwise the text may be incomplete.
    `billed` counts the tries of this call that the server may have billed, including this one.
    `estimated` tells that the token counts are our estimate. `model` is the server's name of the
    model, empty if it does not report one.
    """

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    ending: Ending = "whole"
    billed: int = 1
    estimated: bool = False
    model: str = ""

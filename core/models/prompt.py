"""What a model is asked, and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked. `system` is ours; what comes from a corpus stands in `user` only.

    `schema` is the JSON schema of the reply, `name` what this kind of prompt is called.
    """

    name: str
    system: str
    user: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the raw text, its tokens (0 where the server does not count) and seconds.

    The text of a refusal is a text like any other; a model that said nothing gives an empty one.
    """

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0

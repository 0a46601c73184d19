"""What a model said before, without asking it: for a look ahead, and for when it is away."""

from typing import TypeVar

from core.errors import ReplyUnreadable
from core.models.oracle import TRIES, Oracle, Read
from core.models.prompt import Prompt
from core.models.replies import reply_key
from core.steps import Exchange

T = TypeVar("T")


def remembered(oracle: Oracle, prompt: Prompt, read: Read[T]) -> tuple[T | None, Exchange] | None:
    """What `oracle.ask` would say without a call; None if it would have to make one."""
    for attempt in range(TRIES):
        reply = oracle.replies.get(reply_key(oracle.llm.model, prompt, attempt=attempt))
        if reply is None:
            return None
        try:
            read(reply.text)
            break
        except ReplyUnreadable:
            continue
    return oracle.ask(prompt, read)

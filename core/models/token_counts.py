"""Tokens of texts whose server does not count them, by their letters."""

import json
from dataclasses import replace
from math import ceil

from core.models.prompt import Prompt, Reply

A_LETTER = 0.3  # tokens of a character of English, with its JSON
A_SIGN = 1.2  # of one that is not ASCII: Chinese, Japanese, Cyrillic
_MOST_A_LETTER, _MOST_A_SIGN = 0.5, 2.5
ROUND = 40  # tokens round two messages


def tokens_of(text: str) -> int:
    """About as many tokens as `text` has, one at least.

    >>> tokens_of("a" * 100), tokens_of("")
    (30, 1)
    """
    plain = sum(map(str.isascii, text))
    return max(1, round(A_LETTER * plain + A_SIGN * (len(text) - plain)))


def most_tokens_of(prompt: Prompt) -> int:
    """As many tokens as `prompt` can well be, with its schema and what a server puts round it."""
    texts = (prompt.system, prompt.user, json.dumps(dict(prompt.schema)))
    plain = sum(sum(map(str.isascii, text)) for text in texts)
    letters = sum(map(len, texts))
    return ROUND + ceil(_MOST_A_LETTER * plain + _MOST_A_SIGN * (letters - plain))


def counted(prompt: Prompt, reply: Reply) -> Reply:
    """`reply` with tokens, estimated and marked so where the server did not count."""
    if reply.tokens_in > 0 and (reply.tokens_out > 0 or not reply.text):
        return reply
    return replace(
        reply,
        tokens_in=reply.tokens_in or tokens_of(prompt.system) + tokens_of(prompt.user),
        tokens_out=reply.tokens_out or tokens_of(reply.text),
        estimated=True,
    )

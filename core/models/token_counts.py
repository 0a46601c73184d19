"""Estimate token counts from characters, for servers that do not report them."""

import json
from dataclasses import replace
from math import ceil

from core.models.prompt import Prompt, Reply

A_LETTER = 0.3  # tokens of a character of English, with its JSON
A_SIGN = 1.2  # of one that is not ASCII: Chinese, Japanese, Cyrillic
_MOST_A_LETTER, _MOST_A_SIGN = 0.5, 2.5
ROUND = 40  # tokens round two messages


def tokens_of(text: str) -> int:
    """Estimate the number of tokens of `text`, at least 1.

    >>> tokens_of("a" * 100), tokens_of("")
    (30, 1)
    """
    plain = sum(map(str.isascii, text))
    return max(1, round(A_LETTER * plain + A_SIGN * (len(text) - plain)))


def most_tokens_of(prompt: Prompt) -> int:
    """Return an upper estimate of the tokens of `prompt`, with its schema and message framing."""
    texts = (prompt.system, prompt.user, json.dumps(dict(prompt.schema)))
    plain = sum(sum(map(str.isascii, text)) for text in texts)
    letters = sum(map(len, texts))
    return ROUND + ceil(_MOST_A_LETTER * plain + _MOST_A_SIGN * (letters - plain))


def counted(prompt: Prompt, reply: Reply) -> Reply:
    """Return `reply` with token counts, estimated if the server reported none."""
    if reply.tokens_in > 0 and (reply.tokens_out > 0 or not reply.text):
        return reply
    return replace(
        reply,
        tokens_in=reply.tokens_in or tokens_of(prompt.system) + tokens_of(prompt.user),
        tokens_out=reply.tokens_out or tokens_of(reply.text),
        estimated=True,
    )

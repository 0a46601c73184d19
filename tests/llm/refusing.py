"""A server that answers nobody, or not everybody."""

import json

from tests.llm.server import Answer, Request


def wrong_key(_: Request) -> Answer:
    """401, as OpenAI says it of a key that it does not know."""
    return Answer("Incorrect API key provided.", status=401)


def no_sense(_: Request) -> Answer:
    """Words of which nothing can be made."""
    return Answer("Let me think about that.")


def follows_the_first(_: Request) -> Answer:
    """To `choose`."""
    return Answer(json.dumps({"reason": "", "verdict": "indirectly relevant", "follow": 1}))

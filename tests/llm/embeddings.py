"""Answers of a server that embeds texts, by the vectors of `WordEmbedder`."""

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from core.settings import Endpoint
from tests.core.fakes import WordEmbedder
from tests.llm.server import MODEL, Answer, ChatServer, Request
from tests.llm.server import endpoint as chat_endpoint

Row = dict[str, Any]


def rows(request: Request, dimension: int = 16) -> list[Row]:
    """What a server lists: an embedding of each text with its number."""
    vectors = WordEmbedder(dimension).encode(request.body["input"])
    return [
        {"object": "embedding", "index": number, "embedding": vector.tolist()}
        for number, vector in enumerate(vectors)
    ]


def listed(found: list[Row], tokens: int = 10, model: str = MODEL) -> Answer:
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    body = {"object": "list", "data": found, "model": model, "usage": usage}
    return Answer(raw=json.dumps(body))


def embedded(request: Request) -> Answer:
    """As a server should: 10 tokens a text."""
    return listed(rows(request), 10 * len(request.body["input"]))


def changed(change: Callable[[list[Row]], list[Row]]) -> Callable[[Request], Answer]:
    """The script of a server that lists its embeddings otherwise."""
    return lambda request: listed(change(rows(request)))


def in_base64(found: list[Row]) -> list[Row]:
    coded = (np.array(row["embedding"], "<f4").tobytes() for row in found)
    return [
        row | {"embedding": b64encode(data).decode()}
        for row, data in zip(found, coded, strict=True)
    ]


def endpoint(server: ChatServer, key: str = "k") -> Endpoint:
    return replace(chat_endpoint(server, key=key), variable="HOPRAG_EMBEDDER", thinking=0)

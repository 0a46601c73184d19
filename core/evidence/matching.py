"""Find the passages that contain a piece of evidence, in named steps.

The steps, in order: `exact` (the text as it stands), `normalised` (`normalising.normalised`),
`split` (across passages of one document, all of which are needed), `fuzzy` (`fuzzy.similarity`);
last, both: split, with letters changed, where the step is `split` and has a score.
A paragraph that is split needs one of its passages: those that hold its answer (`answer`), or else
any (`paragraph`).

The evidence's own document comes first. Text in other documents counts if it cannot be there by
chance, since a wrong passage is worse than none:

- It has at least `LEAST_WORDS` words, or its document is unknown and one document holds it.
- It is a fact, or stands under one title. Sentences, spans and paragraphs lean on their title: 'He
  was born in Selby' is said of many.
- At most `MOST_TITLES` titles hold it. More of them share boilerplate.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from core.evidence.fuzzy import nearest, similarity
from core.evidence.normalising import Text
from core.evidence.splitting import Cover, consecutive, cover, joined
from core.types import Evidence, MatchStep, Passage

LEAST_WORDS = 6
"""Shorter text may occur anywhere by chance."""

MOST_TITLES = 3
"""Text under more titles is boilerplate."""

_LEAST_SHARE = 0.5
"""Share of a paragraph in a passage, or of the passage in it, from which it is one of its own."""

_Ids = tuple[str, ...]


class Candidate(Text):
    """A passage that may contain evidence."""

    def __init__(self, passage: Passage) -> None:
        super().__init__(passage.text)
        self.passage = passage

    @property
    def order(self) -> tuple[str, int, str]:
        return self.passage.document_id, self.passage.position, self.passage.id


@dataclass(frozen=True, slots=True)
class Match:
    """The passages that contain evidence; see `core.types.Evidence` for the fields."""

    step: MatchStep
    parts: tuple[tuple[Candidate, ...], ...] = ()
    score: float = 0.0

    @property
    def holders(self) -> list[Candidate]:
        return [each for part in self.parts for each in part]


def matched(evidence: Evidence, candidates: Sequence[Candidate]) -> Evidence:
    """Return `evidence` with the passages among `candidates` that contain it or an alternative.

    Parameters
    ----------
    candidates : passages in any order: all of the evidence's document, and others that share words
        with it.
    """
    ordered = sorted(candidates, key=lambda each: each.order)
    texts = (evidence.text, *evidence.alternatives)
    matches = [
        match
        for text in texts
        if (match := _match(replace(evidence, text=text), Text(text), ordered))
    ]
    best = _any(matches)
    return replace(
        evidence,
        step=best.step if best else "not found",
        parts=tuple(_ids(part) for part in best.parts) if best else (),
        score=best.score if best else 0.0,
    )


def _any(found: Sequence[Match]) -> Match | None:
    """Return the passages of any of several texts.

    A text that is split needs several passages. It counts only if no passage holds any text.
    """
    whole = [match for match in found if len(match.parts) == 1]
    if not whole:
        return next(iter(found), None)
    holders = dict.fromkeys(each for match in whole for each in match.holders)
    return replace(whole[0], parts=(tuple(holders),))


def _match(evidence: Evidence, wanted: Text, candidates: Sequence[Candidate]) -> Match | None:
    """Match evidence in its own document first, then in others; None if nothing matches.

    Text of few words counts outside its document only if no document is given.
    """
    if not any(each.isalnum() for each in wanted.spaced):
        return None
    own = [each for each in candidates if each.passage.document_id == evidence.document]
    others = [each for each in candidates if each.passage.document_id != evidence.document]
    if match := _match_within(evidence, wanted, own):
        return _with_copies(evidence, wanted, match, others)
    if evidence.document and len(wanted.words) < LEAST_WORDS:
        return None
    match = _match_within(evidence, wanted, others, fuzzy=not evidence.document)
    return None if match and _by_chance(evidence, wanted, match.holders) else match


def _with_copies(
    evidence: Evidence, wanted: Text, match: Match, others: Sequence[Candidate]
) -> Match:
    """Return `match` with the passages of other documents that contain the whole text as well.

    Such a passage stands for every part of a text that is split here. One that is a copy of a whole
    passage stands for what that passage holds.
    """
    if match.step not in ("exact", "normalised", "split"):
        return match
    copies = {each for each in others if each.holds(wanted)}
    if match.step == "split":
        texts = {each.spaced for each in match.holders if len(each.words) >= LEAST_WORDS}
        copies |= {each for each in others if each.spaced in texts}
    if _by_chance(evidence, wanted, [*match.holders, *copies]):
        titles = {_title(each) for each in match.holders}
        copies = {each for each in copies if _title(each) in titles}
    return replace(match, parts=tuple(_with(part, copies, wanted, others) for part in match.parts))


def _with(
    part: tuple[Candidate, ...],
    copies: AbstractSet[Candidate],
    wanted: Text,
    others: Sequence[Candidate],
) -> tuple[Candidate, ...]:
    """Return a part with the `copies` that contain the same text, in the order of `others`."""
    texts = {each.spaced for each in part}
    same = (each for each in others if each in copies)
    return (*part, *(each for each in same if each.holds(wanted) or each.spaced in texts))


def _by_chance(evidence: Evidence, wanted: Text, holders: Sequence[Candidate]) -> bool:
    """Check whether several documents contain a text too short to mean the same in each."""
    titles = len({_title(each) for each in holders})
    documents = len({each.passage.document_id for each in holders})
    if min(titles, documents) <= 1:
        return False
    states_a_fact = evidence.kind == "fact" and len(wanted.words) >= LEAST_WORDS
    return not states_a_fact or titles > MOST_TITLES


def _title(candidate: Candidate) -> str:
    return candidate.passage.title.casefold() or candidate.passage.document_id


def _match_within(
    evidence: Evidence, wanted: Text, candidates: Sequence[Candidate], *, fuzzy: bool = True
) -> Match | None:
    """Match evidence in `candidates`, by the strictest step that succeeds.

    The steps are one passage, several consecutive ones, and, if `fuzzy`, approximate text.
    """
    if holding := [each for each in candidates if each.holds(wanted)]:
        text = " ".join(evidence.text.split())
        exact = any(text in " ".join(each.raw.split()) for each in holding)
        return Match("exact" if exact else "normalised", (tuple(holding),))
    if match := _across(evidence, wanted, candidates):
        return match
    if not fuzzy:
        return None
    return _fuzzy(wanted, candidates) or _fuzzy_across(evidence, wanted, candidates)


def _across(evidence: Evidence, wanted: Text, candidates: Sequence[Candidate]) -> Match | None:
    """Return the passages of the first document that contain `wanted` together."""
    matches = [
        _of_paragraph(evidence, wanted, chain, covered)
        if evidence.kind == "paragraph"
        else _split(chain, covered)
        for chain in _chains(candidates)
        if (covered := cover(wanted, chain, [each.passage.position for each in chain]))
    ]
    if _by_chance(evidence, wanted, [each for match in matches for each in match.holders]):
        return None
    return matches[0] if matches else None


def _chains(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Group the passages of documents with two or more of them."""
    documents: dict[str, list[Candidate]] = defaultdict(list)
    for each in candidates:
        documents[each.passage.document_id].append(each)
    return [chain for chain in documents.values() if len(chain) > 1]


def _split(chain: Sequence[Candidate], covered: Cover) -> Match:
    """Return the passages of each stretch of the evidence, and their duplicates.

    Another passage that holds the words of a stretch may do so in another sentence.
    """
    parts = []
    for stretch in covered.stretches:
        held = {chain[number] for number in stretch.passages}
        texts = {each.spaced for each in held if len(each.words) >= LEAST_WORDS}
        parts.append(tuple(each for each in chain if each in held or each.spaced in texts))
    return Match("split", tuple(parts))


def _of_paragraph(
    evidence: Evidence, wanted: Text, chain: Sequence[Candidate], covered: Cover
) -> Match:
    """Return the passages that a paragraph was split into, by its answer if that is known."""
    within = {
        chain[number]: None
        for each in covered.pieces
        for number in each.passages
        if each.end - each.start
        >= _LEAST_SHARE * min(len(chain[number].tokens), len(wanted.tokens))
    }
    answer = Text(evidence.answer.casefold())
    holding = [each for each in within if answer.tokens and Text(each.raw.casefold()).holds(answer)]
    return Match("answer" if holding else "paragraph", (tuple(holding or within),))


def _fuzzy(wanted: Text, candidates: Sequence[Candidate]) -> Match | None:
    """Return the passages that contain approximately `wanted`: all with the best similarity."""
    if len(wanted.words) < LEAST_WORDS:
        return None
    scores = {each: similarity(wanted.words, each.words) for each in candidates}
    best = max(scores.values(), default=0.0)
    same = tuple(each for each in candidates if best and scores[each] == best)
    return Match("fuzzy", (same,), best) if same else None


def _fuzzy_across(
    evidence: Evidence, wanted: Text, candidates: Sequence[Candidate]
) -> Match | None:
    """Return consecutive passages of a document that contain approximately `wanted` together."""
    if evidence.kind == "paragraph" or len(wanted.words) < LEAST_WORDS:
        return None
    matches = [
        near
        for chain in _chains(candidates)
        for run in consecutive(chain, [each.passage.position for each in chain])
        if (near := _nearest_in_run(wanted, run)).score
    ]
    if _by_chance(evidence, wanted, [each for match in matches for each in match.holders]):
        return None
    return max(matches, key=lambda each: each.score, default=None)


def _nearest_in_run(wanted: Text, run: Sequence[Candidate]) -> Match:
    """Return the best approximate match in consecutive passages, which are its parts."""
    words, holders = joined([each.words for each in run])
    score, at = nearest(wanted.words, words)
    parts = sorted(set(holders[at : at + len(wanted.words)]))
    return Match("split", tuple((run[number],) for number in parts), score)


def _ids(candidates: Iterable[Candidate]) -> _Ids:
    return tuple(each.passage.id for each in candidates)

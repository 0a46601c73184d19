"""Evidence of questions in an edited copy: what remains, and what the edit removed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.evidence import evidence_spans, with_passages
from core.evidence.normalising import Text
from core.store.index import Index
from core.text.clean import clean
from core.text.sentences import sentences
from core.types import Evidence, Passage, Query

_LEAST_SHARE = 0.5
"""Share of a paragraph, in characters, that has to stand if nobody knows which sentence counts."""


def evidence_after_edits(
    queries: Sequence[Query], passages: Sequence[Passage], unedited: Mapping[str, Passage]
) -> list[Query]:
    """Return `queries` with their evidence mapped to the passages of an edited copy.

    An edited passage keeps the evidence of its former text that its new text still contains, and
    gains evidence that its new text contains word for word.

    Parameters
    ----------
    passages : all passages of the copy.
    unedited : the former version of each edited passage, by id.
    """
    before = with_passages(queries, [unedited.get(each.id, each) for each in passages])
    after = with_passages(queries, passages)
    texts = {each.id: Text(each.text) for each in passages if each.id in unedited}

    def remaining(earlier: Evidence, now: Evidence) -> Evidence:
        """Return evidence as matched now, with earlier passages that still contain it."""
        kept = _kept(earlier, unedited, texts)
        if now.step not in ("exact", "normalised"):
            return kept
        if len(kept.parts) != 1 or len(now.parts) != 1:
            return now
        return replace(now, parts=(tuple(dict.fromkeys((*now.parts[0], *kept.parts[0]))),))

    return [
        replace(was, evidence=tuple(map(remaining, was.evidence, now.evidence)))
        for was, now in zip(before, after, strict=True)
    ]


def removed_evidence(original: Index, copy: Index) -> tuple[tuple[Query, Evidence], ...]:
    """Return the questions of `original` with the evidence that no passage of `copy` contains."""
    now = {query.id: query.evidence for query in copy.questions}
    return tuple(
        (query, was)
        for query in original.questions
        for was, is_ in zip(query.evidence, now.get(query.id, ()), strict=False)
        if was.parts and not is_.parts
    )


def _kept(
    evidence: Evidence, unedited: Mapping[str, Passage], texts: Mapping[str, Text]
) -> Evidence:
    """Return the evidence without the edited passages that no longer contain it."""
    parts = tuple(
        tuple(
            one
            for one in part
            if one not in unedited or _still_holds(evidence, unedited[one].text, texts[one])
        )
        for part in evidence.parts
    )
    if parts and all(parts):
        return replace(evidence, parts=parts)
    return replace(evidence, step="not found", parts=(), score=0.0)


def _still_holds(evidence: Evidence, before: str, after: Text) -> bool:
    """Return whether the edited text still contains the evidence that was in `before`."""
    said = [before[start:end] for start, end in evidence_spans(before, [evidence])]
    if not said:
        return False
    if evidence.kind != "paragraph":
        return all(after.holds(Text(each)) for each in said)
    evidence_sentences = [each for text in said for each in sentences(clean(text))]
    if evidence.answer:
        answer = Text(evidence.answer.casefold())
        evidence_sentences = [
            each for each in evidence_sentences if Text(each.casefold()).holds(answer)
        ] or evidence_sentences
    standing = sum(len(each) for each in evidence_sentences if after.holds(Text(each)))
    return standing >= _LEAST_SHARE * sum(map(len, evidence_sentences))

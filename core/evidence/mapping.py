"""Evidence of a question set to the passages of an index, in one pass over the passages."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.evidence.matching import Candidate, matched
from core.evidence.normalising import normalised, words
from core.types import Evidence, MatchStep, Passage, Query

_SHINGLE = 3  # words
_LEAST_SHARE = 0.2
"""Of the shingles of evidence, what a passage shares of them at least to be looked at."""

_Key = tuple[int, int]  # numbers of a question and of its evidence


def with_passages(queries: Sequence[Query], passages: Iterable[Passage]) -> list[Query]:
    """Return `queries` with their evidence mapped to `passages`.

    Evidence whose document is known is looked for in its passages first. A passage of any other
    document is compared only if it shares runs of three words with the evidence.

    Parameters
    ----------
    passages : all passages of an index, in any order; read once.
    """
    items = {
        (n, m): evidence
        for n, query in enumerate(queries)
        for m, evidence in enumerate(query.evidence)
    }
    if not items:
        return list(queries)
    found = _candidates(items, passages)
    mapped: dict[_Key, Evidence] = {
        key: matched(evidence, found.get(key, ())) for key, evidence in items.items()
    }
    return [
        replace(query, evidence=tuple(mapped[n, m] for m in range(len(query.evidence))))
        for n, query in enumerate(queries)
    ]


def _candidates(
    items: Mapping[_Key, Evidence], passages: Iterable[Passage]
) -> dict[_Key, list[Candidate]]:
    """Return for each piece of evidence the passages that may hold it."""
    shingles: dict[tuple[str, ...], list[_Key]] = defaultdict(list)
    least: dict[_Key, float] = {}
    documents: dict[str, list[_Key]] = defaultdict(list)
    for key, evidence in items.items():
        own = _shingles(evidence.text)
        least[key] = _LEAST_SHARE * len(own)
        for shingle in own:
            shingles[shingle].append(key)
        if evidence.document:
            documents[evidence.document].append(key)
    sizes = {len(shingle) for shingle in shingles}
    found: dict[_Key, list[Candidate]] = defaultdict(list)
    for passage in passages:
        candidate = Candidate(passage)
        known = documents.get(passage.document_id, ())
        shared: Counter[_Key] = Counter()
        for shingle in _runs(words(candidate.text), sizes):
            shared.update(shingles.get(shingle, ()))
        wanted = dict.fromkeys(known)
        wanted |= {key: None for key, count in shared.items() if count >= least[key]}
        for key in wanted:
            found[key].append(candidate)
    return found


def _shingles(text: str) -> set[tuple[str, ...]]:
    found = words(normalised(text))
    return _runs(found, {min(_SHINGLE, len(found))} if found else set())


def _runs(found: Sequence[str], sizes: Iterable[int]) -> set[tuple[str, ...]]:
    """Return all runs of so many words."""
    return {tuple(found[at : at + size]) for size in sizes for at in range(len(found) - size + 1)}


def steps_counted(queries: Iterable[Query]) -> Counter[MatchStep]:
    """Return how many pieces of evidence were mapped by each step."""
    return Counter(evidence.step for query in queries for evidence in query.evidence)

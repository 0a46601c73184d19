"""Evidence of a question set to the passages of an index, in one pass over the passages."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.evidence.matching import Candidate, matched
from core.evidence.normalising import normalised, words
from core.types import Evidence, Passage, Query

_RUN = 3
"""Words in a run. A passage without a run of the evidence is no candidate."""

_LEAST_SHARE = 0.2
"""Share of the evidence's runs in a passage that makes it a candidate."""

_Key = tuple[int, int, int]  # numbers of a question, of its evidence, and of a text of that
_Run = tuple[str, ...]


def with_passages(queries: Sequence[Query], passages: Iterable[Passage]) -> list[Query]:
    """Return `queries` with their evidence mapped to `passages`.

    Evidence whose document is known is looked for in its passages first. A passage of any other
    document is compared only if it shares runs of three words with the evidence.

    Parameters
    ----------
    passages : all passages of an index, in any order; read once.
    """
    items = {
        (n, m, t): replace(evidence, text=text)
        for n, query in enumerate(queries)
        for m, evidence in enumerate(query.evidence)
        for t, text in enumerate((evidence.text, *evidence.alternatives))
    }
    if not items:
        return list(queries)
    candidates = _candidates(items, passages)

    def mapped(n: int, m: int, evidence: Evidence) -> Evidence:
        texts = range(1 + len(evidence.alternatives))
        held = dict.fromkeys(each for t in texts for each in candidates.get((n, m, t), ()))
        return matched(evidence, list(held))

    return [
        replace(query, evidence=tuple(mapped(n, m, each) for m, each in enumerate(query.evidence)))
        for n, query in enumerate(queries)
    ]


def _candidates(
    items: Mapping[_Key, Evidence], passages: Iterable[Passage]
) -> Mapping[_Key, Sequence[Candidate]]:
    """Return for each piece of evidence the passages that may contain it."""
    sought = _Sought(items)
    by_evidence: dict[_Key, list[Candidate]] = defaultdict(list)
    for passage in passages:
        if wanted := sought.sharing(passage):
            candidate = Candidate(passage)
            for key in wanted:
                by_evidence[key].append(candidate)
    return by_evidence


class _Sought:
    """The runs of words in evidence, and the documents that it names."""

    def __init__(self, items: Mapping[_Key, Evidence]) -> None:
        self._by_run: dict[_Run, list[_Key]] = defaultdict(list)
        self._short: dict[_Run, list[_Key]] = defaultdict(list)
        self._by_document: dict[str, list[_Key]] = defaultdict(list)
        self._least: dict[_Key, float] = {}
        for key, evidence in items.items():
            self._add_evidence(key, evidence)
        self._sizes = {len(run) for run in self._by_run if len(run) < _RUN}

    def _add_evidence(self, key: _Key, evidence: Evidence) -> None:
        """Index a piece of evidence by its word n-grams, by which passages look it up."""
        evidence_words = words(normalised(evidence.text))
        size = min(_RUN, len(evidence_words))
        runs = _runs(evidence_words, size)
        self._least[key] = _LEAST_SHARE * len(runs)
        for run in runs:
            self._by_run[run].append(key)
        for smaller in range(1, size):
            for run in _runs(evidence_words, smaller):
                self._short[run].append(key)
        if evidence.document:
            self._by_document[evidence.document].append(key)

    def sharing(self, passage: Passage) -> set[_Key]:
        """Return the evidence that `passage` may contain, whole or in part.

        A passage may end with the first words of long evidence, or begin with its last.
        """
        passage_words = words(normalised(passage.text))
        keys = set(self._by_document.get(passage.document_id, ()))
        if len(passage_words) < _RUN:
            keys.update(self._short.get(tuple(passage_words), ()))
        else:
            keys.update(self._by_run.get(tuple(passage_words[:_RUN]), ()))
            keys.update(self._by_run.get(tuple(passage_words[-_RUN:]), ()))
        shared: Counter[_Key] = Counter()
        for size in (*self._sizes, _RUN):
            for run in self._by_run.keys() & _runs(passage_words, size):
                shared.update(self._by_run[run])
        keys.update(key for key, count in shared.items() if count >= self._least[key])
        return keys


def _runs(found: Sequence[str], size: int) -> set[_Run]:
    """Return every run of `size` consecutive words."""
    return set(zip(*(found[at:] for at in range(size)), strict=False))

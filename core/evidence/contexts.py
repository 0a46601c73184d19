"""Retrieved texts to the passages of an index: by id, then by text in named steps.

| step | the context |
| --- | --- |
| id | has the id of a passage, and no text or a text of that passage |
| exact | has the text of a passage, but for white space, quotation marks and hyphens |
| contained | holds passages, or is held by one |
| fuzzy | differs from a passage in at most one letter in ten |
| none | is not in the index |

Where a context has a text, the text decides: another pipeline may number its chunks as the index
numbers its passages.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from core.corpus.record_formats.retrieved_results import Context, ContextKey
from core.evidence.normalising import Text, normalised, words
from core.types import Passage

MatchStep = Literal["id", "exact", "contained", "fuzzy", "none"]

FUZZY = 90.0
"""Least similarity of a fuzzy match, in [0, 100] (rapidfuzz's ratio)."""

_RUN = 5
"""Words in a run by which passages and contexts meet."""

_MOST_CANDIDATES = 50
"""Passages that are compared with a context: those with most runs in common."""


@dataclass(frozen=True, slots=True)
class ContextMatch:
    """The match of a context with passages.

    Parameters
    ----------
    passages : ids of the passages that it stands for.
    whole : whether it has all of their text, and not a part of it.
    """

    step: MatchStep
    passages: tuple[str, ...] = ()
    whole: bool = True


_NO_MATCH = ContextMatch("none", whole=False)


def matched_contexts(
    contexts: Iterable[Context], passages: Iterable[Passage], find: Callable[[str], str | None]
) -> dict[ContextKey, ContextMatch]:
    """Match each context to passages, by its key.

    Parameters
    ----------
    passages : all passages of an index, read once.
    find : the id in the index that an id in the file stands for, or None.
    """
    unique = dict.fromkeys(one.key for one in contexts)
    by_text = _by_text({normalised(text) for _, text in unique if text}, passages)
    return {key: _matched(*key, by_text.get(normalised(key[1])), find) for key in unique}


def _matched(
    id_: str, text: str, by_text: ContextMatch | None, find: Callable[[str], str | None]
) -> ContextMatch:
    """Return the match of a context, given that of its text."""
    # Some tools write ids where others have texts.
    name = find(id_ or text) if id_ or len(text.split()) == 1 else None
    if name is None:
        return by_text or _NO_MATCH
    if by_text is None or not id_:
        return ContextMatch("id", (name,))
    reworded = not by_text.passages and not id_.isdecimal()
    if reworded or name in by_text.passages:
        return ContextMatch("id", (name,), whole=by_text.whole)
    return by_text


def _by_text(texts: Collection[str], passages: Iterable[Passage]) -> dict[str, ContextMatch]:
    """Return the match of each normalised text.

    Runs of words are taken at every fifth place of a text, and looked up at every place of a
    passage. So a text meets every passage that has nine of its words in a row.
    """
    spelled = {text: words(text) for text in texts}
    wanted: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for text, passage_words in spelled.items():
        for run in _word_runs(passage_words):
            wanted[run].append(text)
    sizes = {len(run) for run in wanted}
    met: dict[str, Counter[int]] = defaultdict(Counter)
    kept: list[Passage] = []
    for passage in passages:
        passage_words = words(normalised(passage.text))
        runs = (run for size in sizes for run in _runs(passage_words, size))
        shared = Counter(text for run in runs for text in wanted.get(run, ()))
        for text, times in shared.items():
            met[text][len(kept)] = times
        if shared:
            kept.append(passage)
    held = [Text(passage.text) for passage in kept]
    return {text: _best(text, met[text], kept, held) for text in texts}


def _word_runs(found: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield consecutive runs of `_RUN` items; all of them if there are fewer."""
    if 0 < len(found) < _RUN:
        yield tuple(found)
    for at in range(0, len(found) - _RUN + 1, _RUN):
        yield tuple(found[at : at + _RUN])


def _runs(found: Sequence[str], size: int) -> set[tuple[str, ...]]:
    """Return every run of `size` consecutive words."""
    return set(zip(*(found[at:] for at in range(size)), strict=False))


def _best(
    text: str, met: Counter[int], passages: Sequence[Passage], held: Sequence[Text]
) -> ContextMatch:
    """Return the match of the first step that any candidate passes."""
    wanted = Text(text)
    candidates = sorted(number for number, _ in met.most_common(_MOST_CANDIDATES))

    def match(step: MatchStep, numbers: Sequence[int], *, whole: bool = True) -> ContextMatch:
        return ContextMatch(step, tuple(passages[number].id for number in numbers), whole)

    if same := [n for n in candidates if held[n].spaced == wanted.spaced]:
        return match("exact", same)
    if inside := [n for n in candidates if held[n].tokens and wanted.holds(held[n])]:
        return match("contained", inside)
    if around := [n for n in candidates if held[n].holds(wanted)]:
        return match("contained", around, whole=False)
    scores = {n: _similarity(wanted, held[n]) for n in candidates}
    best = max(scores.values(), default=0.0)
    return match("fuzzy", [n for n in candidates if scores[n] == best]) if best else _NO_MATCH


def _similarity(one: Text, other: Text) -> float:
    """Return rapidfuzz's ratio of two texts in lower case; 0 if it is below `FUZZY`."""
    return fuzz.ratio(one.spaced.casefold(), other.spaced.casefold(), score_cutoff=FUZZY)

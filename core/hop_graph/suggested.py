"""Questions that take two hops, made by rules from the graph, for an index that has none.

An edge joins a passage that names something to the one that tells of it. A question over both
says what the first passage says, with something that the second one says in the place of the name:
'The Ash meets the sea at something that was founded in 1204. What is it?'
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.corpus.contents import made_id
from core.store.index import Index
from core.text.entities import entity_key
from core.text.scripts import language
from core.text.sentences import sentences
from core.text.tokens import words
from core.types import Passage, Query

MOST = 6
BY_RULES = "made by rules from the graph"
"""The type of these questions."""

_LOOKED_AT = 2_000  # edges
_TOGETHER = 200  # edges whose passages are read at a time
_SPREAD = 20_000  # edges of a large index, evenly apart, of which those are
_ALIKE = 0.5  # by their keywords, at least
_CHOSEN_FROM = 6 * MOST
_LEAD = (3, 18)  # words, at least and at most
_PREDICATE = (3, 14)
_READ = 1_500  # characters of a passage
_OPENING = 120  # characters that say what it is about
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_PRONOUN = re.compile(r"(?:He|She|It|They) ")
# Behind one of these a name stands for itself, not as a part of another name or of a noun.
_BEFORE = re.compile(
    r"(?:^|\s)([a-z][\w-]*) (by|with|to|of|from|under|at|in|for|near|against|after|into|on) $"
)
_AFTER = re.compile(
    r"[.,;:!?]|$|\s(?:and|in|on|at|from|during|until|after|before|while|where|when|as|which|who|with"
    r"|to|for|by)\b"
)
# A finite verb of one person or thing; its kind is guessed by its ending.
_VERB = re.compile(
    r"(?:also |later |first |then |once |still |only |now )?"
    r"(?!(?:his|its|this|as|plus|across|unless|always|besides|born|named|called|based|located)\b)"
    r"(?:is|was|has|had|did|became|began|grew|came|won|wrote|made|took|held|led|lay|stood|built|left|"
    r"ran|met|went|gave|sold|fell|rose|found|taught|saw|spent|lost|drew|sang|flew|sank|fought|broke|"
    r"kept|cut|set|[a-z]{2,}(?:ed|s))\b"
)
_OPEN_END = re.compile(r"\b(?:by|with|to|of|from|under|at|in|for|and|or|the|a|an|as|but|that)$")
_UNEVEN = re.compile(r"[\"“”()\[\]]")
_PLACE = re.compile(
    r"\b(?:is|was) (?:an?|the|one of the)\s(?:\S+\s){0,3}?"
    r"(?:city|town|village|island|country|region|county|district|capital|province|municipality|"
    r"state|port|harbour|parish|suburb|borough|settlement|valley|mountain|lake|river)\b"
)
_ENDS = " .,;:!?…–-"


@dataclass(frozen=True, slots=True)
class _Found:
    """A question over the edge `edge`, between two passages by number; `worth` is better higher."""

    worth: float
    edge: str
    source: int
    target: int
    text: str


@lru_cache(maxsize=4)
def suggested(index: Index, most: int = MOST) -> tuple[Query, ...]:
    """Up to `most` questions, each over two passages, no passage in two of them.

    Their gold are both passages: one says what the question begins with, the other what it ends
    with. The same graph gives the same questions. There are none where no text is in English.
    """
    found = sorted(_found(index), key=lambda each: (-each.worth, each.edge))
    used: set[int] = set()
    chosen: list[Query] = []
    for each in found:
        if len(chosen) < most and not used & {each.source, each.target}:
            used |= {each.source, each.target}
            chosen.append(_query(each, index))
    return tuple(chosen)


def _query(found: _Found, index: Index) -> Query:
    gold = (index.ids[found.source], index.ids[found.target])
    return Query(made_id(found.text, found.text), found.text, gold=gold, type=BY_RULES)


def _found(index: Index) -> Iterator[_Found]:
    count = 0
    for edge, source, target in _edges(index):
        first, second = index.passages.take((source, target))
        if first.document_id == second.document_id and first.title == second.title:
            continue
        text, worth = _joined(first, index.names[source], second, index.names[target])
        if text:
            yield _Found(worth, edge, source, target, text)
            count += 1
        if count == _CHOSEN_FROM:
            return


def _edges(index: Index) -> Iterator[tuple[str, int, int]]:
    """Edges over what the second passage is called, in the order of their ids: as good as chance.

    Without the graph's other columns, since this is asked for before anything else.
    """
    table = _shared(index)
    if not table.num_rows:
        return
    rows = table.take(pc.select_k_unstable(table, _LOOKED_AT, [("id", "ascending")])).to_pylist()
    for start in range(0, len(rows), _TOGETHER):
        some = rows[start : start + _TOGETHER]
        ends = [(index.number[row["source"]], index.number[row["target"]]) for row in some]
        # What a large index has read of these is at hand for whoever asks for them one by one.
        index.passages.take(end for pair in ends for end in pair)
        names = index.names.take(end for pair in ends for end in pair)
        for row, (source, target), name in zip(some, ends, names[1::2], strict=True):
            if entity_key(name) in row["keywords"]:
                yield row["id"], source, target


def _shared(index: Index) -> pa.Table:
    """Edges whose questions share half of their keywords: all, or of a large index some."""
    columns = ["id", "source", "target", "keywords"]
    if not index.large:
        return index.tables.select("edges", columns, f"jaccard >= {_ALIKE}")
    last = index.meta.counts.edges - 1
    numbers = np.unique(np.linspace(0, max(last, 0), _SPREAD, dtype=np.int64)).tolist()
    table = index.tables.take("edges", numbers[: last + 1], [*columns, "jaccard"])
    return table.filter(pc.field("jaccard") >= _ALIKE)


def _joined(first: Passage, name: str, second: Passage, bridge: str) -> tuple[str, float]:
    """The question and its worth; empty if none can be made."""
    name, bridge = _plain(name), _plain(bridge)
    text = first.text[:_READ]
    if not name or name == bridge or bridge not in text or not any(map(str.isalpha, bridge)):
        return "", 0.0
    if language(text) != "en" or language(second.text[:_READ]) != "en":
        return "", 0.0
    known = _best_predicate(second.text[:_READ], bridge, name)
    if known is None:
        return "", 0.0
    worth, predicate = known
    kind, asked = _kind(second.text)
    thing = f"{kind} {predicate}"
    for sentence in sentences(text):
        if lead := _lead(_BRACKETS.sub("", sentence), name, bridge):
            return f"{lead} {thing}. {asked} is it?", worth + 4
    return f"What does {name} have to do with {thing}?", worth


def _best_predicate(text: str, name: str, hidden: str) -> tuple[float, str] | None:
    told = (_predicate(_BRACKETS.sub("", each), name) for each in sentences(text))
    fit = [
        (_worth(each), each)
        for each in told
        if each and not _shares(each, name) and hidden not in each
    ]
    return max(fit, key=lambda each: each[0]) if fit else None


def _predicate(sentence: str, name: str) -> str:
    """What a sentence says of its subject, if that is what is called `name`; else nothing."""
    rest = _behind(sentence, name)
    head = re.split(r"[,;:](?=\s)|–| - ", rest, maxsplit=1)[0]
    cut = head if len(head.split()) >= _PREDICATE[0] + 1 else rest
    cut = cut.strip(_ENDS)
    fits = _VERB.match(cut) and not _OPEN_END.search(cut) and not _UNEVEN.search(cut)
    return cut if fits and _within(cut, _PREDICATE) else ""


def _lead(sentence: str, name: str, bridge: str) -> str:
    """What a sentence says up to where it names the bridge, its subject being called `name`."""
    rest = _behind(sentence, name)
    place = rest.find(bridge)
    if place <= 0 or not _AFTER.match(rest, place + len(bridge)):
        return ""
    before = rest[:place]
    if not _BEFORE.search(before) or not _VERB.match(before) or _UNEVEN.search(before):
        return ""
    lead = f"{name} {before.strip()}"
    return lead if _within(lead, _LEAD) else ""


def _behind(sentence: str, name: str) -> str:
    """A sentence without its subject, if that is called `name` or is a pronoun; else nothing."""
    pronoun = _PRONOUN.match(sentence)
    if pronoun and not sentence.startswith("They"):
        return " ".join(sentence[pronoun.end() :].split())
    for start in (name, f"The {name}"):
        if sentence.startswith(f"{start} "):
            return " ".join(sentence[len(start) :].split())
    return ""


def _worth(predicate: str) -> float:
    """More for what tells one thing from others: a number, a name; less for 'is a town'."""
    told = predicate.split(maxsplit=2)
    vague = told[0] in ("is", "was") and told[1] in ("a", "an", "the")
    named = any(word[:1].isupper() for word in predicate.split())
    return 2 * any(map(str.isdigit, predicate)) + 1.5 * named - vague


def _shares(predicate: str, name: str) -> bool:
    """Whether it gives the name away."""
    return bool(set(words(name)) & set(words(predicate)))


def _kind(text: str) -> tuple[str, str]:
    """What a text is about, in the words that stand for it, and the word that asks for it."""
    told = words(text)
    persons = sum(told.count(word) for word in ("he", "she", "his", "her"))
    if persons > told.count("it") + told.count("its"):
        return "someone who", "Who"
    if _PLACE.search(text[:_OPENING]):
        return "a place that", "Which place"
    return "something that", "What"


def _within(text: str, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= len(text.split()) <= bounds[1]


def _plain(name: str) -> str:
    return _BRACKETS.sub("", name).strip()

"""Results of a custom retriever, measured by the texts that it returned.

Its chunks may differ from those of the index. A chunk that is part of a passage counts as that
passage only if it contains the passage's evidence. A chunk that contains evidence counts wherever
it was cut. Imported results are measured the same way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.corpus.record_formats.retrieved_results import Context, ContextKey
from core.evidence import Holders, parts_of
from core.evidence.chunks import PlacedChunks, placed_chunks
from core.evidence.contexts import ContextMatch, MatchStep
from core.marks.gold import Gold, asked_gold, gold_of, passages_by_gold_id
from core.steps import ROOT, Asked, Offer, Offered, Ranked, Returned, Step, result
from core.store.index import Index
from core.types import Hit, Passage, Query

_RESULTS = "results"
UNTITLED = "Passage without a title"


@dataclass(frozen=True, slots=True)
class ByText:
    """A retrieval whose hits are the returned texts.

    Parameters
    ----------
    steps : end with these hits.
    gold : the same gold, held by these texts.
    texts : the returned texts by the id of their hit, where they are no whole passages.
    """

    steps: tuple[Step, ...]
    gold: Gold
    texts: dict[str, Passage]

    def passages(self, index: Index) -> list[Passage]:
        """Return the hits, best first, with the texts that a reader gets."""
        names = [hit.passage_id for hit in result(self.steps).hits]
        return [self.texts.get(name) or index.passage(name) for name in names]

    def match(self, hit: str) -> MatchStep:
        """Return how the text of a hit was matched to the index."""
        text = self.texts[hit].text
        return next(one.match for one in result(self.steps).returned if one.text == text)


def by_text(steps: Sequence[Step], gold: Gold) -> ByText:
    """Return a retrieval as its returned texts show it; unchanged if these are whole passages.

    A text that is no whole passage has the id of the passage whose evidence it holds, or else an
    id of its own.

    Parameters
    ----------
    gold : that of the question over the index.
    """
    end = result(steps)
    first = steps[0] if steps else None
    if not end.returned or not isinstance(first, Asked):
        return ByText(tuple(steps), gold, {})
    contexts = [Context(one.text, one.id, one.title) for one in end.returned]
    unique = {one.key: one for one in contexts}
    matches = {
        context.key: ContextMatch(one.match, one.passages, one.whole)
        for context, one in zip(contexts, end.returned, strict=True)
    }
    placed = placed_chunks(
        list(unique.values()),
        matches,
        gold.ids,
        {name: each for name, each in gold.evidence.items() if name in gold.ids},
        gold.passages,
    )
    ids = _with_gold_passages(placed, gold)
    nodes = [ids[one.key] for one in contexts]
    before = [step for step in steps[:-1] if not _lists_results(step)]
    listed, ranked = _ranked(end, nodes, first.top_k)
    texts = {
        node: Passage(node, node, 0, _title(node, one), one.text)
        for node, one in reversed(list(zip(nodes, end.returned, strict=True)))
        if one.text and not (one.is_passage and node in one.passages)
    }
    renamed = {placed.nodes[key]: node for key, node in ids.items()}
    parts = {
        name: tuple(
            tuple(dict.fromkeys(renamed.get(one, one) for one in part))
            for part in parts_of(name, placed.passages_by_gold)
        )
        for name in placed.passages_by_gold
    }
    return ByText((*before, listed, ranked), gold.held_by(Holders.of(parts)), texts)


def asked_by_text(
    steps: Sequence[Step],
    question: Query,
    index: Index,
    passages_by_gold: Mapping[str, Sequence[str]] | None = None,
) -> ByText | None:
    """Return a retrieval by the gold that a question was asked with; None without such texts.

    Parameters
    ----------
    passages_by_gold : the passages of each gold id, where a person took some of them away.
    """
    if not result(steps).returned:
        return None
    held = passages_by_gold_id(question, index) if passages_by_gold is None else passages_by_gold
    if not isinstance(held, Holders):
        held = Holders({name: tuple(passages) for name, passages in held.items()})
    return by_text(steps, replace(asked_gold(question), passages=held))


def measured_steps(steps: Sequence[Step], index: Index, question: str) -> tuple[Step, ...]:
    """Return a retrieval as its returned texts show it, by the gold that a question has now."""
    if not result(steps).returned:
        return tuple(steps)
    return by_text(steps, gold_of(index, question)).steps


def _with_gold_passages(found: PlacedChunks, gold: Gold) -> dict[ContextKey, str]:
    """Give one node per gold id the id of a passage that holds only that gold.

    A scorer that knows only the gold passages then counts it, too.
    """
    nodes = dict(found.nodes)
    for name, holders in found.passages_by_gold.items():
        passages = gold.passages.get(name, ())
        free = [one for one in passages if one not in nodes.values() and _only_of(one, name, gold)]
        if not free or len(parts_of(name, found.passages_by_gold)) > 1:
            continue
        key = next((key for key, node in nodes.items() if node in holders), None)
        if key is not None and nodes[key] not in passages:
            nodes[key] = free[0]
    return nodes


def _only_of(passage: str, name: str, gold: Gold) -> bool:
    """Check whether a passage holds no gold except `name`."""
    return all(one == name or passage not in gold.passages.get(one, ()) for one in gold.ids)


def _title(node: str, one: Returned) -> str:
    title = one.title or one.id or UNTITLED
    return title if one.whole or node in one.passages else f"{title} (part)"


def _lists_results(step: Step) -> bool:
    return isinstance(step, Offered) and step.of == _RESULTS and step.at == ROOT


def _ranked(end: Ranked, nodes: Sequence[str], top_k: int) -> tuple[Offered, Ranked]:
    """Return the list of the first `top_k` results, and the ranking of all of them."""
    hits: dict[str, Hit] = {}
    offers: dict[str, Offer] = {}
    for number, (node, one) in enumerate(zip(nodes, end.returned, strict=True)):
        hits.setdefault(node, Hit(node, one.score.value, (one.score,)))
        if number < top_k:
            offers.setdefault(node, _offer(node, one))
    every = tuple(hits.values())
    kept, cut = every[: len(offers)], every[len(offers) :]
    listed = Offered(ROOT, _RESULTS, tuple(offers.values()))
    return listed, replace(end, hits=kept, pruned=cut if kept else ())


def _offer(node: str, one: Returned) -> Offer:
    return Offer(node, one.score.value, taken=True, notes=_notes(node, one))


def _notes(node: str, returned: Returned) -> tuple[tuple[str, str], ...]:
    """Return notes that say which part of which passage a returned text is."""
    if not returned.passages:
        return (("text", "not in the index"),)
    if node in returned.passages:
        return () if returned.whole else (("text", "part of the passage"),)
    return (
        ("text", f"{'' if returned.whole else 'part of '}{returned.title or returned.passages[0]}"),
    )

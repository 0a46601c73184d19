"""The fate of each passage in a bracket of steps.

It speaks first of what it has ranked, then of what it has reached, then of what it had on offer.
What it says nothing of is where the brackets inside of it have left it, or the bracket itself: out
of reach or never offered if it walks, below the top k or not found if it ranks all passages.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from core.ceiling.reach import Hops
from core.funnel.brackets import Bracket, outermost, seen, within
from core.funnel.data import Entry, Fate
from core.funnel.lists import Lists, Whole
from core.funnel.near import LISTED, Near, nearby, nearest
from core.funnel.reach import IndexView, hops_from_seeds, rounds_of, way_of
from core.funnel.stages import Stage
from core.steps import Offer, Offered, Step, things_of
from core.text.display.plurals import number
from core.text.display.scores import FEWEST, by_turns
from core.text.tokens import words

NO_EDGE = Near(
    "edge",
    absent="no edge leads to it, so it cannot be a seed: this retriever starts only at passages "
    "that an edge leads to",
)
"""Where seeds are the ends of edges."""

PROGRESS: tuple[Stage, ...] = (
    *("absent", "far", "unoffered", "unranked", "below", "refused", "cut", "kept"),
    "unused",
)
"""How far gold came; of several passages or brackets the furthest counts."""


def furthest(fate: Fate) -> tuple[int, float, float, float]:
    """Return the sort key of fates: stage, rank, margin, edges from the nearest seed."""
    rank, margin, hop = fate.rank, fate.margin, fate.hop
    least = -np.inf
    return (
        PROGRESS.index(fate.stage),
        least if rank is None else -rank,
        least if margin is None else margin,
        least if hop is None else -hop,
    )


class Ends:
    """The fates of some passages in a bracket and in the brackets inside it.

    Parameters
    ----------
    wanted : the ids of the passages that will be asked for.
    lists : ranks what the steps do not list.
    """

    def __init__(
        self, bracket: Bracket, wanted: Collection[str], index: IndexView, lists: Lists | None
    ) -> None:
        self._bracket = bracket
        self._index = index
        self._lists = lists
        self._seen = seen(bracket, wanted)
        self._kept = {hit.passage_id: n for n, hit in enumerate(bracket.end.hits)}
        self._cut = {hit.passage_id: n for n, hit in enumerate(bracket.end.pruned)}
        self._inner = [Ends(one, wanted, index, lists) for one in bracket.inner]

    def of(self, passage: str) -> Fate:
        """Return the fate of `passage`, as a gold passage by itself."""
        known = self._ranked_fate(passage) or self._reached(passage) or self._refused_fate(passage)
        if known:
            return known
        best = max(self._unseen(passage), key=furthest)
        return replace(best, unnamed=True) if best.inner and self._unnamed(passage) else best

    def _unnamed(self, passage: str) -> bool:
        """Check whether nested queries differ from the question, and none names the passage."""
        title = {*words(self._title_of(passage).partition(" (")[0])}
        asked = self._bracket.asked.query
        queries = [one.asked.query for one in within(self._bracket)]
        own = any(query != asked for query in queries)
        return own and bool(title) and not any(title <= {*words(query)} for query in queries)

    def of_search(self, passage: str) -> Fate:
        """Return the fate of `passage` in a nested search, with that search's rank and score."""
        fate, asked = self.of(passage), self._bracket.asked
        if fate.search or fate.rank is None:
            return fate
        return replace(fate, search=asked.id, over=asked.retriever)

    def _ranked_fate(self, passage: str) -> Fate | None:
        """Return the fate of a passage that was kept or cut off; None if it was neither."""
        end, hop = self._bracket.end, self._seen.reached.get(passage)
        if passage in self._kept:
            place = self._kept[passage]
            score = end.hits[place].score
            beaten = score - end.pruned[0].score if end.pruned else None
            return Fate(passage, passage, "kept", place + 1, score, beaten, hop)
        if passage in self._cut:
            hit = end.pruned[self._cut[passage]]
            rank = len(end.hits) + self._cut[passage] + 1
            k = len(end.hits)
            # A list that a pipeline has reordered is not one of its scores.
            short = below if (below := hit.score - end.hits[-1].score) <= 0 else None
            fate = Fate(passage, passage, "cut", rank, hit.score, short, hop, k=k)
            return (
                replace(fate, margin=None, held=self._merged_place(passage, rank))
                if self._by_turns
                else fate
            )
        return None

    @cached_property
    def _by_turns(self) -> bool:
        return by_turns([hit.score for hit in (*self._bracket.end.hits, *self._bracket.end.pruned)])

    def _merged_place(self, passage: str, merged: int) -> str:
        """Describe the best rank and score of a passage among the merged lists; or "".

        `merged` is its rank after merging.
        """
        places = sorted(self._places(passage), key=lambda place: place[1])
        if not places:
            return ""
        step, rank, offer = places[0]
        of = number(len(step.offers), step.of)
        position = f"rank {rank:,} of {of} (score {offer.score:.{FEWEST}f})"
        before = "" if merged == rank else " before the lists are merged"
        return f"{self._carrier(offer, step)}{position}{before}"

    def _carrier(self, offer: Offer, step: Offered) -> str:
        """Return the node through which a list has a passage, with its rank in its own list."""
        source = next((tie.source for tie in step.ties if tie.id == offer.tie), "")
        if not (called := self._title_of(source)):
            return ""
        ranks = [(rank, where) for where, rank, _ in self._places(source)]
        if not ranks:
            return f"via '{called}', "
        rank, where = ranks[-1]
        return f"via '{called}' (rank {rank:,} of {number(len(where.offers), where.of)}), "

    def _places(self, node: str) -> Iterator[tuple[Offered, int, Offer]]:
        """Yield the lists of the retrieval itself that contain `node`, with its rank in each."""
        for _, step in self._bracket.offered:
            for rank, offer in enumerate(step.offers, start=1):
                if offer.target == node:
                    yield step, rank, offer

    def _reached(self, passage: str) -> Fate | None:
        """Return the fate of a passage that was reached or pooled but not ranked, or None."""
        hop = self._seen.reached.get(passage)
        if passage in self._seen.pooled:
            rank, score = self._seen.pooled[passage]
            return Fate(passage, passage, "cut", rank, score, hop=hop, k=len(self._kept) or None)
        if hop is None:
            return None
        below = self._below_fate(passage)
        if self._bracket.ranks_everything and below.rank:
            return replace(below, hop=hop)
        return Fate(passage, passage, "cut", hop=hop)

    def _refused_fate(self, passage: str) -> Fate | None:
        """Return the fate of a passage that was a candidate but not selected; None if it never
        was.
        """
        one = self._seen.refused.get(passage)
        if one is None:
            return None
        return Fate(
            *(passage, passage, "refused", one.rank, one.score, one.margin, one.hop),
            at=one.at,
            tie=one.tie,
            why=one.why,
            place=self._title_of(one.at),
            asks=one.asks,
            beat=self._title_of(one.beat),
            round=self._bracket.round,
        )

    def _title_of(self, node: str) -> str:
        """Return the title of a passage or the label of another node; empty for a question."""
        if node in self._index.number:
            passage = self._index.passages[self._index.number[node]]
            return passage.title or passage.id
        things = (thing for _, step in self._bracket.own for thing in things_of(step))
        return next((thing.label for thing in things if thing.id == node), "")

    def _unseen(self, passage: str) -> list[Fate]:
        """Return the possible fates of a passage that was never a candidate."""
        fates = [inner.of_search(passage) for inner in self._inner]
        # What a bracket inside has kept was found, and lost on the way to the end of this one.
        fates = [replace(one, inner=True) if one.lost else self._unused_fate(one) for one in fates]
        if self._bracket.walks:
            fates.append(self._unwalked(passage))
        if self._bracket.ranks_everything:
            fates.append(self._below_fate(passage))
        return fates

    def _unused_fate(self, fate: Fate) -> Fate:
        """Return the fate of a passage that a nested search kept, but that was not used further."""
        place = next((one for one in self._bracket.inner if one.asked.id == fate.search), None)
        parents = place.asked.parents if place else ()
        some = [len(step.offers) for _, step in self._bracket.offered if step.at in parents]
        return replace(fate, stage="cut", margin=None, k=some[0] if len(some) == 1 else None)

    def _unwalked(self, passage: str) -> Fate:
        """Return the fate of a passage that no walk reached, with its nearest candidates."""
        distant = self._distant(passage)
        entry = self._seed_entry(passage)
        nowhere = (NO_EDGE,) if entry is None and self._is_no_end(passage) else ()
        near, lists = self._nearest_misses(passage)
        return replace(distant, entry=entry, near=near or nowhere, lists=lists)

    def _distant(self, passage: str) -> Fate:
        """Return the fate of a passage that was never a candidate, by its hops from the seeds."""
        if self._hops is None:
            return Fate(passage, passage, "unoffered")
        hops = float(self._hops[self._index.number[passage]])
        near = hops <= rounds_of(self._bracket)
        hop = int(hops) if np.isfinite(hops) else None
        return Fate(passage, passage, "unoffered" if near else "far", hop=hop)

    def _is_no_end(self, passage: str) -> bool:
        """Check whether the passage can only be reached as a seed: no edge leads to it."""
        if (
            self._full_ranking is None
            or passage in self._full_ranking.rank
            or way_of(self._bracket) != "out"
        ):
            return False
        return self._index.number[passage] not in self._index.graph.adjacency.target

    def _seed_entry(self, passage: str) -> Entry | None:
        """Return the rank and score of a passage in the full list of seeds; None if not known."""
        whole, seeds = self._full_ranking, len(self._bracket.seeds)
        if whole is None or passage not in whole.rank or not seeds:
            return None
        rank = whole.rank[passage]
        return Entry(rank, whole.scores[rank - 1], whole.scores[seeds - 1], seeds)

    def _below_fate(self, passage: str) -> Fate:
        """Return the fate of a reached passage that no list ranks, by its rank in the complete
        ranking.
        """
        whole, kept = self._full_ranking, len(self._kept)
        if whole is None or passage not in whole.rank or not kept:
            # What is listed beyond k has ranks: without one it was never compared with those kept.
            ranked = kept + len(self._cut)
            if whole is not None:
                ranked = len(whole.passages)
            of = ranked if ranked > kept else None
            near, lists = self._nearest_misses(passage) if kept else ((), ())
            return Fate(passage, passage, "below", k=kept or None, of=of, near=near, lists=lists)
        rank = whole.rank[passage]
        score, cut_off = whole.scores[rank - 1], whole.scores[kept - 1]
        of = len(whole.passages)
        return Fate(passage, passage, "cut", rank, score, score - cut_off, k=kept, of=of)

    def _nearest_misses(self, passage: str) -> tuple[tuple[Near, ...], tuple[Near, ...]]:
        """Return the nearest misses of a passage for a phrase, and those in every list."""
        number = self._index.number.get(passage)
        if self._lists is None or number is None:
            return (), ()
        steps = [step for _, step in self._bracket.own]
        lists = list(self._lists.complete_lists(self._bracket.asked, steps))
        return nearest(lists, number), tuple(nearby(lists, number)[:LISTED])

    @cached_property
    def _hops(self) -> Hops | None:
        return hops_from_seeds(self._bracket, self._index)

    @cached_property
    def _full_ranking(self) -> Whole | None:
        return self._lists.whole(self._bracket.asked) if self._lists else None


def nearest_things(
    steps: Sequence[Step], fates: Mapping[str, Fate], index: IndexView, lists: Lists
) -> dict[str, str]:
    """Describe, for each lost gold id, the rank of the nearest node that leads to its passage.

    Only gold below the top k of a ranking of all passages is included.
    """
    below = {
        name: index.number[fate.passage]
        for name, fate in fates.items()
        if fate.stage == "cut" and fate.rank and not fate.search and fate.passage in index.number
    }
    if not below:
        return {}
    whole = outermost(steps)
    searched = lists.complete_lists(whole.asked, [step for _, step in whole.own])
    names = {}
    for name, passage in below.items():
        named = (one.brief for one in nearby(searched, passage) if one.name and not one.after)
        names[name] = next(named, "")
    return names

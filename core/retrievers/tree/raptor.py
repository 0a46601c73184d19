"""RAPTOR (arXiv 2401.18059): search passages together with summaries of passage clusters."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.tree.growing import Tree
from core.artefacts.tree.similar import TREE
from core.artefacts.workbench import Workbench
from core.models.token_counts import tokens_of
from core.ranking import Scores
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step_and_query
from core.retrievers.searched_lists import Searched, lists_in, query_in
from core.retrievers.settings import Setting
from core.retrievers.tree.lists import clusters_searched, texts_searched
from core.retrievers.tree.pool import (
    OWN,
    PARTS,
    SUMMARY,
    Summary,
    rank_pool,
    select_texts,
    size_of,
    summaries_by,
    summary_line,
    summary_of,
    thing_of,
)
from core.steps import LEFT_OUT, ROOT, Began, Cost, Offer, Offered, Ranked, Step, Thing, Tie, Told
from core.types import Hit, Part
from core.vectors import Vectors


@dataclass(frozen=True, slots=True)
class Raptor:
    """Search a tree of passages, summaries of passage clusters, and summaries of summaries.

    The collapsed search, the paper's default, ranks all nodes in one list by their cosine. The
    top-down search keeps the `width` nearest clusters of a layer and continues with their members.

    Parameters
    ----------
    texts : nodes retrieved by the collapsed search (10 in the paper's code).
    width : clusters kept per layer (5 in the paper's code).
    room : total tokens of the retrieved texts (3,500 in the paper's code).
    share : share of a summary's cosine that a passage below it gets, applied once per layer.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    search: Annotated[
        Literal["collapsed", "top-down"], Setting("search all nodes at once, or layer by layer")
    ] = "collapsed"
    texts: Annotated[int, Setting("texts to retrieve", least=1, most=100)] = 20
    width: Annotated[
        int, Setting("clusters kept per layer in a top-down search", least=1, most=50)
    ] = 5
    room: Annotated[
        int,
        Setting(
            "total tokens of the retrieved texts",
            least=100,
            most=50_000,
            title="token limit",
        ),
    ] = 3_500
    share: Annotated[
        float, Setting("share of a summary's score that its passages get", least=0, most=1)
    ] = 0.1

    card = Card(
        key="raptor",
        title="RAPTOR",
        badge="RA",
        family="tree",
        summary="Searches passages together with summaries of passage clusters.",
        paper="Sarthi et al. 2024, arXiv 2401.18059",
        needs=(KEYWORDS, TREE),
        parts=PARTS,
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the selected nodes of the tree, and last the ranking of their passages."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started, tree = time.perf_counter(), self.workbench.get(TREE)
        own, above = self._cosines(tree, encoded.vector)
        said = summaries_by(self.workbench, TREE, tree)
        if self.search == "top-down" and tree.clusters:
            hits = yield from self._search_top_down(tree, own, above)
        else:
            hits = yield from self._search_collapsed(tree, own, above, said)
        told = Told(Cost(time.perf_counter() - started), reason=said)
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told)

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield all texts by cosine, or the clusters layer by layer."""
        tree = self.workbench.get(TREE)
        own, above = self._cosines(tree, self.workbench.encode(query_in(steps)).vector)
        if self.search == "collapsed" or not tree.clusters:
            yield from texts_searched(steps, own, above, _summaries(tree, above))
            return
        for layer, step in lists_in(steps, "clusters"):
            yield clusters_searched(step, tree, f"in layer {layer}")

    def _cosines(self, tree: Tree, vector: Vectors) -> tuple[Scores, Scores]:
        """Return the cosines of the passages and of the clusters."""
        return self.workbench.cosines(vector), (tree.vectors @ vector).astype(np.float64)

    def _search_collapsed(
        self, tree: Tree, own: Scores, above: Scores, said: str
    ) -> Generator[Step, None, tuple[Hit, ...]]:
        """Search all nodes of the tree at once, and rank the passages of the selected ones."""
        index, taken = self.workbench.index, self.texts
        listed, passages, summaries = select_texts(
            index,
            own,
            above,
            _summaries(tree, above),
            taken,
            self.room,
            said,
        )
        yield listed
        pool, hits = rank_pool(index, own, passages, summaries, self.share, self.top_k)
        if summaries:
            yield pool
        return hits

    def _search_top_down(
        self, tree: Tree, own: Scores, above: Scores
    ) -> Generator[Step, None, tuple[Hit, ...]]:
        """Search layer by layer from the roots; a reached passage is scored by its own cosine."""
        scores, leaves = np.concatenate((own, above)), tree.leaves
        left = self.room
        places: dict[str, list[int]] = {ROOT: [leaves + n for n in tree.roots]}
        layer = 0
        taken: list[int] = []
        while places:
            layer += 1
            waiting = tuple(place for place in places if place != ROOT)
            yield Began("layer", layer, waiting)
            order = sorted({m for each in places.values() for m in each}, key=_sort_key(scores))
            last = order[0] < leaves
            cut, taken = {}, []
            for member in order:
                size = self._size(tree, member)
                if not last and len(taken) == self.width:
                    cut[member] = f"only {self.width} per layer are kept"
                elif size > left:
                    cut[member] = "over the token limit"
                else:
                    left -= size
                    taken.append(member)
            for place, members in places.items():
                yield self._layer_step(
                    tree, place, sorted(members, key=_sort_key(scores)), scores, cut
                )
            places = {
                thing_of(tree, one - leaves).id: list(tree.clusters[one - leaves].members)
                for one in taken
                if one >= leaves
            }
        ids = self.workbench.index.ids
        return tuple(
            Hit(ids[n], float(own[n]), (Part(OWN, float(own[n])),)) for n in taken if n < leaves
        )

    def _size(self, tree: Tree, member: int) -> int:
        if member < tree.leaves:
            return size_of(self.workbench.index, member)
        return tokens_of(tree.clusters[member - tree.leaves].text)

    def _layer_step(
        self, tree: Tree, place: str, members: Sequence[int], scores: Scores, cut: dict[int, str]
    ) -> Offered:
        """Return the step with the members of a cluster, or the roots, as candidates.

        A member of two clusters is a candidate at each.
        """
        things: list[Thing] = []
        ties: list[Tie] = []
        offers = []
        for member in members:
            score, why = float(scores[member]), cut.get(member, "")
            if member < tree.leaves:
                name, part = self.workbench.index.ids[member], OWN
            else:
                things.append(thing_of(tree, member - tree.leaves))
                name, part = things[-1].id, SUMMARY
            if place != ROOT:
                ties.append(summary_line(place, name))
            offers.append(
                Offer(
                    name,
                    score,
                    (Part(part, score),),
                    taken=not why,
                    tie=ties[-1].id if ties else "",
                    notes=((LEFT_OUT, why),) if why else (),
                    size=self._size(tree, member),
                )
            )
        of = "clusters" if things else "passages"
        return Offered(
            place, of, tuple(offers), room=self.room, things=tuple(things), ties=tuple(ties)
        )


def _summaries(tree: Tree, above: Scores) -> Callable[[int], Summary]:
    return lambda number: summary_of(tree, number, SUMMARY, float(above[number]))


def _sort_key(scores: Scores) -> Callable[[int], tuple[float, int]]:
    return lambda member: (-float(scores[member]), member)

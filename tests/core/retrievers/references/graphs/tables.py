"""What slow references read: facts by name and by pair in plain dictionaries, and comparisons."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from core.artefacts.entity_graph.graph import FACTS
from core.artefacts.entity_graph.relations import RELATIONS
from core.artefacts.workbench import Workbench
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.steps import Ranked, Step
from core.store.extraction_table import stored_extraction
from core.text.entities.mentions import entity_key
from core.types import Hit
from tests.core.retrievers.scripted import walked
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint


class Related:
    """Entities by name: the facts that name each, their mean vectors, and pairs named together.

    `neighbours` are the entities that are named together with each.

    Names with digits or at most two letters count only if they are the subject of a fact. Of a
    fact, the first twelve names are paired.
    """

    def __init__(self, bench: Workbench) -> None:
        facts, vectors = bench.get(FACTS).facts, bench.get(FACTS).vectors
        subjects = {fact.subject for fact in facts}
        found: dict[str, list[int]] = {}
        for number, fact in enumerate(facts):
            for name in [fact.subject, *fact.objects]:
                plain = sum(letter.isalpha() for letter in name) > 2
                plain = plain and not any(letter.isdigit() for letter in name)
                if name and (plain or name in subjects) and number not in found.get(name, []):
                    found.setdefault(name, []).append(number)
        self.names = sorted(found)
        self.facts = {name: found[name] for name in self.names}
        self.pairs: dict[tuple[str, str], list[int]] = {}
        for number, fact in enumerate(facts):
            held = [name for name in (fact.subject, *fact.objects) if name in found][:12]
            for one, other in combinations(sorted(set(held)), 2):
                self.pairs.setdefault((one, other), []).append(number)
        self.neighbours: dict[str, set[str]] = {name: set() for name in self.names}
        for one, other in self.pairs:
            self.neighbours[one].add(other)
            self.neighbours[other].add(one)
        stored = bench.get(RELATIONS).vectors
        for name, row in zip(self.names, stored, strict=True):
            mean = np.mean([vectors[n].astype(float) for n in self.facts[name]], axis=0)
            assert row == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)
        self.vectors = stored


@cache
def related_of(bench: Workbench) -> Related:
    """Return the tables of `bench`, read once."""
    return Related(bench)


@cache
def entities_of(bench: Workbench) -> list[list[str]]:
    """Return the entities of each passage: imported ones, or else those found by rules."""
    given = stored_extraction(bench.index)
    found = []
    for name, names in zip(bench.index.ids, bench.index.passage_keywords, strict=True):
        if name in given:
            one = given[name]
            ends = [end for triple in one.triples for end in (triple[0], triple[2])]
            names = [entity_key(end) for end in (*one.entities, *ends)]
        found.append([name for name in dict.fromkeys(names) if name])
    return found


def ordered(scores: Iterable[float], count: int | None = None) -> list[int]:
    """Return the places of `scores`, the highest first, equal ones in their order."""
    listed = [float(score) for score in scores]
    return sorted(range(len(listed)), key=lambda n: (-listed[n], n))[:count]


def found_by(bench: Workbench, spec: str, question: str) -> Ranked:
    """Return how a retriever ends for a question."""
    return end_of(walked(bench, spec, question))


def end_of(steps: Sequence[Step]) -> Ranked:
    """Return the last step of a retrieval."""
    end = steps[-1]
    assert isinstance(end, Ranked)
    return end


def spec_of(key: str, settings: Mapping[str, Any]) -> str:
    """Return how a retriever with these settings is written.

    >>> spec_of("lightrag", {"room": 120, "least": 0.0}), spec_of("hirag", {})
    ('lightrag(room=120,least=0.0)', 'hirag')
    """
    listed = ",".join(f"{name}={value}" for name, value in settings.items())
    return f"{key}({listed})" if listed else key


def assert_ranked(
    end: Ranked, wanted: Sequence[tuple[str, float]], top_k: int = 20, blur: float = 0.0
) -> None:
    """Assert that a retriever ends with `wanted`: the same order, scores within 1e-6, the same cut.

    What it lists behind the cut has to go on in the same way; it may end early.

    Parameters
    ----------
    blur : passages whose scores in `wanted` differ by less may come in either order.
    """
    hits: tuple[Hit, ...] = (*end.hits, *end.pruned)
    assert len(end.hits) == min(top_k, len(wanted))
    score_of = dict(wanted)
    names = [hit.passage_id for hit in hits]
    if not blur:
        assert names == [name for name, _ in wanted][: len(hits)]
    assert len(set(names)) == len(names)
    scores = [score_of[name] for name in names]
    assert scores == pytest.approx([score for _, score in wanted][: len(hits)], abs=blur)
    assert [hit.score for hit in hits] == pytest.approx(scores, abs=1e-6)


@contextmanager
def replying(
    bench: Workbench, script: Callable[[Any], Any], folder: Any
) -> Iterator[tuple[Workbench, list[Any]]]:
    """Yield `bench` with a model that replies what `script` makes of a request, and the requests.

    Parameters
    ----------
    script : gets the data of a request, returns the text of the reply.
    """
    with ChatServer(lambda request: Answer(script(request.data))) as server:
        replies = Replies(folder)
        oracle = Oracle(Llm(endpoint(server), retries=0), replies, LEAVE, proven=True)
        yield bench.with_oracle(oracle), server.requests
        replies.close()

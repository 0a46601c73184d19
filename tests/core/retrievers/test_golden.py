"""Every retriever step by step as it was when its trace was kept, to the last bit.

The files in `tests/core/golden` are traces of an embedder whose products are exact; only times,
settings and the words in which a question is shown are left out of the comparison. `frames.json`
has a digest of what the player showed at each step.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import frame
from core.retrievers import make
from core.steps import Asked, Offered, Step
from core.store.index import Index
from core.traces import load, record
from core.types import Edge
from tests.core.exact import WORLDS, ExactEmbedder
from tests.llm.client import LEAVE
from tests.llm.replies import choose
from tests.llm.server import ChatServer, endpoint

FOLDER = Path(__file__).parent.parent / "golden"
FILES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
FRAMES = json.loads((FOLDER / "frames.json").read_text())


@pytest.fixture(scope="module")
def benches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Workbench]]:
    """The two worlds, with a model that follows shared words."""
    with ChatServer(choose) as server:
        found = {}
        for world, built in WORLDS.items():
            folder = tmp_path_factory.mktemp("golden") / world
            built(folder)
            embedder = ExactEmbedder()
            oracle = Oracle(
                Llm(endpoint(server), retries=0), Replies(folder.parent / "replies"), LEAVE
            )
            found[world] = Workbench(Index.open(folder, embedder.info), embedder, oracle)
        yield found


def plain(step: Step) -> Step:
    """The step as if it had taken no time, without settings and the words of questions."""
    told = replace(step.told, cost=replace(step.told.cost, seconds=0.0, tokens=0))
    if told.exchange:
        told = replace(told, exchange=None)
    if isinstance(step, Asked):
        step = replace(step, settings={})
    if isinstance(step, Offered):
        step = replace(step, offers=tuple(replace(offer, label="") for offer in step.offers))
    return replace(step, told=told)


def unasked(edges: Mapping[str, Edge]) -> dict[str, Edge]:
    return {name: replace(edge, question="") for name, edge in edges.items()}


def shown(steps: tuple[Step, ...]) -> list[str]:
    """A digest of each frame: who waits, came and went, counts, ranking, edges, entries."""
    digests = []
    for t in range(1, len(steps) + 1):
        now = frame(steps, t)
        told = {
            "queue": list(now.queue),
            "joined": list(now.joined),
            "left": list(now.left),
            "counts": [list(item) for item in now.counter.items()],
            "standing": [
                [row.hit.passage_id, row.hit.score.hex(), row.kept] for row in now.ranking_rows
            ],
            "walked": [list(item) for item in now.walked.items()],
            "refused": [list(item) for item in now.refused.items()],
            "entries": list(now.entries),
        }
        digests.append(sha256(json.dumps(told).encode()).hexdigest()[:16])
    return digests


@pytest.mark.parametrize("name", FILES)
def test_every_step_and_frame_is_as_it_was(benches, name):
    kept = load((FOLDER / f"{name}.jsonl").read_bytes())
    world = "five" if "-five-" in name else "sample"
    retriever = make(kept.retriever, benches[world], top_k=20 if world == "five" else 8)
    now = record(retriever, kept.query, benches[world].index)
    steps = tuple(map(plain, now.steps))
    assert steps == tuple(map(plain, kept.steps))
    assert now.passages == kept.passages
    assert unasked(now.edges) == unasked(kept.edges)
    assert shown(steps) == FRAMES[name]

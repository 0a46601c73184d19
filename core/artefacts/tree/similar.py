"""The tree over the passages of an index, as RAPTOR has it (arXiv 2401.18059)."""

from collections import defaultdict
from collections.abc import Iterator

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.entity_graph import FACTS
from core.artefacts.shelf import is_foreseeable
from core.artefacts.tree.growing import LAYERS, ROOM, Leaves, Tree, foreseen, grow, guessed, opened
from core.artefacts.tree.summaries import Sentences
from core.models.prompt import Prompt
from core.progress import Report
from core.store.schema import passage_text

SUBSTITUTE = "Without a model, a summary is the sentences nearest to the centre of its cluster."


def _make(bench: Bench, report: Report) -> Tables:
    index, facts = bench.index, bench.get(FACTS)
    told: defaultdict[int, list[int]] = defaultdict(list)
    for number, fact in enumerate(facts.facts):
        told[fact.passage].append(number)
    leaves = Leaves(
        _texts(bench),
        index.vectors,
        [told[number] for number in range(len(index.passages))],
        Sentences([fact.text for fact in facts.facts], facts.vectors),
    )
    return grow(bench, leaves, report, "tree")


def _texts(bench: Bench) -> list[str]:
    return [passage_text(passage.title, passage.text) for passage in bench.index.passages]


def _open(bench: Bench, tables: Tables) -> Tree:
    return opened(len(bench.index.passages), tables)


def _foreseen(bench: Bench) -> Iterator[Prompt]:
    texts = _texts(bench)
    return foreseen(texts, bench.index.vectors) if is_foreseeable((), bench) else guessed(texts)


TREE = Artefact(
    "tree",
    "Clusters of passages, each with a summary, and clusters of these, up to a few.",
    _open,
    _make,
    needs=(FACTS,),
    params={"layers": LAYERS, "room": ROOM},
    asks_model=True,
    parts="summaries",
    substitute=SUBSTITUTE,
    foresee=_foreseen,
)

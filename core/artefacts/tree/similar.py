"""The tree over the passages of an index, as in RAPTOR (arXiv 2401.18059)."""

from collections import defaultdict

from core.artefacts.base import Artefact, Bench, ExpectedPrompts, Tables
from core.artefacts.entity_graph.graph import FACTS
from core.artefacts.stored_artefacts import is_foreseeable
from core.artefacts.tree.growing import (
    LAYERS,
    ROOM,
    Leaves,
    Tree,
    estimated_prompts,
    expected_prompts,
    grow,
    opened,
)
from core.artefacts.tree.summaries import Sentences
from core.progress import Report
from core.store.schema import passage_text

SUBSTITUTE = (
    "Without a model, a summary consists of the sentences closest to the centre of its cluster."
)


def _make(bench: Bench, report: Report) -> Tables:
    """Build the tree over passages; a summary without a model quotes sentences of facts."""
    index, facts = bench.index, bench.get(FACTS)
    facts_by_passage: defaultdict[int, list[int]] = defaultdict(list)
    for number, fact in enumerate(facts.facts):
        facts_by_passage[fact.passage].append(number)
    leaves = Leaves(
        _texts(bench),
        index.vectors,
        [facts_by_passage[number] for number in range(len(index.passages))],
        Sentences([fact.text for fact in facts.facts], facts.vectors),
    )
    return grow(bench, leaves, report, "tree")


def _texts(bench: Bench) -> list[str]:
    return [passage_text(passage.title, passage.text) for passage in bench.index.passages]


def _open(bench: Bench, tables: Tables) -> Tree:
    return opened(len(bench.index.passages), tables)


def _expected_prompts(bench: Bench) -> ExpectedPrompts:
    """List the expected prompts, or estimate them if the vectors are not known."""
    texts = _texts(bench)
    if not is_foreseeable((), bench):
        return estimated_prompts(texts)
    return expected_prompts(texts, bench.index.vectors)


TREE = Artefact(
    "tree",
    "Clusters of passages with summaries, clustered again on several levels.",
    _open,
    _make,
    needs=(FACTS,),
    params={"layers": LAYERS, "room": ROOM},
    asks_model=True,
    parts="summaries",
    substitute=SUBSTITUTE,
    expected_prompts=_expected_prompts,
)

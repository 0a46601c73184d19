import json
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.ceiling.measures import CeilingReport, Reached
from core.ceiling.measuring import ceiling
from core.ceiling.reach import Barrier, Reach
from core.ceiling.words import groups, lost_rows, reach_rows, reading
from core.corpus.chunking.chunker import Chunking
from core.corpus.types import Corpus
from core.errors import InputError
from core.indexing.updates import build
from core.retrievers import CARDS, make
from core.steps import Offered
from core.store.index import Index
from core.types import Query
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, QUESTION, silent

WITHIN = (2, 4, 6, 8, 10)


def row(name: str, dataset: str, *golds: tuple[int | None, int | None, Barrier | None]) -> Reached:
    """A question whose gold is given as rank, hops and barrier, the same either way."""
    reach = Reach(tuple(hops for _, hops, _ in golds), tuple(why for *_, why in golds), WITHIN)
    ranks = {f"{name}{number}": rank for number, (rank, _, _) in enumerate(golds)}
    return Reached(Query(name, "?", dataset=dataset), ranks, {"both": reach, "out": reach})


# Kept, cut at 20, never visited, too far, an orphan, and one that nobody has.
REPORT = CeilingReport(
    "hoprag-coverage",
    "both",
    20,
    20,
    (
        row("p", "one", (1, 0, None), (20, 2, None)),
        row("q", "two", (21, 1, None), (None, 2, None), (None, 5, "far")),
        row("r", "two", (None, None, "orphan"), (None, None, "unknown"), (2, 9, "far")),
    ),
)


def test_shares_by_hand() -> None:
    shares = REPORT.shares("both")
    assert (shares.questions, shares.golds) == (3, 8)
    assert shares.gold == (100 * 1 / 8, 100 * 2 / 8, 100 * 4 / 8, 100 * 4 / 8, 100 * 4 / 8)
    assert shares.complete == pytest.approx((0, 0, 100 / 3, 100 / 3, 100 / 3))
    assert shares.passages == (10, 20, 30, 40, 50)
    assert shares.barriers == {"far": 2, "orphan": 1, "unknown": 1}
    assert REPORT.shares("out", "one").gold == (50, 50, 100, 100, 100)


def test_each_missed_gold_has_one_loss() -> None:
    missed = REPORT.missed()
    assert missed.losses == {"outranked": 1, "unfollowed": 1, "graph": 2, "index": 1}
    assert missed.barriers == {"far": 1, "orphan": 1}
    assert missed.hops == {1: 1, 2: 1}
    assert (missed.golds, missed.total, missed.walk) == (8, 5, 2)
    assert REPORT.missed("one").total == 0
    assert REPORT.unknown_gold == ("r1",)


def test_the_rows_say_the_same_by_data_set() -> None:
    assert groups(REPORT) == {None: "all", "one": "one", "two": "two"}
    assert len(list(reach_rows(REPORT))) == 2 * 3 * 3
    lost = {each.name: each.counts for each in lost_rows(REPORT) if not each.part}
    assert lost == {
        "gold": (8, 2, 6),
        "not within 4 hops, in both directions": (4, 0, 4),
        "not within 4 hops, from source to target": (4, 0, 4),
        "lost by hoprag-coverage at 20": (5, 0, 5),
        "lost by the walk": (2, 0, 2),
    }


def test_the_reading_tells_the_graph_from_the_walk() -> None:
    said = reading(REPORT)
    assert said.startswith("HopRAG (coverage) retrieves 3 of 8 gold passages in its top 20")
    assert "loses 5: 2 out of reach" in said
    assert "2 lost by the walk" in said
    assert "1 not in the index" in said
    assert "25.0% of the gold and 20.0% of all passages lie within 1 hop of the seeds" in said
    only = CeilingReport("hoprag-coverage", "both", 20, 20, REPORT.rows[:1])
    assert groups(only) == {None: "all"}
    assert "loses" not in reading(only)


@pytest.mark.parametrize("key", [key for key, card in CARDS.items() if card.direction])
def test_every_walk_keeps_its_way(thinking: Workbench, key: str) -> None:
    steps = tuple(make(key, thinking).retrieve(QUESTION.text))
    looked = [step for step in steps if isinstance(step, Offered)]
    assert [step.entry for step in looked[:2]] == [True, False]
    assert any(offer.backwards for step in looked for offer in step.offers) == (
        CARDS[key].direction == "both"
    )


@pytest.fixture
def asked() -> tuple[Query, ...]:
    return (
        Query("a", QUESTION.text, gold=("owner", "town"), dataset="one"),
        Query("b", "Who married Ilo Venn?", gold=("owner", "nobody"), dataset="two"),
        Query("c", "Which brewery is old?", dataset="two"),
    )


def test_measuring_an_index(workbench: Workbench, asked: tuple[Query, ...]) -> None:
    told: list[tuple[int, int]] = []
    found = ceiling(asked, workbench, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]
    assert [each.question.id for each in found.rows] == ["a", "b"]
    assert found.unknown_gold == ("nobody",)
    assert found.missed().losses == {"index": 1}
    assert found.shares("both", "one").gold[0] == 100.0  # five passages are fewer than the seeds
    written = json.loads(json.dumps(found.to_json()))
    assert written["by_dataset"]["two"]["missed"]["losses"] == {"index": 1}
    gold = {each["id"]: each for each in written["questions"][1]["gold"]}
    assert gold["nobody"] == {
        "id": "nobody",
        "hops": {"both": None, "out": None},
        "barrier": {"both": "unknown", "out": "unknown"},
        "rank": None,
        "loss": "index",
    }
    assert gold["owner"]["hops"]["both"] == 0
    assert gold["owner"]["rank"] >= 1


def test_seeds_are_the_retrievers_own(workbench: Workbench, asked: tuple[Query, ...]) -> None:
    steps = tuple(make("hoprag-similarity(top_k=1)", workbench).retrieve(asked[0].text))
    seeds = next({a.id for a in s.arrivals} for s in steps if isinstance(s, Offered) and s.entry)
    found = ceiling(asked[:1], workbench, "hoprag-similarity(top_k=1)")
    hops = dict(zip(found.rows[0].ranks, found.rows[0].reach["out"].hops, strict=True))
    assert {name for name, hop in hops.items() if hop == 0} == seeds & set(asked[0].gold)
    assert found.rows[0].reach["out"].within[0] == len(seeds) == 1


def test_gold_may_name_a_document(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    build(
        tmp_path / "cut",
        Corpus(DOCUMENTS, ()),
        embedder,
        silent,
        chunking=Chunking.parse("sentence"),
    )
    workbench = Workbench(Index.open(tmp_path / "cut"), embedder)
    passage = workbench.index.document_passages["owner"][1]
    asked = Query("a", QUESTION.text, gold=("owner", passage, "town"))
    (only,) = ceiling([asked], workbench).rows
    assert tuple(only.ranks) == (passage, "town")


def test_what_cannot_be_measured(workbench: Workbench, asked: tuple[Query, ...]) -> None:
    with pytest.raises(InputError, match=r"does not walk.*hoprag-coverage"):
        ceiling(asked, workbench, "bm25")
    with pytest.raises(InputError, match="No question has gold"):
        ceiling(asked[2:], workbench)

"""The pictures of retrievers that are shipped: one each, small, and of what the code does."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.artefacts.workbench import Workbench
from core.models.embedder import load_embedder
from core.retrievers import CARDS
from core.settings import BUNDLED_EMBEDDER
from core.shipping import sample
from core.shipping.method_pictures import FOLDER, picture, walkthrough_for
from core.store.index import Index

DRAWN = ("bm25", "hybrid", "hoprag-similarity", "hoprag-llm", "ircot")
FEW = 5
"""Nodes of a column that are drawn."""
NEAR = 3
"""Nodes by which a walk may differ: scores near a cut-off depend on the processor."""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    folder = tmp_path_factory.mktemp("ready")
    sample.install(folder, BUNDLED_EMBEDDER)
    return Workbench(Index.open(folder / sample.NAME), load_embedder(BUNDLED_EMBEDDER))


def drawn(key: str) -> str:
    return (FOLDER / f"{key}.svg").read_text(encoding="utf-8")


def test_every_retriever_has_one_and_none_is_left_over() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {*CARDS}
    assert picture("somebody's own") == ""


@pytest.mark.parametrize("key", CARDS)
def test_a_picture_is_small_and_draws_without_running_anything(key: str) -> None:
    assert len(drawn(key)) < 15_000
    kinds = {one.tag.rpartition("}")[2] for one in ElementTree.fromstring(drawn(key)).iter()}
    assert kinds <= {"svg", "path", "text"}
    assert picture(key).startswith("<img ")


@pytest.mark.parametrize("key", DRAWN)
def test_it_shows_the_nodes_of_the_walkthrough(key: str, bench: Workbench, tmp_path: Path) -> None:
    made = walkthrough_for(key, bench, tmp_path)
    walk, _, _ = drawn(key).partition('class="bars')
    dots = sum(one.count("M") for one in re.findall(r'class="dots [^"]*" d="([^"]*)', walk))
    shown = dots + walk.count('class="star') + walk.count('class="query') - 1  # the query itself
    placed = [node for name, node in made["nodes"].items() if node["column"] >= 0 and name != "#"]
    labels = [made["columns"][node["column"]] for node in placed]
    few = sum(min(FEW, labels.count(one)) for one in {*labels})
    assert abs(shown - few) <= (NEAR if key.startswith("hoprag") else 0)
    gold = sum(bool(node["gold"]) for node in placed)
    assert walk.count('class="star') == gold
    texts = re.findall(r"<text[^>]*>([^<]*)", drawn(key))
    names = {text for text in texts if not re.fullmatch(r"\+\d+", text)}
    assert names <= {*made["columns"], "Ranking"}

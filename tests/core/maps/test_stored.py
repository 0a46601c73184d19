from core.artefacts.stored_artefacts import missing
from core.artefacts.workbench import Workbench
from core.indexing.updates import add
from core.maps.stored import CORPUS_MAP, from_tables, make_map, to_tables
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent


def test_a_map_comes_back_as_it_was_made(workbench: Workbench):
    made = make_map(workbench.index, silent)
    again = from_tables(to_tables(workbench.index.ids, made))
    assert (again.x == made.x).all()
    assert (again.leaf == made.leaf).all()
    assert [one.name for one in again.regions] == [one.name for one in made.regions]


def test_a_map_lies_on_the_shelf_and_follows_its_index(workbench: Workbench):
    before = workbench.get(CORPUS_MAP)
    where = dict(zip(workbench.index.ids, zip(before.x, before.y, strict=True), strict=True))
    folder, embedder = workbench.index.path, workbench.embedder
    assert isinstance(embedder, WordEmbedder)
    more = Document("ferry", "Low Ferry", "The Low Ferry is a ship. It leaves Port Selby.", "f.txt")
    add(folder, corpus(more, queries=()), embedder, silent)
    after = Workbench(Index.open(folder, embedder.info), embedder, making=silent)
    assert missing([CORPUS_MAP], after)
    made = after.get(CORPUS_MAP)
    now = dict(zip(after.index.ids, zip(made.x, made.y, strict=True), strict=True))
    assert len(now) == 6
    assert {name: now[name] for name in where} == where

"""Entities and triples from elsewhere: read, matched, kept with the index, and used."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from core.artefacts.entity_graph.graph import ENTITIES, ENTITY_GRAPH, FACTS
from core.artefacts.workbench import Workbench
from core.corpus.extraction_files import read_extraction
from core.corpus.types import Corpus
from core.errors import FileRejected, InputError
from core.indexing.updates import add, build, remove
from core.retrievers import make
from core.store.extraction_table import matched
from core.store.index import Index
from core.store.notices import extraction_notice
from core.types import Document, Passage
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

DOCUMENTS = (
    Document("mill", "Orrin Mill", "It was built by Ada Finch.", "c"),
    Document("finch", "Ada Finch", "She was born in Selby.", "c"),
    Document("tern", "Tern", "The tern of Maren nests on shingle.", "c"),
)
TRIPLES = [["Orrin Mill", "built by", "Ada Finch"], ["Orrin Mill", "stands on", "the Ash"]]
OPENIE = {
    "docs": [
        {
            "title": "Orrin Mill",
            "text": "It was built by Ada Finch.",
            "passage": "Orrin Mill\nIt was built by Ada Finch.",
            "extracted_entities": ["Orrin Mill", "Ada Finch"],
            "extracted_triples": [*TRIPLES, ["two", "parts"], ["a", "b", 3]],
        },
        {"idx": "chunk-0", "passage": "Nobody\nNo text.", "extracted_entities": ["X"],
         "extracted_triples": []},
    ],
    "avg_ent_chars": 3.0,
}  # fmt: skip


def written(folder: Path, content: object, name: str = "openie.json") -> Path:
    path = folder / name
    if isinstance(content, list):
        content = "\n".join(map(json.dumps, content))
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def bench_of(folder: Path, *files: Path, told: list[str] | None = None) -> Workbench:
    extra = {"extraction": read_extraction(files[0])} if files else {}
    tell = [] if told is None else told
    build(folder, Corpus(DOCUMENTS, ()), WordEmbedder(), silent, tell=tell.extend, **extra)
    return Workbench(Index.open(folder), WordEmbedder(), making=silent)


@pytest.mark.parametrize("name", ["openie.json", "openie.json.gz"])
def test_triples_are_the_facts_of_their_passage(tmp_path: Path, name: str) -> None:
    told: list[str] = []
    bench = bench_of(tmp_path / "i", written(tmp_path, OPENIE, name), told=told)
    facts = bench.get(FACTS).facts
    assert [fact.text for fact in facts if fact.passage == 0] == [" ".join(t) for t in TRIPLES]
    assert (facts[0].subject, facts[0].objects) == ("orrin mill", ("ada finch",))
    graph, number = bench.get(ENTITY_GRAPH), bench.get(ENTITIES).number
    ash = graph.passages + number["ash"]
    assert 0 in graph.neighbours([ash])
    assert any("She was born in Selby" in fact.text for fact in facts if fact.passage == 1)
    assert told == [
        f"{name}: entities or triples for 1 of 3 passages (2 entities, 2 triples); "
        "for the others, rules extract them",
        "Records that match no passage: 1 ('chunk-0')",
        "Triples left out, as subject, relation or object is missing: 2",
    ]
    assert "Entities or triples from openie.json" in extraction_notice(bench.index.meta)


def test_retrievers_over_entities_run_on_triples(tmp_path: Path) -> None:
    bench = bench_of(tmp_path / "i", written(tmp_path, OPENIE))
    for key in ("hipporag", "hipporag2", "proprag"):
        steps = list(make(key, bench).retrieve("Who built Orrin Mill?"))
        assert steps[-1].hits[0].passage_id == "mill"


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "row",
    [
        {"passage": "tern"},
        {"id": "tern"},
        {"title": "Tern"},
        {"passage": "Tern"},
        {"text": "The tern  of Maren\nnests on shingle."},
        {"passage": "Tern\nThe tern of Maren nests on shingle."},
        {"hash": sha("The tern of Maren nests on shingle.")},
        {"hash": "chunk-" + hashlib.md5(b"Tern\nThe tern of Maren nests on shingle.").hexdigest()},
    ],
)
def test_entity_lists_match_by_id_title_text_and_hash(tmp_path: Path, row: dict) -> None:
    entities = ["Maren", "shingle", {"text": "Kes"}]
    bench = bench_of(tmp_path / "i", written(tmp_path, [{**row, "entities": entities}], "e.jsonl"))
    assert {"maren", "shingle", "kes"} <= set(bench.get(ENTITIES).names)
    (fact,) = (fact for fact in bench.get(FACTS).facts if fact.passage == 2)
    assert (fact.subject, fact.objects) == ("tern", ("maren", "shingle"))


def test_another_text_of_the_same_title_does_not_match() -> None:
    passages = [Passage("a", "a", 0, "Orrin Mill", "Another text.")]
    path = written(Path("/tmp"), OPENIE, "hoprag-test-openie.json")
    assert not matched(read_extraction(path), passages).found
    path.unlink()


def test_what_an_index_was_given_stays_while_its_texts_do(tmp_path: Path) -> None:
    bench = bench_of(tmp_path / "i", written(tmp_path, OPENIE))
    version = bench.index.meta.graph_version
    new = Document("kes", "Kes", "A lake.", "d")
    add(tmp_path / "i", Corpus((new,), ()), WordEmbedder(), silent)
    again = Workbench(Index.open(tmp_path / "i"), WordEmbedder(), making=silent)
    assert "Orrin Mill stands on the Ash" in {fact.text for fact in again.get(FACTS).facts}
    remove(tmp_path / "i", ["kes"], WordEmbedder(), silent)
    assert Index.open(tmp_path / "i").meta.graph_version == version
    remove(tmp_path / "i", ["mill"], WordEmbedder(), silent)
    assert Index.open(tmp_path / "i").meta.extraction.passages == 0
    assert bench_of(tmp_path / "i").index.meta.extraction is None


def test_a_file_that_fits_no_passage(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"No record in e\.jsonl matches any of the 3 passages"):
        bench_of(
            tmp_path / "i", written(tmp_path, [{"passage": "x", "entities": ["a"]}], "e.jsonl")
        )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "it is empty"),
        ("{", "invalid JSON"),
        ([{"entities": ["a"]}], "record 1 does not fit; records need a passage"),
        ([{"passage": "a", "entities": ["b"]}, {"passage": "c"}], "record 2 does not fit"),
        ([{"passage": "a", "entities": "b"}], "record 1: 'entities' must be a list"),
        ([{"passage": "a", "entities": ["b"] * 1001}], "record 1: 'entities' must be a list"),
        ([{"passage": "a", "entities": [7]}], "it contains no entities or triples"),
        ([{"passage": "a", "entities": ["b" * 501]}], "it contains no entities or triples"),
        ("[" * 100_000, "its JSON is nested too deeply"),
    ],
)
def test_files_that_are_no_extractions(tmp_path: Path, content: object, reason: str) -> None:
    with pytest.raises(FileRejected) as error:
        read_extraction(written(tmp_path, content, "e.jsonl"))
    assert error.value.reason.startswith(reason)
    assert "\n" not in str(error.value)

"""A build on a local Ray of two processes, beside the same build in this one."""

import json
from pathlib import Path

import pytest

from core.build import build
from core.cluster.session import stages_on
from core.corpus.files import read_files
from core.corpus.types import Corpus
from core.progress import Progress
from core.store.cache import embeddings_of
from core.store.database import connect
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

TABLES = ("documents", "passages", "pseudo_queries", "edges", "questions")


def towns(path: Path, count: int) -> Path:
    """A file of passages that name one another; some have more than one part."""
    rows = (
        {
            "id": f"p{i}",
            "title": f"Place {i}",
            "text": f"Place {i} is a town by River {i % 7}. It lies near Place {(i * 5) % count} "
            f"and Place {(i + 1) % count}. Ada Birch {i % 11} came from Place {i // 2}.",
        }
        for i in range(count)
    )
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return read_files([towns(tmp_path_factory.mktemp("towns") / "towns.jsonl", 300)])


@pytest.fixture(scope="module")
def in_one_process(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("one") / "towns"
    build(folder, corpus, WordEmbedder(), silent)
    return folder


@pytest.mark.usefixtures("ray")
def test_the_same_index_as_in_one_process(corpus, in_one_process, tmp_path, monkeypatch):
    monkeypatch.setattr("core.cluster.making.LEAST", 40)
    told: list[Progress] = []
    meta = build(tmp_path / "r", corpus, WordEmbedder(), told.append, make=stages_on("ray"))
    one, other = Index.open(in_one_process), Index.open(tmp_path / "r")
    assert meta.graph_version == one.meta.graph_version
    assert meta.counts == one.meta.counts
    assert meta.counts.dropped_edges >= 0
    for name in TABLES:
        columns = set(one.tables.read(name).column_names) - {"added_at"}
        ours, theirs = (i.tables.read(name).select(sorted(columns)) for i in (one, other))
        assert ours.equals(theirs), name
    assert list(dict.fromkeys(each.stage for each in told)) == [
        *("chunk", "questions", "embed", "merge", "write")
    ]
    for stage in ("chunk", "questions", "embed", "merge"):
        last = [each for each in told if each.stage == stage][-1]
        assert last.done == last.total > 0, stage
    # All texts are in the tables of the version, none beside them.
    own = connect(tmp_path / "r").open_table(embeddings_of(WordEmbedder().info))
    assert own.count_rows() == 0

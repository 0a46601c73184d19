import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.artefacts.base import Artefact
from core.artefacts.lexical.keywords import WORDS
from core.artefacts.making import make_artefacts
from core.artefacts.stored_artefacts import drop, missing
from core.errors import ArtefactMissing, Cancelled, IndexLocked, InputError, StoreError
from core.indexing.updates import add, build, remove
from core.models import embedding
from core.progress import Progress
from core.store.artefact_tables import shelved
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from core.text.sentences import sentences
from core.types import Document
from tests.core.artefacts.demonstration import Demonstration, bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, TEXTS, corpus, silent

ROOT = Path(__file__).parents[3]
SENTENCES = [sentence for _, text in TEXTS.values() for sentence in sentences(text)]


def stored(folder: Path) -> set[str]:
    return {place.stem for place in folder.glob("artefact_*.lance")}


@pytest.fixture
def demonstration() -> Demonstration:
    return Demonstration()


def test_it_is_made_once_and_opened_by_a_later_process(built, embedder, demonstration):
    bench = bench_on(built, embedder)
    first = bench.get(demonstration.sentences)
    assert list(first.texts) == SENTENCES
    np.testing.assert_array_equal(first.vectors, WordEmbedder().encode(SENTENCES))
    assert bench.get(demonstration.sentences) is first

    later, asked = Demonstration(), WordEmbedder()
    again = bench_on(built, asked, making=None).get(later.sentences)
    assert again.texts == first.texts
    np.testing.assert_array_equal(again.vectors, first.vectors)
    assert (demonstration.made["sentences"], later.made["sentences"]) == (1, 0)
    assert asked.texts == []


def test_what_it_needs_is_made_first(built, embedder, demonstration):
    bench = bench_on(built, embedder)
    assert missing([demonstration.bearers], bench) == (
        demonstration.sentences,
        demonstration.bearers,
    )
    counts = bench.get(demonstration.bearers)
    assert counts["mara quist"] == sum("Mara Quist" in each for each in SENTENCES)
    assert missing([demonstration.bearers, WORDS], bench) == ()
    assert demonstration.made == {"sentences": 1, "name-counts": 1}


def test_a_workbench_that_makes_none_says_what_is_missing(built, embedder, demonstration):
    with pytest.raises(ArtefactMissing, match=r"sentences, name-counts: .*core make sent"):
        bench_on(built, embedder, making=None).get(demonstration.bearers)
    assert stored(built) == set()


def test_what_lives_in_memory_needs_no_leave(built, embedder):
    bench = bench_on(built, embedder, making=None)
    assert bench.get(WORDS) is bench.get(WORDS)
    assert len(bench.get(WORDS)) == len(TEXTS)


def test_another_content_makes_it_stale_and_what_is_known_is_not_embedded(
    built, embedder, demonstration
):
    bench_on(built, embedder).get(demonstration.bearers)
    before = shelved(built)
    add(built, corpus(Document("isle", "Isle", "It is an isle. It is far away.")), embedder, silent)

    bench = bench_on(built, embedder)
    assert missing([demonstration.bearers], bench) == (
        demonstration.sentences,
        demonstration.bearers,
    )
    embedder.texts.clear()
    again = bench.get(demonstration.sentences)
    assert set(again.texts) == {*SENTENCES, "It is an isle.", "It is far away."}
    assert sorted(embedder.texts) == ["It is an isle.", "It is far away."]
    assert shelved(built)["sentences"].digest != before["sentences"].digest

    remove(built, ["isle"], embedder, silent)
    embedder.texts.clear()
    back = bench_on(built, embedder)
    assert set(back.get(demonstration.sentences).texts) == set(SENTENCES)
    assert shelved(built)["sentences"].digest == before["sentences"].digest
    add(built, corpus(Document("isle", "Isle", "It is an isle. It is far away.")), embedder, silent)
    bench_on(built, embedder).get(demonstration.sentences)
    # What the index does not hold any more stays, and so does what no artefact holds.
    assert "It is far away." not in embedder.texts


def test_the_same_content_built_again_leaves_it_as_it_is(built, embedder, demonstration):
    bench_on(built, embedder).get(demonstration.bearers)
    build(built, corpus(), embedder, silent, restart=True)
    bench = bench_on(built, embedder, making=None)
    assert bench.get(demonstration.bearers)["mara quist"]
    assert demonstration.made == {"sentences": 1, "name-counts": 1}


def test_a_build_keeps_the_vectors_of_the_shelf(built, embedder, demonstration):
    bench_on(built, embedder).get(demonstration.sentences)
    build(built, corpus(*DOCUMENTS[:3]), embedder, silent)
    embedder.texts.clear()
    kept = bench_on(built, embedder).get(demonstration.sentences)
    assert set(kept.texts) < set(SENTENCES)
    assert embedder.texts == []


def test_another_setting_is_another_artefact(built, embedder, demonstration):
    bench_on(built, embedder).get(demonstration.bearers)
    embedder.texts.clear()
    short = Demonstration(longest=30)
    bench = bench_on(built, embedder)
    assert missing([short.bearers], bench) == (short.sentences, short.bearers)
    assert max(map(len, bench.get(short.sentences).texts)) <= 30
    bench_on(built, embedder).get(demonstration.sentences)
    assert embedder.texts == []
    assert len(stored(built)) == 2  # one of each name


def test_another_version_of_the_code_is_another_artefact(built, embedder, demonstration):
    bench = bench_on(built, embedder)
    bench.get(demonstration.sentences)
    later = replace(demonstration.sentences, version=2)
    assert missing([later], bench) == (later,)


def test_a_passage_in_another_place_makes_it_stale(tmp_path, embedder, demonstration):
    build(tmp_path / "i", corpus(), embedder, silent)
    bench_on(tmp_path / "i", embedder).get(demonstration.sentences)
    build(tmp_path / "i", corpus(*reversed(DOCUMENTS)), embedder, silent)
    assert missing([demonstration.sentences], bench_on(tmp_path / "i", embedder))


def test_dropping(built, embedder, demonstration):
    bench = bench_on(built, embedder)
    bench.get(demonstration.bearers)
    row = shelved(built)["sentences"]
    files = (built / f"{row.table('sentences')}.lance").rglob("*")
    assert row.size == sum(file.stat().st_size for file in files if file.is_file()) > 0
    assert row.seconds > 0

    embedder.texts.clear()
    drop(built, "sentences", embedder.info)
    assert list(shelved(built)) == ["name-counts"]
    assert len(stored(built)) == 1
    with pytest.raises(ArtefactMissing):
        bench_on(built, embedder, making=None).get(demonstration.sentences)
    bench_on(built, embedder).get(demonstration.sentences)
    assert embedder.texts == []

    with pytest.raises(InputError, match="has no built 'cats'"):
        drop(built, "cats", embedder.info)


def test_cancelled_in_the_middle_nothing_is_seen_and_little_is_repeated(
    built, embedder, demonstration, monkeypatch
):
    monkeypatch.setattr(embedding, "BATCH", 4)

    def stop(progress: Progress) -> None:
        if progress == Progress("sentences", 8, len(SENTENCES)):
            raise Cancelled

    embedder.texts.clear()
    with pytest.raises(Cancelled):
        make_artefacts(bench_on(built, embedder), [demonstration.bearers], stop)
    assert shelved(built) == {}

    monkeypatch.setattr(embedding, "BATCH", 512)
    resumed = bench_on(built, embedder).get(demonstration.sentences)
    assert len(embedder.texts) <= len(SENTENCES) + 4
    build(built.with_name("scratch"), corpus(), embedder, silent)
    scratch = bench_on(built.with_name("scratch"), embedder).get(demonstration.sentences)
    assert resumed.texts == scratch.texts
    np.testing.assert_array_equal(resumed.vectors, scratch.vectors)


KILLED = """
import sys, time
from dataclasses import replace
from pathlib import Path
from core.artefacts.making import make_artefacts
from tests.core.artefacts.demonstration import Demonstration, bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from core.artefacts import making

folder = Path(sys.argv[1])
bench = bench_on(folder, WordEmbedder())

def publish(*_):
    print("written", flush=True)
    time.sleep(60)

making.put = publish
make_artefacts(bench, [Demonstration(longest=int(sys.argv[2])).sentences], silent)
"""


def test_killed_before_its_end_the_old_state_stands(built, embedder, demonstration, warm_python):
    bench_on(built, embedder).get(demonstration.sentences)
    before, tables = shelved(built), stored(built)
    command = [warm_python, "-c", KILLED, str(built), "30"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        with pytest.raises(IndexLocked, match="making sentences"), writer_lock(built, "this"):
            pass
        process.kill()
        assert process.stdout.read() == ""  # nobody holds it any more

    assert shelved(built) == before
    assert tables < stored(built)
    assert bench_on(built, embedder, making=None).get(demonstration.sentences).texts

    embedder.texts.clear()
    short = Demonstration(longest=31)
    assert bench_on(built, embedder).get(short.sentences).texts
    assert len(stored(built)) == 1  # what was left over is gone
    assert embedder.texts == []


def in_threads(*calls: Callable[[], object]) -> list[object]:
    found: list[object] = []

    def call(wanted: Callable[[], object]) -> None:
        try:
            found.append(wanted())
        except StoreError as error:
            found.append(error)

    threads = [threading.Thread(target=call, args=(each,)) for each in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_two_threads_make_it_once(built, embedder, demonstration):
    bench = bench_on(built, embedder)
    found = in_threads(*[lambda: bench.get(demonstration.sentences)] * 4)
    assert all(each is found[0] for each in found)
    assert demonstration.made["sentences"] == demonstration.opened["sentences"] == 1


def test_who_comes_second_finds_what_the_first_has_made(built, embedder, demonstration):
    """Whoever holds the lock meanwhile is another bench, as it would be another process."""
    other = Demonstration()

    def slowly(progress: Progress) -> None:
        if progress.done == 0:
            time.sleep(0.3)

    def second() -> object:
        time.sleep(0.1)
        return bench_on(built, WordEmbedder()).get(other.sentences)

    first = bench_on(built, embedder, making=slowly)
    found = in_threads(lambda: first.get(demonstration.sentences), second)
    assert len({each.texts for each in found}) == 1  # type: ignore[attr-defined]
    assert demonstration.made["sentences"] + other.made["sentences"] == 1


def test_damage_is_told_with_the_way_out(built, embedder, demonstration):
    bench_on(built, embedder).get(demonstration.sentences)
    row = shelved(built)["sentences"]
    for file in (built / f"{row.table('sentences')}.lance" / "data").iterdir():
        file.write_bytes(b"nothing that can be read")
    with pytest.raises(StoreError, match=r"sentences of five is damaged.*--drop sentences"):
        bench_on(built, embedder).get(demonstration.sentences)

    build(built, corpus(), embedder, silent)  # who does not need it does not mind
    drop(built, "sentences", embedder.info)
    assert bench_on(built, embedder).get(demonstration.sentences).texts == tuple(SENTENCES)


def test_an_index_that_had_no_shelf_gets_one(built, embedder, demonstration):
    assert shelved(built) == {}
    assert missing([demonstration.bearers], bench_on(built, embedder))
    tables = {place.name for place in built.glob("*.lance")}
    meta = Index.open(built).meta
    bench_on(built, embedder).get(demonstration.bearers)
    added = {place.stem for place in built.glob("*.lance")} - {name[:-6] for name in tables}
    assert added == stored(built)
    assert Index.open(built).meta == meta


def test_a_table_that_was_taken_away_is_damage(built, embedder, demonstration):
    bench_on(built, embedder).get(demonstration.sentences)
    for name in stored(built):
        shutil.rmtree(built / f"{name}.lance")
    with pytest.raises(StoreError, match="Delete it"):
        bench_on(built, embedder, making=None).get(demonstration.sentences)


def test_a_bench_of_an_older_version_makes_nothing(built, embedder, demonstration):
    old = bench_on(built, embedder)
    add(built, corpus(Document("isle", "Isle", "It is an isle.")), embedder, silent)
    with pytest.raises(StoreError, match="rebuilt after"):
        old.get(demonstration.sentences)
    assert shelved(built) == {}


def test_a_model_that_is_needed_and_not_there(built, embedder):
    by_model = Artefact("facts", "Facts.", lambda b, t: t, lambda b, r: {}, asks_model=True)
    with pytest.raises(InputError, match="Set HOPRAG_LLM"):
        bench_on(built, embedder).get(by_model)


def test_what_a_model_made_stands_without_it_and_not_with_another(
    built, embedder, oracle, demonstration
):
    make = demonstration.sentences.make
    by_model = Artefact("facts", "Facts.", lambda b, t: t, make, asks_model=True)
    bench = bench_on(built, embedder)
    bench.oracle = oracle
    make_artefacts(bench, [by_model], silent)
    row = shelved(built)["facts"]
    assert row.maker == oracle.llm.model
    assert row.spending is not None

    assert missing([by_model], bench_on(built, embedder, making=None)) == ()
    bench.oracle = SimpleNamespace(llm=SimpleNamespace(model="another"))
    assert missing([by_model], bench) == (by_model,)


@pytest.mark.parametrize("name", ["", "a b", "Ünder", "x_y", "../x", "A"])
def test_names_are_plain(name):
    with pytest.raises(ValueError, match="not the name of an artefact"):
        Artefact(name, "", lambda b, t: t)

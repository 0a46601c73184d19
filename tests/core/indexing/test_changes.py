"""Adding, replacing and removing give what a build from scratch of the same files gives."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corpus.assembly import assemble
from core.corpus.file_contents import Contents
from core.corpus.ids.document_ids import Identities
from core.corpus.types import Brought, Corpus
from core.corpus.updates.file_changes import Known, find_clashes, merge_files, remove_documents
from core.errors import InputError
from core.indexing.updates import add, build, remove
from core.store.index import Index
from core.types import Document, Query
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

Row = tuple[str, str]
Files = Mapping[str, Sequence[Row]]

TEXTS = (
    "Mara Quist was born in Port Selby.",
    "Port Selby lies on the River Ash.",
    "The River Ash ends at Cape Dun.",
    "Ilo Venn married Mara Quist.",
)


def contents(name: str, rows: Sequence[Row], queries: Sequence[Query] = ()) -> Contents:
    documents = [Document(name_of, text[:10], text, name) for name_of, text in rows]
    return Contents("Test", documents, queries)


def corpus(files: Files) -> Corpus:
    return assemble([contents(name, rows) for name, rows in files.items()])


def put(folder: Path, files: Files, known: Known = "ask") -> None:
    add(folder, corpus(files), WordEmbedder(), silent, known=known)


def held(folder: Path) -> tuple[set[tuple[str, str]], str]:
    """The passages of an index, and the version of its graph."""
    index = Index.open(folder)
    return {(each.id, each.text) for each in index.passages}, index.meta.graph_version


def scratch(folder: Path, files: Files) -> tuple[set[tuple[str, str]], str]:
    build(folder, corpus(files), WordEmbedder(), silent)
    return held(folder)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    build(
        tmp_path / "ix",
        corpus({"a.txt": [("1", TEXTS[0]), ("2", TEXTS[1])]}),
        WordEmbedder(),
        silent,
    )
    return tmp_path / "ix"


def test_another_file_of_the_name_takes_nothing_away_unasked(index: Path) -> None:
    before = held(index)
    other = {"a.txt": [("3", TEXTS[2])]}
    with pytest.raises(
        InputError, match=r"a.txt is already in the index with 2 documents.*--keep-both"
    ):
        put(index, other)
    assert held(index) == before
    put(index, other, "keep")
    assert {text for _, text in held(index)[0]} == set(TEXTS[:3])
    put(index, other)  # both are known now
    put(index, {"a.txt": [("1", TEXTS[0]), ("2", TEXTS[1])]})
    assert {text for _, text in held(index)[0]} == set(TEXTS[:3])
    put(index, {"a.txt": [("4", TEXTS[3])]}, "replace")
    assert {text for _, text in held(index)[0]} == {TEXTS[3]}


def test_a_file_that_has_more_now_names_its_documents_in_its_order(tmp_path: Path) -> None:
    put_in = tmp_path / "ix"
    build(put_in, corpus({"a.txt": [("1", TEXTS[0])]}), WordEmbedder(), silent)
    now = {"a.txt": [("1", TEXTS[1]), ("1", TEXTS[0])]}
    put(put_in, now)
    assert held(put_in) == scratch(tmp_path / "new", now)
    assert ("1", TEXTS[1]) in held(put_in)[0]


def test_what_is_left_out_changes_nothing(index: Path) -> None:
    made = Index.open(index).meta.finished_at
    asked = Query("q", "Where was Mara Quist born?", origin="a.txt")
    other = assemble([contents("a.txt", [("3", TEXTS[2])], [asked])])
    add(index, other, WordEmbedder(), silent, known="leave")
    after = Index.open(index)
    assert (after.meta.finished_at, after.questions) == (made, ())


def test_the_same_file_again_writes_nothing(index: Path) -> None:
    made = Index.open(index).meta.finished_at
    put(index, {"a.txt": [("1", TEXTS[0]), ("2", TEXTS[1])]})
    assert Index.open(index).meta.finished_at == made


def test_a_file_that_grew_is_the_same_file(index: Path) -> None:
    put(index, {"a.txt": [("1", TEXTS[0]), ("2", TEXTS[1]), ("3", TEXTS[2])]})
    assert {name for name, _ in held(index)[0]} == {"1", "2", "3"}


def test_a_text_of_two_files_outlives_one_of_them(index: Path, tmp_path: Path) -> None:
    put(index, {"b.txt": [("copy", TEXTS[0])]})
    told: list[Corpus] = []
    remove(index, ["1"], WordEmbedder(), silent, account=told.append)
    assert told[0].notes == ("'1' has the same text in b.txt, so it is kept as 'copy'",)
    left = {"a.txt": [("2", TEXTS[1])], "b.txt": [("copy", TEXTS[0])]}
    assert held(index) == scratch(tmp_path / "left", left)
    put(index, {"b.txt": [("3", TEXTS[2])]}, "replace")
    assert {text for _, text in held(index)[0]} == {TEXTS[1], TEXTS[2]}


def test_a_copy_of_another_wording_of_spaces_is_kept_as_it_was(index: Path) -> None:
    put(index, {"b.txt": [("copy", TEXTS[0].replace(" born", "\n\nborn"))]})
    put(index, {"a.txt": [("2", TEXTS[1])]}, "replace")
    assert Index.open(index).passage("copy").text == "Mara Quist was\n\nborn in Port Selby."


@pytest.mark.parametrize("later", ["0.txt", "b.txt"])
def test_gold_follows_a_document_whose_id_another_takes(
    index: Path, tmp_path: Path, later: str
) -> None:
    asked = Query("q", "Where does Mara Quist come from?", gold=("1", "2#0"), origin="a.txt")
    first = contents("a.txt", [("1", TEXTS[0]), ("2", TEXTS[1])], [asked])
    second = contents(later, [("1", TEXTS[2])], [Query("r", "Where?", gold=("1",), origin=later)])
    build(index, assemble([first]), WordEmbedder(), silent)
    add(index, assemble([second]), WordEmbedder(), silent)
    build(tmp_path / "both", assemble([second, first]), WordEmbedder(), silent)
    assert held(index) == held(tmp_path / "both")
    added, both = (
        {each.id: each.gold for each in Index.open(folder).questions}
        for folder in (index, tmp_path / "both")
    )
    assert added == both
    texts = {each.id: each.text for each in Index.open(index).passages}
    assert (texts[added["q"][0]], texts[added["r"][0]]) == (TEXTS[0], TEXTS[2])


def random_file(rng: random.Random) -> list[Row]:
    """Few ids and few texts, so that they meet."""
    rows = [(rng.choice("123"), rng.choice(TEXTS)) for _ in range(rng.randint(1, 3))]
    return list(dict.fromkeys(rows))


@pytest.mark.parametrize("seed", range(8))
def test_any_changes_equal_a_build_from_scratch(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    folder, files = tmp_path / "ix", {"b.txt": random_file(rng)}
    scratch(folder, files)
    for step in range(4):
        names = {name for name, _ in held(folder)[0]}
        if rng.random() < 0.3 and len(names) > 1:
            gone = rng.choice(sorted(names))
            known = Identities(corpus(files).claims)
            (text,) = (text for text, name in known.ids.items() if name == gone)
            kept = known.kept[text].document
            files[kept.source] = [row for row in files[kept.source] if row[1] != kept.text]
            files = {name: rows for name, rows in files.items() if rows}
            remove(folder, [gone], WordEmbedder(), silent)
        else:
            name, rows = rng.choice(("a.txt", "b.txt", "c.txt")), random_file(rng)
            files = {**files, name: rows}
            put(folder, {name: rows}, "replace")
        mixed = dict(rng.sample(sorted(files.items()), len(files)))
        assert held(folder) == scratch(tmp_path / f"scratch{step}", mixed), (seed, step)


claims = st.lists(
    st.builds(
        lambda name, text, source, quiet: Brought(Document(name, "", text, source), quiet=quiet),
        st.sampled_from(["1", "2", "1~", "x"]),
        st.sampled_from(["one", "two", "two ", "three"]),
        st.sampled_from(["a", "b"]),
        st.booleans(),
    ),
    max_size=8,
    unique_by=lambda each: (repr(each.document), each.quiet),
)


def rows(brought: Sequence[Brought]) -> set[str]:
    return {repr(each.document) for each in brought}


@given(claims, st.randoms())
def test_ids_are_the_same_in_any_order_of_files(brought: list[Brought], rng: random.Random) -> None:
    known = Identities(brought)
    files = {
        name: iter([each for each in brought if each.document.source == name]) for name in "ab"
    }
    mixed = [next(files[each.document.source]) for each in rng.sample(brought, len(brought))]
    assert Identities(mixed).ids == known.ids
    documents = {made.id: made for made in known.documents}
    assert documents == {made.id: made for made in Identities(mixed).documents}
    assert len(documents) == len(known.ids)


@given(claims, claims)
def test_what_joins_is_there_and_nothing_else_goes(
    there: list[Brought], fresh: list[Brought]
) -> None:
    both = merge_files(there, fresh, "keep")
    assert rows(both) == rows([*there, *fresh])
    assert find_clashes(both, fresh) == []
    named = {clash.name for clash in find_clashes(there, fresh)}
    stay = [each for each in there if each.document.source not in named]
    assert rows(merge_files(there, fresh, "replace")) == rows([*stay, *fresh])
    assert rows(merge_files(there, fresh, "leave")) >= rows(there)


@given(claims)
def test_without_all_documents_of_a_text_it_is_gone(brought: list[Brought]) -> None:
    left = brought
    for _ in range(3):  # two files may have it
        names = {made.id for made in Identities(left).documents if made.text.strip() == "two"}
        left, _ = remove_documents(left, names)
    assert not any(each.document.text.strip() == "two" for each in left)
    others = [each for each in brought if each.document.text.strip() != "two"]
    assert left == others

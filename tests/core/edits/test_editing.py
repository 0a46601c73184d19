"""Edited copies of an index: what an edit changes, and that the original never does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.edits import (
    HAND,
    Edit,
    Edits,
    edge_changes,
    edit_of,
    kept_texts,
    read_edits,
    removed_evidence,
)
from core.errors import InputError, StoreError
from core.indexing.edited_copy import edit_copy
from core.indexing.updates import add, build
from core.library.catalogue import look
from core.progress import Progress
from core.retrievers import Spec, make
from core.steps import result
from core.store.index import Index
from core.types import Document, Evidence, Query
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, TEXTS, corpus, silent

MENTIONS = "Ilo Venn is a singer. He first sang in Port Selby."
HOSTILE = "<script>alert(1)</script> ${x} ' OR 1=1 -- \u202e {{7*7}}"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    build(tmp_path / "five", corpus(), WordEmbedder(), silent)
    return tmp_path / "five"


def changed(source: Path, passage: str, **wanted: object) -> Edit | None:
    index = Index.open(source)
    queries = index.graph.pseudo_queries(passage)
    return edit_of(index.passage(passage), queries, **wanted)  # type: ignore[arg-type]


def copied(source: Path, *edits: Edit | None, report: Callable[[Progress], None] = silent) -> Index:
    target = source.parent / "copy"
    wanted = Edits(source.name, tuple(one for one in edits if one))
    edit_copy(source, target, wanted, WordEmbedder(), report)
    return Index.open(target)


def files(folder: Path) -> dict[str, bytes]:
    """All files of an index but those of its lock."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("writer")
    }


def test_an_edited_sentence_makes_an_edge_and_its_passage_is_retrieved(source: Path) -> None:
    before = files(source)
    copy = copied(source, changed(source, "singer", text=MENTIONS))
    changes = edge_changes(Index.open(source), copy)
    assert ("singer", "town") in {(edge.source, edge.target) for edge in changes.appeared}
    assert copy.passage("singer").text == MENTIONS
    walk = make(Spec("hoprag-similarity"), Workbench(copy, WordEmbedder()))
    assert "town" in {hit.passage_id for hit in result(tuple(walk.retrieve("Ilo Venn"))).hits}
    assert files(source) == before


def test_an_unchanged_save_changes_nothing(source: Path) -> None:
    index = Index.open(source)
    queries = index.graph.pseudo_queries("owner")
    answered = [one.text for one in queries if one.direction == "in"]
    raised = [one.text for one in queries if one.direction == "out"]
    text = index.passage("owner").text
    assert changed(source, "owner", text=f" {text}\n", answered=answered, raised=raised) is None
    copy = copied(source)
    assert copy.meta.graph_version == index.meta.graph_version
    assert copy.graph.all_pseudo_queries == index.graph.all_pseudo_queries
    changes = edge_changes(index, copy)
    assert (changes.appeared, changes.vanished) == ((), ())


def test_only_changed_texts_are_embedded(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded: list[str] = []
    encode = WordEmbedder.encode

    def counting(self: WordEmbedder, texts: list[str], *args: object) -> object:
        embedded.extend(texts)
        return encode(self, texts, *args)

    monkeypatch.setattr(WordEmbedder, "encode", counting)
    copied(source, changed(source, "singer", text=MENTIONS))
    assert embedded
    assert all("Venn" in text or "Selby" in text for text in embedded)


def test_a_pseudo_query_written_by_hand_keeps_its_author(source: Path) -> None:
    question = "Where did Mara Quist marry Ilo Venn?"
    kept = [
        one.text
        for one in Index.open(source).graph.pseudo_queries("owner")
        if one.direction == "in"
    ]
    copy = copied(source, changed(source, "owner", answered=[*kept, question]))
    makers = {one.text: one.maker for one in copy.graph.pseudo_queries("owner")}
    assert makers[question] == HAND
    assert {makers[one] for one in kept} == {"rules"}
    assert copy.meta.counts.fallbacks == 0
    more = Document("song", "Low Tide", "Low Tide is a song by Ilo Venn.", "song.txt")
    add(copy.path, corpus(more, queries=()), WordEmbedder(), silent)
    again = {one.text: one.maker for one in Index.open(copy.path).graph.pseudo_queries("owner")}
    assert again == makers


def test_a_line_that_is_left_as_shown_stands_for_its_stored_text(source: Path) -> None:
    queries = Index.open(source).graph.pseudo_queries("owner")
    shown = ["Who?", "Who?", *map(str, range(len(queries) - 2))]
    stored = [one.text for one in queries]
    assert kept_texts(shown, shown, queries) == stored
    assert kept_texts(["0", "Who?", "Why?"], shown, queries) == [stored[2], stored[0], "Why?"]
    assert kept_texts(["Who?"] * 3, shown, queries) == [*stored[:2], "Who?"]


def test_a_copy_of_a_copy_keeps_all_edits(source: Path) -> None:
    first = copied(source, changed(source, "singer", text=MENTIONS))
    edit = changed(first.path, "singer", raised=["Who is Port Selby?"])
    assert edit
    target = source.parent / "second"
    edit_copy(first.path, target, Edits("copy", (edit,)), WordEmbedder(), silent)
    second = Index.open(target)
    assert second.passage("singer").text == MENTIONS
    raised = [one for one in second.graph.pseudo_queries("singer") if one.direction == "out"]
    assert [(one.text, one.maker) for one in raised] == [("Who is Port Selby?", HAND)]


def test_hostile_text_is_kept_as_text(source: Path) -> None:
    copy = copied(source, changed(source, "town", text=HOSTILE, raised=[HOSTILE]))
    assert copy.passage("town").text == HOSTILE
    known = read_edits(copy.path)
    assert known
    assert known.edits[0].text == HOSTILE
    for text in ("", " \n", "x" * 200_000):
        with pytest.raises(InputError):
            changed(source, "town", text=text)
    with pytest.raises(InputError):
        changed(source, "town", raised=[f"Who is {n}?" for n in range(99)])


def test_a_killed_edit_leaves_the_original_and_an_unfinished_copy(source: Path) -> None:
    class Killed(BaseException):
        """The process ends."""

    def kill(progress: Progress) -> None:
        if progress.stage == "merge":
            raise Killed

    before = files(source)
    edit = changed(source, "singer", text=MENTIONS)
    with pytest.raises(Killed):
        copied(source, edit, report=kill)
    assert files(source) == before
    found = look(source.parent / "copy")
    assert found.meta is None
    assert found.problem
    with pytest.raises(StoreError):
        Index.open(source.parent / "copy")
    assert copied(source, edit).passage("singer").text == MENTIONS
    with pytest.raises(InputError, match="Choose another name"):
        copied(source, edit)


BOUGHT = Evidence("It was bought by Mara Quist in 1998.", document="club")
BORN = Evidence("She was born in Port Selby.", document="owner")
LIFE = Evidence(" ".join(TEXTS["owner"][1].split()), "paragraph", "owner", answer="Port Selby")
ASKED = Query("q1", QUESTION.text, ("Port Selby",), ("owner",), evidence=(BOUGHT, BORN, LIFE))


def held(index: Index) -> list[tuple[tuple[str, ...], ...]]:
    return [each.parts for each in index.questions[0].evidence]


@pytest.fixture
def evident(tmp_path: Path) -> Path:
    build(tmp_path / "five", corpus(queries=(ASKED,)), WordEmbedder(), silent)
    return tmp_path / "five"


def test_an_edited_copy_keeps_evidence_whose_sentence_stands(evident: Path) -> None:
    text = TEXTS["owner"][1].replace("She married Ilo Venn.", "She never married.")
    copy = copied(evident, changed(evident, "owner", text=text))
    assert held(copy) == held(Index.open(evident)) == [(("club",),), (("owner",),), (("owner",),)]
    assert removed_evidence(Index.open(evident), copy) == ()
    more = Document("a", "A", "Low Tide.", "a.txt")
    add(copy.path, corpus(more, queries=()), WordEmbedder(), silent)
    assert held(Index.open(copy.path)) == held(copy)


def test_an_edited_copy_says_which_evidence_the_edit_removed(evident: Path) -> None:
    text = TEXTS["owner"][1].replace("She was born in Port Selby.", "She was born in Ashford.")
    copy = copied(evident, changed(evident, "owner", text=text))
    assert held(copy) == [(("club",),), (), ()]
    removed = removed_evidence(Index.open(evident), copy)
    assert [(query.id, each.text) for query, each in removed] == [
        ("q1", BORN.text),
        ("q1", LIFE.text),
    ]


def test_evidence_that_an_edit_writes_into_another_passage_is_gold_there_too(evident: Path) -> None:
    text = f"{TEXTS['singer'][1]} {BOUGHT.text}"
    said = changed(evident, "singer", text=text)
    assert held(copied(evident, said))[0] == (("club", "singer"),)

"""Marks through builds with other chunkings, each checked by the words of the passages alone."""

import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.marks import (
    Gold,
    Marks,
    as_file,
    asked_gold,
    forget,
    gold_of,
    marked_questions,
    move_mark,
    set_gold,
    unsettled,
)
from core.marks.store import FILE
from core.ranking_comparison import gold_ranks
from core.retrievers import Spec, make
from core.runs.question_sets import questions_in
from core.store.index import Index
from core.traces import dump, load, record
from core.types import Query
from tests.core.fakes import WordEmbedder
from tests.core.marks.rechunked import (
    BY_DOCUMENT,
    BY_EVIDENCE,
    CORPUS,
    DOCUMENTS,
    FACTS,
    cut,
    document,
    section,
    sentence,
    words_of,
)

WHOLE, WORDS, ACROSS = "Who is whole?", "Which words?", "Which words across?"
PIECE = " ".join(sentence(0, 1, 2).split()[1:5])
BOTH = " ".join([*sentence(3, 0, 1).split()[-3:], *sentence(3, 0, 2).split()[:2]])
ROUND = ("as-is", "fit", "sentence", "tokens:10:3", "paragraph")


@pytest.fixture
def marked(tmp_path: Path) -> Index:
    """An index of sections, with marks of both kinds."""
    index = cut(tmp_path / "cut", "paragraph")
    assert [words_of(each.text) for each in index.passages[:3]] == [
        words_of(section(0, which)) for which in range(3)
    ]
    set_gold(index, WHOLE, "harbour#0", gold=True, annotator="Ana")
    set_gold(index, WORDS, "harbour#1", gold=True, words=PIECE)
    set_gold(index, ACROSS, "ferry#0", gold=True, words=BOTH)
    set_gold(index, BY_DOCUMENT.text, "mill#1", gold=False)
    set_gold(index, BY_EVIDENCE.text, "quarry#0", gold=False, annotator="Bo")
    set_gold(index, BY_EVIDENCE.text, "quarry#1", gold=True)
    return index


def holding(index: Index, wanted: set[str], least: float) -> set[str]:
    """The passages that share at least so much of what is wanted, or that much of their own."""
    found = set()
    for passage in index.passages:
        own = words_of(passage.text)
        if len(own & wanted) >= least * min(len(own), len(wanted)):
            found.add(passage.id)
    return found


def one_each(gold: Gold, index: Index, wanted: set[str]) -> Iterable[set[str]]:
    """The words of what is wanted that each choice of one passage of each part holds."""
    (name,) = gold.ids
    parts = gold.evidence[name].parts if name in gold.evidence else (gold.passages[name],)
    longest = max(map(len, parts))
    for at in range(longest):
        chosen = [part[min(at, len(part) - 1)] for part in parts]
        yield set().union(*(words_of(index.passage(one).text) for one in chosen)) & wanted


def check_gold(index: Index) -> None:
    whole = gold_of(index, WHOLE)
    assert whole.passage_ids == holding(index, words_of(section(0, 0)), 0.5)
    assert [whole.author_of(name) for name in whole.ids] == ["hand"]
    assert [made.who for made in whole.made.values()] == ["Ana"]
    assert all(len(each.parts) == 1 for each in whole.evidence.values())
    for question, text in ((WORDS, PIECE), (ACROSS, BOTH)):
        gold = gold_of(index, question)
        assert gold.author_of(*gold.ids) == "hand"
        assert gold.absent == ()
        assert all(held == words_of(text) for held in one_each(gold, index, words_of(text)))


def check_no_gold(index: Index, documents: bool) -> None:
    """Unless a passage holds other gold text too: so it is where documents are not cut."""
    unmarked = words_of(section(1, 1))
    own = {each.id: words_of(each.text) for each in index.passages if each.document_id == "mill"}
    gold = gold_of(index, BY_DOCUMENT.text)
    inside = {one for one, held in own.items() if held <= unmarked}
    assert gold.passage_ids == own.keys() - inside
    assert set(gold.removed) == inside
    assert bool(inside) != documents
    told = [(each.mark.passage, each.shared) for each in unsettled(index)]
    assert told == ([("mill#1", True)] if documents else [])


def check_evidence(index: Index) -> None:
    """Facts in the passage that is not gold are none; the other one is, and the mark is."""
    gold = gold_of(index, BY_EVIDENCE.text)
    assert gold.taken_away == ("q2:e1", "q2:e2")
    assert gold.held[0] == "q2:e3"
    third = words_of(FACTS[2])
    left = set(gold.passages["q2:e3"])
    assert third <= set().union(*(words_of(index.passage(one).text) for one in left))
    by_hand = holding(index, words_of(section(2, 1)), 0.5)
    assert by_hand <= gold.passage_ids


def test_marks_follow_their_text_through_five_chunkings(marked: Index) -> None:
    before = {question: gold_of(marked, question) for question in (WHOLE, WORDS, ACROSS)}
    kept = Marks(marked.path).all()
    for chunking in ROUND:
        index = cut(Path(str(marked.path)), chunking)
        check_gold(index)
        check_no_gold(index, documents=chunking == "as-is")
        check_evidence(index)
        assert Marks(index.path).all() == kept
    assert {question: gold_of(index, question) for question in before} == before
    assert [each.ids for each in before.values()] == [("harbour#0",), ("harbour#1",), ("ferry#0",)]


def test_words_that_two_passages_hold_together_are_needed_from_both(marked: Index) -> None:
    gold = gold_of(cut(Path(str(marked.path)), "sentence"), ACROSS)
    (name,) = gold.ids
    assert gold.passages.split == {name: (("ferry#1",), ("ferry#2",))}
    assert gold.evidence[name].kind == "fact"


def test_of_a_passage_that_was_cut_any_part_is_enough(marked: Index) -> None:
    index = cut(Path(str(marked.path)), "sentence")
    gold = gold_of(index, WHOLE)
    (name,) = gold.added
    assert name.startswith("harbour#0~")
    assert gold.passages[name] == tuple(f"harbour#{number}" for number in range(4))
    assert gold.passages.split == {}
    assert (gold.evidence[name].by, gold.evidence[name].kind) == ("Ana", "paragraph")


def test_a_part_can_be_unmarked_and_marked_again(marked: Index) -> None:
    index = cut(Path(str(marked.path)), "sentence")
    gold = set_gold(index, WHOLE, "harbour#1", gold=False)
    assert gold.passage_ids == {"harbour#0", "harbour#2", "harbour#3"}
    assert gold.removed == ("harbour#1",)
    assert set_gold(index, WHOLE, "harbour#1", gold=True).removed == ()
    for number in range(4):
        gold = set_gold(index, WHOLE, f"harbour#{number}", gold=False)
    assert gold.ids == ()


def test_a_passage_marked_again_is_gold_though_its_text_was_unmarked(marked: Index) -> None:
    index = cut(Path(str(marked.path)), "sentence")
    gold = set_gold(index, BY_DOCUMENT.text, "mill#5", gold=True)
    assert "mill#5" in gold.passages["mill"]
    assert gold.removed == ("mill#4", "mill#6", "mill#7")


def test_what_was_unmarked_is_settled_with_one_click(marked: Index) -> None:
    index = cut(Path(str(marked.path)), "as-is")
    (lost,) = unsettled(index)
    assert lost.nearest
    assert lost.nearest.id == "mill"
    assert lost.why == "Its text is now in a passage that also has other gold text."
    gold = move_mark(index, lost.mark, lost.nearest.id, "Cy")
    assert (gold.ids, gold.removed, gold.made["mill"].who) == ((), ("mill",), "Cy")
    assert unsettled(index) == []


def test_a_mark_whose_text_is_gone_is_listed_with_the_nearest_passage(marked: Index) -> None:
    text = DOCUMENTS[0].text
    half = text.replace(sentence(0, 0, 1), "").replace(sentence(0, 0, 2), "")
    changed = replace(CORPUS, documents=(replace(DOCUMENTS[0], text=half), *DOCUMENTS[1:]))
    index = cut(Path(str(marked.path)), "sentence", changed)
    (lost,) = (each for each in unsettled(index) if each.mark.question == WHOLE)
    assert lost.nearest
    assert words_of(lost.nearest.text) <= words_of(section(0, 0))
    assert lost.why == "No passage contains its text."
    assert lost.excerpt.startswith(sentence(0, 0, 0))
    assert gold_of(index, WHOLE).absent == (lost.mark.name,)
    gold = move_mark(index, lost.mark, lost.nearest.id)
    assert gold.ids == (lost.nearest.id,)
    assert [each for each in unsettled(index) if each.mark.question == WHOLE] == []


def test_a_mark_that_is_dropped_is_gone(marked: Index) -> None:
    index = cut(Path(str(marked.path)), "sentence", replace(CORPUS, documents=DOCUMENTS[1:]))
    lost = [each for each in unsettled(index) if each.mark.document == "harbour"]
    assert [each.nearest for each in lost] == [None, None]
    for each in lost:
        forget(index, each.mark.question, each.mark.name)
    assert [each for each in unsettled(index) if each.mark.document == "harbour"] == []
    assert gold_of(index, WHOLE) == Gold()


def test_a_mark_follows_its_text_to_a_document_of_another_name(marked: Index) -> None:
    moved = replace(document(0), id="port")
    corpus = replace(CORPUS, documents=(moved, *DOCUMENTS[1:]))
    index = cut(Path(str(marked.path)), "sentence", corpus)
    assert gold_of(index, WHOLE).passage_ids == {f"port#{number}" for number in range(4)}
    assert gold_of(index, WORDS).passage_ids == holding(index, words_of(PIECE), 1)


def test_short_words_stay_near_the_text_that_they_were_selected_in(tmp_path: Path) -> None:
    first, second = section(0, 0), f"{section(0, 1)} Bacedifo gulameni."
    text = f"Bacedifo gulameni. {first}\n\n{second}"
    one = replace(DOCUMENTS[0], text=text, layout=DOCUMENTS[0].layout.__class__())
    corpus = replace(CORPUS, documents=(one, *DOCUMENTS[1:]))
    index = cut(tmp_path / "cut", "paragraph", corpus)
    set_gold(index, WORDS, "harbour#1", gold=True, words="Bacedifo gulameni")
    index = cut(tmp_path / "cut", "tokens:16:4", corpus)
    found = {index.number[one] for one in gold_of(index, WORDS).passage_ids}
    assert found
    assert min(found) > 1


def without_texts(index: Index) -> None:
    """As an earlier version left the file."""
    with sqlite3.connect(Path(str(index.path)) / FILE) as file:
        file.execute("DROP TABLE texts")


def test_marks_of_earlier_versions_open_and_a_build_keeps_their_text(marked: Index) -> None:
    without_texts(marked)
    assert [mark.text for mark in Marks(marked.path).all()] == [""] * 6
    assert gold_of(marked, WHOLE).ids == ("harbour#0",)
    assert unsettled(marked) == []
    index = cut(Path(str(marked.path)), "sentence")
    assert unsettled(index) == []
    assert gold_of(index, WHOLE).passage_ids == holding(index, words_of(section(0, 0)), 0.5)
    assert {mark.document for mark in Marks(index.path).all()} == {
        *("harbour", "mill", "quarry", "ferry")
    }


def test_marks_whose_text_nobody_has_are_listed(marked: Index) -> None:
    index = cut(Path(str(marked.path)), "sentence")
    without_texts(index)
    index = Index.open(index.path)
    lost = unsettled(index)
    assert len(lost) == 6
    assert {each.why for each in lost} == {
        "An earlier version made this mark without storing its text."
    }
    assert gold_of(index, WHOLE).absent
    assert set_gold(index, "Another?", "harbour#2", gold=True).ids == ("harbour#2",)
    assert len(Marks(index.path).all()) == 7
    assert gold_of(cut(Path(str(marked.path)), "paragraph"), WHOLE).ids == ("harbour#0",)


def test_a_mark_dropped_meanwhile_gets_no_text(marked: Index) -> None:
    (mark,) = Marks(marked.path).of(WHOLE)
    Marks(marked.path).replace([mark], [])
    Marks(marked.path).keep_texts([mark])
    assert Marks(marked.path).of(WHOLE) == []


def test_marks_that_cannot_be_read_stop_no_build(marked: Index) -> None:
    (Path(str(marked.path)) / FILE).write_bytes(b"no database at all" * 100)
    assert cut(Path(str(marked.path)), "sentence").meta.chunking == "sentence"


def test_a_question_file_keeps_the_marked_text(marked: Index, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in as_file(marked_questions(marked)).splitlines()]
    by_question = {row["question"]: row for row in rows}
    assert by_question[WHOLE]["gold_marked"]["harbour#0"]["text"] == section(0, 0)
    assert by_question[WORDS]["gold_marked"]["harbour#1"]["text"] == PIECE
    index = cut(Path(str(marked.path)), "sentence")
    path = tmp_path / "questions.jsonl"
    path.write_bytes(as_file(marked_questions(index)))
    again = {query.text: query for query in questions_in(path, index).questions}
    for question, text in ((WHOLE, section(0, 0)), (ACROSS, BOTH)):
        (name,) = gold_of(index, question).ids
        (found,) = again[question].evidence
        assert found.text == text
        assert found.parts == gold_of(index, question).evidence[name].parts


def test_a_mark_made_in_one_tab_is_followed_in_the_other(marked: Index) -> None:
    one, other = cut(Path(str(marked.path)), "sentence"), Index.open(marked.path)
    gold_of(other, WHOLE)
    set_gold(one, WHOLE, "harbour#6", gold=True)
    assert gold_of(other, WHOLE).added[-1] == "harbour#6"
    set_gold(other, WHOLE, "harbour#0", gold=False)
    assert "harbour#0" in gold_of(one, WHOLE).removed
    (first, *_) = (mark for mark in Marks(one.path).of(WHOLE) if mark.passage == "harbour#0")
    forget(one, WHOLE, first.name)
    assert gold_of(other, WHOLE) == gold_of(one, WHOLE)


@pytest.mark.parametrize("words", ["nowhere", PIECE[2:], sentence(3, 0, 1)])
def test_words_that_the_passage_does_not_contain_cannot_be_marked(
    marked: Index, words: str
) -> None:
    with pytest.raises(InputError, match="does not contain these words"):
        set_gold(marked, "Which?", "harbour#1", gold=True, words=words)
    assert gold_of(marked, "Which?") == Gold()


def test_words_are_the_same_whatever_quotation_marks_they_are_typed_with(tmp_path: Path) -> None:
    one = replace(DOCUMENTS[0], text=f"The “Gale” –\nrebuilt. {section(0, 0)}")
    index = cut(tmp_path / "cut", "paragraph", replace(CORPUS, documents=(one, *DOCUMENTS[1:])))
    gold = set_gold(index, "Which?", "harbour#0", gold=True, words='The "Gale" - rebuilt')
    assert gold.marked["harbour#0"].text == 'The "Gale" - rebuilt'


def test_a_run_that_asked_with_a_mark_shows_one_of_its_passages(marked: Index) -> None:
    index = cut(Path(str(marked.path)), "sentence")
    now = gold_of(index, WHOLE)
    asked = Query("q", WHOLE, gold=now.ids)
    assert asked_gold(asked, now).authors(["ferry#0", "harbour#2"]) == {"harbour#2": "given"}


def test_evidence_marked_by_hand_ranks_as_evidence_does(marked: Index) -> None:
    index = cut(Path(str(marked.path)), "sentence")
    across, whole = gold_of(index, ACROSS), gold_of(index, WHOLE)
    ranking = ["harbour#3", "ferry#2", "mill#0", "ferry#1", "harbour#0"]
    assert gold_ranks(ranking, across.ids, across.passages) == dict.fromkeys(across.ids, 4)
    assert gold_ranks(ranking[:3], across.ids, across.passages) == dict.fromkeys(across.ids)
    assert gold_ranks(ranking, whole.ids, whole.passages) == dict.fromkeys(whole.ids, 1)


def test_a_trace_keeps_marks_of_several_passages(marked: Index) -> None:
    index = cut(Path(str(marked.path)), "sentence")
    gold = gold_of(index, ACROSS)
    trace = record(make(Spec("bm25"), Workbench(index, WordEmbedder())), BOTH, index)
    again = load(dump(trace.with_gold(gold))).kept_gold
    assert (again.ids, again.added) == (gold.ids, gold.added)
    assert again.passages == gold.passages
    assert again.passages.split == gold.passages.split
    assert [again.author_of(name) for name in ("ferry#1", "ferry#2")] == ["hand", "hand"]


def test_in_a_large_index_marks_are_followed_in_their_document(
    marked: Index, large_from: Callable[[int], None]
) -> None:
    large_from(2)
    index = cut(Path(str(marked.path)), "sentence")
    assert index.large
    assert gold_of(index, WHOLE).passage_ids == {f"harbour#{number}" for number in range(4)}
    assert gold_of(index, ACROSS).passage_ids == {"ferry#1", "ferry#2"}
    moved = replace(CORPUS, documents=(replace(document(0), id="port"), *DOCUMENTS[1:]))
    index = cut(Path(str(marked.path)), "sentence", moved)
    assert {each.mark.question for each in unsettled(index)} == {WHOLE, WORDS}

"""Reviews: each thing said is one small write, taken back by undo, and lost by no build."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import InputError, StoreError
from core.indexing.updates import add, build, remove
from core.library.catalogue import rename
from core.reviews import FILE, Change, Codes, Review, Reviews, by_id, judged
from core.reviews.store import history
from core.reviews.store.rows import ADDED
from core.reviews.undo_messages import describe_undone
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent

ASKED, WALK = QUESTION.text, "hoprag-coverage"
MANY = 12


@pytest.fixture
def reviews(tmp_path: Path) -> Reviews:
    return Reviews(tmp_path)


def change(**said: object) -> Change:
    return Change(ASKED, WALK, **said)  # type: ignore[arg-type]


def test_a_review_is_there_for_whoever_opens_the_folder(reviews: Reviews, tmp_path: Path) -> None:
    label = Codes(reviews).add("wrong person")
    reviews.say("ada", [change(verdict="fail", found="refused", note=" Took the brewer. ")])
    (now,) = reviews.say("ada", [change(on=(label.id,))])
    (kept,) = Reviews(tmp_path).of(f" {ASKED.replace(' ', '  ')}", WALK)
    assert kept == now
    assert (kept.verdict, kept.note, kept.labels) == ("fail", "Took the brewer.", (label.id,))
    assert kept.lost_at == kept.found == "refused"


def test_a_review_says_on_which_run_and_gold_it_was_judged(reviews: Reviews) -> None:
    reviews.say("ada", [change(verdict="fail", run="r2", gold=("p1", "p2"))])
    (now,) = reviews.say("ada", [change(note="hm", run="r1", gold=("p1",))])
    assert (now.run, now.gold) == ("r2", ("p1", "p2"))
    (now,) = reviews.say("ada", [change(verdict="pass", run="r1", gold=("p1",))])
    assert (now.run, now.gold) == ("r1", ("p1",))


def test_a_note_that_is_written_on_is_one_act(reviews: Reviews) -> None:
    reviews.say("ada", [change(verdict="fail")])
    before = ""
    for text in ("To", "Took", "Took the brewer."):
        assert reviews.write_note("ada", change(note=text), before)
        before = text
    (kept,) = reviews.all()
    assert (kept.verdict, kept.note) == ("fail", "Took the brewer.")
    (undone,) = reviews.undo("ada").said
    assert (undone.gone.note, undone.now.note, undone.now.verdict) == (before, "", "fail")
    assert reviews.undo("ada").said[0].gone.verdict == "fail"


def test_what_was_undone_is_done_again_step_by_step(reviews: Reviews) -> None:
    reviews.say("ada", [change(verdict="fail")])
    reviews.say("bo", [change(verdict="defer")])
    reviews.write_note("ada", change(note="Took"), "")
    before = reviews.all()
    for _ in range(2):
        reviews.undo("ada")
    assert [one.reviewer for one in reviews.all()] == ["bo"]
    assert not reviews.redo("bo")
    assert not reviews.redo("ada", [("Another?", WALK)])
    assert reviews.redo("ada", [(ASKED, WALK)]).said[0].gone.verdict == "fail"
    (again,) = reviews.redo("ada").said
    assert (again.gone.note, again.now.note) == ("Took", "")
    assert sorted(map(repr, reviews.all())) == sorted(map(repr, before))
    assert not reviews.redo("ada")
    assert reviews.undo("ada").said == (again,)


def test_what_was_undone_is_not_done_again_over_something_newer(reviews: Reviews) -> None:
    codes = Codes(reviews)
    pair = [codes.add(name).id for name in ("one", "two")]
    for newer in (
        lambda: reviews.say("ada", [change(verdict="pass")]),
        lambda: reviews.write_note("ada", change(note="newer"), ""),
        lambda: codes.merge("ada", pair, "both"),
        lambda: reviews.undo("ada"),  # of the labels
    ):
        reviews.say("ada", [change(verdict="fail", note="")])
        if not reviews.last("ada").labels:
            reviews.undo("ada")
        newer()
        assert reviews.undone("ada") == []
        assert not reviews.redo("ada")


def test_a_note_that_is_written_on_later_is_another_act(
    reviews: Reviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "SITTING", -timedelta(seconds=1))
    reviews.write_note("ada", change(note="Took"), "")
    reviews.write_note("ada", change(note="Took the brewer."), "Took")
    reviews.undo("ada")
    assert reviews.all()[0].note == "Took"


def test_a_note_is_not_written_over_a_newer_one(reviews: Reviews) -> None:
    reviews.write_note("ada", change(note="first"), "")
    reviews.write_note("ada", change(note="newer"), "first")
    assert reviews.write_note("ada", change(note="first, and more"), "first") is None
    assert reviews.all()[0].note == "newer"
    assert reviews.write_note("ada", change(note="mine"), "newer")
    assert reviews.all()[0].note == "mine"


def test_a_file_of_before_is_read_and_written(reviews: Reviews) -> None:
    reviews.say("ada", [change(verdict="fail")])
    with reviews.file.transaction() as written:
        for name in ADDED:
            written.execute(f"ALTER TABLE said DROP COLUMN {name}")
    (kept,) = reviews.all()
    assert (kept.verdict, kept.run, kept.gold) == ("fail", "", ())
    assert reviews.last("ada").said[0].gone == kept
    (now,) = reviews.say("ada", [change(verdict="pass", run="r2", gold=("p1",))])
    assert reviews.all() == [now]
    assert reviews.undo("ada").said[0].now == kept


def test_nothing_is_written_until_something_is_said(reviews: Reviews) -> None:
    assert reviews.all() == reviews.of(ASKED, WALK) == []
    assert not reviews.undo("ada")


def test_a_stage_said_by_hand_counts_until_it_is_taken_away(reviews: Reviews) -> None:
    (now,) = reviews.say("ada", [change(found="refused", stage="far")])
    assert now.lost_at == "far"
    (now,) = reviews.say("ada", [change(stage="")])
    assert now.lost_at == "refused"


def test_undo_takes_back_act_after_act_of_one_reviewer_alone(reviews: Reviews) -> None:
    reviews.say("ada", [change(verdict="pass")])
    reviews.say("bo", [change(verdict="defer")])
    reviews.say("ada", [change(verdict="fail"), Change("Who sings?", WALK, verdict="fail")])
    undone = {one.gone.key: (one.gone.verdict, one.now.verdict) for one in reviews.undo("ada").said}
    assert undone == {(ASKED, WALK): ("fail", "pass"), ("Who sings?", WALK): ("fail", "")}
    assert [one.verdict for one in reviews.all("ada")] == ["pass"]
    assert [one.gone.key for one in reviews.undo("ada").said] == [(ASKED, WALK)]
    assert not reviews.undo("ada")
    assert [(one.reviewer, one.verdict) for one in reviews.all()] == [("bo", "defer")]


def test_what_says_nothing_new_is_no_act(reviews: Reviews) -> None:
    reviews.say("ada", [change(verdict="fail")])
    reviews.say("ada", [change(verdict="fail")])
    assert [one.gone.key for one in reviews.undo("ada").said] == [(ASKED, WALK)]
    assert reviews.all() == []


def test_undo_of_some_results_passes_over_what_was_said_of_others(reviews: Reviews) -> None:
    reviews.say("ada", [change(verdict="fail")])
    reviews.say("ada", [change(note="hm"), Change("Who sings?", WALK, note="hm")])
    reviews.say("ada", [Change(ASKED, "bm25", verdict="pass")])
    here = [(ASKED, WALK)]
    assert not reviews.undo("ada", [("Who dances?", WALK)])
    assert not reviews.last("bo", here)
    assert len(reviews.last("ada", here).said) == 2  # one act is taken back whole
    assert reviews.undo("ada", here).said[0].now.verdict == "fail"
    assert reviews.undo("ada", here).said[0].gone.verdict == "fail"
    assert not reviews.undo("ada", here)
    assert [one.retriever for one in reviews.all()] == ["bm25"]


def test_what_was_done_to_labels_is_taken_back_from_any_results(reviews: Reviews) -> None:
    codes = Codes(reviews)
    codes.merge("ada", [codes.add(name).id for name in ("tune", "song")], "music")
    assert reviews.last("ada", []).labels == "merge into 'music'"
    reviews.undo("ada", [])
    assert {code.axial for code in codes.all()} == {""}


def test_what_an_undo_took_back_is_said_in_words(reviews: Reviews) -> None:
    label = Codes(reviews).add("wrong person")
    reviews.say("ada", [change(verdict="fail", note="hm", on=(label.id,))])
    reviews.say("ada", [change(verdict="", stage="far")])
    codes = by_id([label])
    (undone,) = reviews.undo("ada").said
    told = "removal of fail and stage 'out of reach'"
    assert describe_undone(undone, codes) == told
    (undone,) = reviews.undo("ada").said
    assert describe_undone(undone, codes) == "fail, label 'wrong person' and note"


def test_two_windows_of_a_reviewer_keep_each_others_labels(reviews: Reviews) -> None:
    for label in (1, 2):
        reviews.say("ada", [change(on=(label,))])
    (now,) = reviews.say("ada", [change(off=(1,), note="x")])
    assert now.labels == (2,)


def test_only_what_has_a_verdict_is_judged(reviews: Reviews) -> None:
    reviews.say("ada", [change(note="hm"), Change("Who?", WALK, verdict="defer")])
    assert judged(reviews.all("ada")) == {("Who?", WALK)}


@pytest.mark.parametrize(
    ("who", "said"),
    [
        (" ", change(verdict="fail")),
        ("a" * 61, change(verdict="fail")),
        ("ada", Change("", WALK, verdict="fail")),
        ("ada", change(verdict="perhaps")),
        ("ada", change(note="x" * 4001)),
    ],
)
def test_what_cannot_be_kept_is_refused_whole(reviews: Reviews, who: str, said: Change) -> None:
    with pytest.raises(InputError):
        reviews.say(who, [change(verdict="pass"), said])
    assert reviews.all() == []


def test_reviews_outlive_a_build_a_document_more_and_one_less(
    built: Path, embedder: WordEmbedder
) -> None:
    reviews = Reviews(built)
    label = Codes(reviews).add("wrong person")
    kept = reviews.say("ada", [change(verdict="fail", note="first", on=(label.id,))])
    new = Document("new", "New", "A new text.", "new.txt")
    add(built, corpus(new, queries=()), embedder, silent)
    assert reviews.all() == kept
    remove(built, ["new"], embedder, silent)
    assert reviews.all() == kept
    build(built, corpus(), embedder, silent, restart=True)
    assert reviews.all() == kept
    moved = Reviews(rename(built.parent, built.name, "six"))
    assert moved.all() == kept
    assert Codes(moved).all() == [label]


def test_a_damaged_file_is_named_with_its_remedy(reviews: Reviews) -> None:
    (reviews.path.parent / FILE).write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match=r"reviews\.sqlite cannot be read"):
        reviews.all()


def _say_many(folder: Path, who: str) -> None:
    reviews = Reviews(folder)
    for number in range(MANY):
        label = Codes(reviews).add(f"label {number}")
        reviews.say(who, [Change(f"{number}?", WALK, verdict="fail", on=(label.id,))])


OTHER = """
import sys
from pathlib import Path
from tests.core.reviews.store.test_reviews import _say_many

_say_many(Path(sys.argv[1]), "a")
"""


def test_several_processes_write_at_once_and_none_loses_anything(
    tmp_path: Path, warm_python: str
) -> None:
    with subprocess.Popen([warm_python, "-c", OTHER, str(tmp_path)]) as other:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(lambda name: _say_many(tmp_path, name), ("b", "c")))
        assert other.wait(60) == 0
    reviews = Reviews(tmp_path)
    assert len(reviews.all()) == 3 * MANY
    assert len(Codes(reviews).all()) == MANY
    assert {one.reviewer for one in reviews.all()} == {"a", "b", "c"}


said = st.tuples(
    st.sampled_from(["ada", "bo"]),
    st.builds(
        Change,
        question=st.sampled_from(["a?", "b?"]),
        retriever=st.just(WALK),
        verdict=st.sampled_from([None, "", "pass", "fail"]),
        note=st.sampled_from([None, "", "x"]),
        on=st.sampled_from([(), (1,), (2,)]),
        off=st.sampled_from([(), (1,)]),
    ),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(acts=st.lists(st.one_of(said, st.sampled_from(["ada", "bo"])), max_size=8))
def test_reviews_are_what_was_said_and_not_taken_back(
    acts: list[tuple[str, Change] | str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    reviews = Reviews(tmp_path_factory.mktemp("reviews"))
    stacks: dict[str, list[dict[str, Review]]] = {"ada": [{}], "bo": [{}]}
    for act in acts:
        if isinstance(act, str):
            reviews.undo(act)
            if len(stacks[act]) > 1:
                stacks[act].pop()
            continue
        who, one = act
        (now,) = reviews.say(who, [one])
        before = stacks[who][-1]
        blank = Review(who, one.question, WALK)
        if one.apply_to(before.get(one.question, blank)) != before.get(one.question, blank):
            stacks[who].append(
                {**before, one.question: one.apply_to(before.get(one.question, blank))}
            )
        assert now.verdict == stacks[who][-1].get(one.question, blank).verdict
    for who, stack in stacks.items():
        found = {one.question: (one.verdict, one.note, one.labels) for one in reviews.all(who)}
        wanted = {q: (one.verdict, one.note, one.labels) for q, one in stack[-1].items() if one}
        assert found == wanted

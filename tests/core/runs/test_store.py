"""Runs as they are kept: listed, paged, narrowed, renamed, deleted."""

import random
from itertools import count
from pathlib import Path

import pytest

from core.errors import InputError, RunUnreadable, StoreError
from core.evaluation.outcomes import LOST_GOLD
from core.funnel.data import Fate
from core.measures import MEASURES, STORED, measured
from core.runs import Column, Other, Row, Run, Runs, Where, hops_of
from core.store.locking.sqlite_file import SmallFile
from core.types import Query

FATE = Fate("p1", "p1", "cut", rank=23, score=0.4, margin=0.01)
QUESTIONS = [
    Query("a", "Who was Ada?", ("A poet",), ("p1", "p2"), "bridge", "wiki", "x.json", {"hops": 3}),
    Query("b", "Where is the Ash?", gold=("p3",), type="single", dataset="wiki"),
    Query("c", "Is 100% of it_ true?", fields={"lang": "en", 'a"b.c': "odd"}),
]
numbers = count()


def begun(runs: Runs, *retrievers: str, name: str = "First") -> Run:
    run = Run(
        id=f"r{next(numbers)}",
        name=name,
        made_at="2024-05-01T10:00:00+00:00",
        question_set="index",
        questions=0,
        columns=tuple(Column(each, f"c-{each}") for each in retrievers),
        content="content",
        settings={"embedder": "words"},
    )
    return runs.begin(run, QUESTIONS)


def row(retriever: str, question: Query, *ranks: int | None, **more: object) -> Row:
    found = dict(zip(question.gold, ranks, strict=True))
    return Row(retriever, question, found, ("p9", "p8"), **more)  # type: ignore[arg-type]


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


@pytest.fixture
def run(runs: Runs) -> Run:
    """Two retrievers: `bm25` finds half of a, nothing of b; `dense` all of a, nothing of b."""
    run = begun(runs, "bm25", "dense")
    a, b, c = QUESTIONS
    runs.append(
        run.id,
        [
            row("bm25", a, None, 2, fates=(FATE,), seconds=0.5, calls=2, tokens=90, found=(0, 1)),
            row("bm25", b, None, absent=("p3",)),
            row("bm25", c),
            row("dense", a, 1, 2),
            row("dense", b, None),
            row("dense", c),
        ],
    )
    return run


def ids(rows: list[Row]) -> list[str]:
    return [each.question.id for each in rows]


def test_what_is_kept_comes_back_as_it_was(runs: Runs, run: Run):
    assert runs.all() == [run]
    assert runs.questions(run.id) == QUESTIONS
    kept = runs.row(run.id, "bm25", "a")
    assert kept == row(
        "bm25", QUESTIONS[0], None, 2, fates=(FATE,), seconds=0.5, calls=2, tokens=90, found=(0, 1)
    )
    assert kept.recall == 1 / 2
    assert kept.stages == ("cut",)
    assert run.configuration("dense") == "c-dense"
    assert runs.row(run.id, "bm25", "elsewhere") is None


DAMAGES = [
    ("rows", "fates", "{"),
    ("rows", "fates", '["p1"]'),
    ("rows", "fates", '[{"gold": "p1"}]'),
    ("rows", "fates", '[{"gold": "p1", "passage": "p1", "stage": "lost"}]'),
    ("rows", "ranks", "7"),
    ("rows", "hits", ""),
    ("questions", "gold", "7"),
    ("questions", "fields", "[1]"),
]


@pytest.mark.parametrize(("table", "column", "content"), DAMAGES)
def test_what_cannot_be_read_is_said_by_the_name_of_its_run(
    runs: Runs, run: Run, table: str, column: str, content: str
):
    whole = begun(runs, "bm25", name="Second")
    runs.append(whole.id, [row("bm25", QUESTIONS[0], 1, 2)])
    with SmallFile(runs.path, ()).transaction() as written:
        written.execute(f"UPDATE {table} SET {column} = ? WHERE run = ?", (content, run.id))
    with pytest.raises(RunUnreadable, match=r"results of First.*Evaluate again"):
        runs.rows(run.id, "bm25")
    assert ids(runs.rows(whole.id, "bm25")) == ["a"]


def test_a_fate_of_before_has_what_is_known_of_it(runs: Runs, run: Run):
    with SmallFile(runs.path, ()).transaction() as written:
        old = '[{"gold": "p1", "passage": "p1", "stage": "far", "hop": 5}]'
        written.execute("UPDATE rows SET fates = ? WHERE question = 'a'", (old,))
    kept = runs.row(run.id, "bm25", "a")
    assert kept
    assert kept.fates == (Fate("p1", "p1", "far", hop=5),)


def test_a_run_whose_settings_are_damaged_is_listed_without_them(runs: Runs, run: Run):
    with SmallFile(runs.path, ()).transaction() as written:
        written.execute("UPDATE runs SET settings = '{'")
    assert [one.settings for one in runs.all()] == [{}]


def test_nothing_is_there_before_the_first(runs: Runs):
    assert runs.all() == []
    with pytest.raises(InputError, match="no run"):
        runs.get("any")
    assert not runs.path.exists()


def test_worst_first_and_without_gold_last(runs: Runs, run: Run):
    assert ids(runs.rows(run.id, "bm25")) == ["b", "a", "c"]
    assert ids(runs.rows(run.id, "bm25", order="best")) == ["a", "b", "c"]
    assert ids(runs.rows(run.id, "bm25", order="asked", limit=1, offset=1)) == ["b"]


def test_orders_against_another_retriever(runs: Runs, run: Run):
    against = Where(other=Other(run.id, "dense"))
    assert ids(runs.rows(run.id, "bm25", against, order="regressions"))[0] == "a"
    other = Where(other=Other(run.id, "bm25"))
    assert ids(runs.rows(run.id, "dense", other, order="apart"))[:2] == ["a", "b"]
    with pytest.raises(ValueError, match="another retriever"):
        runs.rows(run.id, "bm25", order="apart")


def test_the_same_words_are_one_question_in_two_runs(runs: Runs, run: Run):
    later = begun(runs, "bm25", name="Second")
    runs.append(later.id, [row("bm25", QUESTIONS[0], 1, 1)])
    won = Where(other=Other(run.id, "bm25"), won="better")
    assert ids(runs.rows(later.id, "bm25", won)) == ["a"]
    assert [each.name for each in runs.all()] == ["Second", "First"]


def test_a_seed_gives_an_order_of_its_own(runs: Runs):
    run = begun(runs, "bm25")
    some = [Query(str(n), f"Question {n}?") for n in range(30)]
    runs.delete(run.id)
    run = runs.begin(run, some)
    runs.append(run.id, [row("bm25", each) for each in some])
    first = ids(runs.rows(run.id, "bm25", order="random", seed=1))
    assert first == ids(runs.rows(run.id, "bm25", order="random", seed=1))
    assert first != ids(runs.rows(run.id, "bm25", order="random", seed=2))
    places = [runs.place(run.id, "bm25", one, order="random", seed=1) for one in first]
    assert places == list(range(1, len(first) + 1))
    narrowed = Where(questions=(first[1],))
    assert runs.place(run.id, "bm25", first[1], narrowed) == 1
    assert runs.place(run.id, "bm25", first[0], narrowed) is None
    assert sorted(first) == sorted(each.id for each in some)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (Where(stages=("cut",)), ["a"]),
        (Where(outcomes=("partly",)), ["a"]),
        (Where(outcomes=("not in the index", "no gold")), ["b", "c"]),
        (Where(text="ASH"), ["b"]),
        (Where(text="100%"), ["c"]),
        (Where(text="_"), ["c"]),
        (Where(fields=(("dataset", "wiki"), ("type", "bridge"))), ["a"]),
        (Where(fields=(("hops", "3"),)), ["a"]),
        (Where(fields=(("hops", "1"),)), ["b"]),
        (Where(fields=(("lang", "en"),)), ["c"]),
        (Where(fields=(('a"b.c', "odd"),)), ["c"]),
        (Where(measure=("R@5", 0.5)), ["a"]),
        (Where(questions=("c", "a")), ["a", "c"]),
    ],
)
def test_narrowed(runs: Runs, run: Run, where: Where, expected: list[str]):
    assert ids(runs.rows(run.id, "bm25", where, order="asked")) == expected
    assert runs.count(run.id, "bm25", where) == len(expected)


def test_gold_that_the_index_does_not_hold_is_lost_gold(runs: Runs, run: Run):
    some = row("dense", QUESTIONS[0], 1, None, absent=("p2",))
    assert some.outcome in LOST_GOLD
    runs.append(run.id, [some])
    with SmallFile(runs.path, ()).transaction() as written:  # as earlier versions called it
        written.execute("UPDATE rows SET outcome = 'found' WHERE question = 'a'")
    assert ids(runs.rows(run.id, "dense", Where(outcomes=LOST_GOLD), order="asked")) == ["a", "b"]
    assert not runs.count(run.id, "dense", Where(outcomes=("found",)))


def test_the_measures_of_a_row(runs: Runs, run: Run):
    found = runs.measures(run.id, "bm25")
    names = dict(
        zip(("R@2", "R@5", "R@10", "R@20", "nDCG@10", "RR", "AP"), found["a"], strict=False)
    )
    assert names["R@2"] == 1 / 2
    assert names["RR"] == 1 / 2
    assert names["AP"] == (1 / 2) / 2
    assert found["c"] == (None,) * len(MEASURES)
    assert runs.stages(run.id, "bm25") == {"cut": 1}


def test_a_row_that_is_measured_again_takes_its_place(runs: Runs, run: Run):
    runs.append(run.id, [row("bm25", QUESTIONS[0], 1, 2)])
    assert runs.count(run.id, "bm25") == 3
    assert runs.stages(run.id, "bm25") == {}
    assert runs.asked(run.id, "bm25") == {"a", "b", "c"}


def test_renamed_and_deleted(runs: Runs, run: Run):
    runs.rename(run.id, "  After   the mend ")
    runs.end(run.id, "stopped", "The budget is used up.")
    kept = runs.get("After the mend")
    assert (kept.state, kept.message) == ("stopped", "The budget is used up.")
    with pytest.raises(InputError, match="name"):
        runs.rename(run.id, " ")
    other = begun(runs, "bm25", name="Other")
    runs.delete(run.id)
    assert runs.all() == [other]
    assert runs.count(run.id, "bm25") == 0


def test_a_column_from_elsewhere_joins_a_run(runs: Runs, run: Run):
    runs.add_column(run.id, Column("elsewhere"))
    assert runs.get(run.id).retrievers == ("bm25", "dense", "elsewhere")
    with pytest.raises(InputError, match="already"):
        runs.add_column(run.id, Column("dense"))


def test_a_damaged_file_is_said(runs: Runs):
    runs.path.write_bytes(random.Random(0).randbytes(5000))
    with pytest.raises(StoreError, match=r"runs\.sqlite"):
        runs.all()


def test_hops_are_told_or_counted():
    assert [hops_of(each) for each in QUESTIONS] == [3, 1, 0]


ADDED = MEASURES[len(STORED) :]


def as_before(runs: Runs) -> None:
    """Make the file one of an earlier version, which had nothing but columns for its measures."""
    with SmallFile(runs.path, ()).transaction() as written:
        written.execute("DROP TABLE measured")
        written.execute("DROP TABLE lists")


def test_a_file_of_before_has_the_measures_of_today(runs: Runs, run: Run):
    before = runs.measures(run.id, "bm25")
    p_5 = Where(measured_by="P@5")
    as_before(runs)
    content = runs.path.read_bytes()
    assert runs.measures(run.id, "bm25") == before
    assert before["a"] == measured([{"p1": None, "p2": 2}])[0]
    assert dict(zip(MEASURES, before["a"], strict=True))["R@1000 tokens"] is None
    assert ids(runs.rows(run.id, "bm25", p_5, order="best")) == ["a", "b", "c"]
    assert ids(runs.rows(run.id, "dense", Where(measure=("P@5", 2 / 5)))) == ["a"]
    assert runs.path.read_bytes() == content  # it may be in a folder that nobody may write
    runs.append(run.id, [row("bm25", QUESTIONS[1], 4)])
    after = runs.measures(run.id, "bm25")
    assert (after["a"], after["b"]) == (before["a"], measured([{"p3": 4}])[0])


def test_measures_of_a_damaged_row_do_not_keep_the_others_from_being_read(runs: Runs, run: Run):
    as_before(runs)
    with SmallFile(runs.path, ()).transaction() as written:
        written.execute("UPDATE rows SET ranks = '{' WHERE question = 'b'")
    found = runs.measures(run.id, "bm25")
    assert dict(zip(MEASURES, found["a"], strict=True))["P@5"] == 1 / 5
    assert dict(zip(MEASURES, found["b"], strict=True))["P@5"] is None


def test_lengths_and_scores_are_kept_beside_the_rows(runs: Runs):
    run = begun(runs, "bm25")
    a, b, _ = QUESTIONS
    told = row("bm25", a, 1, 2, scores=(2.5, 1 / 3), lengths=(900, 200))
    runs.append(run.id, [told, row("bm25", b, None)])
    assert runs.scores(run.id, "bm25") == {"a": (2.5, 1 / 3), "b": ()}
    assert runs.lengths(run.id, "bm25") == {"a": (900, 200)}
    found = runs.measures(run.id, "bm25")
    tokens = MEASURES.index("R@1000 tokens")
    assert (found["a"][tokens], found["b"][tokens]) == (1 / 2, None)


def test_a_retriever_is_removed_with_all_that_was_measured_of_it(runs: Runs, run: Run):
    with pytest.raises(InputError, match="no retriever 'bm26'"):
        runs.remove_column(run.id, "bm26")
    runs.remove_column(run.id, "bm25")
    assert runs.get(run.id).retrievers == ("dense",)
    for table in ("rows", "golds", "reasons", "lists", "measured"):
        assert not runs.read(f"SELECT 1 FROM {table} WHERE retriever = 'bm25'")
    assert runs.count(run.id, "dense") == 3
    with pytest.raises(InputError, match="Delete the run instead"):
        runs.remove_column(run.id, "dense")


def test_a_ranking_without_a_trace_says_what_became_of_its_gold(runs: Runs, run: Run):
    """Also one that an earlier version imported, of which nothing but ranks is stored."""
    kept = runs.row(run.id, "dense", "b")
    assert kept
    assert [fate.words for fate in kept.fates] == ["not in the ranking"]
    held = runs.row(run.id, "bm25", "b")
    assert held
    assert [fate.words for fate in held.fates] == ["not in the index"]

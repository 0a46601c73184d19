"""The Compare page: the form, the columns beside one another, and the ways through it."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.compare.contract import RankingsData
from core.errors import InputError
from core.retrievers import Spec
from core.retrievers.baselines.bm25 import Bm25
from core.retrievers.baselines.dense import Dense
from core.steps import Step
from core.store.index import Index
from pages.components.compare import presenter_view
from pages.components.compare.default_pair import pair_position
from pages.components.compare.form import MOST_TOP_K
from tests.pages import journeys
from tests.pages.compare.comparing import ALL_FOUR, APP, asked, html, opened
from tests.pages.conftest import QUESTION, TINY


def heads(app: AppTest) -> list[str]:
    return re.findall(r"hop-col-head.*?<b>(.*?)</b>", html(app))


def labels(app: AppTest, column: int) -> list[str]:
    return [b.label for b in app.button if (b.key or "").startswith(f"compare_hit_{column}_")]


def cards(app: AppTest) -> list[str]:
    return [block.value for block in app.get("html") if "hop-hit-head" in block.value]


@pytest.mark.usefixtures("tiny_home")
def test_without_a_question_the_page_offers_those_of_the_corpus() -> None:
    app = opened()
    assert app.button(key="question_row_0").label.startswith("In which town was the owner")
    assert not cards(app)
    app.button(key="question_row_0").click().run()
    assert app.text_input(key="ask_question").value == QUESTION.text
    assert heads(app) == ["BM25", "Dense", "Hybrid", "HopRAG (coverage)"]


@pytest.mark.usefixtures("valid_charts")
def test_columns_rank_what_their_retrievers_rank(tiny_index: Index) -> None:
    app = asked()
    assert heads(app) == ["BM25", "Dense", "Hybrid", "HopRAG (coverage)"]
    for column in range(4):
        assert [label.split(".")[0].rstrip("\\") for label in labels(app, column)] == list("1234")
    titles = {p.title for p in tiny_index.passages if p.id != "sly"}
    assert set(re.findall(r"hop-hit-title' dir='auto'>([^<&]*)</div>", html(app))) <= titles


@pytest.mark.usefixtures("tiny_home")
def test_gold_is_marked_and_its_ranks_are_in_the_table() -> None:
    app = asked(top_k=6)
    gold = [card for card in cards(app) if "★" in card]
    assert {re.search(r"title' dir='auto'>(.*?)<", card)[1] for card in gold} == {  # type: ignore[index]
        "Mara Quist",
        "Port Selby",
    }
    table = next(block.value for block in app.get("html") if "In the top 6" in block.value)
    assert "Mara Quist" in table
    assert "Port Selby" in table
    assert "of 2</b>" in table


@pytest.mark.usefixtures("tiny_home")
def test_gold_that_is_lost_is_pinned_at_the_end_of_its_column_and_opens() -> None:
    app = asked("bm25,hoprag-coverage(n_hop=1)", top_k=1)
    lost = [button for button in app.button if (button.key or "").startswith("compare_lost_")]
    assert lost
    assert all(re.search(r": .", button.label) for button in lost)
    pinned = [block for block in cards(app) if "hop-hit-lost" in block]
    assert len(pinned) == len(lost)
    assert all("★" in block for block in pinned)
    lost[0].click().run()
    assert not app.exception
    assert app.button(key="compare_passage_gold")


@pytest.mark.usefixtures("tiny_home")
def test_the_first_column_is_what_the_others_are_compared_with() -> None:
    app = asked("bm25,dense", top_k=6)
    first, other = cards(app)[: len(labels(app, 0))], cards(app)[len(labels(app, 0)) :]
    assert not any("hop-move" in card for card in first)
    assert other
    assert all("hop-move" in card or "only" in card for card in other)


@pytest.mark.usefixtures("tiny_home")
def test_the_overlap_of_a_retriever_with_all_passages_is_complete() -> None:
    app = asked("dense,hybrid", top_k=6)
    matrix = next(block.value for block in app.get("html") if "hop-matrix" in block.value)
    assert matrix.count(">6</td>") == 2


@pytest.mark.usefixtures("tiny_home")
def test_a_column_that_fails_shows_its_error_and_the_others_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(self: Dense, query: str) -> Iterator[Step]:
        raise InputError("The vectors are *gone*: build the index again.")
        yield

    monkeypatch.setattr(Dense, "retrieve", broken)
    app = asked("bm25,dense,hybrid")
    assert [error.value.replace("\\", "") for error in app.error] == [
        "The vectors are *gone*: build the index again."
    ]
    assert heads(app) == ["BM25", "Dense", "Hybrid"]
    assert len(labels(app, 0)) == len(labels(app, 2)) > 0
    assert not labels(app, 1)


@pytest.mark.usefixtures("tiny_home")
def test_an_error_of_ours_alone_is_shown_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Bm25, query: str) -> Iterator[Step]:
        raise RuntimeError("a mistake in the program")
        yield

    monkeypatch.setattr(Bm25, "retrieve", broken)
    app = AppTest.from_file(str(APP), default_timeout=20)
    for name, value in {"index": TINY, "q": "club", "with": "bm25,dense"}.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("pages/compare.py").run()
    assert app.exception


@pytest.mark.usefixtures("tiny_home")
def test_one_alone_is_refused_with_the_reason() -> None:
    app = asked("bm25")
    assert app.warning[0].value == "Choose two to four retrievers to compare; 1 selected\\."
    assert not cards(app)


@pytest.mark.usefixtures("tiny_home")
@pytest.mark.parametrize(
    ("keys", "shown", "said"),
    [
        (f"{ALL_FOUR},hybrid-rrf", 4, "Left out: Hybrid RRF. You can compare at most four"),
        ("bm25,dense,bm25", 2, "BM25 is listed more than once and shown once."),
        ("hybrid-rrf,hybrid-rrf(k0=5),dense", 3, ""),
    ],
)
def test_what_an_address_names_and_is_not_shown_is_said(keys: str, shown: int, said: str) -> None:
    app = asked(keys)
    assert len(heads(app)) == shown
    told = " ".join(one.value.replace("\\", "") for one in app.info)
    assert (said in told) if said else not told


@pytest.mark.usefixtures("tiny_home")
@pytest.mark.parametrize(
    ("params", "named", "shown"),
    [
        ({"with": "bm25,telepathy"}, "unknown retrievers: 'telepathy'", 0),
        ({"with": "bm25,dense(top_k"}, "'=' is missing at the end", 0),
        ({"with": "bm25,dense(n_hop=2)"}, "dense has no setting 'n_hop'", 2),
        ({"with": "a,bm25,b,dense"}, "unknown retrievers: 'a' and 'b'", 2),
        ({"k": "0"}, f"k='0' is not a number from 1 to {MOST_TOP_K}", 4),
        ({"k": "many"}, "k='many'", 4),
    ],
)
def test_what_makes_no_sense_in_an_address_is_named_and_the_rest_is_asked(
    params: dict[str, str], named: str, shown: int
) -> None:
    app = opened(q="club", **params)
    assert named in app.warning[0].value.replace("\\", "")
    assert len(heads(app)) == shown
    assert bool(cards(app)) == bool(shown)


@pytest.mark.usefixtures("tiny_home")
def test_a_question_in_another_script_is_answered_or_says_why() -> None:
    app = asked(question="谁拥有这家俱乐部？")
    assert heads(app)
    assert not app.error


@pytest.mark.usefixtures("tiny_home")
def test_titles_with_markup_stay_text() -> None:
    app = asked(top_k=6)
    assert "&lt;b&gt;Sly&lt;/b&gt;" in html(app)
    assert "<b>Sly" not in html(app)
    assert all("![" not in label for label in labels(app, 0))


@pytest.mark.usefixtures("tiny_home")
def test_a_passage_opens_and_can_be_marked_gold_by_hand() -> None:
    app = asked("bm25,dense", top_k=3, question="Who toured with the Low Tide Band?")
    assert "This question has no known gold" in html(app)
    app.button(key="compare_hit_0_1").click().run()
    assert "He toured with the Low Tide Band." in html(app)
    app.button(key="compare_passage_gold").click().run()
    assert "Both find the gold passage, at rank 1." in html(app)
    assert "The rankings differ from rank " in html(app)


@pytest.mark.usefixtures("tiny_home")
def test_the_command_line_asks_the_same() -> None:
    command = asked("bm25,dense", top_k=3).code[0].value
    assert command.count("python -m core ask") == 2
    assert "--retriever dense --top-k 3" in command


@pytest.mark.usefixtures("tiny_home")
def test_coming_back_by_the_menu_goes_on_where_the_page_was_left() -> None:
    app = asked("bm25,dense", top_k=3)
    app.switch_page("pages/explore.py").run()
    app.query_params.clear()
    app.switch_page("pages/compare.py").run()
    assert heads(app) == ["BM25", "Dense"]
    assert app.text_input(key="ask_question").value == QUESTION.text


@pytest.mark.usefixtures("tiny_home")
def test_one_retriever_stands_twice_with_other_settings() -> None:
    app = asked("hoprag-coverage,hoprag-coverage(n_hop=1,entry=node),bm25(top_k=50)", top_k=3)
    assert heads(app) == ["HopRAG (coverage)", "HopRAG (coverage)", "BM25"]
    assert "hops 1 · seed selection node" in html(app)
    assert len(set(re.findall(r"title='(HopRAG[^'&.]*)'", html(app)))) == 2
    assert "--retriever 'hoprag-coverage(n_hop=1,entry=node)' --top-k 3" in app.code[0].value
    app.button(key="compare_trace_1").click().run()
    assert not app.exception
    retriever = app.query_params["retriever"]
    assert retriever in (
        ["hoprag-coverage(top_k=3,n_hop=1,entry=node)"],
        "hoprag-coverage(top_k=3,n_hop=1,entry=node)",
    )


@pytest.mark.usefixtures("tiny_home")
def test_one_more_is_added_with_its_settings() -> None:
    app = asked("bm25,dense")
    app.selectbox(key="ask_retriever_2").set_value("hybrid-rrf").run()
    assert heads(app) == ["BM25", "Dense", "Hybrid RRF"]  # what costs nothing is asked at once
    group(app, "ask_place").set_value(2).run()
    app.number_input(key="ask_set_k0").set_value(5).run()
    app.number_input(key="ask_set_top_k").set_value(3).run()
    submit(app)
    assert heads(app) == ["BM25", "Dense", "Hybrid RRF"]
    assert param(app, "with") == "bm25,dense,hybrid-rrf(k0=5)"
    assert [len(labels(app, column)) for column in range(3)] == [3, 3, 3]


@pytest.mark.usefixtures("tiny_home")
def test_beside_one_that_has_to_be_built_a_free_one_is_asked_at_once_and_so_it_is_again() -> None:
    app = asked("hipporag2,bm25")
    for _ in range(2):
        app.selectbox(key="ask_retriever_1").set_value("dense").run()
        assert heads(app) == ["HippoRAG 2", "Dense"]
        app.query_params["with"] = "hipporag2,bm25"  # as Back does
        app.run()
        assert heads(app) == ["HippoRAG 2", "BM25"]


@pytest.mark.usefixtures("tiny_home")
@pytest.mark.parametrize("cleared", ["", None])  # the first of the list, and the cross beside it
def test_the_third_and_the_fourth_can_be_none_again(cleared: str | None) -> None:
    app = asked()
    for place, left in ((3, ["BM25", "Dense", "Hybrid"]), (2, ["BM25", "Dense"])):
        assert is_clearable(app, place)
        assert app.selectbox(key=f"ask_retriever_{place}").options[0] == "None"
        app.selectbox(key=f"ask_retriever_{place}").set_value(cleared).run()
        assert heads(app) == left
        assert app.selectbox(key=f"ask_retriever_{place}").value is None
        assert app.selectbox(key=f"ask_retriever_{place}").proto.placeholder == "None"
    assert param(app, "with") == "bm25,dense"
    for place in (0, 1):
        assert not is_clearable(app, place)
        assert "None" not in app.selectbox(key=f"ask_retriever_{place}").options


def is_clearable(app: AppTest, place: int) -> bool:
    """Whether the browser shows the cross that clears a choice: where nothing is its default."""
    return not app.selectbox(key=f"ask_retriever_{place}").proto.HasField("default")


def submit(app: AppTest) -> None:
    app.button(key="ask_submit").click().run()
    assert not app.exception


@pytest.mark.usefixtures("tiny_home")
def test_the_row_of_a_question_is_the_same_in_all_views() -> None:
    app = opened(q=QUESTION.text, **{"with": "hoprag-coverage,bm25,dense"})
    rows = {}
    for view, most in (("columns", 4), ("difference", 4), ("walkthrough", 1)):
        if view != "columns":
            switch(app, view)
        chosen = [one for one in app.selectbox if (one.key or "").startswith("ask_retriever_")]
        assert len(chosen) == most
        assert chosen[0].value == "hoprag-coverage"
        row = [
            one.key
            for one in (*app.text_input, *app.toggle, *app.button)
            if (one.key or "").startswith(("ask_question", "question", "ask_submit"))
        ]
        rows[view] = [key for key in row if "chip" not in str(key)]
    assert rows["columns"] == rows["difference"] == rows["walkthrough"]


@pytest.mark.usefixtures("tiny_home")
def test_of_several_two_are_chosen_for_a_difference_which_has_the_walk_at_first() -> None:
    several = "bm25,dense,hoprag-coverage"
    app = opened(q=QUESTION.text, show="difference", **{"with": several})
    assert pair(app) == ["bm25", "hoprag-coverage"]
    app.selectbox(key="compare_pair_0").set_value(Spec("dense")).run()
    assert pair(app) == ["dense", "hoprag-coverage"]
    app.selectbox(key="compare_pair_1").set_value(Spec("dense")).run()
    assert pair(app) == ["hoprag-coverage", "dense"]  # they change places
    app.button(key="compare_swap").click().run()
    assert pair(app) == ["dense", "hoprag-coverage"]
    assert (
        "The two retrievals first differ at the start: Dense ranks all passages at once; "
        "HopRAG (coverage) walks from " in html(app)
    )
    assert param(app, "with") == several
    for two in (["bm25", "dense"], ["bm25", "hoprag-coverage"], ["dense", "hoprag-coverage"]):
        app.button(key="compare_next").click().run()
        assert pair(app) == two
    switch(app, "columns")
    assert heads(app) == ["BM25", "Dense", "HopRAG (coverage)"]


@pytest.mark.usefixtures("tiny_home")
@pytest.mark.parametrize(
    ("traced", "columns", "told"),
    [
        (
            "hoprag-coverage",
            "hoprag-coverage,bm25",
            "Comparing HopRAG (coverage) with BM25, a baseline.",
        ),
        ("bm25", "bm25,dense", "Comparing BM25 with Dense, a baseline."),
    ],
)
def test_what_is_traced_is_set_beside_one_baseline_that_is_named(
    traced: str, columns: str, told: str
) -> None:
    app = journeys.opened("trace", index="tiny", q=QUESTION.text, retriever=traced)
    switch(app, "columns")
    assert param(app, "with") == columns
    assert any(told in one.value.replace("\\", "") for one in app.caption)


@pytest.mark.usefixtures("tiny_home")
def test_two_retrievals_are_called_by_their_badges_and_change_places() -> None:
    app = opened(q=QUESTION.text, show="difference", **{"with": "bm25,dense"})
    assert picker(app) == "BM · DE"
    assert feet(app) == ["BM", "DE"]
    app.button(key="compare_swap").click().run()
    assert feet(app) == ["DE", "BM"]
    switch(app, "columns")
    assert picker(app) == "BM · DE"
    switch(app, "difference")
    assert not re.search(r">[AB]<|\b[AB] (has|finds|retrieves|ranks)\b", html(app))


def feet(app: AppTest) -> list[str]:
    """Badges of the two, in their order."""
    return re.findall(r"hop-foot-note'><span class='hop-badge'[^>]*>(\w+)<", html(app))


@pytest.mark.usefixtures("tiny_home")
def test_two_retrievals_with_one_badge_are_numbered() -> None:
    two = "hoprag-coverage,hoprag-coverage(n_hop=1)"
    app = opened(q=QUESTION.text, show="difference", **{"with": two})
    sides = json.loads(json.loads(difference_of(app))["difference"])
    assert [sides[side]["sign"] for side in ("a", "b")] == ["HC1", "HC2"]


def difference_of(app: AppTest) -> str:
    found = (one.proto.json for one in app.get("bidi_component"))
    return next(one for one in found if '"difference"' in one)


@pytest.mark.usefixtures("tiny_home")
def test_of_several_pairs_it_is_told_which_this_is() -> None:
    chosen = {"with": "bm25,dense,hoprag-coverage", "pair": "bm25,dense"}
    app = opened(q=QUESTION.text, show="difference", **chosen)
    for told in ("1 of 3", "2 of 3", "3 of 3", "1 of 3"):
        assert app.button(key="compare_next").label == told
        app.button(key="compare_next").click().run()
    three = tuple(map(Spec, ("bm25", "dense", "hybrid")))
    assert pair_position(three[1::-1], three) == "1 of 3"  # whichever is A


@pytest.mark.usefixtures("tiny_home")
def test_signs_beside_ranks_are_told_once_above_the_columns_and_a_link_leads_there() -> None:
    page = html(asked("bm25,dense"))
    assert (
        page.count("▲ ▼ rank compared with BM25 · = same · + not there · ◆ in one column only") == 1
    )
    assert "Skip to the columns" in page
    assert not re.search(r"<span class='hop-(only|move[^']*)'>(only|new)<", page)
    apart = html(opened(q=QUESTION.text, show="difference", **{"with": "bm25,dense"}))
    assert "Skip to the graph" in apart


@pytest.mark.usefixtures("tiny_home")
def test_a_difference_shows_first_who_kept_gold_that_the_reference_lost() -> None:
    app = opened(q=QUESTION.text, k="3", show="difference", **{"with": "hybrid,dense,bm25"})
    assert pair(app) == ["hybrid", "bm25"]
    assert "BM25 finds both gold passages. Hybrid misses " in html(app)


@pytest.mark.usefixtures("tiny_home")
def test_a_pair_of_which_one_is_gone_is_the_usual_one() -> None:
    chosen = {"with": "bm25,dense,hoprag-coverage", "pair": "dense,hybrid"}
    app = opened(q=QUESTION.text, show="difference", **chosen)
    assert pair(app) == ["bm25", "hoprag-coverage"]
    assert "is not among the selected retrievers" in app.info[0].value
    app.selectbox(key="ask_retriever_2").set_value("hoprag-similarity").run()
    assert pair(app) == ["bm25", "hoprag-similarity"]
    assert not app.info


@pytest.mark.usefixtures("tiny_home")
def test_one_that_is_chosen_twice_is_said_to_be() -> None:
    app = asked("bm25,dense")
    app.selectbox(key="ask_retriever_1").set_value("bm25").run()
    (told,) = (block.value for block in app.get("html") if "hop-stale" in block.value)
    assert "BM25 is selected twice with the same settings" in told
    assert heads(app) == ["BM25", "Dense"]


def picker(app: AppTest) -> str:
    """What the list of retrievers is opened by."""
    labels = [one.proto.popover.label.replace("\\", "") for one in app.get("popover")]
    return next(label for label in labels if "BM" in label)


def pair(app: AppTest) -> list[str]:
    """The two that are compared."""
    return [str(app.selectbox(key=f"compare_pair_{place}").value) for place in (0, 1)]


@pytest.mark.usefixtures("tiny_home")
def test_a_cell_says_where_its_passage_was_lost() -> None:
    app = asked("bm25,hoprag-coverage(n_hop=1)", top_k=1)
    table = next(block.value for block in app.get("html") if "In the top 1" in block.value)
    assert "–" not in table
    assert re.search(r"rank \d+, below the top 1\b", table)


@pytest.mark.usefixtures("tiny_home")
def test_the_views_of_a_question_are_gone_to_and_fro() -> None:
    app = opened(q=QUESTION.text, k="4", **{"with": "hoprag-coverage,bm25"})
    switch(app, "difference")
    assert "The two retrievals first differ at the start: HopRAG (coverage) walks from " in html(
        app
    )
    assert app.text_input(key="ask_question").value == QUESTION.text
    switch(app, "walkthrough")
    assert app.text_input(key="ask_question").value == QUESTION.text
    assert param(app, "retriever") == "hoprag-coverage(top_k=4)"


@pytest.mark.usefixtures("tiny_home")
def test_a_rank_that_is_known_is_told_wherever_the_passage_stands() -> None:
    keys = "hoprag-coverage,bm25"
    app = asked(keys, top_k=1)
    table = next(block.value for block in app.get("html") if "In the top 1" in block.value)
    ranks = re.findall(r"rank \d+, below the top 1\b", table)
    page = html(opened(q=QUESTION.text, k="1", show="difference", **{"with": keys}))
    chart = page[page.index("hop-arrival") :]
    assert ranks
    assert all(f"lost: {rank}" in chart for rank in ranks)


@pytest.mark.usefixtures("tiny_home")
def test_the_switch_says_whose_film_it_opens() -> None:
    app = opened(q=QUESTION.text, **{"with": "hoprag-coverage,bm25"})
    options = [one.content for one in group(app, "view_switch").proto.options]
    assert options == ["Walkthrough of HopRAG (coverage)", "Columns", "Difference"]
    switch(app, "walkthrough")
    assert group(app, "view_switch").proto.options[0].content == "Walkthrough"


@pytest.mark.usefixtures("tiny_home")
def test_an_audience_sees_the_rankings_of_the_columns_with_all_their_gold(
    tiny_index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounted: list[RankingsData] = []
    monkeypatch.setattr(
        presenter_view, "_component", lambda: lambda **shown: mounted.append(told(shown))
    )
    app = asked("bm25,dense", top_k=2)
    (shown,) = mounted
    assert (shown["query"], shown["top_k"]) == (QUESTION.text, 2)
    for number, column in enumerate(shown["columns"]):
        assert [f"{row['rank']}\\. {row['title']}" for row in column["rows"]] == labels(app, number)
        gold = [row["title"] for row in (*column["rows"], *column["lost"]) if row["gold"]]
        assert sorted(gold) == sorted(tiny_index.passage(g).title for g in QUESTION.gold)
        kept = sum(bool(row["gold"]) for row in column["rows"])
        assert column["found"] == f"{kept} of {len(gold)} gold"
        assert all(row["loss"] and (row["rank"] or 3) > 2 for row in column["lost"])
    moves = [row["sign"] for row in shown["columns"][0]["rows"]]
    assert set(moves) <= {"", "◆"}  # it is what the other is compared with
    assert all(row["sign"] for row in shown["columns"][1]["rows"])
    for row in shown["columns"][1]["rows"]:
        words = {"only": "in this column only", "new": "not in BM25"}
        assert row["move_told"] == words.get(row["move"], row["move_told"])
        assert row["move_told"].endswith(("BM25", "only"))
    assert "+ not there · ◆ in one column only" in shown["signs"]


def told(shown: dict[str, Any]) -> RankingsData:
    data: RankingsData = json.loads(shown["data"]["rankings"])
    return data


@pytest.mark.usefixtures("tiny_home")
def test_evidence_arrives_in_a_strip_for_each_of_the_two() -> None:
    page = html(opened(q=QUESTION.text, show="difference", **{"with": "hoprag-coverage,bm25"}))
    chart = page[page.index("hop-arrival") :]
    for title in ("Mara Quist", "Port Selby"):
        assert chart.count(f"title='{title}' dir") == 2
    assert chart.count("class='strip'") == chart.count("<th scope='row'") == 2 * 2
    assert chart.count("<td class=''>rank ") > 0
    heads = re.findall(r">(\w+)</span>([^<]*)<em>([\d,]+ steps?)</em>", chart)
    assert [head[:2] for head in heads] == [("HC", "HopRAG (coverage)"), ("BM", "BM25")]
    assert chart.count("title='Hop 1'><u>") == 1  # what BM25 does has no hops


@pytest.mark.usefixtures("tiny_home")
def test_a_difference_with_one_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Dense, query: str) -> Iterator[Step]:
        raise InputError("The vectors are gone: build the index again.")
        yield

    monkeypatch.setattr(Dense, "retrieve", broken)
    app = opened(q=QUESTION.text, show="difference", **{"with": "bm25,dense"})
    assert [error.value for error in app.error] == [
        "The vectors are gone\\: build the index again\\."
    ]


def switch(app: AppTest, view: str) -> None:
    """Choose another view of the question."""
    group(app, "view_switch").set_value(view).run()
    assert not app.exception


def group(app: AppTest, key: str) -> Any:
    return next(one for one in app.get("button_group") if one.key == key)


def param(app: AppTest, name: str) -> str:
    found = app.query_params[name]
    return found if isinstance(found, str) else found[0]

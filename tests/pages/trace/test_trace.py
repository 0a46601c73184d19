"""The Trace page: asking, the film it gets, marking gold, opening and refusing trace files."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.artefacts.workbench import Workbench
from core.marks import Marks
from core.retrievers import Spec, make
from core.spans.received import Received
from core.store.index import Index
from core.traces import dump, record
from pages.components.ask.request import Ask
from pages.components.ask.small_index import SmallIndex, small_index
from pages.components.trace import trace_view
from pages.components.trace.fixes import search_obstacle
from pages.components.walkthrough.component import Wish
from tests.core.fakes import WordEmbedder
from tests.core.spans.recorded import lines, recorded
from tests.pages.conftest import QUESTION
from tests.pages.journeys import checked, last_words, opened, raw, walkthrough, words

NODE = "hoprag-similarity(entry=node)"


def param(at: AppTest, name: str) -> str:
    value = at.query_params[name]
    return value[0] if isinstance(value, list) else value


def traced(index: Index, key: str = "hoprag-similarity") -> bytes:
    workbench = Workbench(index, WordEmbedder())  # type: ignore[arg-type]
    return dump(record(make(key, workbench), QUESTION.text, index, QUESTION.gold))


def keeps(at: AppTest) -> list[dict[str, str]]:
    """The lines on the film's card of lost gold."""
    sent = (json.loads(each.proto.json) for each in at.get("bidi_component") if each.proto.json)
    return next(each["keeps"] for each in sent if "keeps" in each)


def by_hand(at: AppTest) -> list[str]:
    """Titles of the passages that are gold and in no question set."""
    titles = [one["title"] for one in walkthrough(at)["gold"]]
    return [title for title in titles if title not in ("Mara Quist", "Port Selby")]


def upload(at: AppTest, data: bytes) -> AppTest:
    file = ("trace.jsonl", data, "application/jsonl")
    return checked(at.file_uploader(key="trace_upload").set_value(file).run())


def test_nothing_asked_shows_the_questions_of_the_index(tiny_home: Path) -> None:
    at = opened("trace", index="tiny")
    assert not at.get("bidi_component")
    at.button(key="question_row_0").click().run()
    assert "6 passages are retrieved" in last_words(at)
    assert param(checked(at), "q") == QUESTION.text


def test_a_story_has_the_words_that_were_written_for_it(tiny_home: Path) -> None:
    at = opened("trace", index="tiny", q=QUESTION.text)
    at.button(key="trace_story").click().run()
    at.text_input(key="trace_story_title").set_value("<b>Hops</b>")
    at.text_area(key="trace_story_conclusion").set_value("Thank you.")
    checked(at.button(key="trace_story_make").click().run())
    assert any(one.label.startswith("Download (") for one in at.get("download_button"))
    checked(at.button(key="trace_story_change").click().run())
    assert at.text_input(key="trace_story_title").value == "<b>Hops</b>"
    assert at.text_area(key="trace_story_conclusion").value == "Thank you."


def test_a_question_is_traced_to_its_end(tiny_home: Path) -> None:
    at = opened("trace", index="tiny")
    at.number_input(key="ask_set_top_k").set_value(2).run()
    at.text_input(key="ask_question").set_value("Who bought Harbour Rovers?")
    checked(at.button(key="ask_submit").click().run())
    ranking = walkthrough(at)["rankings"][-1]
    assert [row["kept"] for row in ranking["rows"]] == [True, True, False, False]
    assert ranking["cut_off"] == 2
    assert walkthrough(at)["gold"] == []
    assert param(at, "retriever") == "hoprag-coverage(top_k=2)"
    command = at.code[-1].value
    assert command.startswith("python -m core ask 'Who bought Harbour Rovers?' --index ")
    assert "--retriever 'hoprag-coverage(top_k=2)'" in command


@pytest.mark.parametrize(
    ("retriever", "instead"),
    [
        ("hoprag-coverage", "hoprag-coverage(seeds=2)"),
        ("hoprag-coverage(top_k=6)", "hoprag-coverage(top_k=6,seeds=2)"),
        ("hoprag-coverage(seeds=1)", ""),
        ("bm25", ""),
    ],
)
def test_a_walk_that_starts_at_all_passages_offers_one_with_hops(
    retriever: str, instead: str
) -> None:
    small = small_index((Spec.parse(retriever),), 6, edge_ends=6)
    assert small
    assert ("no hop can reach" in small.told, small.action) == (
        (True, "Use 2 seeds") if instead else (False, "")
    )
    assert [str(spec) for spec in small.instead or ()] == ([instead] if instead else [])


def test_an_index_that_has_enough_is_not_spoken_of() -> None:
    assert small_index((Spec.parse("hoprag-coverage"),), 203, edge_ends=150) is None


def test_an_index_without_edges_does_not_call_its_passages_seeds() -> None:
    by_edges = small_index((Spec.parse("hoprag-similarity"),), 6, edge_ends=0)
    assert by_edges
    assert "finds no passage" in by_edges.told
    assert "seeds" not in by_edges.told
    assert [str(spec) for spec in by_edges.instead or ()] == ["hoprag-similarity(entry=hybrid)"]
    by_passages = small_index((Spec.parse("hoprag-coverage"),), 6, edge_ends=0)
    assert by_passages == SmallIndex("The index has no edges, so no hop can reach another passage.")
    few_ends = small_index((Spec.parse("hoprag-similarity(top_k=6)"),), 6, edge_ends=3)
    assert few_ends is None


def test_fewer_seeds_are_asked_at_a_press(tiny_home: Path) -> None:
    asked = {"index": "tiny", "q": QUESTION.text, "with": "bm25,hoprag-coverage"}
    at = opened("compare", **asked)
    checked(at.button(key="ask_seeds").click().run())
    assert param(at, "with") == "bm25,hoprag-coverage(seeds=2)"


def test_the_walkthrough_is_that_of_the_retriever(tiny_home: Path, tiny_index: Index) -> None:
    at = opened("trace", index="tiny", q=QUESTION.text, retriever=NODE)
    trace = record(
        make(NODE, Workbench(tiny_index, WordEmbedder())),  # type: ignore[arg-type]
        QUESTION.text,
        tiny_index,
    )
    made = walkthrough(at)
    assert [row["node"] for row in made["rankings"][-1]["rows"]] == [
        hit.passage_id for hit in trace.steps[-1].hits
    ]
    assert made["query"] == QUESTION.text
    shown = [made["stops"][number]["headline"] for number in made["every"]]
    assert "HopRAG (similarity) retrieves 20 passages." in shown[0]
    assert "6 seed passages enter the queue." in shown[1]
    assert {one["title"] for one in made["gold"]} == {"Mara Quist", "Port Selby"}
    assert made["footer"] in words(at)


def test_the_graph_is_a_view_of_the_address(tiny_home: Path) -> None:
    """It is the same walkthrough, which the browser shows as a graph; the next question, too."""
    for name in ("graph", "focus", "everything"):
        at = opened("trace", index="tiny", q=QUESTION.text, retriever=NODE, view=name, step="3")
        assert walkthrough(at)
        assert param(at, "view") == name
        at.text_input(key="ask_question").set_value("Who bought Harbour Rovers?")
        checked(at.button(key="ask_submit").click().run())
        assert param(at, "view") == name
        assert "step" not in at.query_params


def test_where_it_stands_is_left_to_the_browser(tiny_home: Path) -> None:
    here = {"step": "5", "every": "1"}
    at = opened("trace", index="tiny", q=QUESTION.text, **here)
    assert {name: param(at, name) for name in here} == here
    at.text_input(key="ask_question").set_value("Who bought Harbour Rovers?")
    checked(at.button(key="ask_submit").click().run())
    assert not here.keys() & at.query_params.keys()


def test_an_old_link_opens_the_very_trace(tiny_home: Path) -> None:
    old = {"chooser": "similarity", "entry": "node", "top_k": "3"}
    at = opened("trace", index="tiny", q=QUESTION.text, **old)
    labels = [one.proto.popover.label for one in at.get("popover")]
    said = {label.replace("\\", "") for label in labels}
    assert {"HopRAG (similarity)", "top 3, seed selection node"} <= said
    assert param(at, "retriever") == "hoprag-similarity(top_k=3,entry=node)"
    assert not old.keys() & at.query_params.keys()
    assert walkthrough(at)["rankings"][-1]["cut_off"] == 3


def test_an_empty_question_is_refused_with_the_remedy(tiny_home: Path) -> None:
    at = opened("trace", index="tiny")
    at.text_input(key="ask_question").set_value("  ")
    at.button(key="ask_submit").click().run()
    assert "The query is empty. Type one" in at.error[0].value.replace("\\", "")
    assert at.button(key="question_row_0")


@pytest.mark.usefixtures("tiny_home")
def test_a_question_that_is_too_long_is_not_asked_and_stays_as_it_was_typed() -> None:
    long = "Who bought Harbour Rovers? " * 100
    at = opened("trace", index="tiny", q=QUESTION.text)
    at.text_input(key="ask_question").set_value(long)
    checked(at.button(key="ask_submit").click().run())
    assert "2,699 characters" in at.warning[0].value
    assert at.text_input(key="ask_question").value == long
    assert param(at, "q") == QUESTION.text
    for page in ("trace", "compare"):
        at = opened(page, index="tiny", q=long.strip())
        assert "2,699 characters" in at.warning[0].value
        assert at.text_input(key="ask_question").value == long.strip()
        assert not at.error


def test_a_bad_setting_of_the_address_is_ignored_and_the_question_kept(tiny_home: Path) -> None:
    at = opened("trace", index="tiny")
    for top_k in ("0", "101", "-5", "abc", "", "1e2", "000000001999", "9" * 5000):
        at.query_params["q"], at.query_params["top_k"] = QUESTION.text, top_k
        checked(at.run())
        said = at.warning[0].value.replace("\\", "")
        assert said.startswith("Ignored top_k in the link: ")
        assert "Use a whole number from 1 to 100" in said
        assert not at.error
        assert at.text_input(key="ask_question").value == QUESTION.text
        assert "top_k" not in at.query_params
        assert walkthrough(at)
        assert checked(at.run()).warning  # until something else is asked


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Any], None]:
    """Has a person do something in the walkthrough that is shown next, by its name there."""
    told: list[tuple[str, Any]] = []
    show = trace_view.show_walkthrough

    def show_walkthrough(made: Any, **how: Any) -> Wish | None:
        show(made, **how)
        name, value = told.pop() if told else ("", None)
        if name in how["acts"]:
            how["acts"][name](value)
        return Wish(name, value) if name in how["places"] else None

    monkeypatch.setattr(trace_view, "show_walkthrough", show_walkthrough)
    return lambda name, value: told.append((name, value))


def test_a_passage_is_marked_by_hand_in_the_walkthrough(
    tiny_home: Path, done: Callable[[str, Any], None]
) -> None:
    done("mark", {"passage": "club", "gold": True})
    at = checked(opened("trace", index="tiny", q=QUESTION.text).run())
    assert by_hand(at) == ["Harbour Rovers"]
    (mark,) = Marks(tiny_home / "indexes" / "tiny").all()
    assert (mark.question, mark.passage, mark.gold) == (QUESTION.text, "club", True)


def test_a_window_that_is_older_than_a_mark_does_not_turn_it(
    tiny_home: Path, done: Callable[[str, Any], None]
) -> None:
    marks = []
    for gold in (True, False, False):  # the last in a window that shows the mark still
        done("mark", {"passage": "club", "gold": gold})
        checked(opened("trace", index="tiny", q=QUESTION.text).run())
        at = checked(opened("trace", index="tiny", q=QUESTION.text).run())
        marks.append(by_hand(at))
    assert marks == [["Harbour Rovers"], [], []]


def test_a_passage_of_the_walkthrough_is_explored(
    tiny_home: Path, done: Callable[[str, Any], None]
) -> None:
    at = opened("trace", index="tiny", q=QUESTION.text)
    done("explore", "town")
    checked(at.run())
    assert "hop-title'>Explore" in " ".join(raw(at))
    assert param(at, "passage") == "town"
    assert param(at, "q") == QUESTION.text


def test_a_trace_file_works_without_any_index(tiny_home: Path, tiny_index: Index) -> None:
    data = traced(tiny_index)
    shutil.rmtree(tiny_home / "indexes")
    at = upload(opened("trace"), data)
    assert "From a file" in words(at)
    assert not at.query_params
    assert "are retrieved" in last_words(at)
    assert {one["title"] for one in walkthrough(at)["gold"]} == {"Mara Quist", "Port Selby"}
    at.button(key="trace_close").click().run()
    assert "From a file" not in words(checked(at))
    assert at.button(key="empty_button").label == "Go to Start"


def test_a_one_shot_trace_can_be_played(tiny_home: Path, tiny_index: Index) -> None:
    at = upload(opened("trace", index="tiny"), traced(tiny_index, "bm25"))
    asked, end, chain = walkthrough(at)["stops"]
    assert asked["headline"] == "BM25 retrieves 20 passages."
    assert end["notes"] == ["Both gold passages are retrieved."]
    assert chain["kind"] == "chain"


def test_a_broken_trace_file_is_refused_with_the_remedy(tiny_home: Path, tiny_index: Index) -> None:
    cut_short = traced(tiny_index)[:-200]
    at = upload(opened("trace", index="tiny", q=QUESTION.text), cut_short)
    assert "This trace file cannot be used" in at.error[0].value.replace("\\", "")
    assert "are retrieved" in last_words(at)


def test_titles_are_no_markup_outside_the_walkthrough(tiny_home: Path, tiny_index: Index) -> None:
    at = upload(opened("trace", index="tiny"), traced(tiny_index).replace(b"Harbour", b"<i>Ha</i>"))
    assert "&lt;i&gt;Ha&lt;/i&gt;" in " ".join(raw(at))
    assert "<i>Ha</i>" not in " ".join(raw(at))
    assert "<i>Ha</i> Rovers" in walkthrough(at)["query"]


def test_where_rules_stand_in_for_a_model_a_change_is_looked_for(
    tiny_home: Path, done: Callable[[str, Any], None]
) -> None:
    lost = {"index": "tiny", "q": QUESTION.text, "retriever": "ircot(top_k=1)"}
    (look,) = keeps(opened("trace", **lost))
    assert look["action"].startswith("What would retrieve ")
    done("keep", look["value"])
    told = [one["told"] for one in keeps(checked(opened("trace", **lost).run()))]
    assert any(one.startswith("Top k ") for one in told)


def test_what_asks_a_model_says_that_no_change_is_looked_for(tiny_index: Index) -> None:
    asked = Ask(QUESTION.text, Spec("ircot"))
    oracle: Any = object()
    bench = Workbench(tiny_index, WordEmbedder(), oracle)  # type: ignore[arg-type]
    assert search_obstacle(asked, bench) == (
        "No search for a fix: IRCoT calls a model, so every attempt would too."
    )
    assert search_obstacle(asked, bench.with_oracle(None)) == ""


def test_lost_gold_says_what_would_keep_it_and_is_replayed_with_it(
    tiny_home: Path, done: Callable[[str, Any], None]
) -> None:
    lost = {"index": "tiny", "q": QUESTION.text, "retriever": "bm25(top_k=1)"}
    (look,) = keeps(opened("trace", **lost))
    assert look["action"].startswith("What would retrieve ")
    assert look["searches"]  # for an audience, without a click
    done("keep", look["value"])
    at = checked(opened("trace", **lost).run())
    head, first, *_ = keeps(at)
    assert head["told"] == "For both"
    assert not any(one.get("searches") for one in keeps(at))
    assert first["action"] == "Replay with this"
    assert first["told"].startswith("Top k ")
    done("keep", first["value"])
    at = checked(checked(at.run()).run())
    assert param(at, "retriever") != "bm25(top_k=1)"
    assert next(one for one in walkthrough(at)["gold"] if one["nodes"])["retrieved"]


def test_spans_of_a_pipeline_play_and_are_chosen_by_their_questions(tiny_home: Path) -> None:
    at = opened("trace", index="tiny")
    upload(at, recorded("langchain-agent", "spans"))
    chosen = at.selectbox(key="trace_result")
    assert chosen.options[0].startswith("1 of 6: Which")
    assert walkthrough(at)["title"] == "langchain-agent"
    checked(chosen.set_value(5).run())
    assert walkthrough(at)["query"] == chosen.options[5].removeprefix("6 of 6: ")


def test_received_spans_are_opened(tiny_home: Path) -> None:
    received = Received(tiny_home)
    for request in lines("langchain-agent", "spans"):
        received.put(request)
    at = opened("trace", index="tiny")
    checked(at.button(key="trace_received").click().run())
    assert walkthrough(at)["title"] == "langchain-agent"

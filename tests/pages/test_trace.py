"""The Trace page: asking, stepping, marking gold, opening and refusing trace files."""

import re
import shutil
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from core.artefacts.workbench import Workbench
from core.retrievers import make
from core.store.index import Index
from core.traces import dump, load, record
from pages.components.graph.graph_view import Selection
from pages.components.trace.rows import GRAPH
from tests.core.fakes import WordEmbedder
from tests.pages.conftest import QUESTION

APP = str(Path(__file__).parent.parent.parent / "app.py")


def open_page(**params: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=30).run()
    for name, value in params.items():
        at.query_params[name] = value
    at.switch_page("pages/trace.py").run()
    return whole(at)


def whole(at: AppTest) -> AppTest:
    assert not at.exception
    return at


def press(at: AppTest, name: str) -> AppTest:
    return whole(at.button(key=f"player_{name}").click().run())


def text(at: AppTest) -> str:
    """The page's HTML as it is read, with single spaces."""
    html = " ".join(str(element.proto.body) for element in at.get("html"))
    bare = re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(bare).split())


def param(at: AppTest, name: str) -> str:
    value = at.query_params[name]
    return value[0] if isinstance(value, list) else value


def traced(index: Index, key: str = "hoprag-similarity") -> bytes:
    workbench = Workbench(index, WordEmbedder())  # type: ignore[arg-type]
    return dump(record(make(key, workbench), QUESTION.text, index, QUESTION.gold))


def upload(at: AppTest, data: bytes) -> AppTest:
    file = ("trace.jsonl", data, "application/jsonl")
    return whole(at.file_uploader(key="trace_upload").set_value(file).run())


def test_nothing_asked_shows_questions_as_chips(tiny_home: Path) -> None:
    at = open_page(index="tiny")
    at.button(key="question_chip_q1").click().run()
    assert "The end: 6 passages are kept; 'Harbour Rovers' ranks first." in text(whole(at))
    assert param(at, "q") == QUESTION.text


def test_a_question_is_traced_to_its_end(tiny_home: Path) -> None:
    at = open_page(index="tiny")
    at.number_input(key="ask_set_top_k").set_value(2).run()
    at.text_input(key="ask_question").set_value("Who bought Harbour Rovers?")
    at.button(key="ask_submit").click().run()
    shown = text(whole(at))
    assert "2 kept of 4" in shown
    assert "2 of 4 kept" in shown
    assert "pruned: cut-off" in shown
    assert "No gold passage is known" in shown
    assert param(at, "retriever") == "hoprag-coverage(top_k=2)"
    assert param(at, "t") == shown.split(" / ")[1].split()[0]
    command = at.code[-1].value
    assert command.startswith("python -m core ask 'Who bought Harbour Rovers?' --index ")
    assert "--retriever 'hoprag-coverage(top_k=2)'" in command


def test_steps_move_every_panel(tiny_home: Path) -> None:
    at = open_page(index="tiny", q=QUESTION.text, chooser="similarity", entry="node")
    at = press(at, "first")
    assert "1 / " in text(at)
    assert f"The question is asked: '{QUESTION.text}'" in text(at)
    assert "★ Mara Quist not seen yet" in text(at)
    at = press(at, "forward")
    assert "6 passages start the queue" in text(at)
    assert "Queue 6 waiting · 6 joined, 0 left" in text(at)
    assert "Entries 6 of 6 passages scored keywords meaning" in text(at)
    assert "if pruned now: all are kept" in text(at)
    assert re.search(r"★ Mara Quist rank \d", text(at))
    at = press(press(at, "forward"), "forward")
    assert "Queue 5 waiting · 0 joined, 1 left" in text(at)
    assert "1 chosen of" in text(at)
    assert param(at, "t") == "4"
    at = press(at, "back")
    assert "Hop 1 begins: 6 passages wait in the queue." in text(at)
    at = press(at, "last")
    assert "The end: " in text(at)


def test_by_hop_a_round_is_one_step(tiny_home: Path) -> None:
    at = press(open_page(index="tiny", q=QUESTION.text, grain="hop", t="2"), "forward")
    assert re.search(r"Hop 1: 6 passages taken from the queue, \d+ of \d+ edges followed", text(at))
    assert "Edges followed" in text(at)
    assert at.select_slider(key="player_slider").value == int(param(at, "t"))


def test_playing_goes_on_from_the_start_and_pauses(tiny_home: Path) -> None:
    at = press(open_page(index="tiny", q=QUESTION.text), "play")
    assert at.button(key="player_play").label == "Pause"
    assert "1 / " in text(at)
    at = press(at, "play")
    assert at.button(key="player_play").label == "Play"


def test_a_link_opens_the_very_view(tiny_home: Path) -> None:
    at = open_page(
        index="tiny", q=QUESTION.text, chooser="similarity", entry="node", top_k="3", t="5"
    )
    assert "5 / " in text(at)
    label = next(one.proto.popover.label for one in at.get("popover") if "HopRAG" in str(one.proto))
    assert label.replace("\\", "") == "HopRAG, similarity · top_k 3 · entry node"
    link = parse_qs(urlsplit(at.code[0].value).query)
    assert {name: values[0] for name, values in link.items()} == {
        "index": "tiny",
        "q": QUESTION.text,
        "retriever": "hoprag-similarity(top_k=3,entry=node)",
        "t": "5",
        "grain": "event",
    }


def test_an_empty_question_is_refused_with_the_remedy(tiny_home: Path) -> None:
    at = open_page(index="tiny")
    at.text_input(key="ask_question").set_value("  ")
    at.button(key="ask_submit").click().run()
    assert "The question is empty: type one" in at.error[0].value.replace("\\", "")
    assert at.button(key="question_chip_q1")


@pytest.mark.parametrize("top_k", ["0", "101", "-5", "abc", "", "1e2", "000000001999", "9" * 5000])
def test_a_bad_address_is_refused_with_the_remedy(tiny_home: Path, top_k: str) -> None:
    at = open_page(index="tiny", q=QUESTION.text, top_k=top_k)
    assert "write a whole number from 1 to 100" in at.error[0].value.replace("\\", "")


def test_a_passage_is_marked_by_hand_and_details_say_why(tiny_home: Path) -> None:
    at = open_page(index="tiny", q=QUESTION.text)
    at.session_state[f"graph_selection_{GRAPH}"] = Selection("node", "club")
    at.session_state["trace_view"] = "Details"
    at.run()
    assert "Harbour Rovers is a football club." in text(at)
    assert "as a seed: place 1 of 6" in text(at)
    at.button(key="trace_details_gold").click().run()
    assert "★ Harbour Rovers rank 1" in text(whole(at))


def test_an_edge_shows_both_questions_and_their_sentences(
    tiny_home: Path, tiny_index: Index
) -> None:
    edge = tiny_index.graph.out_edges("club")[0]
    at = open_page(index="tiny", q=QUESTION.text)
    at.session_state[f"graph_selection_{GRAPH}"] = Selection("edge", edge.id)
    at.session_state["trace_view"] = "Details"
    at.run()
    shown = text(whole(at))
    assert f"SIM {edge.similarity:.3f} = (Jaccard {edge.jaccard:.3f}" in shown
    for query_id in (edge.out_query_id, edge.in_query_id):
        assert f"from: {tiny_index.graph.pseudo_query(query_id).evidence}" in shown


def test_an_edge_that_the_index_does_not_know_as_the_file_has_it(
    tiny_home: Path, tiny_index: Index
) -> None:
    data = traced(tiny_index)
    edge = next(iter(load(data).edges.values()))
    data = data.replace(edge.out_query_id.encode(), b"no such question")
    at = upload(open_page(index="tiny"), data)
    at.session_state[f"graph_selection_{GRAPH}"] = Selection("edge", edge.id)
    at.session_state["trace_view"] = "Details"
    at.run()
    assert "Its text is in the index of this trace, which is not open." in text(whole(at))


def test_titles_stay_text(tiny_home: Path) -> None:
    at = open_page(index="tiny", q=QUESTION.text)
    html = " ".join(str(element.proto.body) for element in at.get("html"))
    assert "&lt;b&gt;Sly&lt;/b&gt;" in html
    assert "<b>Sly</b>" not in html


def test_a_trace_file_works_without_any_index(tiny_home: Path, tiny_index: Index) -> None:
    data = traced(tiny_index)
    shutil.rmtree(tiny_home / "indexes")
    at = upload(open_page(), data)
    assert "From a file" in text(at)
    assert not at.query_params
    assert "The end: " in text(at)
    assert "★ Mara Quist rank" in text(at)
    assert "1 / " in text(press(at, "first"))
    at.button(key="trace_close").click().run()
    assert "From a file" not in text(whole(at))
    assert at.button(key="empty_button").label == "Go to Start"


def test_a_one_shot_trace_can_be_played(tiny_home: Path, tiny_index: Index) -> None:
    at = upload(open_page(index="tiny"), traced(tiny_index, "bm25"))
    assert "passages are found" in text(at)
    assert "The question is asked" in text(press(at, "first"))


def test_a_broken_trace_file_is_refused_with_the_remedy(tiny_home: Path, tiny_index: Index) -> None:
    cut_short = traced(tiny_index)[:-200]
    at = upload(open_page(index="tiny", q=QUESTION.text), cut_short)
    assert "This trace file cannot be used" in at.error[0].value.replace("\\", "")
    assert "The end: " in text(at)

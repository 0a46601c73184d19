import json
import re

from core.artefacts.workbench import Workbench
from core.maps import map_data as data_module
from core.maps.export import to_html
from core.maps.map_data import map_data
from core.maps.pyvis_network import MOST_NODES, network_data
from core.maps.regions import CorpusMap
from core.maps.stored import make_map
from tests.core.five import silent

HOSTILE = "</script><img src=x onerror=alert(1)> href=javascript:alert(2)"


def drawn(workbench: Workbench) -> tuple[data_module.MapData, CorpusMap]:
    made = make_map(workbench.index, silent)
    return map_data(workbench.index, made), made


def test_pyvis_describes_the_first_picture(workbench: Workbench):
    data, made = drawn(workbench)
    found = network_data(data)
    assert [node["id"] for node in found["nodes"]] == list(range(len(made)))
    assert {(edge["from"], edge["to"]) for edge in found["edges"]} == {
        (min(pair), max(pair))
        for pair in zip(data["edges"]["source"], data["edges"]["target"], strict=True)
        if pair[0] != pair[1]
    }
    assert found["options"]["physics"] == {"enabled": False}
    assert all("title" not in node for node in found["nodes"])
    assert len(found["nodes"]) <= MOST_NODES


def test_a_large_corpus_is_drawn_as_regions(workbench: Workbench, monkeypatch):
    monkeypatch.setattr(data_module, "MOST_PASSAGES", 4)
    data, made = drawn(workbench)
    assert "title" not in data["units"]
    leaves = [one for one in made.regions if not one.children]
    assert len(data["units"]["x"]) == len(leaves)
    assert data["passages"] == 5
    assert all(node["id"] < 0 for node in network_data(data)["nodes"])


def test_the_page_asks_for_nothing_and_has_one_network(workbench: Workbench):
    data, _ = drawn(workbench)
    page = to_html(data, "five").decode()
    assert not re.search(r"<(?:script|link|img)[^>]*(?:src|href)=", page)
    assert "<h1" not in page
    assert page.count("drawGraph();") == 1
    assert "default-src 'none'" in page.split("<script", 1)[0]


def test_no_text_of_a_corpus_becomes_markup(workbench: Workbench):
    data, made = drawn(workbench)
    data["units"]["title"] = [HOSTILE] * len(made)
    data["regions"]["name"] = [HOSTILE] * len(made.regions)
    page = to_html(data, HOSTILE, [HOSTILE] * len(made), {"focus": None}).decode()
    assert "<img src=x" not in page
    told = re.search(r"id='corpus-map-data'>(.*?)</script>", page, re.DOTALL)
    assert told
    units = json.loads(told[1])["units"]
    assert units["title"] == units["text"] == [HOSTILE] * len(made)

"""The pages that say how a retriever ranks: complete, true to the code, and shown."""

import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from rank_bm25 import BM25Okapi
from streamlit.testing.v1 import AppTest

from core.artefacts.lexical.okapi import K1, B
from core.artefacts.scoring import scores
from core.artefacts.workbench import Workbench
from core.retrievers import ALL, CARDS, Spec, make
from core.retrievers.hoprag.coverage import LISTED
from core.settings import LARGE_FROM
from core.store.index import Index
from core.traces import dump, record
from pages.components.ask.method_description import FOLDER, settings_table
from tests.core.fakes import WordEmbedder
from tests.pages.conftest import QUESTION, TINY

APP = str(Path(__file__).parents[2] / "app.py")
KEYS = tuple(CARDS)


def page(key: str) -> str:
    return (FOLDER / f"{key}.md").read_text(encoding="utf-8")


def test_every_retriever_has_its_page_and_no_page_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("*.md")} == {f"{key}.md" for key in KEYS}


@pytest.mark.parametrize("made", ALL, ids=lambda made: made.card.key)
def test_a_page_shows_every_setting_with_its_default(made: Any) -> None:
    table = settings_table(Spec(made.card.key))
    rows = re.findall(r"^\| [A-Z].* :small\[`(\w+)`\] \| (\S+) \| \S", table, re.MULTILINE)
    assert len(rows) == len(table.splitlines()) - 2
    assert dict(rows) == {
        field.name: str(field.default).lower().removesuffix(".0") or '""'
        for field in fields(made)
        if field.name != "workbench"
    }


@pytest.mark.parametrize("key", KEYS)
def test_a_page_has_its_parts(key: str) -> None:
    text = page(key)
    assert text.startswith(f"# {CARDS[key].title}\n")
    for part in ("\n$$\n", "**In the trace.**", "**Limitations.**", "**Source.**"):
        assert part in text
    assert text.count("$$") % 2 == 0
    assert text.replace("$$", "").count("$") % 2 == 0
    assert "](" not in text  # a picture would be loaded from somewhere


def test_constants_that_are_no_parameters_are_those_of_the_code() -> None:
    bm25 = inspect.signature(BM25Okapi).parameters
    assert (bm25["k1"].default, bm25["b"].default) == (K1, B)
    assert f"$k_1 = {K1}$ and $b = {B}$" in page("bm25")
    assert f"For indexes of {LARGE_FROM:,} passages or more" in page("bm25")
    assert f"Of the best {LISTED} edges" in page("hoprag-coverage")
    for key in ("dense", "hybrid", "hybrid-rrf", "hoprag-similarity"):
        assert f"{LARGE_FROM:,}" in page(key)
        assert f"{scores.LISTED:,}" in page(key)
    assert f"up to {scores.MOST:,}" in page("hybrid")


def opened(name: str, **params: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=30).run()
    for param, value in {"index": TINY, "q": QUESTION.text, **params}.items():
        at.query_params[param] = value
    at.switch_page(f"pages/{name}.py").run()
    assert not at.exception
    return at


def shown(at: AppTest) -> list[str]:
    """The pages that a button opens."""
    popovers = [one for one in at.get("popover") if one.proto.popover.label == "How it ranks"]
    return [one.markdown[0].value for one in popovers]


@pytest.mark.usefixtures("tiny_home")
@pytest.mark.parametrize("chooser", ["coverage", "similarity"])
def test_a_trace_says_how_its_retriever_ranks(chooser: str) -> None:
    key = f"hoprag-{chooser}"
    at = opened("trace", chooser=chooser)
    assert shown(at) == [page(key).strip()]
    assert settings_table(Spec(key)) in [each.value for each in at.markdown]


@pytest.mark.usefixtures("tiny_home")
def test_every_column_of_a_comparison_says_how_it_ranks() -> None:
    at = opened("compare", **{"with": "bm25,hybrid-rrf,hoprag-coverage"})
    keys = ("bm25", "hybrid-rrf", "hoprag-coverage")
    assert shown(at) == [page(key).strip() for key in keys]


def test_a_trace_of_a_retriever_that_there_is_not_has_no_page(
    tiny_home: Path, tiny_index: Index
) -> None:
    trace = record(
        make("bm25", Workbench(tiny_index, WordEmbedder())),  # type: ignore[arg-type]
        QUESTION.text,
        tiny_index,
        (),
    )
    data = dump(trace).replace(b'"retriever":"bm25"', b'"retriever":"../../README"')
    at = opened("trace")
    at.file_uploader(key="trace_upload").set_value(("t.jsonl", data, "application/jsonl")).run()
    assert not at.exception
    assert "../../README" in " ".join(str(html.proto.body) for html in at.get("html"))
    assert shown(at) == []

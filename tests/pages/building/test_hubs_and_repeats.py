"""25 passages that say almost the same of one person, on every page that has to tell so."""

from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.corpus.types import Corpus
from core.indexing.updates import build
from core.retrievers import Spec
from core.runs import measuring
from core.store.index import Index
from core.types import Document, Query
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.pages.compare.comparing import html
from tests.pages.compare.comparing import opened as compared
from tests.pages.journeys import checked, opened

QUESTION = Query("q", "What was written about Ada Birch in 1998?", (), ("d3",))
REPEAT = "19 of the top 20 repeat the text of a higher-ranked passage."


@pytest.fixture
def index(tiny_home: Path) -> Index:
    texts = [f"{chr(65 + n)}lma wrote in 1998 about Ada Birch and her work." for n in range(25)]
    documents = tuple(Document(f"d{n}", "", text, f"{n}.txt") for n, text in enumerate(texts))
    folder = tiny_home / "indexes" / "reports"
    build(folder, Corpus(documents, (QUESTION,)), WordEmbedder(), silent)
    return Index.open(folder)


def test_build_names_the_hub_as_the_cause_and_counts_repeated_texts(index: Index) -> None:
    app = opened("build", index=index.name)
    said = " ".join(each.value for each in app.warning).replace("\\", "")
    assert "25 of 25 passages have no edge" in said
    assert "'Ada Birch' occurs in more than 20 passages, so no edges" in said
    assert "different names" not in said
    told = " ".join(each.value for each in app.caption).replace("\\", "")
    assert "24 of 25 passages are near-duplicates of an earlier one." in told


def test_trace_does_not_call_passages_seeds_where_no_edge_leads(index: Index) -> None:
    app = opened("trace", index=index.name, q=QUESTION.text, **{"with": "hoprag-similarity"})
    assert "are seeds" not in html(app)


def test_compare_counts_the_repeated_texts_of_each_ranking(index: Index) -> None:
    app = compared(index=index.name, q=QUESTION.text, k="20", **{"with": "hybrid,distinct"})
    assert html(app).count(REPEAT) == 1


def test_errors_counts_those_of_a_result(index: Index) -> None:
    bench = Workbench(index, WordEmbedder(), making=silent)
    begun = measuring.begin(
        bench, [QUESTION], [Spec.parse("hybrid")], name="first", question_set="one.jsonl"
    )
    measuring.measure(begun, bench)
    app = checked(opened("errors", index=index.name, which="all"))
    assert REPEAT in [each.value for each in app.caption]

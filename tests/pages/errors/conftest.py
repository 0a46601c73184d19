"""Fixtures for the tests of the Errors page."""

import pytest

from core.artefacts.workbench import Workbench
from core.retrievers import Spec
from core.reviews import Change, Reviews
from core.runs import Run, measuring
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.pages.conftest import QUESTION
from tests.pages.errors.review_page import NARROW, WHERE


@pytest.fixture
def run(tiny_index: Index) -> Run:
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    specs = [Spec.parse(NARROW), Spec("bm25", (("top_k", 2),))]
    begun = measuring.begin(bench, [QUESTION, WHERE], specs, name="first", question_set="two.jsonl")
    measuring.measure(begun, bench)
    return begun


@pytest.fixture
def reviewed(tiny_index: Index) -> None:
    """Somebody has reviewed the index, so the page asks for a name."""
    Reviews(tiny_index.path).say("zoe", [Change("Of no question?", NARROW, verdict="pass")])

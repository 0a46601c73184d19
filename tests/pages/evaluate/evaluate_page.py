"""The Evaluate page as its tests open and read it."""

from streamlit.testing.v1 import AppTest

from core.artefacts.workbench import Workbench
from core.retrievers import Spec
from core.runs import Run
from core.runs.measuring import begin
from core.runs.question_sets import own_questions
from tests.pages.conftest import TINY
from tests.pages.journeys import opened

SPECS = ("dense", "bm25", "hoprag-similarity")


def begun(bench: Workbench, name: str = "First") -> Run:
    return begin(bench, own_questions(bench.index), list(map(Spec.parse, SPECS)), name=name)


def page(**params: str) -> AppTest:
    return opened("evaluate", index=TINY, **params)


def row_labels(app: AppTest) -> list[str]:
    return [b.label for b in app.button if (b.key or "").startswith("evaluate_row_")]

"""The Compare page as the tests open it."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import QUESTION, TINY

APP = Path(__file__).parents[3] / "app.py"
ALL_FOUR = "bm25,dense,hybrid,hoprag-coverage"


def opened(**params: str) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=20)
    for name, value in {"index": TINY, **params}.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    return app


def asked(keys: str = ALL_FOUR, top_k: int = 4, question: str = QUESTION.text) -> AppTest:
    return opened(q=question, k=str(top_k), **{"with": keys})


def html(app: AppTest) -> str:
    return "\n".join(block.value for block in app.get("html"))

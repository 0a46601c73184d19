"""Opening a page of the whole application, and reading what it shows."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

_APP = Path(__file__).parent.parent.parent / "app.py"


def opened(page: str, **params: str) -> AppTest:
    """The application on `page`, with `params` in the address bar."""
    app = AppTest.from_file(str(_APP), default_timeout=30).run()
    if page != "start":
        app.switch_page(f"pages/{page}.py")
    for name, value in params.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    """The application, which has raised nothing."""
    assert not app.exception, app.exception
    return app


def raw(app: AppTest) -> list[str]:
    """The HTML that the page writes itself, without its style sheet."""
    bodies = [str(each.proto.body) for each in app.get("html")]
    return [body for body in bodies if not body.startswith("<style>")]


def words(app: AppTest) -> str:
    """The words of that HTML, each run of white space one space."""
    bare = re.sub(r"<[^>]*>", " ", " ".join(raw(app)))
    return " ".join(unescape(bare).split())


def walkthrough(app: AppTest) -> dict[str, Any]:
    """The walkthrough that is sent to the browser."""
    told: dict[str, Any] = json.loads(_sent(app, "walkthrough")[0])
    return told


def last_words(app: AppTest) -> str:
    """What the stop of the result says; empty if there is no walkthrough."""
    if not _sent(app, "walkthrough"):
        return ""
    made = walkthrough(app)
    stop = made["stops"][made["every"][-2]]
    return " ".join([stop["headline"], *stop["notes"]])


def labels(app: AppTest, kind: str) -> list[str]:
    """The labels of all widgets of a kind."""
    return [each.label for each in app.get(kind)]


def frames(app: AppTest) -> list[Any]:
    """The values of all dataframes and tables."""
    return [each.value for each in (*app.dataframe, *app.table)]


def here(app: AppTest) -> str:
    """The title of the page that is shown."""
    return next(body for body in raw(app) if "hop-title" in body).split("<")[1].split(">")[1]


def _sent(app: AppTest, name: str) -> list[str]:
    sent = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    return [data[name] for data in sent if name in data]

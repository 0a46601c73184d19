"""The Errors page as its tests open and read it."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from core.types import Query
from tests.pages.conftest import TINY
from tests.pages.journeys import checked, opened, raw

NARROW = "hoprag-coverage(top_k=1,n_hop=1)"


WHERE = Query("q2", "Where did the husband of Mara Quist tour?", (), ("singer", "nobody"))


def page(**params: str) -> AppTest:
    """The page at the retriever that loses most, where none is named."""
    app = opened("errors", **{"index": TINY, "retriever": NARROW, **params})
    for name in app.text_input:
        if name.key in ("errors_typed", "errors_retyped"):
            name.set_value("ann")
            return checked(app.button(key="errors_who_go").click().run())
    return app


def off(app: AppTest) -> set[str]:
    """The verdicts that cannot be given."""
    buttons = {one.key: one.disabled for one in app.button}
    return {key for key in ("errors_pass", "errors_fail", "errors_defer") if buttons[key]}


def asked(app: AppTest) -> str:
    return next(body for body in raw(app) if "hop-case-asked" in body)


def listed(app: AppTest) -> dict[str, Any]:
    """What the list of results shows."""
    sent = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    return next(data for data in sent if "rows" in data)


def told(app: AppTest) -> str:
    """What stands below the verdicts."""
    sent = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json]
    return str(next(data["told"] for data in sent if "told" in data))

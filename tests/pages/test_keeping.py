"""What would retrieve lost gold, as the film's card has it."""

from types import SimpleNamespace

import pytest

from core.funnel.data import Fate
from core.retrievers import Spec
from core.runs.rescuing import SECONDS, Losses
from pages.components.trace import keeping


def test_a_look_that_was_too_short_says_so_and_goes_on_for_longer(monkeypatch: pytest.MonkeyPatch):
    lost = Fate("a", "a", "below", rank=30, k=20, of=40)
    some, looked = Losses(Spec.parse("bm25"), "Who?", (lost,)), list[float]()
    monkeypatch.setattr(keeping.st, "session_state", {})
    monkeypatch.setattr(keeping, "visitor", lambda: SimpleNamespace(may_edit=True))
    monkeypatch.setattr(
        keeping.acts, "search_rescues", lambda some, bench, seconds: looked.append(seconds) or {}
    )

    def line(of: Losses = some):
        (only,) = keeping._lines(of, {}, None)
        return only["told"], only["action"]

    assert line() == ("", "What would retrieve it?")
    keeping._look(some, None)
    assert line() == (
        "In 6 seconds nothing was found that retrieves it.", "Look for 30 seconds",
    )  # fmt: skip
    keeping._look(some, None)
    assert looked == [SECONDS, 5 * SECONDS]
    other = Losses(some.spec, "Where?", (lost,))
    assert line(other) == ("", "What would retrieve it?")

"""A callback during which the next press comes, which is what a busy machine makes of fast keys."""

from types import SimpleNamespace

import pytest
import streamlit
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from pages.components.shell import callback_completion
from pages.components.shell.callback_completion import carry_out_callbacks
from pages.components.shell.streamlit_internals import UnsupportedStreamlit


@pytest.fixture
def carried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SessionState, "_call_callbacks", SessionState._call_callbacks)
    carry_out_callbacks()
    carry_out_callbacks()  # as often as the server imports the application


def page() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    def press() -> None:
        asked = get_script_run_ctx().script_requests
        asked.request_rerun(RerunData(widget_states=None))
        st.session_state.setdefault("done", []).append("first")
        st.session_state["done"].append("second")

    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.button("Press", on_click=press)


@pytest.mark.usefixtures("carried_out")
def test_a_callback_is_carried_out_whole_though_the_next_press_has_come():
    app = AppTest.from_function(page).run()
    app.button[0].click().run()
    assert app.session_state["done"] == ["first", "second"]
    assert app.session_state["runs"] == 2  # what was asked for meanwhile is the one run behind it
    assert not app.exception


@pytest.mark.usefixtures("carried_out")
def test_what_a_callback_asks_for_itself_is_done():
    def leaving() -> None:
        import streamlit as st

        def press() -> None:
            st.session_state["done"] = True
            st.rerun()

        st.session_state["runs"] = st.session_state.get("runs", 0) + 1
        st.button("Press", on_click=press)

    app = AppTest.from_function(leaving).run()
    app.button[0].click().run()
    assert app.session_state["done"]
    assert not app.exception


def attribute_gone(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> None:
    """As in a version of Streamlit that has renamed it."""
    if hasattr(owner, name):
        monkeypatch.delattr(owner, name)
        return
    if fields := getattr(owner, "__dataclass_fields__", None):
        kept = {each: field for each, field in fields.items() if each != name}
        monkeypatch.setattr(owner, "__dataclass_fields__", kept)

    def bare(self: object) -> None:
        pass

    monkeypatch.setattr(owner, "__init__", bare)


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (SessionState, "_call_callbacks"),
        (ScriptRunner, "_execing"),
        (ScriptRunContext, "_enqueue"),
    ],
)
def test_a_private_name_that_streamlit_has_changed_is_an_error_at_the_start(
    monkeypatch: pytest.MonkeyPatch, owner: type, name: str
):
    attribute_gone(monkeypatch, owner, name)
    with pytest.raises(UnsupportedStreamlit) as found:
        carry_out_callbacks()
    told = str(found.value)
    assert (
        f"Streamlit {streamlit.__version__} has no {owner.__module__}.{owner.__name__}.{name}"
        in told
    )
    assert "a mark, a verdict or a note can be lost" in told


@pytest.mark.usefixtures("carried_out")
def test_a_context_without_its_runner_is_an_error_and_not_a_silent_fallback(
    monkeypatch: pytest.MonkeyPatch,
):
    run = SessionState._call_callbacks
    sender = SimpleNamespace(_enqueue=lambda message: None)  # no bound method of a runner
    monkeypatch.setattr(callback_completion, "get_script_run_ctx", lambda: sender)
    with pytest.raises(UnsupportedStreamlit, match="__self__"):
        run(SessionState())

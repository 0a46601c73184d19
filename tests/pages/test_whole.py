"""A callback during which the next press comes, which is what a busy machine makes of fast keys."""

import pytest
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from pages.components.shell.whole import carry_out_callbacks


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

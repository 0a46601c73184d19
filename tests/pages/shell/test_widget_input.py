"""What no browser sends: values of every kind for every widget of every page, by role.

Each message ends in an answer: it is ignored, or the page says why not. None ends in a traceback.
"""

from pathlib import Path

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from core import jobs
from pages.components.shell.callback_completion import carry_out_callbacks
from pages.components.shell.client_input.widget_input import check_widget_states
from tests.pages.conftest import QUESTION, TINY
from tests.pages.errors.conftest import run  # noqa: F401 (a fixture)
from tests.pages.forged_input import forged, ids, of_every_type, send, sorted_out
from tests.pages.journeys import checked, opened
from tests.pages.shell.test_visitors import ADA, PAGES, RAE, Signs, signed_in  # noqa: F401 (a fixture)

QUERY = {"q": QUESTION.text}
CONTENT = {"trace": QUERY, "compare": QUERY}


@pytest.fixture(autouse=True)
def as_the_server_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Callbacks and the states of widgets are handled as app.py has them handled."""
    for name in ("_call_callbacks", "set_widgets_from_proto", "register_widget"):
        monkeypatch.setattr(SessionState, name, getattr(SessionState, name))
    carry_out_callbacks()
    check_widget_states()


def page_of(page: str) -> AppTest:
    return opened(page, index=TINY, **CONTENT.get(page, {}))


def answered(app: AppTest, *states: WidgetState) -> None:
    send(app, *states)
    assert not app.exception, (states, app.exception)


@pytest.mark.parametrize("who", [RAE, ADA])
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("run")
def test_made_up_values_are_ignored(signed_in: Signs, page: str, who: str) -> None:  # noqa: F811
    signed_in(who)
    app = page_of(page)
    for states in forged(app):
        answered(app, *states)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("run")
def test_a_reader_who_presses_every_widget_changes_nothing(
    signed_in: Signs,  # noqa: F811
    tiny_home: Path,
    inline_jobs: list[jobs.Job],
    page: str,
) -> None:
    signed_in(ADA)
    page_of(page)  # what an editor sees is registered first in a session of theirs only
    signed_in(RAE)
    before = kept(tiny_home)
    app = page_of(page)
    widgets = ids(app)
    presses = (WidgetState(id=widget, trigger_value=True) for widget in widgets)
    dropped, possible = sorted_out(app, presses)
    answered(app, *dropped)
    for press in possible:
        answered(app, press)
        if set(ids(app)) - set(widgets):  # it led to another page, or opened a dialog
            app = page_of(page)
    assert inline_jobs == []
    assert kept(tiny_home) == before


def kept(home: Path) -> dict[str, bytes]:
    """What lies in the indexes, but for copies that are made to read them faster."""
    files = (path for path in (home / "indexes").rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files if path.suffix in (".json", ".jsonl")}


@pytest.mark.usefixtures("run")
def test_a_press_without_the_values_that_it_needs_is_ignored(signed_in: Signs) -> None:  # noqa: F811
    signed_in(RAE)
    app = page_of("errors")
    save = next(one for one in ids(app) if one.endswith("errors_view_save"))
    app.switch_page("pages/methods.py")  # the message leaves the page, and sends no value of it
    answered(app, WidgetState(id=save, trigger_value=True))


@pytest.mark.usefixtures("run")
def test_what_a_reader_may_not_do_is_said(signed_in: Signs) -> None:  # noqa: F811
    signed_in(RAE)
    app = page_of("errors")
    app.text_input(key="errors_view_name").set_value("mine")
    checked(app.button(key="errors_view_save").click().run())
    assert "Only editors" in app.error[0].value


def test_an_error_of_ours_in_a_callback_is_said() -> None:
    def page() -> None:
        import streamlit as st

        from core.errors import NotAllowed

        def refuse() -> None:
            raise NotAllowed("Only editors may.")

        st.button("Press", on_click=refuse)

    app = AppTest.from_function(page).run()
    checked(app.button[0].click().run())
    assert app.error[0].value == "Only editors may\\."


def test_a_value_that_came_before_its_widget_is_checked_too() -> None:
    def page() -> None:
        import streamlit as st

        if st.session_state.setdefault("runs", 0):
            st.slider("Late", 0, 10, 5, key="late")
        st.session_state["runs"] += 1

    shown = AppTest.from_function(page).run().run()
    (late,) = ids(shown)
    app = AppTest.from_function(page).run()
    answered(app, WidgetState(id=late, string_value="x"))
    assert app.slider[0].value == 5


def test_a_value_of_another_type_is_ignored() -> None:
    def page() -> None:
        import streamlit as st

        st.button("Press", key="button")
        st.checkbox("Check", key="checkbox")
        st.text_input("Text", key="text")
        st.selectbox("One", ["a", "b"], key="one")
        st.multiselect("Some", ["a", "b"], ["b"], key="some")
        st.pills("Pills", ["a", "b"], key="pills")
        st.slider("Slide", 0, 10, 5, key="slide")
        st.number_input("Number", 0, 10, 5, key="number")
        st.file_uploader("File", type=["txt"], key="file")
        st.dataframe({"x": [1]}, on_select="rerun", key="table")

    app = AppTest.from_function(page).run()
    for widget, kind in ids(app).items():
        made = of_every_type(widget)
        answered(app, *(one for one in made if one.WhichOneof("value") not in (kind, None)))
    assert (app.text_input[0].value, app.selectbox[0].value, app.slider[0].value) == ("", "a", 5)
    assert app.multiselect[0].value == ["b"]


def test_a_browser_sends_whole_numbers_as_such() -> None:
    def page() -> None:
        import streamlit as st

        st.number_input("Number", 0, 10, 5, key="number")

    app = AppTest.from_function(page).run()
    (number,) = ids(app)
    answered(app, WidgetState(id=number, int_value=7))
    assert app.number_input[0].value == 7

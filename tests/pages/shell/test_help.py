"""The help shows every page of the documentation."""

import pytest
from streamlit.testing.v1 import AppTest

from core.glossary import GLOSSARY
from core.help_pages import GROUPS, NAMES, help_pages
from tests.pages.journeys import checked, opened


def shown(app: AppTest) -> str:
    return "\n".join(one.value for one in app.markdown)


@pytest.mark.parametrize("name", NAMES)
def test_every_page_is_shown(name: str) -> None:
    app = opened("help", topic=name)
    page = help_pages()[name]
    assert f"## {page.title}" in shown(app)
    assert all(f"### {section}" in shown(app) for section in page.sections)
    assert len(app.get("image")) == page.text.count("![")


def test_another_page_is_one_click_away() -> None:
    app = opened("help", topic="nowhere")
    assert "## Tour" in shown(app)
    app.button(key="help_models").click().run()
    assert "## Models and cost" in shown(checked(app))


def test_a_term_of_the_address_is_defined_above_the_glossary() -> None:
    app = opened("help", topic="glossary", term="helpfulness")
    assert GLOSSARY["helpfulness"].told in app.info[0].value
    assert not opened("help", topic="glossary", term="nothing").info


def test_pages_are_grouped_by_whom_they_are_for() -> None:
    app = opened("help")
    told = [one.proto.body for one in app.get("html")]
    assert [group for group in GROUPS if any(f">{group}<" in one for one in told)] == [*GROUPS]

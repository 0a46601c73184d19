"""Each term of the glossary is shown on hover somewhere, and nothing else is shown as a term."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from core.glossary import GLOSSARY
from core.retrievers.hoprag.walks import HopRagCoverage
from core.retrievers.settings import settings_of
from core.settings import ASSETS
from core.walkthroughs.cards import glossary, legend
from core.walkthroughs.contract import GlossaryTerm, ScoreData, State, StatesData
from pages.components.shell import glossary as shell
from pages.components.shell.glossary import hint, setting_hint, term

PAGES = Path(__file__).parents[3] / "pages"
SCRIPTS = ASSETS / "scripts" / "src"


def in_pages() -> Iterator[str]:
    """Keys of terms that pages show: of hints, of our own HTML, of figures, of settings."""
    for path in PAGES.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            if call.func.id in ("hint", "term"):
                yield from strings(call.args[:1])
            if call.func.id == "show_figures" and len(call.args) == 2:
                yield from strings(getattr(call.args[1], "values", []))
    yield from shell._SETTINGS.values()


def strings(nodes: list[ast.expr]) -> Iterator[str]:
    """The texts of constants, also where one of two is chosen."""
    for node in nodes:
        if isinstance(node, ast.IfExp):
            yield from strings([node.body, node.orelse])
        elif isinstance(node, ast.Constant):
            yield node.value


def in_legends() -> set[str]:
    score = ScoreData(name="Helpfulness", formula="H", note="", parts=[], unit="")
    every = StatesData(nodes={one: one for one in get_args(State)}, followed=[], not_followed=[])
    return {one["key"] for one in legend([every], score, gold=True, visits=True, unjudged=True)}


def in_scripts() -> set[str]:
    read = "\n".join(path.read_text() for path in SCRIPTS.rglob("*.js"))
    return set(re.findall(r"\bglossary\.(\w+)", read))


def test_every_term_that_is_shown_is_one_of_the_glossary():
    assert {*in_pages(), *in_legends(), *in_scripts()} <= GLOSSARY.keys()


def test_every_term_of_the_glossary_is_shown_on_hover():
    assert GLOSSARY.keys() - {*in_pages(), *in_legends(), *in_scripts()} == set()


def test_a_walkthrough_is_sent_the_terms_that_its_script_shows():
    assert {*get_args(GlossaryTerm)} == in_scripts()
    assert glossary() == {key: GLOSSARY[key].told for key in in_scripts()}


@pytest.mark.parametrize("shown", [hint, term])
def test_a_term_that_is_missing_is_an_error(shown):
    with pytest.raises(KeyError):
        shown("no such term")


def test_hints_tell_the_meaning_before_anything_else():
    assert hint("edge", "More.") == f"{GLOSSARY['edge'].told} More."


def test_a_setting_that_is_a_term_tells_its_meaning():
    declared = {one.name: one for one in settings_of(HopRagCoverage)}
    assert setting_hint(declared["top_k"], "told") == f"{GLOSSARY['top_k'].meaning} told"
    assert setting_hint(declared["width"], "told") == "told"


def test_terms_in_html_are_text():
    assert term("edge", "<b>").startswith("<abbr class='hop-term' title='A link from ")
    assert "&lt;b&gt;</abbr>" in term("edge", "<b>")

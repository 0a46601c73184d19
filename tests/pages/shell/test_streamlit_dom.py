"""One module of the scripts reads Streamlit's own elements, and Streamlit still has them."""

import re
from pathlib import Path

import streamlit

from core.settings import ASSETS

SOURCES = ASSETS / "scripts" / "src"
MODULE = SOURCES / "page" / "streamlit_dom.js"
OF_STREAMLIT = re.compile(
    r"data-test|dataset\.test|test(?:Script|Connection)State|st-key-|\bst[A-Z][A-Za-z]+"
)


def test_one_module_reads_the_elements_of_streamlit() -> None:
    found = {
        str(path.relative_to(ASSETS)): OF_STREAMLIT.findall(path.read_text())
        for path in ASSETS.rglob("*.js")
        if path != MODULE and not {"dist", "node_modules"} & set(path.parts)
    }
    assert {name: named for name, named in found.items() if named} == {}


def test_streamlit_still_has_what_the_module_reads() -> None:
    static = Path(streamlit.__file__).parent / "static" / "static" / "js"
    shipped = "\n".join(path.read_text(encoding="utf-8") for path in static.glob("*.js"))
    read = MODULE.read_text()
    names = {*re.findall(r"\bst[A-Z][A-Za-z]+", read), *re.findall(r"data-test-[a-z-]+", read)}
    names |= {"CONNECTED", "notRunning", "running"}
    assert len(names) > 12
    assert "st-key-" in shipped
    gone = {name for name in names if not re.search(rf"(?<![\w-]){name}(?![\w-])", shipped)}
    assert gone == set()

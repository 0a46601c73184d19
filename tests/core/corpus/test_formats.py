"""The table of formats, and that every list of file endings is made from it."""

import ast
import gzip
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from core.corpus.formats import (
    FORMATS,
    GZIPPED,
    SUFFIXES,
    compressed,
    conversion,
    format_of,
    listed,
)
from tests.core.corpus.files import read

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "core" / "corpus" / "formats.py"
ENDING = re.compile(
    rf"(?<![\w/])(?:{'|'.join(map(re.escape, sorted(SUFFIXES, key=len, reverse=True)))})(?!\w)"
)
NAMES = [each.name.casefold() for each in FORMATS]
FEW = 2  # endings or names that a sentence may tell of


def test_each_format_has_a_reader() -> None:
    for each in FORMATS:
        module, _, function = each.reader.partition(":")
        assert callable(getattr(import_module(f"core.corpus.{module}"), function))


def test_no_list_of_endings_is_written_by_hand() -> None:
    for path in sorted([*(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]):
        for text in () if path == TABLE else texts_in(path):
            assert len(set(ENDING.findall(text))) <= FEW, f"{path}: {text!r} lists endings"
            told = sum(bool(re.search(rf"\b{name}\b", text.casefold())) for name in NAMES)
            assert told <= FEW + 1, f"{path}: {text!r} lists formats"


def texts_in(path: Path) -> Iterator[str]:
    """Strings of code, and those of a list or a tuple as one; no docstrings."""
    tree = ast.parse(path.read_text())
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings:
                yield node.value
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            parts = (each.value for each in node.elts if isinstance(each, ast.Constant))
            yield " ".join(part for part in parts if isinstance(part, str) and part in SUFFIXES)


def test_the_help_lists_the_endings_of_the_table() -> None:
    page = (ROOT / "assets" / "docs" / "data-formats.md").read_text()
    lists = {found for found in re.findall(r"`([^`\n]+)`", page) if len(ENDING.findall(found)) > 3}
    assert lists == {listed(), compressed()}


@pytest.mark.parametrize(
    "name",
    [
        *("f.doc", "f.ipynb", "f.js", "f.jsonl.zst", "f.mdx", "f.msg", "f.org", "f.py", "f.rtf"),
        *("f.tar.gz", "f.tex", "f.xml", "f.yaml", "F.XLS", "a.b.PNG", "f.mp4", "f.gz"),
    ],
)
def test_a_file_of_another_kind_is_told_how_to_convert_it(tmp_path: Path, name: str) -> None:
    (rejected,) = read(tmp_path, {name: "x = 1"}).rejected
    ending = name[name.index(".") :].lower().removeprefix(".b")
    assert rejected.reason.startswith(f"{ending} files are not supported; ")
    assert rejected.reason == conversion(name)


def test_an_ending_that_nobody_knows_is_told_what_is_read(tmp_path: Path) -> None:
    (rejected,) = read(tmp_path, {"a.xyz": "x"}).rejected
    assert rejected.reason.endswith(f"convert it to one of {listed()}")


@pytest.mark.parametrize("ending", [".markdown", ".log", ".text", ".MD"])
def test_other_endings_of_documents(tmp_path: Path, ending: str) -> None:
    (made,) = read(tmp_path, {f"a{ending}": "A mill."}).documents
    assert made.text == "A mill."


@pytest.mark.parametrize(
    "ending", [".ndjson", *(each for each in GZIPPED if format_of(each).name != "TREC qrels")]
)
def test_other_endings_of_records(tmp_path: Path, ending: str) -> None:
    content = {
        ".csv": "id,text\n1,A mill.\n",
        ".tsv": "id\ttext\n1\tA mill.\n",
        ".txt": "A mill.",
        ".text": "A mill.",
        ".log": "A mill.",
    }.get(ending.removesuffix(".gz"), '{"id": 1, "text": "A mill."}')
    packed = gzip.compress(content.encode()) if ending.endswith(".gz") else content
    (made,) = read(tmp_path, {f"a{ending}": packed}).documents
    assert made.text == "A mill."

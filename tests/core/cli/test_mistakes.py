from pathlib import Path

import pytest

from tests.core.cli.calling import Cli

MISTAKES: list[tuple[tuple[object, ...], int, str]] = [
    (("info", "--index", "./none"), 1, "There is no finished index in none"),
    (("info", "--index", "ftp://host/x"), 1, "An index is in a folder on this machine"),
    (("ask", "x", "--index", "./none"), 1, "Build one: python -m core build"),
    (("build", "none.txt", "--index", "./new"), 2, "The file none.txt does not exist"),
    (("build", "none.txt", "--index", "./new", "--chunk", "words"), 2, "Unknown chunking"),
    (("info", "--index", "./" + "n" * 300), 1, "cannot be a folder"),
    (("info", "--index", "n" * 300), 1, "cannot be a folder"),
    (("ask", "A\ud800?", "--index", "./none"), 2, "invalid Unicode"),
    (("remove", "--index", "./none"), 2, "--document ID"),
    (("add", "none.txt", "--index", "./none"), 1, "no finished index"),
    (("evaluate", "none.jsonl", "--index", "./none"), 2, "Could not read none.jsonl"),
    (("ceiling", "none.jsonl", "--index", "./none"), 2, "Could not read none.jsonl"),
]


@pytest.mark.parametrize(("arguments", "code", "problem"), MISTAKES)
def test_a_mistake_is_one_line(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[object, ...], code: int, problem: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    done = cli(*arguments)
    assert done.exit_code == code
    assert done.stdout == ""
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1
    assert problem in errors[0]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("ask", "x", "--retriever", "bm26"), "Choose one of"),
        (("ask", "x", "--retriever", "bm25", "--hops", "2"), "does not hop"),
        (("ask", " "), "query is empty"),
        (("ask", "x", "--trace", "/dev/null/x"), "Could not write"),
        (("remove", "--document", "nobody"), "no document 'nobody'"),
        (("export", "--format", "json", "/dev/null/x"), "Could not write"),
        (("export", "--format", "csv", "/"), "Could not write"),
        (("export", "--format", "json", "n" * 300), "Could not write"),
    ],
)
def test_a_mistake_with_an_index(
    cli: Cli, index: Path, arguments: tuple[object, ...], problem: str
) -> None:
    done = cli(*arguments, "--index", index)
    assert done.exit_code == 2
    assert "Error: " in done.stderr
    assert problem in done.stderr

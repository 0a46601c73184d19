import json
from pathlib import Path

import pytest

from tests.core.cli.calling import Cli
from tests.core.five import QUESTION
from tests.core.walkthroughs.packed import walkthrough_in


@pytest.mark.parametrize(
    ("form", "begin"),
    [
        ("graphml", b"<?xml"),
        ("json", b"{"),
        ("csv", b"id,source,target,raised,question"),
        ("html", b"<!DOCTYPE"),
    ],
)
def test_exporting(cli: Cli, index: Path, tmp_path: Path, form: str, begin: bytes) -> None:
    out = tmp_path / "graph"
    done = cli("export", "--index", index, "--format", form, out)
    assert done.exit_code == 0
    assert out.read_bytes().startswith(begin)
    passages = out.with_suffix(".nodes.csv") if form == "csv" else out
    assert b"Harbour Rovers" in passages.read_bytes()
    assert "5 passages" in done.stderr


def test_csv_for_excel_has_a_byte_order_mark(cli: Cli, index: Path, tmp_path: Path) -> None:
    out = tmp_path / "graph.csv"
    assert cli("export", "--index", index, "--format", "csv", "--excel", out).exit_code == 0
    for path in (out, out.with_suffix(".nodes.csv")):
        assert path.read_bytes().startswith(b"\xef\xbb\xbfid,")
    done = cli("export", "--index", index, "--format", "json", "--excel", out)
    assert "--excel is for CSV files" in done.stderr


def test_a_trace_is_exported_as_a_story(cli: Cli, index: Path, tmp_path: Path) -> None:
    kept, one, other = (tmp_path / name for name in ("t.jsonl", "one.html", "other.html"))
    assert cli("ask", QUESTION.text, "--index", index, "--trace", kept).exit_code == 0
    assert cli("export", "--format", "story", "--trace", kept, one).exit_code == 0
    asked = ("--index", index, "--question", QUESTION.text)
    assert cli("export", "--format", "story", *asked, other).exit_code == 0
    for page in (one, other):
        text = page.read_text(encoding="utf-8")
        assert text.startswith("<!DOCTYPE html>")
        titles = {node["title"] for node in walkthrough_in(text)["nodes"].values()}
        assert "Harbour Rovers" in titles
    assert cli("export", "--format", "story", "--trace", kept, "--index", index, one).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--format", "story"), "Use --trace FILE, or --question"),
        (
            ("--format", "story", "--question", "q", "--trace", "t"),
            "Use --trace FILE, or --question",
        ),
        (("--format", "story", "--question", "q"), "--index to name the index"),
        (("--format", "story", "--trace", "no such file"), "Could not read no such file"),
        (("--format", "json", "--trace", "t"), "--format story"),
        (("--format", "json"), "whose graph"),
    ],
)
def test_what_a_story_is_made_of(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], problem: str
) -> None:
    done = cli("export", *arguments, tmp_path / "out")
    assert done.exit_code == 2, done.output
    assert problem in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_story_is_not_joined_with_another_index(cli: Cli, index: Path, tmp_path: Path) -> None:
    kept = tmp_path / "t.jsonl"
    assert cli("ask", QUESTION.text, "--index", index, "--trace", kept).exit_code == 0
    header, *rest = kept.read_text().split("\n")
    changed = json.dumps({**json.loads(header), "graph_version": "another"})
    kept.write_text("\n".join([changed, *rest]))
    story = ("export", "--format", "story", "--trace", kept, "--index", index)
    done = cli(*story, tmp_path / "out.html")
    assert done.exit_code == 2
    assert "another version of the index" in done.stderr

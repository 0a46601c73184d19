import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from core.cli.common import plain
from core.jobs import state
from core.marks import set_gold
from core.retrievers import CARDS, Spec
from core.store.index import Index
from core.traces import load
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, TEXTS, write_asked, write_files

Cli = Callable[..., Result]


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    embedder = WordEmbedder()
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: embedder)
    return embedder


@pytest.fixture
def cli(words: WordEmbedder) -> Iterator[Cli]:
    """Runs a command line; output and errors come apart."""

    def call(*arguments: object) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return call


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write_files(tmp_path)


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """The question of the five passages, as a file."""
    return write_asked(tmp_path)


@pytest.fixture
def index(commanded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(commanded, tmp_path / "my index"))


def commands() -> dict[str, Any]:
    return dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def test_the_commands_of_the_readme() -> None:
    names = (
        "build add remove make shelf ask evaluate runs ceiling funnel retrievers gold export info"
    )
    assert commands().keys() == set(names.split())


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_and_option_is_documented(name: str) -> None:
    command = commands()[name]
    assert command.help
    for parameter in command.params:
        assert parameter.help, parameter.name


def test_help_needs_nothing_heavy() -> None:
    code = (
        "import sys; from core.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'torch', 'lancedb', 'numpy', 'networkx', 'pyarrow'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_building_prints_the_size(cli: Cli, files: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    done = cli("build", files, empty, "--index", tmp_path / "a", "--chunk", "sentence")
    assert done.exit_code == 0
    assert "Vertices (passages)" in done.stdout
    assert "sentence" in done.stdout
    assert "Not read: empty.txt: it is empty" in done.stderr
    job = state(tmp_path / "a")
    assert job is not None
    assert job.status == "finished"


def test_building_as_json(cli: Cli, files: Path, tmp_path: Path) -> None:
    done = cli("build", files, files, "--index", tmp_path / "a", "--json")
    said = json.loads(done.stdout)
    assert said["counts"]["documents"] == 5
    assert said["counts"]["out_degree"] == said["counts"]["edges"] / 5
    assert len(said["duplicates"]) == 5
    assert said["rejected"] == []


def test_adding_and_removing(cli: Cli, index: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.md"
    more.write_text("# Islay\n\nIslay is an island. Port Ellen lies on it.")
    added = json.loads(cli("add", more, "--index", index, "--json").stdout)
    assert added["counts"]["documents"] == 6
    removed = cli("remove", "--index", index, "--document", "club", "owner", "--json")
    assert json.loads(removed.stdout)["counts"]["documents"] == 4
    listed = json.loads(cli("info", "--index", index, "--json").stdout)
    assert {"singer", "stadium", "town"} < {each["id"] for each in listed["documents"]}


def test_a_file_of_a_known_name_is_refused_or_kept_or_replaces(
    cli: Cli, index: Path, tmp_path: Path
) -> None:
    for text in ("Islay is an island.", "Jura has a mountain."):
        (tmp_path / "more.md").write_text(text)
        done = cli("add", tmp_path / "more.md", "--index", index, "--json")
    assert done.exit_code == 2
    assert "more.md is there already with 1 document" in done.stderr
    assert cli("add", tmp_path / "more.md", "--index", index, "--keep-both").exit_code == 0
    kept = cli("add", tmp_path / "more.md", "--index", index, "--json")
    assert json.loads(kept.stdout)["counts"]["documents"] == 7
    (tmp_path / "more.md").write_text("Mull has a tower.")
    done = cli("add", tmp_path / "more.md", "--index", index, "--replace", "--json")
    assert json.loads(done.stdout)["counts"]["documents"] == 6
    assert "Documents gone: 2." in done.stderr
    assert cli("add", "x.md", "--index", index, "--replace", "--keep-both").exit_code == 2


def test_asking_marks_gold(cli: Cli, index: Path) -> None:
    done = cli("ask", QUESTION.text, "--index", index, "--retriever", "bm25", "--top-k", "5")
    assert done.exit_code == 0
    marked = [line for line in done.stdout.splitlines() if "│ gold │" in line]
    assert sorted(line.split("│")[-2].strip() for line in marked) == ["owner", "town"]
    assert "gold" not in cli("ask", "Who is Mara Quist?", "--index", index).stdout


def test_gold_marked_by_hand_is_said_to_be(cli: Cli, index: Path, tmp_path: Path) -> None:
    opened = Index.open(index)
    set_gold(opened, QUESTION.text, "stadium", gold=True)
    set_gold(opened, QUESTION.text, "town", gold=False)
    asked = ("ask", QUESTION.text, "--index", index, "--retriever", "bm25(top_k=5)")
    table = cli(*asked).stdout
    assert [line for line in table.splitlines() if "gold, by hand" in line and "stadium" in line]
    assert "2 of 2 kept. 1 was marked by hand. 1 was taken away by hand." in table
    said = json.loads(cli(*asked, "--json").stdout)
    assert (said["gold"], said["gold_by_hand"]) == (["owner", "stadium"], ["stadium"])
    assert said["gold_removed"] == ["town"]
    assert {hit["id"] for hit in said["hits"] if hit["gold_by_hand"]} == {"stadium"}
    file, written = tmp_path / "trace.jsonl", tmp_path / "questions.jsonl"
    assert cli(*asked, "--trace", file).exit_code == 0
    assert load(file.read_bytes()).by_hand == ("stadium",)

    listed = cli("gold", "--index", index, "--questions", written).stdout
    assert "Lantern Ground" in listed
    assert "no gold" in listed
    (as_json,) = json.loads(cli("gold", "--index", index, "--json").stdout)
    assert as_json["gold"] == ["owner", "stadium"]
    out = tmp_path / "out.json"
    done = cli("evaluate", written, "--index", index, "--retrievers", "bm25", "--json", out)
    assert "Gold ids that were marked by hand: 1" in done.stderr
    assert json.loads(out.read_text())["gold_by_hand"] == {"q1": ["stadium"]}


def test_measuring_says_where_marks_say_otherwise(cli: Cli, index: Path, asked: Path) -> None:
    set_gold(Index.open(index), QUESTION.text, "town", gold=False)
    done = cli("evaluate", asked, "--index", index, "--retrievers", "bm25")
    assert "say otherwise than the file: 1" in done.stderr
    assert "Gold ids that were marked" not in done.stderr


def test_gold_that_the_index_does_not_hold_is_said_when_asking(cli: Cli, index: Path) -> None:
    set_gold(Index.open(index), "Where is the ground?", "stadium", gold=True)
    assert cli("remove", "--index", index, "--document", "stadium").exit_code == 0
    asked = ("ask", "Where is the ground?", "--index", index, "--retriever", "bm25")
    assert "none to find. 1 was marked by hand. 1 is not in this index." in cli(*asked).stdout
    said = json.loads(cli(*asked, "--json").stdout)
    assert said["gold_not_in_index"] == said["gold"] == said["gold_by_hand"]
    assert "not in this index" in cli("gold", "--index", index).stdout


def test_nothing_marked_is_said(cli: Cli, index: Path) -> None:
    assert "Nothing was marked by hand." in cli("gold", "--index", index).stderr


def test_asking_as_json(cli: Cli, index: Path) -> None:
    said = json.loads(cli("ask", QUESTION.text, "--index", index, "--json").stdout)
    assert said["retriever"] == "hoprag-coverage"
    assert said["gold"] == ["owner", "town"]
    assert [hit["rank"] for hit in said["hits"]] == [1, 2, 3, 4, 5]
    assert {hit["id"] for hit in said["hits"] if hit["gold"]} == {"owner", "town"}
    first = said["hits"][0]
    assert first["score"] == pytest.approx(sum(first["parts"].values()))
    assert first["title"] in {title for title, _ in TEXTS.values()}


def test_choices_are_made_by_hand(cli: Cli, index: Path, tmp_path: Path) -> None:
    file = tmp_path / "walk.jsonl"
    asked = ("ask", QUESTION.text, "--index", index, "--retriever", "hoprag-similarity(top_k=2)")
    amend = ("--amend", "start(singer)", "--amend", "take(e@nowhere)", "--trace", file, "--json")
    done = cli(*asked, *amend)
    assert "take(e@nowhere): The walk never looks at the edges of 'nowhere'." in done.stderr
    made = {one["amendment"]: one["made"] for one in json.loads(done.stdout)["amendments"]}
    assert made == {"start(singer)": True, "take(e@nowhere)": False}
    assert list(map(str, load(file.read_bytes()).amendments)) == list(made)
    refused = cli(*asked, "--amend", "<script>")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "is no amendment of a walk" in refused.stderr


def test_a_trace_is_written(cli: Cli, index: Path, tmp_path: Path) -> None:
    file = tmp_path / "walk.jsonl"
    done = cli(
        "ask", QUESTION.text, "--index", index, "--retriever", "hoprag-similarity",
        "--hops", 2, "--trace", file,
    )  # fmt: skip
    assert done.exit_code == 0
    trace = load(file.read_bytes())
    assert trace.query == QUESTION.text
    assert trace.gold == QUESTION.gold
    assert trace.steps[0].settings["n_hop"] == 2  # type: ignore[union-attr]


def test_settings_by_word_and_one_by_one(cli: Cli, index: Path, tmp_path: Path) -> None:
    file = tmp_path / "walk.jsonl"
    done = cli(
        "ask", QUESTION.text, "--index", index, "--retriever", "hoprag-coverage(n_hop=1,top_k=2)",
        "--set", "entry=node", "--set", "named=0.5", "--top-k", 3, "--trace", file,
    )  # fmt: skip
    assert done.exit_code == 0
    trace = load(file.read_bytes())
    assert trace.retriever == "hoprag-coverage(top_k=3,n_hop=1,entry=node,named=0.5)"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--retriever", "bm42"], "no retriever 'bm42'; choose among bm25"),
        (["--retriever", "bm25(top_k"], "'=' is missing where it ends"),
        (["--set", "entry"], "write --set name=value"),
        (["--set", "entry=door"], "write one of edge, node, hybrid"),
        (["--retriever", "bm25", "--hops", 2], "bm25 makes no hops: leave --hops out"),
        (["--retriever", "rerank", "--hops", 2], "rerank makes no hops"),
        (["--top-k", 500], "write a whole number from 1 to 100"),
    ],
)
def test_what_cannot_be_asked_is_named(
    cli: Cli, index: Path, options: list[object], said: str
) -> None:
    done = cli("ask", QUESTION.text, "--index", index, *options)
    assert done.exit_code == 2
    assert said in done.stderr


def test_every_retriever_is_listed_with_its_settings(cli: Cli) -> None:
    said = cli("retrievers").stdout
    listed = json.loads(cli("retrievers", "--json").stdout)
    assert [each["key"] for each in listed] == list(CARDS)
    for each in listed:
        assert each["title"] in said
        assert {one.name for one in Spec(each["key"]).declared} == {
            one["name"] for one in each["settings"]
        }
    assert "n_hop=4  rounds over the queue; a whole number from 1 to 8" in said


def test_two_settings_of_one_retriever_stand_side_by_side(
    cli: Cli, index: Path, asked: Path, tmp_path: Path
) -> None:
    out = tmp_path / "measures.json"
    both = "hybrid-rrf, hybrid-rrf(top_k=1, k0=5)"
    done = cli(
        "evaluate", asked, "--index", index, "--retrievers", both,
        "--baseline", "hybrid-rrf(k0=5,top_k=1)", "--json", out,
    )  # fmt: skip
    assert done.exit_code == 0
    written = json.loads(out.read_text())
    assert list(written["retrievers"]) == ["hybrid-rrf", "hybrid-rrf(top_k=1,k0=5)"]
    assert written["paired"]["baseline"] == "hybrid-rrf(top_k=1,k0=5)"


def test_evaluating(cli: Cli, index: Path, asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "measures.json"
    done = cli("evaluate", asked, "--index", index, "--retrievers", "bm25, dense", "--json", out)
    assert done.exit_code == 0
    written = json.loads(out.read_text())
    assert list(written) == ["retrievers", "gold_not_in_index", "gold_by_hand", "paired"]
    measured = written["retrievers"]
    assert list(measured) == ["bm25", "dense"]
    assert measured["bm25"]["all"]["R@20"] == 100.0
    assert measured["bm25"]["by_dataset"]["five"]["n"] == 1
    assert written["paired"]["baseline"] == "bm25"
    assert written["paired"]["retrievers"]["dense"]["all"]["R@20"]["n"] == 1
    assert "R@20" in done.stdout
    assert "100.0" in done.stdout
    assert "minus bm25, question by question" in done.stdout


def test_the_baseline_is_asked_too(cli: Cli, index: Path, asked: Path) -> None:
    done = cli("evaluate", asked, "--index", index, "--retrievers", "bm25", "--baseline", "dense")
    assert "minus dense, question by question" in done.stdout
    alone = cli("evaluate", asked, "--index", index, "--retrievers", "bm25").stdout
    assert "R@20" in alone
    assert "question by question" not in alone


def test_gold_that_is_not_there_is_said(cli: Cli, index: Path, tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"question": "Who?", "gold": ["p9"]}')
    done = cli("evaluate", questions, "--index", index, "--retrievers", "bm25")
    assert "1 gold ids are not in this index and count as missed, such as p9" in done.stderr
    assert "1 gold ids are not in this index" in done.stdout


def test_the_ceiling(cli: Cli, index: Path, tmp_path: Path) -> None:
    questions, out = tmp_path / "q.jsonl", tmp_path / "ceiling.json"
    rows = (
        {"id": "q1", "question": QUESTION.text, "gold": [*QUESTION.gold, "p9"]},
        {"id": "q2", "question": "Who?"},
    )
    questions.write_text("\n".join(map(json.dumps, rows)))
    done = cli("ceiling", questions, "--index", index, "--json", out)
    assert done.exit_code == 0
    assert "Left out, as they have no gold: 1 questions" in done.stderr
    assert "1 gold ids are not in this index and count as missed, such as p9" in done.stderr
    assert "of 3 gold" in done.stdout
    assert "hoprag-coverage finds 2 of 3 gold passages in its first 20" in done.stdout
    written = json.loads(out.read_text())
    assert written["graph"]["passages"] == 5
    losses = {each["id"]: each["loss"] for each in written["questions"][0]["gold"]}
    assert losses == {"owner": None, "town": None, "p9": "index"}
    refused = cli("ceiling", questions, "--index", index, "--retriever", "bm25")
    assert refused.exit_code == 2
    assert "choose among hoprag-coverage, hoprag-similarity" in refused.stderr


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


def test_an_index_by_its_name_in_the_list(
    cli: Cli, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.settings import Settings

    monkeypatch.setattr("core.cli.common.settings", lambda: Settings(home=tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert cli("build", files, "--index", "news").exit_code == 0
    assert (tmp_path / "home" / "indexes" / "news").is_dir()
    assert cli("info", "--index", "news").exit_code == 0
    assert cli("build", files, "--index", "./news").exit_code == 0
    assert (tmp_path / "news").is_dir()
    assert cli("info", "--index", "..").exit_code == 1
    assert cli("info", "--index", "a..b").exit_code == 2


MISTAKES: list[tuple[tuple[object, ...], int, str]] = [
    (("info", "--index", "./none"), 1, "There is no finished index in none"),
    (("info", "--index", "ftp://host/x"), 1, "An index is in a folder on this machine"),
    (("ask", "x", "--index", "./none"), 1, "Build one: python -m core build"),
    (("build", "none.txt", "--index", "./new"), 2, "There is no file none.txt"),
    (("build", "none.txt", "--index", "./new", "--chunk", "words"), 2, "No chunking"),
    (("info", "--index", "./" + "n" * 300), 1, "cannot be a folder"),
    (("info", "--index", "n" * 300), 1, "cannot be a folder"),
    (("ask", "A\ud800?", "--index", "./none"), 2, "no whole Unicode text"),
    (("remove", "--index", "./none"), 2, "--document ID"),
    (("add", "none.txt", "--index", "./none"), 1, "no finished index"),
    (("evaluate", "none.jsonl", "--index", "./none"), 2, "none.jsonl cannot be read"),
    (("ceiling", "none.jsonl", "--index", "./none"), 2, "none.jsonl cannot be read"),
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
        (("ask", "x", "--retriever", "bm26"), "choose among"),
        (("ask", "x", "--retriever", "bm25", "--hops", "2"), "makes no hops"),
        (("ask", " "), "question is empty"),
        (("ask", "x", "--trace", "/dev/null/x"), "cannot be written"),
        (("remove", "--document", "nobody"), "no document 'nobody'"),
        (("export", "--format", "json", "/dev/null/x"), "cannot be written"),
        (("export", "--format", "csv", "/"), "cannot be written"),
        (("export", "--format", "json", "n" * 300), "cannot be written"),
    ],
)
def test_a_mistake_with_an_index(
    cli: Cli, index: Path, arguments: tuple[object, ...], problem: str
) -> None:
    done = cli(*arguments, "--index", index)
    assert done.exit_code == 2
    assert "Error: " in done.stderr
    assert problem in done.stderr


def test_control_c_says_how_to_go_on(
    cli: Cli, words: WordEmbedder, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(words, "encode", interrupted)
    done = cli("build", files, "--index", tmp_path / "a")
    assert done.exit_code == 130
    assert "What was embedded is kept: run the same command again" in done.stderr
    job = state(tmp_path / "a")
    assert job is not None
    assert job.status == "cancelled"


def test_corpus_text_cannot_steer_the_terminal(cli: Cli, tmp_path: Path) -> None:
    evil = tmp_path / "evil.jsonl"
    row = {"id": "e", "title": "[red]x[/red]\x1b[31m\u202e", "text": "A rat is an animal."}
    evil.write_text(json.dumps(row))
    cli("build", evil, "--index", tmp_path / "a")
    shown = cli("ask", "Which animal is a rat?", "--index", tmp_path / "a").stdout
    assert "[red]x[/red]" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert plain("a\x07\r\nb") == "a b"


STANDS = "hipporag2"


def shelf(cli: Cli, index: Path, *options: str) -> dict[str, Any]:
    rows = json.loads(cli("shelf", "--index", index, "--json", *options).stdout)
    return {row["name"]: row for row in rows}


def test_asking_builds_first_what_the_retriever_stands_on(cli: Cli, index: Path) -> None:
    assert "Nothing has been built" in cli("shelf", "--index", index).stderr
    done = cli("ask", QUESTION.text, "--index", index, "--retriever", STANDS)
    assert done.exit_code == 0
    assert "Building entities, facts" in done.stderr
    assert "Facts" in done.stderr  # a bar of its own
    job = state(index)
    assert job is not None
    assert (job.job and job.job.kind, job.status) == ("make", "finished")
    assert list(job.seconds) == ["entities", "facts"]

    again = cli("ask", QUESTION.text, "--index", index, "--retriever", STANDS)
    assert "Building" not in again.stderr
    assert again.stdout == done.stdout


def test_evaluating_builds_first_too(cli: Cli, index: Path, asked: Path) -> None:
    done = cli("evaluate", asked, "--index", index, "--retrievers", f"bm25,{STANDS}")
    assert done.exit_code == 0
    assert "Building entities, facts" in done.stderr


def test_building_for_a_retriever_listing_and_dropping(cli: Cli, index: Path) -> None:
    assert cli("make", "--index", index, "--for", f"rerank(over={STANDS})").exit_code == 0
    assert "up to date" in cli("make", "--index", index, "entities", "facts").stderr
    found = shelf(cli, index)
    assert list(found) == ["entities", "facts"]
    assert found["facts"]["up_to_date"]
    assert STANDS in found["facts"]["retrievers"]
    assert found["facts"]["size"] > 0
    assert "up to date" in cli("shelf", "--index", index).stdout

    assert list(shelf(cli, index, "--drop", "facts")) == ["entities"]
    refused = cli("shelf", "--index", index, "--drop", "facts")
    assert (refused.exit_code, "no 'facts' on the shelf" in refused.stderr) == (2, True)

    assert cli("remove", "--index", index, "--document", "town").exit_code == 0
    assert not shelf(cli, index)["entities"]["up_to_date"]
    assert "stale" in cli("shelf", "--index", index).stdout


def test_what_cannot_be_built(cli: Cli, index: Path, tmp_path: Path) -> None:
    for arguments, told in (
        (("--index", index), "There are: entities, facts"),
        (("--index", index, "cats"), "no artefact 'cats'; choose among entities"),
        (("--index", index, "--for", "cats"), "no retriever 'cats'"),
    ):
        done = cli("make", *arguments)
        assert (done.exit_code, told in done.stderr) == (2, True), done.stderr
    assert cli("make", "entities", "--index", tmp_path / "none").exit_code == 1


def test_a_trace_is_exported_as_a_story(cli: Cli, index: Path, tmp_path: Path) -> None:
    kept, one, other = (tmp_path / name for name in ("t.jsonl", "one.html", "other.html"))
    assert cli("ask", QUESTION.text, "--index", index, "--trace", kept).exit_code == 0
    assert cli("export", "--format", "story", "--trace", kept, one).exit_code == 0
    asked = ("--index", index, "--question", QUESTION.text)
    assert cli("export", "--format", "story", *asked, other).exit_code == 0
    for page in (one, other):
        text = page.read_text(encoding="utf-8")
        assert text.startswith("<!DOCTYPE html>")
        assert '"label":"Harbour Rovers"' in text
    assert cli("export", "--format", "story", "--trace", kept, "--index", index, one).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--format", "story"), "made of --trace"),
        (("--format", "story", "--question", "q", "--trace", "t"), "made of --trace"),
        (("--format", "story", "--question", "q"), "which index"),
        (("--format", "story", "--trace", "no such file"), "cannot be read"),
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
    assert "not made from" in done.stderr


def test_what_was_cut_is_said_and_questions_are_suggested(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "ports.md").write_text(
        "# Ports\n\n## Ash\n\nAsh meets the sea at Selby.\n\n## Selby\n\nSelby was founded in 1204."
    )
    index = str(tmp_path / "ix")
    built = cli("build", str(tmp_path / "ports.md"), "--index", index)
    assert built.exit_code == 0, built.stderr
    assert "Cut: 1 document is cut: at its headings." in built.stderr
    assert "Ports: Ash, part 1 (27 characters); Ports: Selby, part 2" in built.stderr
    shown = cli("info", "--index", index)
    assert "Questions to begin with, made by rules from the graph:" in shown.stderr
    question = "Ash meets the sea at something that was founded in 1204. What is it?"
    assert f"· {question}" in shown.stderr
    listed = json.loads(cli("info", "--index", index, "--json").stdout)
    assert listed["chunking"] == "fit"
    assert listed["suggested"][0] == {
        "question": question,
        "gold": ["ports.md#0", "ports.md#1"],
    }

import json
from pathlib import Path

import pytest

from core.cli.common import plain
from core.marks import set_gold
from core.store.index import Index
from core.traces import load
from tests.core.cli.calling import Cli
from tests.core.five import QUESTION, TEXTS


def test_asking_marks_gold(cli: Cli, index: Path) -> None:
    done = cli("ask", QUESTION.text, "--index", index, "--retriever", "bm25", "--top-k", "5")
    assert done.exit_code == 0
    marked = [line for line in done.stdout.splitlines() if "│ gold │" in line]
    assert sorted(line.split("│")[-2].strip() for line in marked) == ["owner", "town"]
    assert "gold" not in cli("ask", "Who is Mara Quist?", "--index", index).stdout


def test_gold_marked_by_hand_is_said_to_be(cli: Cli, index: Path, tmp_path: Path) -> None:
    opened = Index.open(index)
    set_gold(opened, QUESTION.text, "stadium", gold=True, annotator="Ana")
    set_gold(opened, QUESTION.text, "town", gold=False)
    asked = ("ask", QUESTION.text, "--index", index, "--retriever", "bm25(top_k=5)")
    table = cli(*asked).stdout
    assert [
        line for line in table.splitlines() if "gold, marked by hand" in line and "stadium" in line
    ]
    assert "2 of 2 retrieved. 1 was marked by hand. 1 was removed by hand." in table
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
    assert "by Ana" in listed
    (as_json,) = json.loads(cli("gold", "--index", index, "--json").stdout)
    assert as_json["gold"] == ["owner", "stadium"]
    assert {*as_json["gold_marked"]} == {"stadium", "town"}
    out = tmp_path / "out.json"
    done = cli("evaluate", written, "--index", index, "--retrievers", "bm25", "--json", out)
    assert "Gold ids marked by hand: 1" in done.stderr
    assert json.loads(out.read_text())["gold_by_hand"] == {"q1": ["stadium"]}


def test_gold_that_the_index_does_not_hold_is_said_when_asking(cli: Cli, index: Path) -> None:
    set_gold(Index.open(index), "Where is the ground?", "stadium", gold=True)
    assert cli("remove", "--index", index, "--document", "stadium").exit_code == 0
    asked = ("ask", "Where is the ground?", "--index", index, "--retriever", "bm25")
    assert "none in this index. 1 was marked by hand. 1 is not in this index." in cli(*asked).stdout
    said = json.loads(cli(*asked, "--json").stdout)
    assert said["gold_not_in_index"] == said["gold"] == said["gold_by_hand"]
    assert "not in this index" in cli("gold", "--index", index).stdout


def test_a_mark_that_was_not_followed_is_listed_with_its_text(cli: Cli, index: Path) -> None:
    set_gold(Index.open(index), "Where is the ground?", "stadium", gold=True)
    assert cli("remove", "--index", index, "--document", "stadium").exit_code == 0
    shown = " ".join(cli("gold", "--index", index).stdout.split())
    assert "1 mark could not be matched to passages after the rebuild." in shown
    (row,) = json.loads(cli("gold", "--index", index, "--json").stdout)
    (lost,) = row["gold_not_followed"]
    assert (lost["passage"], lost["text"]) == ("stadium", TEXTS["stadium"][1])
    assert lost["why"] == "No passage contains its text."


def test_nothing_marked_is_said(cli: Cli, index: Path) -> None:
    assert "No passages were marked by hand." in cli("gold", "--index", index).stderr


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
    assert "take(e@nowhere): The walk never examines the edges of 'nowhere'." in done.stderr
    made = {one["amendment"]: one["made"] for one in json.loads(done.stdout)["amendments"]}
    assert made == {"start(singer)": True, "take(e@nowhere)": False}
    assert list(map(str, load(file.read_bytes()).amendments)) == list(made)
    refused = cli(*asked, "--amend", "<script>")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "is not a change to a walk" in refused.stderr


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
        (["--retriever", "bm42"], "Unknown retriever 'bm42'. Choose one of bm25"),
        (["--retriever", "bm25(top_k"], "'=' is missing at the end"),
        (["--set", "entry"], "'entry' has no value. Use --set name=value"),
        (["--set", "entry=door"], "Use one of edge, node, hybrid"),
        (["--retriever", "bm25", "--hops", 2], "bm25 does not hop. Omit --hops"),
        (["--retriever", "rerank", "--hops", 2], "rerank does not hop"),
        (["--top-k", 500], "Use a whole number from 1 to 100"),
    ],
)
def test_what_cannot_be_asked_is_named(
    cli: Cli, index: Path, options: list[object], said: str
) -> None:
    done = cli("ask", QUESTION.text, "--index", index, *options)
    assert done.exit_code == 2
    assert said in done.stderr


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

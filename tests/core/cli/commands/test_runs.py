"""`evaluate --run` and `runs`: kept, shown, compared, renamed, deleted, as TREC files."""

import json
from pathlib import Path

import pytest

from core.runs import Runs
from core.store.index import Index
from tests.core.cli.calling import Cli, commands
from tests.core.evidence.chunked import QUESTION, chunked
from tests.core.evidence.chunked import asked as ran

KEYS = ("--retrievers", "bm25,dense")


@pytest.fixture
def kept(cli: Cli, index: Path, asked: Path) -> Runs:
    assert cli("evaluate", asked, "--index", index, *KEYS, "--run", "First").exit_code == 0
    return Runs(index)


def test_a_kept_run_prints_what_the_command_prints(cli: Cli, index: Path, asked: Path):
    alone = cli("evaluate", asked, "--index", index, *KEYS, "--json", asked.parent / "a.json")
    done = cli(
        "evaluate", asked, "--index", index, *KEYS, "--run", "R", "--json", asked.parent / "b.json"
    )
    assert (alone.exit_code, done.exit_code) == (0, 0)
    a, b = (json.loads((asked.parent / f"{name}.json").read_text()) for name in "ab")
    for name, told in a["retrievers"].items():
        assert told["by_question"][0]["ranks"] == b["retrievers"][name]["by_question"][0]["ranks"]
        assert told["all"]["R@5"] == b["retrievers"][name]["all"]["R@5"]
    assert a["paired"] == b["paired"]


def test_without_a_file_the_index_asks_its_own(cli: Cli, index: Path):
    done = cli("evaluate", "--index", index, *KEYS, "--run", "Own")
    assert done.exit_code == 0
    assert Runs(index).get("Own").question_set == "index"


def test_listed_shown_renamed_deleted(cli: Cli, index: Path, kept: Runs):
    listed = json.loads(cli("runs", "list", "--index", index, "--json").stdout)
    assert {each["gold"] for each in listed} == {"document"}
    assert [run["name"] for run in listed] == ["First"]
    shown = cli("runs", "show", "First", "--index", index).stdout
    assert kept.get("First").configuration("bm25") in shown
    assert "R@5" in shown
    assert cli("runs", "rename", "First", "Second", "--index", index).exit_code == 0
    assert "Second" in cli("runs", "list", "--index", index).stdout
    assert cli("runs", "delete", "Second", "--index", index).exit_code == 0
    assert kept.all() == []
    gone = cli("runs", "show", "Second", "--index", index)
    assert gone.exit_code == 2
    assert "no run 'Second'" in gone.stderr


def test_two_runs_compared(cli: Cli, index: Path, asked: Path, kept: Runs):
    assert cli("evaluate", asked, "--index", index, *KEYS, "--run", "Second").exit_code == 0
    compare = ("runs", "compare", "Second", "First", "--index", index)
    found = json.loads(cli(*compare, "--json").stdout)
    assert set(found) == {"bm25", "dense"}
    assert found["bm25"]["equal"] == 1
    assert "Second minus First" in cli(*compare).stdout
    assert cli(*compare, "--measure", "R@7").exit_code == 2


def test_a_name_is_one_run(cli: Cli, index: Path, asked: Path, kept: Runs):
    again = cli("evaluate", asked, "--index", index, *KEYS, "--run", "First")
    assert again.exit_code == 2
    assert "already" in again.stderr
    kept.end(kept.get("First").id, "stopped")
    assert cli("evaluate", asked, "--index", index, *KEYS, "--run", "First").exit_code == 0
    assert kept.get("First").state == "finished"


def test_trec_goes_out_and_comes_in(cli: Cli, index: Path, asked: Path, tmp_path: Path):
    trec = tmp_path / "trec"
    evaluate = ("evaluate", asked, "--index", index, *KEYS)
    assert cli(*evaluate, "--run", "Out", "--trec", trec).exit_code == 0
    assert {path.name for path in trec.iterdir()} == {"qrels.txt", "bm25.run", "dense.run"}
    other = tmp_path / "theirs.run"
    other.write_text((trec / "bm25.run").read_text())
    done = cli(*evaluate, "--run", "In", "--import-run", other)
    assert done.exit_code == 0
    assert Runs(index).get("In").retrievers == ("bm25", "dense", "theirs")
    assert "theirs" in done.stdout


def test_a_ranking_of_some_questions_says_of_how_many(
    cli: Cli, index: Path, asked: Path, tmp_path: Path
):
    more = tmp_path / "more.jsonl"
    more.write_text(asked.read_text().rstrip() + '\n{"id": "more", "question": "Who is next?"}\n')
    evaluate = ("evaluate", more, "--index", index, *KEYS)
    trec = tmp_path / "trec"
    assert cli(*evaluate, "--run", "Out", "--trec", trec).exit_code == 0
    part = tmp_path / "part.run"
    part.write_text((trec / "bm25.run").read_text().splitlines()[0] + "\n")
    done = cli(*evaluate, "--run", "In", "--import-run", part)
    assert "part has results for 1 of 2 questions; its measures" in done.stderr
    assert "part has rankings for 1 of 2" in cli("runs", "show", "In", "--index", index).stderr


@pytest.mark.parametrize("more", [("--trec", "x"), ("--import-run", "x.run")])
def test_files_of_runs_need_a_run(cli: Cli, index: Path, asked: Path, more: tuple[str, str]):
    done = cli("evaluate", asked, "--index", index, *KEYS, *more)
    assert done.exit_code == 2
    assert "--run" in done.stderr


def test_every_part_of_runs_is_documented():
    for command in commands()["runs"].commands.values():
        assert command.help
        for parameter in command.params:
            assert parameter.help or parameter.name == "help"


def test_runs_of_two_indexes_compared(cli: Cli, tmp_path: Path):
    second = {**QUESTION, "id": "s", "question": "Which welder founded the yard?"}
    for name, how in (("whole", "as-is"), ("cut", "sentence")):
        ran(chunked(tmp_path / name, how, QUESTION, second))
    both = ("--index", tmp_path / "whole", "--with-index", tmp_path / "cut")
    told = json.loads(cli("runs", "compare", "First", "First", *both, "--json").stdout)
    assert told["questions"]["compared"] == 2
    assert (told["ours"]["passages"], told["theirs"]["passages"]) == (2, 5)
    line = told["retrievers"]["bm25"]["tokens@5"]
    assert line["difference"] == pytest.approx(line["ours"] - line["theirs"])
    shown = cli("runs", "compare", "First", "First", *both)
    assert "2 shared questions" in shown.stdout
    assert "R@1000 tokens" in shown.stdout
    refused = cli("runs", "compare", "First", "First", *both, "--measure", "R@5")
    assert (refused.exit_code, "Omit --measure" in refused.stderr) == (2, True)
    shown = cli("runs", "show", "First", "--index", tmp_path / "whole").stdout
    assert "each position of the reasoning chain" in shown
    asked = json.loads(cli("runs", "show", "First", *both[:2], "--json").stdout)
    assert asked["by_chain_position"]["2"]["questions"] == 2


def test_trec_files_go_out_and_come_in(cli: Cli, index: Path, kept: Runs, tmp_path: Path):
    out = tmp_path / "trec"
    assert cli("runs", "export", "First", out, "--index", index).exit_code == 0
    assert {path.name for path in out.iterdir()} == {"qrels.txt", "bm25.run", "dense.run"}
    brought = cli(
        "runs", "import", "First", out / "bm25.run", "--name", "again", "--index", index, "--json"
    )
    assert brought.exit_code == 0
    assert json.loads(brought.stdout)["imported"] is True
    run = kept.get("First")
    assert run.retrievers == ("bm25", "dense", "again")
    assert kept.measures(run.id, "again") == kept.measures(run.id, "bm25")
    assert cli("runs", "remove-column", "First", "again", "--index", index).exit_code == 0
    assert kept.get("First").retrievers == ("bm25", "dense")
    gone = cli("runs", "remove-column", "First", "again", "--index", index)
    assert gone.exit_code == 2
    assert "no retriever 'again'" in gone.stderr


def test_documents_are_named_where_that_is_wished(
    cli: Cli, index: Path, kept: Runs, tmp_path: Path
):
    done = cli("runs", "export", "First", tmp_path, "--level", "document", "--index", index)
    assert done.exit_code == 0
    names = {line.split()[2] for line in (tmp_path / "bm25.run").read_text().splitlines()}
    opened = Index.open(index)
    assert names <= set(opened.document_passages)


def test_a_run_of_other_ids_is_refused_with_their_names(
    cli: Cli, index: Path, kept: Runs, tmp_path: Path
):
    (question,) = kept.questions(kept.get("First").id)
    made = tmp_path / "own.trec"
    made.write_text(
        f"{question.id} Q0 unknown-passage-1 1 9.5 x\n{question.id} Q0 town 2 8.1 x\n"
        "q9 Q0 owner 1 3.0 x\n"
    )
    asked = ("runs", "import", "First", made, "--index", index)
    refused = cli(*asked, "--json")
    assert refused.exit_code == 2
    assert "1 of 2 questions is not in the run: q9" in refused.stderr
    assert "1 of 3 passage ids is not in the index: unknown-passage-1" in refused.stderr
    told = json.loads(refused.stdout)
    assert (told["imported"], told["unknown_passages"]) == (False, ["unknown-passage-1"])
    assert kept.get("First").retrievers == ("bm25", "dense")
    done = cli(*asked, "--force")
    assert done.exit_code == 0
    assert "name its retriever in HOPRAG_RETRIEVERS" in done.stderr
    assert "Open the run 'First' on Evaluate or Errors" in done.stderr
    assert kept.get("First").retrievers == ("bm25", "dense", "own")

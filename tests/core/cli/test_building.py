import json
from pathlib import Path

import pytest

from core.jobs import state
from tests.core.cli.calling import Cli
from tests.core.fakes import WordEmbedder


def test_building_prints_the_size(cli: Cli, files: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    done = cli("build", files, empty, "--index", tmp_path / "a", "--chunk", "sentence")
    assert done.exit_code == 0
    assert "Passages (vertices)" in done.stdout
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


def test_limits_of_the_graph_are_kept_and_told(cli: Cli, files: Path, tmp_path: Path) -> None:
    options = ("--in-questions", 1, "--out-questions", 1, "--edge-cap", 1)
    done = cli("build", files, "--index", tmp_path / "a", *options)
    assert "at most 1 in-question, 1 out-question and 1 edge per" in " ".join(done.stdout.split())
    assert "Edges dropped (limit 1 n)" in done.stdout
    listed = json.loads(cli("info", "--index", tmp_path / "a", "--json").stdout)
    assert listed["limits"] == {"in_questions": 1, "out_questions": 1, "edge_cap": 1}
    assert listed["counts"]["in_coming"] == 5
    assert cli("build", files, "--index", tmp_path / "b", "--edge-cap", -1).exit_code != 0
    (tmp_path / "edges.csv").write_text("source,target\nclub,owner\n")
    graph = ("--graph", tmp_path / "edges.csv")
    refused = cli("build", files, "--index", tmp_path / "c", *graph, *options)
    assert "A graph from a file has its own questions" in " ".join(refused.stderr.split())


@pytest.mark.parametrize("kept", [False, True])
def test_reference_lists_are_read_when_asked_for(cli: Cli, tmp_path: Path, kept: bool) -> None:
    page = tmp_path / "a.html"
    page.write_text("<h1>Selby</h1><p>A port.<sup>[1]</sup></p><h2>References</h2><p>Colm.</p>")
    done = cli("build", page, "--index", tmp_path / "a", *["--references"] * kept)
    assert ("left out by default" in done.stderr) is not kept
    found = state(tmp_path / "a")
    assert found is not None
    assert found.job.references is kept


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
    assert "more.md is already in the index with 1 document" in done.stderr
    assert cli("add", tmp_path / "more.md", "--index", index, "--keep-both").exit_code == 0
    kept = cli("add", tmp_path / "more.md", "--index", index, "--json")
    assert json.loads(kept.stdout)["counts"]["documents"] == 7
    (tmp_path / "more.md").write_text("Mull has a tower.")
    done = cli("add", tmp_path / "more.md", "--index", index, "--replace", "--json")
    assert json.loads(done.stdout)["counts"]["documents"] == 6
    assert "Documents removed: 2." in done.stderr
    assert cli("add", "x.md", "--index", index, "--replace", "--keep-both").exit_code == 2


def test_an_index_by_its_name_in_the_list(
    cli: Cli, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.settings import Settings

    monkeypatch.setattr("core.library.catalogue.settings", lambda: Settings(home=tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert cli("build", files, "--index", "news").exit_code == 0
    assert (tmp_path / "home" / "indexes" / "news").is_dir()
    assert cli("info", "--index", "news").exit_code == 0
    assert cli("build", files, "--index", "./news").exit_code == 0
    assert (tmp_path / "news").is_dir()
    assert cli("info", "--index", "..").exit_code == 1
    assert cli("info", "--index", "a..b").exit_code == 2


def test_control_c_says_how_to_go_on(
    cli: Cli, words: WordEmbedder, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(words, "encode", interrupted)
    done = cli("build", files, "--index", tmp_path / "a")
    assert done.exit_code == 130
    assert "Finished embeddings are kept: run the same command again" in done.stderr
    job = state(tmp_path / "a")
    assert job is not None
    assert job.status == "cancelled"


def test_what_was_cut_is_said_and_questions_are_suggested(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "ports.md").write_text(
        "# Ports\n\n## Ash\n\nAsh meets the sea at Selby.\n\n## Selby\n\nSelby was founded in 1204."
    )
    index = str(tmp_path / "ix")
    built = cli("build", str(tmp_path / "ports.md"), "--index", index)
    assert built.exit_code == 0, built.stderr
    assert "Cut: 1 document is split at its headings." in built.stderr
    assert "Ports: Ash, part 1 (27 characters); Ports: Selby, part 2" in built.stderr
    shown = cli("info", "--index", index)
    assert "Suggested questions, generated by rules from the graph:" in shown.stderr
    question = "Ash meets the sea at something that was founded in 1204. What is it?"
    assert f"· {question}" in shown.stderr
    listed = json.loads(cli("info", "--index", index, "--json").stdout)
    assert listed["chunking"] == "fit"
    assert listed["suggested"][0] == {
        "question": question,
        "gold": ["ports.md#0", "ports.md#1"],
    }


def test_info_says_how_evidence_was_found(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "ports.md").write_text("# Ports\n\nAsh meets the sea at Selby. Selby is a town.")
    facts = ["Ash meets the sea at Selby.", "Nobody has ever said anything like this."]
    row = {"id": "q", "question": "Where does the Ash end?", "evidence": facts}
    (tmp_path / "asked.jsonl").write_text(json.dumps(row))
    index, files = (
        str(tmp_path / "ix"),
        [str(tmp_path / name) for name in ("ports.md", "asked.jsonl")],
    )
    assert cli("build", *files, "--index", index).exit_code == 0
    told = (
        "Gold: 2 pieces of evidence in 1 question; 1 found word for word, "
        "1 not found in any passage."
    )
    assert told in cli("info", "--index", index).stderr
    listed = json.loads(cli("info", "--index", index, "--json").stdout)["questions"]
    assert (listed["gold"], listed["told"]) == ("evidence", told)
    assert listed["steps"] == {"exact": 1, "not found": 1}

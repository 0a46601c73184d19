import json
from pathlib import Path
from typing import Any

from core.jobs import state
from tests.core.cli.calling import Cli
from tests.core.five import QUESTION

STANDS = "hipporag2"


def shelf(cli: Cli, index: Path, *options: str) -> dict[str, Any]:
    rows = json.loads(cli("shelf", "--index", index, "--json", *options).stdout)
    return {row["name"]: row for row in rows}


def test_asking_builds_first_what_the_retriever_stands_on(cli: Cli, index: Path) -> None:
    assert list(shelf(cli, index)) == ["corpus-map"]
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
    assert list(found) == ["corpus-map", "entities", "facts"]
    assert found["facts"]["up_to_date"]
    assert STANDS in found["facts"]["retrievers"]
    assert found["facts"]["size"] > 0
    assert "up to date" in cli("shelf", "--index", index).stdout

    assert list(shelf(cli, index, "--drop", "facts")) == ["corpus-map", "entities"]
    refused = cli("shelf", "--index", index, "--drop", "facts")
    assert (refused.exit_code, "has no built 'facts'" in refused.stderr) == (2, True)

    assert cli("remove", "--index", index, "--document", "town").exit_code == 0
    assert not shelf(cli, index)["entities"]["up_to_date"]
    assert "stale" in cli("shelf", "--index", index).stdout


def test_what_cannot_be_built(cli: Cli, index: Path, tmp_path: Path) -> None:
    for arguments, told in (
        (("--index", index), "Choose from: entities, facts"),
        (("--index", index, "cats"), "Unknown artefact 'cats'. Choose one of entities"),
        (("--index", index, "--for", "cats"), "Unknown retriever 'cats'"),
    ):
        done = cli("make", *arguments)
        assert (done.exit_code, told in done.stderr) == (2, True), done.stderr
    assert cli("make", "entities", "--index", tmp_path / "none").exit_code == 1


def test_info_tells_entities_before_and_after_alignment(cli: Cli, index: Path) -> None:
    missing = cli("info", "--index", index, "--entities")
    assert missing.exit_code != 0
    assert "ontology" in missing.stderr
    cli("make", "--index", index, "--for", "higra")
    sizes = json.loads(cli("info", "--index", index, "--entities", "--json").stdout)
    assert sizes["names"] >= sizes["entities"] >= sizes["largest"] > 1
    table = cli("info", "--index", index, "--entities").stdout
    assert "Entities after alignment" in table
    assert f"{sizes['mean_degree']:.2f}" in table

"""The command that says where gold was lost."""

import json
from pathlib import Path

from core.artefacts.workbench import Workbench
from core.retrievers import Spec
from core.reviews.losses.clusters import clusters_of
from core.runs import Runs
from core.runs.measuring import begin, measure
from tests.core.cli.calling import Cli
from tests.core.evidence.chunked import chunked
from tests.core.five import QUESTION


def test_stages_losses_and_rescues(cli: Cli, index: Path, asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = cli("funnel", "--index", index, "--retriever", "dense(top_k=1)", "--json", out)
    assert done.exit_code == 0
    assert "below the top k" in done.stdout
    assert " instead of 1: rank " in done.stdout
    written = json.loads(out.read_text())
    assert written["gold"] == "document"
    (question,) = written["questions"]
    stages = {fate["gold"]: fate["stage"] for fate in question["fates"]}
    assert stages.keys() == {"owner", "town"}
    again = cli("funnel", asked, "--index", index, "--no-rescue")
    assert again.exit_code == 0
    assert "HopRAG (coverage) retrieves " in again.stdout
    assert "the upper bound for a walk" in again.stdout
    less = cli("funnel", asked, "--index", index, "--no-rescue", "--retriever", "dense(top_k=1)")
    assert "Stages of loss" in less.stdout
    assert "retrieved it" not in less.stdout
    assert "no single change" not in less.stdout  # none was tried


def test_a_file_that_is_not_there(cli: Cli, index: Path) -> None:
    done = cli("funnel", "nothing.jsonl", "--index", index)
    assert done.exit_code == 2
    assert "Could not read" in done.stderr


def test_the_command_line_has_the_groups_of_the_screen(
    cli: Cli, index: Path, asked: Path, workbench: Workbench
) -> None:
    narrow = Spec.parse("bm25(top_k=1)")
    run = begin(workbench, [QUESTION], [narrow], name="One")
    measure(run, workbench)
    (group,) = clusters_of(Runs(workbench.index.path), run.id, str(narrow), workbench.index)
    done = cli("funnel", asked, "--index", index, "--retriever", narrow, "--no-rescue")
    rows = [line for line in done.stdout.splitlines() if group.name in line]
    assert len(rows) == 1
    assert [cell.strip() for cell in rows[0].split("│")[2:4]] == [
        str(len(group.questions)),
        str(group.golds),
    ]


def test_lost_evidence_is_placed_in_its_chain(cli: Cli, tmp_path: Path):
    chunked(tmp_path / "whole", "as-is")
    done = cli("funnel", "--index", tmp_path / "whole", "--retriever", "bm25(top_k=1)")
    assert " of 2 (" in " ".join(done.stdout.split())
    assert "q: evidence found for" in done.stdout
    assert "Gold: evidence" in done.stdout

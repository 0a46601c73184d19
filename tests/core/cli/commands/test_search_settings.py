"""The command that searches the settings of a retriever."""

import json
from pathlib import Path

from core.runs import Runs
from tests.core.cli.calling import Cli

KEYS = ("--retriever", "hoprag-similarity(top_k=1)", "--try", "top_k=2,3", "--try", "n_hop=2")


def test_it_prints_every_setting_and_a_decision(
    cli: Cli, index: Path, asked: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    done = cli("search-settings", asked, "--index", index, *KEYS, "--json", out)
    assert done.exit_code == 0, done.stderr
    told = json.loads(out.read_text())
    assert told["settings_tried"] == 5
    assert " ".join(told["decision"].split()) in " ".join(done.stdout.split())
    for one in told["tried"]:
        assert one["told"] in done.stdout
    assert Runs(index).all() == []  # without a name nothing is kept


def test_a_named_one_is_kept_once(cli: Cli, index: Path, asked: Path) -> None:
    assert cli("search-settings", asked, "--index", index, *KEYS, "--run", "S").exit_code == 0
    assert Runs(index).get("S").is_search
    again = cli("search-settings", asked, "--index", index, *KEYS, "--run", "S")
    assert again.exit_code == 2
    assert "already" in again.stderr


def test_a_setting_that_is_none(cli: Cli, index: Path) -> None:
    done = cli("search-settings", "--index", index, "--retriever", "bm25", "--try", "luck=3")
    assert done.exit_code == 2
    assert "has no setting 'luck'" in done.stderr

"""The command that runs a study."""

import json
from pathlib import Path

import pytest

from core.runs import Runs
from core.settings import settings
from tests.core.cli.calling import Cli
from tests.core.studies.examples import TEXT, write_study


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "home"))
    settings.cache_clear()


def test_it_prints_tables_and_stores_the_run(cli: Cli, index: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    path = write_study(tmp_path)
    done = cli("study", path, "--index", index, "--json", out)
    assert done.exit_code == 0, done.stderr
    assert "up to 18 results to measure" in done.stderr
    assert "Published: A paper, Table 1" in done.stdout
    assert "41.5" in done.stdout
    told = json.loads(out.read_text())
    assert len(told["rows"]) == 6
    (run,) = Runs(index).all()
    assert {row["run"] for row in told["rows"]} == {run.id}
    again = cli("study", path, "--index", index)
    assert "Complete." in again.stderr
    assert len(Runs(index).all()) == 1


def test_a_forecast_measures_nothing(cli: Cli, index: Path, tmp_path: Path) -> None:
    done = cli("study", write_study(tmp_path), "--index", index, "--forecast")
    assert (done.exit_code, done.stdout) == (0, "")
    assert Runs(index).all() == []


def test_mistakes_are_one_line(cli: Cli, index: Path, tmp_path: Path) -> None:
    for text, told in (("x", "not valid TOML"), (TEXT.replace("bm25", "bm26"), "bm26")):
        done = cli("study", write_study(tmp_path, text), "--index", index)
        assert done.exit_code == 2
        assert told in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert cli("study", write_study(tmp_path)).exit_code == 2

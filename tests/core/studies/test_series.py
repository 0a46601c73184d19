"""Points of charts: a value that stands for another is plotted where the other is."""

from pathlib import Path

import pytest

from core.jobs import run as run_job
from core.jobs.study import study_job, study_variants
from core.settings import settings
from core.studies import View, read_study, results_of
from core.studies.naming import size_told
from core.studies.series import curve
from tests.core.studies.examples import ASKED

TEXT = """
title = "Seeds"
retrievers = ["hoprag-coverage(top_k=3,seeds=[0,1,5])"]
measures = ["R@5"]

[data]
questions = "asked.jsonl"
"""


@pytest.mark.usefixtures("words")
def test_a_value_that_follows_another_is_plotted_there(
    tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "home"))
    settings.cache_clear()
    path = tmp_path / "seeds.toml"
    path.write_text(TEXT)
    (tmp_path / "asked.jsonl").write_text(ASKED)
    study = read_study(path)
    run_job(study_job(path, str(built)))
    results = results_of(study, study_variants(study, str(built)))
    points = curve(results, View(kind="curve", measures=("R@5",), over="seeds"), "R@5")
    assert [one.x for one in points] == [1, 3, 5]
    assert [one.told for one in points] == ["", "3 (same as top k)", ""]
    assert size_told(study) == "3 values of seeds"
    settings.cache_clear()

"""What a job says of itself before it has counted anything."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pages.components.building.job_stages import headline, overall, stage_grid, stage_rows


def state(
    stage: str | None, done: int = 0, total: int = 1, kind: str = "study", **seconds: float
) -> Any:
    began = datetime.now(UTC) - timedelta(seconds=31)
    return cast(
        Any,
        SimpleNamespace(
            job=SimpleNamespace(kind=kind, extractor=""),
            running=True,
            stage=stage,
            done=done,
            total=total,
            seconds=seconds,
            rate=None,
            eta_seconds=None,
            started_at=began,
            last_progress_at=began,
        ),
    )


def test_a_study_says_what_it_waits_for_and_how_long() -> None:
    assert "Start the program" in stage_rows(state(None))[0]
    assert "31 s so far" in stage_rows(state(None))[0]
    (_, now) = stage_rows(state("warm-up", load=2.0, **{"warm-up": 0.0}))
    assert "Warm up" in now
    assert "31 s so far" in now


def test_a_study_is_as_far_as_its_results() -> None:
    before = {"load": 2.0, "embed": 1.0}
    assert overall(state("embed", 3, 4, **before)) == 0.0
    assert overall(state("ask", 0, 51, **before, ask=0.0)) == 0.0
    assert overall(state("ask", 17, 51, **before, ask=0.0)) == 17 / 51


def test_a_build_names_what_it_does_until_its_share_advances() -> None:
    assert headline(state(None, kind="build")) == "starting"
    assert headline(state("load", kind="build", read=0.1, load=0.0)) == "loading the embedder"
    embedding = state("embed", 1, 2, kind="build", read=0.1, load=9.0, chunk=0.1, questions=1.0)
    assert headline(embedding) == "46%"  # read, load, chunk, questions, and half of 60, of 100


def test_removing_documents_shows_no_stage_that_it_skips() -> None:
    rows = "".join(stage_rows(state("chunk", kind="remove", chunk=0.0)))
    assert "Load embedder" not in rows
    assert "Read the files" not in rows
    assert "Load embedder" in "".join(stage_rows(state("chunk", kind="add", chunk=0.0)))


@pytest.mark.parametrize(
    ("stages", "wide", "narrow"), [(1, 1, 1), (5, 5, 5), (8, 8, 4), (9, 9, 5), (10, 5, 5)]
)
def test_stages_fill_even_rows(stages: int, wide: int, narrow: int) -> None:
    grid = stage_grid(["<li></li>"] * stages)
    assert f"--stages-wide:{wide};--stages-narrow:{narrow}" in grid
    assert grid.count("<li>") == stages


def test_a_build_has_a_stage_of_extraction_if_a_model_extracts() -> None:
    assert not any("Extract entities" in row for row in stage_rows(state("merge", kind="build")))
    extracting = stage_rows(state("extract", 3, 9, kind="add", merge=1.0, write=0.1, extract=2.0))
    titles = [row.partition("<b>")[2].partition("</b>")[0] for row in extracting]
    assert titles[titles.index("✓ Merge edges") + 1 :] == [
        *("▸ Extract entities", "· Write index", "· Draw the map"),
    ]

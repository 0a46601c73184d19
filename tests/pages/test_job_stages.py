"""What a job says of itself before it has counted anything."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

from pages.components.building.job_stages import overall, stage_rows


def state(stage: str | None, done: int = 0, total: int = 1, **seconds: float) -> Any:
    began = datetime.now(UTC) - timedelta(seconds=31)
    return cast(
        Any,
        SimpleNamespace(
            job=SimpleNamespace(kind="study"),
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

"""What a test sees of a job."""

import json
from pathlib import Path

from core.jobs import JOURNAL, JobState, state


def state_of(index: Path) -> JobState:
    now = state(index)
    assert now is not None
    return now


def events(index: Path) -> list[str]:
    return [json.loads(line)["event"] for line in (index / JOURNAL).read_text().splitlines()]

import json
import os
import time
from pathlib import Path

import pytest

from core.jobs import JOURNAL, Job
from core.jobs.journal import Journal
from core.library.uploads import KEPT_SECONDS, sweep_uploads
from core.settings import settings
from core.store.locking.writer_lock import writer_lock


def upload(place: Path, age: float) -> Path:
    place.mkdir(parents=True)
    (place / "0001.txt").write_text("Secret.")
    when = time.time() - age
    for each in (place / "0001.txt", place):
        os.utime(each, (when, when))
    return place


def test_what_closed_sessions_left_goes_after_a_while(tmp_path: Path) -> None:
    uploads, indexes = tmp_path / "uploads", tmp_path / "indexes"
    old, long_ago = KEPT_SECONDS + 60, 400 * KEPT_SECONDS
    left, young = upload(uploads / "left", old), upload(uploads / "young", 60)
    live, used = upload(uploads / "live", long_ago), upload(uploads / "used", long_ago)
    (indexes / "ix").mkdir(parents=True)
    Journal(indexes / "ix").start(Job("build", indexes / "ix", files=(used / "0001.txt",)))
    (indexes / "bad").mkdir()
    (indexes / "bad" / JOURNAL).write_text(json.dumps({"event": "started"}))
    sweep_uploads(uploads, indexes, {live})
    assert sorted(each.name for each in uploads.iterdir()) == ["live", "used", "young"]
    assert not left.exists()
    assert young.exists()
    sweep_uploads(tmp_path / "none", indexes, set())


def test_the_home_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "new" / "home"))
    settings.cache_clear()
    try:
        with writer_lock(settings().indexes / "ix", "a test"):
            pass
    finally:
        settings.cache_clear()
    assert (tmp_path / "new" / "home").stat().st_mode & 0o777 == 0o700

"""Finished parts of a build that is not published."""

from pathlib import Path

import pyarrow as pa

from core.store.build_checkpoints import FOLDER, Unfinished


def test_a_part_is_found_as_it_was_kept_and_a_damaged_one_is_made_again(tmp_path: Path) -> None:
    kept = Unfinished(tmp_path)
    table = pa.table({"score": pa.array([0.25, 0.5], pa.float32())})
    assert kept.find("part") is None
    kept.keep("part", table)
    assert kept.find("part") == table
    assert kept.find("other") is None
    (file,) = (tmp_path / FOLDER).iterdir()
    content = file.read_bytes()
    for at in range(0, len(content), 7):
        file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert kept.find("part") is None, at
    file.write_bytes(content[: len(content) // 2])
    assert kept.find("part") is None
    kept.forget()
    assert not (tmp_path / FOLDER).exists()

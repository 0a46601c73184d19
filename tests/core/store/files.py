"""The files of an index, and damage to them."""

from pathlib import Path

from core.types import Document

NEW = Document("brewery", "Selby Ales", "Selby Ales is a brewery in Port Selby.", "brewery.txt")
UNCOVERED = ("latest_version_hint.json", "writer.json", "writer.lock")
"""Files that no version of a table refers to: whatever is in them changes nothing."""


def files_of(folder: Path) -> list[str]:
    found = (each for each in folder.rglob("*") if each.is_file() and each.stat().st_size)
    return sorted(each.relative_to(folder).as_posix() for each in found)


def damaged(folder: Path, pattern: str, old: bytes, new: bytes) -> str:
    """Change bytes of the one file that `pattern` finds; returns its path in the index."""
    (file,) = folder.glob(pattern)
    content = file.read_bytes()
    assert old in content
    file.write_bytes(content.replace(old, new))
    return file.relative_to(folder).as_posix()


def one_bit_in(file: Path) -> None:
    """Flip a bit of the first value in a data file, which is read without an error."""
    content = file.read_bytes()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])

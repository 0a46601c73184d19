"""Names of files in zip archives: their letters, and which of them are the system's own."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from zipfile import ZipInfo

from core.corpus.encodings.european import best_encoding, plausibility

PASSED_OVER = "hidden or system file{s} skipped"
_SYSTEM = frozenset(("thumbs.db", "ehthumbs.db", "desktop.ini", ".ds_store", "icon\r"))
_UTF8 = 0x800  # the flag of an entry whose name is in UTF-8
_MADE_BY = "cp437"  # what zipfile takes all other names for
_RUN = re.compile(rb"[\x80-\xff]{3}")
_WESTERN = ("cp437", "cp850", "cp1252")


def is_system_file(name: str) -> bool:
    """Return whether a file is one that an operating system or an office program left behind."""
    last = PurePosixPath(name.replace("\\", "/")).name.casefold()
    return last in _SYSTEM or last.startswith(("~$", "._", ".~lock."))


def is_hidden(path: PurePosixPath) -> bool:
    """Return whether a file or a folder that it is in is hidden, or it is a system file."""
    parts = [part for part in path.parts if part != ".."]
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in parts)
    return hidden or is_system_file(path.name)


def guess_encoding(entries: Iterable[ZipInfo]) -> str:
    """Guess the encoding of names that are not marked as UTF-8; empty if all names are ASCII.

    The zip format does not record the encoding. Windows encodes names in the code page
    of the system language.
    """
    unmarked = [entry for entry in entries if not entry.flag_bits & _UTF8]
    names = [_raw(entry) for entry in unmarked if not entry.filename.isascii()]
    if not names:
        return ""
    together = b"\n".join(names)
    western = best_encoding(together, _WESTERN)
    # Western accented letters are surrounded by ASCII letters. In other scripts, non-ASCII letters
    # come in runs.
    if not _RUN.search(together) and plausibility(together, western) == _count_non_ascii(together):
        return western
    for encoding, fits in _SCRIPTS.items():
        try:
            text = together.decode(encoding)
        except UnicodeDecodeError:
            continue
        if all(letter.isascii() or fits(letter) for letter in text):
            return encoding
    return western


def path_of(entry: ZipInfo, encoding: str) -> PurePosixPath:
    """Return the path of an entry, by the encoding of the archive's names."""
    name = entry.filename
    if encoding and not entry.flag_bits & _UTF8 and not name.isascii():
        name = _raw(entry).decode(encoding, errors="replace")
    return PurePosixPath(name.replace("\\", "/"))


def _count_non_ascii(data: bytes) -> int:
    """Count the bytes that are not ASCII."""
    return sum(byte > 0x7F for byte in data)


def _raw(entry: ZipInfo) -> bytes:
    return entry.filename.encode(_MADE_BY, errors="replace")


def _is_any(letter: str) -> bool:
    return letter.isprintable()


def _is_cyrillic(letter: str) -> bool:
    return "\u0400" <= letter <= "\u04ff" or letter == "№"


def _is_japanese(letter: str) -> bool:
    full_width = "\u3000" <= letter <= "\u30ff" or "\uff00" <= letter <= "\uff60"
    return full_width or "\u4e00" <= letter <= "\u9fff"


def _is_korean(letter: str) -> bool:
    return "\uac00" <= letter <= "\ud7a3"


def _is_chinese(letter: str) -> bool:
    return "\u4e00" <= letter <= "\u9fff" or "\u3000" <= letter <= "\u303f"


# In the order in which they are tried. Each has few sequences of bytes that the next takes for its
# own letters.
_SCRIPTS = {
    "utf-8": _is_any,
    "cp866": _is_cyrillic,
    "cp932": _is_japanese,
    "cp949": _is_korean,
    "gb18030": _is_chinese,
    "big5": _is_chinese,
}

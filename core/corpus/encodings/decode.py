"""Bytes to text: Unicode first, then the likeliest of the older encodings."""

import codecs
import re
from collections import Counter

from charset_normalizer import from_bytes

from core.corpus.encodings.european import ENCODINGS, guess_encoding
from core.corpus.encodings.other_scripts import likeliest
from core.corpus.omissions import count
from core.errors import FileRejected

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = (
    (b"%PDF-", "a PDF", ".pdf"),
    (b"PK\x03\x04", "a zip archive or an Office file", ".zip or .docx"),
    (b"\x1f\x8b", "gzip-compressed", ".gz"),
    (b"PAR1", "Parquet", ".parquet"),
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_MOST_CONTROL = 0.01
_SAMPLE = 50_000
# Western languages use few letters beyond ASCII; a text with more of them is in another script.
_WESTERN = 0.12
_SHORT = 400  # bytes beyond ASCII, of which a detector cannot tell the script
_NEAR = 5.5  # bits by which an encoding is less likely than the best
# Texts in UTF-16 have zero bytes and are told by these before; Urdu's cp1006 is not in use.
_EXCLUDED = ["utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le", "cp1006"]
_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH = bytes(range(0x80, 0x100))
_LOOKED_AT = 1_000_000  # bytes
_HALF_VALID, _MOST_VALID = 0.5, 0.9  # of the bytes beyond ASCII
# Two values of the high bytes of UTF-16: zero, and one for the script.
_HIGH_BYTES = 0.9
_SAMPLE_LINES = 2_000
_LEAST_OF_SCRIPT = 0.25  # letters of another script for one of ASCII
_NAMES = {
    "cp1252": "windows-1252",
    "cp1250": "windows-1250",
    "cp1254": "windows-1254",
    "iso8859_15": "ISO-8859-15",
    "iso8859_2": "ISO-8859-2",
    "mac_roman": "Mac Roman",
    "cp1251": "windows-1251",
    "koi8_r": "KOI8-R",
    "cp1253": "windows-1253",
    "iso8859_7": "ISO-8859-7",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "tis_620": "TIS-620",
    "euc_jp": "EUC-JP",
    "cp932": "Shift-JIS",
    "cp949": "EUC-KR",
    "big5": "Big5",
    "gb18030": "GB18030",
    "utf-16-le": "UTF-16 without a byte order mark",
    "utf-16-be": "UTF-16 without a byte order mark",
}
_LATIN = frozenset(
    ("ascii", *ENCODINGS, "cp1257", "cp852", "cp858", "latin_1", "mac_iceland", "mac_latin2")
)


def decode(data: bytes, name: str, declared: str | None = None) -> str:
    """Return the text of a file.

    UTF-8 or a byte order mark decides, then the encoding that the file declares. Otherwise the
    encoding is guessed, and counted as such: see `_guessed`.

    Raises
    ------
    FileRejected : the bytes are no text.
    """
    for signature, kind, ending in _SIGNATURES:
        if data.startswith(signature):
            raise FileRejected(name, f"it is {kind}, not text; rename it to end in {ending}")
    text = _decode(data, name, declared)
    if len(_CONTROL.findall(text[:_SAMPLE])) > _MOST_CONTROL * min(len(text), _SAMPLE):
        raise _not_text(name)
    return text


def _decode(data: bytes, name: str, declared: str | None) -> str:
    """Decode text by its byte order mark, as UTF-8, by the declared encoding, or by a guess."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                raise FileRejected(
                    name, f"invalid {encoding} text at byte {error.start}; save it as UTF-8"
                ) from error
    if b"\0" in data:
        return _without_mark(data, name)
    for encoding in filter(None, ("utf-8", declared)):
        try:
            return data.decode(encoding)
        except (UnicodeError, LookupError):  # other bytes, or no name of an encoding
            continue
    return _guessed(data)


def _without_mark(data: bytes, name: str) -> str:
    """Decode UTF-16 that has no byte order mark: the high bytes of a script are hardly varied."""
    sample = data[: _SAMPLE & ~1]
    for place, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        high, low = sample[place::2], sample[1 - place :: 2]
        common = Counter(high).most_common(2)
        of_one_script = sum(n for _, n in common) >= _HIGH_BYTES * len(high)
        if of_one_script and b"\0" in high and b"\0" not in low and len(set(low)) > len(common):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError:
                continue
            _tell(encoding, len(text))
            return text
    raise _not_text(name)


def _guessed(data: bytes) -> str:
    """Decode text of an unknown encoding, and count the characters that were guessed.

    Mostly valid UTF-8 with single bytes of another encoding is mixed. A text with many bytes beyond
    ASCII is in another script, which charset-normalizer recognises. Few are letters of a European
    language.
    """
    if _is_mixed(data[:_LOOKED_AT]):
        text = data.decode("utf-8", errors=_MIXED)
        valid = data.decode("utf-8", errors="ignore").encode()
        count(
            "byte{s} in a text of UTF-8 read as windows-1252; save the file as UTF-8",
            len(data) - len(valid),
        )
        return text
    encoding, near = _detected(data)
    text = data.decode(encoding, errors="replace")
    _tell(encoding, len(text) - len(text.encode("ascii", errors="ignore")), near)
    count("byte{s} that are invalid in the guessed encoding", text.count("\ufffd"))
    return text


def _is_mixed(data: bytes) -> bool:
    """Return whether a text is mostly UTF-8, with single bytes of another encoding.

    This is so if most bytes beyond ASCII are valid UTF-8. A text with many such bytes needs a
    larger share of valid ones, because some encodings look like UTF-8 in part by chance.
    """
    beyond_ascii = _count_non_ascii(data)
    valid = sum(len(sequence[0]) for sequence in _SEQUENCE.finditer(data))
    least = _MOST_VALID if beyond_ascii > _WESTERN * len(data) else _HALF_VALID
    return valid > 0 and valid >= least * beyond_ascii


def _count_non_ascii(data: bytes) -> int:
    """Count the bytes that are not ASCII."""
    return len(data) - len(data.translate(None, _HIGH))


def _detected(data: bytes) -> tuple[str, str]:
    """Return the likeliest encoding, and another one if it is nearly as likely, else ""."""
    sample = data[:_SAMPLE]
    latin = guess_encoding(_lines_beyond(data))
    beyond = _count_non_ascii(sample)
    if beyond <= _WESTERN * len(sample):
        return latin, ""
    whole = sample[: sample.rfind(b"\n") + 1] or sample
    if beyond < _SHORT:
        (bits, best), *others = likeliest(whole, latin)
        near = next(
            (
                name
                for other, name in others
                if _differs(whole, best, name) and other - bits < _NEAR
            ),
            "",
        )
        return best, near
    best_match = from_bytes(whole, cp_exclusion=_EXCLUDED).best()
    # Its guesses among encodings of Latin letters need more text than a short file has.
    if best_match is None or best_match.encoding in _LATIN or not _is_script(str(best_match)):
        return latin, ""
    return best_match.encoding, ""


def _differs(data: bytes, one: str, other: str) -> bool:
    return data.decode(one) != data.decode(other)


def _is_script(text: str) -> bool:
    """Tell a text in another script from Latin letters with accents that look like its letters."""
    letters = [letter.isascii() for letter in text if letter.isalpha()]
    return letters.count(False) >= _LEAST_OF_SCRIPT * letters.count(True)


def _lines_beyond(data: bytes) -> bytes:
    """Return lines with bytes beyond ASCII, which may be rare, from all of a file."""
    lines = (line for line in data.splitlines() if not line.isascii())
    return b"\n".join(line for line, _ in zip(lines, range(_SAMPLE_LINES), strict=False))[:_SAMPLE]


def encoding_name(encoding: str) -> str:
    """Return the common name of a Python encoding."""
    return _NAMES.get(encoding, encoding.replace("_", "-"))


def _tell(encoding: str, characters: int, near: str = "") -> None:
    """Count characters that were read by a guess; `near` is another encoding that fits as well."""
    other = f"; {encoding_name(near)} is nearly as likely" if near else ""
    count(
        f"character{{s}} decoded as {encoding_name(encoding)} (a guess{other}); save the file "
        "as UTF-8 if letters look wrong",
        characters,
    )


def _one_byte(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not valid UTF-8 as windows-1252."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


_MIXED = "mixed-utf-8"
codecs.register_error(_MIXED, _one_byte)


def _not_text(name: str) -> FileRejected:
    return FileRejected(name, "its content is not text; save it as UTF-8 text and try again")

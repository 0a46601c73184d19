"""Subtitles (SubRip and WebVTT) as running text, without times and markup."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise

from core.corpus.documents.prose import one_document
from core.corpus.encodings.decode import decode
from core.corpus.file_contents import Contents, Limits
from core.corpus.layout import Block
from core.corpus.omissions import count
from core.corpus.text_cleaning import readable
from core.errors import FileRejected
from core.text.clean import one_line

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}.*")
_VOICE = re.compile(r"<v(?:\.[\w.-]{1,80})?\s+([^<>\n]{1,80})>")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|<[\d:.]{5,12}>|\{\\[^{}\n]{0,200}\}")
_PAUSE = 3.0  # seconds of silence behind a sentence that begin a paragraph
_ENDS = (".", "!", "?", "…", "。", "！", "？", '."', '!"', '?"', "♪", "]", ")")
Cue = tuple[float, float, str, str]
"""Where a subtitle begins and ends in seconds, who speaks, and the text."""


def read_subtitles(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a file of subtitles. A pause behind a sentence, and another voice, begin a paragraph.

    Raises
    ------
    FileRejected : there is no subtitle in it.
    """
    cues = list(_cues(readable(decode(data, name))))
    if not cues:
        raise FileRejected(
            name, "it contains no timed subtitles; rename it to .txt to read it as text"
        )
    return one_document(name, "Subtitles", [Block(_running_text(cues))], limits=limits)


def _cues(text: str) -> Iterator[Cue]:
    """Yield the subtitles in order, without their numbers and WebVTT comments."""
    lines: list[str] = []
    times: tuple[float, float] | None = None
    skipped = False  # within a comment or a style sheet of WebVTT
    for line in [*text.split("\n"), ""]:
        if match := _TIMES.fullmatch(line):
            if times:
                yield _cue(times, lines[:-1] if lines and lines[-1].strip().isdigit() else lines)
            times, lines, skipped = _seconds(match), [], False
        elif times and line.strip():
            lines.append(line)
        elif times and (lines or not line.strip()):
            yield _cue(times, lines)
            times, lines = None, []
        elif not line.strip():
            skipped = False
        elif not skipped and line.startswith(("NOTE", "STYLE", "REGION")):
            skipped = True
            count("comment{s} or style{s} of subtitles left out")


def _seconds(found: re.Match[str]) -> tuple[float, float]:
    """Convert a matched time range to its begin and end in seconds."""
    numbers = [int(each or 0) for each in found.groups()]
    begin, end = (
        3600 * hours + 60 * minutes + seconds + thousandths / 1000
        for hours, minutes, seconds, thousandths in (numbers[:4], numbers[4:])
    )
    return begin, end


def _cue(times: tuple[float, float], lines: list[str]) -> Cue:
    """Make a subtitle of its times and lines: name its voice and remove the markup."""
    text = " ".join(lines)
    voice = _VOICE.search(text)
    said = one_line(unescape(_TAG.sub("", text)))
    return (*times, one_line(voice[1]) if voice else "", said)


def _running_text(cues: list[Cue]) -> str:
    """Join subtitles to paragraphs, without the words that rolling subtitles repeat."""
    parts: list[str] = []
    voice = ""
    nothing: Cue = (0.0, 0.0, "", "")
    for before, (begin, _, speaker, said) in pairwise([nothing, *cues]):
        fresh = _without_overlap(before[3], said, begin - before[1])
        if not fresh:
            continue
        if speaker and speaker != voice:
            fresh = f"{speaker}: {fresh}"
        paused = begin - before[1] >= _PAUSE and parts and parts[-1].endswith(_ENDS)
        if parts:
            parts.append("\n\n" if paused or (speaker and speaker != voice) else " ")
        voice = speaker or voice
        parts.append(fresh)
    return "".join(parts)


def _without_overlap(before: str, said: str, gap: float) -> str:
    """Return the words of a subtitle that the one before does not already show.

    Rolling subtitles repeat the last line if they continue within a second.
    """
    if not before or gap > 1:
        return said
    old, new = before.split(), said.split()
    for overlap in range(min(len(old), len(new)), 2, -1):
        if old[-overlap:] == new[:overlap]:
            count("repeated word{s} of rolling subtitles left out", overlap)
            return " ".join(new[overlap:])
    return said

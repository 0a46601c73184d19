"""TREC's files, which have no header: qrels, whose lines become records, and runs."""

import re

from core.corpus.encodings.decode import decode
from core.corpus.file_contents import Row
from core.corpus.record_formats.judged import QRELS_FIELDS
from core.errors import FileRejected

_QRELS_LINE = re.compile(r"\S+[ \t]+Q?\d+[ \t]+\S+[ \t]+-?\d+(?:\.\d+)?")
_RUN_LINE = re.compile(r"\S+[ \t]+Q0[ \t]+\S+[ \t]+\d+[ \t]+[-+.\deE]+[ \t]+\S+")
# MS MARCO's runs: question, passage and rank.
_RANKED_LINE = re.compile(r"\d+\t\d+\t\d+")
_FIRST = 4096  # bytes


def judgements(data: bytes, name: str) -> list[Row]:
    """Return the records of TREC qrels, `QUESTION 0 DOCUMENT GRADE` a line.

    None if it is another file.

    Raises
    ------
    FileRejected : it is a TREC run, which is no part of a corpus.
    """
    first = data[:_FIRST].decode("utf-8-sig", errors="replace").lstrip().partition("\n")[0]
    if not any(_matches(form, first) for form in (_QRELS_LINE, _RUN_LINE, _RANKED_LINE)):
        return []
    lines = [line for line in decode(data, name).split("\n") if line.strip("\ufeff \t\r")]
    if all(_matches(_RANKED_LINE, line) for line in lines):
        raise FileRejected(
            name,
            "it is an MS MARCO run, which ranks passages; save it in TREC format and import "
            "it on the Evaluate page",
        )
    if all(_matches(_RUN_LINE, line) for line in lines):
        raise FileRejected(
            name,
            "it is a TREC run, which ranks passages; import it on the Evaluate page, or with "
            "evaluate --import-run",
        )
    if not all(_matches(_QRELS_LINE, line) for line in lines):
        return []
    return [dict(zip(QRELS_FIELDS, line.strip("\ufeff").split(), strict=True)) for line in lines]


def _matches(form: re.Pattern[str], line: str) -> bool:
    return form.fullmatch(line.strip("\ufeff \t\r")) is not None

"""Files of results to `Result`: JSON, JSON Lines, CSV, Parquet, TREC runs, and zip files of these.

| format | how it is recognised |
| --- | --- |
| plain | records of `{question, contexts: [{text, id, title, score}], answer}` |
| Ragas | `user_input`, `retrieved_contexts`, `retrieved_context_ids`, `response` |
| RAGChecker | `{"results": [{query_id, query, retrieved_context: [{doc_id, text}], response}]}` |
| BEIR | `{question id: {passage id: score}}` |
| HippoRAG | records with `docs` and `doc_scores` |
| HopRAG | a zip file of its cache folder: `ID.json` with `context`, `scores`, `response` |
| columns | an object of lists, as Hugging Face's `datasets` write it |
| rows | CSV or Parquet with one context per row |
| spans | OTLP JSON, Phoenix, LangSmith, Langfuse (`core.spans.reading`) |
| TREC | lines of `question Q0 passage rank score tag` |
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile

from core.corpus.encodings.decode import decode
from core.corpus.file_contents import LIMITS
from core.corpus.formats import FORMATS
from core.corpus.record_files.delimited import csv_records
from core.corpus.record_formats.retrieved_results import Context, Result, results_of_rows
from core.errors import InputError
from core.pipelines.trec import trec_results
from core.spans import TracedResult, are_spans, spans_of, traced_results

_ENDINGS = {ending for each in FORMATS if each.group == "record" for ending in each.endings}
_LISTS = ("results", "data", "rows", "records", "samples", "examples")


def results_of_file(path: Path, name: str = "") -> list[Result]:
    """Return the results in a file, in its order.

    Parameters
    ----------
    name : what the user calls the file, if not by its own name.

    Raises
    ------
    InputError : it cannot be read, or holds no result.
    """
    called = name or path.name
    try:
        size = path.stat().st_size
        if size > LIMITS.file_bytes:
            raise InputError(
                f"{called} has {size / 2**20:,.0f} MB; the limit is "
                f"{LIMITS.file_bytes / 2**20:,.0f} MB. Split it."
            )
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{called} cannot be read: {error.strerror}.") from error
    results = list(_results_in(data, called))
    if not results:
        raise InputError(
            f"{called} contains no results. Add records of {{question, contexts}} or a TREC run."
        )
    return results


def _results_in(data: bytes, name: str) -> Iterable[Result]:
    """Read the results of a file by its extension; a text file is JSON or a TREC run."""
    extension = PurePosixPath(name.lower()).suffix
    if extension == ".zip":
        return _zipped(data, name)
    if extension == ".parquet":
        from core.corpus.record_files.parquet import (
            parquet_records,  # its library takes a second to load
        )

        return _results_of_records(parquet_records(data, name, LIMITS), name)
    if extension in (".csv", ".tsv"):
        return results_of_rows(csv_records(data, name, LIMITS)[0], name)
    text = decode(data, name)
    if text.lstrip()[:1] in ("{", "["):
        return _json_results(text, name)
    return trec_results(text, name)


def _zipped(data: bytes, name: str) -> Iterator[Result]:
    """Yield the results of each file; the name of a file is the id of a question it does not
    name."""
    from io import BytesIO

    try:
        with ZipFile(BytesIO(data)) as archive:
            members = [one for one in archive.infolist() if _is_results(one.filename)]
            if sum(one.file_size for one in members) > LIMITS.archive_bytes:
                raise InputError(f"{name} is too large when unpacked. Split it.")
            for one in members:
                for result in _results_in(archive.read(one), one.filename):
                    yield _with_id(result, PurePosixPath(one.filename).stem)
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise InputError(f"{name} is not a readable zip file. Zip it again.") from error


def _is_results(name: str) -> bool:
    path = PurePosixPath(name)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return not hidden and path.suffix.lower() in _ENDINGS


def _with_id(result: Result, id_: str) -> Result:
    if result.id or result.question:
        return result
    return Result(id_, "", result.contexts, result.answer, result.answers, result.references)


def _json_results(text: str, name: str) -> Iterable[Result]:
    """Read results from JSON: records, columns, a list inside an object, spans, or BEIR scores."""
    value = _parse_json(text, name)
    if isinstance(value, dict):
        nested = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
        if are_spans([value]):
            value = [value]
        elif nested is not None and "question" not in value:
            value = nested
        elif _is_beir(value):
            return _beir_results(value)
        elif _is_columns(value):
            value = [
                dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)
            ]
        else:
            value = [value]
    wrong = next((n for n, row in enumerate(value, start=1) if not isinstance(row, dict)), 0)
    if wrong:
        raise InputError(
            f"Record {wrong:,} of {name} is not an object like {{question, contexts}}."
        )
    return _results_of_records(value, name)


def _results_of_records(records: Sequence[Any], name: str) -> Iterable[Result]:
    return _traced(records, name) if are_spans(records) else results_of_rows(records, name)


def _traced(records: Sequence[Any], name: str) -> list[TracedResult]:
    """Return the traces in spans, newest first: of one question the newest counts."""
    spans = spans_of(records, name)
    if results := traced_results(spans):
        return results[::-1]
    raise InputError(
        f"{name} has {len(spans):,} spans, but none is from a retriever or reranker. Export whole "
        "traces."
    )


def traces_of_file(data: bytes, name: str) -> list[TracedResult]:
    """Return the traces in a file of spans, newest first; none if it holds something else.

    Raises
    ------
    InputError : its spans cannot be read, or none of them searches.
    """
    try:
        if PurePosixPath(name.lower()).suffix == ".parquet":
            from core.corpus.record_files.parquet import parquet_records

            records: Any = parquet_records(data, name, LIMITS)
        else:
            records = _parse_json(decode(data, name), name)
    except InputError:
        return []
    listed = records if isinstance(records, list) else [records]
    return _traced(listed, name) if are_spans(listed) else []


def _parse_json(text: str, name: str) -> Any:
    """Parse a text as JSON, or as JSON Lines if it is not one value."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise InputError(f"{name} is nested too deeply. Simplify it.") from error
    except ValueError:
        return list(_parse_lines(text, name))


def _parse_lines(text: str, name: str) -> Iterator[Any]:
    """Yield the value of each line that is not blank; InputError names the first bad line."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(
                    f"Line {number:,} of {name} is not valid JSON: {error}. Each line must contain "
                    "one complete object."
                ) from error


def _is_beir(value: Mapping[str, Any]) -> bool:
    """Check for BEIR results: an object of scores by passage id for each question id."""
    return bool(value) and all(
        isinstance(row, dict)
        and all(
            isinstance(score, int | float) and not isinstance(score, bool) for score in row.values()
        )
        for row in value.values()
    )


def _beir_results(value: Mapping[str, Mapping[str, float]]) -> Iterator[Result]:
    """Yield the ranking of each question by falling score; equal scores keep their order."""
    for question, scores in value.items():
        ranked = sorted(scores.items(), key=lambda item: -item[1])
        yield Result(
            id=question,
            contexts=tuple(Context(id=name, score=float(score)) for name, score in ranked),
        )


def _is_columns(value: Mapping[str, Any]) -> bool:
    """Return whether `value` has one list per field, all of the same length."""
    lists = [one for one in value.values() if isinstance(one, list)]
    return len(lists) == len(value) > 1 and len({len(one) for one in lists}) == 1

"""The trace file: JSONL in UTF-8, written and read strictly.

The first line is the header, every other line an object with one key that says what it holds: the
passages, then the edges, then the steps in order.

    {"format": "hoprag-trace", "version": 11, "query": ..., "retriever": ..., ...}
    {"passage": {...}}
    {"edge": {...}}
    {"asked": {...}}
    ...
    {"ranked": {...}}

`model` in the header says how much of what it was asked a model decided; null if it was asked
nothing. `gold_by_hand`, `gold_removed` and `gold_absent` say which gold a person marked, which mark
of the question set was taken away, and which gold the index does not hold; `gold_marked` says who
made those marks, and when. `gold_evidence` has the evidence among the gold ids. `amendments` say
which choices were to be made by hand (`core.counterfactual`), as the steps do.

Earlier versions lack what came later: `model` (before 4), `gold_by_hand`, `gold_removed` and
`gold_absent` (before 5), `amendments` and choices made by hand (before 6), why an offer was not
taken (before 7), `gold_marked` (before 8), `gold_evidence` (before 9), `findings` (before 10),
`returned` (before 11).
Those of version 1 and 2 have other steps, which are read as the ones of now
(`core.traces.version2`).

A file may come from anybody, so nothing in it is believed: every type is checked, NaN, infinity
and unknown names are refused, and so is a trace that does not hold together (`check_trace`).
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Literal, NoReturn, NotRequired

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from core.errors import InputError
from core.marks import Made
from core.playback.decided import DecidedJson, decided
from core.steps import Asked, Began, Offered, Pooled, Ranked, Said, Spread, Step
from core.traces import version2
from core.traces.trace import Trace, check_trace
from core.types import Edge, Evidence, Passage

FORMAT: Final = "hoprag-trace"
VERSION = 11
MAX_BYTES = 64 * 2**20
MAX_STEPS = 10_000
MAX_GOLD = 1_000
_MAX_INTEGER = 10**14  # Sums over all steps stay what tables and charts can hold.
_MAX_REAL = 1e100  # Sums of scores stay finite.
_MEND = "Save the trace again from the app that made it, or choose another file."
_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)


class _Stamp(TypedDict):
    """What is read of the first line before it is known to be a header of this version."""

    format: Literal["hoprag-trace"]
    version: int


@with_config(_STRICT)
class _Made(TypedDict):
    who: str
    at: str


@with_config(_STRICT)
class _Header(_Stamp):
    query: str
    retriever: str
    index: str
    graph_version: str
    gold: tuple[str, ...]
    created: str
    model: NotRequired[DecidedJson | None]
    gold_by_hand: NotRequired[tuple[str, ...]]
    gold_removed: NotRequired[tuple[str, ...]]
    gold_absent: NotRequired[tuple[str, ...]]
    gold_marked: NotRequired[dict[str, _Made]]
    gold_evidence: NotRequired[dict[str, Evidence]]
    amendments: NotRequired[tuple[str, ...]]


@with_config(_STRICT)
class _Line(TypedDict, total=False):
    passage: Passage
    edge: Edge
    asked: Asked
    began: Began
    offered: Offered
    spread: Spread
    said: Said
    pooled: Pooled
    ranked: Ranked


@with_config(_STRICT)
class _OldLine(TypedDict, total=False):
    passage: Passage
    edge: Edge
    asked: version2.Asked
    seeded: version2.Seeded
    hopbegan: version2.HopBegan
    judged: version2.Judged
    ranked: version2.Ranked


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def dump(trace: Trace) -> bytes:
    """Return the trace as a file; `load` gives an equal one back.

    Raises
    ------
    ValueError : when a text cannot be written as UTF-8 (half a surrogate pair).
    """
    header: _Header = {
        "format": FORMAT,
        "version": VERSION,
        "query": trace.query,
        "retriever": trace.retriever,
        "index": trace.index,
        "graph_version": trace.graph_version,
        "gold": trace.gold,
        "created": trace.created,
        "model": decided(trace.steps).to_json(),
        "gold_by_hand": trace.by_hand,
        "gold_removed": trace.removed,
        "gold_absent": trace.absent,
        "gold_marked": {name: _Made(who=m.who, at=m.at) for name, m in trace.made.items()},
        "gold_evidence": dict(trace.evidence),
        "amendments": tuple(map(str, trace.amendments)),
    }
    records = (*trace.passages.values(), *trace.edges.values(), *trace.steps)
    lines = [_adapter(_Header).dump_json(header)]
    lines += [_adapter(_Line).dump_json({type(item).__name__.lower(): item}) for item in records]
    return b"\n".join(lines) + b"\n"


def load(data: bytes | str) -> Trace:
    """Return the trace in `data`, the whole content of a file.

    Raises
    ------
    InputError : when it is not a trace file, is cut short, comes from a newer version, is larger
        than `MAX_BYTES`, `MAX_STEPS` or `MAX_GOLD`, or does not hold together; names the line where
        it can.
    """
    lines = _lines(data)
    header = _header(next(lines, (1, ""))[1])
    if max(len(header["gold"]), len(header.get("gold_removed", ()))) > MAX_GOLD:
        _refuse(f"line 1: it has more than {MAX_GOLD:,} gold ids")
    kind = _Line if header["version"] > version2.LAST else _OldLine
    passages: dict[str, Passage] = {}
    edges: dict[str, Edge] = {}
    steps: list[Step] = []
    for number, line in lines:
        match _item(kind, number, line):
            case Passage() as passage:
                _refuse_again(number, "passage", passage.id, passages)
                passages[passage.id] = passage
            case Edge() as edge:
                _refuse_again(number, "edge", edge.id, edges)
                edges[edge.id] = edge
            case step:
                steps.append(version2.lifted(step))
                if len(steps) > MAX_STEPS:
                    _refuse(f"line {number}: it has more than {MAX_STEPS:,} steps")
    trace = Trace(
        query=header["query"],
        retriever=header["retriever"],
        index=header["index"],
        graph_version=header["graph_version"],
        steps=tuple(steps),
        passages=passages,
        edges=edges,
        gold=header["gold"],
        created=header["created"],
        by_hand=header.get("gold_by_hand", ()),
        removed=header.get("gold_removed", ()),
        absent=header.get("gold_absent", ()),
        made={name: Made(**made) for name, made in header.get("gold_marked", {}).items()},
        evidence=header.get("gold_evidence", {}),
    )
    try:
        check_trace(trace)
    except ValueError as error:
        _refuse(_crop(str(error)))
    if header.get("amendments", ()) != tuple(map(str, trace.amendments)):
        _refuse("its first line and its steps disagree about manual choices")
    if "model" in header and header["model"] != decided(trace.steps).to_json():
        _refuse("its first line and its steps disagree about model decisions")
    return trace


def _lines(data: bytes | str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers.

    Only a line feed ends a line: JSON may hold other separators inside a string.
    """
    if len(data) > MAX_BYTES:
        _refuse(f"it is larger than {MAX_BYTES // 2**20} MB")
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        _refuse("it is not UTF-8 text")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _header(line: str) -> _Header:
    """Read the first line; InputError if it is no trace, or of a newer version."""
    try:
        stamp: _Stamp = _adapter(_Stamp).validate_json(line, strict=True)
    except ValidationError:
        _refuse("its first line is not the header of a HopRAG Explorer trace")
    if stamp["version"] > VERSION:
        newer = _crop(str(stamp["version"]))
        raise InputError(
            f"This trace file has version {newer}, and this HopRAG Explorer reads version "
            f"{VERSION}. Update HopRAG Explorer to open it."
        )
    if stamp["version"] < 1:
        _refuse("line 1: its version is unknown")
    header: _Header = _parse(_Header, 1, line)
    return header


def _item(kind: Any, number: int, line: str) -> Passage | Edge | Step | version2.Step:
    """Read a line that contains exactly one passage, edge or step, strictly."""
    items: list[Passage | Edge | Step | version2.Step] = list(_parse(kind, number, line).values())
    if len(items) != 1:
        _refuse(f"line {number}: it must contain one passage, edge or step")
    return items[0]


def _parse(kind: Any, number: int, line: str) -> Any:
    """Parse a line as a value of `kind`; refuse wrong types, unknown names and too large
    numbers.
    """
    try:
        value = _adapter(kind).validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(name) for name in first["loc"])
        _refuse(f"line {number}: {_crop(f'{place}: ' if place else '')}{first['msg']}")
    integers: list[int] = []
    reals: list[float] = []
    json.loads(
        line,
        parse_int=lambda digits: integers.append(int(digits)),
        parse_float=lambda digits: reals.append(float(digits)),
    )
    too_large = any(abs(integer) > _MAX_INTEGER for integer in integers)
    if too_large or any(abs(real) > _MAX_REAL for real in reals):
        _refuse(f"line {number}: a number is too large")
    return value


def _refuse_again(number: int, kind: str, name: str, known: dict[str, Any]) -> None:
    if name in known:
        _refuse(f"line {number}: the {kind} {_crop(repr(name))} is repeated")


def _refuse(problem: str) -> NoReturn:
    raise InputError(f"This trace file cannot be used: {problem}. {_MEND}")


def _crop(text: str) -> str:
    """Return names in a hostile file can be of any length."""
    return text if len(text) <= 120 else f"{text[:119]}…"

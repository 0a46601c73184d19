"""Read a study from a TOML file. Every error is one line that names the file and the key."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.corpus.chunking.chunker import Chunking
from core.errors import InputError
from core.evidence import GoldLevel
from core.store.graph_limits import HIGHEST, check_limit
from core.studies.definition import (
    ANSWERS,
    JUDGED,
    KNOWN_MEASURES,
    STRICT,
    Data,
    Models,
    Paper,
    Setting,
    Study,
    View,
)
from core.studies.grid import MOST, expand

MOST_BYTES = 200_000
_MEASURES = ("R@2", "R@5", "R@20", "nDCG@10", "seconds")
_BUILD = ("chunking", "embedder", "maker", "extraction", "hub_limit", *HIGHEST)


@dataclass(frozen=True, slots=True)
class _File:
    """The keys of a study file, with their values."""

    __pydantic_config__ = STRICT
    title: str
    retrievers: list[str]
    about: str = ""
    differs: str = ""
    measures: list[str] = field(default_factory=lambda: list(_MEASURES))
    gold: GoldLevel = "evidence"
    answers: bool = False
    settings: dict[str, Setting | list[Setting]] = field(default_factory=dict)
    data: Data = field(default_factory=Data)
    build: dict[str, str | int | list[str | int]] = field(default_factory=dict)
    models: Models = field(default_factory=Models)
    offline: dict[str, str] = field(default_factory=dict)
    views: list[View] = field(default_factory=list)
    papers: list[Paper] = field(default_factory=list)


def read_study(path: Path) -> Study:
    """Return the study of a TOML file; its paths are relative to the folder of the file.

    Raises
    ------
    InputError : the file cannot be read, or a key of it holds what cannot be used.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"Could not read {path} ({error.strerror}). Give the path of a study file."
        ) from error
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{path.name} is larger than {MOST_BYTES:,} bytes, so it is not a study file."
        )
    try:
        return parse_study(content.decode(), path)
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is not UTF-8 text. Save it as UTF-8.") from None


def parse_study(text: str, path: Path) -> Study:
    """Return the study that `text` describes; `path` names it, and its folder that of its files.

    Raises
    ------
    InputError : it is no TOML, or a key of it holds what cannot be used.
    """
    try:
        written = _adapter().validate_python(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path.name} is not valid TOML: {error}.") from error
    except ValidationError as error:
        raise InputError(f"{path.name}: {_first_error(error)}") from error
    try:
        return _study_of(written, text, path)
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from error


@cache
def _adapter() -> TypeAdapter[_File]:
    return TypeAdapter(_File)


def _first_error(error: ValidationError) -> str:
    """Describe the first error of a validation in one sentence, by its key in the file."""
    first = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"]) or "the file"
    if first["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        return f"a study has no key {key!r}. Correct or remove it."
    if first["type"] in ("missing", "missing_argument"):
        return f"the key {key!r} is missing. Add it."
    return f"the key {key!r} cannot be used: {first['msg'].lower()}."


def _study_of(written: _File, text: str, path: Path) -> Study:
    """Build a study from the validated file; InputError for values that contradict each other."""
    if not written.title.strip() or not written.retrievers:
        raise InputError("A study needs a title and at least one retriever.")
    build = _build_settings(written.build)
    shared = {name: _listed(value) for name, value in written.settings.items()}
    study = Study(
        path=path,
        text=text,
        title=written.title.strip(),
        retrievers=expand(written.retrievers, shared),
        measures=_checked_measures(written.measures),
        about=written.about.strip(),
        differs=written.differs.strip(),
        data=_checked_data(written.data, path.parent),
        build=build,
        models=_checked_models(written.models),
        offline=tuple(written.offline.items()),
        gold=written.gold,
        answers=written.answers or any(name in ANSWERS for name in written.measures),
        judge=any(name in JUDGED for name in written.measures),
        papers=tuple(written.papers),
    )
    if build and not study.data.files:
        raise InputError("[build] needs data.files to build the index from. Add them.")
    if study.data.openie and any(name == "extraction" for name, _ in build):
        raise InputError("Keep either data.openie or build.extraction.")
    _check_settings(shared, study)
    views = tuple(_view(view, study) for view in written.views) or (View(measures=study.measures),)
    for paper in study.papers:
        _check_paper(paper)
    return replace(study, views=views)


def _check_settings(shared: Mapping[str, object], study: Study) -> None:
    """Raise InputError if a shared setting belongs to no retriever of the study."""
    known = {name for spec in study.retrievers for name in spec.values}
    for name in shared:
        if name not in known:
            raise InputError(
                f"No retriever of the study has the setting {name[:40]!r}. Correct [settings]."
            )


def _checked_data(written: Data, folder: Path) -> Data:
    """Check the [data] section, and resolve its paths relative to the study's folder."""
    if written.first < 0:
        raise InputError("data.first must be 0 or more. Use 0 for all questions.")
    if written.index and not re.fullmatch(r"[^./\\][^/\\]*", written.index):
        raise InputError(
            f"data.index {written.index[:40]!r} is not the name of an index. Run the study "
            "on a folder with --index."
        )
    if written.files and written.index:
        raise InputError("data has both an index and files. Keep one of them.")
    if written.openie and not written.files:
        raise InputError("data.openie needs data.files to build the index from. Add them.")
    if written.run and written.questions:
        raise InputError("data has both a run and questions. Keep one of them.")
    return replace(
        written,
        files=tuple((folder / name).resolve() for name in written.files),
        openie=(folder / written.openie).resolve() if written.openie else None,
        questions=(folder / written.questions).resolve() if written.questions else None,
    )


def _build_settings(written: Mapping[str, Any]) -> tuple[tuple[str, tuple[Setting, ...]], ...]:
    """Check the [build] section; return the values of each setting, to be combined."""
    for name in written:
        if name not in _BUILD:
            raise InputError(f"A build has no setting {name!r}. Use {', '.join(_BUILD)}.")
    for text in _listed(written.get("chunking", ())):
        Chunking.parse(str(text))
    for number in _listed(written.get("hub_limit", ())):
        if not isinstance(number, int) or number < 0:
            raise InputError("build.hub_limit must be a whole number of 0 or more.")
    for name in HIGHEST:
        for number in _listed(written.get(name, ())):
            check_limit(name, number)
    settings = tuple((name, _listed(value)) for name, value in written.items())
    variants = 1
    for _, values in settings:
        variants *= len(values)
    if variants > MOST // 10:
        raise InputError(f"[build] asks for {variants:,} indexes; a study may have {MOST // 10}.")
    return settings


def _checked_models(written: Models) -> Models:
    """Check the [models] section: distinct names, and not too many combinations."""
    for axis, names in written.axes.items():
        if len(set(names)) < len(names) or not all(name.strip() for name in names):
            raise InputError(f"models.{axis} must be different names of models. Correct the list.")
    if len(written.model or " ") * len(written.reader or " ") > MOST // 10:
        raise InputError(f"[models] has too many combinations; a study may have {MOST // 10}.")
    return written


def _checked_measures(names: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct names of measures; InputError if one is unknown or there are none."""
    measures = tuple(dict.fromkeys(names))
    for name in measures:
        if name not in KNOWN_MEASURES:
            known = ", ".join(KNOWN_MEASURES)
            raise InputError(f"Unknown measure {name[:40]!r}. Choose from {known}.")
    if not measures:
        raise InputError("A study needs at least one measure.")
    return measures


def _view(written: View, study: Study) -> View:
    """Return a view with what it leaves out; InputError where a chart would have no axis."""
    swept = study.swept
    over, rows = written.over, written.rows
    if written.kind in ("curve", "heat"):
        over = over or next(iter(swept), "")
        if written.kind == "heat":
            rows = rows or next((name for name in swept if name != over), "")
        for name in (over, rows) if written.kind == "heat" else (over,):
            if name not in swept:
                has = ", ".join(swept) or "none"
                raise InputError(
                    f"A {written.kind} needs a setting with several values, and {name or 'none'!r} "
                    f"is not one. Settings with several values: {has}."
                )
    return replace(
        written,
        measures=_checked_measures(written.measures or study.measures),
        by=written.by or ("type" if written.kind == "bars" else ""),
        over=over,
        rows=rows,
    )


def _check_paper(paper: Paper) -> None:
    """Raise InputError if a published table has unknown measures or rows of another length."""
    if paper.here:
        _checked_measures(paper.here)
    wide = len(paper.columns)
    for row in paper.rows:
        if len(row.values) != wide:
            raise InputError(
                f"{row.system[:40]!r} of {paper.source[:60]!r} has {len(row.values)} values and "
                f"the table {wide} columns. Write nan where there is no value."
            )


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)

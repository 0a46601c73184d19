"""The indexes that a study is run on: the one that is named, or one for each way to build it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b, file_digest
from itertools import product
from pathlib import Path

from core.errors import InputError
from core.places import Place
from core.studies.definition import Setting, Study

_LONGEST = 40  # characters of the readable part of a name


@dataclass(frozen=True, slots=True)
class Variant:
    """An index that a study is run on.

    Parameters
    ----------
    place : where the index is.
    build : settings of its build; empty for an index that is there already.
    label : the settings by which it differs from the other indexes of the study.
    """

    place: Place
    build: dict[str, Setting] = field(default_factory=dict)
    label: str = ""


def variants_of(study: Study, indexes: Place, given: Place | None = None) -> tuple[Variant, ...]:
    """Return the indexes of a study, which need not be built yet.

    Parameters
    ----------
    indexes : the folder of all indexes, in which indexes are built.
    given : the index to run on, for a study that names neither an index nor files.

    Raises
    ------
    InputError : a file of the study does not exist, or the study names no index and none is given.
    """
    if study.data.files:
        return tuple(_built(study, indexes))
    if study.data.index:
        return (Variant(indexes / study.data.index),)
    if given is None:
        raise InputError(
            f"The study {study.name} names no index. Name one with --index, or in [data]."
        )
    return (Variant(given),)


def _built(study: Study, indexes: Place) -> Iterator[Variant]:
    contents = [_digest(path) for path in study.data.files]
    names = [name for name, _ in study.build]
    several = {name for name, values in study.build if len(values) > 1}
    for values in product(*(values for _, values in study.build)):
        build = dict(zip(names, values, strict=True))
        label = ", ".join(f"{name} {build[name]}" for name in names if name in several)
        made = blake2b(repr((contents, build)).encode(), digest_size=3).hexdigest()
        readable = re.sub(r"[^\w]+", "-", f"{study.name} {label}").strip("-")[:_LONGEST]
        yield Variant(indexes / f"{readable}-{made}", build, label)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(
            f"Could not read {path} ({error.strerror}). Correct data.files of the study."
        ) from error

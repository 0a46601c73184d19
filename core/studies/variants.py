"""The indexes and models of a study: an index for each way to build it, and its models on each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b, file_digest
from itertools import product
from pathlib import Path

from core.errors import InputError
from core.places import Place
from core.studies.definition import Setting, Study

_LONGEST = 40  # characters of the readable part of a name


@dataclass(frozen=True, slots=True)
class Variant:
    """An index on which a study is run, and the models used there.

    Parameters
    ----------
    place : where the index is.
    build : settings of its build; empty for an index that is there already.
    label : the settings by which it differs from the other indexes of the study.
    models : names of models by `model` and `reader`, where the study names them.
    told : the models by which it differs from others on the same index.
    """

    place: Place
    build: dict[str, Setting] = field(default_factory=dict)
    label: str = ""
    models: dict[str, str] = field(default_factory=dict)
    told: str = ""

    @property
    def settings(self) -> dict[str, Setting]:
        """Build settings and models by name."""
        return {**self.build, **self.models}


def variants_of(
    study: Study, indexes: Place, given: Place | None = None, *, with_model: bool = True
) -> tuple[Variant, ...]:
    """Return the indexes of a study, which need not be built yet, each with each of its models.

    Parameters
    ----------
    indexes : the folder of all indexes, in which indexes are built.
    given : the index to run on, for a study that names neither an index nor files.
    with_model : whether a model is configured; else each index is there once, without models.

    Raises
    ------
    InputError : a file of the study does not exist, or the study names no index and none is given.
    """
    models = list(_models(study)) if with_model else [{}]
    several = {axis for axis, names in study.models.axes.items() if len(names) > 1}
    return tuple(
        replace(
            one,
            models=named,
            told=", ".join(f"{axis} {named[axis]}" for axis in named if axis in several),
        )
        for one in _index_variants(study, indexes, given)
        for named in models
    )


def _models(study: Study) -> Iterator[dict[str, str]]:
    """Yield each combination of the models of a study; one that is empty if it names none."""
    axes = study.models.axes
    for names in product(*axes.values()):
        yield dict(zip(axes, names, strict=True))


def _index_variants(study: Study, indexes: Place, given: Place | None) -> Iterator[Variant]:
    """Yield the indexes to ask: those to build, else the named one, else `given` by the command."""
    if study.data.files:
        yield from _build_variants(study, indexes)
    elif study.data.index:
        yield Variant(indexes / study.data.index)
    elif given is not None:
        yield Variant(given)
    else:
        raise InputError(
            f"The study {study.name} does not name an index. Name one with --index or in [data]."
        )


def _build_variants(study: Study, indexes: Place) -> Iterator[Variant]:
    """Yield an index for each combination of build settings.

    Its name ends in a digest of files and settings, so that a changed file is built again.
    """
    openie = (study.data.openie,) if study.data.openie else ()
    contents = [_digest(path) for path in (*study.data.files, *openie)]
    names = [name for name, _ in study.build]
    varied = {name for name, values in study.build if len(values) > 1}
    for values in product(*(values for _, values in study.build)):
        build = dict(zip(names, values, strict=True))
        label = ", ".join(f"{name} {build[name]}" for name in names if name in varied)
        digest = blake2b(repr((contents, build)).encode(), digest_size=3).hexdigest()
        readable = re.sub(r"[^\w]+", "-", f"{study.name} {label}").strip("-")[:_LONGEST]
        yield Variant(indexes / f"{readable}-{digest}", build, label)


def _digest(path: Path) -> str:
    """Return the SHA-256 of a data file of the study."""
    try:
        with path.open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(
            f"Could not read {path} ({error.strerror}). Correct [data] in the study file."
        ) from error

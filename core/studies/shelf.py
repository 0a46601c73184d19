"""The study files that the app lists: those that come with it, and those that users added."""

import re
from collections.abc import Sequence
from pathlib import Path

from core.corpus.server_paths import is_inside
from core.errors import InputError
from core.settings import ASSETS, make_folder
from core.studies.definition import Study
from core.studies.reading import parse_study
from core.text.import_sources import is_made_elsewhere

SHIPPED = ASSETS / "studies"
SUFFIX = ".toml"
_LONGEST = 60  # characters of a name


def study_files(own: Path) -> list[Path]:
    """Return the files of all studies by name, those in the folder `own` first."""
    return [*_in(own), *_in(SHIPPED)]


def is_own(path: Path, own: Path) -> bool:
    """Return whether a user added the study."""
    return path.parent == own


def add_own_study(text: str, name: str, own: Path, roots: Sequence[Path]) -> Path:
    """Store the study that `text` describes in the folder `own`; returns its file.

    Parameters
    ----------
    name : what to call it; another one is made of it if that is taken.
    roots : folders whose files it may read.

    Raises
    ------
    InputError : it is no study, or reads a file outside of `roots`.
    """
    base = re.sub(r"[^\w]+", "-", Path(name).stem.lower()).strip("-")[:_LONGEST] or "study"
    taken = {path.stem for path in study_files(own)}
    free = next(n for n in (base, *(f"{base}-{i}" for i in range(2, 10_000))) if n not in taken)
    path = own / f"{free}{SUFFIX}"
    for file in _input_files(parse_study(text, path)):
        if not any(is_inside(file, root) for root in roots):
            raise InputError(
                f"The study may not read {file}. Put the file into a folder of HOPRAG_ROOTS, or "
                "run the study on the command line."
            )
    make_folder(own)
    path.write_text(text, encoding="utf-8")
    return path


def delete_own_study(path: Path, own: Path) -> None:
    """Delete a study that a user added; raise InputError for a bundled one."""
    if not is_own(path, own):
        raise InputError(f"{path.stem} comes with the app and cannot be deleted.")
    path.unlink(missing_ok=True)


def embedders_of(study: Study) -> list[str]:
    """Return the embedders with which the indexes of a study are built."""
    return [str(one) for name, values in study.build if name == "embedder" for one in values]


def _input_files(study: Study) -> list[Path]:
    """Return the files that a study reads."""
    makers = [str(one) for name, values in study.build if name == "maker" for one in values]
    questions = [study.data.questions] if study.data.questions else []
    folder = study.path.parent
    made = [folder / one.partition(":")[2] for one in makers if is_made_elsewhere(one)]
    return [*study.data.files, *questions, *made]


def _in(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []

"""The corpus that comes with the program: fictional worlds, with questions about them."""

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from zipfile import ZIP_DEFLATED, ZipFile

from core.jobs import Job
from core.places import Place
from core.settings import ASSETS, BUNDLED_EMBEDDER, make_folder

NAME = "sample"
CORPUS = ASSETS / "sample" / "corpus.jsonl"
QUESTIONS = ASSETS / "sample" / "questions.jsonl"
PSEUDO_QUERIES = ASSETS / "sample" / "pseudo_queries.jsonl"
"""Written by hand for the sample's passages; see its README."""
READY = ASSETS / "sample" / "index.zip"
"""The index as built with the bundled embedder, so that nobody waits for a build."""
_OWN = ("journal.jsonl", "writer.json", "writer.lock")
"""Files that say on which machine an index was built."""


def build_job(indexes: Place, embedder: str) -> Job:
    """Return the job that builds the index of the sample under `indexes`."""
    return Job(
        "build",
        indexes / NAME,
        files=(CORPUS, QUESTIONS),
        embedder=embedder,
        restart=True,
        maker=f"file:{PSEUDO_QUERIES}",
    )


@cache
def suggested() -> tuple[str, ...]:
    """Return the questions of the sample that best show the effect of hops, in the file's order."""
    with QUESTIONS.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return tuple(row["question"] for row in rows if row.get("suggested"))


def install(indexes: Place, embedder: str) -> bool:
    """Unpack the ready-made index under `indexes`, and return whether this was done.

    False is returned if another embedder is selected, if `indexes` is in object storage, or if an
    index called `NAME` exists, including one that appears meanwhile.
    """
    if not isinstance(indexes, Path) or embedder not in ("", BUNDLED_EMBEDDER):
        return False
    target = indexes / NAME
    if target.exists() or not READY.is_file():
        return False
    make_folder(indexes)
    folder = Path(mkdtemp(prefix=f".{NAME}-", dir=indexes))
    try:
        with ZipFile(READY) as archive:
            archive.extractall(folder)
        return _moved(folder, target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _moved(folder: Path, target: Path) -> bool:
    """Rename `folder`, so that `target` is never incomplete; return False if `target` exists."""
    try:
        folder.rename(target)
    except OSError:  # FileExistsError, or ENOTEMPTY for a folder with files on Linux
        if not target.exists():
            raise
        return False
    return True


def pack(index: Path, archive: Path = READY) -> None:
    """Write the archive of a finished index, without the files that identify a machine."""
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(index.rglob("*")):
            name = path.relative_to(index)
            if path.is_file() and name.name not in _OWN and ".sqlite" not in name.name:
                packed.write(path, str(name))

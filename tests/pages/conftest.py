"""A home with one small index, and pages that open it without a model."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import streamlit as st

from core import jobs
from core.build import build
from core.corpus.types import Corpus
from core.errors import HopRagError
from core.progress import Progress
from core.settings import settings
from core.store.index import Index
from core.types import Document, Query
from pages.components import resources
from tests.core.fakes import WordEmbedder

TINY = "tiny"
TEXTS = {
    "club": (
        "Harbour Rovers",
        "Harbour Rovers is a football club. It was bought by Mara Quist in 1998. "
        "It plays at the Lantern Ground.",
    ),
    "owner": (
        "Mara Quist",
        "Mara Quist is a brewer. She was born in Port Selby. She married Ilo Venn.",
    ),
    "singer": ("Ilo Venn", "Ilo Venn is a singer. He toured with the Low Tide Band."),
    "stadium": ("Lantern Ground", "The Lantern Ground is a stadium. It stands in Port Selby."),
    "town": ("Port Selby", "Port Selby is a town on the River Ash. Its brewery is old."),
    "sly": ("<b>Sly</b>", "An [image](http://x.invalid) and <img src=x> of Mara Quist."),
}
QUESTION = Query(
    id="q1",
    text="In which town was the owner of Harbour Rovers born?",
    answers=("Port Selby",),
    gold=("owner", "town"),
    type="bridge",
    dataset="tiny",
)


@pytest.fixture(scope="session")
def tiny_built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index folder, built once; use `tiny_home`, which gives each test its own copy."""
    documents = [Document(key, title, text) for key, (title, text) in TEXTS.items()]
    corpus = Corpus(documents=tuple(documents), queries=(QUESTION,))
    folder = tmp_path_factory.mktemp("built") / TINY

    def silent(progress: Progress) -> None:
        pass

    build(folder, corpus, WordEmbedder(), silent)
    return folder


@pytest.fixture
def tiny_home(tiny_built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """HOPRAG_HOME with the index `tiny` of six passages and one question with gold."""
    shutil.copytree(tiny_built, tmp_path / "indexes" / TINY)
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path))
    embedder = WordEmbedder()
    monkeypatch.setattr(resources, "embedder", lambda name: embedder)
    settings.cache_clear()
    st.cache_resource.clear()
    yield tmp_path
    settings.cache_clear()
    st.cache_resource.clear()


@pytest.fixture
def tiny_index(tiny_home: Path) -> Index:
    """The index `tiny`, open."""
    return Index.open(tiny_home / "indexes" / TINY)


@pytest.fixture
def inline_jobs(monkeypatch: pytest.MonkeyPatch) -> list[jobs.Job]:
    """Jobs run at once, in this process and without a model; what was started is listed."""
    started: list[jobs.Job] = []

    def start(job: jobs.Job) -> None:
        started.append(job)
        with suppress(HopRagError):  # the journal says it
            jobs.run(job)

    monkeypatch.setattr(jobs, "start", start)
    monkeypatch.setattr("core.jobs.process.start", start)
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: WordEmbedder())
    return started


@pytest.fixture
def empty_home(tiny_home: Path) -> Path:
    """HOPRAG_HOME without any index."""
    shutil.rmtree(tiny_home / "indexes")
    return tiny_home

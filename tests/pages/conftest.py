"""A home with one small index, and pages that open it without a model."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import altair as alt
import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner import script_runner

from core import jobs
from core.corpus.types import Corpus
from core.errors import HopRagError
from core.indexing.updates import build
from core.settings import settings
from core.store.index import Index
from core.types import Document
from pages.components.shell import resources
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION as ASKED
from tests.core.five import TEXTS as FIVE
from tests.core.five import silent

TINY = "tiny"
TEXTS = {
    **FIVE,
    "sly": ("<b>Sly</b>", "An [image](http://x.invalid) and <img src=x> of Mara Quist."),
}
QUESTION = replace(ASKED, type="bridge", dataset="tiny")


@pytest.fixture(scope="session", autouse=True)
def packages_are_read_once() -> Iterator[None]:
    """Each `AppTest` looks for components in all installed packages, which takes 0.2 s."""
    with pytest.MonkeyPatch.context() as patch:
        scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_is_frozen_nor_collected() -> Iterator[None]:
    """A server collects all that it has when it opens an index, once; here each test opens one.

    So does Streamlit after each run of a page.
    """
    idle = SimpleNamespace(unfreeze=lambda: None, collect=lambda *_: None, freeze=lambda: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resources, "gc", idle)
        patch.setattr(script_runner, "gc", idle)
        yield


@pytest.fixture(scope="session")
def tiny_built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index folder, built once; use `tiny_home`, which gives each test its own copy."""
    documents = [Document(key, title, text) for key, (title, text) in TEXTS.items()]
    corpus = Corpus(documents=tuple(documents), queries=(QUESTION,))
    folder = tmp_path_factory.mktemp("built") / TINY

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

    def start(job: jobs.Job, environ: object = None) -> None:
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


@pytest.fixture
def valid_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every chart is validated against the schema of Vega-Lite, which pages leave out."""
    to_dict = alt.TopLevelMixin.to_dict

    def validated(chart: alt.TopLevelMixin, *, validate: bool = True, **given: Any) -> Any:
        whole = "context" not in given  # a layer alone need not be valid
        return to_dict(chart, validate=validate or whole, **given)

    monkeypatch.setattr(alt.TopLevelMixin, "to_dict", validated)

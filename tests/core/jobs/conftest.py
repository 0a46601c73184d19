import json
from pathlib import Path

import pytest

from tests.core.fakes import WordEmbedder
from tests.core.five import TEXTS


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A JSONL file of the five passages."""
    path = tmp_path / "Fünf Texte.jsonl"
    rows = [{"id": key, "title": title, "text": text} for key, (title, text) in TEXTS.items()]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    """The embedder of every job that runs in this process."""
    embedder = WordEmbedder()
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: embedder)
    return embedder


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "five texts"

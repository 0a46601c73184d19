from pathlib import Path

import pytest


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "five texts"

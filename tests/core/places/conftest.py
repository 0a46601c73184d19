from pathlib import Path

import pytest

from core.places import Remote
from tests.storage import taken_to


@pytest.fixture
def built_there(remote: Remote, five_built: Path) -> Remote:
    """The index of the five passages."""
    return taken_to(remote, five_built)

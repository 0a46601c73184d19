"""The committed bundles of the scripts are those of their sources, which pass their checks."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "assets" / "scripts"


@pytest.fixture(scope="module")
def npm() -> str:
    """npm with the packages installed; they are in CI."""
    found = shutil.which("npm")
    if not found or not (PACKAGE / "node_modules").is_dir():
        if os.environ.get("CI"):
            pytest.fail("run `npm ci` in assets/scripts first, as .ci/run does")
        pytest.skip("needs node: run `npm ci` in assets/scripts")
    return found


def run(npm: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [npm, "run", "--silent", *arguments],
        cwd=PACKAGE,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def files(folder: Path) -> dict[str, str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in found}


def test_types_style_and_unit_tests_pass(npm: str):
    done = run(npm, "check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_committed_bundles_are_current(npm: str, tmp_path: Path):
    done = run(npm, "build", "--", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert files(tmp_path) == files(PACKAGE / "dist"), (
        "run `npm run build` in assets/scripts and commit dist/"
    )

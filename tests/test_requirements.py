"""Every package has a version and hashes, and nothing says where one machine gets them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def pinned(path: Path) -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)==([^\s;\\]+)", path.read_text(), re.MULTILINE)
    return {name.lower().replace("_", "-"): version for name, version in found}


@pytest.mark.parametrize("name", ["requirements", "requirements-cluster", "tests/requirements"])
def test_the_lock_has_every_package_with_hashes(name: str) -> None:
    lock = ROOT / f"{name}.lock"
    wanted = pinned(ROOT / "requirements.txt") | pinned(ROOT / f"{name}.txt")
    assert wanted.items() <= pinned(lock).items(), "run .ci/lock"
    packages = re.split(r"\n(?=[^\s#])", lock.read_text())[1:]
    assert len(packages) > 2 * len(wanted)
    assert all("--hash=sha256:" in package for package in packages)
    assert not re.search(r"^-|://|nvidia|\+cpu", lock.read_text(), re.MULTILINE)

"""`pip install .`: what the wheel contains, and that it runs from any folder."""

import subprocess
import sys
import tomllib
from importlib.metadata import Distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
NEEDED = ("core/prompts", "core/cli", "pages/components/shell", "assets/scripts/dist")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
EXTRAS = ("cluster", "storage", "notebook")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this code, unpacked as pip does."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def requirements(name: str) -> set[str]:
    lines = (ROOT / f"{name}.txt").read_text().splitlines()
    return {str(Requirement(line)).lower() for line in lines if line[:1] not in ("", "#", "-")}


def distribution(site: Path) -> Distribution:
    (info,) = site.glob("*.dist-info")
    return Distribution.at(info)


def test_the_wheel_has_every_file_that_runs(installed: Path) -> None:
    for folder in NEEDED:
        files = {path.name for path in (ROOT / folder).iterdir() if path.is_file()}
        where = installed if folder.startswith("core") else installed / "hoprag_explorer"
        assert files <= {path.name for path in (where / folder).iterdir()}, folder
    assert not list(installed.rglob("node_modules"))
    top = {path.name for path in installed.iterdir()}
    assert {name for name in top if not name.endswith(".dist-info")} == {"core", "hoprag_explorer"}


def test_dependencies_are_those_of_the_requirements_files(installed: Path) -> None:
    found = [Requirement(line) for line in distribution(installed).requires or ()]
    plain = {f"{each.name}{each.specifier}".lower() for each in found if each.marker is None}
    assert plain == requirements("requirements")
    for extra in EXTRAS:
        of_extra = [each for each in found if each.marker and f'"{extra}"' in str(each.marker)]
        names = {each.name.lower() for each in of_extra}
        wanted = {Requirement(each).name for each in requirements(f"requirements-{extra}")}
        assert names == wanted, extra


def test_an_installed_copy_finds_its_files(installed: Path, tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(installed)!r})\n"
        "from core import settings\n"
        "from core.shipping import sample\n"
        "print(settings.APP)\n"
        "assert sample.READY.is_file() and (settings.APP / 'app.py').is_file()\n"
        "assert (settings.APP / '.streamlit' / 'config.toml').is_file()\n"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(installed / "hoprag_explorer")


def test_the_console_script_is_the_command_line(installed: Path) -> None:
    (script,) = distribution(installed).entry_points.select(name="hoprag")
    assert callable(script.load())


def test_versions_agree() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == version
    releases = [line.split()[1] for line in CHANGELOG if line.startswith("## ")]
    assert releases[0] == version


def test_the_changelog_has_a_line_a_change_and_stays_short() -> None:
    assert len(CHANGELOG) < 200, "merge lines of the current release"
    assert not [line for line in CHANGELOG if line.startswith("  ")]

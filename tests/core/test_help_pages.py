"""The help and the README: their links lead somewhere, and their commands work."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from typer.testing import CliRunner

from core.cli import app
from core.help_pages import FOLDER, NAMES, glossary_page, help_pages
from core.settings import settings
from core.shipping import sample
from tests.core.cli.calling import commands

ROOT = Path(__file__).parents[2]
FILES = (ROOT / "README.md", *(FOLDER / f"{name}.md" for name in NAMES))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
BLOCK = re.compile(r"```bash\n(.*?)```", re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
COMMAND = re.compile(r"^(?:\w+=\S+ )*(?:python -m core|hoprag) (.+)$")


PAGE = (FOLDER / "command-line.md").read_text(encoding="utf-8")


def lines(path: Path) -> Iterator[str]:
    for block in BLOCK.findall(path.read_text(encoding="utf-8")):
        yield from (line for line in block.splitlines() if line and not line.startswith("#"))


def core_commands(path: Path) -> list[list[str]]:
    found = (COMMAND.match(line) for line in lines(path))
    return [shlex.split(one.group(1)) for one in found if one]


EVERY = [words for path in FILES for words in core_commands(path)]
FIRST_STEPS = core_commands(FOLDER / "command-line.md")[: len(BLOCK.findall(PAGE)[0].splitlines())]
"""The commands of the first block, which use the index of the sample."""


def anchors(path: Path) -> set[str]:
    plain = (re.sub(r"[^\w\- ]", "", one.lower()) for one in HEADING.findall(path.read_text()))
    return {one.replace(" ", "-") for one in plain}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_every_page_is_listed() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(NAMES)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"assets/docs/([\w-]+)\.md", readme))
    assert listed == set(NAMES)


def test_the_glossary_is_that_of_the_program() -> None:
    text = (FOLDER / "glossary.md").read_text(encoding="utf-8")
    assert text == glossary_page(), "run python -m core.help_pages"


def test_links_on_the_screen_lead_to_pages_of_the_app() -> None:
    for page in help_pages().values():
        for target in LINK.findall(re.sub(r"!\[.*", "", page.screen_text)):
            assert target.startswith(("http", "#", "help?topic=", "methods?method=")), target


@pytest.mark.parametrize("words", EVERY, ids=lambda words: " ".join(words)[:60])
def test_every_command_has_what_its_line_names(words: list[str]) -> None:
    command = commands()[words[0]]
    rest = words[1:]
    if isinstance(command, click.Group) or hasattr(command, "commands"):
        command, rest = command.commands[rest[0]], rest[1:]
    command.make_context(command.name, rest)


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of its own, where what other tests read as settings does not count."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "home"))
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.mark.usefixtures("at_home")
def test_the_first_steps_on_the_sample(tmp_path: Path) -> None:
    assert sample.install(settings().indexes, "")
    for words in FIRST_STEPS:
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, (words, done.output)
        assert done.output
    assert (tmp_path / "walk.html").stat().st_size > 100_000


def test_the_readme_starts_the_app_as_the_files_here_do() -> None:
    shown = list(lines(ROOT / "README.md"))
    assert shown[:4] == [
        "pip install -r requirements.txt",
        "streamlit run app.py",
        "pip install .",
        "hoprag app",
    ]
    assert (ROOT / "requirements.txt").is_file()
    assert (ROOT / "app.py").is_file()

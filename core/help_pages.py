"""The help: short pages in `assets/docs`, shown by the app and readable as files.

`python -m core.help_pages` writes the page of the glossary from `core.glossary`.
"""

import posixpath
import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from core.glossary import GLOSSARY
from core.settings import ASSETS

FOLDER = ASSETS / "docs"
GROUPS: dict[str, tuple[str, ...]] = {
    "Using the app": ("tour", "data-formats", "evaluation", "studies", "results", "glossary"),
    "Setting it up": ("models", "settings", "visitors", "storage"),
    "For developers": (
        *("command-line", "retrievers", "custom-retrievers"),
        *("architecture", "contributing", "decisions"),
    ),
}
"""Pages by whom they are for, in the order in which they are listed."""
NAMES = tuple(name for names in GROUPS.values() for name in names)
_HERE = PurePosixPath("assets/docs")
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page of the help.

    Parameters
    ----------
    name : of its file, and in the address.
    text : Markdown, without the title.
    """

    name: str
    title: str
    text: str

    @property
    def sections(self) -> tuple[str, ...]:
        """The headings of its sections."""
        return tuple(_HEADING.findall(self.text))

    @property
    def screen_text(self) -> str:
        """The text below a heading, with links to pages of the app; other files are named."""
        return _LINK.sub(_on_screen, _HEADING.sub(r"### \1", self.text))


@cache
def help_pages() -> dict[str, HelpPage]:
    """Return the pages by name."""
    return {name: _read(name) for name in NAMES}


def glossary_page() -> str:
    """Return the page of the glossary, as Markdown."""
    rows = sorted(GLOSSARY.values(), key=lambda one: one.name.casefold())
    lines = [f"| {one.name} | {one.meaning} | {one.symbol} |" for one in rows]
    head = "# Glossary\n\nThe terms of the app, with the symbols of the HopRAG paper.\n\n"
    return head + "\n".join(["| term | meaning | symbol |", "| --- | --- | --- |", *lines, ""])


def _read(name: str) -> HelpPage:
    first, _, rest = (FOLDER / f"{name}.md").read_text(encoding="utf-8").partition("\n")
    return HelpPage(name, first.removeprefix("# "), rest.strip() + "\n")


def _on_screen(link: re.Match[str]) -> str:
    label, target = link.groups()
    if target.startswith(("#", "http")):
        return link.group()
    path, _, anchor = target.partition("#")
    file = PurePosixPath(posixpath.normpath(_HERE / path))
    if file.parent == _HERE and file.stem in NAMES:
        return f"[{label}](help?topic={file.stem}{'#' if anchor else ''}{anchor})"
    if file.parent.name == "methods" and file.suffix == ".md":
        return f"[{label}](methods?method={file.stem})"
    return f"{label} (`{file}`)" if label != str(file) else f"`{file}`"


if __name__ == "__main__":
    (FOLDER / "glossary.md").write_text(glossary_page(), encoding="utf-8")

"""The browser half of a walkthrough: scripts and a style sheet, bundled into one file each."""

from functools import cache

from core.settings import ASSETS

ROOT = "<dialog class='walkthrough' open aria-label='Walkthrough of the retrieval'></dialog>"
"""The element that a walkthrough is drawn in."""
COMPONENT, STORY = "component", "story"
"""What mounts it: in the application, or in a page of its own."""
RANKINGS, DIFFERENCE, PAGE_KEYS = "rankings", "difference", "page_keys"
"""Rankings side by side for an audience, the difference of two, and the keys of Compare."""
NEIGHBOURHOOD, WEBPAGE = "neighbourhood", "webpage"
"""The neighbourhood of a passage, in the application or in a page of its own."""


@cache
def bundle(mount: str) -> str:
    """Return the script that mounts a walkthrough, or what else is drawn by this package."""
    return _read(f"{mount}.js")


@cache
def style(name: str = "walkthrough") -> str:
    """Return a style sheet."""
    return _read(f"{name}.css")


def _read(name: str) -> str:
    return (ASSETS / "walkthrough" / "dist" / name).read_text(encoding="utf-8")

"""Scripts and style sheets that draw a map; the scripts are built from `assets/scripts/src`."""

from functools import cache

from core.bundles import bundle
from core.settings import ASSETS


def component() -> str:
    """Return the script that mounts a map in the application."""
    return bundle("map/component")


def messenger() -> str:
    """Return the script that tells a map in the application what to show."""
    return bundle("map/messenger")


def webpage() -> str:
    """Return the script that draws a map in a page of its own."""
    return bundle("map/webpage")


@cache
def style(*more: str) -> str:
    """Return the style sheet of a map, and `more` of `assets/map` after it."""
    sheets = (ASSETS / "map" / f"{name}.css" for name in ("map", *more))
    return "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)

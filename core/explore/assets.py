"""The browser's half of a neighbourhood: what draws a film draws it too (`core.film.assets`)."""

from functools import cache

from core.film import assets
from core.settings import ASSETS

COMPONENT, PAGE = "component", "page"
"""What mounts it: in the application, in a page of its own."""


@cache
def script(mount: str) -> str:
    """The scripts that draw, then the one that mounts them."""
    names = (f"film/{name}.js" for name in (*assets.DRAWING, "keys"))
    own = (f"explore/{name}.js" for name in ("names", "columns", "sides", "explore", mount))
    return "\n".join(map(_read, [*names, *own]))


@cache
def style(*more: str) -> str:
    """The style sheets, `more` of `assets/explore` after the others."""
    own = (f"explore/{name}.css" for name in ("explore", *more))
    return "\n".join(map(_read, ["film/drawing.css", "film/keys.css", *own]))


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")

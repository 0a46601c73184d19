"""The browser's half of a map: what draws it, and what mounts it."""

from functools import cache

from core.settings import ASSETS

_DRAWING = ("world", "colours", "land", "names", "walk", "controls", "map")


@cache
def script(mount: str) -> str:
    """Return the scripts that draw, then the one that mounts them: `component` or `page`."""
    own = (f"map/{name}.js" for name in (*_DRAWING, mount))
    return "\n".join(map(_read, ["theme/theme.js", *own]))


@cache
def messenger() -> str:
    """Return the script that tells a map in the application what to show."""
    return _read("map/messenger.js")


@cache
def style(*more: str) -> str:
    """Return the style sheet of a map, and `more` of `assets/map` after it."""
    return "\n".join(_read(f"map/{name}.css") for name in ("map", *more))


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")

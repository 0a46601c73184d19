"""Bundled scripts and style sheets of the browser, from `assets/scripts/src`."""

from functools import cache

from core.settings import ASSETS


@cache
def bundle(name: str) -> str:
    """Return the script that mounts a view, a page script, or the script of a page of its own.

    Parameters
    ----------
    name : path in `dist` without its ending, such as `errors/note`.
    """
    return _read(f"{name}.js")


@cache
def style(name: str = "walkthrough/walkthrough") -> str:
    """Return a style sheet; see `bundle`."""
    return _read(f"{name}.css")


def _read(name: str) -> str:
    return (ASSETS / "scripts" / "dist" / name).read_text(encoding="utf-8")

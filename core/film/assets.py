"""The browser's half of a film: the scripts and style sheets in `assets/film`, as one text each."""

from functools import cache

from core.settings import ASSETS

DRAWING = (
    *("elements", "shapes", "labels", "breaking", "curves", "ports", "columns", "lanes"),
    *("shelf", "cuts", "marks", "hands", "cursor", "crowds", "origins", "painter", "stretched"),
    *("drawing", "legend", "picture", "theme"),
)
"""Scripts that draw a graph in its places: of a neighbourhood."""
TONES = "tones"
"""The style sheet of the parts of a score."""


@cache
def style(parts: tuple[str, ...]) -> str:
    """The style sheets."""
    return "\n".join(_read(f"{name}.css") for name in parts)


def _read(name: str) -> str:
    return (ASSETS / "film" / name).read_text(encoding="utf-8")

"""The browser's half of a film: the scripts and style sheets in `assets/film`, as one text each."""

from functools import cache

from core.settings import ASSETS

DRAWING = (
    *("elements", "shapes", "labels", "breaking", "curves", "ports", "columns", "lanes"),
    *("shelf", "cuts", "marks", "hands", "cursor", "crowds", "origins", "painter", "stretched"),
    *("drawing", "legend", "picture", "theme"),
)
"""Scripts that draw a graph in its places: of a film, of a neighbourhood."""
BESIDE = (*DRAWING, "boards", "details", "place", "keys", "staged")
"""Of two retrievals on one layout."""
TONES = "tones"
"""The style sheet of the parts of a score."""
COMPARED = (TONES, "drawing", "film", "keys", "compared")
"""The style sheets of what compares several."""
DIFFERENCE = "difference"
"""What mounts a difference."""


@cache
def script(mount: str, parts: tuple[str, ...]) -> str:
    """The scripts `parts`, then the one that mounts them."""
    return "\n".join(_read(f"{name}.js") for name in (*parts, mount))


@cache
def style(parts: tuple[str, ...]) -> str:
    """The style sheets."""
    return "\n".join(_read(f"{name}.css") for name in parts)


def _read(name: str) -> str:
    return (ASSETS / "film" / name).read_text(encoding="utf-8")

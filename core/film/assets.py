"""The browser's half of a film: the scripts and style sheets in `assets/film`, as one text each."""

from functools import cache

from core.settings import ASSETS

DRAWING = (
    *("elements", "shapes", "labels", "breaking", "curves", "ports", "columns", "lanes"),
    *("shelf", "cuts", "marks", "hands", "cursor", "crowds", "origins", "painter", "stretched"),
    *("drawing", "legend", "picture", "theme"),
)
"""Scripts that draw a graph in its places: of a film, of a neighbourhood."""
FILM = (
    *DRAWING,
    *("frames", "weights", "gathered", "boards", "golds", "timeline", "details", "table"),
    *("toast", "keys"),
    *("sentence", "sidebar", "picking", "place", "player", "parts", "film"),
)
ROOT = "<dialog class='film' open aria-label='Film of the retrieval'></dialog>"
"""The element that a film is drawn in."""
BESIDE = (*DRAWING, "boards", "details", "place", "keys", "staged")
"""Of two retrievals on one layout."""
TONES = "tones"
"""The style sheet of the parts of a score."""
COMPARED = (TONES, "drawing", "film", "keys", "compared")
"""The style sheets of what compares several."""
COMPONENT, DIFFERENCE = "component", "difference"
"""What mounts a film and a difference."""


@cache
def script(mount: str, parts: tuple[str, ...] = FILM) -> str:
    """The scripts `parts`, then the one that mounts them."""
    return "\n".join(_read(f"{name}.js") for name in (*parts, mount))


@cache
def style(parts: tuple[str, ...] = (TONES, "drawing", "film", "keys")) -> str:
    """The style sheets."""
    return "\n".join(_read(f"{name}.css") for name in parts)


def _read(name: str) -> str:
    return (ASSETS / "film" / name).read_text(encoding="utf-8")

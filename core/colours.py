"""The one table of the application's colours, in light and in dark.

Style sheets and scripts read them as CSS variables (`--hop-gold`), charts as values. A colour says
one thing everywhere: gold evidence is `gold`, what is looked at now is `current`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Theme = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour in both themes, as `#rrggbb`."""

    light: str
    dark: str

    def of(self, theme: str | None) -> str:
        """Return the colour in a theme; light unless it is `dark`."""
        return self.dark if theme == "dark" else self.light


GROUND = Colour("#ffffff", "#11161c")
PANEL = Colour("#f3f5f7", "#1a222b")
INK = Colour("#1b2228", "#e6ebf0")

LETTERS: Mapping[str, Colour] = {
    "gold": Colour("#8a6008", "#e3b341"),
    "current": Colour("#4a35b8", "#b3a6ff"),
    "found": Colour("#00714f", "#3ecfa0"),
    "lost": Colour("#a94600", "#ff9a5c"),
    "action": Colour("#0068a3", "#6dbdf0"),
    "gone": Colour("#b3261e", "#ff9d94"),
}
"""Colours that letters may have: 4.5:1 against both grounds. `gold` is gold evidence, `current`
what is looked at now, `found` and `lost` what became of evidence, `action` the focus and what can
be pressed, `gone` what cannot be undone."""

FILLS: Mapping[str, Colour] = {
    "found-fill": Colour("#009e73", "#009e73"),
    "lost-fill": Colour("#d55e00", "#d55e00"),
    "first": Colour("#0072b2", "#3f8fcb"),
    "second": Colour("#b85c93", "#cc79a7"),
    "edge": Colour("#0072b2", "#56b4e9"),
    "tone-a": Colour("#1f0f58", "#ece8ff"),
    "tone-b": Colour("#8f2892", "#e288da"),
    "tone-c": Colour("#22808f", "#2f93a6"),
    "tone-d": Colour("#bf8a45", "#8a5a1c"),
    "tone-w": Colour("#5b6470", "#9aa3ae"),
    "tone-v": Colour("#8b949e", "#6f7884"),
}
"""Colours of areas and lines: 3:1 against the ground. `first` and `second` are two retrievals or
charts beside each other, `tone-…` the parts of a score."""

STAGE_FILLS: Mapping[str, Colour] = {
    "absent": Colour("#5b6470", "#767f89"),
    "far": Colour("#5c2506", "#7d3a14"),
    "unoffered": Colour("#80360a", "#95460f"),
    "refused": Colour("#a3480a", "#ad500c"),
    "below": Colour("#b85508", "#bd5c12"),
    "unranked": Colour("#6b747e", "#6b747e"),
    "cut": Colour("#c9691c", "#c9691c"),
    "kept": Colour("#00845f", "#00845f"),
    "unused": Colour("#437f6c", "#437f6c"),
}
"""Parts of a bar by stage of loss, which a rim parts from each other and which hold white
numbers: losses from dark, early ones, to light, the last; what was retrieved is green."""

QUIET: Mapping[str, Colour] = {
    "passage": Colour("#56b4e9", "#56b4e9"),
    "highlight": Colour("#fdf0c0", "#504527"),
}
"""Colours of areas with a rim or a mark that says the same: `passage` is a passage that is on
offer, `highlight` the ground of marked words, in both themes under letters of `INK`."""

TINTS: Mapping[str, str] = {
    "lexical": "#766528",
    "dense": "#566a94",
    "hybrid": "#447572",
    "HopRAG": "#b8486c",
    "entity graph": "#6e617f",
    "tree": "#56724f",
    "decomposition": "#856573",
    "agent": "#6a6c3c",
    "rerank": "#616367",
    "custom": "#8a4f63",
    "imported": "#767661",
}
"""Grounds of the badges of retrievers, by family, which hold white letters in both themes."""

OWN_TINTS: Mapping[str, str] = {"hoprag-coverage": "#9f653e", "hoprag-llm": "#8665a2"}
"""Grounds of badges by retriever, where a family is most often compared within itself."""


def tint(retriever: str, family: str) -> str:
    """Return the ground of a retriever's badge: its own, or that of its family."""
    return OWN_TINTS.get(retriever) or TINTS[family]


def css() -> str:
    """Return a style rule that declares the colours as variables.

    They follow the `color-scheme` of the element that uses them.
    """
    named = {**LETTERS, **FILLS, **QUIET}
    declarations = " ".join(
        f"--hop-{name}: light-dark({colour.light}, {colour.dark});"
        for name, colour in named.items()
    )
    return f":root {{ {declarations} }}"

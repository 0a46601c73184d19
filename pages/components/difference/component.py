"""The difference of two retrievals on the screen, laid out by the browser."""

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from typing import Any

import streamlit as st

from core.bundles import bundle, style
from core.difference.contract import DifferenceData
from core.walkthroughs.assets import DIFFERENCE

HTML = "<dialog class='panes difference' open aria-label='Difference of two retrievals'></dialog>"

Named = tuple[str, str, str]
"""What one is called, what stands beside it, which may be nothing, and the same in short."""


def show_difference(
    found: DifferenceData,
    verdict: str = "",
    why: Sequence[str] = (),
    names: Sequence[Named] = (),
    pair: str = "",
    tints: tuple[str, ...] = (),
    *,
    key: str,
) -> None:
    """Mount the drawing of a difference with its lists. Selections stay in the browser.

    Parameters
    ----------
    verdict : which of the two retrievals found more, shown above the drawing for a presenter.
    why : sentences that explain the verdict.
    names : name, suffix and short name of both retrievals; by default their titles.
    pair : which pair this is, if more than two retrievers are compared.
    tints : colours of both; those of the theme by default.
    """
    called = list(names) or [(found[x]["title"], "", "") for x in ("a", "b")]
    told = json.dumps(found, separators=(",", ":"))
    rev = hashlib.sha256(
        "\n".join((verdict, *why, pair, *tints, *chain(*called), told)).encode()
    ).hexdigest()[:16]
    data = {
        "difference": told,
        "verdict": verdict,
        "why": list(why),
        "names": called,
        "pair": pair,
        "tints": list(tints),
        "rev": rev,
    }
    _component()(key=key, data=data, height="content")


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "hop_difference", html=HTML, css=style(DIFFERENCE), js=bundle(DIFFERENCE)
    )

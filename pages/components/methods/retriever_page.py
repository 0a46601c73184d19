"""The page of one retriever: description, requirements, settings, and an example."""

from html import escape

import streamlit as st

from core.artefacts.base import in_order
from core.artefacts.stored_artefacts import missing, on_shelf
from core.artefacts.workbench import Workbench
from core.library.catalogue import Listed
from core.retrievers import Spec
from core.retrievers.registry import artefacts_by_name
from core.shipping.method_pictures import picture
from pages.components.ask.method_description import page_of, settings_table
from pages.components.ask.required_structures import cost_of
from pages.components.methods.example import show_example
from pages.components.shell import nav, resources
from pages.components.shell.figures import show_words
from pages.components.shell.formatting import duration, size
from pages.components.shell.retriever_colours import badge

UNKNOWN = "unknown: its own code may call a language model, which this app cannot count"
NO_CALL = "no language model per query; building uses one if available"
VIEWS = ("How it ranks", "See it work", "Settings")


def show_about(spec: Spec, index: Listed | None) -> None:
    """Show the page of `spec`; `index` is used to try it, None if nothing is built yet."""
    if st.button("All methods", icon=":material/arrow_back:", type="tertiary", key="methods_back"):
        nav.go("methods")
    told = spec.card
    st.html(
        f"<h1 class='hop-title'>{badge(told)}{escape(told.title)}</h1>"
        f"<p class='hop-lead'>{escape(told.summary)}</p>"
    )
    bench = resources.workbench(index) if index else None
    view = st.segmented_control(
        "View",
        VIEWS,
        default=VIEWS[0],
        required=True,
        key="methods_view",
        label_visibility="collapsed",
    )
    if view == "See it work":
        show_example(spec, bench)
    elif view == "Settings":
        st.markdown(settings_table(spec))
    else:
        left, right = st.columns([5, 3], gap="large")
        with left, st.container(key="method_about"):
            st.markdown(_without_title(page_of(spec)))  # our own text, for its formulae
        with right:
            if drawn := picture(spec.key):  # there is none of a custom retriever
                st.html(drawn)
            show_words(requirement_rows(spec, bench), "What it needs")


def requirement_rows(spec: Spec, bench: Workbench | None) -> list[tuple[str, str]]:
    """Return rows on the origin, the structures, the model calls and the cost of a retriever.

    With `bench`, sizes and times measured in its index are included.
    """
    rows = [("Family", spec.card.family), ("From", spec.card.paper)]
    built = [need for need in in_order(spec.needs) if need.stored]
    lying = {
        each.row.name: each.row for each in (on_shelf(bench, artefacts_by_name()) if bench else ())
    }
    for need in built:
        cost = ""
        if row := lying.get(need.name):
            cost = f" In this index: {size(row.size)}, built in {duration(row.seconds)}."
        asks = " Calls a model." if need.asks_model else ""
        rows.append((f"Builds {need.title}", f"{need.says}{asks}{cost}"))
    if not built:
        rows.append(("Builds", "nothing beyond the standard index"))
    if bench and (waiting := missing(spec.needs, bench)):
        rows.append((f"For {bench.index.name}", f"Not built yet. {cost_of(waiting, bench)}"))
    if not spec.asks_model and _has_unknown_cost(spec):
        rows.append(("Model calls", UNKNOWN))
    elif not spec.asks_model:
        written = any(need.asks_model for need in built)
        rows.append(("Model calls", NO_CALL if written else "none"))
    elif spec.idle_without_model:
        rows.append(("Model calls", "a language model (required)"))
    else:
        rows.append(("Model calls", "a language model (optional)"))
        rows.append(("Without a model", spec.substitute))
    return rows


def _has_unknown_cost(spec: Spec) -> bool:
    """Return whether a part of the retriever is the user's own code."""
    return any(one.card.family == "custom" for one in spec.all_of_it())


def _without_title(page: str) -> str:
    """Return a page without its first line, which is its title."""
    first, _, rest = page.partition("\n")
    return rest if first.startswith("# ") else page

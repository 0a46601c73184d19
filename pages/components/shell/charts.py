"""Charts, as every page shows them."""

from typing import Any

import altair as alt
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

Chart = alt.Chart | alt.LayerChart | alt.FacetChart | alt.HConcatChart | alt.VConcatChart

# Streamlit brings its own theme. This setting is the whole process's, so it is set once.
alt.theme.enable("none")


def show_chart(chart: Chart, place: DeltaGenerator | None = None, **options: Any) -> None:
    """Show a chart in the full width of its place.

    `st.altair_chart` validates each chart against the schema of Vega-Lite, which takes a third of
    the time of drawing it. The tests of the pages do that instead.

    Parameters
    ----------
    options : of `st.vega_lite_chart`: key, on_select, selection_mode.
    """
    spec = chart.to_dict(validate=False)
    (place or st).vega_lite_chart(spec, width="stretch", **options)

"""HopRAG Explorer. Run it: streamlit run app.py"""

import streamlit as st

from core.settings import ASSETS
from pages.components.shell import frame, nav

st.set_page_config(
    page_title="HopRAG Explorer",
    page_icon=str(ASSETS / "favicon.png"),
    layout="wide",
)
st.logo(ASSETS / "favicon.png")
frame.style()
nav.run()

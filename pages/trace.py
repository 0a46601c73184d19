"""Trace: one question, step by step, with every panel at the same step."""

import streamlit as st

from core.settings import ASSETS
from pages.components.shell import frame, nav
from pages.components.trace import current as asked_trace
from pages.components.trace import page as asked_page

nav.guard()

st.html(ASSETS / "trace.css")
frame.heading("Trace", "A question on its way through the graph, step by step.")
opened = asked_trace.opened_file()
if opened:
    asked_page.show_file(opened)
else:
    asked_page.show_asked()

"""Trace: one question, step by step, with every panel at the same step."""

from pages.components.ask import opened_trace
from pages.components.shell import layout, nav
from pages.components.trace import page as asked_page

nav.guard()

layout.heading("Trace", "A retrieval, step by step.")
opened = opened_trace.opened_file()
if opened:
    asked_page.show_file(opened)
else:
    asked_page.show_asked()

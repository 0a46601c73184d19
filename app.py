"""HopRAG Explorer. Run it: streamlit run app.py

The server imports this file once; Streamlit then runs it as a script, at every step of every
visitor.
"""

import streamlit as st

from core.threads import let_threads_sleep
from pages.components.ask.passage_editor import edit_dialog
from pages.components.shell import layout
from pages.components.shell.callback_completion import carry_out_callbacks
from pages.components.shell.client_input.widget_input import check_widget_states
from pages.components.shell.search import search_dialog
from pages.components.shell.visitors import access

if __name__ == "__main__":
    layout.run(search_dialog, edit_dialog)
else:
    let_threads_sleep()
    carry_out_callbacks()
    check_widget_states()
    app = st.App(__file__, middleware=access.middleware())

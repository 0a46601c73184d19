"""HopRAG Explorer. Run it: streamlit run app.py

The server imports this file once; Streamlit then runs it as a script, at every step of every
visitor.
"""

import streamlit as st

from core.threads import let_threads_sleep
from pages.components.ask.passage_editor import edit_dialog
from pages.components.shell import access, frame
from pages.components.shell.callback_completion import carry_out_callbacks
from pages.components.shell.search import search_dialog
from pages.components.shell.widget_input import check_widget_states

if __name__ == "__main__":
    frame.run(search_dialog, edit_dialog)
else:
    let_threads_sleep()
    carry_out_callbacks()
    check_widget_states()
    app = st.App(__file__, middleware=access.middleware())

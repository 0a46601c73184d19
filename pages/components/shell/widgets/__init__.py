"""Widgets that Streamlit lacks: cards, dialogs, a button that copies a link."""

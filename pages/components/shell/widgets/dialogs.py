"""The open dialog, stored in the session.

A dialog that a button opens closes at the next run of the page or of the fragment with that button,
so that a list which updates itself would close it. A dialog that the page opens from the session
state stays open.
"""

import streamlit as st

_OPEN = "open_dialog"


def open_dialog(name: str, *about: str) -> None:
    """Rerun the page with the dialog `name` open, on the given names or ids."""
    st.session_state[_OPEN] = (name, about)
    st.rerun()


def is_open(name: str) -> bool:
    return bool(st.session_state.get(_OPEN, ("", None))[0] == name)


def subject() -> tuple[str, ...]:
    """Return the names or ids that the open dialog concerns."""
    about: tuple[str, ...] = st.session_state[_OPEN][1]
    return about


def close_dialog() -> None:
    """Close the dialog from the next run on."""
    st.session_state.pop(_OPEN, None)


def confirm(key: str, goes: str, stays: str) -> bool:
    """Draw the buttons of a dialog that confirms a deletion; return whether to delete.

    Parameters
    ----------
    goes : the label of the delete button, which comes last, in red.
    stays : the label of the cancel button, which is the default.
    """
    with st.container(horizontal=True):
        if st.button(stays, type="primary", key=f"{key}_not"):
            close_dialog()
            st.rerun()
        return st.button(goes, key=f"{key}_now")

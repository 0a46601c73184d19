"""Settings: embedder of new indexes, language model, built structures, folders, versions."""

import os
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import streamlit as st

from core.settings import settings
from core.visitors.hosts import listens_beyond_loopback
from pages.components.building.form import choose_embedder
from pages.components.settings.built_structures import show_shelf
from pages.components.settings.embedder_server import show_embedder_server
from pages.components.settings.language_model import show_language_model
from pages.components.shell import layout, nav, resources
from pages.components.shell.actions import index_actions, permissions
from pages.components.shell.figures import section, show_words
from pages.components.shell.formatting import ago

nav.guard()

LIBRARIES = (
    "streamlit",
    "lancedb",
    "sentence-transformers",
    "transformers",
    "torch",
    "openai",
    "networkx",
    "rank-bm25",
    "ir-measures",
    "altair",
    "numpy",
    "scipy",
    "pandas",
    "pyarrow",
)
# The only variables whose values are ever shown; the rest of the environment stays unread.
VARIABLES = {
    "HOPRAG_HOME": "Folder of indexes and uploads",
    "HOPRAG_ROOTS": f"Server folders that users may read from, separated by {os.pathsep}",
    "HOPRAG_EMBEDDER": "Name or path of the embedder for new indexes",
    "HOPRAG_PRICES": "File with language model prices",
    "HOPRAG_HOSTS": "Additional host names of this server",
    "HOPRAG_EDITORS": "Users who may build, change, delete and spend",
    "HOPRAG_READERS": "Users who may trace, compare and view",
    "HOPRAG_USER_HEADER": "Header that contains the user name from the proxy",
    "HOPRAG_PROXIES": "Addresses of the proxy",
    "HOPRAG_BUDGET_PERSON": "Daily spending limit per person",
    "HOPRAG_EMBEDDERS": "Embedders that users may choose",
    "HOPRAG_OPEN": "Gives full access to everyone who can reach the server",
}


def check_embedder(name: str) -> None:
    """Load the embedder and say what it is, or why it cannot be used."""
    with layout.mendable(), st.spinner("Loading the embedder"):
        index_actions.fetch(name)
        info = resources.embedder(name).info
        resources.choose_embedder(name)
        st.success(
            f"{layout.literal(info.name)} works: {info.dimension} dimensions, {info.precision}. "
            "New indexes in this session use it."
        )


def installed(name: str) -> str:
    """Return the installed version of a package, or `not installed`."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def places() -> list[tuple[str, str]]:
    """Return label and path of each folder that the server uses."""
    roots = ", ".join(map(str, settings().roots)) or "none"
    if settings().roots and listens_beyond_loopback(st.get_option("server.address")):
        roots = "disabled, because other machines can reach this server"
    return [
        ("Indexes", str(settings().indexes)),
        ("Uploads", str(settings().uploads)),
        ("Server folders users may read", roots),
    ]


def variables() -> list[tuple[str, str, str]]:
    return [
        (name, meaning, os.environ.get(name) or "not set") for name, meaning in VARIABLES.items()
    ]


def show_done() -> None:
    """Show the activity log, if visitors are identified."""
    found = permissions.done()
    if found:
        section("Activity log")
        rows = [
            (ago(datetime.fromtimestamp(act.time, UTC)), act.by, act.what, act.about)
            for act in found
        ]
        show_words(rows)


layout.heading("Settings", "Embedder, language model, storage locations and installed versions.")
layout.only_editors()
with st.container(key="settings_main"):
    left, right = st.columns(2, gap="medium")
with left, st.container(border=True):
    section("Embedder for new indexes")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = choose_embedder("settings_embedder")
        checked = st.button("Check and use", key="settings_check", type="primary")
    if checked:
        check_embedder(name)
    st.caption(
        "Existing indexes keep their embedder; this setting applies to new indexes. A name that "
        "is not a folder is downloaded from a model hub, which needs a network connection."
    )
    show_embedder_server()
with left, st.container(border=True):
    show_language_model()
with left:
    show_shelf()
    show_done()
with right, st.container(border=True):
    section("Folders")
    show_words(places())
with right, st.container(border=True, key="settings_environment"):
    section("Environment")
    show_words(variables())
    st.caption("Set these before you start the app. They are read once.")
with right, st.container(border=True, key="settings_installed"):
    section("Installed")
    show_words([(name, installed(name)) for name in LIBRARIES])
layout.show_equivalent_command("HOPRAG_HOME=DIR HOPRAG_EMBEDDER=NAME streamlit run app.py")

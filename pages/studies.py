"""Studies: grids of retrievers and settings, run as a job and presented as papers do."""

import shlex

import streamlit as st

from core.jobs.study import studies_folder
from core.studies.shelf import study_files
from pages.components.indexes import index_menu
from pages.components.shell import layout, nav
from pages.components.studies.study_list import STUDY, offer_upload, show_gallery
from pages.components.studies.study_page import show_study

nav.guard()

known = {path.stem: path for path in study_files(studies_folder())}
name = st.query_params.get(STUDY, "")
if name not in known:
    layout.heading(
        "Studies",
        "Run retrievers with many settings on one question set, and compare with published tables.",
    )
entry = index_menu.need_index()
if name in known:
    with layout.mendable():
        show_study(known[name], entry)
else:
    if name:
        st.warning(layout.literal(f"No study named {name[:40]!r}. Choose one below."))
    show_gallery(list(known.values()), entry)
    with layout.mendable():
        offer_upload()
file = shlex.quote(str(known[name])) if name in known else "STUDY.toml"
layout.show_equivalent_command(
    f"python -m core study {file} --index {shlex.quote(str(entry.path))}"
)

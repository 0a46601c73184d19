"""Studies: grids of retrievers and settings, run as a job and presented as papers do."""

import shlex

import streamlit as st

from core.jobs.study import studies_folder
from core.studies.shelf import study_files
from pages.components.indexes import index_menu
from pages.components.shell import frame, nav
from pages.components.studies.gallery import STUDY, offer_upload, show_gallery
from pages.components.studies.opened import show_study

nav.guard()

known = {path.stem: path for path in study_files(studies_folder())}
name = st.query_params.get(STUDY, "")
if name not in known:
    frame.heading(
        "Studies",
        "Run retrievers with many settings on one question set, and compare with published tables.",
    )
entry = index_menu.need_index()
if name in known:
    with frame.mendable():
        show_study(known[name], entry)
else:
    if name:
        st.warning(frame.literal(f"No study named {name[:40]!r}. Choose one below."))
    show_gallery(list(known.values()), entry)
    with frame.mendable():
        offer_upload()
file = shlex.quote(str(known[name])) if name in known else "STUDY.toml"
frame.same_from_shell(f"python -m core study {file} --index {shlex.quote(str(entry.path))}")

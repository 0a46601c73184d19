"""The list of studies: what each shows and how far it is, and a way to add one."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import streamlit as st

from core import jobs
from core.errors import HopRagError
from core.jobs.study import studies_folder, study_job
from core.library.catalogue import Listed
from core.runs import Runs
from core.runs.run import State
from core.studies import Study, read_study
from core.studies.measuring import found_run
from core.studies.naming import study_about, study_title
from core.studies.shelf import is_own
from core.text.display.plurals import number
from pages.components.shell import layout, nav
from pages.components.shell.actions import study_actions
from pages.components.shell.visitors.visitor import visitor
from pages.components.shell.widgets.card import card

STUDY = "study"
"""The parameter of the address that names the study."""
_FINISHED: State = "finished"


def show_gallery(files: Sequence[Path], entry: Listed) -> None:
    """Show a card for each study: finished ones first, then those that users added."""
    studies = [(path, _read(path)) for path in files]
    told = [(path, one, _standing(one, entry)) for path, one in studies if isinstance(one, Study)]
    told.sort(key=lambda one: not one[2].startswith(_FINISHED))
    with st.container(key="studies_cards"):
        for error in (one for _, one in studies if isinstance(one, HopRagError)):
            st.error(layout.literal(str(error)))
        for path, study, standing in told:
            _card(path, study, standing, entry)


def _read(path: Path) -> Study | HopRagError:
    try:
        return read_study(path)
    except HopRagError as error:
        return error


def offer_upload() -> None:
    """Take a study file from an editor and open it."""
    if not visitor().may_edit:
        return
    given = st.file_uploader(
        "Add a study",
        type=["toml"],
        key="studies_file",
        max_upload_size=1,
        help="A TOML file with a title, retrievers such as hoprag-similarity(n_hop=1..4), "
        "measures and views. For an example, open a study.",
    )
    if given is not None:
        try:
            text = given.getvalue().decode()
        except UnicodeDecodeError:
            st.error("The file is not UTF-8 text. Save it as UTF-8.")
            return
        nav.go("studies", study=study_actions.add_study(text, given.name).stem)


def _card(path: Path, study: Study, standing: str, entry: Listed) -> None:
    facts = [number(len(study.retrievers), "retriever"), *_origin(study), standing]
    body = (
        f"<div class='hop-study'><h3 dir='auto'>{escape(study_title(study))}</h3>"
        f"<p dir='auto'>{escape(study_about(study))}</p>"
        f"<small>{escape(' · '.join(filter(None, facts)))}</small></div>"
    )
    key = "".join(sign if sign.isalnum() else "_" for sign in path.stem)
    if card(body, f"Open the study {study_title(study)}", key=f"study_{key}"):
        nav.go("studies", study=path.stem, index=entry.name)


def _origin(study: Study) -> list[str]:
    """Return whose study it is, where it is not one of a paper."""
    if is_own(study.path, studies_folder()):
        return ["added here"]
    return [f"{number(len(study.papers), 'published table')}"] if study.papers else []


def _standing(study: Study, entry: Listed) -> str:
    """Return how far it is on the index that is looked at."""
    source = "" if study.data.files or study.data.index else str(entry.path.absolute())
    state = jobs.state(study_job(study.path, source).index)
    if state and state.running:
        return "running"
    if study.data.files or study.data.index:
        return "on its own data"
    if entry.meta is None:
        return ""
    run = found_run(study, Runs(entry.path))
    return f"{run.state} on {entry.name}" if run else "not run"

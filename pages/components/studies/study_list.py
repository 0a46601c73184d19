"""The list of studies with their conclusions and progress, and an upload."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import streamlit as st

from core import jobs
from core.errors import HopRagError
from core.jobs.study import studies_folder
from core.library.catalogue import Listed
from core.studies import Study, read_study
from core.studies.naming import size_told, study_about, study_title
from core.studies.shelf import is_own
from core.text.display.plurals import number
from pages.components.shell import layout, nav
from pages.components.shell.actions import study_actions
from pages.components.shell.figures import section
from pages.components.shell.visitors.visitor import visitor
from pages.components.shell.widgets.card import card
from pages.components.studies.conclusion_panel import Finding, finding_of
from pages.components.studies.study_results import has_own_data, journal_of, stored_results


@dataclass(frozen=True, slots=True)
class _Listing:
    """A study in the list, with its progress and, if finished, its conclusion."""

    path: Path
    study: Study
    standing: str
    finding: Finding | None = None


STUDY = "study"
"""The parameter of the address that names the study."""


def show_gallery(files: Sequence[Path], entry: Listed) -> None:
    """Show a card for each study: finished ones with what they show, then the others."""
    studies = [(path, _read(path)) for path in files]
    for error in (one for _, one in studies if isinstance(one, HopRagError)):
        st.error(layout.literal(str(error)))
    told = [_listing(path, one, entry) for path, one in studies if isinstance(one, Study)]
    finished = [one for one in told if one.finding]
    _cards("Results", finished, entry)
    _cards("Not finished" if finished else "", [one for one in told if not one.finding], entry)


def _cards(title: str, some: Sequence[_Listing], entry: Listed) -> None:
    """Draw a card for each study, below a heading if there is a title."""
    if some and title:
        section(title)
    with st.container(key=f"studies_cards_{title.lower().replace(' ', '_')}"):
        for one in some:
            _card(one, entry)


def _read(path: Path) -> Study | HopRagError:
    """Read a study file; return the error if it cannot be read."""
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


def _card(one: _Listing, entry: Listed) -> None:
    """Draw a study's card: its conclusion, or what it is about, and its size and state."""
    study, path = one.study, one.path
    facts = [size_told(study), *_origin(study), one.standing]
    told = f"<p dir='auto'>{escape(study_about(study))}</p>"
    if one.finding:
        lead = escape(one.finding.told.lead)
        told = f"<div class='hop-finding'><p dir='auto'>{lead}</p>{one.finding.image}</div>"
    body = (
        f"<div class='hop-study'><h3 dir='auto'>{escape(study_title(study))}</h3>{told}"
        f"<small>{escape(' · '.join(filter(None, facts)))}</small></div>"
    )
    key = "".join(sign if sign.isalnum() else "_" for sign in path.stem)
    if card(body, f"Open the study {study_title(study)}", key=f"study_{key}"):
        nav.go("studies", study=path.stem, index=entry.name)


def _origin(study: Study) -> list[str]:
    """Return the origin of a study: added here, or the number of its published tables."""
    if is_own(study.path, studies_folder()):
        return ["added here"]
    return [f"{number(len(study.papers), 'published table')}"] if study.papers else []


def _listing(path: Path, study: Study, entry: Listed) -> _Listing:
    """Return how far a study has run on its own data or on the current index."""
    own = has_own_data(study)
    state = jobs.state(journal_of(study, entry))
    if state and state.running:
        return _Listing(path, study, "running")
    if not own and entry.meta is None:
        return _Listing(path, study, "")
    where = study.data.index or ("its own data" if own else entry.name)
    try:
        results = stored_results(study, entry).results
    except HopRagError as error:
        return _Listing(path, study, str(error))
    if finding := finding_of(results):
        return _Listing(path, study, f"finished on {where}", finding)
    if results.lines:
        states = {line.run.state for line in results.lines}
        return _Listing(path, study, f"{min(states)} on {where}")
    return _Listing(path, study, f"not run on {where}" if own else "not run")

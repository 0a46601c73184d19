"""The gold of the questions in the chosen files, as a build would map it to passages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from core.corpus.chunking.chunker import Chunking
from core.corpus.gold.near_titles import did_you_mean, near_titles
from core.corpus.types import Corpus
from core.evidence import (
    STEPS,
    Previewed,
    gold_told,
    nearest_span,
    previewed,
    with_evidence_as_gold,
    with_passages,
)
from core.indexing.joining import Joined, passages_after
from core.library.catalogue import Listed
from core.text.display import plurals
from core.text.display.plurals import counted
from core.types import Document, Evidence, MatchStep, Passage, Query
from pages.components.corpus.chosen_files import ChosenFile
from pages.components.corpus.file_reading import remembered, stamps
from pages.components.corpus.gold_names import gold_names
from pages.components.passages.highlighting import highlighted_excerpt
from pages.components.shell import layout, resources
from pages.components.shell.figures import section
from pages.components.shell.formatting import cropped

SHOWN = 10  # questions on a page
_FIRST = "corpus_gold_first"
_MAPPED = "corpus_gold"
_OPEN = 2  # questions whose gold can be read without a click
_AROUND = 160  # characters on each side of evidence
_QUESTION, _EVIDENCE, _TITLE, _NOTE = 300, 600, 120, 300  # characters
_NAMED = 3  # names of gold that no passage contains
_ITEMS = 12  # of the gold of one question
_UNLIKE: tuple[MatchStep, ...] = ("split", "not found")
"""Steps whose words say by themselves that evidence was found, or that it was not."""
_GOOD: tuple[MatchStep, ...] = ("exact", "normalised")


@dataclass(frozen=True, slots=True)
class GoldPreview:
    """The gold of all questions, mapped to passages.

    Parameters
    ----------
    told : how much there is and how it was found, in sentences.
    found : the questions with gold, those with problems first.
    passages : by id, those that hold the evidence that is shown.
    titles : by id, of documents that are gold as a whole.
    near : by document, its passages, where it should hold evidence that no passage holds.
    meant : by gold that names no document, the titles that are most like it.
    usable : the same, of titles that a single document has.
    """

    told: str
    found: Sequence[Previewed]
    passages: Mapping[str, Passage]
    titles: Mapping[str, str]
    near: Mapping[str, Sequence[Passage]]
    meant: Mapping[str, Sequence[str]]
    usable: Mapping[str, Sequence[str]]

    @property
    def missing(self) -> int:
        """Return the number of pieces of evidence or gold ids that no passage contains."""
        return sum(each.missing for each in self.found)

    @property
    def lost_names(self) -> list[str]:
        """Return the gold ids that no passage contains, each once."""
        sizes = (size for each in self.found for size in each.documents.items())
        return list(dict.fromkeys(name for name, passages in sizes if not passages))


def gold_preview(
    files: Sequence[ChosenFile],
    corpus: Corpus,
    passages: Sequence[Passage],
    chunking: Chunking,
    joined: Joined | None,
    index: Listed | None,
) -> GoldPreview | None:
    """Map the gold of the files to their passages, once per set of files and chunking.

    Parameters
    ----------
    index : the index that the files are added to. Its passages count too, and `joined` says what
        it will contain.

    Returns
    -------
    None if there is no question, or no passage to look in.
    """
    place = st.empty()

    def mapped() -> GoldPreview | None:
        """Locate the gold in the passages; None without questions or documents."""
        queries = joined.asked if joined else corpus.queries
        documents = joined.known.documents if joined else corpus.documents
        if not (queries and documents):
            return None
        with place, st.spinner("Locating gold in the passages"):
            held = passages
            if index and joined:
                held = passages_after(resources.stored(index.path), joined)
            return _locate_gold(queries, documents, held)

    there = (index.path, index.finished_at, joined) if index else None
    names = tuple(gold_names().items())
    key = (stamps(files), str(chunking), len(passages), there, names)
    return remembered(_MAPPED, key, mapped)


def _locate_gold(
    queries: Sequence[Query], documents: Sequence[Document], passages: Sequence[Passage]
) -> GoldPreview:
    """Locate the gold of `queries` in `passages`, and suggest similar titles for gold without a
    document.
    """
    asked = [with_evidence_as_gold(query) for query in with_passages(queries, passages)]
    found = previewed(asked, passages)
    shown = [each for one in found for each in one.query.evidence]
    held = {name for each in shown for part in each.parts for name in part}
    lost = {each.document for each in shown if not each.parts and each.document}
    near: dict[str, list[Passage]] = {}
    for passage in passages:
        if passage.document_id in lost:
            near.setdefault(passage.document_id, []).append(passage)
    named = {name for one in found for name in one.documents}
    titles = Counter(each.title for each in documents)
    meant = near_titles(
        (name for one in found for name, count in one.documents.items() if not count),
        dict.fromkeys(each.title for each in passages),
    )
    return GoldPreview(
        told=gold_told(asked),
        found=found,
        passages={each.id: each for each in passages if each.id in held},
        titles={each.id: each.title for each in documents if each.id in named},
        near=near,
        meant=meant,
        usable={
            name: [title for title in like if titles[title] == 1] for name, like in meant.items()
        },
    )


def show_gold_told(preview: GoldPreview) -> None:
    """Show how much gold there is and how it was found; warn of gold that no passage contains."""
    if preview.missing:
        many = counted(preview.missing, "gold item is", "gold items are")
        them = "it" if preview.missing == 1 else "them"
        names = ", ".join(f"'{cropped(name, _TITLE)}'" for name in preview.lost_names[:_NAMED])
        more = ", …" if len(preview.lost_names) > _NAMED else ""
        which = f": {names}{more or '.'}" if names else "."
        lost = f"{many} not in any of these passages, so no retriever can find {them}{which}"
        st.warning(layout.literal(f"{preview.told} {lost}"))
    else:
        st.caption(layout.literal(preview.told))


def show_gold(preview: GoldPreview, notes: Sequence[str]) -> None:
    """Show ten questions a page, with their evidence highlighted in passages.

    Parameters
    ----------
    notes : sentences of the readers on questions and their gold.
    """
    first = int(st.session_state.get(_FIRST, 0))
    first = first if first < len(preview.found) else 0
    shown = preview.found[first : first + SHOWN]
    if shown:
        section(f"Gold of {plurals.number(len(preview.found), 'question')}")
        if len(shown) < len(preview.found):
            _pages(preview, first)
        st.html("".join(_question(one, at < _OPEN, preview) for at, one in enumerate(shown)))
    for note in notes:
        st.caption(layout.literal(cropped(note, _NOTE)))


def _pages(preview: GoldPreview, first: int) -> None:
    """Draw which questions are shown, and the buttons to the other pages."""
    with st.container(horizontal=True, vertical_alignment="center", key="corpus_gold_pages"):
        for sign, key, to in (
            ("‹ Page", "corpus_gold_back", first - SHOWN),
            ("Page ›", "corpus_gold_on", first + SHOWN),
        ):
            inside = 0 <= to < len(preview.found)
            st.button(sign, key=key, disabled=not inside, on_click=_turn, args=(to,))
        st.caption(_shown_questions_summary(preview, first))


def _turn(first: int) -> None:
    st.session_state[_FIRST] = first


def _shown_questions_summary(preview: GoldPreview, first: int) -> str:
    """Describe which questions are shown and in what order: missing gold first, then inexact
    matches.
    """
    doubtful = sum(bool(each.missing) for each in preview.found)
    last = min(first + SHOWN, len(preview.found))
    of = f"{first + 1:,} to {last:,} of {len(preview.found):,} questions with gold"
    if doubtful:
        lost = plurals.number(doubtful, "question")
        return f"{of}, starting with {lost} whose gold is not in any passage."
    inexact = any(one.step not in _GOOD for each in preview.found for one in each.query.evidence)
    return f"{of}{', starting with split evidence and inexact matches' if inexact else ''}."


def _question(one: Previewed, is_open: bool, preview: GoldPreview) -> str:
    """Return a question as a collapsible HTML block with its evidence; open if gold is missing."""
    evidence = one.query.evidence
    items = [_evidence(each, at, len(evidence), preview) for at, each in enumerate(evidence, 1)]
    items += [
        _document(preview.titles.get(name) or name, number, preview.meant.get(name, ()))
        for name, number in one.documents.items()
    ]
    more = f"<p class='hop-quiet'>and {len(items) - _ITEMS:,} more</p>" if items[_ITEMS:] else ""
    state, told = ("hop-previewed-lost", "✗") if one.missing else ("hop-previewed-held", "✓")
    return (
        f"<details class='hop-previewed'{' open' if is_open or one.missing else ''}><summary>"
        f"<span class='{state}'>{told} {escape(_summary(one))}</span>"
        f"<b dir='auto'>{escape(cropped(one.query.text, _QUESTION))}</b></summary>"
        f"{''.join(items[:_ITEMS])}{more}</details>"
    )


def _summary(one: Previewed) -> str:
    """Describe how much of a question's gold was found."""
    found = f"{one.size - one.missing} of {one.size}"
    if one.documents:
        return f"{found} found as whole documents"
    split = sum(each.step == "split" for each in one.query.evidence)
    return f"{found} found{f', {split} split' if split else ''}"


def _evidence(each: Evidence, at: int, of: int, preview: GoldPreview) -> str:
    """Return a piece of evidence as HTML: how it was found, and its passages or similar text."""
    number = f"Evidence {at} of {of}" if of > 1 else "Evidence"
    place = f"{number}, hop {each.hop}" if each.hop else number
    told = f"{'' if each.step in _UNLIKE else 'found '}{STEPS.get(each.step, '')}"
    head = f"<b>{place}</b> <span class='{_tone(each)}'>{escape(told)}</span>"
    asks = f"<span class='hop-quiet' dir='auto'> · {escape(each.asks)}</span>" if each.asks else ""
    body = _missing_evidence(each, preview) if not each.parts else _parts(each, preview)
    return f"<div class='hop-previewed-item'><p>{head}{asks}</p>{body}</div>"


def _tone(each: Evidence) -> str:
    if not each.parts:
        return "hop-previewed-lost"
    return "hop-quiet" if each.step in _GOOD else "hop-previewed-doubt"


def _parts(each: Evidence, preview: GoldPreview) -> str:
    """Return the passage of each part as HTML; of passages with equal text the first, with their
    number.
    """
    told = []
    for number, part in enumerate(each.parts, 1):
        passage = preview.passages[part[0]]
        behind = f"part {passage.position + 1}" if passage.id != passage.document_id else ""
        names = (
            cropped(passage.title or passage.id, _TITLE),
            behind,
            f"piece {number} of {len(each.parts)}" if len(each.parts) > 1 else "",
            f"or any of {len(part) - 1} more" if len(part) > 1 else "",
        )
        told.append(_quoted(" · ".join(filter(None, names)), _excerpt(passage, each)))
    return "".join(told)


def _excerpt(passage: Passage, each: Evidence) -> str:
    return highlighted_excerpt(passage.text, (each,), _AROUND)


def _missing_evidence(each: Evidence, preview: GoldPreview) -> str:
    """Return the missing text and the most similar words of its document, as HTML."""
    told = _quoted("Looked for", escape(cropped(each.text or each.document, _EVIDENCE)))
    tried = ((nearest_span(one.text, each), one) for one in preview.near.get(each.document, ()))
    near = [(found, passage) for found, passage in tried if found]
    if not near:
        return told
    (score, (start, end)), passage = max(near, key=lambda one: one[0][0])
    same = Evidence(passage.text[start:end])
    title = cropped(passage.title or passage.id, _TITLE)
    return told + _quoted(f"Nearest, {score:.0f}% alike · {title}", _excerpt(passage, same))


def _quoted(head: str, body: str) -> str:
    """Return a quotation with its source as HTML; `body` is HTML already."""
    return (
        f"<div class='hop-previewed-text'><cite dir='auto'>{escape(head)}</cite>"
        f"<div dir='auto'>{body}</div></div>"
    )


def _document(title: str, passages: int, meant: Sequence[str]) -> str:
    """Return gold that is a whole document as HTML, or similar titles if there is none."""
    if not passages:
        told = "<span class='hop-previewed-lost'>no document or passage with this name</span>"
        if meant:
            told += f" <span dir='auto'>{escape(did_you_mean(meant))}</span>"
    elif passages == 1:
        told = "one passage"
    else:
        told = f"whole document: any of its {passages:,} passages counts"
    title = escape(cropped(title, _TITLE))
    return f"<div class='hop-previewed-item'><p><b dir='auto'>{title}</b> {told}</p></div>"

"""PowerPoint files: the text of each slide under its title, and the speaker's notes."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any

from pptx import Presentation
from pptx.exc import PythonPptxError
from pptx.oxml.ns import qn
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.group import GroupShape
from pptx.shapes.picture import Picture
from pptx.table import Table
from pptx.text.text import TextFrame

from core.corpus.documents.packed import office_file
from core.corpus.documents.prose import one_document
from core.corpus.documents.raised import subscript, superscript
from core.corpus.documents.tables import Cell, expand_spans, table_text
from core.corpus.file_contents import Contents, Limits, check_rows
from core.corpus.layout import Block
from core.corpus.omissions import count

_DEEPEST = 40  # groups inside of each other
_FURNITURE = frozenset(("DATE", "FOOTER", "HEADER", "SLIDE_NUMBER"))


def read_pptx(data: bytes, name: str, limits: Limits) -> Contents:
    """Read the text of the slides in order: titles as headings, tables by row, notes.

    Raises
    ------
    FileRejected : no .pptx, broken, encrypted, or without text.
    """
    with office_file(data, name, limits, "PowerPoint", ".pptx", PythonPptxError):
        file = Presentation(BytesIO(data))
        blocks = list(_Slides(name, limits).blocks(file.slides))
        title = file.core_properties.title
    return one_document(name, "PowerPoint", blocks, title or "", limits=limits)


def _is_furniture(shape: Any) -> bool:
    """Return whether a shape is the number, the date or the footer that all slides have."""
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    return kind is not None and kind.name in _FURNITURE


def _text(frame: TextFrame) -> str:
    """Return the paragraphs of a frame, with superscripts and subscripts in small letters."""
    return "\n".join(_paragraph(each._p.content_children) for each in frame.paragraphs)


def _paragraph(runs: Iterable[Any]) -> str:
    """Join the runs of a paragraph; a raised or lowered baseline gives small characters."""
    text = ""
    for run in runs:
        properties = run.find(qn("a:rPr"))
        baseline = "0" if properties is None else properties.get("baseline", "0")
        if baseline.startswith("-"):
            text += subscript(run.text, text)
        else:
            text += run.text if baseline.strip("0%") == "" else superscript(run.text, text)
    return text


class _Slides:
    """Reads one presentation and counts its table cells."""

    def __init__(self, name: str, limits: Limits) -> None:
        self._name = name
        self._limits = limits
        self._cells = 0

    def blocks(self, slides: Iterable[Any]) -> Iterator[Block]:
        """Yield the title, texts and notes of each visible slide; a slide is a page."""
        for number, slide in enumerate(slides, start=1):
            if slide._element.get("show") in ("0", "false"):
                count("hidden slide{s} left out")
                continue
            title = slide.shapes.title
            heading = _text(title.text_frame) if title is not None and title.has_text_frame else ""
            yield Block(heading, 1 if number == 1 else 2, number)
            for text in self._texts(slide.shapes, title, 0):
                yield Block(text, 0, number)
            notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
            if notes is not None and notes.text.strip():
                yield Block(_text(notes), 0, number)

    def _texts(self, shapes: Iterable[Any], title: Any, depth: int) -> Iterator[str]:
        """Yield the text of each shape in order, without the title and the slide's furniture."""
        for shape in shapes:
            if title is not None and shape.shape_id == title.shape_id:
                continue
            if isinstance(shape, GroupShape):
                if depth < _DEEPEST:
                    yield from self._texts(shape.shapes, None, depth + 1)
                else:
                    count("group{s} of shapes left out (nested too deeply)")
            elif isinstance(shape, GraphicFrame):
                yield self._graphic_text(shape)
            elif isinstance(shape, Picture):
                count("picture{s} left out")
            elif shape.has_text_frame and shape.text_frame.text.strip():
                if _is_furniture(shape):
                    count("slide number{s}, date{s} or footer{s} left out")
                    continue
                yield _text(shape.text_frame)

    def _graphic_text(self, frame: GraphicFrame) -> str:
        """Return the text of a table; charts and diagrams are counted and give no text."""
        if frame.has_table:
            return self._table(frame.table)
        count("chart{s} left out" if frame.has_chart else "diagram{s} or object{s} left out")
        return ""

    def _table(self, table: Table) -> str:
        """Return a table as text, and count its cells against the limits."""
        rows = []
        for row in expand_spans(map(self._row, table.rows)):
            self._cells += len(row)
            check_rows(0, self._cells, self._name, self._limits)
            rows.append(row)
        return table_text(rows, header=True if table.first_row and len(rows) > 1 else None)

    def _row(self, row: Any) -> list[Cell]:
        """Return the cells of a row with the columns and rows that each spans."""
        return [
            (
                _text(cell.text_frame),
                *((cell.span_width, cell.span_height) if cell.is_merge_origin else (1, 1)),
            )
            for cell in row.cells
            if not cell.is_spanned
        ]

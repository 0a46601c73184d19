"""The verdict of a comparison as HTML: a headline, and a line for each retriever."""

from collections.abc import Iterable, Sequence
from html import escape

from core.difference.explanations import Cause
from pages.components.compare.comparison import Column
from pages.components.compare.verdict import Verdict
from pages.components.shell.retriever_colours import badge


def verdict_html(told: Verdict, columns: Sequence[Column], further: Iterable[str] = ()) -> str:
    """Return a verdict on `columns` as HTML, with `further` sentences below it."""
    causes = "".join(_cause(cause, columns) for cause in told.causes)
    sentences = "\n".join(filter(None, (*told.more, *further)))
    return (
        f"<p class='hop-headline' dir='auto'>{escape(told.first)}</p>"
        + (f"<ul class='hop-causes'>{causes}</ul>" if causes else "")
        + _paragraph(sentences)
    )


def _cause(cause: Cause, columns: Sequence[Column]) -> str:
    """Return a line for each retriever that is explained; the table of gold has all ranks."""
    return "".join(
        f"<li class='{'is-missed' if lost else 'is-found'}' dir='auto'>"
        f"{badge(columns[place].card)}"
        f"<span><span class='hop-cause-of'>{escape(name)} </span>{escape(what)}.</span></li>"
        for place, name, what, lost in cause.told
    )


def _paragraph(sentences: str) -> str:
    """Return sentences as an HTML paragraph; empty for no sentences."""
    if not sentences:
        return ""
    text = escape(sentences)
    return f"<p class='hop-parting hop-why' dir='auto' title='{text}'>{text}</p>"

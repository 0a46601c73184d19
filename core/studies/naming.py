"""Names of the rows of a study, and formats of its numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.retrievers import Spec
from core.retrievers.settings import as_text
from core.runs import Run
from core.runs.store import searches
from core.studies.definition import COSTS, Study, View
from core.studies.results import Cell, Line
from core.studies.table import Head
from core.text.display.plurals import number

LABELS = {
    "seconds": "Time, ms",
    "judgements": "Candidate lists",
    "calls": "Model calls",
    "tokens": "Tokens",
    "retriever calls": "Model calls, retriever",
    "retriever tokens": "Tokens, retriever",
    "reader calls": "Model calls, reader",
    "reader tokens": "Tokens, reader",
    "reader seconds": "Reader time, s",
    "price": "Price per 1,000 questions, $",
    "indirect": "Indirectly relevant",
    "irrelevant": "Irrelevant",
    "query similarity": "Similarity of consecutive searches",
    **{
        name: f"Similarity of searches {number - 1} and {number}"
        for name, number in searches.MEASURES.items()
        if number
    },
}
"""Measures that are headed by other words than their names; costs are per question."""
_DIGITS = {
    **dict.fromkeys(("seconds", "tokens", "retriever tokens", "reader tokens"), 0),
    **dict.fromkeys(("reader seconds", "price"), 2),
}


def label_of(line: Line) -> str:
    """Return title, settings, index and offline substitute of a line."""
    variant = line.variant
    named = " · ".join(filter(None, (titled(line), variant.label, variant.told)))
    return f"{named} · by {line.asked.card.title}, no model" if line.stands_in else named


def setting_title(name: str, specs: Iterable[Spec]) -> str:
    """Return the title of a setting of one of `specs`; the name itself where none has it."""
    declared = (one for spec in specs for one in spec.declared if one.name == name)
    return next((one.title for one in declared), name)


def differing_settings(specs: Sequence[Spec]) -> list[str]:
    """Return the settings in which retrievers of one kind differ; empty if kinds differ.

    >>> differing_settings([Spec("bm25"), Spec.parse("bm25(top_k=5)")])
    ['top_k']
    """
    if len({spec.key for spec in specs}) != 1:
        return []
    values = [spec.values for spec in specs]
    return [name for name in values[0] if len({str(one[name]) for one in values}) > 1]


def with_titles(view: View, specs: Sequence[Spec]) -> View:
    """Return a view that is headed by the titles of its settings instead of their names."""
    over, rows = (setting_title(name, specs) for name in (view.over, view.rows))
    return replace(view, over=over, rows=rows)


def study_title(study: Study) -> str:
    """Return the title of a study; earlier versions called a sweep by the name of its setting."""
    words, colon, name = study.title.rpartition(": ")
    return f"{words}{colon}{setting_title(name, study.retrievers)}"


def study_about(study: Study) -> str:
    """Return the description of a study, also of a sweep that an earlier version made."""
    name = study.title.rpartition(": ")[2]
    if not study.about.startswith(f"Sweeps {name} of "):
        return study.about
    return f"Each value of {setting_title(name, study.retrievers)}, on the same questions."


def size_told(study: Study, left_out: int = 0) -> str:
    """Describe the size of a study: `7 values of seeds`, `6 of 7 retrievers`."""
    swept = differing_settings(study.retrievers)
    noun = "value" if len(swept) == 1 else "retriever"
    all_ = number(len(study.retrievers), noun)
    told = f"{len(study.retrievers) - left_out:,} of {all_}" if left_out else all_
    return f"{told} of {setting_title(swept[0], study.retrievers)}" if len(swept) == 1 else told


def run_title(run: Run) -> str:
    """Return the name of a run; one of a sweep by an earlier version has the setting's title."""
    words, colon, rest = run.name.rpartition(": ")
    name, space, place = rest.partition(" ")
    specs = [spec for one in run.retrievers if (spec := Spec.known(one))]
    return f"{words}{colon}{setting_title(name, specs)}{space}{place}" if colon else run.name


def titled(line: Line, *without: str) -> str:
    """Return the title of a retriever with the settings that tell it apart from others.

    Parameters
    ----------
    without : names of settings that are left out.
    """
    said = [
        setting_text(name, value, line.named) for name, value in line.shown if name not in without
    ]
    title, _, kind = line.named.card.title.removesuffix(")").partition(" (")
    inside = ", ".join(filter(None, (kind, *said)))
    return f"{title} ({inside})" if inside else title


def setting_text(name: str, value: object, spec: Spec) -> str:
    """Return a setting with its value in words.

    >>> setting_text("top_k", 5, Spec("bm25")), setting_text("over", Spec("bm25"), Spec("rerank"))
    ('top k 5', 'over BM25')
    """
    return f"{setting_title(name, [spec])} {value_text(name, value, spec)}"


def value_text(name: str, value: object, spec: Spec) -> str:
    """Return the value of a setting in words: `3,500`, `true`, `same as top k`, `BM25`."""
    if isinstance(value, Spec):
        return value.card.title
    declared = (one for one in spec.declared if one.name == name)
    return next((one.worded(value) for one in declared), as_text(value))


def headed(head: Head) -> str:
    """Return the heading of a column, such as `HotpotQA R@5` or `Time, ms`."""
    return f"{head.group} {LABELS.get(head.measure, head.measure)}".strip()


def amount(cell: Cell, measure: str) -> float | None:
    """Return the mean in the unit in which it is shown."""
    return None if cell.mean is None else scaled(cell.mean, measure)


def scaled(value: float, measure: str) -> float:
    """Return `value` in the unit in which it is shown."""
    return 1000 * value if measure in ("seconds", "price") else value


def written(cell: Cell, measure: str) -> str:
    """Format the mean, with its interval if there is one.

    >>> written(Cell(9, 61.25, 50.0, 72.0), "R@5"), written(Cell(9, 0.0213), "seconds")
    ('61.2 [50.0, 72.0]', '21')
    """
    if cell.mean is None:
        return ""
    if measure == "seconds" and scaled(cell.mean, measure) < 1:
        return "< 1"
    if measure in COSTS:
        return f"{scaled(cell.mean, measure):,.{_DIGITS.get(measure, 1)}f}"
    spread = "" if cell.low is None else f" [{cell.low:.1f}, {cell.high:.1f}]"
    return f"{cell.mean:.1f}{spread}"

"""Links from a number of a study to its questions on Evaluate."""

from core.measures import MEASURES
from core.studies import Line
from core.studies.definition import ANSWERS
from pages.components.evaluate.column_names import CHOICES
from pages.components.evaluate.state import View
from pages.components.shell import address_params, nav

_COLUMNS = {
    **{"seconds": "Time", "judgements": CHOICES, "calls": "Calls", "tokens": "Tokens"},
    **dict.fromkeys(("retriever calls", "reader calls"), "Calls"),
    **dict.fromkeys(("retriever tokens", "reader tokens", "price"), "Tokens"),
}
_ALL = "R@20"  # of all that is retrieved, as no study keeps more by default


def go_to_questions(line: Line, measure: str, field_name: str = "", group: str = "") -> None:
    """Open the questions of a line, worst first by `measure`, or those of one group."""
    known = measure if measure in MEASURES else _ALL
    column = _COLUMNS.get(measure, measure if measure in (*MEASURES, *ANSWERS) else known)
    view = View(
        run=line.run.id,
        measure=known,
        retriever=str(line.asked),
        column=column,
        field=field_name if group else "",
        value=group,
    )
    nav.go("evaluate", index=line.variant.place.name, **address_params.params_of(view))

"""Limits of a graph: settings of a build that the metadata of the index keeps."""

from dataclasses import asdict, dataclass

from core.errors import InputError
from core.text.display.plurals import number

HIGHEST = {"in_questions": 24, "out_questions": 24, "edge_cap": 1_000}
"""The largest value of each limit."""
MAX_HUB_LIMIT = 1_000_000_000
"""The largest hub limit: a name in more passages raises no questions by rules."""
_LEAST_IN, _LEAST_OUT = 2, 4
"""Questions of a kind that a passage should have (HopRAG 3.2)."""


@dataclass(frozen=True, slots=True)
class GraphLimits:
    """Limits of the graph of an index; 0 is automatic.

    Attributes
    ----------
    in_questions : maximum number of in-questions per passage. Automatic: rules generate one for
        each sentence, a language model 2 to 8.
    out_questions : maximum number of out-questions per passage. Automatic: rules generate one for
        each name, a language model 4 to 10.
    edge_cap : maximum number of edges per passage, on average over passages that have
        pseudo-questions. Automatic: ln n, for n such passages (HopRAG A.4).
    """

    in_questions: int = 0
    out_questions: int = 0
    edge_cap: int = 0

    @property
    def least_in(self) -> int:
        """The number of in-questions below which a passage has few: 2, or a lower limit."""
        return min(_LEAST_IN, self.in_questions or _LEAST_IN)

    @property
    def least_out(self) -> int:
        """The number of out-questions below which a passage has few: 4, or a lower limit."""
        return min(_LEAST_OUT, self.out_questions or _LEAST_OUT)

    @property
    def edges(self) -> str:
        """The largest number of edges, as a phrase.

        >>> GraphLimits().edges, GraphLimits(edge_cap=3).edges
        ('n ln n', '3 n')
        """
        return f"{self.edge_cap:,} n" if self.edge_cap else "n ln n"

    def __str__(self) -> str:
        """Return the limits that are set, as a phrase; empty if all are automatic.

        >>> str(GraphLimits(2, 4, 3))
        'at most 2 in-questions, 4 out-questions and 3 edges per passage'
        >>> str(GraphLimits(edge_cap=3))
        'at most 3 edges per passage'
        """
        units = ("in-questions", "out-questions", "edges")
        values = zip(asdict(self).values(), units, strict=True)
        parts = [number(value, unit) for value, unit in values if value]
        *others, last = parts or [""]
        listed = f"{', '.join(others)} and {last}" if others else last
        return f"at most {listed} per passage" if parts else ""


AUTOMATIC = GraphLimits()


def check_limit(name: str, value: object) -> None:
    """Raise InputError unless `value` is a value of the limit `name`, or of `hub_limit`."""
    highest = MAX_HUB_LIMIT if name == "hub_limit" else HIGHEST[name]
    if not isinstance(value, int) or not 0 <= value <= highest:
        raise InputError(
            f"The setting {name} must be a whole number from 0 to {highest:,}. Use 0 for the "
            "automatic limit."
        )


def graph_limits(in_questions: int, out_questions: int, edge_cap: int) -> GraphLimits:
    """Return checked limits.

    Raises
    ------
    InputError : a number is negative or too large.
    """
    limits = GraphLimits(in_questions, out_questions, edge_cap)
    for name, value in asdict(limits).items():
        check_limit(name, value)
    return limits

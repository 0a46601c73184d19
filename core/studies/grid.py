"""Retrievers with several values of a setting, `hoprag-llm(n_hop=1..4,top_k=[2,4])`, written out.

    LIST  = "[" VALUE { "," VALUE } "]"
    RANGE = INTEGER ".." INTEGER          both ends included

Either may stand where a retriever (`core.retrievers.spec_syntax`) has a value.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from core.errors import InputError
from core.retrievers import Spec
from core.retrievers.spec import Value
from core.retrievers.spec_syntax import read, split

MOST = 300
"""Retrievers of a study, each with its settings."""

_SWEPT = re.compile(
    r'"(?:[^"\\]|\\.)*"'  # a text in quotes, which is left as it is
    r"|\[(?P<list>[^\[\]]*)\]"
    r"|(?<=[=\s])(?P<first>-?\d{1,15})\.\.(?P<last>-?\d{1,15})(?=[\s,)])"
)


def expand(texts: Iterable[str], settings: Mapping[str, Sequence[Value]]) -> tuple[Spec, ...]:
    """Return every retriever that `texts` and `settings` combine to, each once, in order.

    Parameters
    ----------
    settings : values by name; used for each retriever that has the setting and does not set it.

    Raises
    ------
    InputError : there are more than `MOST`, or there is no such retriever, setting or value.

    >>> [str(one) for one in expand(["dense", "bm25(top_k=[2,4])"], {})]
    ['dense', 'bm25(top_k=2)', 'bm25(top_k=4)']
    """
    specs: dict[Spec, None] = {}
    for written in (one for text in texts for one in _written_out(text)):
        said = {name for name, _ in read(written).settings}
        spec = Spec.parse(written)
        names = [name for name in settings if name in spec.values and name not in said]
        _check_size(len(specs) + prod(len(settings[name]) for name in names))
        for values in product(*(settings[name] for name in names)):
            specs[spec.with_settings(**dict(zip(names, values, strict=True)))] = None
    return tuple(specs)


def _written_out(text: str) -> list[str]:
    """Return `text` with each combination of the values of its lists and ranges."""
    pieces, choices, end = [], [], 0
    for match in _SWEPT.finditer(text):
        if (values := _values(match)) is None:
            continue
        pieces.append(text[end : match.start()])
        choices.append(values)
        end = match.end()
    if not choices:
        return [text]
    _check_size(prod(map(len, choices)))
    made = []
    for combined in product(*choices):
        pairs = zip(pieces, combined, strict=True)
        made.append("".join(f"{piece}{value}" for piece, value in pairs) + text[end:])
    # A list within a list was written out first.
    inner = [_written_out(one) for one in made]
    _check_size(sum(map(len, inner)))
    return [one for some in inner for one in some]


def _values(found: "re.Match[str]") -> Sequence[str | int] | None:
    """Return the values of a list or range; None of a text in quotes."""
    if found["list"] is not None:
        values = split(found["list"])
        if not values:
            raise InputError(f"The list {found[0][:40]!r} is empty. Example: top_k=[2,4,8]")
        return values
    if found["first"] is None:
        return None
    numbers = range(int(found["first"]), int(found["last"]) + 1)
    if not numbers:
        raise InputError(
            f"The range {found[0]!r} is empty. Write the smaller number first, such as n_hop=1..4"
        )
    return numbers


def _check_size(number: int) -> None:
    """Raise InputError if a grid has more than `MOST` combinations."""
    if number > MOST:
        raise InputError(
            f"The grid has {number:,} combinations of retriever and settings; a study may "
            f"have {MOST:,}. Sweep fewer values."
        )

"""What a question will take of a model: the retriever is run on a rehearsal of it.

The retriever is asked and not its class, so that whatever is wrapped round one that asks a model
is foreseen too.
"""

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from core.artefacts.workbench import Workbench
from core.errors import LeaveMissing
from core.models.forecast import Forecast, priced
from core.models.oracle import Oracle
from core.models.prices import price_of
from core.models.rehearsal import Rehearsal
from core.retrievers.base import Retriever


def forecast(retriever: Retriever, query: str, prices: Path | None = None) -> Forecast:
    """What `retriever.retrieve(query)` will ask a model, at least and likely. Nothing is asked.

    It is empty for a retriever that asks none. A trouble of the retriever's own is left to be
    told by it; what it asks until then counts.

    Parameters
    ----------
    prices : the user's own table.

    Raises
    ------
    InputError : the table cannot be read.
    """
    oracle = retriever.workbench.oracle
    if oracle is None:
        return Forecast(0)
    surely = Rehearsal(oracle, likely=False)
    # What goes to a client past the oracle is a call as well, and cannot be looked into.
    past = _rehearse(retriever, query, surely)
    if not surely.unasked:
        return Forecast(int(past), kept=surely.kept)
    likely = Rehearsal(oracle, likely=True)
    _rehearse(retriever, query, likely)
    price = price_of(oracle.llm.endpoint, prices)
    found = priced(surely.unasked, price, likely.unasked)
    return replace(found, calls=found.calls + past, kept=surely.kept)


def _rehearse(retriever: Retriever, query: str, rehearsal: Rehearsal) -> bool:
    """Run it to its end; True if it could not come there without leave."""
    try:
        moved: Retriever = _moved(retriever, retriever.workbench.with_oracle(rehearsal))
        for _ in moved.retrieve(query):
            pass
    except LeaveMissing:
        return True
    # A guess can be what no model ever says, so that any error may come of it.
    except Exception:
        return False
    return False


def _moved(value: Any, workbench: Workbench) -> Any:
    """`value` with `workbench` for each one in it, and its oracle, however deep in dataclasses."""
    if isinstance(value, Workbench):
        return workbench
    if isinstance(value, Oracle):
        return workbench.oracle
    if type(value) is tuple:
        return tuple(_moved(each, workbench) for each in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    old = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
    new = {name: _moved(each, workbench) for name, each in old.items()}
    changed = {name: each for name, each in new.items() if each is not old[name]}
    return replace(value, **changed) if changed else value

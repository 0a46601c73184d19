"""Access to names of Streamlit that are not public, which may change with any version."""

from typing import Any

import streamlit


class UnsupportedStreamlit(RuntimeError):
    """This version of Streamlit lacks a name that the application needs."""


def private(owner: Any, name: str, affected: str) -> Any:
    """Return the attribute `name` of `owner`, a module, class or object of Streamlit.

    Parameters
    ----------
    affected : what does not work without it.

    Raises
    ------
    UnsupportedStreamlit : there is no such attribute.
    """
    if not hasattr(owner, name):
        raise UnsupportedStreamlit(missing(f"{_called(owner)}.{name}", affected))
    return getattr(owner, name)


def need_field(owner: type, name: str, affected: str) -> None:
    """Raise UnsupportedStreamlit unless instances of the class `owner` have the attribute `name`.

    It is a field of a dataclass, or assigned in `__init__`.
    """
    made = getattr(owner, "__init__", None)
    code = getattr(made, "__code__", None)
    known = {*getattr(owner, "__dataclass_fields__", ()), *(code.co_names if code else ())}
    if name not in known and not hasattr(owner, name):
        raise UnsupportedStreamlit(missing(f"{_called(owner)}.{name}", affected))


def missing(name: str, affected: str) -> str:
    """Say that Streamlit lacks `name`, and what is affected."""
    return (
        f"Streamlit {streamlit.__version__} has no {name}. Without it, {affected}. Install "
        "the Streamlit version in requirements.txt, or report this problem."
    )


def _called(owner: Any) -> str:
    kind = owner if hasattr(owner, "__name__") else type(owner)
    module = getattr(kind, "__module__", "")
    return ".".join(filter(None, (module, kind.__name__)))

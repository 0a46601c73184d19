"""Settings of a retriever, declared once at the field of its dataclass.

    n_hop: Annotated[int, Setting("rounds over the queue", least=1, most=8)] = 4

Validation, command-line options, widgets, the table on a method's page, and the settings in a trace
all derive from this declaration.
"""

import re
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from core.text.display.plurals import quantity

LONGEST_TEXT = 300  # characters of a setting that is a text
_LARGEST = 1e15
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_NUMBER = re.compile(r"-?[0-9]{1,17}(\.[0-9]{1,30})?(e[+-]?[0-9]{1,3})?", re.IGNORECASE)
_NO_SIGN = re.compile(r"[\ud800-\udfff]")  # half a character


@dataclass(frozen=True, slots=True)
class Setting:
    """The meaning and range of a retriever's setting.

    `says` is a phrase without a full stop; for a count it begins with what is counted, in the
    plural: `passages of a search`. `least` and `most` bound a number, inclusive. `choices` are the
    values of a text; those of a `Literal` need not be repeated. `title` is the name on the screen,
    if it differs; `zero` is what 0 is called, if it is not a count; `follows` is the setting whose
    value 0 means.
    """

    says: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    title: str = ""
    zero: str = ""
    follows: str = ""


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared setting. `kind` is int, float, bool, str, or `Spec` for a retriever."""

    name: str
    kind: type
    default: Any
    setting: Setting

    @property
    def allowed(self) -> str:
        """The allowed values in words: `a whole number from 1 to 8`."""
        if self.setting.choices:
            return f"one of {', '.join(self.setting.choices)}"
        if self.kind in (int, float):
            return ("a whole number" if self.kind is int else "a number") + self._range
        words = {bool: "true or false", str: "text"}
        return words.get(self.kind, "a retriever")

    @property
    def title(self) -> str:
        """The display name, for its widget and in sentences: `top k`, `passages of a search`."""
        named = self.setting.says.removesuffix(" at most") if self.is_labelled_by_unit else ""
        return self.setting.title or named or self.name.replace("_", " ")

    @property
    def is_labelled_by_unit(self) -> bool:
        """Whether the setting has no title and is a count whose description starts with its unit,
        such as `passages of a search`.
        """
        setting = self.setting
        first = setting.says.partition(" ")[0]
        return self.kind is int and first.endswith("s") and not (setting.title or setting.zero)

    def worded(self, value: object) -> str:
        """Format a value in words: `3,500`, `true`, `same as top k`."""
        if self.setting.zero and value == 0:
            return self.setting.zero
        whole = isinstance(value, int) and not isinstance(value, bool)
        return f"{value:,}" if whole else as_text(value)

    @property
    def usual(self) -> str:
        """The default as text; quotes if it is empty."""
        return as_text(self.default) or '""'

    def describe_change(self, before: object, after: object) -> str:
        """Describe a change of the value: `hops 3 instead of 2`.

        A value that stops following another setting, or begins to, is described by that setting:
        `20 seeds, regardless of top k`.
        """
        new, was = self.worded(after), self.worded(before)
        if self.setting.follows and before == 0:
            return f"{quantity(new, self.title)}, regardless of {self._followed}"
        if self.setting.follows and after == 0:
            return quantity(new, self.title)
        says_it = self.is_labelled_by_unit or self.setting.title
        meaning = "" if says_it else f" ({self.setting.says})"
        return f"{self.title}{meaning} {new} instead of {was}"

    @property
    def _followed(self) -> str:
        return self.setting.follows.replace("_", " ")

    def read(self, given: object) -> Any:
        """Parse and validate a value; None if it is not allowed.

        Not for a setting whose `kind` is `Spec`.
        """
        value = self._parse(given)
        return value if value is not None and self._is_allowed(value) else None

    def _parse(self, given: object) -> Any:
        """Convert a value or its text to the setting's type; None if it is malformed."""
        if self.kind is bool:
            named = {"true": True, "false": False}.get(given) if isinstance(given, str) else given
            return named if isinstance(named, bool) else None
        if self.kind is str:
            return given if isinstance(given, str) else None
        if isinstance(given, str):
            pattern = _WHOLE if self.kind is int else _NUMBER
            return self.kind(given) + 0 if pattern.fullmatch(given) else None  # and no -0.0
        numbers = (int,) if self.kind is int else (int, float)
        fits = isinstance(given, numbers) and not isinstance(given, bool)
        return self.kind(given) + 0 if fits else None

    def _is_allowed(self, value: str | float) -> bool:
        """Return whether a parsed value is within the bounds, the choices or the maximum length."""
        if isinstance(value, str):
            fits = len(value) <= LONGEST_TEXT and not _NO_SIGN.search(value)
            return fits and value in (self.setting.choices or (value,))
        least, most = self.setting.least, self.setting.most
        least = -_LARGEST if least is None else least
        return least <= value <= (_LARGEST if most is None else most)  # where nan is not

    @property
    def _range(self) -> str:
        """The bounds in words, such as ` from 1 to 8`; empty without bounds."""
        least, most = self.setting.least, self.setting.most
        if least is not None and most is not None:
            return f" from {least:g} to {most:g}"
        if least is not None:
            return f" of {least:g} or more"
        return "" if most is None else f" of {most:g} or less"


def settings_of(retriever: type) -> tuple[Declared, ...]:
    """Return the declared settings of a retriever's class, in order; none without a dataclass.

    Raises
    ------
    TypeError : a setting has no default.
    """
    known = _KNOWN.get(retriever)
    if known is None:
        known = _KNOWN[retriever] = _declared_settings(retriever) if is_dataclass(retriever) else ()
    return known


_KNOWN: dict[type, tuple[Declared, ...]] = {}


def _declared_settings(retriever: type) -> tuple[Declared, ...]:
    """Collect the settings that a retriever class declares by annotated fields."""
    hints = get_type_hints(retriever, include_extras=True)
    declared = []
    for field in fields(retriever):
        hint = hints[field.name]
        setting = _setting(hint)
        if setting is None:
            continue
        if field.default is MISSING:
            raise TypeError(f"{retriever.__name__}.{field.name} needs a default.")
        kind = get_args(hint)[0]
        if get_origin(kind) is Literal:
            setting, kind = replace(setting, choices=get_args(kind)), str
        declared.append(Declared(field.name, kind, field.default, setting))
    return tuple(declared)


def as_text(value: Any) -> str:
    """Return a value as text: `true`, `0.5`, `4`; strings and retrievers unchanged."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _setting(hint: Any) -> Setting | None:
    if get_origin(hint) is not Annotated:
        return None
    return next((note for note in get_args(hint)[1:] if isinstance(note, Setting)), None)

"""A retriever with its settings as one text, `rerank(over=hoprag-coverage,depth=40)`.

This text is the key everywhere: command line, address, columns, evaluation, traces, caches.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from core.artefacts.base import Artefact, in_order
from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.retrievers.base import Card, Retriever, Tone
from core.retrievers.registry import class_of
from core.retrievers.settings import Declared, as_text, settings_of
from core.retrievers.spec_syntax import DEEPEST, Written, quoted, read


@dataclass(frozen=True, slots=True)
class Spec:
    """A retriever's key and the settings that differ from its defaults, in declared order.

    `parse` and `with_settings` ensure this and validate the settings. A spec from the constructor,
    such as the default of a setting, is validated when a retriever is made from it.
    """

    key: str
    settings: tuple[tuple[str, "Value"], ...] = ()

    @staticmethod
    def parse(text: str) -> "Spec":
        """Parse the text of a retriever with settings, from an untrusted source.

        Raises
        ------
        InputError : it is cut short, too long or too deep, or there is no such retriever,
            setting or value.
        """
        written = read(text)
        return _validate(written.key, written.settings)

    @staticmethod
    def known(text: str) -> "Spec | None":
        """Parse a text like `parse`, but return None if the retriever does not exist here."""
        try:
            return Spec.parse(text)
        except InputError:
            return None

    @staticmethod
    def of(given: "Spec | str") -> "Spec":
        """Return a checked spec, from a text or from an unchecked spec."""
        return Spec.parse(given) if isinstance(given, str) else given.with_settings()

    def __str__(self) -> str:
        said = ",".join(f"{name}={_written(value)}" for name, value in self.settings)
        return f"{self.key}({said})" if said else self.key

    def with_settings(self, **changed: object) -> "Spec":
        """Return the spec with changed settings, given as values or as text.

        Raises
        ------
        InputError : it has no such setting, or the setting no such value.
        """
        return _validate(self.key, {**dict(self.settings), **changed}.items())

    @property
    def card(self) -> Card:
        return cast(Card, class_of(self.key).card)

    @property
    def declared(self) -> tuple[Declared, ...]:
        """The declared settings of the retriever."""
        return settings_of(class_of(self.key))

    @property
    def values(self) -> dict[str, "Value"]:
        """The value of every setting, by name."""
        return {**{one.name: one.default for one in self.declared}, **dict(self.settings)}

    def effective(self, one: Declared) -> "Value":
        """Return the value of a setting, or of the setting that it follows if it is 0."""
        value = self.values[one.name]
        return value or self.values.get(one.setting.follows, value)

    def effective_values(self) -> dict[str, "Value"]:
        """Return the effective value of every setting, by name."""
        return {one.name: self.effective(one) for one in self.declared}

    def changes_from(self, before: "Spec") -> list[str]:
        """Describe the settings that differ from those of `before`: `["hops 3 instead of 2"]`."""
        was, now = before.values, self.values
        return [
            one.describe_change(*_distinct_values(before, self, one))
            for one in self.declared
            if was[one.name] != now[one.name]
        ]

    def new_values(self, before: "Spec") -> list[str]:
        """Name the settings whose effective values differ, with the new ones: `["top k 37"]`."""
        return [
            f"{one.title} {one.worded(self.effective(one))}"
            for one in self.declared
            if before.effective(one) != self.effective(one)
        ]

    @property
    def _inner(self) -> list["Spec"]:
        return [value for value in self.values.values() if isinstance(value, Spec)]

    def all_of_it(self) -> Iterator["Spec"]:
        """Yield this retriever and all that it wraps."""
        yield self
        for inner in self._inner:
            yield from inner.all_of_it()

    @property
    def words_only(self) -> bool:
        """Whether it retrieves only passages that share a word with the question.

        A reranker adds no passage to those of the retriever that it wraps.
        """
        if self.card.family == "rerank" and self._inner:
            return all(inner.words_only for inner in self._inner)
        return self.card.words_only

    @property
    def asks_model(self) -> bool:
        """Whether it, or a retriever that it wraps, may call a language model."""
        return any(one.card.asks_model for one in self.all_of_it())

    @property
    def needs_model(self) -> bool:
        """Whether it, or a retriever that it wraps, cannot run without a language model."""
        cards = [one.card for one in self.all_of_it()]
        return any(card.asks_model and not card.substitute for card in cards)

    @property
    def idle_without_model(self) -> bool:
        """Whether it needs a model, or returns nothing without one."""
        return self.needs_model or (self.card.asks_model and not self.card.retrieves)

    @property
    def model_use(self) -> Literal["required", "optional", "none"]:
        """Whether it, or an artefact that it needs, uses a language model.

        `required` if it returns nothing without one; `optional` if rules replace the model.
        """
        if self.idle_without_model:
            return "required"
        built_by_model = any(need.asks_model for need in in_order(self.needs) if need.stored)
        return "optional" if self.asks_model or built_by_model else "none"

    @property
    def version(self) -> str:
        """Version of the custom retrievers' code; empty without custom retrievers."""
        return " ".join(one.card.version for one in self.all_of_it() if one.card.version)

    @property
    def versions(self) -> dict[str, str]:
        """Versions of custom retrievers by key: their code, and what servers answer."""
        cards = {one.key: one.card for one in self.all_of_it()}
        versions_of = {
            key: (one.version, one.probe() if one.probe else "") for key, one in cards.items()
        }
        return {key: " ".join(filter(None, each)) for key, each in versions_of.items() if any(each)}

    @property
    def substitute(self) -> str:
        """The rules that replace a missing model, in words; empty if none are used."""
        cards = (one.card for one in self.all_of_it())
        return " ".join(dict.fromkeys(card.substitute for card in cards if card.asks_model))

    @property
    def needs(self) -> tuple[Artefact[Any], ...]:
        """The artefacts that it and the retrievers it wraps need, each once."""
        return tuple(dict.fromkeys(need for one in self.all_of_it() for need in one.card.needs))

    @property
    def parts(self) -> dict[str, tuple[Tone, str]]:
        """Tone and meaning of the score parts; the outer retriever's win."""
        parts: dict[str, tuple[Tone, str]] = {}
        for one in self.all_of_it():
            parts = {**one.card.parts, **parts}
        return parts


Value: TypeAlias = str | int | float | bool | Spec
"""The value of a setting."""


def make(spec: Spec | str, workbench: Workbench, **settings: object) -> Retriever:
    """Build the retriever `spec` over `workbench`, with `settings` changed.

    Raises
    ------
    InputError : there is no such retriever, setting or value, or it needs a model and there is
        none.
    """
    wanted = Spec.of(spec).with_settings(**settings)
    return cast(Retriever, class_of(wanted.key)(workbench, **dict(wanted.settings)))


def spec_of(retriever: Any) -> Spec:
    """Return the spec of a retriever with its settings."""
    values = (
        (one.name, one.default, getattr(retriever, one.name))
        for one in settings_of(type(retriever))
    )
    changed = tuple((name, value) for name, default, value in values if value != default)
    return Spec(retriever.card.key, changed)


def declared_settings(retriever: Any) -> dict[str, str | int | float | bool]:
    """Return the value of every declared setting by name; a nested retriever as its text."""
    values = {one.name: getattr(retriever, one.name) for one in settings_of(type(retriever))}
    return {
        name: str(value) if isinstance(value, Spec) else value for name, value in values.items()
    }


def _distinct_values(before: Spec, now: Spec, one: Declared) -> tuple[Value, Value]:
    """Return the effective values of a setting before and now; the given ones if those are equal.

    >>> seeds = next(one for one in Spec("hoprag-coverage").declared if one.name == "seeds")
    >>> _distinct_values(Spec("hoprag-coverage"), Spec.parse("hoprag-coverage(seeds=7)"), seeds)
    (20, 7)
    >>> _distinct_values(Spec("hoprag-coverage"), Spec.parse("hoprag-coverage(seeds=20)"), seeds)
    (0, 20)
    """
    was, turned = before.effective(one), now.effective(one)
    if was == turned:
        return before.values[one.name], now.values[one.name]
    return was, turned


def _validate(key: str, given: Iterable[tuple[str, object]], depth: int = 1) -> Spec:
    """Return the canonical spec of a key and given settings; raise InputError if one is wrong."""
    if depth > DEEPEST:
        raise InputError(f"Retrievers are nested more than {DEEPEST} deep. Nest fewer.")
    declared = {one.name: one for one in settings_of(class_of(key))}
    values: dict[str, Value] = {}
    for name, value in given:
        if name not in declared:
            has = f"it has {', '.join(declared)}" if declared else "it has none"
            raise InputError(f"{key} has no setting {name[:40]!r}: {has}.")
        if name in values:
            raise InputError(f"{key} has {name} twice. Set it once.")
        values[name] = _value(key, declared[name], value, depth)
    defaults = {n: _value(key, one, one.default, depth) for n, one in declared.items()}
    changed = {n: values[n] for n in declared if n in values and values[n] != defaults[n]}
    return Spec(key, tuple(changed.items()))


def _value(key: str, one: Declared, given: object, depth: int) -> Value:
    """Convert `given` to a value of the setting; parse it if it is a text."""
    if one.kind is Spec:
        return _inner(key, one, given, depth + 1)
    if isinstance(given, Written):
        raise _refusal(key, one, given.key)
    value: Value | None = one.read(given)
    if value is None:
        raise _refusal(key, one, given)
    return value


def _inner(key: str, one: Declared, given: object, depth: int) -> Spec:
    """Validate the value of a setting that is itself a retriever."""
    if isinstance(given, str):
        given = read(given)
    if not isinstance(given, Spec | Written):
        raise _refusal(key, one, given)
    return _validate(given.key, given.settings, depth)


def _written(value: Value) -> str:
    return quoted(value) if isinstance(value, str) else as_text(value)


def _refusal(key: str, one: Declared, given: object) -> InputError:
    """Return the error for a value that a setting does not allow."""
    return InputError(f"{key} cannot use {one.name}={str(given)[:40]!r}. Use {one.allowed}.")

"""A study that sweeps one setting of a retriever."""

import json
from typing import Literal, TypeAlias, get_args

from core.errors import InputError
from core.retrievers import Spec, default_retrievers
from core.retrievers.settings import Declared
from core.retrievers.spec import Value
from core.runs import Run

Group: TypeAlias = Literal["Counts and limits", "Weights and scores", "Methods", "Retrievers"]
GROUPS: tuple[Group, ...] = get_args(Group)
"""Groups of settings in the order in which they are offered."""
_FACTORS = (0.25, 0.5, 0.75, 1.5, 2.0, 4.0)
_FEW, _MORE = 5, (8, 10)
"""From the first on, larger counts are tried than the small ones that are always tried."""
_MEASURES = ("R@2", "R@5", "R@20", "nDCG@10", "judgements", "seconds")


def sweepable(spec: Spec) -> dict[str, tuple[Value, ...]]:
    """Return the values to sweep for each setting that has more than one, in order.

    Numbers get smaller and larger ones within their bounds, texts their choices, and retrievers
    within a retriever those that need no model.
    """
    values_of = {
        one.name: _values(one, spec.values[one.name], spec.effective(one)) for one in spec.declared
    }
    return {name: values for name, values in values_of.items() if len(values) > 1}


def group_of(one: Declared) -> Group:
    """Return the group in which a setting is offered.

    A number without an upper bound weighs or scores something, also a whole number such as a rank
    constant; the others count passages, hops or texts.
    """
    if one.kind is Spec:
        return "Retrievers"
    if one.kind in (bool, str):
        return "Methods"
    is_count = one.kind is int and one.setting.most is not None
    return "Counts and limits" if is_count else "Weights and scores"


def sweep_study(spec: Spec, setting: str, run: Run | None = None, index: str = "") -> str:
    """Return the text of a study that sweeps `setting` of `spec`, on the questions of `run`.

    Raises
    ------
    InputError : the setting cannot be swept.
    """
    values = sweepable(spec).get(setting)
    if values is None:
        raise InputError(f"{spec.key} has no setting {setting!r} with other values to try.")
    written = [str(spec.with_settings(**{setting: value})) for value in values]
    numbers = not any(isinstance(value, str | bool | Spec) for value in values)
    views = ['[[views]]\nkind = "table"']
    shown = {"measures": ["R@5", "R@20"], "over": setting}
    if numbers:
        views.insert(0, _table("views", {"kind": "curve", **shown}))
    views.append(_table("views", {"kind": "pareto", "measures": ["R@20"], "against": "seconds"}))
    data = {"index": index, "run": run.id if run else ""}
    swept = next(one for one in spec.declared if one.name == setting)
    title = f"{spec.card.title}: {swept.title}"
    about = f"Each value of {swept.title}, on the same questions."
    return "\n".join(
        [
            f"title = {json.dumps(title)}",
            f"about = {json.dumps(about)}",
            f"retrievers = {json.dumps(written, indent=2)}",
            f"measures = {json.dumps(_MEASURES)}",
            "",
            "[data]",
            *(f"{name} = {json.dumps(value)}" for name, value in data.items() if value),
            "",
            *views,
            "",
        ]
    )


def _table(name: str, keys: dict[str, object]) -> str:
    lines = (f"{key} = {json.dumps(value)}" for key, value in keys.items())
    return "\n".join([f"[[{name}]]", *lines])


def _values(one: Declared, now: Value, effective: Value) -> tuple[Value, ...]:
    """Return the values to try; `effective` is that of the setting which `now` follows."""
    if isinstance(now, Spec):
        others = [Spec.parse(key) for key in default_retrievers()]
        return tuple(dict.fromkeys([now, *others]))
    if isinstance(now, bool):
        return (False, True)
    if isinstance(now, str):
        return one.setting.choices
    around = effective if isinstance(effective, int | float) else now
    return tuple(sorted({now, *_swept_values(one, around)}))


def _swept_values(declared: Declared, current: float) -> list[float]:
    """Return values to sweep around the current one, within the setting's limits."""
    around = [current * factor for factor in _FACTORS] if current else [0.5, 1, 2, 4]
    if declared.kind is int:
        around = [round(each) for each in around]
        if current and abs(current) <= 6:
            around = [*range(1, 7), *(_MORE if abs(current) >= _FEW else ())]
    inside = [declared.read(declared.kind(round(each, 4))) for each in around]
    return [each for each in inside if each is not None]

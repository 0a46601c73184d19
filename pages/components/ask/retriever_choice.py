"""The choice of retrievers and their settings, with widgets derived from each declaration.

The widgets are outside any form, because the settings depend on the retriever. A choice is a draft
until a question is run. A view has a place for each retriever that it can show.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.errors import InputError
from core.playback.wording import begun
from core.retrievers import CARDS, Spec
from core.retrievers.base import KEPT
from core.retrievers.settings import LONGEST_TEXT, Declared
from core.retrievers.spec_syntax import LONGEST
from core.text.display import plurals
from pages.components.ask.family_filter import family_choice
from pages.components.ask.model_setup import model_setup_hint
from pages.components.ask.request import PART_KEPT, kept_of
from pages.components.ask.retriever_names import changes, listed, offered
from pages.components.shell import layout
from pages.components.shell.glossary import setting_hint

Specs = tuple[Spec, ...]


@dataclass(frozen=True, slots=True)
class Besides:
    """What a view compares in addition to retrievers: its badges, and widgets that select it."""

    badges: tuple[str, ...]
    choose: Callable[[], None]


_DRAFT, _FROM, _TROUBLE = "ask_draft", "ask_draft_from", "ask_trouble"
_RETRIEVER, _PLACE, _WORD = "ask_retriever", "ask_place", "ask_word"
_NONE, _CLEARED = "", "None"


def draft(asked: Specs) -> Specs:
    """Return the current choice of retrievers: `asked`, until a widget changes it."""
    state = st.session_state
    if state.get(_FROM) != asked or _DRAFT not in state:
        state[_FROM] = state[_DRAFT] = asked
        state[_TROUBLE] = ""
    chosen: Specs = state[_DRAFT]
    return chosen


def retriever_choice(
    chosen: Specs,
    places: Sequence[str],
    fewest: int,
    with_model: bool,
    built_first: Sequence[str] = (),
    besides: Besides | None = None,
) -> None:
    """Draw the popover with a list of retrievers for each of `places`; its label names the chosen
    ones.

    Parameters
    ----------
    built_first : what has to be built before some of them can run, and its cost.
    """
    state = st.session_state
    badges = besides.badges if besides else ()
    with st.popover(layout.literal(_chosen_label(chosen, badges)), key="ask_retrievers"):
        known = family_choice(offered(with_model=with_model), key="ask_families")
        for number, place in enumerate(places):
            key = _list(number)
            now = chosen[number].key if number < len(chosen) else None
            needed = bool(now) and number < fewest
            state[key] = now
            st.selectbox(
                place,
                [*([_NONE] if now and not needed else []), *_with_option(known, now or known[0])],
                0 if needed else None,  # without a default it has a cross that clears it
                key=key,
                format_func=lambda key: listed(key, with_model=with_model) if key else _CLEARED,
                placeholder=_CLEARED,
                on_change=_choose,
                args=(number,),
            )
            if len(places) == 1:
                st.caption(layout.literal(chosen[0].card.summary))
        if besides:
            besides.choose()
        for told in built_first:
            st.caption(layout.literal(told))
        model_setup_hint(with_model=with_model, place="ask")


def settings_choice(
    chosen: Specs,
    places: Sequence[str],
    passages: int,
    apply: Callable[[], None] | None = None,
    *,
    same: bool = True,
) -> None:
    """Draw the popover with the settings of one of the chosen retrievers; `top_k` applies to all.

    Parameters
    ----------
    passages : the number in the index; if there are few, the popover says that only a part is kept.
    apply : runs the choice, if there is a question.
    same : whether the choice is what was run.
    """
    few = passages if kept_of(passages) < KEPT else None
    with st.popover(layout.literal(_settings_summary(chosen, few)), key="ask_settings"):
        number = _settings_position(chosen, places)
        spec = chosen[number]
        for one in spec.declared:
            _widget(one, spec.values[one.name], number)
        if few:
            few_are = PART_KEPT * KEPT
            st.caption(
                f"In an index with fewer than {few_are} passages, top k defaults to a "
                "quarter of the passages."
            )
        _draw_retriever_field(spec, number)
        if apply:
            st.button("Apply", key="ask_apply", type="primary", disabled=same, on_click=apply)


def _settings_position(chosen: Specs, places: Sequence[str]) -> int:
    """Return the position of the retriever whose settings are shown; draw a choice if there are
    several.
    """
    if len(chosen) == 1:
        return 0
    state = st.session_state
    if state.get(_PLACE) not in range(len(chosen)):
        state[_PLACE] = 0
    number = st.segmented_control(
        "Settings of",
        range(len(chosen)),
        key=_PLACE,
        format_func=lambda at: layout.literal(f"{places[at]}: {chosen[at].card.badge}"),
        required=True,
        persist_state="session",
    )
    return number or 0


def _draw_retriever_field(spec: Spec, number: int) -> None:
    """Draw a text field for the retriever and its settings, as on the command line."""
    state = st.session_state
    if not state.get(_TROUBLE):
        state[_WORD] = str(spec)
    st.text_input(
        "Retriever and settings as text",
        key=_WORD,
        max_chars=LONGEST,
        help="The value for --retriever on the command line and in links. You can also set "
        "options of a nested retriever here.",
        on_change=_write,
        args=(number,),
    )
    if state.get(_TROUBLE):
        st.error(layout.literal(state[_TROUBLE]))


def _chosen_label(chosen: Specs, besides: Sequence[str]) -> str:
    """Return the title of one retriever, or the badges of several."""
    if len(chosen) == 1 and not besides:
        return chosen[0].card.title
    return " · ".join((*(spec.card.badge for spec in chosen), *besides))


def _settings_summary(chosen: Specs, passages: int | None) -> str:
    """Return the settings that differ from the defaults, in a few words.

    Parameters
    ----------
    passages : size of the index, if it is to be named beside the top k.
    """
    of = f" of {plurals.number(passages, 'passage')}" if passages else ""
    told = [f"top {chosen[0].values['top_k']}{of}"]
    told += [said for spec in chosen if (said := changes(spec, but=["top_k"]))]
    return ", ".join(told)


def _widget(one: Declared, value: Any, number: int) -> None:
    """Draw the widget that suits a setting's type: a select box, toggle, number or text field."""
    key = _key(one.name)
    st.session_state[key] = str(value) if one.kind is Spec else value
    label = begun(one.title)
    told = f"{one.name}: {one.setting.says}; {one.allowed}. By default {one.usual}."
    says = layout.literal(setting_hint(one, told))
    on: dict[str, Any] = {"key": key, "help": says, "on_change": _set, "args": (number, one.name)}
    least, most = one.setting.least, one.setting.most
    if one.kind is Spec:
        free = [key for key in CARDS if not Spec(key).asks_model]
        st.selectbox(label, _with_option(free, str(value)), **on)
    elif one.setting.choices:
        st.segmented_control(label, one.setting.choices, required=True, **on)
    elif one.kind is bool:
        st.toggle(label, **on)
    elif one.kind is int:
        st.number_input(label, _typed_bound(int, least), _typed_bound(int, most), step=1, **on)
    elif one.kind is float:
        step = 0.01 if 0 < one.default < 0.1 else 0.1
        st.number_input(
            label,
            _typed_bound(float, least),
            _typed_bound(float, most),
            step=step,
            format="%g",
            **on,
        )
    else:
        st.text_input(label, max_chars=LONGEST_TEXT, **on)


def _choose(number: int) -> None:
    """Replace or remove the retriever at a place.

    A new one has default settings and the same top k.
    """
    state = st.session_state
    key, now = state[_list(number)], state[_DRAFT]
    if not key:
        _set_draft(lambda: now[:number] + now[number + 1 :])
        return
    kept = {name: value for name, value in now[0].settings if name == "top_k"}
    _choose_at(min(number, len(now)), lambda: Spec(key).with_settings(**kept))


def _set(number: int, name: str) -> None:
    """Apply the widget's value to the draft; top k is shared by all retrievers, other settings are
    not.
    """
    state = st.session_state
    value = state[_key(name)]
    if name == "top_k":
        _set_draft(lambda: tuple(spec.with_settings(top_k=value) for spec in state[_DRAFT]))
    else:
        _choose_at(number, lambda: state[_DRAFT][number].with_settings(**{name: value}))


def _write(number: int) -> None:
    _choose_at(number, lambda: Spec.parse(st.session_state[_WORD]))


def _choose_at(number: int, wanted: Callable[[], Spec]) -> None:
    """Choose `wanted()` for the place `number`, and give the other retrievers its top k."""

    def all_of_them() -> Specs:
        spec = wanted()
        others = [one.with_settings(top_k=spec.values["top_k"]) for one in st.session_state[_DRAFT]]
        return (*others[:number], spec, *others[number + 1 :])

    _set_draft(all_of_them)


def _set_draft(wanted: Callable[[], Specs]) -> None:
    """Replace the draft by `wanted()`, or record why that choice is not allowed."""
    state = st.session_state
    try:
        state[_DRAFT], state[_TROUBLE] = wanted(), ""
    except InputError as error:
        state[_TROUBLE] = str(error)


def _list(number: int) -> str:
    return f"{_RETRIEVER}_{number}"


def _key(name: str) -> str:
    return f"ask_set_{name}"


def _with_option(known: Sequence[str], text: str) -> list[str]:
    return [*known, *([] if text in known else [text])]


def _typed_bound(kind: Any, bound: float | None) -> Any:
    return None if bound is None else kind(bound)

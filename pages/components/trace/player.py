"""The step player: where it stands, its buttons and keys, its slider, and playing by itself.

Use it inside one fragment. `t` counts steps as `core.playback` does; the first stop is the
question. The place is kept in the session and in the address.
"""

import time
from collections.abc import Sequence
from typing import cast

import streamlit as st

from core.playback import Grain, grains, labels, stops
from core.steps import Step

INTERVALS: dict[Grain, float] = {"whole": 2.6, "round": 2.0, "event": 0.9}
"""Seconds between two stops when it plays."""
_T, _GRAIN, _PLAYING, _DUE = "player_t", "player_grain", "player_playing", "player_due"
_SLIDER, _GRAINS = "player_slider", "player_grains"


def place_at(t: int | None, grain: Grain | None = None) -> None:
    """Stand at step `t`, at the end when it is None."""
    st.session_state[_T] = t
    if grain:
        st.session_state[_GRAIN] = grain
    pause()


def grain(steps: Sequence[Step]) -> Grain:
    """The grain that was chosen, or the next finer one that these steps have."""
    wanted = cast(Grain, st.session_state.get(_GRAIN, "event"))
    offered = grains(steps)
    if wanted in offered:
        return wanted
    return "round" if wanted == "whole" and "round" in offered else "event"


def position(steps: Sequence[Step]) -> int:
    """The stop at which it stands: the last one that is not behind the wanted step."""
    wanted = st.session_state.get(_T)
    places = stops(steps, grain(steps))
    if wanted is None:
        return places[-1]
    return max((t for t in places if t <= wanted), default=places[0])


def playing() -> bool:
    return bool(st.session_state.get(_PLAYING))


def pause() -> None:
    st.session_state[_PLAYING] = False


def interval() -> float | None:
    """`run_every` of the fragment; read it once a full run."""
    return INTERVALS[_played()] if playing() else None


def _played() -> Grain:
    return cast(Grain, st.session_state.get(_GRAIN, "event"))


def tick(steps: Sequence[Step]) -> None:
    """Go on by one stop when it plays and its time has come; at the end it stops."""
    if not playing() or time.monotonic() < st.session_state.get(_DUE, 0.0):
        return
    t, places = position(steps), stops(steps, grain(steps))
    if t >= places[-1]:
        pause()
        return
    _wait()
    _go(next(place for place in places if place > t))


def controls(steps: Sequence[Step]) -> None:
    """Buttons with keys, slider and grain; reruns the page when playing starts or stops."""
    places = stops(steps, grain(steps))
    t = position(steps)
    at = places.index(t)
    left, right = at > 0, at < len(places) - 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="player"):
        _move_button("First", "first_page", "Home", places, -len(places), left)
        _move_button("Back", "chevron_left", "Left", places, -1, left)
        _play_button(places)
        _move_button("Forward", "chevron_right", "Right", places, 1, right)
        _move_button("Last", "last_page", "End", places, len(places), right)
        _slider(steps, places, t)
        offered = grains(steps)
        if len(offered) > 1:
            st.session_state[_GRAINS] = grain(steps)
            st.segmented_control(
                "Step by",
                offered,
                key=_GRAINS,
                required=True,
                label_visibility="collapsed",
                format_func=lambda one: f"by {one}",
                on_change=_change_grain,
            )


def _move_button(
    text: str, icon: str, shortcut: str, places: Sequence[int], by: int, possible: bool
) -> None:
    st.button(
        text,
        key=f"player_{text.lower()}",
        icon=f":material/{icon}:",
        shortcut=shortcut,
        disabled=not possible,
        on_click=_move,
        args=(places, by),
    )


def _play_button(places: Sequence[int]) -> None:
    on = playing()
    if st.button(
        "Pause" if on else "Play",
        key="player_play",
        icon=":material/pause:" if on else ":material/play_arrow:",
        shortcut="Space",
        disabled=len(places) < 2,
        on_click=_toggle,
        args=(places,),
    ):
        # Whether a fragment reruns by itself is decided in a run of the whole page.
        st.rerun()


def _slider(steps: Sequence[Step], places: Sequence[int], t: int) -> None:
    if len(places) < 2:
        return
    by_event = grain(steps) == "event"
    names = {
        label.t: label.text if by_event else label.round or label.text for label in labels(steps)
    }
    st.session_state[_SLIDER] = t
    st.select_slider(
        "Step",
        places,
        key=_SLIDER,
        format_func=lambda step: names[step],
        label_visibility="collapsed",
        on_change=_slide,
    )


def _move(places: Sequence[int], by: int) -> None:
    """By so many stops from where it stands now: keys may come faster than the page answers."""
    wanted = st.session_state.get(_T)
    at = max((i for i, t in enumerate(places) if wanted is None or t <= wanted), default=0)
    _go_by_hand(places[min(max(0, at + by), len(places) - 1)])


def _slide() -> None:
    _go_by_hand(int(st.session_state[_SLIDER]))


def _change_grain() -> None:
    st.session_state[_GRAIN] = st.session_state[_GRAINS]
    pause()


def _toggle(places: Sequence[int]) -> None:
    if playing():
        pause()
        return
    st.session_state[_PLAYING] = True
    wanted = st.session_state.get(_T)
    if wanted is None or wanted >= places[-1]:
        _go(places[0])
    _wait()


def _wait() -> None:
    # A little less than the interval, so that a tick that is early still counts.
    st.session_state[_DUE] = time.monotonic() + INTERVALS[_played()] * 0.7


def _go_by_hand(t: int) -> None:
    pause()
    _go(t)


def _go(t: int) -> None:
    st.session_state[_T] = t

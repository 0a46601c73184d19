"""To whom a place belongs that several have in turn: who says something there."""

from types import SimpleNamespace

import pytest

from core.film.seats import _owners

SLOTS = {"alone": (1, 0), "joined": (1, 0), "far": (1, 1), "next": (2, 0)}
LINES = [("always", "joined"), ("joined", "next"), ("far", "alone")]


def owners(about=(), *, spreads=True, kind="entity"):
    plot = SimpleNamespace(
        spreads=spreads,
        columns=SimpleNamespace(of={"always": 0} | {name: at for name, (at, _) in SLOTS.items()}),
        cast=SimpleNamespace(
            lines=[SimpleNamespace(source=a, target=b) for a, b in LINES], kind=lambda _: kind
        ),
        last=SimpleNamespace(standings=[]),
    )
    few = SimpleNamespace(always=("always",), guests=SimpleNamespace(slots=SLOTS))
    return _owners(plot, few, about)


def test_it_belongs_to_who_is_joined_to_somebody_drawn_also_by_another_who_has_one():
    assert owners() == {(1, 0): "joined", (2, 0): "next"}


def test_who_is_told_of_has_it_though_joined_to_nobody():
    assert owners(["far"]) == {(1, 0): "joined", (1, 1): "far", (2, 0): "next"}
    assert owners(["alone"])[1, 0] == "alone"


@pytest.mark.parametrize("kind", ["passage", "query"])
def test_where_nothing_spreads_passages_and_questions_stand_by_themselves(kind):
    assert owners(spreads=False, kind=kind) == {(1, 0): "joined", (1, 1): "far", (2, 0): "next"}
    assert (1, 1) not in owners(spreads=False)

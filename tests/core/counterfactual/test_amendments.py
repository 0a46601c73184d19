"""Amendments as a text that survives an address, and what hostile ones come to."""

from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.counterfactual import (
    LONGEST,
    MOST,
    Judge,
    Refuse,
    Seed,
    Take,
    amendments_text,
    append_amendment,
    parse,
)
from core.errors import InputError

ID = st.text(min_size=1, max_size=8)
ONE = st.one_of(
    st.builds(Take, ID, ID),
    st.builds(Refuse, ID, ID),
    st.builds(Judge, ID, st.none() | ID),
    st.builds(Seed, ID, st.booleans()),
)


@given(ONE)
def test_any_id_comes_back_from_an_address(one):
    address = urlencode({"amend": amendments_text([one])})
    assert parse(parse_qs(address)["amend"][0]) == (one,)


@given(st.lists(ONE, max_size=6))
def test_what_is_amended_one_by_one_never_contradicts_itself(several):
    found = ()
    for one in several:
        found = append_amendment(found, one)
        assert found[-1] == one
    assert parse(amendments_text(found)) == found


def test_the_text_is_what_a_person_would_write():
    text = "take(e1@owner),refuse(e2@owner),judge(@town),judge(e3@club),start(town),skip(club)"
    read = (
        Take("owner", "e1"),
        Refuse("owner", "e2"),
        Judge("town", None),
        Judge("club", "e3"),
        Seed("town", added=True),
        Seed("club", added=False),
    )
    assert parse(text) == read
    assert amendments_text(read) == text
    assert parse(" , take(e1@owner) ,take(e1@owner)") == read[:1]
    assert parse("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "take",
        "take()",
        "take(@)",
        "take(@owner)",
        "take(e1)",
        "take(e1@)",
        "refuse(@owner)",
        "judge()",
        "judge(owner)",
        "start(a@b)",
        "start(@b)",
        "start()",
        "own(e1@owner)",
        "take(e1@owner",
        "take(take(e1@owner)@owner)",
        "take(<b>@owner)",
        "take(e1@%FF)",
        "take(e 1@owner)",
        "__import__('os')",
        "take(e1@owner)refuse(e1@owner)",
        "take(e1@owner),refuse(e1@owner)",
        "judge(e1@owner),refuse(e1@owner)",
        "judge(@owner),judge(e1@owner)",
        "start(town),skip(town)",
        "x" * (LONGEST + 1),
        ",".join(f"start({n})" for n in range(MOST + 1)),
    ],
)
def test_hostile_text_is_refused(text):
    with pytest.raises(InputError) as refused:
        parse(text)
    assert len(str(refused.value)) < 400


def test_a_judgement_takes_back_what_was_said_of_its_edges():
    said = parse("take(e1@owner),refuse(e2@owner),take(e1@club)")
    judged = append_amendment(said, Judge("owner", "e3"))
    assert amendments_text(judged) == "take(e1@club),judge(e3@owner)"
    assert (
        amendments_text(append_amendment(judged, Refuse("owner", "e3")))
        == "take(e1@club),refuse(e3@owner)"
    )

"""What an address asks for, today's and that of old; and the command that asks the same."""

import shlex

import pytest

from core.retrievers import CARDS, Spec
from pages.components.ask.request import Ask, too_long


@pytest.mark.parametrize("text", ["bm25", "hoprag-coverage(top_k=3,n_hop=2)", "hybrid-rrf(k0=1)"])
def test_an_address_is_read_as_it_is_written(text: str) -> None:
    asked = Ask("Who?", Spec.parse(text))
    assert asked.params() == {"q": "Who?", "retriever": text}
    assert Ask.from_params(asked.params()) == (asked, ())


def test_an_address_of_old_is_read() -> None:
    old = {"q": "Who?", "chooser": "similarity", "entry": "node", "top_k": "3", "n_hop": "4"}
    spec = Spec.parse("hoprag-similarity(top_k=3,entry=node)")
    assert Ask.from_params(old) == (Ask("Who?", spec), ())
    found, _ = Ask.from_params({"q": "Who?", "top_k": "5"})
    assert found.spec == Spec.parse("hoprag-coverage(top_k=5)")
    walks = {key for key, card in CARDS.items() if card.direction}
    for chooser in ("coverage", "similarity", "llm"):
        assert Ask.from_params({"chooser": chooser})[0].spec.key in walks


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"retriever": "bm42"}, "unknown retrievers: 'bm42'"),
        ({"retriever": "bm25(top_k=0)"}, "a whole number from 1 to 100"),
        ({"retriever": ""}, "is missing"),
        ({"chooser": "door"}, "unknown retrievers: 'hoprag-door'"),
        ({"n_hop": "9"}, "a whole number from 1 to 8"),
    ],
)
def test_what_an_address_cannot_ask_is_named(params: dict[str, str], said: str) -> None:
    found, (ignored,) = Ask.from_params({"q": "Who?", **params})
    assert found.question == "Who?"
    assert said in ignored


def test_what_can_be_asked_of_an_address_is_asked_without_the_rest() -> None:
    params = {"q": "Who?", "retriever": "bm25(top_k=7,depth=3)", "stop": "4", "damping": "0.9"}
    found, ignored = Ask.from_params(params)
    assert found == Ask("Who?", Spec.parse("bm25(top_k=7)"))
    assert [one.partition(":")[0] for one in ignored] == [
        "Ignored depth in the link",
        "Ignored damping in the link",
    ]
    there = {"q": "Who?", "retriever": "hipporag2", "damping": "0.9", "amend": "no"}
    found, (by_hand,) = Ask.from_params(there)
    assert found.spec == Spec.parse("hipporag2(damping=0.9)")
    assert by_hand.startswith("Ignored amend in the link: ")


def test_the_command_is_one_line_of_the_shell() -> None:
    asked = Ask("Who's $HOME?", Spec.parse("hoprag-coverage(n_hop=2,entry=edge)"))
    said = shlex.split(asked.command("/a b"))
    assert said[said.index("--retriever") + 1] == str(asked.spec)
    assert said[4] == asked.question


def test_a_question_that_is_too_long_is_kept_whole_and_named() -> None:
    long = "Who? " * 500
    assert Ask.from_params({"q": long})[0].question == long
    assert "2,500 characters" in too_long(long)
    assert not too_long("Who?" * 500)

"""What an address asks for, today's and that of old; and the command that asks the same."""

import shlex

import pytest

from core.errors import InputError
from core.retrievers import CARDS, Spec
from pages.components.ask.wish import Ask, too_long


@pytest.mark.parametrize("text", ["bm25", "hoprag-coverage(top_k=3,n_hop=2)", "hybrid-rrf(k0=1)"])
def test_an_address_is_read_as_it_is_written(text: str) -> None:
    asked = Ask("Who?", Spec.parse(text))
    assert asked.params() == {"q": "Who?", "retriever": text}
    assert Ask.from_params(asked.params()) == asked


def test_an_address_of_old_is_read() -> None:
    old = {"q": "Who?", "chooser": "similarity", "entry": "node", "top_k": "3", "n_hop": "4"}
    assert Ask.from_params(old) == Ask("Who?", Spec.parse("hoprag-similarity(top_k=3,entry=node)"))
    assert Ask.from_params({"q": "Who?", "top_k": "5"}).spec == Spec.parse(
        "hoprag-coverage(top_k=5)"
    )
    walks = {key for key, card in CARDS.items() if card.direction}
    for chooser in ("coverage", "similarity", "llm"):
        assert Ask.from_params({"chooser": chooser}).spec.key in walks


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"retriever": "bm42"}, "no retriever 'bm42'"),
        ({"retriever": "bm25(top_k=0)"}, "a whole number from 1 to 100"),
        ({"retriever": ""}, "is missing"),
        ({"chooser": "door"}, "no retriever 'hoprag-door'"),
        ({"n_hop": "9"}, "a whole number from 1 to 8"),
    ],
)
def test_what_an_address_cannot_ask_is_named(params: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Ask.from_params(params)


def test_the_command_is_one_line_of_the_shell() -> None:
    asked = Ask("Who's $HOME?", Spec.parse("hoprag-coverage(n_hop=2,entry=edge)"))
    said = shlex.split(asked.command("/a b"))
    assert said[said.index("--retriever") + 1] == str(asked.spec)
    assert said[4] == asked.question


def test_a_question_that_is_too_long_is_kept_whole_and_named() -> None:
    long = "Who? " * 500
    assert Ask.from_params({"q": long}).question == long
    assert "2,500 characters" in too_long(long)
    assert not too_long("Who?" * 500)

"""What a person does in a film reaches Python once, and in order, however fast it is done."""

from pages.components.walkthrough.component import _new_acts


def act(number, name="mark"):
    return {"number": number, "name": name, "value": number}


def test_a_message_tells_all_that_was_not_heard_and_none_counts_twice():
    heard: dict[str, int] = {}
    assert _new_acts({"from": "a", "acts": [act(1)]}, heard) == [act(1)]
    # The message of 2 was lost, as that of 3 came before it was read.
    assert _new_acts({"from": "a", "acts": [act(2), act(3)]}, heard) == [act(2), act(3)]
    assert _new_acts({"from": "a", "acts": [act(2), act(3)]}, heard) == []
    assert _new_acts({"from": "b", "acts": [act(1)]}, heard) == [act(1)]
    assert heard == {"a": 3, "b": 1}

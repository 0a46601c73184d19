import gc
import time

import pytest

from core.models.server.sound_json import DEEPEST, LONGEST_NUMBER, objects_in, parse, parse_at


def test_what_is_sound_is_read() -> None:
    assert parse(' {"a": [1, -2.5e3, null, true, "x"]}\n') == {"a": [1, -2500.0, None, True, "x"]}
    assert parse_at('so {"a": 1} it is', 3) == ({"a": 1}, 11)
    assert parse("[" * DEEPEST + "]" * DEEPEST)
    assert parse("9" * LONGEST_NUMBER) == 10**LONGEST_NUMBER - 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("{} {}", "after the JSON"),
        ("\N{NO-BREAK SPACE}1", "not JSON"),
        ("NaN", "NaN is not a JSON number"),
        ('{"a": -Infinity}', "-Infinity is not a JSON number"),
        ("1e999", "too large"),
        ("1" * 5_000, "more than 64 digits"),
        ("1." + "0" * 5_000, "more than 64 digits"),
        ('{"a": 1, "b": 2, "a": 1}', "the same name twice"),
        ('[{"b": {"a": 1, "\\u0061": 2}}]', "the same name twice"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested more than 50 deep"),
        ('{"a":' * (DEEPEST + 1) + "1" + "}" * (DEEPEST + 1), "nested more than 50 deep"),
        ("[" * 1_000_000, "nested more than 50 deep"),
    ],
)
def test_what_is_not_is_a_value_error_that_says_why(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse(text)


def test_what_is_cleaned_up_while_it_is_read_finds_a_stack() -> None:
    ended = []

    class Loose:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            ended.append(parse("[" * DEEPEST + "]" * DEEPEST))
            _down(400)

    gc.collect()
    for _ in range(20):
        Loose()
    with pytest.raises(ValueError, match="nested"):
        parse("[" * 3_000 + "]" * 3_000)
    gc.collect()
    assert len(ended) == 20


def _down(steps: int) -> None:
    if steps:
        _down(steps - 1)


def test_objects_are_found_in_a_text() -> None:
    found = list(objects_in('so {x} {"a": {"b": 1}} and [{"c": 2}], {"d": 3, "d": 4} {"e":'))
    assert [(one.start, one.end, one.value) for one in found] == [
        (7, 22, {"a": {"b": 1}}),
        (28, 36, {"c": 2}),
        (39, 55, {}),
    ]
    assert [bool(one.trouble) for one in found] == [False, False, True]


def test_braces_cost_nothing_of_what_is_looked_at() -> None:
    assert [one.value for one in objects_in("{x} " * 50_000 + '{"a": 1}')] == [{"a": 1}]


LIST = "[" + "1," * 500


@pytest.mark.parametrize(
    "one", ["{", '{"a":', '{"a":[', f'{{"a":{LIST}', '{"a":"', "{}", '{"a":1e9,']
)
def test_the_time_is_linear_whatever_is_repeated(one: str) -> None:
    began = time.perf_counter()
    for _ in objects_in(one * (200_000 // len(one))):
        pass
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize("one", ["{", '{"a":', '{"a":[', "{} ", '{"a":{}', '{"a":"b",'])
def test_four_megabytes_of_it_are_done_within_moments(one: str) -> None:
    began = time.process_time()
    for _ in objects_in(one * (4_000_000 // len(one))):
        pass
    assert time.process_time() - began < 3  # half a minute where each start is read to the end


def test_what_is_nested_too_deep_is_passed_over_where_it_ends() -> None:
    deep = '{"a":' * (DEEPEST + 1) + "1" + "}" * (DEEPEST + 1)
    found = list(objects_in(f'{deep} and {{"b": 2}}'))
    assert [one.value for one in found] == [{}, {"b": 2}]
    assert "nested" in found[0].trouble

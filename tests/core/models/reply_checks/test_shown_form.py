import json
from pathlib import Path

import pytest

import core.prompts
from core.errors import ReplyUnreadable
from core.models.prompt import Prompt
from core.models.reply_checks.quotations import without_quotations
from core.models.reply_checks.shown_form import shown_form
from core.prompts import instructions

NAMES = sorted(path.stem for path in Path(core.prompts.__file__).parent.glob("*.txt"))
WORKED = {"clues", "extract", "filters", "levels", "questions_of_passage"}
TEMPLATES = {"align_names", "choose", "choose_always", "decompose"}
TEMPLATE = (
    "Reply with one JSON object and nothing else:\n"
    '{"thought": "the sentence, in the language of the question", "answers": ["one for each part, '
    'in their order"], "names": [{"name": "a name", "queries": ["keywords to search with"]}], '
    '"follow": the number of the question, "answer": "the answer alone, as short as it can be"}'
)


def prompt_called(name: str, system: str = "") -> Prompt:
    return Prompt(name, system or instructions(name), '{"question": "Q?"}', {"type": "object"})


def shown(name: str) -> str:
    """The last object that the instructions show."""
    return next(line for line in instructions(name).splitlines()[::-1] if line.startswith("{"))


@pytest.mark.parametrize("name", NAMES)
def test_a_small_model_finds_no_text_to_copy_from_a_template(name: str) -> None:
    """It copied "the sentence, in the language of the question" instead of writing one."""
    form = shown_form(instructions(name))
    assert bool(form.phrases) == (name in TEMPLATES)
    assert bool(form.examples) == (name in WORKED | {"decompose", "resolve_clues"})


@pytest.mark.parametrize("name", sorted({*WORKED, "resolve_clues"}))
def test_the_whole_example_of_a_prompt_is_an_echo_there_and_nowhere_else(name: str) -> None:
    example = shown(name)
    again = json.dumps(dict(reversed(json.loads(example).items())), indent=2)
    for said in (example, again, f"```json\n{example}\n```"):
        with pytest.raises(ReplyUnreadable, match="repeats the form"):
            without_quotations(said, prompt_called(name))
        for other in NAMES:
            if other != name:
                assert without_quotations(said, prompt_called(other)) == said


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("levels", {"low": ["Quillon Hall"], "high": ["smith"]}),
        ("levels", {"low": ["Ada Finch"], "high": ["smith", "forged gates"]}),
        ("filters", {"conditions": [{"field": "source", "values": ["Harbour Post"]}]}),
        ("filters", {"conditions": [{"field": "date", "values": ["2021-05"]}]}),
        ("closed_book", {"reasoning": "It is a field.", "answer": "date"}),
        ("answer", {"reasoning": "r", "citations": [], "found": True, "answer": "composer"}),
        ("thought", {"thought": "The note says so.", "answer": "a name"}),
    ],
)
def test_an_honest_reply_may_share_values_with_what_is_shown(name: str, reply: object) -> None:
    said = json.dumps(reply)
    assert without_quotations(said, prompt_called(name)) == said


@pytest.mark.parametrize(
    "reply",
    [
        {"thought": "the sentence, in the language of the question", "answer": "x"},
        {"thought": "t", "answer": "The answer alone, as short as it can be."},
        {"thought": "t", "answers": ["one for each part, in their order"], "follow": 1},
        {"names": [{"name": "a name", "queries": ["keywords to search with"]}]},
    ],
)
def test_a_phrase_of_the_template_in_its_own_field_is_not_filled_in(reply: object) -> None:
    with pytest.raises(ReplyUnreadable, match="repeats the form"):
        without_quotations(json.dumps(reply), prompt_called("seek", TEMPLATE))


def test_a_phrase_of_the_template_may_stand_in_another_field() -> None:
    said = json.dumps({"thought": "It is a name.", "answer": "a name"})
    assert without_quotations(said, prompt_called("seek", TEMPLATE)) == said


def test_the_reply_beside_an_echo_counts() -> None:
    real = '{"low": [], "high": ["film music"]}'
    said = without_quotations(f"Like {shown('levels')}:\n{real}", prompt_called("levels"))
    assert json.loads(said[said.index("{") :]) == json.loads(real)

"""The stages of gold in the filters of Errors and Evaluate."""

from core.funnel.stages import STAGES
from pages.components.runs.stage_filter import stage_choices


def test_all_stages_are_named_as_everywhere() -> None:
    assert stage_choices("") == {"": "any", **STAGES}


def test_of_some_it_is_said_how_many_questions_each_has() -> None:
    assert stage_choices("cut,far", ["cut"], {"cut": 3}) == {
        "": "any",
        "cut": "below the top k (3 questions)",
        "cut,far": "several",
    }

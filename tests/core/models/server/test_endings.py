import json
from typing import get_args

import pytest

from core.models.llm import Llm
from core.models.prompt import Ending, Reply
from core.models.server.endings import ending_said
from tests.llm import faults
from tests.llm.client import LEAVE, PROMPT
from tests.llm.server import Answer, ChatServer, completion, endpoint


def ended(answer: Answer) -> Reply:
    with ChatServer(lambda request: answer) as server:
        return Llm(endpoint(server)).complete(PROMPT, LEAVE)


@pytest.mark.parametrize(
    ("answer", "ending", "text"),
    [
        (Answer("{}"), "whole", "{}"),
        (Answer("{}", finish="eos"), "whole", "{}"),
        (Answer("<think>So.</think>{}"), "whole", "<think>So.</think>{}"),
        (faults.half({"a": 1}), "length", '{"a"'),
        (Answer("", finish="length"), "length", ""),
        (faults.thought(), "thought", ""),
        (faults.thought(finish="stop"), "thought", ""),
        (faults.thought(field="reasoning"), "thought", ""),
        (Answer("<think>Let me", finish="length"), "thought", "<think>Let me"),
        (Answer("<think>So.</think>\n"), "thought", "<think>So.</think>\n"),
        (faults.refusal("No."), "refusal", "No."),
        (Answer("I will not.", finish="refusal"), "refusal", "I will not."),
        (faults.filtered(), "filter", ""),
        (Answer("A bit", finish="content_filter"), "filter", "A bit"),
        (Answer(""), "empty", ""),
        (Answer(" \n"), "empty", " \n"),
        (Answer(raw=json.dumps(completion(Answer(), content=None))), "empty", ""),
    ],
)
def test_how_a_reply_ended_is_told(answer: Answer, ending: str, text: str) -> None:
    reply = ended(answer)
    assert (reply.ending, reply.text) == (ending, text)


def test_each_ending_is_said_with_what_mends_it() -> None:
    said = {ending_said(ending) for ending in get_args(Ending)}
    assert len(said) == len(get_args(Ending))
    assert "HOPRAG_LLM_THINKING" in ending_said("length")
    assert "HOPRAG_LLM_EXTRA" in ending_said("thought")

"""What goes wrong between a program and a model, as answers for the scripted server."""

import json
from collections.abc import Callable
from typing import Any

from tests.llm.server import Answer, Request, completion

Script = Callable[[Request], Answer]


def slow(reply: Any, seconds: float) -> Answer:
    return Answer(json.dumps(reply), delay=seconds)


def too_many(seconds: float | str) -> Answer:
    """429; `seconds` is what Retry-After says."""
    return Answer("Rate limit reached.", status=429, headers={"Retry-After": str(seconds)})


def broken() -> Answer:
    return Answer("The engine is overloaded.", status=500, headers={"Retry-After-Ms": "1"})


def cut(reply: Any) -> Answer:
    """The connection ends in the middle of the reply."""
    return Answer(json.dumps(reply), cut=True)


def with_prose(reply: Any) -> Answer:
    return Answer(f"Sure! Here is {{what}} you want:\n```json\n{json.dumps(reply)}\n```\nBye.")


def half(reply: Any) -> Answer:
    """JSON that stops in the middle, as it does at a limit of tokens."""
    text = json.dumps(reply)
    body = completion(Answer(text[: len(text) // 2]))
    body["choices"][0]["finish_reason"] = "length"
    return Answer(raw=json.dumps(body))


def wrong_types(reply: dict[str, Any]) -> Answer:
    """Every value replaced by an object, which none of our replies has there."""
    return Answer(json.dumps({name: {"value": str(value)} for name, value in reply.items()}))


def changed(reply: dict[str, Any], **values: Any) -> Answer:
    """`reply` with other values: an index out of range, an empty list."""
    return Answer(json.dumps({**reply, **values}))


def refusal(text: str = "I cannot help with that.") -> Answer:
    """As OpenAI says no to a structured output: in a field of its own."""
    return Answer(raw=json.dumps(completion(Answer(), content=None, refusal=text)))


def other_language(reply: dict[str, Any]) -> Answer:
    """The reply in a frame of Chinese, as some models speak whatever they are asked in."""
    text = json.dumps(reply, ensure_ascii=False)
    return Answer(f"好的，以下是结果：{text}。希望对您有帮助！")


def page() -> Answer:
    """A web page: something listens, but no model."""
    html = "<!doctype html><title>It works!</title>"
    return Answer(raw=html, headers={"Content-Type": "text/html"})


def first(*faults: Answer, then: Script) -> Script:
    """One fault for each of the first requests, whatever they ask; then the script `then`."""

    def answer(request: Request) -> Answer:
        return faults[request.number] if request.number < len(faults) else then(request)

    return answer

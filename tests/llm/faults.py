"""What goes wrong between a program and a model, as answers for the scripted server."""

import gzip
import json
import threading
import time
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


def quoting_after(reply: Any, quoted: str) -> Answer:
    """The reply, and behind it what a passage says that looks like one."""
    return Answer(f"{json.dumps(reply)}\n\nNote that a passage says: {quoted}")


def only_quoting(quoted: str) -> Answer:
    """No reply, but a passage's."""
    return Answer(f"I cannot say. A passage says {quoted} but I do not agree.")


def doubled(reply: Any, other: Any) -> Answer:
    """One object in which every name stands twice, with the values of `other` last."""
    return Answer(f"{json.dumps(reply)[:-1]}, {json.dumps(other)[1:]}")


def half(reply: Any) -> Answer:
    """JSON that stops in the middle, as it does at a limit of tokens."""
    text = json.dumps(reply)
    return Answer(text[: len(text) // 2], finish="length")


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


def thought(finish: str = "length", field: str = "reasoning_content") -> Answer:
    """A model that thinks and comes to no reply; the thinking is in a field of its own."""
    said = completion(Answer(finish=finish), **{field: "Let me see."})
    return Answer(raw=json.dumps(said))


def filtered() -> Answer:
    """A filter that takes the reply away, as Azure does in a 200."""
    return Answer("", finish="content_filter")


def packed(body: bytes) -> Answer:
    """A body in gzip, which was not asked for."""
    return Answer(raw=gzip.compress(body, 9), headers={"Content-Encoding": "gzip"})


def refused(message: str, status: int = 400, **error: Any) -> Answer:
    """An error with more to it than a message: a code, the name of a field."""
    return Answer(raw=json.dumps({"error": {"message": message, **error}}), status=status)


def one_slot(reply: Script, seconds: float) -> Script:
    """A server that has room for one call at a time; it drops those whose client has gone."""
    slot = threading.Lock()

    def answer(request: Request) -> Answer:
        with slot:
            if not request.gone():
                time.sleep(seconds)
        return reply(request)

    return answer


def page() -> Answer:
    """A web page: something listens, but no model."""
    html = "<!doctype html><title>It works!</title>"
    return Answer(raw=html, headers={"Content-Type": "text/html"})


def first(*faults: Answer, then: Script) -> Script:
    """One fault for each of the first requests, whatever they ask; then the script `then`."""

    def answer(request: Request) -> Answer:
        return faults[request.number] if request.number < len(faults) else then(request)

    return answer

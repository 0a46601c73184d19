"""A model that says what a test scripts, and the steps of a retrieval that asks it."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from core.artefacts.workbench import Workbench
from core.models.kept.replies import Replies
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import check
from core.retrievers import make
from core.steps import Asked, Said, Step
from tests.core.five import QUESTION, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, Request, endpoint

Q = QUESTION.text


@contextmanager
def saying(
    bench: Workbench, script: Callable[[Any], Any], leave: Leave | None = LEAVE
) -> Iterator[tuple[Workbench, ChatServer]]:
    """(a workbench whose model replies what `script` makes of the data; its server)."""

    def answer(request: Request) -> Answer:
        said = script(request.data)
        return said if isinstance(said, Answer) else Answer(json.dumps(said))

    with ChatServer(answer) as server:
        replies = Replies(bench.index.path)
        oracle = Oracle(Llm(endpoint(server), retries=0), replies, leave)
        yield Workbench(bench.index, bench.embedder, oracle, making=silent), server
        replies.close()


def walked(bench: Workbench, spec: str, question: str = Q) -> tuple[Step, ...]:
    steps = tuple(make(spec, bench).retrieve(question))
    check(steps)
    return steps


def sent(steps: Sequence[Step]) -> list[str]:
    """What was searched with, in order."""
    return [step.query for step in steps if isinstance(step, Asked)][1:]


def said(steps: Sequence[Step], by: str = "") -> list[Said]:
    """What was said, by all or by those whose name ends so, or by rules in their place."""
    return [
        step for step in steps if isinstance(step, Said) and step.by.removesuffix(")").endswith(by)
    ]


def found(steps: Sequence[Step]) -> list[str]:
    return [hit.passage_id for hit in steps[-1].hits]  # type: ignore[union-attr]

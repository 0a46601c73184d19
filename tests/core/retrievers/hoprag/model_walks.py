"""Walks by a model on a scripted server, and the same walk computed without it."""

from collections.abc import Iterator
from contextlib import contextmanager

from core.artefacts.workbench import Workbench
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import check
from core.retrievers import make
from core.steps import Began, Offered
from core.text.tokens import words
from tests.core.five import QUESTION
from tests.core.retrievers.hoprag.test_walks import all_edges, edge_sim, passage_sim
from tests.llm.client import LEAVE
from tests.llm.replies import choose
from tests.llm.server import ChatServer, endpoint


@contextmanager
def thinking(workbench, script=choose, folder=None, proven=False, **limits) -> Iterator[tuple]:
    """(workbench with a model that follows `script`, its server)."""
    with ChatServer(script) as server:
        llm = Llm(endpoint(server), **{"retries": 0, **limits})
        replies = Replies(folder or workbench.index.path)
        oracle = Oracle(llm, replies, LEAVE, proven=proven)
        yield Workbench(workbench.index, workbench.embedder, oracle), server
        replies.close()


def walked(workbench, question=QUESTION.text, **wanted):
    steps = tuple(make("hoprag-llm", workbench, **wanted).retrieve(question))
    check(steps)
    return steps


def judged(steps):
    """The steps at which there was a choice."""
    return [step for step in looked_at(steps) if step.offers]


def looked_at(steps):
    """The steps at which a passage was taken from the queue."""
    return [step for step in steps if isinstance(step, Offered) and not step.entry]


def followed(steps):
    """(hop, passage, ids of the edges followed) of each passage taken from the queue."""
    found, hop = [], 0
    for step in steps:
        if isinstance(step, Began):
            hop = step.number
        if isinstance(step, Offered) and not step.entry:
            found.append((hop, step.at, tuple(offer.tie for offer in step.taken)))
    return found


def reference(workbench, question, top_k, n_hop, offered=12):
    """Algorithm 1 line by line, choosing by shared words: (choices, calls, Helpfulness)."""
    index = workbench.index
    asked = set(words(question))
    queue = []
    for edge in sorted(all_edges(index), key=lambda e: -edge_sim(workbench, e, question)):
        if edge.target not in queue and len(queue) < top_k:
            queue.append(edge.target)
    count = dict.fromkeys(queue, 1)
    choices, calls = [], 0
    for hop in range(1, n_hop + 1):
        joined = []
        for vertex in queue:
            edges = index.graph.out_edges(vertex)
            listed = sorted(edges, key=lambda e: -edge_sim(workbench, e, question))[:offered]
            calls += bool(listed)
            best = max(listed, key=lambda e: len(asked & set(words(e.question))), default=None)
            if best is None or not asked & set(words(best.question)):
                choices.append((hop, vertex, ()))
                continue
            choices.append((hop, vertex, (best.id,)))
            if best.target not in count:
                joined.append(best.target)
            count[best.target] = count.get(best.target, 0) + 1
        queue = joined
    visits = sum(count.values())
    helpfulness = {v: (passage_sim(workbench, v, question) + count[v] / visits) / 2 for v in count}
    return choices, calls, helpfulness

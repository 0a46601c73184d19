"""A scripted model for retrievers and their references, and what both of them report.

A script is a function of a prompt's name and its data. A retriever asks it through the oracle, its
reference directly; both record what they ask, so a difference in a prompt is a difference, too.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any

from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess, Read, Said, T
from core.models.prompt import Prompt
from core.playback import check
from core.retrievers import make
from core.steps import Asked, Exchange, Ranked, Step
from core.steps import Said as SaidStep

Script = Callable[[str, Any], Any]


@dataclass
class ScriptedOracle:
    """An oracle that returns the script's reply at once and caches nothing."""

    script: Script
    asked: list[tuple[str, Any]] = field(default_factory=list)
    llm: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(model="scripted", at_once=1)
    )

    def ask(self, prompt: Prompt, read: Read[T], guess: Guess[T]) -> Said[T]:
        data = json.loads(prompt.user)
        self.asked.append((prompt.name, data))
        text = json.dumps(self.script(prompt.name, data))
        exchange = Exchange("scripted", prompt.system, prompt.user, (text,))
        try:
            return read(text), exchange
        except ReplyUnreadable as error:
            return None, Exchange(*_said(exchange), trouble=str(error))


def _said(exchange: Exchange) -> tuple[str, str, str, tuple[str, ...]]:
    return exchange.model, exchange.system, exchange.user, exchange.replies


@dataclass
class Model:
    """The same script as a reference asks it."""

    script: Script
    asked: list[tuple[str, Any]] = field(default_factory=list)

    def __call__(self, role: str, **data: Any) -> Any:
        self.asked.append((role, data))
        return self.script(role, data)


@dataclass
class Outcome:
    """What a retrieval comes to: ids with scores in order, of which `kept` are in the top k, the
    searches, the prompts, and why it ended.
    """

    ranking: list[tuple[str, float]]
    kept: int
    searches: list[str]
    asked: list[tuple[str, Any]]
    ends: str
    findings: tuple[str, ...] = ()


def outcome(bench: Workbench, spec: str, question: str, script: Script | None) -> Outcome:
    """Run the retriever of `spec` on `question`; without a script it has no model."""
    oracle = ScriptedOracle(script) if script else None
    asking = bench.with_oracle(oracle)  # type: ignore[arg-type]
    asking._making = bench._making
    steps = tuple(make(spec, asking).retrieve(question))
    check(steps)
    return reported(steps, oracle.asked if oracle else [])


def reported(steps: Sequence[Step], asked: list[tuple[str, Any]]) -> Outcome:
    """Return what `steps` report of a retrieval and the searches directly inside it."""
    ends = [step.ends for step in steps if isinstance(step, SaidStep) and step.ends]
    end = steps[-1]
    assert isinstance(end, Ranked)
    return Outcome(
        ranking=[(hit.passage_id, hit.score) for hit in (*end.hits, *end.pruned)],
        kept=len(end.hits),
        searches=[
            step.query
            for step in steps
            if isinstance(step, Asked) and step.id != "#" and "." not in step.id
        ],
        asked=asked,
        ends=ends[-1] if ends else "",
        findings=end.findings,
    )


def assert_equal(found: Outcome, wanted: Outcome) -> None:
    """Compare two outcomes; scores within 1e-6, everything else exactly."""
    assert found.searches == wanted.searches
    assert found.asked == wanted.asked
    assert found.ends == wanted.ends
    assert [one for one, _ in found.ranking] == [one for one, _ in wanted.ranking]
    assert found.kept == wanted.kept
    for (_, score), (_, other) in zip(found.ranking, wanted.ranking, strict=True):
        assert abs(score - other) <= 1e-6
    assert found.findings == wanted.findings


def drawn(seed: int, *given: Any) -> random.Random:
    """Return a random generator that depends on `seed` and on what a script was given."""
    digest = blake2b(json.dumps([seed, given], sort_keys=True).encode(), digest_size=8)
    return random.Random(digest.hexdigest())

"""What a real model makes of every role: usable replies, tokens, seconds and substitutes.

    python tests/benchmarks/models/real_model.py URL [MODEL]
        [--questions N] [--folder DIR] [--log FILE.jsonl] [--markdown]
        [--at-once N] [--seconds S] [--thinking TOKENS]

Builds an index of a few passages of the sample by rules, so that each model meets the same graph,
and asks the model for pseudo-queries, entities and triples of the passages. Then has every
retriever that can ask a model retrieve for three questions, and some of their results answered and
judged. Prints a row for each role and for each retriever. URL is any OpenAI-compatible server;
MODEL is the first that it offers, if it is not named.

`--thinking` is the room of a model that thinks; without it a reply that repeats itself without end
is cut off early. `--folder` keeps the index with the model's replies: a second run asks only what
is new. `--log` gets every exchange as a line.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.progress import Progress as Bars

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.api.progress import progress_bars
from core.artefacts.entity_graph.model_extraction import Extractor
from core.artefacts.workbench import Workbench
from core.corpus.files import read_files
from core.corpus.types import Corpus
from core.errors import HopRagError, LlmError
from core.evaluation import Outcome
from core.hop_graph.model_questions import ByModel
from core.indexing.updates import build
from core.models.embedder import Embedder, load_embedder
from core.models.kept.replies import Replies
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.oracle import Guess, Oracle, Read, Said, T, unanswered
from core.models.prompt import Prompt
from core.retrievers import CARDS, Spec
from core.runs.measuring import evaluate
from core.runs.question_sets import own_questions
from core.settings import BUNDLED_EMBEDDER, Endpoint
from core.shipping.sample import CORPUS, QUESTIONS
from core.store.index import Index
from tests.benchmarks.printing import Grid, grid, machine, show
from tests.benchmarks.retrieval.recall import telling

ASKED = ("q01", "q30", "q38")
"""Questions of the sample: a bridge, two newspapers with dates, and a sum of years."""
FEW = {"top_k": 3, "n_hop": 2, "rounds": 2}
"""Settings of each retriever that has them, so that a slow model comes to an end."""
ANSWERED = ("dense", "logicrag", "higra-agent")
"""Retrievers whose results are answered from and judged; two of them have findings."""
VARIANTS = ("hoprag-llm(none=false)",)
"""Retrievers with settings that bring a role of their own."""
ADDITIONS = ("candidates", "findings")
"""Prompt files that are added to another one."""
ROLES = tuple(
    sorted(
        path.stem
        for path in (Path(__file__).parents[3] / "core" / "prompts").glob("*.txt")
        if path.stem not in ADDITIONS
    )
)
LEAVE = Leave("a benchmark")


@dataclass(slots=True)
class Role:
    """What came of the prompts of one name."""

    asked: int = 0
    first: int = 0
    second: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0
    seconds: float = 0.0
    troubles: list[str] = field(default_factory=list)

    @property
    def cells(self) -> tuple[str, ...]:
        if not self.asked:
            return "0", "", "", "", "", "", ""
        mean = [number / max(self.calls, 1) for number in (self.tokens_in, self.tokens_out)]
        return (
            str(self.asked),
            str(self.first),
            str(self.second),
            str(self.asked - self.first - self.second),
            *(f"{number:,.0f}" for number in mean),
            f"{self.seconds / max(self.calls, 1):.1f}",
        )


class Heard:
    """The outcomes of all prompts, each prompt once; also written to a file as they come."""

    def __init__(self, log: Path | None = None) -> None:
        self.roles: dict[str, Role] = {name: Role() for name in ROLES}
        self._log = log
        self._known: set[tuple[str, str, str]] = set()

    def add(self, prompt: Prompt, said: Said[object]) -> None:
        """Count what was made of `prompt`, unless it was asked before."""
        value, exchange = said
        key = prompt.name, prompt.system, prompt.user
        if key in self._known:
            return
        self._known.add(key)
        role = self.roles.setdefault(prompt.name, Role())
        tries = len(exchange.replies)
        role.asked += 1
        role.first += value is not None and tries < 2
        role.second += value is not None and tries > 1
        role.calls += tries
        role.tokens_in += exchange.tokens_in
        role.tokens_out += exchange.tokens_out
        role.seconds += exchange.seconds
        if value is None:
            role.troubles.append(exchange.trouble)
        if self._log:
            with self._log.open("a", encoding="utf-8") as lines:
                row = {"role": prompt.name, "usable": value is not None, **asdict(exchange)}
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")


class Listening(Oracle):
    """An `Oracle` that has every outcome counted."""

    heard: Heard

    def ask(self, prompt: Prompt, read: Read[T], guess: Guess[T] | None = None) -> Said[T]:
        try:
            said = super().ask(prompt, read, guess)
        except LlmError as error:
            self.heard.add(prompt, (None, unanswered(self.llm.model, prompt, str(error))))
            raise
        self.heard.add(prompt, said)
        return said


def small_corpus(number: int) -> Corpus:
    """The first questions of `ASKED` in the sample, and their gold documents."""
    sample = read_files([CORPUS, QUESTIONS])
    questions = tuple(one for one in sample.queries if one.id in ASKED[:number])
    gold = {name for one in questions for name in one.gold}
    return Corpus(tuple(one for one in sample.documents if one.id in gold), questions)


def specs() -> list[Spec]:
    """Every retriever that asks a model, itself or in what is built for it, and `ANSWERED`.

    Those for which a model has to build something come last: they take longest.
    """
    found = []
    for spec in map(Spec.parse, (*CARDS, *VARIANTS)):
        if spec.asks_model or _is_built_by_model(spec) or spec.key in ANSWERED:
            small = {name: value for name, value in FEW.items() if name in spec.values}
            found.append(spec.with_settings(**small))
    return sorted(found, key=_is_built_by_model)


def _is_built_by_model(spec: Spec) -> bool:
    return any(need.asks_model for need in spec.card.needs)


def opened(
    folder: Path, corpus: Corpus, oracle: Oracle, embedder: Embedder, bars: Bars
) -> Workbench:
    """The index of `corpus`, built by rules."""
    task = bars.add_task("Building")
    build(folder, corpus, embedder, telling(bars, task))
    making = telling(bars, bars.add_task("Making"))
    return Workbench(Index.open(folder, embedder.info), embedder, oracle, making)


def asked(bench: Workbench, spec: Spec) -> tuple[list[Outcome], str]:
    """The outcomes of a retriever, and why there are none or not all."""
    answers = spec.key in ANSWERED
    try:
        report = evaluate(
            own_questions(bench.index, "evidence"),
            bench.with_leave(LEAVE),
            [spec],
            answers=answers,
            judge=answers,
        )
    except HopRagError as error:
        return [], str(error)
    return list(report.rows), str(report.stopped or "")


def retriever_row(spec: Spec, outcomes: list[Outcome], trouble: str) -> tuple[str, ...]:
    turned = sum(one.model.turned_to for one in outcomes)
    substituted = sum(one.model.fallbacks for one in outcomes)
    gold = [rank for one in outcomes for rank in one.ranks.values()]
    found = sum(rank is not None for rank in gold)
    right = [one.score.em for one in outcomes if one.score]
    judged = [one.judge for one in outcomes if one.judge is not None]
    return (
        str(spec),
        str(turned),
        str(substituted),
        f"{found} of {len(gold)}",
        f"{sum(right):.0f} of {len(right)}" if right else "",
        f"{sum(judged):.0f} of {len(judged)}" if judged else "",
        trouble[:60],
    )


def tables(heard: Heard, retrieved: list[tuple[str, ...]]) -> Iterator[Grid]:
    roles = [(name, *role.cells) for name, role in heard.roles.items()]
    yield grid(
        "Replies by role; tokens and seconds are means of a call",
        ("role", "asked", "usable at once", "at the 2nd try", "unusable", "tokens in", "out", "s"),
        roles,
    )
    yield grid(
        "Steps that asked the model, and those in which rules stood in",
        ("retriever", "asked", "substituted", "gold found", "EM", "judged right", ""),
        retrieved,
    )
    troubles = [
        (name, text[:140])
        for name, role in heard.roles.items()
        for text in dict.fromkeys(role.troubles)
    ]
    if troubles:
        yield grid("Why replies were unusable", ("role", "reason"), troubles)


@contextmanager
def kept_in(folder: Path | None) -> Iterator[Path]:
    """`folder`, or one that is there for as long as it is needed."""
    if folder:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="hoprag-") as made:
        yield Path(made) / "index"


def first_model(url: str) -> str:
    return Llm(Endpoint("", url)).models()[0]


def run(
    oracle: Oracle, corpus: Corpus, embedder: Embedder, folder: Path
) -> Iterator[tuple[str, ...]]:
    """Yield a row for each retriever, after the pseudo-queries were asked for."""
    with progress_bars() as bars:
        bench = opened(folder, corpus, oracle, embedder, bars)
        with suppress(LlmError):  # no usable question at all, which its row says
            list(ByModel(oracle)(bench.index.passages))
        with suppress(LlmError):
            Extractor(oracle)(bench.index.passages, lambda _: None)
        task = bars.add_task("Asking", total=len(wanted := specs()))
        for spec in wanted:
            bars.update(task, description=str(spec))
            yield retriever_row(spec, *asked(bench, spec))
            bars.advance(task)


def main() -> None:
    parser = argparse.ArgumentParser(description="Go through all roles of a model.")
    parser.add_argument("url")
    parser.add_argument("model", nargs="?")
    parser.add_argument("--questions", type=int, default=len(ASKED))
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--thinking", type=int, default=0)
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    model = given.model or first_model(given.url)
    endpoint = Endpoint(
        model,
        given.url,
        at_once=given.at_once,
        seconds=given.seconds,
        thinking=given.thinking,
    )
    embedder = load_embedder(BUNDLED_EMBEDDER)
    heard = Heard(given.log)
    with kept_in(given.folder) as folder:
        oracle = Listening(Llm(endpoint), Replies(folder), LEAVE)
        oracle.heard = heard
        retrieved = list(run(oracle, small_corpus(given.questions), embedder, folder))
    about = f"{model}, {machine(embedder.info.precision)}"
    show(about, tables(heard, retrieved), markdown=given.markdown)


if __name__ == "__main__":
    main()

"""Small indexes that a retriever over entities and its slow reference both rank."""

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.exact import ExactEmbedder
from tests.core.five import corpus, silent
from tests.estmark import QUESTIONS

NAMES = tuple(f"{a} {b}" for a in ("Ada", "Bo", "Cyra") for b in ("Birch", "Ash", "Elmwood"))
PLACES = ("Port Selby", "River Ash", "Lantern Ground")
VERBS = ("met", "left", "painted")


@pytest.fixture(scope="session")
def questions() -> tuple[str, ...]:
    """Return every ninth question of the sample, and one that says a word twice."""
    rows = QUESTIONS.read_text(encoding="utf-8").splitlines()
    texts = [json.loads(row)["question"] for row in rows]
    return (*texts[::9], *(text for text in texts if text.count(" leading ") > 1))


@pytest.fixture(scope="session")
def graph_world(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Workbench]:
    """Return a function that builds the random world of a seed, once."""

    @cache
    def built(seed: int) -> Workbench:
        return _built(tmp_path_factory.mktemp("world") / f"{seed}", documents(seed))

    return built


@pytest.fixture(scope="session")
def no_names(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """Return an index whose passages name nothing."""
    texts = ("so it goes", "as it was, so it goes", "nobody says where")
    nameless = [Document(f"n{place}", "", text) for place, text in enumerate(texts)]
    return _built(tmp_path_factory.mktemp("world") / "no names", nameless)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """Return an index with two titles, three facts, and two parts that nothing connects."""
    told = [
        Document("birch", "Ada Birch", "Ada Birch met nobody. It rained."),
        Document("selby", "Port Selby", "Port Selby is a town."),
    ]
    return _built(tmp_path_factory.mktemp("world") / "small", told)


def _built(folder: Path, told: list[Document]) -> Workbench:
    build(folder, corpus(*told), ExactEmbedder(8), silent)
    return bench_on(folder, ExactEmbedder(8))


def documents(seed: int) -> list[Document]:
    """Return twelve passages, some untitled or with the same sentences, so that scores tie."""
    rng = random.Random(seed)
    stock = [
        f"{rng.choice(NAMES)} {rng.choice(VERBS)} {rng.choice(NAMES)} at the {rng.choice(PLACES)}."
        for _ in range(5)
    ]
    found = []
    for number in range(12):
        title = rng.choice([*NAMES, *PLACES, "", "", ""])
        own = [
            f"{title or 'Nobody'} {rng.choice(VERBS)} {rng.choice((*NAMES, *PLACES))} in "
            f"{rng.choice((1901, 1950))}."
            for _ in range(rng.randrange(3))
        ]
        told = [*own, *rng.sample(stock, rng.randrange(3)), "It rained."]
        found.append(Document(f"d{number}", title, " ".join(told)))
    return found


def asked(seed: int) -> tuple[str, ...]:
    """Return the questions put to the world of a seed."""
    rng = random.Random(seed + 1_000)
    one, other = rng.sample(NAMES, 2)
    return (
        f"Who {rng.choice(VERBS)} {one} at the {rng.choice(PLACES)}?",
        f"Where was the painter whom {one} met, and who left {other}?",
        "Who met whom?",
    )

"""Small indexes that a retriever over entities and its slow reference both rank."""

import json
import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from core.artefacts.workbench import Workbench
from core.corpus.extraction_files import Extraction, read_extraction
from core.indexing.updates import build
from core.types import Document
from core.vectors import Vectors
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.estmark import QUESTIONS

NAMES = tuple(f"{a} {b}" for a in ("Ada", "Bo", "Cyra") for b in ("Birch", "Ash", "Elmwood"))
PLACES = ("Port Selby", "River Ash", "Lantern Ground")
VERBS = ("met", "left", "painted")


class CoarseEmbedder(WordEmbedder):
    """As `WordEmbedder`, but the numbers of a vector are multiples of 1/4, so that cosines tie."""

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        rounded: Vectors = np.round(super().encode(texts, progress) * 4) / 4
        return rounded


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
def triples(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """Return the world of seed 5 in which half of the passages have imported triples."""
    folder = tmp_path_factory.mktemp("world")
    file = folder / "triples.jsonl"
    rng, told = random.Random(5), documents(5)
    ends = [*NAMES, *PLACES, "the 1901 flood", "1901", "Ada Birch (painter)"]
    records = [
        {
            "passage": document.id,
            "entities": rng.sample(ends, 2),
            "triples": [
                [rng.choice(ends), rng.choice(VERBS), rng.choice(ends)]
                for _ in range(rng.randrange(4))
            ],
        }
        for document in told[::2]
    ]
    file.write_text("\n".join(map(json.dumps, records)))
    return _built(folder / "i", told, extraction=read_extraction(file))


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


def _built(folder: Path, told: list[Document], **imported: Extraction) -> Workbench:
    build(folder, corpus(*told), CoarseEmbedder(8), silent, **imported)
    return bench_on(folder, CoarseEmbedder(8))


def documents(seed: int) -> list[Document]:
    """Return twelve passages, some untitled, and two of them reversed, so that scores tie."""
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
    again = rng.sample(found, 2)
    return [*found, *map(reversed_text, again)]


def reversed_text(document: Document) -> Document:
    """Return the document with its sentences reversed, which coarse vectors may not tell."""
    sentences = document.text.removesuffix(".").split(". ")
    return Document(f"again-{document.id}", document.title, ". ".join(sentences[::-1]) + ".")


def asked(seed: int) -> tuple[str, ...]:
    """Return the questions put to the world of a seed."""
    rng = random.Random(seed + 1_000)
    one, other = rng.sample(NAMES, 2)
    return (
        f"Who {rng.choice(VERBS)} {one} at the {rng.choice(PLACES)}?",
        f"Where was the painter whom {one} met, and who left {other}?",
        "Who met whom?",
    )

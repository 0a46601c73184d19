"""Small random worlds, and slow searches in their raw tables."""

import random
from pathlib import Path
from typing import Any

import numpy as np

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.types import Document, Passage
from tests.core.artefacts.demonstration import bench_on
from tests.core.exact import ExactEmbedder
from tests.core.five import corpus, silent

NAMES = tuple(f"{a} {b}" for a in ("Ada", "Bo", "Cy") for b in ("Birch", "Ash", "Elm"))
TOWNS = ("Selby", "Merrow", "Harrow", "Lindry")
ALIKE, LONG = "Ada0 Bo3", "ki lo me na"
"""Titles that lead to similar texts, and to a text of 400 words."""
_VERBS = ("met", "left", "saw", "painted", "taught")


def sentence(rng: random.Random, subject: str = "") -> str:
    """Return a random sentence with a name, a town or a year."""
    verb, name, town = rng.choice(_VERBS), rng.choice(NAMES), rng.choice(TOWNS)
    subject = subject or rng.choice(NAMES)
    return rng.choice(
        (
            f"{subject} {verb} {name}.",
            f"{subject} {verb} {name} in {town}.",
            f"{subject} lived in {town} in {rng.randrange(1900, 1990)}.",
            f"{town} is where {subject} {verb} {name}.",
        )
    )


def random_documents(seed: int) -> tuple[Document, ...]:
    """Return documents of random sentences; some have equal or similar texts, one is long."""
    rng = random.Random(seed)
    documents = []
    for number, name in enumerate((*NAMES, *TOWNS)):
        text = " ".join(sentence(rng, name) for _ in range(rng.randrange(1, 5)))
        documents.append(Document(f"d{number}", name, text))
    copied = rng.choice(documents)
    ten = [f"{name.split()[0]}{n}" for n, name in enumerate((*NAMES, "Dee"))]
    twenty = [*ten, *(f"{town}{n}" for n in range(5) for town in TOWNS[:2])]
    documents += (
        Document("same", copied.title, copied.text),
        Document("ten", ALIKE, f"{' '.join(ten)}."),
        Document("nine of ten", ALIKE, f"{' '.join(ten[:9])}."),
        Document("eight of nine", ALIKE, f"{' '.join(ten[:8])}."),
        Document("twenty", ALIKE, f"{' '.join(twenty)}."),
        Document("another twenty", ALIKE, f"{' '.join(twenty[:-1])} Ash."),
        Document("long", LONG, " ".join(rng.choice(LONG.split()) for _ in range(400))),
    )
    rng.shuffle(documents)
    return tuple(documents)


def build_world(folder: Path, documents: tuple[Document, ...]) -> Workbench:
    """Build an index of `documents` whose cosines are exact; open it."""
    build(folder, corpus(*documents, queries=()), ExactEmbedder(), silent)
    return bench_on(folder, ExactEmbedder())


def nearest(bench: Workbench, text: str, count: int) -> list[Passage]:
    """Return the `count` passages with the highest dot product, ties in the index's order."""
    asked = [float(x) for x in bench.embedder.encode([text])[0]]
    scores = {}
    for number, vector in enumerate(np.asarray(bench.index.vectors).tolist()):
        scores[number] = sum(x * y for x, y in zip(vector, asked, strict=True))
    order = sorted(scores, key=lambda number: (-scores[number], number))
    return [bench.index.passages[number] for number in order[:count]]


def in_turns(lists: dict[str, list[str]]) -> list[str]:
    """Return the first of each list, the second of each, and so on, each once."""
    merged: list[str] = []
    longest = max([0, *(len(one) for one in lists.values())])
    for place in range(longest):
        for one in lists.values():
            if place < len(one) and one[place] not in merged:
                merged.append(one[place])
    return merged


def by_place(ids: list[str]) -> list[tuple[str, float]]:
    """Return each id with the score 1/n, n its place."""
    return [(one, 1 / place) for place, one in enumerate(ids, start=1)]


def reciprocal(lists: dict[str, list[str]], k0: float) -> list[tuple[str, float]]:
    """Return ids by the sum of 1/(k0 + rank), ties as they come when the lists take turns."""
    turns = in_turns(lists)
    scores: dict[str, Any] = {
        one: sum(1 / (k0 + ids.index(one) + 1) for ids in lists.values() if one in ids)
        for one in turns
    }
    return sorted(scores.items(), key=lambda item: (-item[1], turns.index(item[0])))

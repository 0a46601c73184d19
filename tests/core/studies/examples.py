"""Study files for tests, on the index of the five passages."""

from pathlib import Path

from tests.core.five import QUESTION

TEXT = """
title = "Hops"
about = "A small study."
retrievers = ["bm25", "hoprag-similarity(n_hop=1..2)"]
measures = ["R@2", "R@5", "retrieval F1", "judgements", "seconds"]

[settings]
top_k = [2, 3]

[data]
questions = "asked.jsonl"

[[views]]
kind = "table"
by = "type"

[[views]]
kind = "curve"
measures = ["R@5"]
over = "n_hop"

[[views]]
kind = "bars"
measures = ["R@5"]

[[views]]
kind = "pareto"
measures = ["R@5"]
against = "judgements"

[[views]]
kind = "heat"
measures = ["R@5"]
over = "n_hop"
rows = "top_k"

[[papers]]
source = "A paper, Table 1"
columns = ["F1"]
here = ["retrieval F1"]
rows = [
  { system = "two hops", retriever = "hoprag-similarity(n_hop=2,top_k=3)", values = [41.5] },
  { system = "unknown here", values = [nan] },
]
"""
ASKED = (
    f'{{"id": "q1", "question": "{QUESTION.text}", "gold": ["owner", "town"], "type": "bridge"}}\n'
    '{"id": "q2", "question": "Who toured with the Low Tide Band?", "gold": ["singer"],'
    ' "type": "single"}\n'
    '{"id": "q3", "question": "Where does the Lantern Ground stand?",'
    ' "gold": ["stadium", "town"], "type": "bridge"}\n'
)


def write_study(folder: Path, text: str = TEXT, name: str = "hops") -> Path:
    """Write a study and the questions that it asks; returns its file."""
    (folder / "asked.jsonl").write_text(ASKED)
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path

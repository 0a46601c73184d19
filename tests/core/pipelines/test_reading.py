"""Files of results in the formats of other tools."""

import json
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest

from core.errors import InputError
from core.pipelines import Context, Result, results_of_file

QUESTION = "Who built the ferry's yard?"
FERRY, YARD = "The ferry was rebuilt by the yard.", "The yard was founded by Iris Colm."
PLAIN = Result("q1", QUESTION, (Context(FERRY, "p7", "Ferry", 0.9), Context(YARD)), "Iris Colm")
RAGAS = {
    "user_input": QUESTION,
    "retrieved_contexts": [FERRY, YARD],
    "retrieved_context_ids": ["p7", 8],
    "response": "Iris Colm",
    "reference": "Iris Colm",
    "reference_contexts": [YARD],
}
LLAMA_INDEX = {
    "query": QUESTION,
    "source_nodes": [
        {"node": {"id_": "n1", "text": FERRY, "metadata": {"title": "Ferry"}}, "score": 0.9}
    ],
}
LANGCHAIN = {
    "question": QUESTION,
    "documents": [{"page_content": FERRY, "metadata": {"title": "Ferry", "id": "n1"}}],
}


def written(folder: Path, name: str, value: object) -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def plain() -> dict[str, object]:
    contexts = [{"text": FERRY, "id": "p7", "title": "Ferry", "score": 0.9}, {"text": YARD}]
    return {"id": "q1", "question": QUESTION, "contexts": contexts, "answer": "Iris Colm"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (plain(), PLAIN),
        ([plain()], PLAIN),
        ({"results": [plain()]}, PLAIN),
        (
            RAGAS,
            Result(
                question=QUESTION,
                contexts=(Context(FERRY, "p7"), Context(YARD, "8")),
                answer="Iris Colm",
                answers=("Iris Colm",),
                references=(YARD,),
            ),
        ),
        (
            {"question": [QUESTION], "contexts": [[FERRY, YARD]], "answer": ["Iris Colm"]},
            Result("", QUESTION, (Context(FERRY), Context(YARD)), "Iris Colm"),
        ),
        (
            {
                "results": [
                    {
                        "query_id": "q1",
                        "query": QUESTION,
                        "gt_answer": "Iris Colm",
                        "response": "Colm",
                        "retrieved_context": [{"doc_id": "p7", "text": FERRY}],
                    }
                ]
            },
            Result("q1", QUESTION, (Context(FERRY, "p7"),), "Colm", ("Iris Colm",)),
        ),
        (
            {"q1": {"p8": 0.2, "p7": 0.7}},
            Result("q1", contexts=(Context(id="p7", score=0.7), Context(id="p8", score=0.2))),
        ),
        (
            [
                {
                    "question": QUESTION,
                    "answer": "Colm",
                    "gold_answers": ["Iris Colm"],
                    "docs": [FERRY, YARD],
                    "doc_scores": [0.5, 0.25],
                    "gold_docs": [YARD],
                }
            ],
            Result(
                "",
                QUESTION,
                (Context(FERRY, score=0.5), Context(YARD, score=0.25)),
                "Colm",
                ("Iris Colm",),
                (YARD,),
            ),
        ),
        (LLAMA_INDEX, Result("", QUESTION, (Context(FERRY, "n1", "Ferry", 0.9),))),
        (LANGCHAIN, Result("", QUESTION, (Context(FERRY, "n1", "Ferry"),))),
    ],
    ids="plain list results ragas columns ragchecker beir hipporag llamaindex langchain".split(),
)
def test_json_of_other_tools(tmp_path: Path, value: object, expected: Result):
    assert results_of_file(written(tmp_path, "made.json", value)) == [expected]


def test_json_lines(tmp_path: Path):
    path = written(tmp_path, "made.jsonl", f"{json.dumps(plain())}\n\n{json.dumps(RAGAS)}\n")
    assert [one.question for one in results_of_file(path)] == [QUESTION, QUESTION]


def test_the_cache_folder_of_the_papers_own_code(tmp_path: Path):
    """Its files are named by the id of the question."""
    path = tmp_path / "cache.zip"
    with ZipFile(path, "w") as archive:
        told = {"response": "Iris Colm", "context": [FERRY, YARD], "scores": [2.0, 1.0]}
        archive.writestr("cache/2hop__1_2.json", json.dumps(told))
    contexts = (Context(FERRY, score=2.0), Context(YARD, score=1.0))
    assert results_of_file(path) == [Result("2hop__1_2", "", contexts, "Iris Colm")]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_tables_have_a_list_or_one_context_a_row(tmp_path: Path, kind: str):
    def table(rows: list[dict[str, object]]) -> Path:
        path = tmp_path / f"made.{kind}"
        frame = pd.DataFrame(rows)
        frame.to_csv(path, index=False) if kind == "csv" else frame.to_parquet(path)
        return path

    whole = table([{"question": QUESTION, "contexts": json.dumps([FERRY, YARD])}])
    expected = [Result("", QUESTION, (Context(FERRY), Context(YARD)))]
    assert results_of_file(whole) == expected
    apart = table(
        [
            {"question": QUESTION, "context": YARD, "rank": 2},
            {"question": QUESTION, "context": FERRY, "rank": 1},
        ]
    )
    assert results_of_file(apart) == expected


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", "{broken", "Line 1 of a.json is not valid JSON"),
        ("a.json", "[1, 2]", "Record 1 of a.json is not an object"),
        (
            "a.json",
            '[{"question": "q"}]',
            r"Record 1 .* has no contexts, only the fields question",
        ),
        ("a.json", "[]", "contains no results"),
        ("a.jsonl", '{"question": "q", "contexts": []}\n{', "Line 2 of a.jsonl is not valid JSON"),
        ("a.zip", "no archive", "not a readable zip file"),
        ("a.json", "[" * 100_000, "nested too deeply|broken JSON"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, content: str, said: str):
    with pytest.raises(InputError, match=said):
        results_of_file(written(tmp_path, name, content))

import json
from pathlib import Path

from core.marks import set_gold
from core.store.index import Index
from tests.core.cli.calling import Cli
from tests.core.five import QUESTION


def test_measuring_says_where_marks_say_otherwise(cli: Cli, index: Path, asked: Path) -> None:
    set_gold(Index.open(index), QUESTION.text, "town", gold=False)
    done = cli("evaluate", asked, "--index", index, "--retrievers", "bm25")
    assert "1 question, the gold marks" in done.stderr
    assert "Gold ids marked" not in done.stderr


def test_two_settings_of_one_retriever_stand_side_by_side(
    cli: Cli, index: Path, asked: Path, tmp_path: Path
) -> None:
    out = tmp_path / "measures.json"
    both = "hybrid-rrf, hybrid-rrf(top_k=1, k0=5)"
    done = cli(
        "evaluate", asked, "--index", index, "--retrievers", both,
        "--baseline", "hybrid-rrf(k0=5,top_k=1)", "--json", out,
    )  # fmt: skip
    assert done.exit_code == 0
    written = json.loads(out.read_text())
    assert list(written["retrievers"]) == ["hybrid-rrf", "hybrid-rrf(top_k=1,k0=5)"]
    assert written["paired"]["baseline"] == "hybrid-rrf(top_k=1,k0=5)"


def test_evaluating(cli: Cli, index: Path, asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "measures.json"
    done = cli("evaluate", asked, "--index", index, "--retrievers", "bm25, dense", "--json", out)
    assert done.exit_code == 0
    written = json.loads(out.read_text())
    assert list(written) == [*("retrievers", "gold_not_in_index", "gold", "gold_by_hand", "paired")]
    assert written["gold"] == "document"
    measured = written["retrievers"]
    assert list(measured) == ["bm25", "dense"]
    assert measured["bm25"]["all"]["R@20"] == 100.0
    assert measured["bm25"]["by_dataset"]["five"]["n"] == 1
    assert written["paired"]["baseline"] == "bm25"
    assert written["paired"]["retrievers"]["dense"]["all"]["R@20"]["n"] == 1
    assert "R@20" in done.stdout
    assert "100.0" in done.stdout
    assert "minus bm25, paired by question" in done.stdout


def test_the_baseline_is_asked_too(cli: Cli, index: Path, asked: Path) -> None:
    done = cli("evaluate", asked, "--index", index, "--retrievers", "bm25", "--baseline", "dense")
    assert "minus dense, paired by question" in done.stdout
    alone = cli("evaluate", asked, "--index", index, "--retrievers", "bm25").stdout
    assert "R@20" in alone
    assert "paired by question" not in alone


def test_gold_that_is_not_there_is_said(cli: Cli, index: Path, tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"question": "Who?", "gold": ["p9"]}')
    done = cli("evaluate", questions, "--index", index, "--retrievers", "bm25")
    assert "1 gold id is not in this index and counts as missed, such as p9" in done.stderr
    assert "1 gold id is not in this index" in done.stdout


def test_the_ceiling(cli: Cli, index: Path, tmp_path: Path) -> None:
    questions, out = tmp_path / "q.jsonl", tmp_path / "ceiling.json"
    rows = (
        {"id": "q1", "question": QUESTION.text, "gold": [*QUESTION.gold, "p9"]},
        {"id": "q2", "question": "Who?"},
    )
    questions.write_text("\n".join(map(json.dumps, rows)))
    done = cli("ceiling", questions, "--index", index, "--json", out)
    assert done.exit_code == 0
    assert "Left out: 1 question without gold" in done.stderr
    assert "1 gold id is not in this index and counts as missed, such as p9" in done.stderr
    assert "of 3 gold" in done.stdout
    assert "HopRAG (coverage) retrieves 2 of 3 gold passages in its top 5" in done.stdout
    written = json.loads(out.read_text())
    assert (written["gold"], written["graph"]["passages"]) == ("document", 5)
    losses = {each["id"]: each["loss"] for each in written["questions"][0]["gold"]}
    assert losses == {"owner": None, "town": None, "p9": "index"}
    refused = cli("ceiling", questions, "--index", index, "--retriever", "bm25")
    assert refused.exit_code == 2
    assert "Choose one of hoprag-coverage, hoprag-similarity" in refused.stderr


def test_top_k_is_that_of_each_retriever_that_does_not_say_its_own(
    cli: Cli, index: Path, asked: Path, tmp_path: Path
) -> None:
    out = tmp_path / "measures.json"
    specs = "bm25,dense(top_k=20),rerank(over=bm25)"
    done = cli(
        "evaluate", asked, "--index", index, "--retrievers", specs, "--top-k", "1", "--json", out
    )
    assert done.exit_code == 0
    measured = json.loads(out.read_text())["retrievers"]
    assert list(measured) == ["bm25(top_k=1)", "dense", "rerank(top_k=1,over=bm25)"]
    for name in ("nDCG@10", "RR", "AP"):
        assert name in done.stdout
        assert measured["dense"]["all"][name] > measured["bm25(top_k=1)"]["all"][name]
    assert measured["dense"]["all"]["P@20"] == 100 * 2 / 20
    assert measured["dense"]["all"]["R@1000 tokens"] == 100

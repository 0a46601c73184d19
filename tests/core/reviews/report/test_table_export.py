"""Reviews leave as CSV, JSON Lines and a report, in which every text is shown letter by letter."""

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.reviews import Code, Review, by_id
from core.reviews.losses.lost_gold import Case, Lost
from core.reviews.report.markdown import escape
from core.reviews.report.markdown_report import report
from core.reviews.report.table_export import HEADS, to_csv, to_jsonl

CODES = by_id([Code(1, "person", "wrong entity"), Code(2, "*town*", "wrong entity")])
NOTE = "# Took <b>the brewer</b>\n![x](http://x.invalid/p.png) =1+1"
REVIEWS = [
    Review("ada", "Who?", "bm25", "fail", found="cut", note=NOTE, labels=(1, 2), at="2026-01-01"),
    Review("bo", "Who?", "bm25", "fail", stage="far", found="cut", note="=SUM(A1)", labels=(2,)),
    Review("ada", "Where?", "bm25", "pass", run="r2", gold=("a", "b")),
]


CUT = Lost("t", "Town|Hall", "below the top 20", "rank 23, 0.042 below", "top_k 20 to 23: rank 22")
CASES = {("Who?", "bm25"): Case("bridge", (CUT,), "evidence")}


def test_a_table_has_a_row_for_each_review_and_begins_no_formula() -> None:
    rows = list(
        csv.DictReader(io.StringIO(to_csv(REVIEWS, CODES, CASES, {"r2": "Run 2"}).decode()))
    )
    assert tuple(rows[0]) == tuple(HEADS.values())
    assert not any("_" in name for name in rows[0])
    assert (rows[0]["Labels"], rows[0]["Labels before merging"]) == (
        "wrong entity",
        "person; *town*",
    )
    assert (rows[1]["Lost at"], rows[1]["Lost at, as traced"], rows[1]["Note"]) == (
        "out of reach",
        "below the top k",
        "'=SUM(A1)",
    )
    assert rows[0]["Lost gold"] == "Town|Hall: below the top 20, rank 23, 0.042 below"
    assert rows[0]["What would retrieve it"] == "Town|Hall: top_k 20 to 23: rank 22"
    assert rows[2]["Lost gold"] == ""
    assert (rows[2]["Run"], rows[2]["Gold ids"]) == ("Run 2", "a; b")
    assert [row["Gold counts"] for row in rows] == ["evidence", "evidence", ""]
    assert [row["Question type"] for row in rows] == ["bridge", "bridge", ""]


def test_json_lines_keep_labels_apart() -> None:
    rows = [json.loads(line) for line in to_jsonl(REVIEWS, CODES, CASES).decode().splitlines()]
    assert rows[0]["labels"] == ["person", "*town*"]
    assert rows[0]["axial_labels"] == ["wrong entity"]
    assert rows[0]["note"] == NOTE
    assert rows[0]["gold_level"] == "evidence"
    assert rows[0]["lost"][0]["kept_by"] == CUT.kept_by


def test_the_report_has_numbers_funnel_labels_agreement_and_quotes() -> None:
    runs = {review.run: "Run 1" for review in REVIEWS}
    told = report("five by bm25", REVIEWS, CODES, CASES, listed=7, date="2026-01-02", runs=runs)
    assert f"| Run 1 | {len(REVIEWS)} |" in told
    assert ", on Run 1)" in told
    assert "ada and bo judged 2 of 7 results. The sections below cover only these." in told
    assert "| below the top k | 1 |" not in told  # bo says otherwise of the same result
    assert "| out of reach | 1 |" in told
    assert "Reviewers changed the stage in 1 review." in told
    assert "| ada and bo | verdict | 1 | 1 | too few results |" in told
    assert "**wrong entity** combines person and \\*town\\*." in told
    assert "| Who? | bm25 | Town\\|Hall | below the top 20: rank 23, 0.042 below | top_k" in told
    html = MarkdownIt("commonmark").enable("table").render(told)
    assert "<img" not in html
    assert "<b>the" not in html
    assert "<blockquote>\n<p># Took &lt;b&gt;the brewer&lt;/b&gt;" in html


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30))
def test_whatever_is_noted_is_shown_as_it_is(text: str) -> None:
    (paragraph, inline, end) = MarkdownIt("commonmark").parse(escape(text))
    assert (paragraph.type, end.type) == ("paragraph_open", "paragraph_close")
    told = "".join(child.content for child in inline.children or ())
    assert told == text

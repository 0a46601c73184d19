"""Traces recorded, written and read back; files that must not be believed."""

import csv
import gzip
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.marks import Gold, Made
from core.playback import columns, drawn_lines, frame
from core.playback.layers import things
from core.steps import ROOT, Arrival, Asked, Began, Offer, Offered, Ranked, result
from core.traces import Trace, dump, load, record
from core.traces import jsonl as trace_file
from core.traces.table import ranking_csv
from tests.core.walks import traces
from tests.core.worlds import EDGES, ONE_SHOT, PASSAGES, QUERY, WALK, ScriptedRetriever, WorldIndex

GOLDEN = Path(__file__).parents[1] / "golden"
OF_VERSION_2 = [p for p in sorted(GOLDEN.rglob("*.jsonl")) if b'"version":2' in p.read_bytes()[:99]]
NEW_FIELDS = ("gold_by_hand", "gold_removed", "gold_absent", "gold_marked", "amendments")
TRACE = record(ScriptedRetriever(), QUERY, WorldIndex(), gold=("town", "a document"))


def lines(trace: Trace = TRACE) -> list[dict]:
    return [json.loads(line) for line in dump(trace).decode().splitlines()]


def text(records: list[dict]) -> str:
    return "\n".join(json.dumps(line) for line in records)


def changed(number: int, *path, to) -> str:
    """The file of `TRACE` with one value of line `number` (from 1) replaced."""
    records = lines()
    place = records[number - 1]
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = to
    return text(records)


def line_of(kind: str) -> int:
    return next(n for n, line in enumerate(lines(), start=1) if kind in line)


def refusal(data: bytes | str) -> str:
    with pytest.raises(InputError) as caught:
        load(data)
    return str(caught.value)


def test_what_was_ranked_is_a_table():
    rows = list(csv.DictReader(ranking_csv(TRACE).decode().splitlines()))
    ranked = result(TRACE.steps)
    hits = (*ranked.hits, *ranked.pruned)
    assert [row["passage"] for row in rows] == [hit.passage_id for hit in hits]
    assert [row["rank"] for row in rows] == [str(n) for n in range(1, len(hits) + 1)]
    assert [row["kept"] for row in rows].count("yes") == len(ranked.hits)
    assert {row["passage"] for row in rows if row["gold"] == "given"} == {"town"}
    assert float(rows[0]["score"]) == pytest.approx(hits[0].score)


def test_record_keeps_what_the_steps_name():
    assert (TRACE.query, TRACE.retriever) == (QUERY, "hoprag-similarity")
    assert (TRACE.index, TRACE.graph_version) == ("five", "g1")
    assert TRACE.steps == WALK
    assert TRACE.passages == PASSAGES
    assert TRACE.edges == {name: EDGES[name] for name in ("owned", "plays", "born", "married")}
    assert TRACE.gold == ("town", "a document")
    assert datetime.fromisoformat(TRACE.created).tzinfo is not None


def test_record_keeps_both_ends_of_an_entry_edge():
    lies = Offer("town", 0.5, taken=True, tie="lies", label="Where does the stadium lie?")
    seeded = Offered(ROOT, "edges", (lies,), (Arrival("town", (), "lies"),), entry=True)
    trace = record(
        ScriptedRetriever((WALK[0], seeded, replace(WALK[-1], hits=(), pruned=()))),
        "?",
        WorldIndex(),
    )
    assert (set(trace.passages), set(trace.edges)) == ({"town", "stadium"}, {"lies"})
    assert load(dump(trace)) == trace


def test_record_of_a_one_shot_method():
    trace = record(ScriptedRetriever(ONE_SHOT), QUERY, WorldIndex())
    assert (set(trace.passages), trace.edges) == ({"club", "town"}, {})
    assert load(dump(trace)) == trace


def test_a_retriever_that_breaks_the_contract_is_a_mistake():
    with pytest.raises(ValueError, match="must end with Ranked"):
        record(ScriptedRetriever(WALK[:-1]), QUERY, WorldIndex())


def test_the_file_is_a_header_then_passages_edges_and_steps():
    kinds = [next(iter(line)) for line in lines()[1:]]
    assert lines()[0]["format"] == "hoprag-trace"
    assert lines()[0]["version"] == 11
    assert kinds[: 5 + 4] == ["passage"] * 5 + ["edge"] * 4
    assert kinds[9:] == [type(step).__name__.lower() for step in WALK]


@given(traces())
def test_a_round_trip_is_equal(trace):
    assert load(dump(trace)) == trace
    assert load(dump(trace).decode()) == trace


def test_separators_html_and_other_scripts_survive():
    odd = "<b>\u2028\u0085 'x' \\ \u202e \x00 \r\n 日本 😀"
    passages = dict(TRACE.passages) | {"town": replace(PASSAGES["town"], title=odd, text=odd)}
    trace = replace(TRACE, query=odd, passages=passages)
    assert load(dump(trace)) == trace


def test_types_of_settings_survive():
    settings = {"n": 1, "x": 1.0, "big": 1e99, "yes": True, "no": False, "s": "1"}
    trace = replace(TRACE, steps=(replace(WALK[0], settings=settings), *WALK[1:]))
    loaded = load(dump(trace)).steps[0].settings
    assert {name: (type(v), v) for name, v in loaded.items()} == {
        name: (type(v), v) for name, v in settings.items()
    }


def test_windows_line_ends_a_byte_order_mark_and_blank_lines_are_fine():
    data = b"\xef\xbb\xbf" + dump(TRACE).replace(b"\n", b"\r\n") + b"\r\n\r\n"
    assert load(data) == TRACE


@pytest.mark.parametrize(
    "data",
    [b"", "", "\n \n", "hello", "[]", "null", "{}", '{"format": "other", "version": 1}',
     '{"format": "hoprag-trace"}', '{"format": "hoprag-trace", "version": "1"}',
     '{"format": "hoprag-trace", "version": true}', '{"id": "a", "text": "b"}', "[" * 10_000],
)  # fmt: skip
def test_a_foreign_file(data):
    assert "its first line is not the header of a HopRAG Explorer trace" in refusal(data)


@pytest.mark.parametrize("data", [gzip.compress(b"x", mtime=0), b"\xff\xfe", dump(TRACE) + b"\x80"])
def test_a_file_that_is_not_text(data):
    assert "not UTF-8 text" in refusal(data)


def test_a_newer_version_says_to_update():
    assert "version 12" in (message := refusal(changed(1, "version", to=12)))
    assert "Update HopRAG Explorer" in message
    assert "version is unknown" in refusal(changed(1, "version", to=0))


def test_gold_says_who_marked_it_and_what_the_index_does_not_hold():
    gold = Gold(
        given=("town", "a document"),
        added=("owner",),
        removed=("club",),
        absent=("a document",),
        made={"owner": Made("<b>Ana</b>", "2026-11-22T12:04:00+00:00")},
    )
    trace = load(dump(TRACE.with_gold(gold)))
    assert trace.gold == ("town", "a document", "owner")
    assert trace.by_hand == ("owner",)
    assert trace.removed == ("club",)
    assert trace.absent == ("a document",)
    assert trace.kept_gold.told == {"owner": "by <b>Ana</b>, 22 Nov 2026, 12:04 UTC"}
    kept = trace.kept_gold
    assert [kept.author_of(name) for name in kept.ids] == ["given", "given", "hand"]
    assert kept.passage_ids == {"town", "owner"}


def test_a_file_of_version_4_has_gold_of_the_question_set_only():
    old = lines()
    header = {k: v for k, v in old[0].items() if k not in NEW_FIELDS} | {"version": 4}
    trace = load("\n".join(map(json.dumps, [header, *old[1:]])))
    assert trace == TRACE


@pytest.mark.parametrize("name", ["gold_by_hand", "gold_absent"])
def test_what_is_no_gold_is_not_marked_by_hand(name):
    assert "'club' is listed as gold" in refusal(changed(1, name, to=["club"]))
    assert "'town' is gold, but its mark" in refusal(changed(1, "gold_removed", to=["town"]))


@pytest.mark.parametrize(
    ("at", "told"),
    [("soon", "Invalid isoformat"), ("0001-01-01T00:00:00+14:00", "before the year 1")],
)
def test_who_marked_gold_is_said_of_marks_only_and_with_a_time(at, told):
    made = {"who": "Ana", "at": "2026-11-22T12:04:00+00:00"}
    assert "'town' is listed as marked" in refusal(changed(1, "gold_marked", to={"town": made}))
    header, *others = lines()
    header |= {"gold_by_hand": ["town"], "gold_marked": {"town": {**made, "at": at}}}
    assert told in refusal(text([header, *others]))


@pytest.mark.parametrize("path", OF_VERSION_2, ids=lambda path: path.stem)
def test_a_file_of_version_2_opens_in_the_steps_of_now(path):
    trace = load(path.read_bytes())
    assert {type(step) for step in trace.steps} <= {Asked, Began, Offered, Ranked}
    assert load(dump(trace)) == trace


def test_steps_of_two_versions_do_not_mix():
    old = json.loads((GOLDEN / "dense-five-1.jsonl").read_text().splitlines()[0])
    assert "asked.terms: Unexpected keyword" in refusal(text([old, *lines()[1:]]))
    new = [lines()[0], {"judged": {}}]
    assert "judged: Extra inputs" in refusal(text(new))


@pytest.mark.parametrize("kept", range(1, len(lines())))
def test_a_file_cut_after_a_line(kept):
    assert "Save the trace again" in refusal(text(lines()[:kept]))


def test_a_file_cut_within_a_line():
    message = refusal(dump(TRACE)[:-20])
    assert f"line {len(lines())}: Invalid JSON" in message


def test_a_huge_file(monkeypatch):
    monkeypatch.setattr(trace_file, "MAX_BYTES", 2**20)
    assert "larger than 1 MB" in refusal(b"x" * (2**20 + 1))


def test_too_many_steps(monkeypatch):
    monkeypatch.setattr(trace_file, "MAX_STEPS", 3)
    assert "more than 3 steps" in refusal(dump(TRACE))


def test_too_many_gold_ids():
    many = tuple(map(str, range(20_000)))
    assert "line 1: it has more than 1,000 gold ids" in refusal(dump(replace(TRACE, gold=many)))


ASKED, SEEDED, RANKED = map(line_of, ("asked", "offered", "ranked"))
JUDGED = SEEDED + 2
PASSAGE, EDGE, BEGAN = map(line_of, ("passage", "edge", "began"))


@pytest.mark.parametrize(
    ("data", "line", "problem"),
    [
        (changed(ASKED, "asked", "top_k", to="3"), ASKED, "asked.top_k: Input should be a valid"),
        (changed(ASKED, "asked", "top_k", to=3.0), ASKED, "valid integer"),
        (changed(ASKED, "asked", "top_k", to=True), ASKED, "valid integer"),
        (changed(ASKED, "asked", "top_k", to=None), ASKED, "valid integer"),
        (changed(ASKED, "asked", "top_k", to=10**30), ASKED, "a number is too large"),
        (changed(ASKED, "asked", "top_k", to=10**4200), ASKED, "a number is too large"),
        (changed(JUDGED, "offered", "offers", 0, "score", to=1e308), JUDGED, "too large"),
        (changed(ASKED, "asked", "query", to=5), ASKED, "valid string"),
        (changed(ASKED, "asked", "query", to="\ud800"), ASKED, "Invalid JSON"),
        (changed(ASKED, "asked", "terms", to="owner"), ASKED, "valid array"),
        (changed(ASKED, "asked", "settings", to={"a": [1]}), ASKED, "settings.a"),
        (changed(ASKED, "asked", "weight_of_visits", to=float("nan")), ASKED, "finite"),
        (changed(ASKED, "asked", "told", "cost", to={"seconds": float("inf")}), ASKED, "finite"),
        (changed(ASKED, "asked", "x" * 10_000, to=1), ASKED, "asked.xxx"),
        (changed(SEEDED, "offered", "arrivals", to=[[]]), SEEDED, "arrivals.0"),
        (changed(JUDGED, "offered", "offers", 0, "score", to="high"), JUDGED, "offers.0.score"),
        (changed(JUDGED, "offered", "offers", 0, "parts", 0, "value", to=1e999), JUDGED, "finite"),
        (changed(RANKED, "ranked", "hits", 0, "parts", to={}), RANKED, "hits.0.parts"),
        (changed(PASSAGE, "passage", "position", to=-(2**70)), PASSAGE, "too large"),
        (changed(PASSAGE, "passage", "text", to=None), PASSAGE, "passage.text"),
        (changed(EDGE, "edge", "cosine", to="0.5"), EDGE, "edge.cosine"),
        (changed(PASSAGE, "edge", to=lines()[EDGE - 1]["edge"]), PASSAGE, "one passage, edge"),
        (changed(PASSAGE, "pickle", to="gASVAAAA"), PASSAGE, "pickle: Extra inputs"),
        (changed(1, "gold", to="town"), 1, "gold"),
        (changed(1, "extra", to=1), 1, "extra"),
        (text([*lines()[:2], {}, *lines()[2:]]), 3, "one passage, edge or step"),
        (text([*lines()[:2], [], *lines()[2:]]), 3, "Input should be an object"),
        (text([*lines()[:2], *lines()[1:]]), 3, "'club' is repeated"),
        (text([*lines()[:EDGE], *lines()[EDGE - 1 :]]), EDGE + 1, "'owned' is repeated"),
        (dump(TRACE) + b'{"asked": ' + b"[" * 1000, len(lines()) + 1, "recursion"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(data, line, problem):
    message = refusal(data)
    assert f"line {line}: " in message
    assert problem in message
    assert "Save the trace again" in message
    assert len(message) < 400


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (text(lines()[:1] + lines()[2:]), "the passage 'club' is used but not in the file"),
        (text(lines()[: EDGE - 1] + lines()[EDGE:]), "the edge 'owned' is a candidate but not"),
        (changed(EDGE, "edge", "target", to="nowhere"), "the passage 'nowhere' is used"),
        (changed(RANKED, "ranked", "hits", 0, "passage_id", to="who"), "the passage 'who' is used"),
        (changed(JUDGED, "offered", "at", to="owner"), "its node is unknown"),
        (changed(BEGAN, "began", "number", to=7), "hop is 7; it must be 1"),
        (changed(ASKED, "asked", "top_k", to=1), "it has 3 hits, but top_k is 1"),
        (text([*lines(), lines()[-1]]), "it comes after the last Ranked"),
        (changed(1, "created", to="yesterday"), "yesterday"),
    ],
)
def test_a_trace_that_does_not_hold_together(data, problem):
    assert problem in refusal(data)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_politely(data):
    refusal(data)


@given(st.data())
def test_a_damaged_file_is_refused_or_can_be_shown(data):
    """Replace any value of any line: what still loads must play without an error."""
    records = lines()
    place = data.draw(st.sampled_from(records))
    while True:
        name = data.draw(st.sampled_from(list(place) if isinstance(place, dict) else
                                         list(range(len(place)))))  # fmt: skip
        if not (isinstance(place[name], dict | list) and place[name] and data.draw(st.booleans())):
            break
        place = place[name]
    simple = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
    place[name] = data.draw(simple | st.just([]) | st.just({}) | st.sampled_from(list(PASSAGES)))
    try:
        trace = load(text(records))
    except InputError:
        return
    titles = {name: passage.title for name, passage in trace.passages.items()}
    titles |= {name: thing.label for name, thing in things(trace.steps).items()}
    titles |= {step.id: step.query for step in trace.steps if isinstance(step, Asked)}
    assert columns(trace.steps).of.keys() <= titles.keys()
    lines_of_graph = {line.id for line in drawn_lines(trace.steps) if line.of_graph}
    assert lines_of_graph <= trace.edges.keys()
    for t in range(len(trace.steps) + 1):
        assert frame(trace.steps, t).roles.keys() <= titles.keys()

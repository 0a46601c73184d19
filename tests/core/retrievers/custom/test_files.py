"""Retrievers in Python files: settings, steps, results by text, reload, and failures."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from core import retrievers
from core.errors import InputError, RetrieverFailed
from core.evaluation.kept import KeptRankings
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.marks.gold import NO_GOLD
from core.playback import check
from core.retrievers import CARDS, Spec, make
from core.retrievers.custom import functions
from core.runs.configuration import configuration
from core.runs.measuring import evaluate
from core.steps import Asked, Ranked, Said, result
from core.trace_analysis.trace_frames import play
from core.traces import record
from core.types import Query
from core.walkthroughs.making import walkthrough_of
from tests.core.five import QUESTION, TEXTS

ROOT = Path(__file__).parents[4]
ASKED = QUESTION.text
PLAIN = """
    from typing import Annotated, Literal
    from core.retrievers.settings import Setting

    NAME, BADGE, SUMMARY = "My RAG", "MR", "Ranks two passages."

    def retrieve(
        question: str,
        top_k: int,
        weight: Annotated[float, "weight of the owner"] = 0.5,
        mode: Literal["fast", "exact"] = "fast",
        depth: Annotated[int, Setting("passages read", least=1, most=5)] = 1,
    ):
        return [("club", 1.0), ("owner", weight)][: depth + 1]
"""


def kept(key, workbench, question=ASKED):
    return [hit.passage_id for hit in result(tuple(make(key, workbench).retrieve(question))).hits]


def failure(key, workbench) -> str:
    with pytest.raises(RetrieverFailed) as raised:
        list(make(key, workbench).retrieve(ASKED))
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_function_stands_in_every_list_with_its_settings(write, standing):
    write(PLAIN)
    card = CARDS["my-rag"]
    assert (card.title, card.badge, card.summary) == ("My RAG", "MR", "Ranks two passages.")
    assert card.family == "custom"
    assert "my-rag" in retrievers.MODEL_FREE
    assert "my-rag" not in retrievers.default_retrievers()  # what it costs is not known
    assert [one.name for one in Spec("my-rag").declared] == ["top_k", "weight", "mode", "depth"]
    assert Spec.parse("my-rag(mode=exact)").values["mode"] == "exact"
    with pytest.raises(InputError, match="from 1 to 5"):
        Spec.parse("my-rag(depth=6)")
    steps = tuple(make("my-rag(weight=0.25)", standing).retrieve(ASKED))
    check(steps)
    assert [type(step) for step in steps] == [Asked, Ranked]
    assert [(hit.passage_id, hit.score) for hit in steps[-1].hits] == [("club", 1), ("owner", 0.25)]
    assert steps[-1].told.cost.seconds > 0
    assert kept("rerank(over=my-rag)", standing)


def test_generators_yield_their_own_steps(write, standing):
    write(
        """
        from core.steps import ROOT, Began, Offer, Offered, Said

        def retrieve(question, top_k):
            yield Began("hop", 1)
            yield Offered(ROOT, "candidates", (Offer("club", 1, taken=True), Offer("town", 0.5)))
            yield Said("planner", "club", "Who owns the club?")
            yield "club", 1.0
            return [("owner", 0.5)]
        """
    )
    trace = record(make("mine", standing), ASKED, standing.index, QUESTION.gold)
    assert any(isinstance(step, Said) for step in trace.steps)
    assert trace.ranking == ("club", "owner")
    stages = {
        one.gold: one.stage
        for one in fates(trace.steps, QUESTION.gold, standing.index, lists=Lists(standing))
    }
    assert stages == {"owner": "kept", "town": "refused"}


def test_steps_are_held_to_the_contract_and_to_the_index(write, standing):
    steps = "from core.steps import *\nfrom core.types import Hit\ndef retrieve(question):\n    "
    for code, problem in {
        "yield Ranked((Hit('nowhere', 1.0),))": "a step names 'nowhere', which is not in the index",
        "yield Ranked((Hit('club', 1.0), Hit('club', 1.0)))": "step 2: a node is ranked twice",
        "yield Began('hop', 3)": "hop is 3; it must be 1",
        "yield Ranked((Hit('club', 'much'),))": "must be real number",
        "yield Ranked(())\n    yield 'club', 1.0": "mine.py",
    }.items():
        write(steps + code)
        told = failure("mine", standing)
        assert problem in told
        assert told.startswith("mine.py: ")


def test_texts_are_matched_and_what_is_not_in_the_index_is_listed(write, standing):
    whole = TEXTS["owner"][1]
    write(
        f"""
        def retrieve(question, top_k):
            return ["The moon is made of cheese.", {whole!r}, {whole.upper()!r},
                    "The Lantern Ground is a stadium.", "doc-17"]
        """
    )
    steps = tuple(make("mine", standing).retrieve(ASKED))
    check(steps)
    (ranked,) = steps[1:]
    assert [hit.passage_id for hit in ranked.hits] == ["owner", "stadium"]
    assert [(hit.score, hit.parts[0].name) for hit in ranked.hits] == [
        (1 / 2, "1/rank"),
        (1 / 4, "1/rank"),
    ]
    missing = [one.text for one in ranked.returned if not one.passages]
    assert missing == ["The moon is made of cheese.", "doc-17"]
    for told in (
        "Not in the index: 2 of 5 results",
        "Repeats of a higher-ranked passage: 1 of 5",
        "Parts of passages: 1 of 5 results",
    ):
        assert told in ranked.told.reason
    trace = record(make("mine", standing), ASKED, standing.index).with_gold(NO_GOLD)
    played = play(trace, trace.kept_gold.authors(trace.ranking), standing.index)
    told = walkthrough_of(played, trace.kept_gold, standing.index)
    assert "The moon is made of cheese." in str(told)


def test_what_is_ranked_below_k_has_its_rank(write, standing):
    write("def retrieve(question): return [('club', 3), ('town', 2), ('owner', 1)]")
    steps = tuple(make("mine", standing, top_k=1).retrieve(ASKED))
    assert [hit.passage_id for hit in steps[-1].pruned] == ["town", "owner"]
    cut = {one.gold: (one.stage, one.rank) for one in fates(steps, QUESTION.gold, standing.index)}
    assert cut == {"owner": ("cut", 3), "town": ("cut", 2)}


def test_a_file_that_lacked_a_package_is_loaded_once_that_is_installed(
    write, standing, tmp_path, monkeypatch
):
    monkeypatch.setattr(functions, "_AGAIN", 0.0)
    write("import lately_installed\n\ndef retrieve(question): return [lately_installed.FOUND]")
    assert failure("mine", standing) == (
        "mine.py, line 1: ModuleNotFoundError: No module named 'lately_installed'. Install it in "
        "the environment of this app and try again."
    )
    (tmp_path / "lately_installed.py").write_text("FOUND = 'club'")
    steps = tuple(make("mine", standing).retrieve(ASKED))
    assert [hit.passage_id for hit in result(steps).hits] == ["club"]


@pytest.mark.parametrize(
    ("returned", "problem"),
    {
        "1 / 0": "mine.py, line 2: ZeroDivisionError: division by zero. Correct it and try again.",
        "exit(3)": "mine.py, line 2: SystemExit: 3. Correct it and try again.",
        "None": "mine.py: it returned nothing; return a list of (id or text, score).",
        "7": "mine.py: it returned int, not a list; return a list of (id or text, score).",
        "'club'": "mine.py: it returned str, not a list; return a list of (id or text, score).",
        "[7]": "mine.py: result 1 is 7; a result is (id or text, score).",
        "[('club', 1), ('town', 'high')]": "mine.py: result 2 has the score 'high'",
        "[('club', float('nan'))]": "mine.py: result 1 has the score nan",
        "[{'id': 'club', 'score': float('inf')}]": "mine.py: result 1 has the score inf",
        "[{'rank': 1}]": "mine.py: result 1 is {'rank': 1}; a result is (id or text, score).",
    }.items(),
)
def test_one_sentence_says_what_is_wrong(write, standing, returned, problem):
    write(f"def retrieve(question, top_k):\n    return {returned}")
    assert failure("mine", standing).startswith(problem)


@pytest.mark.parametrize(
    ("code", "problem"),
    {
        "def retrieve(question": "mine.py, line 1: SyntaxError: '(' was never closed.",
        "import nothing_of_that_name": "mine.py, line 1: ModuleNotFoundError: No module named",
        "answer = 42": "mine.py: it has no function retrieve and no variable retriever.",
        "retriever = 42": "mine.py: its variable retriever has none of the methods",
        "def retrieve(): pass": "mine.py: retrieve has no parameter for the question.",
        "def retrieve(q, k): pass": "mine.py: the parameter k of retrieve has no default.",
        "def retrieve(q, k=None): pass": "mine.py: k must be int, float, bool, str",
        "def retrieve(q, card=1): pass": "mine.py: a setting cannot be called 'card'.",
        "def retrieve(q, k: 'Missing' = 1): pass": "mine.py: the annotations of retrieve cannot",
        "def retrieve(q, k: int = 0.5): pass": "mine.py: k needs a default that fits its type.",
    }.items(),
)
def test_a_file_that_cannot_be_used_stands_in_the_list_and_says_why(write, standing, code, problem):
    write(code)
    assert CARDS["mine"].summary.startswith(f"Cannot be used. {problem}")
    assert failure("mine", standing).startswith(problem)
    assert kept("bm25", standing)


def test_a_missing_file_is_named(named, tmp_path, standing):
    named(tmp_path / "gone.py")
    told = failure("gone", standing)
    assert told == "gone.py cannot be read: No such file or directory. Correct HOPRAG_RETRIEVERS."


def test_a_call_that_never_returns_is_left(write, standing):
    write("import time\ndef retrieve(question): time.sleep(30)", seconds=1)
    begun = time.monotonic()
    assert failure("mine", standing).startswith("mine.py did not return within 1 s. Make it faster")
    assert time.monotonic() - begun < 3


def test_endless_and_far_too_many_results_end(write, standing):
    write(
        """
        def retrieve(question, top_k):
            while True:
                yield "club", 1.0
        """
    )
    ranked = tuple(make("mine", standing).retrieve(ASKED))[-1]
    assert [hit.passage_id for hit in ranked.hits] == ["club"]
    assert "It returned 10,000 results; only the first 1,000 are used." in ranked.told.reason
    assert "passage: 19 of 20 results" in ranked.told.reason


def test_code_runs_in_one_thread(write, standing):
    """A database connection may be used only in the thread that opened it."""
    write(
        """
        import sqlite3
        db = sqlite3.connect(":memory:")
        async def retrieve(question):
            return [(name, 1.0) for (name,) in db.execute("SELECT 'club'")]
        """
    )
    assert kept("mine", standing) == kept("mine", standing) == ["club"]


def test_an_edited_file_is_used_at_once_and_its_results_are_not_mistaken(write, workbench):
    path = write(PLAIN)
    spec = Spec("my-rag")
    before = configuration(workbench, spec)
    held = KeptRankings.of(workbench)
    held.put(spec, {ASKED: kept(spec, workbench)})
    assert held.ranking(spec, ASKED) == ("club", "owner")
    assert spec in held.retrievers()
    path.write_text(path.read_text().replace('"owner", weight', '"town", weight'))
    assert kept(spec, workbench) == ["club", "town"]
    assert configuration(workbench, spec) != before
    assert held.ranking(spec, ASKED) is None
    assert spec not in held.retrievers()
    path.write_text("def retrieve(")
    os.utime(path, ns=(1, 1))
    assert "was never closed" in failure(
        "my-rag(weight=0.25)", workbench
    )  # the address stays valid


def test_names_and_badges_of_others_are_not_taken(named, tmp_path, standing):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bm25.py").write_text("BADGE = 'BM'\ndef retrieve(q): return ['club']")
    named(tmp_path / "a" / "bm25.py", f"Theirs={tmp_path / 'b' / 'bm25.py'}")
    assert CARDS["bm25"].family == "lexical"
    assert [key for key, card in CARDS.items() if card.family == "custom"] == ["bm25-2", "theirs"]
    assert len({card.badge for card in CARDS.values()}) == len(CARDS)
    assert kept("theirs", standing) == ["club"]


def test_a_file_may_ask_our_retrievers(write, workbench):
    write(
        """
        from core.retrievers import CARDS, Spec
        KNOWN = Spec.parse("bm25").card.title

        def retrieve(question):
            return [("club", len(CARDS))] if KNOWN == "BM25" else []
        """
    )
    assert kept("mine", workbench) == ["club"]


def test_an_evaluation_measures_the_others_and_says_what_failed(write, workbench):
    write(
        """
        def retrieve(question, top_k):
            if "owner" in question:
                raise KeyError("owner")
            return [("club", 1.0)]
        """
    )
    other = Query("q2", "Who is the singer?", ("Ilo",), ("singer",))
    found = evaluate([QUESTION, other], workbench, ["mine", "bm25"])
    asked = {(row.retriever, row.question.id) for row in found.rows}
    assert asked == {("mine", "q2"), ("bm25", "q1"), ("bm25", "q2")}
    assert str(found.stopped).startswith("mine.py, line 4: KeyError: 'owner'.")
    assert "1 results are missing" in str(found.stopped)


def test_the_command_line_lists_it(write, warm_python):
    path = write(PLAIN)
    found = subprocess.run(
        [warm_python, "-m", "core", "retrievers"],
        cwd=ROOT,
        env={**os.environ, "HOPRAG_RETRIEVERS": str(path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "my-rag: My RAG, custom. Ranks two passages." in found.stdout
    assert "weight=0.5  weight of the owner; a number" in found.stdout


@pytest.mark.parametrize(
    ("code", "expected"),
    {
        "def retrieve(question, top_k=3): return ['club']": 3,
        "def retrieve(question, top_k): return ['club']": 20,
        "def retrieve(question, top_k=5000): return ['club']": 20,
        "class One:\n    similarity_top_k = 2\n    def retrieve(self, q): return ['club']\n"
        "retriever = One()": 2,
        "class One:\n    search_kwargs = {'k': 4}\n    def invoke(self, q, k=0): return ['club']\n"
        "retriever = One()": 4,
    }.items(),
)
def test_it_is_asked_for_as_many_as_it_is_set_to_return(write, standing, code, expected):
    write(code)
    assert next(iter(make("mine", standing).retrieve(ASKED))).top_k == expected
    assert next(iter(make("mine(top_k=7)", standing).retrieve(ASKED))).top_k == 7

"""A custom retriever is measured by the texts that it returned, as imported results are."""

import json
import random

import pytest
from typer.testing import CliRunner

from core.artefacts.workbench import Workbench
from core.cli import app
from core.evaluation.kept import KeptRankings
from core.evaluation.question_outcomes import ask_all
from core.evaluation.running import asked
from core.funnel.attempts import rescues
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.indexing.updates import build
from core.marks import gold_of
from core.marks.gold import passages_by_gold_id
from core.pipelines.importing import import_results, read_results
from core.playback import check
from core.retrievers import Spec, make
from core.runs.measuring import begin, measure
from core.runs.store import Runs
from core.steps import Offered, result
from core.store.index import Index
from core.traces import dump, load, record
from core.types import Document, Evidence, Query
from core.walkthroughs.making import make_walkthrough
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, TEXTS, corpus, silent

CLUB, OWNER, SINGER = (TEXTS[name][1] for name in ("club", "owner", "singer"))
BOUGHT, GROUND = "It was bought by Mara Quist in 1998.", "It plays at the Lantern Ground."
BORN = "She was born in Port Selby."
SHARED = "It is twinned with nobody."
MAYOR = "The mayor of Selby Bay is Tobias Quill."
QUERY = Query(
    "q1",
    "In which town was the owner of the club at the Lantern Ground born?",
    ("Port Selby",),
    ("q1:e1", "q1:e2", "q1:e3", "q1:e4"),
    evidence=(
        Evidence(BOUGHT, document="club"),
        Evidence(GROUND, document="club"),
        Evidence(BORN, document="owner"),
        Evidence(MAYOR, document="bay"),
    ),
)
WITH_BOUGHT = f"Harbour Rovers is a football club. {BOUGHT}"
WITH_BORN = f"{BORN} She married Ilo Venn."
WITHOUT = "Mara Quist is a brewer."
ACROSS = f"{BORN} Ilo Venn is a singer."
NOWHERE = "The moon is made of cheese."
SHARED = "It is twinned with nobody."
MAYOR = "The mayor of Selby Bay is Tobias Quill."
CHUNKS = [
    SHARED,
    MAYOR,
    CLUB,
    OWNER,
    SINGER,
    WITH_BOUGHT,
    GROUND,
    WITH_BORN,
    WITHOUT,
    ACROSS,
    NOWHERE,
]
TWINS = tuple(
    Document(key, key.title(), f"{text} {SHARED}", f"{key}.txt")
    for key, text in {
        "port": "Port Selby has a mill.",
        "bay": MAYOR,
        "ash": "Ash has a weir.",
    }.items()
)
BOTH = f"{OWNER}\n{SINGER}"


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evidence") / "five"
    build(folder, corpus(*DOCUMENTS, *TWINS, queries=(QUERY,)), WordEmbedder(), silent)
    embedder = WordEmbedder()
    return Workbench(Index.open(folder, embedder.info), embedder, making=silent)


@pytest.fixture
def returning(write):
    """Writes a retriever that returns these texts."""
    return lambda *texts: write(f"def retrieve(question, top_k):\n    return {list(texts)!r}")


def ranks(bench, **settings):
    (question,) = bench.index.questions
    retriever = make(Spec("mine").with_settings(**settings), bench)
    passages_by_gold = passages_by_gold_id(question, bench.index)
    outcome, steps = asked(question, retriever, bench.index, passages_by_gold)
    check(steps)
    return tuple(outcome.ranks.values()), outcome, steps


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((WITHOUT,), (None, None, None, None)),
        ((WITHOUT, WITH_BORN), (None, None, 2, None)),
        ((WITH_BOUGHT, NOWHERE, GROUND), (1, 3, None, None)),
        ((NOWHERE, ACROSS), (None, None, 2, None)),
        ((NOWHERE, CLUB, OWNER), (2, 2, 3, None)),
        ((GROUND, CLUB), (2, 1, None, None)),
        ((BOTH,), (None, None, 1, None)),
        (("club", "owner"), (1, 1, 2, None)),
        ((SHARED, NOWHERE), (None, None, None, None)),
        ((SHARED, NOWHERE, MAYOR), (None, None, None, 3)),
    ],
)
def test_gold_counts_if_its_evidence_is_in_the_returned_text(returning, bench, texts, expected):
    returning(*texts)
    assert ranks(bench)[0] == expected


def test_what_is_cut_off_says_so_and_what_lacks_the_evidence_is_not_retrieved(returning, bench):
    returning(WITHOUT, WITH_BOUGHT, WITH_BORN)
    _, outcome, steps = ranks(bench, top_k=2)
    assert outcome.by_text
    gold = outcome.by_text.gold
    ends = fates(steps, gold.ids, bench.index, passages_by_gold=gold.passages, lists=Lists(bench))
    assert [(one.stage, one.rank) for one in ends] == [
        ("kept", 2),
        ("below", None),
        ("cut", 3),
        ("below", None),
    ]


def test_a_reader_gets_the_returned_texts(returning, bench):
    returning(WITHOUT, OWNER, ACROSS)
    _, outcome, _ = ranks(bench, top_k=3)
    assert [one.text for one in outcome.passages(bench.index)] == [WITHOUT, OWNER, ACROSS]


def test_the_walkthrough_shows_the_returned_texts(returning, bench):
    returning(WITHOUT, NOWHERE, WITH_BOUGHT)
    trace = record(make("mine", bench), QUERY.text, bench.index)
    gold = gold_of(bench.index, QUERY.text)
    measured, held = trace.measured(gold)
    assert measured.with_gold(gold) == measured == load(dump(measured)).with_gold(gold)
    shown = [measured.passages[hit.passage_id].text for hit in result(measured.steps).hits]
    assert shown == [WITHOUT, NOWHERE, WITH_BOUGHT]
    (listed,) = (step for step in measured.steps if isinstance(step, Offered))
    assert [dict(offer.notes)["text"] for offer in listed.offers] == [
        "part of Mara Quist",
        "not in the index",
        "part of Harbour Rovers",
    ]
    told = json.dumps(make_walkthrough(trace, gold, bench.index, Lists(bench)))
    for text in (WITHOUT, NOWHERE, BOUGHT):
        assert text in told
    assert held.has(result(measured.steps).hits[2].passage_id)


def test_a_fix_is_found_by_the_returned_texts(returning, bench):
    returning(WITHOUT, WITH_BOUGHT, ACROSS)
    _, outcome, steps = ranks(bench, top_k=2)
    gold = outcome.by_text.gold
    ends = fates(steps, gold.ids, bench.index, passages_by_gold=gold.passages, lists=Lists(bench))
    spec = Spec("mine").with_settings(top_k=2)
    found = rescues(QUERY.text, spec, bench, steps, ends, gold.passages)
    assert found["q1:e2"] is None
    assert found["q1:e3"].rank == 3
    assert "top k 3" in str(found["q1:e3"])


def test_question_lists_and_wrappers_know_passages(returning, bench):
    returning(WITHOUT, ACROSS)
    ask_all(bench, Spec("mine"), list(bench.index.questions))
    kept = KeptRankings.of(bench).ranking(Spec("mine"), QUERY.text)
    assert kept
    assert kept[1] == "owner"
    hits = result(tuple(make("rerank(over=mine)", bench).retrieve(QUERY.text))).hits
    assert [hit.passage_id for hit in hits] == ["owner"]


@pytest.mark.parametrize("seed", range(12))
def test_a_run_counts_the_same_as_imported_results(returning, bench, tmp_path, seed):
    chosen = random.Random(seed)
    texts = chosen.sample([*CHUNKS, BOTH], chosen.randint(1, 6))
    returning(*texts)
    questions = list(bench.index.questions)
    run = begin(bench, questions, [Spec("mine")], name=f"run {seed}", question_set="own")
    measure(run, bench)
    path = tmp_path / "log.jsonl"
    log = {"question": QUERY.text, "contexts": [{"text": text} for text in texts]}
    path.write_text(json.dumps(log))
    runs = Runs(bench.index.path)
    column = import_results(runs, run, read_results(path, questions, bench.index), bench.index)
    (mine,), (imported,) = (runs.rows(run.id, key) for key in ("mine", column.retriever))
    assert mine.ranks == imported.ranks
    lengths = [runs.lengths(run.id, key) for key in ("mine", column.retriever)]
    assert lengths[0] == lengths[1]
    stored = runs.contexts(run.id, "mine", "q1")
    passages = {CLUB, OWNER, SINGER}
    assert {one.text for one in stored.values()} - passages == {*texts} - passages


def test_the_command_line_prints_the_returned_texts(returning, bench, words):
    returning(WITHOUT, WITH_BORN)
    asked_for = ["ask", QUERY.text, "--index", str(bench.index.path), "--retriever", "mine"]
    printed = CliRunner().invoke(app, [*asked_for, "--json"])
    assert printed.exit_code == 0, printed.output
    hits = json.loads(printed.stdout)["hits"]
    assert [(one["text"], one["gold"]) for one in hits] == [(WITHOUT, False), (WITH_BORN, True)]
    assert CliRunner().invoke(app, asked_for).exit_code == 0

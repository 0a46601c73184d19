"""KGP: seeds, neighbours and scores as numbers, with the evidence of a model and without."""

import json
from contextlib import contextmanager

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from core.artefacts.entity_graph.mentions import MENTIONS
from core.artefacts.lexical.tfidf import TfIdf
from core.artefacts.workbench import Workbench
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import check
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.entity_graph.kgp import ENDS
from core.steps import Offered, Said
from core.store.schema import passage_text
from core.text.tokens import words
from tests.core.five import QUESTION, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

Q = QUESTION.text


def walked(bench, spec="kgp(seeds=2,neighbours=1)", question=Q):
    steps = tuple(make(spec, bench).retrieve(question))
    check(steps)
    return steps


def lists(steps, of):
    return [step for step in steps if isinstance(step, Offered) and step.of == of]


@contextmanager
def saying(bench, evidence):
    with ChatServer(lambda _: Answer(json.dumps({"evidence": evidence}))) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(bench.index.path), LEAVE)
        yield Workbench(bench.index, bench.embedder, oracle, making=silent), server
        oracle.replies.close()


def reference(bench, evidence_of, seeds=2, neighbours=1):
    """What the page says, passage by passage: score by id."""
    passages = bench.index.passages
    texts = [passage_text(p.title, p.text) for p in passages]
    vectorizer = TfidfVectorizer(tokenizer=words, token_pattern=None, lowercase=False)
    matrix = vectorizer.fit_transform(texts).toarray()

    def cosine(text):
        return matrix @ vectorizer.transform([text]).toarray()[0]

    own = cosine(Q)
    starts = sorted(range(len(own)), key=lambda n: (-own[n], n))[:seeds]
    scores, extra = {n: own[n] for n in starts}, {}
    for seed in starts:
        named = set(bench.index.passage_keywords[seed])
        near = cosine(evidence_of(texts[seed]))
        beside = [
            n
            for n, names in enumerate(bench.index.passage_keywords)
            if n != seed and named & set(names) and near[n] > 0
        ]
        for n in sorted(beside, key=lambda n: (-near[n], n))[:neighbours]:
            extra[n] = max(extra.get(n, 0), own[seed] * near[n])
    for n, value in extra.items():
        scores[n] = own[n] + value
    return {passages[n].id: value for n, value in scores.items()}


@pytest.mark.parametrize(("seeds", "neighbours"), [(2, 1), (1, 3), (5, 2)])
def test_scores_without_a_model(workbench, seeds, neighbours):
    hits = walked(workbench, f"kgp(seeds={seeds},neighbours={neighbours})")[-1].hits
    wanted = reference(workbench, lambda text: f"{Q} {text}", seeds, neighbours)
    assert {hit.passage_id: hit.score for hit in hits} == pytest.approx(wanted)


def test_the_evidence_of_a_model_chooses_the_neighbour(workbench):
    sentence = "Mara Quist was born in Port Selby."
    with saying(workbench, sentence) as (bench, server):
        steps = walked(bench, "kgp(seeds=1,neighbours=1)")
    seed = lists(steps, "passages")[0].offers[0].target
    said, ends = [step for step in steps if isinstance(step, Said)]
    assert ends.ends == ENDS
    assert (said.by, said.about, said.text) == ("reasoner", seed, sentence)
    assert server.requests[0].data["question"] == Q
    assert server.requests[0].data["passage"]["title"] == "Harbour Rovers"
    (beside,) = lists(steps, "neighbours")
    assert [offer.target for offer in beside.taken] == ["owner"]
    scores = {hit.passage_id: hit.score for hit in steps[-1].hits}
    assert scores == pytest.approx(reference(workbench, lambda _: sentence, 1, 1))


def test_neighbours_share_what_their_line_says(workbench):
    steps = walked(workbench, "kgp(seeds=5,neighbours=2)")
    named = dict(
        zip([p.id for p in workbench.index.passages], workbench.index.passage_keywords, strict=True)
    )
    for step in lists(steps, "neighbours"):
        assert step.considered == sum(
            bool(set(named[step.at]) & set(names)) for id_, names in named.items() if id_ != step.at
        )
        for tie in step.ties:
            assert set(tie.label.split(", ")) <= set(named[tie.source]) & set(named[tie.target])


def test_each_seed_is_asked_for_once_and_that_is_foreseen(workbench):
    with saying(workbench, "Port Selby.") as (bench, server):
        bench.get(MENTIONS)
        told = forecast(make("kgp(seeds=3)", bench.with_leave(None)), Q)
        assert (told.calls, told.likely) == (3, 3)
        walked(bench, "kgp(seeds=3)")
        assert len(server.requests) == 3


@pytest.mark.parametrize("evidence", ["", " \n", None, 5, ["Port Selby"]])
def test_no_evidence_is_replaced(workbench, evidence):
    alone = walked(workbench)
    with saying(workbench, evidence) as (bench, _):
        steps = walked(bench)
    assert steps[-1].hits == alone[-1].hits
    assert all(step.told.fallback for step in lists(steps, "neighbours"))
    assert [step.ends for step in steps if isinstance(step, Said)] == [ENDS]


def test_what_shares_no_word_finds_nothing(workbench):
    steps = walked(workbench, question="zzzz qqqq")
    assert steps[-1].hits == ()


def test_tfidf_of_nothing_is_nothing():
    assert (TfIdf([[], []]).scores("a word") == np.zeros(2)).all()


def test_a_bare_number_is_no_shared_name(workbench):
    names = {
        word
        for step in lists(walked(workbench, "kgp(seeds=5)"), "neighbours")
        for tie in step.ties
        for word in tie.label.split(", ")
    }
    assert names
    assert not any(name.isnumeric() or name.startswith("entity ") for name in names)

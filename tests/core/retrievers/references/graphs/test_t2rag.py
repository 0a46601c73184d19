"""T2RAG against a slow reference written from arXiv 2508.02435 and the method's page."""

import json
import random

import pytest

from core.artefacts.entity_graph.graph import FACTS
from core.artefacts.lexical.keywords import KEYWORDS
from core.steps import Began
from core.text.entities.mentions import entity_key
from core.text.stop_words import STOP_WORDS
from core.text.tokens import normal, tokens
from tests.core.retrievers.references.graphs.conftest import NAMES, PLACES, asked
from tests.core.retrievers.references.graphs.tables import (
    assert_ranked,
    end_of,
    entities_of,
    ordered,
    replying,
)
from tests.core.retrievers.scripted import walked

SETTINGS = ((3, 5), (1, 2), (8, 1), (2, 50))
"""Rounds at most, and passages of a round."""
BOARDS = {
    "two gaps close one after the other": [
        [("Ada Birch", "met", "?x"), ("?x", "left", "?y")],
        [("Ada Birch", "met", "Bo Ash"), ("Bo Ash", "left", "?y")],
        [("Ada Birch", "met", "Bo Ash"), ("Bo Ash", "left", "Port Selby")],
    ],
    "nothing is filled in the second round": [
        [("?", "met", "Cyra Ash"), ("?y", "painted", "?z"), ("", "?who", "Port Selby")],
        [("Bo Birch", "met", "Cyra Ash"), ("?y", "painted", "?z"), ("", "?who", "Port Selby")],
    ],
    "two clues become one": [
        [("Ada Ash", "left", "?x"), ("Ada Ash", "left", "?y"), ("?x", "met", "?z")],
        [("Ada Ash", "left", "Bo Ash"), ("Ada Ash", "left", "Bo Ash"), ("Bo Ash", "met", "?z")],
        [("Ada Ash", "left", "Bo Ash"), ("Bo Ash", "met", "Cyra Birch")],
    ],
    "no clue has a gap": [[("Ada Ash", "left", "Port Selby")]],
    "there are no clues": [[]],
    "a reply of another length is the rules'": [
        [("Ada Birch", "met", "?x"), ("?x", "painted", "?y")],
        [("Ada Birch", "met", "Bo Ash")],
    ],
}
"""What a model says for the question, and then in each round; the last for ever."""


def reference(bench, question, clues, fill, rounds=3, each=5):
    """Return the ranking of passages, the resolved clues and the number of rounds.

    Parameters
    ----------
    clues : (subject, predicate, object); a part that begins with a question mark is a gap.
    fill : returns the clues after a round, from the clues before it and the facts read.
    """
    facts, vectors = bench.get(FACTS).facts, bench.get(FACTS).vectors
    encode = bench.embedder.encode
    score_of, used = {}, 0
    for _ in range(rounds):
        used += 1
        sought = [question]
        for clue in clues:
            known = " ".join(part for part in clue if part and not part.startswith("?"))
            if gaps(clue) == 1 and known:
                sought.append(known)
        score = [-1.0] * len(facts)
        for text in sought:
            for n, cosine in enumerate(vectors @ encode([text])[0]):
                score[n] = max(score[n], float(cosine))
        read, passages = [], set()
        for n in ordered(score):
            if len(passages) == each or score[n] <= 0:
                break
            read.append(facts[n])
            if facts[n].passage not in passages:
                passages.add(facts[n].passage)
                before = score_of.get(facts[n].passage, 0.0)
                score_of[facts[n].passage] = max(before, score[n])
        if not any(gaps(clue) for clue in clues):
            break
        before, clues = clues, unique(fill(clues, read))
        if clues == before or not any(gaps(clue) for clue in clues):
            break
    ids = bench.index.ids
    ranked = sorted(((ids[n], s) for n, s in score_of.items()), key=lambda one: (-one[1], one[0]))
    resolved = [f"Clue: {' | '.join(clue)}" for clue in clues if not gaps(clue)]
    return ranked, resolved, used


def gaps(clue):
    return sum(part.startswith("?") for part in clue)


def unique(clues):
    return list(dict.fromkeys(clues))


def clues_by_rules(bench, question):
    """Return two clues for each of the first four names: one about it, and one about that."""
    mentions = [m for m in bench.get(KEYWORDS).mentions(question) if m.kind != "number"]
    words = [
        token.text
        for token in tokens(question)
        if not any(m.start <= token.start < m.end for m in mentions)
        and normal(token.text) not in STOP_WORDS
    ]
    names = unique(question[m.start : m.end] for m in mentions)[:4]
    clues = []
    for n, name in enumerate(names):
        first, second = f"?{2 * n + 1}", f"?{2 * n + 2}"
        clues += [(name, " ".join(words), first), (first, " ".join(words), second)]
    return clues


def fill_by_rules(bench):
    """Return the function that fills a gap from the best fact about the clue's subject."""
    bearers = {}
    facts = bench.get(FACTS).facts
    for number, names in enumerate(entities_of(bench)):
        for name in (*names, *(n for f in facts if f.passage == number for n in f.names)):
            bearers.setdefault(name, set()).add(number)

    def fill(clues, read):
        taken = {entity_key(part) for clue in clues for part in (clue[0], clue[2])}
        values = {}
        for clue in clues:
            if gaps(clue) != 1 or clue[0].startswith("?"):
                continue
            for fact in read:
                free = [n for n in fact.names if n not in taken and not n[0].isdigit()]
                if entity_key(clue[0]) in fact.names and free:
                    if fact.subject not in free:
                        free.sort(key=lambda name: (len(bearers[name]), name))
                    value = fact.subject if fact.subject in free else free[0]
                    if clue[2] not in values:
                        values[clue[2]] = value
                        taken.add(value)
                    break
        return [tuple(values.get(part, part) for part in clue) for clue in clues]

    return fill


def assert_as_in_the_reference(steps, wanted):
    ranked, resolved, used = wanted
    assert_ranked(end_of(steps), ranked)
    assert list(end_of(steps).findings) == resolved
    assert sum(isinstance(step, Began) for step in steps) == used


@pytest.mark.parametrize(("rounds", "each"), SETTINGS)
def test_the_sample_is_ranked_like_the_reference(sample, questions, rounds, each):
    fill = fill_by_rules(sample)
    for question in questions:
        clues = clues_by_rules(sample, question)
        wanted = reference(sample, question, clues, fill, rounds, each)
        steps = walked(sample, f"t2rag(rounds={rounds},each={each})", question)
        assert_as_in_the_reference(steps, wanted)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("rounds", "each"), SETTINGS)
def test_a_random_world_is_ranked_like_the_reference(graph_world, seed, rounds, each):
    bench = graph_world(seed)
    for question in asked(seed):
        clues = clues_by_rules(bench, question)
        wanted = reference(bench, question, clues, fill_by_rules(bench), rounds, each)
        steps = walked(bench, f"t2rag(rounds={rounds},each={each})", question)
        assert_as_in_the_reference(steps, wanted)


@pytest.mark.parametrize("boards", BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize(("rounds", "each"), [(3, 2), (2, 4)])
def test_clues_of_a_model_are_searched_like_in_the_reference(
    graph_world, tmp_path, boards, rounds, each
):
    bench, sent = graph_world(2), []
    question = asked(2)[0]

    def reply(data):
        sent.append(data)
        return written(boards[min(len(sent), len(boards)) - 1])

    with replying(bench, reply, tmp_path) as (model, _):
        steps = walked(model, f"t2rag(rounds={rounds},each={each})", question)
    said, shown = iter([*boards[1:], *[boards[-1]] * rounds]), []

    def fill(clues, read):
        shown.append([fact.text for fact in read])
        board = next(said)
        return board if len(board) == len(clues) else fill_by_rules(bench)(clues, read)

    wanted = reference(bench, question, unique(boards[0]), fill, rounds, each)
    assert_as_in_the_reference(steps, wanted)
    distinct = [data["facts"] for n, data in enumerate(sent) if n and data != sent[n - 1]]
    assert distinct == shown


def written(board):
    fields = ("subject", "predicate", "object")
    return json.dumps({"clues": [dict(zip(fields, clue, strict=True)) for clue in board]})


@pytest.mark.parametrize("seed", range(4))
def test_random_clues_of_a_model_are_searched_like_in_the_reference(graph_world, tmp_path, seed):
    bench, rng = graph_world(seed), random.Random(seed)
    start = [
        (rng.choice([*NAMES, "?1"]), rng.choice(["met", "left", "?how"]), rng.choice(["?2", "?3"]))
        for _ in range(4)
    ]
    values = {gap: rng.choice([*NAMES, *PLACES, gap]) for gap in ("?1", "?2", "?3", "?how")}

    def script(data):
        return written(fill(clues_in(data), ()) if "clues" in data else unique(start))

    def clues_in(data):
        return [(one["subject"], one["predicate"], one["object"]) for one in data["clues"]]

    def fill(clues, _):
        """Fill the gaps of the traceable clues."""
        known = {p: values[p] for c in clues if gaps(c) == 1 for p in c if p.startswith("?")}
        return [tuple(known.get(part, part) for part in clue) for clue in clues]

    question = asked(seed)[0]
    with replying(bench, script, tmp_path) as (model, _):
        steps = walked(model, "t2rag(each=2,rounds=4)", question)
    wanted = reference(bench, question, unique(start), fill, 4, 2)
    assert_as_in_the_reference(steps, wanted)


def test_without_facts_nothing_is_found(no_names):
    steps = walked(no_names, "t2rag", "who says so?")
    wanted = reference(no_names, "who says so?", [], fill_by_rules(no_names))
    assert_as_in_the_reference(steps, wanted)


@pytest.mark.parametrize(("rounds", "each"), SETTINGS)
def test_imported_triples_are_ranked_like_the_reference(triples, rounds, each):
    fill = fill_by_rules(triples)
    for question in asked(5):
        clues = clues_by_rules(triples, question)
        wanted = reference(triples, question, clues, fill, rounds, each)
        steps = walked(triples, f"t2rag(rounds={rounds},each={each})", question)
        assert_as_in_the_reference(steps, wanted)

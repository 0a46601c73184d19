"""LightRAG against a slow reference written from arXiv 2410.05779 and the method's page."""

import json

import pytest

from core.artefacts.entity_graph.graph import FACTS
from core.artefacts.lexical.keywords import KEYWORDS
from core.models.token_counts import tokens_of
from core.text.stop_words import STOP_WORDS
from core.text.tokens import normal, tokens
from tests.core.retrievers.references.graphs.conftest import asked
from tests.core.retrievers.references.graphs.tables import (
    assert_ranked,
    found_by,
    ordered,
    related_of,
    replying,
    spec_of,
)

SETTINGS = (
    {},
    {"entities": 3, "relations": 2, "each": 1, "passages": 0},
    {"entities": 2, "relations": 5, "each": 3, "passages": 4, "least": 0.4},
    {"room": 120, "entities": 9, "relations": 9, "each": 2, "passages": 1, "least": 0.0},
    {"least": 0.55, "passages": 2, "entities": 1, "relations": 1},
)


def keywords(bench, question):
    """Return the names in a question, and its other content words, each where it occurs last."""
    mentions = bench.get(KEYWORDS).mentions(question)
    low = [question[one.start : one.end] for one in mentions]
    high = {}
    for token in tokens(question):
        inside = any(one.start <= token.start < one.end for one in mentions)
        word = normal(token.text)
        if not inside and word not in STOP_WORDS:
            high[word] = high.pop(word, token.text)
    return list(dict.fromkeys(low)), list(high.values())


def reference(
    bench,
    question,
    low,
    high,
    *,
    entities=40,
    relations=40,
    least=0.2,
    room=2_000,
    each=5,
    passages=20,
):
    """Return the ranking of passages, from the facts of an index and two lists of keywords."""
    index, facts, vectors = bench.index, bench.get(FACTS).facts, bench.get(FACTS).vectors
    related = related_of(bench)
    own = index.vectors @ bench.embedder.encode([question])[0]
    named, about = bench.embedder.encode([", ".join(low), ", ".join(high)])

    near = []
    if low:
        cosine = related.vectors @ named
        near = [related.names[n] for n in ordered(cosine, entities) if cosine[n] > least]
    apt = closest_relations(facts, vectors @ about, related, relations, least) if high else []
    if not near and not apt:
        return [(index.ids[n], float(own[n])) for n in ordered(own)]

    degree = {name: len(related.neighbours[name]) for name in related.names}
    beside = sorted(
        (pair for pair in related.pairs if set(pair) & set(near)),
        key=lambda pair: (-sum(degree[n] for n in pair), -len(related.pairs[pair]), pair),
    )[:200]
    ends = list(dict.fromkeys(name for pair in apt for name in pair))
    kept = fitting(
        in_turn([near, ends]),
        lambda name: f"{name} {described(name, related, facts, vectors)}",
        room,
    )
    kept_pairs = fitting(
        in_turn([beside, apt]),
        lambda pair: f"{pair[0]} – {pair[1]} {facts[related.pairs[pair][0]].text}",
        room,
    )
    mentioned = [{facts[fact].passage for fact in related.facts[name]} for name in kept]
    stated = [{facts[fact].passage for fact in related.pairs[pair]} for pair in kept_pairs]
    of_entities = counted(mentioned, own)[: each * len(kept) // 2]
    of_relations = [n for n in counted(stated, own) if n not in of_entities]
    lists = [ordered(own, passages), of_entities, of_relations[: each * len(kept_pairs) // 2]]
    merged = in_turn(lists)
    return [(index.ids[n], 1 / place) for place, n in enumerate(merged, start=1)]


def closest_relations(facts, cosine, related, most, least):
    """Return relations by the closest fact that states them, as subject and object."""
    best, first = {}, {}
    for number, fact in enumerate(facts):
        ends = [(fact.subject, name) for name in fact.objects]
        if not fact.subject:
            ends = [(a, b) for i, a in enumerate(fact.objects) for b in fact.objects[i + 1 :]]
        for place, pair in enumerate(ends):
            pair = (min(pair), max(pair))
            if pair in related.pairs and cosine[number] > best.get(pair, least):
                best[pair], first[pair] = cosine[number], (number, place)
    return sorted(best, key=lambda pair: (-best[pair], first[pair]))[:most]


def in_turn(lists):
    """Return the first of each list, the second of each list and so on, each item once."""
    merged = []
    for place in range(max(map(len, lists))):
        for some in lists:
            if place < len(some) and some[place] not in merged:
                merged.append(some[place])
    return merged


def fitting(items, text_of, room):
    """Return the first items whose texts fit into `room` tokens together."""
    kept, used = [], 0
    for item in items:
        used += tokens_of(text_of(item))
        if used > room:
            break
        kept.append(item)
    return kept


def described(name, related, facts, vectors):
    """Return the text of the fact closest to the mean of an entity's facts."""
    mean = related.vectors[related.names.index(name)]
    own = related.facts[name]
    return facts[own[ordered(vectors[own] @ mean, 1)[0]]].text


def counted(items, own):
    """Return passages by the sum of 1/n over the n-th items that they mention."""
    weight = {}
    for place, passages in enumerate(items, start=1):
        for number in passages:
            weight[number] = weight.get(number, 0) + 1 / place
    return sorted(weight, key=lambda n: (-weight[n], -own[n], n))


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_sample_is_ranked_like_the_reference(sample, questions, settings):
    for question in questions:
        wanted = reference(sample, question, *keywords(sample, question), **settings)
        assert_ranked(found_by(sample, spec_of("lightrag", settings), question), wanted)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_random_world_is_ranked_like_the_reference(graph_world, seed, settings):
    bench = graph_world(seed)
    for question in asked(seed):
        wanted = reference(bench, question, *keywords(bench, question), **settings)
        assert_ranked(found_by(bench, spec_of("lightrag", settings), question), wanted)


@pytest.mark.parametrize(
    ("low", "high"),
    [(["Ada Birch", " Port   Selby "], ["met", "met", "rain"]), (["River Ash"], []), ([], ["who"])],
)
def test_keywords_of_a_model_are_searched_like_in_the_reference(graph_world, tmp_path, low, high):
    bench = graph_world(1)
    lines = [list(dict.fromkeys(" ".join(word.split()) for word in words)) for words in (low, high)]
    with replying(bench, lambda _: json.dumps({"low": low, "high": high}), tmp_path) as (model, _):
        for question in asked(1):
            end = found_by(model, spec_of("lightrag", SETTINGS[1]), question)
            assert_ranked(end, reference(bench, question, *lines, **SETTINGS[1]))


def test_without_entities_the_cosine_ranks_like_in_the_reference(no_names):
    end = found_by(no_names, "lightrag", "who says so?")
    assert_ranked(end, reference(no_names, "who says so?", [], ["says"]))


@pytest.mark.parametrize("settings", SETTINGS)
def test_imported_triples_are_ranked_like_the_reference(triples, settings):
    for question in asked(5):
        wanted = reference(triples, question, *keywords(triples, question), **settings)
        assert_ranked(found_by(triples, spec_of("lightrag", settings), question), wanted)

"""What is defined of a thing, which names are one thing, and what joins things to passages."""

import json

import pytest

from core.artefacts.cost_forecast import forecast
from core.artefacts.entity_graph.graph import ENTITIES, FACTS
from core.artefacts.ontology.aligning import groups_of, is_longer
from core.artefacts.ontology.defining import Defined, definition_of
from core.artefacts.ontology.ontology import ONTOLOGY
from core.artefacts.ontology.sizes import ontology_sizes
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

LONG = "Port Selby Old Lower Grand Western Iron Harbour Rescue Line Boat"
LONGER = LONG.replace("Iron", "Iron North")
OTHER = LONG.replace("Boat", "Hut")


@pytest.mark.parametrize(
    ("title", "text", "aliases", "types"),
    [
        (
            "Ada Birch",
            "Ada Mary Birch (born 3 May 1952), known as Ladybird, is a Scottish potter.",
            {"ada mary birch", "ladybird"},
            {"potter"},
        ),
        ("Low Tide (1998 film)", "Low Tide is a drama film directed by Bo.", set(), {"film"}),
        ("World Tide Union", "The World Tide Union (WTU) is a union of ports.", {"wtu"}, {"union"}),
        ("Low Tide: Again", "Low Tide: Again is the second album.", set(), {"album"}),
        ("A Dream or Two", "A Dream or Two is a song by Bo.", set(), {"song"}),
        ("Selby", "It is unknown who built the harbour.", set(), set()),
        ("Ada Birch", "Ada Birch was born May 3 in Selby.", set(), set()),
        ("", "is a", set(), set()),
    ],
)
def test_an_opening_sentence_tells_other_names_and_a_kind(title, text, aliases, types):
    assert definition_of(title, title, text) == Defined(frozenset(aliases), frozenset(types))


def test_names_with_words_between_are_one_and_numbers_tell_apart():
    assert is_longer("ada birch", "ada mary birch")
    assert is_longer("low tide", "lowtide")
    assert not is_longer("ada birch", "ada birch hall")
    assert not is_longer("louis xiv of selby", "louis xv of selby")
    assert groups_of(5, [(0, 3), (3, 4)]).tolist() == [0, 1, 2, 0, 0]
    assert groups_of(0, []).tolist() == []


@pytest.fixture
def world(tmp_path):
    """Names that are near, an alias of one thing, and an alias of two."""
    documents = (
        Document("boat", LONG, f"{LONG} is a lifeboat. It met {OTHER}."),
        Document("longer", LONGER, f"{LONGER} is a lifeboat."),
        Document("house", OTHER, f"{OTHER} is a house."),
        Document("ada", "Ada Birch", "Ada Birch, known as Ladybird, is a potter. She saw Cy Low."),
        Document("bo", "Bo Marsh", "Bo Marsh, known as the Whistler, is a singer of Ladybird."),
        Document("cy", "Cy Low", "Cy Low, known as the Whistler, sings. He met The Whistler."),
        Document("bug", "Tide", "Tide is a town. It saw Ladybird in 1998."),
    )
    build(tmp_path / "i", corpus(*documents), WordEmbedder(), silent)
    return tmp_path / "i"


def test_an_alias_of_one_thing_is_that_thing_and_one_of_two_is_neither(world):
    found = bench_on(world, WordEmbedder()).get(ONTOLOGY)
    number = found.things.number
    assert number["ladybird"] == number["ada birch"]
    assert found.aliases[number["ada birch"]] == ("ladybird",)
    assert found.types[number["ada birch"]] == ("potter",)
    assert len({number[name] for name in ("whistler", "bo marsh", "cy low")}) == 3


def test_an_alias_of_another_kind_is_another_thing(tmp_path):
    documents = (
        Document("ada", "Ada Birch", "Ada Birch, known as Ladybird, is a potter."),
        Document("film", "Ladybird", "Ladybird is a film."),
    )
    build(tmp_path / "i", corpus(*documents), WordEmbedder(), silent)
    number = bench_on(tmp_path / "i", WordEmbedder()).get(ONTOLOGY).things.number
    assert number["ladybird"] != number["ada birch"]


def test_near_names_are_one_thing_or_linked(world):
    bench = bench_on(world, WordEmbedder())
    found = bench.get(ONTOLOGY)
    number = found.things.number
    assert number[LONG.lower()] == number[LONGER.lower()] != number[OTHER.lower()]
    one, other, cosine = found.things.synonyms
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    assert (number[LONG.lower()], number[OTHER.lower()]) in {*pairs, *(p[::-1] for p in pairs)}
    assert (cosine > 0.5).all()
    assert found.maker == ""


def test_layers_join_things_told_together_and_passages_that_name_them(world):
    bench = bench_on(world, WordEmbedder())
    found, index = bench.get(ONTOLOGY), bench.index
    ada, cy = (found.things.number[name] for name in ("ladybird", "cy low"))
    assert found.entities.edges[ada, cy] == 1
    assert found.layers.node("1998") is None
    rows = found.layers.edges[found.layers.node("ladybird")].indices
    passages = {index.passages[n].id for n in rows if n < len(index.passages)}
    assert passages == {"ada", "bo", "bug"}
    place = next(n for n, fact in enumerate(bench.get(FACTS).facts) if "saw Cy Low" in fact.text)
    assert found.ends[place].toarray().ravel().nonzero()[0].tolist() == sorted((ada, cy))
    assert found.ends[place].sum() == pytest.approx(1)


def test_sizes_before_and_after_alignment(world):
    """Ladybird is Ada Birch, and one boat the other: two names fewer. Components by a slow walk."""
    bench = bench_on(world, WordEmbedder())
    found = bench.get(ONTOLOGY)
    sizes = ontology_sizes(found, bench.get(ENTITIES))
    assert sizes.names - sizes.entities == 2
    assert sizes.links == len(found.things.synonyms[0]) == 1
    edges = found.entities.edges.toarray() > 0
    open_, groups = set(range(sizes.entities)), []
    while open_:
        group, queue = set(), [open_.pop()]
        while queue:
            group.add(node := queue.pop())
            queue += [n for n in edges[node].nonzero()[0].tolist() if n not in group]
        groups.append(group)
        open_ -= group
    related = [group for group in groups if len(group) > 1]
    assert (sizes.components, sizes.largest) == (len(related), max(map(len, related)))
    assert sizes.isolated == len(groups) - len(related)
    assert sizes.relations == edges.sum() // 2
    assert sizes.highest_degree == edges.sum(axis=0).max()
    assert sizes.mean_degree == pytest.approx(edges.sum() / (sizes.entities - sizes.isolated))
    held = found.layers.edges.toarray()[len(bench.index.passages) :, : len(bench.index.passages)]
    counts = (held > 0).sum(axis=1)
    assert sizes.passages_each == pytest.approx(counts[counts > 0].mean())


def align(request):
    """The boat is the hut, and has to do with the longer one."""
    names = {one["name"]: one["number"] for one in request.data["names"]}
    long, longer, other = (names[name.lower()] for name in (LONG, LONGER, OTHER))
    link = {"one": long, "other": longer, "relation": "lies beside it"}
    return Answer(json.dumps({"same": [[long, other]], "related": [link]}))


def test_a_model_aligns(world, tmp_path):
    with ChatServer(align) as server:
        bench = bench_on(world, WordEmbedder())
        bench.oracle = Oracle(Llm(endpoint(server), retries=0), Replies(tmp_path / "r"), LEAVE)
        assert "about" in forecast(bench, [ONTOLOGY])
        assert not server.requests
        found = bench.get(ONTOLOGY)
        assert len(server.requests) == 1
    number = found.things.number
    assert number[LONG.lower()] == number[OTHER.lower()]
    assert len({number[name.lower()] for name in (LONG, LONGER, OTHER)}) == 2
    assert len(found.things.synonyms[0]) == 1
    assert bench.authorship(ONTOLOGY) == "1 of 1 groups of similar names by scripted."

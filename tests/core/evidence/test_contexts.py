"""Contexts of other pipelines to passages, by id and by text."""

import pytest

from core.corpus.record_formats.retrieved_results import Context
from core.evidence.contexts import ContextMatch, matched_contexts
from core.types import Passage

MILL = (
    "Ada Finch built the mill at Orrin in 1871. It ground barley for nine villages until the "
    "river was diverted."
)
QUAY = "The quay at Selby was laid by her brother Noah. Timber barges used it through the war."
TERN = "The tern nests on shingle below the old lighthouse, where few people walk in June."
PASSAGES = [
    Passage(id_, id_, 0, "", text) for id_, text in (("1", MILL), ("quay", QUAY), ("tern", TERN))
]


def match(context: Context) -> ContextMatch:
    known = {passage.id: passage.id for passage in PASSAGES}
    return matched_contexts([context], PASSAGES, known.get)[context.key]


@pytest.mark.parametrize(
    ("context", "step", "passages"),
    [
        (Context(id="quay"), "id", ("quay",)),
        (Context(id="dock"), "none", ()),
        (Context(text="quay"), "id", ("quay",)),
        (Context(id="quay", text=QUAY), "id", ("quay",)),
        (Context(id="quay", text="Timber, bricks and slate were landed there."), "id", ("quay",)),
        # Chunks are numbered everywhere: a number is believed only if the text agrees.
        (Context(id="1", text=QUAY), "exact", ("quay",)),
        (Context(id="1", text="Timber, bricks and slate were landed there."), "none", ()),
        (Context(text=QUAY.replace("'", "’").replace(" ", "\n")), "exact", ("quay",)),
        (Context(text="It ground barley for nine villages"), "contained", ("1",)),
        (Context(text=f"{MILL}\n\n{QUAY}"), "contained", ("1", "quay")),
        (Context(text=TERN.replace("lighthouse", "lighthoose")), "fuzzy", ("tern",)),
        (
            Context(text="A ferry crosses twice a day from the north pier to the island."),
            "none",
            (),
        ),
        (Context(text="!?"), "none", ()),
    ],
)
def test_each_step(context: Context, step: str, passages: tuple[str, ...]):
    found = match(context)
    assert (found.step, found.passages) == (step, passages)


def test_copies_of_a_passage_are_all_named_and_an_id_decides_between_them():
    copies = [*PASSAGES, Passage("quay 2", "quay 2", 0, "", QUAY)]
    known = {passage.id: passage.id for passage in copies}
    same, named = Context(text=QUAY), Context(text=QUAY, id="quay 2")
    found = matched_contexts([same, named], copies, known.get)
    assert found[same.key] == ContextMatch("exact", ("quay", "quay 2"))
    assert found[named.key] == ContextMatch("id", ("quay 2",))

"""A wrapper that leaves out what repeats a better passage, and changes nothing else."""

import pytest

from core.artefacts.workbench import Workbench
from core.corpus.types import Corpus
from core.indexing.updates import build
from core.retrievers import make
from core.steps import Offered
from core.store.index import Index
from core.store.notices import repeats_notice
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

BULLETIN = (
    "Weekly bulletin of the Orrin mill trust. The mill of Orrin is open on Sunday. "
    "The mill trust thanks its donors. Issue {}."
)
OTHERS = {
    "g1": "The Orrin mill was founded by Ada Birch on a Sunday in 1898.",
    "g2": "Ada Birch left her mill to the trust of her donors.",
}
QUESTION = "Who founded the Orrin mill, which the trust opens on Sunday?"


@pytest.fixture
def bulletins(tmp_path):
    texts = {**{f"t{n}": BULLETIN.format(n) for n in range(25)}, **OTHERS}
    documents = tuple(Document(key, "", text, f"{key}.txt") for key, text in texts.items())
    meta = build(tmp_path / "bulletins", Corpus(documents, ()), WordEmbedder(), silent)
    return meta, Workbench(Index.open(tmp_path / "bulletins"), WordEmbedder())


def test_each_text_is_kept_once_in_the_order_of_the_other_retriever(bulletins):
    _, bench = bulletins
    plain = list(make("hybrid(top_k=27)", bench).retrieve(QUESTION))[-1]
    steps = list(make("distinct(over=hybrid)", bench).retrieve(QUESTION))
    ids = [hit.passage_id for hit in plain.hits]
    first_bulletin = next(name for name in ids if name.startswith("t"))
    wanted = [name for name in ids if name in OTHERS or name == first_bulletin]
    assert [hit.passage_id for hit in steps[-1].hits] == wanted
    offered = [step for step in steps if isinstance(step, Offered)][-1]
    left_out = [offer for offer in offered.offers if not offer.taken]
    place = ids.index(first_bulletin) + 1
    assert len(left_out) == 24
    assert {offer.notes for offer in left_out} == {(("repeats the passage at rank", f"{place}"),)}


def test_where_nothing_repeats_the_ranking_is_that_of_the_other(workbench):
    for question in ("Who owns Harbour Rovers?", "Port Selby brewery"):
        plain = list(make("hybrid", workbench).retrieve(question))[-1]
        distinct = list(make("distinct", workbench).retrieve(question))[-1]
        assert [h.passage_id for h in distinct.hits] == [h.passage_id for h in plain.hits]


def test_the_build_counts_them(bulletins):
    meta, _ = bulletins
    assert meta.counts.near_duplicates == 24
    assert meta.counts.overlapping == 0
    assert "24 of 27 passages are near-duplicates of an earlier one" in repeats_notice(meta.counts)

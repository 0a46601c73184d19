"""Every fact is at the passages that hold it, whatever the chunking.

The check shares no code with the mapping: it strips all white space, finds the fact in its article
and the passages in theirs, and compares places.
"""

import random
from collections import Counter

import pytest

from core.corpus.chunking.chunker import Chunking, chunk
from core.evidence import with_passages
from core.types import Document, Evidence, Query

TOWNS = "Selby Ashby Corrin Dunmore Elland Farley Garth Holme Ilford Jarrow Kelso Lorton".split()
MAKERS = "Ada Finch|Mara Quist|Ilo Venn|Orrin Tate|Bea Lund|Tom Wray|Una Pell".split("|")
THINGS = "mill bridge ferry theatre lighthouse station market".split()


def _sentence(rng: random.Random, number: int) -> str:
    maker, town, thing = rng.choice(MAKERS), rng.choice(TOWNS), rng.choice(THINGS)
    year, price = rng.randint(1750, 1990), rng.randint(100, 9999)
    return rng.choice(
        [
            f"In {year}, {maker} sold the {thing} of {town} for {price:,} crowns (lot {number}).",
            f"“The {thing} has cost {town} {price} crowns,” said {maker} in {year} – by letter "
            f"{number}.",
            f"{maker}’s {thing} number {number}, which burned down in {year}, was the pride of "
            f"{town} and of all who lived near it, though few had ever paid the {price} crowns "
            f"that it took to keep it open, or asked {rng.choice(MAKERS)} who did.",
        ]
    )


def _world() -> tuple[list[Document], list[Query]]:
    """Return six articles of 40 sentences in paragraphs, and 30 facts of one or two sentences."""
    rng = random.Random(7)
    documents, facts = [], []
    for article in range(6):
        said = [_sentence(rng, 100 * article + number) for number in range(40)]
        ends = [rng.choice([" ", " ", "\n", "\n\n"]) for _ in said]
        text = "".join(map(str.__add__, said, ends)).strip()
        name = f"a{article}"
        documents.append(Document(name, f"Article {article}", text))
        for at in rng.sample(range(39), 5):
            fact = " ".join(said[at : at + rng.choice([1, 1, 2])])
            facts.append(Evidence(fact, document=rng.choice([name, name, "", "unknown"])))
    asked = [Query(f"q{n}", "Which?", evidence=(fact,)) for n, fact in enumerate(facts)]
    return documents, asked


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _places(documents, passages):
    """Return the article and the squeezed span of each passage."""
    whole = {each.id: _squeezed(each.text) for each in documents}
    found, at = {}, dict.fromkeys(whole, 0)
    for each in passages:
        start = whole[each.document_id].index(_squeezed(each.text), at[each.document_id])
        at[each.document_id] = start + 1
        found[each.id] = each.document_id, start, start + len(_squeezed(each.text))
    return found


@pytest.mark.parametrize("chunking", ["fit", "sentence", "tokens:128:32", "tokens:24:20", "as-is"])
def test_every_fact_is_at_the_passages_that_hold_it(chunking):
    documents, asked = _world()
    passages = chunk(documents, Chunking.parse(chunking))
    places = _places(documents, passages)
    whole = {each.id: _squeezed(each.text) for each in documents}
    assert len(asked) == 30
    for query in with_passages(asked, passages):
        (fact,) = query.evidence
        wanted = _squeezed(fact.text)
        (article,) = [name for name, text in whole.items() if wanted in text]
        start = whole[article].index(wanted)
        end = start + len(wanted)
        holding = {
            name for name, (of, a, b) in places.items() if of == article and a <= start and end <= b
        }
        if holding:
            assert (fact.step, *map(set, fact.parts)) == ("exact", holding)
            continue
        assert fact.step == "split"
        at = start
        for part in fact.parts:
            reaching = {
                name: min(b, end)
                for name, (of, a, b) in places.items()
                if of == article and a <= at < b
            }
            furthest = max(reaching.values())
            assert set(part) == {name for name, b in reaching.items() if b == furthest}
            at = furthest
        assert at == end


def test_the_chunkings_split_facts_and_leave_others_whole():
    documents, asked = _world()
    for chunking in ("sentence", "tokens:24:20"):
        mapped = with_passages(asked, chunk(documents, Chunking.parse(chunking)))
        counted = Counter(each.step for query in mapped for each in query.evidence)
        assert set(counted) == {"exact", "split"}

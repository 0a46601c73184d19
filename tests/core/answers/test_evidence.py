from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answers import Evidence, evidence
from core.answers.evidence import Sentence
from core.artefacts.lexical.postings import WholeLexicon
from core.text.tokens import words
from core.types import Passage
from tests.core.five import QUESTION, TEXTS

FIVE = [Passage(key, key, 0, title, text) for key, (title, text) in TEXTS.items()]
WEIGHTS = WholeLexicon(words(p.text) for p in FIVE).weights(QUESTION.text)


def passage(key: str, text: str) -> Passage:
    return Passage(key, key, 0, key, text)


def texts(found: Evidence) -> list[tuple[str, str]]:
    return [(one.passage_id, one.text) for one in found.sentences]


def test_the_sentences_that_cover_the_question() -> None:
    found = evidence(WEIGHTS, FIVE)
    assert texts(found) == [
        ("club", "Harbour Rovers is a football club."),
        ("owner", "She was born in Port Selby."),
        ("town", "Port Selby is a town on the River Ash."),
    ]
    assert [one.new for one in found.sentences] == [("harbour", "rovers"), ("born",), ("town",)]
    assert [one.rank for one in found.sentences] == [1, 2, 5]
    assert found.share == pytest.approx(1.0)
    assert found.missing == ()


def test_gold_evidence_comes_first() -> None:
    found = evidence(WEIGHTS, FIVE, gold=["Port Selby  is a town on the River Ash.", "elsewhere"])
    assert texts(found)[0] == ("town", "Port Selby is a town on the River Ash.")
    assert [one.gold for one in found.sentences] == [True, False, False]
    assert found.telling[0].gold


def test_the_words_of_the_question_are_marked_where_they_stand() -> None:
    found = evidence({"rovers": 0.6, "club": 0.4}, [passage("a", "Rovers' club, THE Rovers club.")])
    (only,) = found.sentences
    assert [only.text[a:b] for a, b in only.marks] == ["Rovers", "club", "Rovers", "club"]


def test_the_better_ranked_of_equals_and_the_first_of_its_sentences() -> None:
    ranking = [
        passage("other", "Nothing here."),
        passage("first", "A club is one. The club is two."),
        passage("second", "The club."),
    ]
    assert texts(evidence({"club": 1.0}, ranking)) == [("first", "A club is one.")]


def test_what_no_passage_holds_is_told() -> None:
    found = evidence({"club": 0.75, "brewery": 0.25}, [passage("a", "A club.")])
    assert found.missing == ("brewery",)
    assert found.share == 0.75


def test_a_word_of_a_title_or_in_another_form_is_not_told_as_missing() -> None:
    ranking = [Passage("a", "a", 0, "1991 Lantern Cup final", "The winner came by ferry.")]
    found = evidence({"winners": 0.25, "1991": 0.25, "ferry": 0.25, "fog": 0.25}, ranking)
    assert found.missing == ("fog",)
    assert found.share == 0.25  # what a sentence holds as it is asked


def test_nothing_to_cover_and_nothing_that_covers() -> None:
    assert evidence({}, FIVE) == Evidence((), 0, ())
    assert evidence({"zebra": 1.0}, FIVE) == Evidence((), 0, ("zebra",))
    assert evidence({"zebra": 1.0}, []) == Evidence((), 0, ("zebra",))


def test_no_more_than_asked_for() -> None:
    found = evidence(WEIGHTS, FIVE, most=1)
    assert len(found.sentences) == 1
    assert 0 < found.share < 1
    assert found.missing == ()


held = st.sets(st.sampled_from("abcdef"), max_size=4)


@settings(max_examples=60)
@given(st.lists(held, max_size=6), st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 9)))
def test_as_slowly_covered(sets: list[set[str]], counts: dict[str, int]) -> None:
    weights = {word: float(count) for word, count in counts.items()}
    ranking = [passage(str(i), " ".join(sorted(one))) for i, one in enumerate(sets)]
    found = evidence(weights, ranking, most=len(sets) or 1)
    open_words, expected = set(weights), []
    while gains := [sum(weights[w] for w in one & open_words) for one in sets]:
        if max(gains) == 0:
            break
        best = gains.index(max(gains))
        expected.append(str(best))
        open_words -= sets[best]
    assert [one.passage_id for one in found.sentences] == expected
    reachable = set().union(*sets) & weights.keys()
    assert found.share == sum(weights[word] for word in reachable)
    for one, other in combinations(found.sentences, 2):
        assert not set(one.new) & set(other.new)


def test_a_sentence_with_one_word_of_the_question_tells_nothing_unless_it_is_the_first() -> None:
    found = evidence(WEIGHTS, FIVE)
    held = [one.held for one in found.telling[1:]]
    assert found.telling[0] == found.sentences[0]
    assert all(number > 1 for number in held)
    assert [one for one in found.sentences[1:] if one.held > 1] == [*found.telling[1:]]
    alone = Sentence("p", 1, "His mother taught.", ("mother",), ((4, 10),))
    assert (alone.held, Evidence((alone,), 0.1, ()).telling) == (1, (alone,))
    assert Evidence((alone, alone), 0.1, ()).telling == (alone,)

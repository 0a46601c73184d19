"""Evidence in hand-made worlds, one for each step and each way to be wrong."""

import random
import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence import with_passages
from core.evidence.fuzzy import THRESHOLD, similarity
from core.types import Evidence, Passage, Query

MILL = "Orrin Mill was rebuilt by Ada Finch after the great flood of 1988."


def passages(*texts, document="d", title="Orrin", first=0):
    return [
        Passage(f"{document}{number}", document, number, title, text)
        for number, text in enumerate(texts, first)
    ]


def mapped(text, held, *, document="d", kind="fact", answer=""):
    evidence = Evidence(text, kind, document, answer=answer)
    (query,) = with_passages([Query("q", "Who?", evidence=(evidence,))], iter(held))
    return query.evidence[0]


def found(text, held, **more):
    each = mapped(text, held, **more)
    return each.step, each.parts


def test_without_evidence_questions_stay_as_they_are():
    assert with_passages([Query("q", "Who?")], iter(passages(MILL))) == [Query("q", "Who?")]


def test_text_as_it_stands_is_exact_whatever_its_spacing():
    held = passages("Selby lies on the Ule.", f"It rains. {MILL}\nIt floats.")
    for space in ("\n ", "\u00a0", "\t\u2009"):
        assert found(MILL.replace(" ", space, 3), held) == ("exact", (("d1",),))


@pytest.mark.parametrize(
    ("evidence", "passage"),
    [
        ('She called it "the Osprey" that day.', "She called it “the Osprey” that day."),
        ('She called it "the Osprey" that day.', "She called it ``the Osprey'' that day."),
        ("Ada Finch's clocks of brass were sold.", "Ada Finch’s clocks of brass were sold."),
        ("It was rebuilt by Ada Finch.", "It was re\u00adbuilt by Ada Finch."),
        ("The first office of Finch burned.", "The ﬁrst oﬃce of Finch burned."),
        ("It lasted from 1988-1990 in all.", "It lasted from 1988–1990 in all."),
        ("It made 400 clocks in all years.", "It made ４００ clocks in all years."),
        ("A film (local) of many days.", "A film( local) of many days."),
        ("オリン工場は大洪水の後に再建された。", "オリン工場は大洪\n水の後に再\n建された。"),
    ],
)
def test_spacing_quotes_hyphens_and_forms_are_normalised(evidence, passage):
    held = passages("Selby lies on the Ule.", passage)
    assert found(evidence, held) == ("normalised", (("d1",),))
    assert found(passage, passages("Selby lies.", evidence)) == ("normalised", (("d1",),))


def test_a_few_letters_may_differ():
    each = mapped(MILL.replace("great", "graet"), passages("Selby lies on the Ule.", MILL))
    assert (each.step, each.parts) == ("fuzzy", (("d1",),))
    assert THRESHOLD <= each.score < 100


def test_case_and_punctuation_may_differ():
    assert found(MILL.lower().replace(".", "!"), passages(MILL)) == ("fuzzy", (("d0",),))


def test_similarity_at_and_just_below_the_threshold():
    at = "abcd efgh ijkl mnop qrst uvwx yz and the".split()  # 40 letters and spaces
    below = [*at[:-1], "to"]  # 39
    changed = {"abcd": "abce", "efgh": "efgi", "ijkl": "ijkm", "mnop": "mnoq"}
    for words, expected in ((at, 100 * (1 - 4 / 40)), (below, 0.0)):
        other = ["so", *(changed.get(word, word) for word in words), "so"]
        assert len(" ".join(words)) == (40 if words is at else 39)
        assert similarity(words, other) == pytest.approx(expected)


@pytest.mark.parametrize(
    "other",
    [
        MILL.replace("1988", "1989"),
        MILL.replace("1988", "1,988"),
        MILL.replace("Finch", "Fitch"),
        MILL.replace("Orrin", "Orris"),
        MILL.replace("great", "third"),
        MILL.replace("great", "small"),
        MILL.replace("was", "was not"),
        MILL.replace("after", "before"),
        MILL.replace("after the", "after"),
        MILL.replace("rebuilt", "unbuilt"),
    ],
)
@pytest.mark.parametrize("document", ["d", "", "unknown"])
def test_a_similar_sentence_is_another_fact(other, document):
    assert found(MILL, passages("Selby lies on the Ule.", other), document=document) == (
        "not found",
        (),
    )


@pytest.mark.parametrize(
    ("evidence", "passage"),
    [
        ("5 percent", "It fell by 1.5 percent."),
        ("5 degrees", "It was -5 degrees cold."),
        ("Paris", "A Parisian."),
        ("born 19", "She was born 1988."),
    ],
)
def test_a_part_of_a_word_or_number_is_not_the_text(evidence, passage):
    assert found(evidence, passages(passage))[0] == "not found"


@pytest.mark.parametrize("document", ["d", "", "unknown"])
def test_text_split_over_passages_needs_them_all(document):
    two = passages(
        "It rains. Orrin Mill was rebuilt by", "Ada Finch after the great flood of 1988."
    )
    assert found(MILL, two, document=document) == ("split", (("d0",), ("d1",)))
    three = passages(
        "It rains. Orrin Mill was rebuilt", "by Ada Finch after", "the great flood of 1988. So?"
    )
    assert found(MILL, three, document=document) == ("split", (("d0",), ("d1",), ("d2",)))


def test_text_longer_than_any_passage_is_split():
    words = [f"word{number}" for number in range(50)]
    cut = [" ".join(words[at : at + 10]) for at in range(0, 50, 10)]
    assert found(" ".join(words), passages(*cut)) == ("split", tuple((f"d{n}",) for n in range(5)))


def test_overlapping_windows_that_hold_the_same_are_alternatives():
    words = MILL.split()  # 13
    windows = [" ".join(words[at : at + 8]) for at in range(0, 9, 4)]  # 0-8, 4-12, 8-13
    assert found(" ".join(words[5:8]), passages(*windows)) == ("exact", (("d0", "d1"),))
    assert found(" ".join(words[:12]), passages(*windows)) == ("split", (("d0",), ("d1", "d2")))


def test_duplicates_of_a_passage_that_holds_a_stretch_are_alternatives():
    first, second = "Orrin Mill was rebuilt by Ada Finch.", "It was sold after the flood of 1988."
    held = passages("It rains.", first, second, "It snows.", first, "It hails.")
    assert found(f"{first} {second}", held) == ("split", (("d1", "d4"), ("d2",)))


def test_the_words_of_a_stretch_in_another_sentence_are_other_evidence():
    pride = "was the pride of all who lived near it"
    held = passages(f"The mill {pride}", "in Selby. It sank.", f"The ferry {pride}", "until 1790.")
    assert found(f"The mill {pride} in Selby.", held) == ("split", (("d0",), ("d1",)))
    held[2] = passages(f"It rained. The ferry {pride}", first=2)[0]
    assert found(f"{pride} in Selby.", held) == ("split", (("d0",), ("d1",)))


@pytest.mark.parametrize(
    ("texts", "step", "parts"),
    [
        ((MILL, "He sold it."), "exact", (("d0", "d1"),)),
        (("He sold  it.", "Nobody sailed it."), "exact", (("d1",),)),
        (("Nobody sailed it.", "He sold it. It rains."), "split", (("d1",), ("d2",))),
        (("Nobody sailed it.", "Nobody sold it at all."), "not found", ()),
    ],
)
def test_one_of_several_texts_is_enough(texts, step, parts):
    evidence = Evidence(texts[0], "span", "d", alternatives=texts[1:])
    held = passages(MILL, "He sold it.", "It rains.")
    (query,) = with_passages([Query("q", "Who?", evidence=(evidence,))], iter(held))
    (found,) = query.evidence
    assert (found.text, found.step, found.parts) == (texts[0], step, parts)


@pytest.mark.parametrize("window", [(0, 7), (0, 4, 8), (0, 7, 5)])
def test_a_text_with_letters_changed_may_be_split(window):
    """At a word, at two words, and in windows that share two words."""
    words, (first, *cuts) = MILL.split(), window
    if window == (0, 7, 5):
        texts = [words[:7], words[5:]]
    else:
        ends = [*cuts, len(words)]
        texts = [words[a:b] for a, b in zip([first, *cuts], ends, strict=True)]
    held = passages(*(" ".join(each) for each in texts))
    each = mapped(MILL.replace("great", "graet"), held)
    assert (each.step, each.parts) == ("split", tuple((f"d{n}",) for n in range(len(texts))))
    assert THRESHOLD <= each.score < 100
    assert found(MILL.replace("1988", "1989"), held) == ("not found", ())
    apart = [held[0], *passages("It rains.", first=5), *passages(held[1].text, first=9)]
    assert found(MILL.replace("great", "graet"), apart[::2]) == ("not found", ())


def test_a_passage_that_holds_all_of_a_split_text_stands_for_each_part():
    words = MILL.split()
    two = passages(" ".join(words[:7]), " ".join(words[7:]))
    whole = passages(f"Of mills. {MILL}", document="w", title="Mills")
    copy = passages(two[0].text, document="c", title="Copy")
    assert found(MILL, [*two, *whole, *copy]) == ("split", (("d0", "c0", "w0"), ("d1", "w0")))
    many = [
        each
        for n in range(4)
        for each in passages(f"Of mills. {MILL}", document=f"w{n}", title=f"Mills {n}")
    ]
    assert found(MILL, [*two, *many]) == ("split", (("d0",), ("d1",)))  # boilerplate


def test_stretches_that_are_not_consecutive_are_no_split_text():
    held = passages("It rains. Orrin Mill was rebuilt by", "Selby lies on the Ule.", "Ada Finch.")
    assert found("Orrin Mill was rebuilt by Ada Finch.", held)[0] == "not found"


def test_letters_that_end_and_begin_passages_are_no_overlap():
    held = passages("It was the house", "hold of Finch that burned down.")
    assert found("It was the house hold of Finch", held) == ("split", (("d0",), ("d1",)))
    assert found("It was the household of Finch", held)[0] == "not found"


def test_a_sentence_repeated_in_its_document_has_all_its_passages_as_alternatives():
    held = passages(MILL, "Selby lies on the Ule.", f"Again: {MILL}")
    assert found(MILL, held) == ("exact", (("d0", "d2"),))


def test_a_fact_that_two_documents_hold_has_both_its_own_first():
    held = [*passages(MILL, document="a", title="Floods"), *passages(MILL)]
    assert found(MILL, held) == ("exact", (("d0", "a0"),))
    assert found(MILL, held, document="") == ("exact", (("a0", "d0"),))


def test_a_sentence_leans_on_the_title_of_its_document():
    told = "He was born in the town of Selby in 1790."
    held = [*passages(told, title="Finch"), *passages(told, document="e", title="Quist")]
    assert found(told, held, kind="sentence") == ("exact", (("d0",),))
    assert found(told, held, kind="sentence", document="")[0] == "not found"
    held[1:] = passages(told, document="e", title="Finch")
    assert found(told, held, kind="sentence") == ("exact", (("d0", "e0"),))


def test_boilerplate_is_looked_for_in_its_document_only():
    told = "Read our privacy notice and sign up for the weekly letter."
    held = [one for n in range(9) for one in passages(told, document=f"d{n}-", title=f"Day {n}")]
    assert found(told, held, document="d3-") == ("exact", (("d3-0",),))
    assert found(told, held, document="")[0] == "not found"


def test_short_text_elsewhere_is_there_by_chance():
    elsewhere = passages("She left Selby.", document="e", title="Quist")
    assert found("Selby", [*passages("Selby floods."), *elsewhere]) == ("exact", (("d0",),))
    assert found("Selby", [*passages("It floods."), *elsewhere])[0] == "not found"
    assert found("Selby", elsewhere, document="") == ("exact", (("e0",),))
    both = [*passages("Selby floods."), *elsewhere]
    assert found("Selby", both, document="")[0] == "not found"


@pytest.mark.parametrize("document", ["unknown", "e", ""])
def test_long_text_is_found_though_its_document_is_unknown_or_wrong(document):
    held = [*passages("Selby lies on the Ule.", MILL), *passages("It rains.", document="e")]
    assert found(MILL, held, document=document) == ("exact", (("d1",),))


PARAGRAPH = "Orrin Mill stands in Selby. Ada Finch rebuilt it. It made clocks until 1990."


def test_a_split_paragraph_is_narrowed_by_its_answer():
    held = passages(*(f"{each.rstrip('.')}." for each in PARAGRAPH.split(". ")), "It rains.")
    assert found(PARAGRAPH, held, kind="paragraph", answer="ada finch") == ("answer", (("d1",),))
    for answer in ("", "Quist"):
        assert found(PARAGRAPH, held, kind="paragraph", answer=answer) == (
            "paragraph",
            (("d0", "d1", "d2"),),
        )


def test_a_paragraph_in_one_passage_is_not_narrowed():
    assert found(PARAGRAPH, passages(PARAGRAPH), kind="paragraph") == ("exact", (("d0",),))


def test_a_passage_with_little_of_a_paragraph_is_none_of_its_own():
    held = passages(
        f"{'It rained and rained. ' * 9}Orrin Mill stands in Selby.",
        "Ada Finch rebuilt it. It made clocks until 1990.",
    )
    assert found(PARAGRAPH, held, kind="paragraph") == ("paragraph", (("d1",),))


@pytest.mark.parametrize("text", ["", "  \n", "...", "— “”", "\u00ad", "\u0301\u0301"])
def test_text_without_a_word_is_not_found(text):
    assert found(text, passages("...", "", MILL, "— “” \u0301\u0301")) == ("not found", ())


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "a " * 50_000,
        "a" + "\u0301" * 200_000,
        "( " * 50_000 + "a+)+$ [" + "\\" * 9,
        "abcd " * 20_000 + "abce",
    ],
)
def test_hostile_text_takes_no_time(text):
    held = passages(text[:-9], text, f"{text}x", MILL, text[: len(text) // 2])
    started = time.process_time()
    for wanted in (text, f"{text} b", MILL, "a a a a a a a b", "abcd abcd abcd abcd abcd abcf b"):
        mapped(wanted, held)
    assert time.process_time() - started < 10
    assert "d1" in found(text, held)[1][0] or not any(map(str.isalnum, text))


def test_signs_of_regular_expressions_are_letters_like_others():
    told = r"The pattern (a+)+$ [^b]*\d{2}|x matched .* of it."
    assert found(told, passages("Selby.", told)) == ("exact", (("d1",),))


SENTENCES = [f"In {1900 + n} the mill number {n} sold {n * 7} clocks to Selby." for n in range(12)]


@given(st.randoms(use_true_random=False), st.sampled_from(["d", "e", ""]))
def test_the_order_of_passages_does_not_matter(rng: random.Random, document: str):
    halves = [half for each in SENTENCES for half in (each[:24], each[24:])]
    held = [*passages(*halves), *passages(*SENTENCES[:3], document="e", title="Sales")]
    texts = [*SENTENCES, " ".join(SENTENCES[4:6]), SENTENCES[7].replace("number", "nomber")]
    asked = [Query(text, "?", evidence=(Evidence(text, document=document),)) for text in texts]
    mixed = rng.sample(held, len(held))
    first, second = with_passages(asked, held), with_passages(asked, mixed)
    assert [each.evidence for each in first] == [each.evidence for each in second]


def test_steps_are_counted():
    asked = [Query("q", "?", evidence=(Evidence(MILL, document="d"), Evidence("It sank twice.")))]
    mapped = with_passages(asked, passages(MILL))
    counted = Counter(each.step for query in mapped for each in query.evidence)
    assert counted == {"exact": 1, "not found": 1}

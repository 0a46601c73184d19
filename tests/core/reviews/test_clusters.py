"""Questions alike in stage and words are one group, the same one each time."""

from core.reviews.clusters import Case, clusters

BORN = [
    Case(f"b{n}", f"In which town was the owner of {name} born?", "refused")
    for n, name in enumerate("Ash Birch Cedar Elm Fir Gorse Hazel".split())
]
PLAYED = [
    Case(f"p{n}", f"Which stadium hosts the club that {name} coached?", "refused")
    for n, name in enumerate("Ida Jon Kim Lea Max Nia Oda".split())
]
FAR = [Case("f0", "In which town was the owner of Rowan born?", "far")]


def test_questions_alike_are_together_and_stages_apart() -> None:
    found = clusters([*FAR, *PLAYED, *BORN])
    assert {frozenset(one.questions) for one in found} == {
        frozenset(case.id for case in BORN),
        frozenset(case.id for case in PLAYED),
        frozenset({"f0"}),
    }
    told = {one.questions[0][0]: one.words for one in found}
    assert set(told["b"]) <= {"town", "owner", "born"}
    assert told["f"] == ()


def test_the_order_of_the_questions_changes_nothing() -> None:
    cases = [*BORN, *PLAYED, *FAR]
    assert clusters(cases) == clusters(cases[::-1])


def test_every_question_is_in_one_group() -> None:
    cases = [Case(str(n), f"word{n % 7} and thing{n % 11}?", "cut") for n in range(60)]
    ids = [one for cluster in clusters(cases) for one in cluster.questions]
    assert sorted(ids) == sorted(case.id for case in cases)
    assert len(clusters(cases)) == 5


def test_no_words_in_common_and_no_question_at_all() -> None:
    (one,) = clusters([Case(str(n), f"unlike{n}", "cut") for n in range(8)])
    assert len(one.questions) == 8
    assert clusters([]) == []

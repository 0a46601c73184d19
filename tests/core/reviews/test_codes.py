"""Open codes grow while one works; axial ones hold them, and all reviews follow."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.reviews import Change, Code, Codes, Reviews, Views, axial_codes, by_id, names
from core.reviews.codes import of_same_label, selectable_codes

WALK = "hoprag-coverage"


@pytest.fixture
def reviews(tmp_path: Path) -> Reviews:
    return Reviews(tmp_path)


@pytest.fixture
def codes(reviews: Reviews) -> Codes:
    found = Codes(reviews)
    for name in ("wrong person", "wrong town", "too far"):
        found.add(name)
    return found


def labels(reviews: Reviews, codes: Codes, *, axial: bool) -> list[list[str]]:
    known = by_id(codes.all())
    return [names(review.labels, known, axial=axial) for review in reviews.all()]


def test_a_label_is_made_once_whatever_its_capitals(codes: Codes) -> None:
    assert codes.add("  Wrong   PERSON").name == "wrong person"
    assert [code.name for code in codes.all()] == ["wrong person", "wrong town", "too far"]


@pytest.mark.parametrize("name", ["", " \n", "x" * 61])
def test_a_label_has_a_short_name(codes: Codes, name: str) -> None:
    with pytest.raises(InputError):
        codes.add(name)


def test_merged_renamed_and_split_and_all_reviews_follow(reviews: Reviews, codes: Codes) -> None:
    person, town, far = (code.id for code in codes.all())
    reviews.say("ada", [Change("a?", WALK, on=(person, town))])
    reviews.say("bo", [Change("b?", WALK, on=(town, far))])
    codes.merge("ada", [person, town], "wrong entity")
    assert labels(reviews, codes, axial=True) == [["wrong entity"], ["wrong entity", "too far"]]
    assert labels(reviews, codes, axial=False) == [
        ["wrong person", "wrong town"],
        ["wrong town", "too far"],
    ]
    codes.rename_axial("ada", "wrong entity", "mistaken identity")
    codes.rename("ada", far, "out of reach")
    assert labels(reviews, codes, axial=True)[1] == ["mistaken identity", "out of reach"]
    codes.split("ada", [town])
    assert labels(reviews, codes, axial=True) == [
        ["mistaken identity", "wrong town"],
        ["wrong town", "out of reach"],
    ]


def test_an_axial_code_grows_by_its_name_and_two_become_one(codes: Codes) -> None:
    person, town, far = (code.id for code in codes.all())
    codes.merge("ada", [person], "wrong entity")
    codes.merge("ada", [town], "Wrong Entity")
    codes.merge("ada", [far], "graph")
    assert {name: len(held) for name, held in axial_codes(codes.all()).items()} == {
        "wrong entity": 2,
        "graph": 1,
    }
    codes.rename_axial("ada", "graph", "wrong entity")
    assert [*axial_codes(codes.all())] == ["wrong entity"]


def test_a_name_that_is_taken_is_no_new_name(codes: Codes) -> None:
    first = codes.all()[0]
    with pytest.raises(InputError, match="Merge the two"):
        codes.rename("ada", first.id, "Too far")
    codes.rename("ada", first.id, "Wrong person")
    assert codes.all()[0].name == "Wrong person"


def test_labels_that_nobody_uses_can_go_and_ids_are_not_used_again(
    reviews: Reviews, codes: Codes
) -> None:
    person, *_ = (code.id for code in codes.all())
    reviews.say("ada", [Change("a?", WALK, on=(person,))])
    assert [code.name for code in codes.drop_unused("ada")] == ["wrong town", "too far"]
    assert [code.id for code in codes.all()] == [person]
    assert codes.add("new").id > 3


def test_views_are_kept_by_name(reviews: Reviews) -> None:
    views = Views(reviews)
    views.save("mine", {"order": "worst"})
    views.save("Mine", {"order": "random", "seed": "7"})
    assert views.all() == {"Mine": {"order": "random", "seed": "7"}}
    views.drop("mine")
    assert views.all() == {}
    with pytest.raises(InputError):
        views.save(" ", {})


def test_some_notes_of_a_label_get_a_new_one_and_undo_takes_it_back(
    reviews: Reviews, codes: Codes
) -> None:
    person = codes.all()[0].id
    for who in ("ann", "bob"):
        reviews.say(who, [Change(one, WALK, on=(person,)) for one in ("Who?", "Where?", "When?")])
    before = labels(reviews, codes, axial=False)
    chosen = [one for one in reviews.all() if one.question != "When?"]
    made = codes.divide("ann", person, "wrong role", chosen)
    now = {(one.reviewer, one.question): one.labels for one in reviews.all()}
    assert now == {
        (who, one): (person,) if one == "When?" else (made.id,)
        for who in ("ann", "bob")
        for one in ("Who?", "Where?", "When?")
    }
    reviews.say("bob", [Change("When?", WALK, note="later")])
    assert [one.gone.key for one in reviews.undo("bob").said] == [("When?", WALK)]
    assert len(reviews.undo("ann").said) == len(chosen)
    assert sorted(labels(reviews, codes, axial=False)) == sorted(before)
    assert len(reviews.undo("bob").said) == 3
    assert {one.reviewer for one in reviews.all()} == {"ann"}


def test_a_label_is_divided_by_its_notes_and_under_a_new_name(
    reviews: Reviews, codes: Codes
) -> None:
    person = codes.all()[0].id
    (said,) = reviews.say("ann", [Change("Who?", WALK, on=(person,))])
    with pytest.raises(InputError, match="Choose the notes"):
        codes.divide("ann", person, "wrong role", [])
    with pytest.raises(InputError, match="already"):
        codes.divide("ann", person, "Wrong TOWN", [said])


def test_one_history_of_verdicts_and_labels_is_taken_back_newest_first(
    reviews: Reviews, codes: Codes
) -> None:
    person, town, far = (code.id for code in codes.all())
    reviews.say("ada", [Change("a?", WALK, verdict="pass", on=(person, town))])
    before = [codes.all()]
    for act in (
        lambda: codes.merge("ada", [person, town], "words"),
        lambda: codes.rename_axial("ada", "words", "wording"),
        lambda: codes.split("ada", [town]),
        lambda: codes.rename("ada", far, "out of reach"),
        lambda: codes.drop_unused("ada"),
    ):
        act()
        before.append(codes.all())
    reviews.say("bo", [Change("a?", WALK, verdict="fail")])
    told = []
    while (last := reviews.last("ada")).labels:
        before.pop()
        assert reviews.undo("ada") == last
        assert codes.all() == before[-1]
        told.append(last.labels)
    assert told == [
        "removal of unused labels",
        "rename to 'out of reach'",
        "split of merged labels",
        "rename of 'words' to 'wording'",
        "merge into 'words'",
    ]
    assert [one.gone.verdict for one in reviews.undo("ada").said] == ["pass"]
    assert not reviews.last("ada")
    assert [one.reviewer for one in reviews.all()] == ["bo"]


def test_what_another_made_of_a_label_since_stays(reviews: Reviews, codes: Codes) -> None:
    person, town, _ = (code.id for code in codes.all())
    codes.merge("ada", [person, town], "words")
    codes.merge("bo", [town], "places")
    codes.rename("bo", person, "wrong human")
    assert reviews.undo("ada").stood
    assert [code.axial for code in codes.all()] == ["", "places", ""]
    assert codes.all()[0].name == "wrong human"
    codes.rename("ada", person, "wrong role")
    codes.add("wrong human")
    assert not reviews.undo("ada").stood
    assert codes.all()[0].name == "wrong role"
    assert not reviews.last("ada")


def test_labels_that_are_as_wished_already_are_no_act(reviews: Reviews, codes: Codes) -> None:
    codes.split("ada", [codes.all()[0].id])
    assert not reviews.last("ada")


def test_a_file_from_before_labels_had_a_history_has_one_of_verdicts(reviews: Reviews) -> None:
    reviews.say("ada", [Change("a?", WALK, verdict="pass")])
    with reviews.transaction() as written:
        written.execute("DROP TABLE recoded")
        written.execute("DROP TABLE for_all")
    assert [one.gone.verdict for one in reviews.last("ada").said] == ["pass"]
    assert reviews.undo("ada")
    assert reviews.all() == []


def test_labels_that_were_merged_are_chosen_as_one() -> None:
    codes = [Code(1, "mill"), Code(2, "town", "place"), Code(3, "Place", "place"), Code(4, "quay")]
    assert [code.id for code in selectable_codes(codes, ())] == [1, 3, 4]
    assert [code.id for code in selectable_codes(codes, (2,))] == [1, 2, 4]
    assert of_same_label(2, by_id(codes)) == (2, 3)
    assert of_same_label(1, by_id(codes)) == (1,)

"""Questions that lost gold for one cause are one group, named by that cause."""

import random

from core.artefacts.workbench import Workbench
from core.funnel.data import Fate
from core.reviews.losses.causes import Cause, cause_of
from core.reviews.losses.clusters import Case, clusters
from tests.core.five import QUESTION

BORN = Cause("refused", 2, "company", "person", "birth", False, "birth", "bridge")
PLAYS = Cause("refused", 2, "person", "stadium", "sport", False, "sport", "bridge")
FAR = Cause("far", None, "", "town", "", False, "place", "composition")


def cases(cause: Cause, number: int, golds: int = 1) -> list[Case]:
    return [Case(f"{cause.relation or cause.stage}{n}", cause, golds) for n in range(number)]


def test_groups_are_named_by_the_missing_relation() -> None:
    found = clusters([*cases(BORN, 3, golds=2), *cases(PLAYS, 2)])
    assert [(one.name, len(one.questions), one.golds) for one in found] == [
        ("Not followed at hop 2: company → person (birth)", 3, 6),
        ("Not followed at hop 2: person → stadium (sport)", 2, 2),
    ]


def test_what_shares_no_relation_is_grouped_by_a_wider_cause() -> None:
    other = Cause("refused", 2, "", "person", "", False, "family", "bridge")
    third = Cause("refused", 2, "film", "person", "director", False, "director", "bridge")
    names = {
        one.name: len(one.questions)
        for one in clusters([*cases(other, 1), *cases(third, 1), *cases(FAR, 1)])
    }
    assert names == {
        "Not followed at hop 2: person not named in the question": 2,
        "Out of reach: town not named in the question": 1,  # the only one has its own cause
    }


def test_the_order_of_the_questions_changes_nothing_and_each_is_in_one_group() -> None:
    some = [*cases(BORN, 3), *cases(PLAYS, 4), *cases(FAR, 1)]
    mixed = random.Random(3).sample(some, len(some))
    assert clusters(mixed) == clusters(some)
    assert sorted(q for one in clusters(some) for q in one.questions) == sorted(c.id for c in some)
    assert clusters([]) == []


def test_the_cause_is_read_from_the_edge_the_passages_and_the_question(workbench: Workbench):
    loss = Fate("town", "town", "refused", hop=2, at="owner", asks="Where was Mara Quist born?")
    found = cause_of(QUESTION, (Fate("owner", "owner", "kept", rank=1), loss), workbench.index)
    assert found == Cause("refused", 2, "person", "town", "birth", False, "birth", "")
    assert found.names[0] == "Not followed at hop 2: person → town (birth)"
    other = Fate("club", "club", "cut", rank=30, k=20)
    assert cause_of(QUESTION, (other,), workbench.index).named  # the question names Harbour Rovers
    unknown = cause_of(QUESTION, (), workbench.index)
    assert unknown.name == "Stage not known: questions about birth"

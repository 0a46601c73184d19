"""Who may do what, by the lists."""

import pytest

from core.errors import NotAllowed
from core.visitors.roles import ANYBODY, visitor_called
from core.visitors.rules import Rules

RULES = Rules(editors=("ada@example.org", "*@lab.example"), readers=("rae@example.org", "bob"))


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("ada@example.org", "editor"),
        (" Ada@Example.org ", "editor"),
        ("anybody@lab.example", "editor"),
        ("rae@example.org", "reader"),
        ("bob", "reader"),
        ("", None),
        ("eve@example.org", None),
        ("ada@example.org.evil", None),
        ("eve@evil.example@lab.example", None),
        ("@lab.example", None),
        ("eve@sub.lab.example", None),
        ("ada@example.org\nx", None),
        ("x" * 300 + "@lab.example", None),
    ],
)
def test_the_role_of_a_name(name: str, role: str | None) -> None:
    assert visitor_called(name, RULES).role == role


def test_only_editors_may_edit() -> None:
    ANYBODY.need_editor()
    visitor_called("ada@example.org", RULES).need_editor()
    for name in ("", "rae@example.org", "eve@example.org"):
        with pytest.raises(NotAllowed, match="HOPRAG_EDITORS"):
            visitor_called(name, RULES).need_editor()


@pytest.mark.parametrize(
    "name", ["\u00a0mike@a.org", "mike@a.org\n", "mi\u212ae@a.org", "m\u0130ke@a.org"]
)
def test_a_name_that_only_looks_like_one_on_the_list_is_another(name: str) -> None:
    rules = Rules(editors=("mike@a.org", "m\u00fcller@a.org"))
    assert visitor_called(name, rules).role is None
    assert visitor_called("MIKE@A.org", rules).role == "editor"
    assert visitor_called("M\u00dcLLER@a.org", rules).role == "editor"

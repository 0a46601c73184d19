"""Scripts that are joined to one text: a browser runs none of it where two declare one name."""

import re
from collections import Counter

import pytest

from core.explore import assets as explore

JOINED = {
    "explore": explore.script(explore.COMPONENT),
    "page": explore.script(explore.PAGE),
}
DECLARED = re.compile(r"^(?:const|let|class|function) +([\w$]+)", re.MULTILINE)


@pytest.mark.parametrize("name", JOINED)
def test_no_two_declare_one_name(name: str) -> None:
    declared = Counter(DECLARED.findall(JOINED[name]))
    assert len(declared) > 20
    assert [each for each, times in declared.items() if times > 1] == []

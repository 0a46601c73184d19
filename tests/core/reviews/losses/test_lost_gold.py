"""Gold that is not in the index: misspelt, or missing."""

from types import SimpleNamespace
from typing import Any

from core.funnel.data import Fate
from core.retrievers import Spec
from core.reviews.losses.fixes import fix_lines
from core.reviews.losses.lost_gold import fix_description
from core.runs.fixes import Losses

INDEX: Any = SimpleNamespace(documents=[SimpleNamespace(title="Piet Halloran")])
MEANT = "so no setting can retrieve it. Did you mean 'Piet Halloran'?"
ADD = "so no setting can retrieve it: add its document"


def test_a_misspelt_title_is_offered_the_title_it_resembles_on_every_page() -> None:
    for gold, advice in (("Piet Haloran", MEANT), ("Runa Voss", ADD)):
        fate = Fate(gold, "", "absent")
        assert fix_description("bm25", fate, {}, INDEX).endswith(advice)
        (line,) = fix_lines(Losses(Spec("bm25"), "Who?", [fate]), {}, str, INDEX)
        assert advice in line.told
        assert not line.told.endswith("?.")

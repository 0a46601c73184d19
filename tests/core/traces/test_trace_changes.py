"""What is otherwise in one retrieval than in another one."""

from core.marks import Gold
from core.retrievers import make
from core.traces.changes import found
from tests.core.five import QUESTION
from tests.core.worlds import WALK

GOLD = Gold(("town", "elsewhere"), absent=("elsewhere",), passages={"town": ("town",)})


def test_recall_ranks_and_visits_of_a_walk_by_hand():
    told = found(WALK, GOLD)
    kept = [hit.passage_id for hit in WALK[-1].hits]
    seen = [*kept, *(hit.passage_id for hit in WALK[-1].pruned)]
    assert told.ranks == {"town": seen.index("town") + 1}
    assert told.recall == float("town" in kept)
    assert (told.kept, told.ranked, told.visited) == (3, 4, 4)
    assert (told.calls, told.replies) == (0, 0)


def test_without_gold_there_is_no_recall():
    assert found(WALK, Gold()).recall is None


def test_calls_and_replies_of_a_model_are_counted(thinking):
    first = found(list(make("hoprag-llm", thinking).retrieve(QUESTION.text)), GOLD)
    again = found(list(make("hoprag-llm", thinking).retrieve(QUESTION.text)), GOLD)
    assert first.calls > 0
    assert (again.calls, again.replies) == (0, first.calls)

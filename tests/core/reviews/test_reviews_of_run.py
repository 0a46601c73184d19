"""What is said of the reviews of a run that is deleted."""

from pathlib import Path

from core.reviews import Change, Reviews
from core.reviews.reviews_of_run import Staying, staying
from core.runs import Runs
from tests.core.runs.hand_made import hand_made


def test_reviews_of_a_run_stay_and_are_seen_where_another_run_asks_the_same(
    tmp_path: Path,
) -> None:
    runs, reviews = Runs(tmp_path), Reviews(tmp_path)
    run = hand_made(runs)
    asked = [("A?", "bm25"), ("B?", "walk"), ("A?", "dense"), ("Z?", "bm25")]
    reviews.say("ada", [Change(*key, verdict="fail") for key in asked])
    found = staying(run, runs, reviews.all())
    assert found == Staying(0, 2)
    assert "2 reviews stay with the index and can be read again when a run has" in str(found)
    hand_made(runs)
    assert staying(run, runs, reviews.all()) == Staying(2, 0)
    assert str(staying(run, runs, [])) == "Its results have no reviews."

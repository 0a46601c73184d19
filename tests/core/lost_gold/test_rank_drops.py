"""When gold came to stand below the line, with the way there."""

from core.lost_gold.rank_drops import Fall, Falls, fall
from core.playback import frames
from tests.core.lost_gold.test_missed_gold import cause, played
from tests.core.worlds import WALK

ENDS = WALK[-1]
LOW = ENDS.pruned[0].passage_id


def test_the_last_time_that_it_sank_counts():
    """The ranking of a walk is that of its visits so far."""
    at = list(frames(WALK))
    found = fall(at, LOW)
    ranks = {
        now.t: next((row.rank, row.kept) for row in now.ranking_rows if row.hit.passage_id == LOW)
        for now in at
        if any(row.hit.passage_id == LOW for row in now.ranking_rows)
    }
    below = [t for t, (_, kept) in ranks.items() if not kept]
    assert found is not None
    assert found.t == next(
        t for t in below if all(not ranks[later][1] for later in ranks if later >= t)
    )
    assert (found.rank, found.k) == (ranks[found.t][0], len(ENDS.hits))


def test_what_is_kept_or_never_ranked_fell_nowhere():
    at = list(frames(WALK))
    assert fall(at, ENDS.hits[0].passage_id) is None
    assert fall(at, "alone") is None


def test_a_drop_is_computed_once():
    falls = Falls(list(frames(WALK)))
    assert falls[LOW] is falls[LOW]
    assert falls["alone"] is None


def test_the_cause_says_where_it_fell_with_the_way_there():
    made = cause(played(WALK, [LOW]))
    found = fall(list(frames(WALK)), LOW)
    assert made.told == found.at("Hop 2")
    assert made.told == "First reached in hop 2, at rank 4"
    assert made.t == found.t


def test_it_says_from_where_to_where():
    assert Fall(3, 4, 3, None).at("Hop 1") == "First reached in hop 1, at rank 4"
    assert Fall(3, 4, 3, 2).at("Hop 1") == "In hop 1 it drops from rank 2 to 4, out of the top 3"

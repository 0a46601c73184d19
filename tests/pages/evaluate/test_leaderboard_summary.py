"""The sentence above the leaderboard."""

from core.evaluation.paired import Difference
from core.runs import Other
from core.runs.analysis.leaderboard import Interval, LeaderboardRow
from pages.components.evaluate.leaderboard.summary import result

RUN = "run"


def standing(retriever: str, mean: float) -> LeaderboardRow:
    measures = {"R@5": Interval(9, mean, mean - 5, mean + 5)}
    return LeaderboardRow(retriever, "", 9, measures, 0.1, 0.1, 0, 0, 0)


def pair(mean: float, low: float, high: float) -> Difference:
    return Difference("R@5", 9, mean, low, high, 1, 1, 7, 0.01)


FOUND = [standing("bm25", 40.0), standing("dense", 60.0)]


def test_the_leader_is_set_against_the_baseline() -> None:
    pairs = {"dense": pair(20.0, 12.0, 28.0)}
    told = "Dense leads: R@5 60.0%, 20.0 points above BM25 (95% interval 12.0 to 28.0)."
    assert result(FOUND, pairs, "R@5", Other(RUN, "bm25")) == told


def test_a_leading_baseline_is_set_against_the_next() -> None:
    pairs = {"bm25": pair(-20.0, -28.0, -12.0)}
    told = "Dense leads: R@5 60.0%, 20.0 points above BM25 (95% interval 12.0 to 28.0)."
    assert result(FOUND, pairs, "R@5", Other(RUN, "dense")) == told


def test_what_may_be_chance_is_said() -> None:
    pairs = {"dense": pair(20.0, -2.0, 42.0)}
    assert "but the difference may be chance" in result(FOUND, pairs, "R@5", Other(RUN, "bm25"))


def test_of_two_that_are_level_none_is_said_to_lead() -> None:
    level = [standing("bm25", 40.0), standing("dense", 40.0)]
    told = "BM25 and Dense are level: R@5 40.0% (95% interval of the difference -2.0 to 2.0)."
    assert result(level, {"dense": pair(0.0, -2.0, 2.0)}, "R@5", Other(RUN, "bm25")) == told


def test_one_retriever_leads_nobody() -> None:
    assert result(FOUND[:1], {}, "R@5", Other(RUN, "bm25")) == "BM25: R@5 40.0%."
    assert result([], {}, "R@5", Other(RUN, "bm25")) == ""


def test_the_best_of_a_search_is_not_said_to_lead() -> None:
    pairs = {"dense": pair(20.0, 12.0, 28.0)}
    told = result(FOUND, pairs, "R@5", Other(RUN, "bm25"), searched=True)
    assert told.startswith("Highest R@5 on all questions: 60.0%, by Dense.")
    assert "leads" not in told

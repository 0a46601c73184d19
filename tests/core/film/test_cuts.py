"""What the line is called below which lost gold stands."""

from types import SimpleNamespace

from core.film.cuts import NOT_RETRIEVED, NOT_TAKEN, cuts


def plot(ranks, hits, lost):
    rows = [SimpleNamespace(rank=n, hit=SimpleNamespace(passage_id=name)) for name, n in ranks]
    kept = [SimpleNamespace(passage_id=name) for name in hits]
    return SimpleNamespace(
        last=SimpleNamespace(standings=rows, hits=kept),
        columns=SimpleNamespace(of=dict.fromkeys("abc", 0)),
        cast=SimpleNamespace(kind=lambda _: "passage", numbers=lambda names: [*names]),
        lost=frozenset(lost),
    )


def label(ranks, lost):
    (cut,) = cuts(plot(ranks, ["a"], lost), ["a", "b", "c"])
    return cut["label"]


def test_a_line_has_the_name_of_the_cause_of_the_gold_below_it():
    assert label([("a", 1), ("b", 2), ("c", 3)], {"c"}) == "Below the top 1: rank 3"
    assert label([("a", 1), ("b", 2)], {"c"}) == NOT_RETRIEVED
    assert label([("a", 1)], {"c"}) == NOT_TAKEN

"""What a model was asked and said is whole where it fits, and says what is left out where not."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from core.playback import labels
from core.retrievers import Spec
from core.trace_analysis.cost_summary import footer
from core.trace_analysis.phases import opening, phases
from core.walkthroughs.exchanges import exchanges, longest

CAST = SimpleNamespace(title=str)


def test_exchanges_are_whole(five):
    steps = five[1]["hoprag-llm"].steps
    asked = [step.told.exchange for step in steps if step.told.exchange]
    assert asked
    told = exchanges(steps, CAST, labels(steps), 10**6)
    assert [(one["system"], one["user"], one["replies"]) for one in told] == [
        (one.system, one.user, list(one.replies)) for one in asked
    ]


def test_the_longest_texts_are_cropped_to_one_length(five):
    steps = five[1]["hoprag-llm"].steps
    whole = exchanges(steps, CAST, labels(steps), 10**6)
    cropped = exchanges(steps, CAST, labels(steps), 500)

    def texts(found):
        return [text for one in found for text in (one["system"], one["user"], *one["replies"])]

    assert sum(map(len, texts(cropped))) <= 500 < sum(map(len, texts(whole)))
    assert len(cropped) == len(whole)
    length = max(map(len, texts(cropped)))
    pairs = zip(texts(whole), texts(cropped), strict=True)
    assert all(len(short) in (len(long), length) for long, short in pairs)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=20), st.integers(20, 5000))
def test_the_longest_that_fits(lengths, room):
    length = longest(lengths, room)
    taken = sum(min(one, length) for one in lengths)
    assert taken <= room
    assert length >= max(lengths) or taken + len(lengths) > room


def test_what_starts_a_walk_is_called_as_on_the_timeline(five):
    found = five[1]
    for key, told in (("hoprag-similarity", "Seeds"), ("bm25", "Question")):
        trace = found[key]
        names = labels(trace.steps)
        assert opening([(trace.steps, names, phases(trace.steps, names))]) == told


def test_the_footer_says_what_its_numbers_count(five):
    def told(key):
        spec = Spec(key)
        return footer(five[1][key], spec.card.title, spec, {}, None)

    assert "(top k 2, over BM25, at most 4 thoughts, 6 passages per search, " in told("ircot")
    assert "embedded" not in told("bm25")

"""What a model was asked and said is whole where it fits, and says what is left out where not."""

from hypothesis import given
from hypothesis import strategies as st

from core.film.making import make_film
from core.film.phases import opening, phases
from core.film.spoken import exchanges, longest
from core.funnel.brackets import outermost, within
from core.playback import labels


def test_exchanges_are_whole(five):
    index, traces = five
    walk = traces["hoprag-llm"]
    film = make_film(walk, index=index)
    asked = [step.told.exchange for step in walk.steps if step.told.exchange]
    assert asked
    assert [(one["system"], one["user"], one["replies"]) for one in film["exchanges"]] == [
        (one.system, one.user, list(one.replies)) for one in asked
    ]
    assert film["unsaid"] == ""


def test_what_is_left_out_is_counted(five):
    _, traces = five
    walk = traces["hoprag-llm"]
    film = make_film(walk)
    names = [type("Name", (), {"t": t, "text": "Step"}) for t in range(1, len(walk.steps) + 1)]
    cast = type("Cast", (), {"title": staticmethod(str)})
    whole, _ = exchanges(walk.steps, cast, names, 10**6)
    cropped, unsaid = exchanges(walk.steps, cast, names, 500)

    def texts(found):
        return [text for one in found for text in (one["system"], one["user"], *one["replies"])]

    assert sum(map(len, texts(cropped))) <= 500 < sum(map(len, texts(whole)))
    assert len(cropped) == len(film["exchanges"])
    length = max(map(len, texts(cropped)))
    lost = sum(max(0, len(text) - length) for text in texts(whole))
    assert (
        unsaid == f"Cropped to {length:,} characters each; {lost:,} of all characters are left out."
    )


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=20), st.integers(20, 5000))
def test_the_longest_that_fits(lengths, room):
    length = longest(lengths, room)
    taken = sum(min(one, length) for one in lengths)
    assert taken <= room
    assert length >= max(lengths) or taken + len(lengths) > room


def test_a_search_says_what_it_is_for_and_the_question_is_told_once(five):
    _, found = five
    asked = make_film(found["ircot"])["questions"]
    assert asked[0] == {"t": 1, "id": "#", "name": "Question", "text": found["ircot"].query}
    assert asked[1]["name"] == "Search #1: the question itself"
    assert asked[1]["text"] == ""
    assert {one["name"] for one in asked[2:]} == {
        f"Search {one['id']}: thought" for one in asked[2:]
    }


def test_a_search_says_what_came_first_and_where_gold_stands(five):
    index, found = five
    trace = found["ircot"]
    made = make_film(trace, dict.fromkeys(list(index.number)[:2], "given"), index)
    asked = made["questions"]
    assert "found" not in asked[0]  # its ranking stands beside it
    assert len(asked) > 1
    brackets = list(within(outermost(trace.steps)))
    for one, search in zip(asked[1:], brackets, strict=True):
        first = search.end.hits[0]
        title = trace.passages[first.passage_id].title
        assert one["found"].startswith(f"First: '{title}' {first.score:.3f} · ")
        assert one["found"].count("★ ") == 2
        ended = trace.steps[one["until"] - 1]
        assert ended == search.end


def test_keywords_are_no_questions(five):
    _, found = five
    film = make_film(found["lightrag"])
    kinds = [entry["label"] for entry in film["legend"] if entry["of"] == "kind"]
    assert kinds[:2] == ["Question", "Keywords"]


def test_what_starts_a_walk_is_called_as_on_the_timeline(five):
    _, found = five
    for key, told in (("hoprag-similarity", "Seeds"), ("bm25", "Question")):
        trace = found[key]
        names = labels(trace.steps)
        assert opening([(trace.steps, names, phases(trace.steps, names))]) == told


def test_the_line_under_a_film_says_what_its_numbers_count(five):
    _, found = five
    told = make_film(found["ircot"])["footer"]
    assert "(top k 2, over BM25, 4 thoughts at most, 6 passages of a search, " in told
    assert "embedded" not in make_film(found["bm25"])["footer"]

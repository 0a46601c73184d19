"""IRCoT against a slow reading of the paper (arXiv 2212.10509) and of its code.

Where the retriever's card states a difference, the reference follows the card: conclusions are
searched with and not shown, long passages are cut, and a search without news ends it.
"""

import re

import numpy as np
import pytest

from core.text.sentences import sentences
from tests.core.retrievers.references.scripted_model import (
    Model,
    Outcome,
    assert_equal,
    drawn,
    outcome,
)
from tests.core.retrievers.references.worlds import ALIKE, LONG, by_place, nearest, sentence

ASKING = ("who", "whom", "whose", "what", "when", "where", "why", "which", "how")
CONCLUDING = ("thus", "so", "therefore", "hence", "that is")
SETTINGS = ({}, {"each": 1}, {"each": 3, "room": 5}, {"thoughts": 8, "each": 2}, {"top_k": 2})


def reference(bench, question, model, *, search, thoughts=4, each=6, room=15, top_k=20):
    held, said, searches, ends = [], [], [], ""
    query = question
    while not ends:
        searches.append(query)
        new = []
        for passage in search(query, each):
            if passage not in held and len(held) < room and not like_one_of(passage, held):
                held.append(passage)
                new.append(passage)
        if not new:
            ends = "no new passage was found"
        elif len(held) == room:
            ends = f"the limit of {room} passage{'' if room == 1 else 's'} is reached"
        if ends:
            break
        reply = ask(model, question, held, said) if model else None
        thought = reply["thought"] if reply else substitute(bench, question, new, said)
        said.append(thought)
        if (reply and reply["answer"]) or "answer is" in thought.casefold():
            ends = "the thought gives the answer"
        elif not thought:
            ends = "the model had no further thought"
        elif len(said) == thoughts:
            ends = "the limit on thoughts is reached"
        query = without_question_words(thought) if reply else thought
    asked = model.asked if model else []
    ranking = by_place([p.id for p in held])
    return Outcome(ranking, min(top_k, len(held)), searches, asked, ends)


def like_one_of(passage, held):
    """Whether a held text shares at least nine tenths of all their words with a passage."""
    own = plain_words(passage.text)
    for other in held:
        theirs = plain_words(other.text)
        if own and 10 * len(own & theirs) >= 9 * len(own | theirs):
            return True
    return False


def plain_words(text):
    return set(re.findall(r"[^\W_]+", text.casefold().replace("'s", "").replace("’s", "")))


def ask(model, question, held, said):
    """The model's reply with its first sentence only; None if it neither thinks nor answers."""
    paragraphs = [{"title": p.title, "text": " ".join(p.text.split()[:350])} for p in held]
    shown = [one for one in said if not concludes(one)]
    reply = model("thought", question=question, paragraphs=paragraphs, thoughts=shown)
    first = (sentences(reply["thought"]) or [""])[0]
    if not first and not (reply["answer"] or "").strip():
        return None
    return {"thought": first, "answer": reply["answer"]}


def concludes(thought):
    start = thought.casefold()
    return any(start == one or re.match(rf"{one}\W", start) for one in CONCLUDING)


def without_question_words(thought):
    kept = [part for part in re.split(r"(\w+)", thought) if part.casefold() not in ASKING]
    return " ".join("".join(kept).split()) or thought


def substitute(bench, question, new, said):
    """The unused sentence of new passages with the highest cos(q) less the highest cos(thought)."""
    best, chosen = None, ""
    for passage in new:
        for one in sentences(passage.text):
            if one in said:
                continue
            asked, own, *earlier = np.float64(bench.embedder.encode([question, one, *said]))
            worth = asked @ own - max((own @ other for other in earlier), default=0)
            if best is None or worth > best:
                best, chosen = worth, one
    return chosen


def script(seed):
    """Thoughts of every kind, drawn from the number of thoughts and what was found."""

    def say(_, data):
        rng = drawn(seed, data)
        fact = sentence(rng)
        said = rng.choice(
            (
                *(fact, fact, f"{fact} {sentence(rng)}", f"Who knows where {fact}"),
                *(f"So {fact}", f"That is, {fact}", f"Somewhat whole: {fact}", "What?"),
                rng.choice(("", f"So the Answer is {fact}", fact)),
            )
        )
        return {"thought": said, "answer": rng.choice((None, None, None, None, "", "Ada"))}

    return say


def check(bench, question, settings, say, over="dense"):
    def search(text, count):
        if over == "dense":
            return nearest(bench, text, count)
        found = outcome(bench, f"{over}(top_k={count})", text, None).ranking[:count]
        return [bench.index.passage(name) for name, _ in found]

    given = ",".join(f"{name}={value}" for name, value in {"over": over, **settings}.items())
    found = outcome(bench, f"ircot({given})", question, say)
    model = Model(say) if say else None
    wanted = reference(bench, question, model, search=search, **settings)
    assert_equal(found, wanted)
    return wanted.ends


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_in_a_random_world(world, settings):
    ends = set()
    for seed in range(4):
        for number in range(6):
            rng = drawn(seed, number)
            ends.add(check(world(seed), sentence(rng), settings, script(number)))
        for question in ("Who left Selby?", f"Who met {ALIKE}?", f"Who met {LONG}?"):
            check(world(seed), question, settings, script(seed))
            check(world(seed), question, settings, None)
    assert len(ends) > 1


def test_in_the_sample(sample):
    for number, query in enumerate(sample.index.questions[:4]):
        settings = SETTINGS[number % len(SETTINGS)]
        check(sample, query.text, settings, script(number))
        check(sample, query.text, settings, script(number), over="bm25")
        check(sample, query.text, settings, None)

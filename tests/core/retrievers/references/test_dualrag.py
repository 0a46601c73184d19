"""DualRAG against a slow reading of the paper (arXiv 2504.18243) and of its code.

Where the retriever's card states a difference, the reference follows the card: one call for the
thought and the names, searches merged by reciprocal ranks, and a note that is rewritten.
"""

import pytest

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.lexical.postings import LEXICON
from core.text.entities.mentions import entity_key
from core.text.sentences import sentences
from core.text.stop_words import STOP_WORDS
from core.text.tokens import tokens, words
from tests.core.retrievers.references.scripted_model import (
    Model,
    Outcome,
    assert_equal,
    drawn,
    outcome,
)
from tests.core.retrievers.references.worlds import (
    LONG,
    NAMES,
    TOWNS,
    by_place,
    in_turns,
    nearest,
    reciprocal,
    sentence,
)

SETTINGS = ({}, {"rounds": 5, "names": 2}, {"each": 1}, {"rounds": 1, "each": 3}, {"top_k": 3})


def reference(bench, question, model, *, search, rounds=3, names=4, each=5, top_k=20):
    label, notes, thoughts, lists, searches, ends = {}, {}, [], {}, [], ""
    for number in range(1, rounds + 1):
        state = question, notes, list(label.values()), thoughts
        wanted, thought, by_model = demanded(bench, model, *state, names)
        if by_model and thought:
            thoughts.append(thought)
        if not wanted and by_model:
            ends = "the notes answer the query" if notes else "the model requested no search"
        elif not wanted:
            ends = "no names are left to search for"
        elif number == rounds:
            ends = "the round limit is reached"
        for name in wanted:
            label.setdefault(entity_key(name), name)
        for name, queries in wanted.items():
            found = {}
            for query in queries:
                if query not in found:
                    searches.append(query)
                    found[query] = search(query, 4 * each)
            best = reciprocal({query: [p.id for p in of] for query, of in found.items()}, 60)
            passages = [bench.index.passage(one) for one, _ in best[:each]]
            lists[len(lists)] = [p.id for p in passages]
            about = label[entity_key(name)]
            notes[about] = noted(bench, model, question, about, notes.get(about, ""), passages)
        if ends:
            break
    ranking = by_place(in_turns(lists))
    findings = [f"Note on {name}: {note}" for name, note in notes.items() if note]
    findings += [f"Thought: {thought}" for thought in thoughts]
    kept = min(top_k, len(ranking))
    return Outcome(ranking, kept, searches, model.asked if model else [], ends, tuple(findings))


def demanded(bench, model, question, notes, searched, thoughts, most):
    """The searches by name, the thought, and whether the model said so; no name if all is known."""
    if model:
        listed = [{"name": name, "note": note} for name, note in notes.items()]
        given = {"question": question, "notes": listed, "searched": searched}
        reply = model("demand", **given, thoughts=list(thoughts), most=most)
        wanted = {}
        for one in reply["names"]:
            name = " ".join(one["name"].split())
            queries = [" ".join(query.split()) for query in one["queries"]]
            if name and name not in wanted:
                wanted[name] = [query for query in queries if query][:2] or [name]
        if reply["enough"]:
            return {}, reply["thought"].strip(), True
        if wanted:
            first = dict(list(wanted.items())[:most])
            return first, reply["thought"].strip(), True
    done = {entity_key(name) for name in searched}
    wanted = {} if searched else {entity_key(question): question}
    for text in reversed(notes.values()) if searched else [question]:
        for mention in bench.get(KEYWORDS).mentions(text):
            name, behind = text[mention.start : mention.end], text[mention.end : mention.end + 2]
            qualifies = len(tokens(name)) == 1 and behind[:1] == " " and behind[1:].islower()
            if mention.kind != "number" and mention.key not in done and not qualifies:
                wanted.setdefault(mention.key, name.removesuffix("'s"))
    first = list(wanted.values())[:most]
    return {name: [with_words_of(question, name)] for name in first}, "", False


def with_words_of(question, name):
    """The name and the question's own words, without names and function words."""
    if name == question:
        return question
    own = [token.text.casefold() for token in tokens(name)]
    query = [name]
    for token in tokens(question):
        if token.text.islower() and token.text not in (*STOP_WORDS, *own, *query):
            query.append(token.text)
    return " ".join(query)


def noted(bench, model, question, name, old, passages):
    """The new note on a name; nothing found leaves it as it is."""
    if not passages:
        return old
    if model:
        paragraphs = [
            {"number": number, "title": p.title, "text": " ".join(p.text.split()[:350])}
            for number, p in enumerate(passages, start=1)
        ]
        reply = model("note", question=question, about=name, note=old, paragraphs=paragraphs)
        if all(1 <= number <= len(passages) for number in reply["rests_on"]):
            return reply["note"].strip()
    weights = bench.get(LEXICON).weights(f"{name} {question}")
    lines, covered = [], set()
    read = [line for p in passages for line in sentences(p.text)]
    for _ in range(2):
        worth = {
            line: sum(w for word, w in weights.items() if word in {*words(line)} - covered)
            for line in read
        }
        best = max(worth, key=worth.get)
        if worth[best]:
            lines.append(best)
            covered |= {*words(best)}
    for p in passages:
        if entity_key(p.title) == entity_key(name):
            lines += sentences(p.text)[:4]
    return "\n".join(dict.fromkeys((*old.splitlines(), *lines)))


def script(seed):
    def say(role, data):
        rng = drawn(seed, data)
        if role == "note":
            count = len(data["paragraphs"])
            cited = [rng.randrange(1, count + 1 + (rng.random() < 0.3)) for _ in range(2)]
            note = rng.choice((sentence(rng), f" {sentence(rng)}\n", "None is known.", ""))
            return {"note": note, "rests_on": cited}
        names = []
        for _ in range(rng.randrange(6)):
            name = rng.choice((*NAMES, *TOWNS, *TOWNS, LONG))
            queries = [rng.choice((f"{name} met", f" {name}  left", "lived", "", name, LONG))]
            queries += [f"{name} taught", f"{rng.choice(NAMES)}", "painted"][: rng.randrange(4)]
            name = rng.choice((name, f"the {name}", f" {name} ", name, ""))
            names.append({"name": name, "queries": queries[: rng.randrange(5)]})
        thought = rng.choice((sentence(rng), "", f" {sentence(rng)} "))
        return {"thought": thought, "enough": rng.random() < 0.15, "names": names}

    return say


def check(bench, question, settings, say, over="dense"):
    def search(text, count):
        if over == "dense":
            return nearest(bench, text, count)
        found = outcome(bench, f"{over}(top_k={count})", text, None)
        return [bench.index.passage(name) for name, _ in found.ranking[: found.kept]]

    given = ",".join(f"{name}={value}" for name, value in {"over": over, **settings}.items())
    found = outcome(bench, f"dualrag({given})", question, say)
    wanted = reference(bench, question, Model(say) if say else None, search=search, **settings)
    assert_equal(found, wanted)
    return wanted.ends


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_in_a_random_world(world, settings):
    ends = set()
    for seed in range(3):
        for number in range(8):
            question = f"Where is it told that {sentence(drawn(seed, number))}"
            ends.add(check(world(seed), question, settings, script(number)))
            if number < 3:
                check(world(seed), question, settings, None)
    assert len(ends) > 1


def test_in_the_sample(sample):
    for number, query in enumerate(sample.index.questions[:4]):
        settings = SETTINGS[number]
        check(sample, query.text, settings, script(number))
        check(sample, query.text, settings, script(number), over="bm25")
        check(sample, query.text, settings, None)

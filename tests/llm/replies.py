"""Correct replies, derived from the request alone; a script of them never sees gold."""

import json
import re
from typing import Any

from core.text.tokens import words
from tests.llm.server import Answer, Request


def choose(request: Request) -> Answer:
    """To `choose`: the question that shares most words with the query, the first of several.

    To `summary`: the first sentence of each text.
    """
    if "texts" in request.data:
        told = " ".join(text.split(". ")[0].strip() + "." for text in request.data["texts"])
        return Answer(json.dumps({"summary": told}))
    return Answer(json.dumps(choice(request)))


def choice(request: Request) -> dict[str, Any]:
    asked = set(words(request.data["query"]))
    shared = [len(asked & set(words(one["question"]))) for one in request.data["questions"]]
    told = f"It tells of {request.data['passage']['title']}."
    if not max(shared):
        reason = "No question shares a word with the query."
        return {"answers": told, "reason": reason, "follow": None, "verdict": "irrelevant"}
    best = shared.index(max(shared))
    return {
        "answers": told,
        "reason": f"It shares {max(shared)} words with the query.",
        "follow": request.data["questions"][best]["number"],
        "verdict": "relevant and necessary" if max(shared) > 1 else "indirectly relevant",
    }


def answered(data: dict[str, Any]) -> dict[str, Any]:
    """A reader of two hops: where the one was born whom a passage named in the question names."""
    passages = data["passages"]
    for first in passages:
        if first["title"] not in data["question"]:
            continue
        for second in passages:
            born = re.search(r"born in ((?:[A-Z]\w+ ?)+)", second["text"])
            if born and second is not first and second["title"] in first["text"]:
                return {
                    "reasoning": f"{first['title']} names {second['title']}.",
                    "citations": [first["id"], second["id"]],
                    "found": True,
                    "answer": born[1].strip(),
                }
    return {"reasoning": "No passage tells.", "citations": [], "found": False, "answer": ""}


def questions(request: Request) -> Answer:
    """To `questions_of_passage`: what `asked` makes of title and text."""
    return Answer(json.dumps(asked(request.data), ensure_ascii=False))


def asked(data: dict[str, str]) -> dict[str, list[str]]:
    """What each of two sentences tells, and who each capitalised thing in the text is."""
    title, text = data["title"], data["text"]
    told = [f"What is known about {title}: {line.strip(' .')}?" for line in text.split(". ")]
    named = dict.fromkeys(re.findall(r"(?<!^)(?<![.] )[A-Z]\w+(?: [A-Z]\w+)*", text))
    raised = [f"Who or what is {name}?" for name in named if name != title]
    more = [f"What came {when} {title}?" for when in ("before", "after", "of", "with")]
    return {"answered": [*told, f"What is {title}?"][:8], "raised": [*raised, *more][:10]}


def extraction(request: Request) -> Answer:
    """To `extract`: what `extracted` makes of title and text."""
    return Answer(json.dumps(extracted(request.data), ensure_ascii=False))


def extracted(data: dict[str, str]) -> dict[str, list[Any]]:
    """The capitalised things of the text, and that the title has to do with each."""
    title, text = data["title"], data["text"]
    named = dict.fromkeys(re.findall(r"(?<!^)(?<![.] )[A-Z]\w+(?: [A-Z]\w+)*", text))
    others = [name for name in named if name != title]
    return {
        "entities": [title, *others],
        "triples": [[title, "has to do with", name] for name in others],
    }

"""A slow reading of plans and sub-answers, as two references need them.

The rules that stand in for a model are taken as they are: they are of no paper.
"""

import re
from collections.abc import Sequence
from typing import Any

from core.answers import span
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.text.decomposition.rules import decompose
from core.types import Passage
from tests.core.retrievers.references.scripted_model import Model, drawn
from tests.core.retrievers.references.worlds import NAMES, TOWNS

PLANS: tuple[list[str], ...] = (
    ["Who met {0}?", "Where did #1 live?"],
    ["Who met  {0}?", "Who left {1}?", "Did #2 teach #1, or did #1 teach #2?"],
    ["Where did #2 live?", "Who painted {0}?", "When was #1 left by #2?"],
    ["Who met {0}?", "Who met #1?", "Who met #2?", "Who met #3?", "Who met #4?", "Who met #5?"],
    ["Where did {0} live?", "Where did {1} live? ", " "],
    ["Name the one who met {0}.", "Where did #1 live?"],
    ["Who taught {0}?"],
    ["Who met #2?", "Who met #1?"],
    ["Who met #3?", "Who met {0}?"],
    ["Who met {0}?", "", "Who met #1?"],
    [],
)
"""Plans, of which the last four cannot be used."""


def plan_script(seed: int, data: Any) -> dict[str, list[str]]:
    """Return a plan for a question; of the number that is asked for in most cases."""
    rng = drawn(seed, data)
    plan = list(rng.choice((*PLANS, *PLANS[:3])))
    if "exactly" in data and rng.random() < 0.7:
        plan = [f"Who met {NAMES[n]}?" for n in range(data["exactly"] - 1)]
        plan.append("Who met #1?" if plan else "Who met Ada Birch?")
    names = rng.sample(NAMES, 2)
    return {"questions": [one.format(*names) for one in plan]}


def answer_script(seed: int, data: Any) -> dict[str, Any]:
    """Return an answer to a question, none, or a reply that cannot be used."""
    rng = drawn(seed, data)
    ids = [one["id"] for one in data["passages"]]
    answer = rng.choice((*NAMES, *TOWNS, "  Bo \n Ash ", ""))
    found = bool(answer) and rng.random() < 0.9
    cited = [*rng.sample(ids, rng.randrange(1 + len(ids))), rng.choice(["nothing", ids[0]])]
    others = [rng.choice((*NAMES, "", answer.upper(), " Ada  Elm")) for _ in range(4)]
    broken = rng.random() < 0.15
    return {
        "reasoning": f"It  says {answer}.",
        "citations": cited if found else [],
        "found": True if broken else found,
        "answer": "" if broken or not found else answer,
        "others": others[: rng.randrange(5)],
    }


def references_in(text: str) -> list[int]:
    """Return the numbers behind a `#` in `text`, each once."""
    return list(dict.fromkeys(int(one) for one in re.findall("#([0-9]+)", text)))


def with_answers(text: str, answers: dict[int, str]) -> str:
    """Return `text` with every `#n` replaced by answer n where it is known."""
    pieces = re.split("(#[0-9]+)", text)
    known = {f"#{number}": answer for number, answer in answers.items()}
    return "".join(known.get(piece, piece) for piece in pieces)


def in_levels(parts: Sequence[str]) -> list[list[int]] | None:
    """Return the numbers of parts by the longest chain of answers they wait for; None in a cycle
    or where a part refers to none that there is.
    """
    depth: dict[int, int] = {}
    for _ in parts:
        for number, text in enumerate(parts, start=1):
            needed = references_in(text)
            if all(one in depth for one in needed):
                depth[number] = 1 + max((depth[one] for one in needed), default=0)
    if len(depth) < len(parts):
        return None
    return [
        [number for number in sorted(depth) if depth[number] == level]
        for level in range(1, 1 + max(depth.values()))
    ]


def planned(bench: Workbench, question: str, model: Model | None, exactly: int = 0) -> list[str]:
    """Return the sub-questions of the model, or those of the rules if they cannot be used."""
    plain = re.sub("#([0-9]+)", r"no. \1", question)
    if model:
        limits = {"most": exactly, "exactly": exactly} if exactly else {"most": 6}
        reply = model("decompose", question=plain, **limits)
        parts = [" ".join(one.split()) for one in reply["questions"]]
        while parts and not parts[-1]:
            parts = parts[:-1]
        right = len(parts) == exactly if exactly else 1 <= len(parts) <= 6
        if right and all(parts) and in_levels(parts):
            return parts
    return list(decompose(plain, bench.get(KEYWORDS)))


def answered(
    bench: Workbench,
    model: Model | None,
    question: str,
    passages: Sequence[Passage],
    others: int = 0,
    findings: Sequence[str] = (),
) -> tuple[str, str, list[str], list[str]]:
    """Return an answer with its evidence, the passages cited for it, and other answers."""
    if model and passages:
        shown = [{"id": p.id, "title": p.title, "text": p.text} for p in passages]
        more_data = {"findings": list(findings)} if findings else {}
        reply = model("answer", question=question, passages=shown, **more_data)
        if bool(reply["answer"].strip()) == reply["found"]:
            answer, ids = one_line(reply["answer"]), [p.id for p in passages]
            cited = [one for one in dict.fromkeys(reply["citations"]) if one in ids]
            more: dict[str, str] = {}
            for one in map(one_line, reply["others"]):
                if answer and one and one.casefold() != answer.casefold():
                    more[one.casefold()] = one
            return answer, one_line(reply["reasoning"]), cited, list(more.values())[:others]
    found = span(question, passages, bench.get(KEYWORDS))
    if found is None:
        return "", "", [], []
    return one_line(found.text), one_line(found.sentence), [found.passage_id], []


def one_line(text: str) -> str:
    return " ".join(text.split())[:300]

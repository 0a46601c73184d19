"""The names in a question, which several systems have a model find."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.workbench import Workbench
from core.models.oracle import Guess
from core.retrievers.model_replies import reply_or_none
from core.steps import Told
from core.text.entities.mentions import entity_key

LONGEST = 300
"""Tokens of a reply: the names that a question has."""


class Names(BaseModel):
    """What a model says: the names in a question."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    names: list[str] = prompts.at_most(30)


GUESS = Guess(surely=Names(names=[]), likely=None)
"""Surely none, which ends it; likely those that the substitute finds."""


def names_in(
    bench: Workbench, query: str, found: Sequence[str], substitute: str
) -> tuple[Sequence[str], Told]:
    """Return the normalised names in `query`, and who found them: the model, or rules.

    Parameters
    ----------
    found : those that rules find, which stand in.
    """
    prompt = prompts.prompt("name_entities", Names, longest=LONGEST, question=query)
    reply, told = reply_or_none(bench.oracle, prompt, read_names, GUESS, substitute)
    if reply is None:
        return found, told
    keys = [key for name in reply.names if (key := entity_key(name))]
    verdict = ", ".join(reply.names) or "no name"
    return keys, Told(told.cost, told.reason, verdict, told.fallback, told.exchange)


def read_names(text: str) -> Names:
    """Parse the names in a reply.

    Raises
    ------
    ReplyUnreadable : it holds none.
    """
    reply = prompts.read(text, Names)
    return Names(names=[name for name in reply.names if name.strip()])

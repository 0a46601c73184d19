"""Test whether a model server reads requests up to a given length.

Local servers have a fixed context length, and some silently truncate longer requests (Ollama
defaults to 4,096 tokens).
"""

import re

from pydantic import BaseModel, ConfigDict

from core.errors import InputError, LlmError, RequestRefused
from core.models.diagnose import Diagnosis
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.prompt import Prompt, Reply
from core.settings import Endpoint

SECTION = 250  # tokens
_ENOUGH = 0.9  # of the tokens sent: a word is one token at the least, and nearly always one
_WORDS = "the river runs past an old house and on to the sea where small boats come and go".split()
_FIRST = re.compile(r'"first"\s*:\s*"?(\d{1,6})')
_ASKED = (
    "The text has numbered sections. Answer with JSON only, with the number of the first section "
    'that you see, like {"first": 3}.'
)


class _First(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    first: int


def diagnose_reach(
    endpoint: Endpoint, leave: Leave, tokens: int, *, time_limit: float | None = None
) -> Diagnosis:
    """Send one request of about `tokens` tokens and diagnose whether the model reads all of it.

    What it reads is the token count that the server reports, or else follows from the first section
    that the model names. Errors of the server become part of the diagnosis.

    Parameters
    ----------
    tokens : length of the longest request that an answer needs.
    """
    llm = Llm(endpoint, time_limit=time_limit, retries=0)
    try:
        reply = llm.complete(_long_prompt(tokens), leave)
    except RequestRefused as error:
        return Diagnosis(False, f"An answer needs up to {tokens:,} tokens. {error}")
    except LlmError as error:
        return Diagnosis(False, f"With a request of {tokens:,} tokens: {error}")
    except InputError as error:
        return Diagnosis(False, str(error))
    read = _read(reply, tokens)
    if read >= _ENOUGH * tokens:
        return Diagnosis(True, f"It reads requests of at least {tokens:,} tokens.")
    return Diagnosis(
        False,
        f"{llm.model} reads only about {read:,} tokens of a request, and an answer needs up "
        f"to {tokens:,}. The rest is cut off silently. Give the server a larger context: "
        "OLLAMA_CONTEXT_LENGTH=16384 for Ollama (or num_ctx), --max-model-len for vLLM, -c "
        "for llama.cpp.",
    )


def _long_prompt(tokens: int) -> Prompt:
    """Return a prompt of about `tokens` tokens, in numbered sections.

    The model is asked for the first section that it sees.
    """
    filler = " ".join(_WORDS[place % len(_WORDS)] for place in range(SECTION))
    sections = range(1, -(-tokens // SECTION) + 1)
    text = "\n\n".join(f"Section {number}: {filler}" for number in sections)
    # At the end too: a server that cuts may cut the instructions.
    return Prompt("reach_test", _ASKED, f"{text}\n\n{_ASKED}", _First.model_json_schema(), 50)


def _read(reply: Reply, tokens: int) -> int:
    """Return how many tokens of the request were read; all of them if nothing indicates less."""
    if 0 < reply.tokens_in < _ENOUGH * tokens:
        return reply.tokens_in
    said = _FIRST.search(reply.text)
    sections = -(-tokens // SECTION)
    first = int(said[1]) if said else 1
    return tokens if not 1 < first <= sections else (sections - first + 1) * SECTION

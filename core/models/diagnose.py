"""Test whether a model can be used, and say in one line what is wrong if not."""

import re
from dataclasses import dataclass

import openai
from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import InputError, LlmError
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.prompt import Prompt, Reply
from core.models.server.endings import ending_said
from core.models.server.trouble import causes
from core.settings import Endpoint

NAMED = 5  # models that are offered instead
SLOW = 15.0  # seconds; a question takes about four replies' time and a passage one
_ADDENDS = (17, 25)
_OBJECT = re.compile(r'\{[^{}]*"sum"[^{}]*\}')


class _Sum(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    sum: int


_PROMPT = Prompt(
    name="connection_test",
    system='Add the two numbers. Answer with JSON only, like {"sum": 3} for 1 and 2.',
    user=f"{_ADDENDS[0]} and {_ADDENDS[1]}",
    schema=_Sum.model_json_schema(),
)


# Far longer than its limit, if the server ignores that.
_LONG_REPLY = Prompt(
    name="limit_test",
    system="Write numbers, and nothing else.",
    user="Count from 1 to 200, with a space behind each number.",
    schema={},
    longest=16,
    thinks=False,
)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of a test of the language model.

    `line` says what works, or what is wrong and how to fix it. It contains neither key nor address.
    """

    works: bool
    line: str


def diagnose(endpoint: Endpoint, leave: Leave, *, time_limit: float | None = None) -> Diagnosis:
    """Send the model a small test prompt. Errors become the diagnosis and are not raised.

    Takes up to `time_limit` seconds, by default a call's.
    """
    llm = Llm(endpoint, time_limit=time_limit, retries=0)
    try:
        reply = llm.complete(_PROMPT, leave)
    except LlmError as error:
        return Diagnosis(False, _missing_model_message(llm, error) or str(error))
    except InputError as error:
        return Diagnosis(False, str(error))
    if reply.ending in ("length", "thought"):  # anything else is a matter of words, judged as such
        return Diagnosis(
            False, f"{llm.model} answers, but incompletely. {ending_said(reply.ending)}"
        )
    return _diagnosis_of_reply(llm, reply)


def diagnose_embedder(
    endpoint: Endpoint, leave: Leave, *, time_limit: float | None = None
) -> Diagnosis:
    """Embed one short text. Errors become the diagnosis and are not raised."""
    from core.models.server.embeddings import Embedded, Texts  # imports numpy and the client

    try:
        llm = Llm(endpoint, time_limit=time_limit, retries=0)
        reply = llm.complete(Texts.of(("The quick brown fox.",)), leave)
    except (LlmError, InputError) as error:
        return Diagnosis(False, str(error))
    dimension = reply.vectors.shape[1] if isinstance(reply, Embedded) else 0
    line = f"{llm.model} works: {reply.seconds:.1f} s per request. It returned a vector with "
    line += f"{dimension:,} dimensions."
    return Diagnosis(True, line + _model_name_warning(llm, reply))


def diagnose_limit(
    endpoint: Endpoint, leave: Leave, *, time_limit: float | None = None
) -> Diagnosis:
    """Request one or two replies that are longer than their limit; errors are not raised.

    How the server treats the limit is stored (`core.models.server.limits`): each call shows which
    field the server reads. A failed call shows nothing, and does not mean that the model fails:
    some models refuse so low a limit.
    """
    llm = Llm(endpoint, time_limit=time_limit, retries=0)
    kept = Diagnosis(True, "It respects the limit on reply length.")
    for _ in range(2):
        try:
            llm.complete(_LONG_REPLY, leave)
        except (LlmError, InputError) as error:
            return Diagnosis(False, f"The limit on reply length was not tested: {error}")
        if llm.reply_limit.is_kept:
            return kept
    return Diagnosis(
        False,
        "It ignores the limit on reply length, so a call may cost more than estimated. Set a "
        "limit on the server (num_predict for Ollama). Budgets reserve the length of its longest "
        f"reply, {llm.reply_limit.longest:,} tokens so far.",
    )


def _diagnosis_of_reply(llm: Llm, reply: Reply) -> Diagnosis:
    """Check the model's answer to the test sum, its format and its speed."""
    seconds = f"{reply.seconds:.1f} s per reply"
    try:
        match = _OBJECT.search(reply.text)  # some models say a word before or after
        total = _Sum.model_validate_json(match[0] if match else "").sum
    except ValidationError:
        return Diagnosis(
            False,
            f"{llm.model} answers ({seconds}), but not in the requested JSON. Choose a model "
            "that follows instructions.",
        )
    line = f"{llm.model} works: {seconds}, {llm.form}. Asked for the sum of "
    line += f"{_ADDENDS[0]} and {_ADDENDS[1]}, it replied {total}."
    line += _model_name_warning(llm, reply)
    if reply.seconds > SLOW:
        line += " That is slow: a query needs about four replies, and a passage needs one."
    if total != sum(_ADDENDS):
        line += " The sum is wrong, so do not expect good judgements."
    return Diagnosis(True, line)


def _model_name_warning(llm: Llm, reply: Reply) -> str:
    """Return a warning if the server reports another model name, else an empty string."""
    if not reply.model or _names_match(llm.model, reply.model):
        return ""
    return f" The server reports the model as {reply.model!r}. Check that this is the right one."


def _names_match(requested: str, reported: str) -> bool:
    """Check whether a server's model name fits the requested one; version or path may differ.

    >>> _names_match("gpt-4o", "gpt-4o-2024-08-06"), _names_match("qwen3:8b", "llama3")
    (True, False)
    """
    one, other = sorted((requested.lower(), reported.lower()), key=len)
    return one in other


def _missing_model_message(llm: Llm, error: LlmError) -> str:
    """Return a message that names the models of the server if it lacks the chosen one, else ""."""
    refused = (openai.NotFoundError, openai.BadRequestError)
    if not any(isinstance(cause, refused) for cause in causes(error)):
        return ""
    try:
        models = llm.models()
    except LlmError as second:
        if any(isinstance(cause, openai.NotFoundError) for cause in causes(error)):
            return _incompatible_server(second)
        return ""
    if llm.model in models:
        return ""
    named = ", ".join(models[:NAMED]) or "none"
    more = f" and {len(models) - NAMED} more" if len(models) > NAMED else ""
    return f"The server has no model {llm.model!r}. Set HOPRAG_LLM to one it has: {named}{more}."


def _incompatible_server(error: LlmError) -> str:
    """Return the message for a server that answers but does not list its models."""
    if any(isinstance(cause, openai.AuthenticationError) for cause in causes(error)):
        return str(error)
    return (
        "A server answers at HOPRAG_LLM_URL, but it is not OpenAI-compatible. The URL usually "
        "ends in /v1."
    )

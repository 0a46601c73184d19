"""The JSON schemas in which replies are asked for: accepted everywhere, bounded, and stable."""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from openai.lib._pydantic import _ensure_strict_json_schema
from pydantic import BaseModel

import core
from core import prompts
from core.models.kept.replies import reply_key
from core.models.prompt import Prompt
from core.models.server.forms import Form
from core.prompts import prompt
from core.prompts.forms import LONGEST_TEXT
from core.settings import Endpoint

# What OpenAI documents for strict structured output: more is refused with a 400.
SUPPORTED = {
    *("type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const"),
    *("$defs", "$ref", "title", "description"),
    *("pattern", "format", "minItems", "maxItems"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
TYPES = {"string", "number", "boolean", "integer", "object", "array", "null"}
MOST_PROPERTIES, MOST_LEVELS = 5_000, 10


def replies() -> dict[str, type[BaseModel]]:
    """Every type that a model is asked for, by its name."""
    for module in pkgutil.walk_packages(core.__path__, "core."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: dict[str, type[BaseModel]] = {}
    left = [BaseModel]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        named = kind.__module__.startswith("core.")
        if named and kind.__module__ not in ("core.models.money.prices",):
            found[kind.__name__] = kind
    return found


REPLIES = replies()


def sent(kind: type[BaseModel]) -> dict[str, Any]:
    """The schema as it goes out."""
    body = Form().body(prompt("answer", kind), Endpoint("m"))
    assert body["response_format"]["json_schema"]["strict"] is True
    found: dict[str, Any] = body["response_format"]["json_schema"]["schema"]
    return found


def nodes(schema: dict[str, Any], level: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """Every schema in a schema, and how deep it is."""
    yield schema, level
    below = [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())]
    below += [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    for one in below:
        yield from nodes(one, level + 1)


def test_all_replies_are_found() -> None:
    names = {
        "Questions",
        "AnswerReply",
        "Demand",
        "Named",
        "Alignment",
        "Link",
        "Triple",
        "_Sum",
        "EntitiesAndTriples",
    }
    assert names <= REPLIES.keys()
    assert len(REPLIES) >= 24


@pytest.mark.parametrize("name", REPLIES)
def test_a_schema_keeps_to_the_subset_that_strict_mode_documents(name: str) -> None:
    schema = sent(REPLIES[name])
    assert schema["type"] == "object"
    assert "anyOf" not in schema
    count = 0
    for node, level in nodes(schema):
        assert set(node) <= SUPPORTED
        assert level <= MOST_LEVELS
        assert set(node) == {"$ref"} or node.get("type", "object") in TYPES
        assert "$ref" not in node or set(node) == {"$ref"}
        if "properties" in node:
            assert node["additionalProperties"] is False
            assert set(node["required"]) == set(node["properties"])
            count += len(node["properties"])
    assert count <= MOST_PROPERTIES


@pytest.mark.parametrize("name", REPLIES)
def test_openais_own_client_has_nothing_to_make_strict(name: str) -> None:
    schema = sent(REPLIES[name])
    copy = json.loads(json.dumps(schema))
    assert _ensure_strict_json_schema(copy, path=(), root=copy) == schema


@pytest.mark.parametrize("name", REPLIES)
def test_every_list_is_bounded(name: str) -> None:
    lists = [node for node, _ in nodes(sent(REPLIES[name])) if node.get("type") == "array"]
    assert all(0 < node["maxItems"] <= 50 for node in lists)


def endless(schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    """A value as a model writes it that never comes to an end."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        schema = schema["anyOf"][0]
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return {name: endless(one, definitions) for name, one in schema["properties"].items()}
    if schema["type"] == "array":
        return [endless(schema["items"], definitions) for _ in range(60)]
    return {"string": "word " * 1_000, "integer": 1, "boolean": True}[schema["type"]]


@pytest.mark.parametrize("name", REPLIES)
def test_what_never_ends_is_read_within_bounds(name: str) -> None:
    schema = sent(REPLIES[name])
    form = prompts.reading.Form(REPLIES[name])

    def check(value: Any) -> None:
        if isinstance(value, str):
            assert len(value) <= LONGEST_TEXT
        elif isinstance(value, list | dict):
            assert len(value) <= 51
            for one in value.values() if isinstance(value, dict) else value:
                check(one)

    check(form.filled(endless(schema, schema.get("$defs", {}))))


# By which kept replies are found: whoever changes one has everything asked for, and paid for, anew.
KEYS = {
    "align_names": "534b4e3f1dfdbff6ccf7dfad387948c3",
    "answer": "89dff60d87f3e4467cc08c080f6fde96",
    "choose": "b9e498b755233407b679b2dd215e6287",
    "choose_always": "97a661ac2fe89517c9b4da3dca0fc407",
    "clarify": "b0e8fa740a493b82bd6beccd5c33d801",
    "closed_book": "af7ea8d62e88c82d4fdf10c29ac5e53e",
    "clues": "e7a91bf2e23d526166517c46ea531c75",
    "decompose": "e1d684705dafcb8dce00ec5eabc76b91",
    "demand": "53dd796a6d3ac18baa825af961b8b282",
    "extract": "7f180e927e033335225a4ccbe6f84d9c",
    "filters": "47476df3b00541d109ca6cb062ad54db",
    "keep_facts": "e6334f78120c022746dbf652a712ea10",
    "levels": "0f1f5b4b2983360b7471ccff58f3cd5e",
    "name_entities": "9b20c37c40f5061277bd42c27e699a02",
    "next_evidence": "cc2c360fa347dac2f35f181170b188a1",
    "note": "d2f0e9c205b295653e75e5eed795bb55",
    "pick_seeds": "ad994ce96b275dd103c0c8f87af2012f",
    "questions_of_passage": "042274401e4d6036b1f737abc1bb8eb8",
    "remember": "27c2519fae337351ae99c25515d3476e",
    "resolve_clues": "78195e93038540b5c60ddb904e0eca66",
    "seek": "ff8e7ec2542eaf56ac37fa211e54b33b",
    "summary": "4d9bbbf2b5139b58e9c88ead1b657321",
    "thought": "1e4250022ee2e0096dd588a7ebb535d7",
}
KINDS = {
    "align_names": "Alignment",
    "answer": "AnswerReply",
    "choose": "ChoiceOrNone",
    "choose_always": "SomeChoice",
    "clarify": "Clarified",
    "closed_book": "Known",
    "clues": "Clues",
    "decompose": "Plan",
    "demand": "Demand",
    "extract": "EntitiesAndTriples",
    "filters": "Filters",
    "keep_facts": "Keep",
    "levels": "Levels",
    "name_entities": "Names",
    "next_evidence": "Evidence",
    "note": "Noted",
    "pick_seeds": "Seeds",
    "questions_of_passage": "Questions",
    "remember": "Remembered",
    "resolve_clues": "Clues",
    "seek": "Action",
    "summary": "Summary",
    "thought": "Thought",
}


@pytest.mark.parametrize("name", KEYS)
def test_kept_replies_are_found_again(name: str) -> None:
    asked = prompt(name, REPLIES[KINDS[name]], question="Q?")
    assert reply_key("m", asked) == KEYS[name]


def test_a_bound_is_no_part_of_the_key() -> None:
    def key(**bounds: int) -> str:
        one = {"type": "array", "items": {"type": "string"}, **bounds}
        return reply_key("m", Prompt("p", "", "", {"type": "object", "properties": {"a": one}}))

    assert key() == key(maxItems=3) == key(maxItems=4, minItems=1)

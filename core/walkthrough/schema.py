"""The wire format as a JSON schema and as TypeScript declarations.

`python -m core.walkthrough.schema` writes both into `assets/walkthrough`.
"""

import inspect
import json
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter
from typing_extensions import is_typeddict

from core.walkthrough import contract

ASSETS = Path(__file__).parents[2] / "assets" / "walkthrough"
SCHEMA, DECLARATIONS = ASSETS / "contract.schema.json", ASSETS / "src" / "contract.d.ts"
SCALARS = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
ALIASES = ("Kind", "Mark", "Piece", "State", "Verdict", "GoldSource", "StopKind")
"""Names of `contract` that stand for a type that is no dictionary."""


def json_schema() -> str:
    """Return the JSON schema of a walkthrough, as text."""
    schema = TypeAdapter(contract.WalkthroughData).json_schema()
    return f"{json.dumps(schema, indent=1, ensure_ascii=False)}\n"


def declarations() -> str:
    """Return the TypeScript declarations of every type of the contract, as text."""
    head = "// Made by `python -m core.walkthrough.schema` from core/walkthrough/contract.py.\n"
    named = {getattr(contract, name): name for name in ALIASES}
    aliases = [
        f"export type {name} = {_written(value, {k: n for k, n in named.items() if n != name})};\n"
        for value, name in named.items()
    ]
    found = [value for value in vars(contract).values() if is_typeddict(value)]
    return "\n".join([head, *aliases, *(_interface(one, named) for one in found)])


def _interface(one: type, named: dict[Any, str]) -> str:
    told = inspect.getdoc(one) or ""
    comment = "\n".join(f" * {line}".rstrip() for line in told.splitlines())
    fields = get_type_hints(one)
    body = "\n".join(f"  {name}: {_written(value, named)};" for name, value in fields.items())
    return f"/**\n{comment}\n */\nexport interface {one.__name__} {{\n{body}\n}}\n"


def _written(value: Any, named: dict[Any, str]) -> str:
    """Return a Python type in TypeScript."""
    if value in named:
        return named[value]
    if value in SCALARS:
        return SCALARS[value]
    if is_typeddict(value):
        return str(value.__name__)
    inside = get_args(value)
    match get_origin(value):
        case origin if origin is Literal:
            return " | ".join(json.dumps(one) for one in inside)
        case origin if origin is list:
            text = _written(inside[0], named)
            return f"({text})[]" if " | " in text else f"{text}[]"
        case origin if origin is tuple:
            return f"[{', '.join(_written(one, named) for one in inside)}]"
        case origin if origin is dict:
            return f"Record<string, {_written(inside[1], named)}>"
        case origin if origin in (Union, types.UnionType):
            return " | ".join(_written(one, named) for one in inside)
    raise TypeError(f"no TypeScript for {value!r}; add it to core.walkthrough.schema")


def write() -> None:
    """Write both files."""
    DECLARATIONS.parent.mkdir(parents=True, exist_ok=True)
    SCHEMA.write_text(json_schema())
    DECLARATIONS.write_text(declarations())


if __name__ == "__main__":
    write()

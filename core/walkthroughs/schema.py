"""A wire format as a JSON schema and as TypeScript declarations.

`python -m core.walkthroughs.schema` writes both for the walkthrough into `assets/scripts`.
"""

import inspect
import json
import types
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter
from typing_extensions import is_typeddict

from core import settings
from core.walkthroughs import contract

ASSETS = settings.ASSETS / "scripts"
SCALARS = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


@dataclass(frozen=True, slots=True)
class WireFormat:
    """The types of a module, as other programs read them.

    Parameters
    ----------
    name : of the files.
    module : has the types as TypedDicts, and names for types that are no dictionary.
    root : the type of a whole message.
    """

    name: str
    module: ModuleType
    root: type

    @property
    def schema_file(self) -> Path:
        """The file of the JSON schema."""
        return ASSETS / f"{self.name}.schema.json"

    @property
    def declarations_file(self) -> Path:
        """The file of the TypeScript declarations."""
        return ASSETS / "src" / "types" / f"{self.name}.d.ts"

    def json_schema(self) -> str:
        """Return the JSON schema of a message, as text."""
        schema = TypeAdapter(self.root).json_schema()
        return f"{json.dumps(schema, indent=1, ensure_ascii=False)}\n"

    def declarations(self) -> str:
        """Return the TypeScript declarations of every type of the module, as text."""
        place = self.module.__name__.replace(".", "/")
        package = self.module.__name__.rpartition(".")[0]
        head = f"// Made by `python -m {package}.schema` from {place}.py.\n"
        values = vars(self.module)
        named = {of: name for name, of in values.items() if get_origin(of) in (Literal, tuple)}
        aliases = [
            f"export type {name} = {_written(of, {k: n for k, n in named.items() if n != name})};\n"
            for of, name in named.items()
        ]
        interfaces = [value for value in values.values() if is_typeddict(value)]
        return "\n".join([head, *aliases, *(_interface(one, named) for one in interfaces)])

    def write(self) -> None:
        """Write both files."""
        self.declarations_file.parent.mkdir(parents=True, exist_ok=True)
        self.schema_file.write_text(self.json_schema())
        self.declarations_file.write_text(self.declarations())


WALKTHROUGH = WireFormat("contract", contract, contract.WalkthroughData)


def _interface(typed_dict: type, named: dict[Any, str]) -> str:
    """Write a TypedDict as a TypeScript interface, with its docstring as a comment.

    `named` are the names of type aliases, by type.
    """
    docstring = inspect.getdoc(typed_dict) or ""
    comment = "\n".join(f" * {line}".rstrip() for line in docstring.splitlines())
    fields = get_type_hints(typed_dict)
    body = "\n".join(f"  {name}: {_written(value, named)};" for name, value in fields.items())
    return f"/**\n{comment}\n */\nexport interface {typed_dict.__name__} {{\n{body}\n}}\n"


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
    raise TypeError(f"no TypeScript for {value!r}; add it to core.walkthroughs.schema")


if __name__ == "__main__":
    WALKTHROUGH.write()

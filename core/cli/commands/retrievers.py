"""The command that says which retrievers there are: retrievers."""

from typing import TYPE_CHECKING, Any

from core.cli.common import JsonFlag, console, print_json

if TYPE_CHECKING:
    from core.retrievers import Spec
    from core.retrievers.settings import Declared


def retrievers(as_json: JsonFlag = False) -> None:
    """List the retrievers and their settings. Write settings as in bm25(top_k=10)."""
    from core.retrievers import CARDS, Spec

    if as_json:
        print_json([_as_json(Spec(key)) for key in CARDS])
        return
    screen = console()
    for key, card in CARDS.items():
        spec = Spec(key)
        screen.print(f"{key}: {card.title}, {card.family}. {_says(spec)}", soft_wrap=True)
        for one in spec.declared:
            screen.print(f"    {_line(one)}", soft_wrap=True)


def _says(spec: "Spec") -> str:
    """Summarise a retriever, and whether it needs a language model."""
    if spec.model_use == "none":
        return spec.card.summary
    return f"{spec.card.summary} Language model: {spec.model_use}."


def _line(one: "Declared") -> str:
    return f"{one.name}={one.usual}  {one.setting.says}; {one.allowed}"


def _as_json(spec: "Spec") -> dict[str, Any]:
    card = spec.card
    return {
        "key": spec.key,
        "title": card.title,
        "family": card.family,
        "summary": card.summary,
        "paper": card.paper,
        "asks_model": spec.asks_model,
        "settings": [
            {
                "name": one.name,
                "default": one.usual,
                "allowed": one.allowed,
                "meaning": one.setting.says,
            }
            for one in spec.declared
        ],
    }

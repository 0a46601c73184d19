"""The command that lists the retrievers and their settings: retrievers."""

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
        screen.print(f"{key}: {card.title}, {card.family}. {_summary(spec)}", soft_wrap=True)
        for setting in spec.declared:
            screen.print(f"    {_line(setting)}", soft_wrap=True)


def _summary(spec: "Spec") -> str:
    """Summarise a retriever in a line, with a remark if it needs a language model."""
    if spec.model_use == "none":
        return spec.card.summary
    return f"{spec.card.summary} Language model: {spec.model_use}."


def _line(setting: "Declared") -> str:
    return f"{setting.name}={setting.usual}  {setting.setting.says}; {setting.allowed}"


def _as_json(spec: "Spec") -> dict[str, Any]:
    """Describe a retriever and its settings for --json."""
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
                "name": setting.name,
                "default": setting.usual,
                "allowed": setting.allowed,
                "meaning": setting.setting.says,
            }
            for setting in spec.declared
        ],
    }

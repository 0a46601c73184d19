"""What an address asks for."""

from dataclasses import fields

from core.retrievers import ALL
from pages.components.ask.wish import CHOOSERS, Ask


def test_a_walk_starts_where_its_retriever_starts():
    for chooser in CHOOSERS:
        retriever = next(each for each in ALL if each.card.key == f"hoprag-{chooser}")
        usual = {field.name: field.default for field in fields(retriever)}["entry"]
        assert Ask.from_params({"chooser": chooser}).entry == usual
        assert Ask.from_params({"chooser": chooser, "entry": "node"}).entry == "node"

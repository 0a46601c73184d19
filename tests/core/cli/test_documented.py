import json
import subprocess
import sys

import pytest

from core.retrievers import CARDS, Spec
from tests.core.cli.calling import Cli, commands


def test_the_commands_of_the_readme() -> None:
    names = (
        "app build add remove edit make shelf ask evaluate runs search-settings study ceiling "
        "funnel retrievers gold export spans info"
    )
    assert commands().keys() == set(names.split())


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_and_option_is_documented(name: str) -> None:
    command = commands()[name]
    assert command.help
    for parameter in command.params:
        assert parameter.help, parameter.name


def test_help_needs_nothing_heavy() -> None:
    code = (
        "import sys; from core.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'torch', 'lancedb', 'numpy', 'networkx', 'pyarrow'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_retriever_is_listed_with_its_settings(cli: Cli) -> None:
    said = cli("retrievers").stdout
    listed = json.loads(cli("retrievers", "--json").stdout)
    assert [each["key"] for each in listed] == list(CARDS)
    for each in listed:
        assert each["title"] in said
        assert {one.name for one in Spec(each["key"]).declared} == {
            one["name"] for one in each["settings"]
        }
    assert "n_hop=4  rounds of hops; a whole number from 1 to 8" in said

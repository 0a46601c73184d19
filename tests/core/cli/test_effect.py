"""`runs effect`: what a trial does to all questions, with the numbers of the screen."""

import json
from pathlib import Path

from core.reviews.losses.change_effect import effect
from core.runs import Runs
from tests.core.cli.calling import Cli
from tests.core.reviews.rows import AFTER, BEFORE, with_trial


def test_the_net_comes_first_and_is_that_of_the_screen(cli: Cli, index: Path) -> None:
    with_trial(Runs(index))
    done = cli("runs", "effect", "Two", "--index", index, "--json")
    (told,) = json.loads(done.stdout)
    net = effect(BEFORE, AFTER, set()).net[0]
    assert (told["net"][0]["mean"], told["net"][0]["p"]) == (net.mean, net.p)
    table = cli("runs", "effect", "Two", "--index", index).stdout
    first = table.index("all questions")
    assert f"{net.mean:+.1f}" in table[first : table.index("lost gold before")]


def test_a_run_that_is_no_trial_says_how_to_get_one(cli: Cli, index: Path) -> None:
    with_trial(Runs(index))
    refused = cli("runs", "effect", "One", "--index", index)
    assert refused.exit_code == 2
    assert "is not a trial" in refused.stderr

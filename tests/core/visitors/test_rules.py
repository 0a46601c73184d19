"""The settings about visitors."""

from ipaddress import ip_address

import pytest

from core.settings import read_settings
from core.visitors.rules import NOBODY_NAMED, OPEN, Allowance, read_rules


def test_without_settings_nobody_is_named() -> None:
    assert read_rules({}) == NOBODY_NAMED == read_settings({}).visitors
    assert not NOBODY_NAMED.named


def test_lists_are_read_in_small_letters_with_commas_or_spaces() -> None:
    rules = read_rules(
        {
            "HOPRAG_HOSTS": "HopRAG.example.org, box:8443",
            "HOPRAG_EDITORS": "Ada@example.org *@lab.example",
            "HOPRAG_EMBEDDERS": "/models/Big One, all-MiniLM-L6-v2",
        }
    )
    assert rules.hosts == ("hoprag.example.org", "box:8443")
    assert rules.editors == ("ada@example.org", "*@lab.example")
    assert rules.embedders == ("/models/Big One", "all-MiniLM-L6-v2")
    assert not rules.problems


@pytest.mark.parametrize(
    "settings",
    [
        {"HOPRAG_HOSTS": "hoprag.example.org"},
        {"HOPRAG_EDITORS": "a@b.example"},
        {"HOPRAG_READERS": "*"},
        {"HOPRAG_USER_HEADER": "X-Forwarded-Email"},
    ],
)
def test_visitors_are_reckoned_with_when_any_is_named(settings: dict[str, str]) -> None:
    assert read_rules(settings).named


def test_a_name_of_loopback_is_no_visitor() -> None:
    assert not read_rules({"HOPRAG_HOSTS": "localhost:8501"}).named


def test_a_server_is_opened_by_the_whole_sentence_only() -> None:
    assert read_rules({"HOPRAG_OPEN": OPEN}).open
    for short in ("1", "yes", OPEN[:-1]):
        rules = read_rules({"HOPRAG_OPEN": short})
        assert not rules.open
        assert OPEN in rules.problems[0]


def test_a_budget_a_person_is_money_or_tokens() -> None:
    assert read_rules({"HOPRAG_BUDGET_PERSON": "2.50"}).allowance == Allowance(money=2.5)
    assert read_rules({"HOPRAG_BUDGET_PERSON": "$2"}).allowance == Allowance(money=2.0)
    tokens = read_rules({"HOPRAG_BUDGET_PERSON": "200,000 tokens"})
    assert tokens.allowance == Allowance(tokens=200_000)


@pytest.mark.parametrize(
    "settings",
    [
        {"HOPRAG_PROXIES": "10.0.0.300"},
        {"HOPRAG_HOSTS": "http://x/"},
        {"HOPRAG_BUDGET_PERSON": "a lot"},
    ],
)
def test_what_cannot_be_understood_is_said(settings: dict[str, str]) -> None:
    problems = read_rules(settings).problems
    assert len(problems) == 1
    assert problems[0].startswith(next(iter(settings)))


def test_a_proxy_on_this_machine_is_at_all_its_own_addresses() -> None:
    rules = read_rules({"HOPRAG_PROXIES": "127.0.0.1 10.1.0.0/16"})
    assert all(map(rules.is_proxy, map(ip_address, ("127.0.0.1", "::1", "10.1.2.3"))))
    assert not rules.is_proxy(ip_address("10.2.0.1"))
    assert not read_rules({"HOPRAG_PROXIES": "10.1.0.0/16"}).is_proxy(ip_address("127.0.0.1"))

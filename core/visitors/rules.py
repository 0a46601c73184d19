"""The settings about visitors, read with the others by `core.settings`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

from core.visitors.hosts import Address, hostname, is_loopback

OPEN = "all visitors may build, delete and spend"
"""What HOPRAG_OPEN has to say, word for word, to open a server to whoever can reach it."""

Network = IPv4Network | IPv6Network
_DOLLARS = re.compile(r"\$?(\d+(?:\.\d+)?)\s*(tokens?)?")


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most that one person may spend a day: dollars or tokens; None: no end."""

    money: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """The visitors that the server admits, and their permissions.

    Parameters
    ----------
    hosts : names beside those of loopback, with a port where it is not that of the scheme.
    editors, readers : e-mail addresses, or `*@domain`; an editor need not be a reader too.
    user_header : the header in which a proxy says who is there.
    proxies : from where that header is believed.
    open : whether whoever can reach the server may do everything.
    allowance : of each person.
    embedders : names and folders that may be chosen where others can reach the server.
    problems : what of the settings cannot be understood; nothing is done until it is mended.
    """

    hosts: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    user_header: str = ""
    proxies: tuple[Network, ...] = ()
    open: bool = False
    allowance: Allowance | None = None
    embedders: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def named(self) -> bool:
        """Whether the settings configure visitors, on whatever address the server listens."""
        elsewhere = not all(is_loopback(hostname(host)) for host in self.hosts)
        return elsewhere or bool(self.editors or self.readers or self.user_header)

    def is_proxy(self, address: Address) -> bool:
        """Return whether `address` is one of the configured proxies.

        If a proxy is on loopback, every loopback address counts.
        """
        here = address.is_loopback and any(network.is_loopback for network in self.proxies)
        return here or any(address in network for network in self.proxies)


NOBODY_NAMED = Rules()


def read_rules(environ: Mapping[str, str]) -> Rules:
    """Return the access rules that the environment variables in `environ` set."""
    problems: list[str] = []
    opened = environ.get("HOPRAG_OPEN", "").strip()
    if opened and opened != OPEN:
        problems.append(f"HOPRAG_OPEN opens the server only if its value is: {OPEN}")
    hosts = _words(environ, "HOPRAG_HOSTS")
    problems += [
        f"HOPRAG_HOSTS: {host} is not a host name. Example: hoprag.example.org."
        for host in hosts
        if not hostname(host)
    ]
    return Rules(
        hosts=hosts,
        editors=_words(environ, "HOPRAG_EDITORS"),
        readers=_words(environ, "HOPRAG_READERS"),
        user_header=environ.get("HOPRAG_USER_HEADER", "").strip().lower(),
        proxies=_networks(environ, problems),
        open=opened == OPEN,
        allowance=_allowance(environ, problems),
        embedders=_split(environ.get("HOPRAG_EMBEDDERS", ""), ","),
        problems=tuple(problems),
    )


def _words(environ: Mapping[str, str], name: str) -> tuple[str, ...]:
    return _split(environ.get(name, "").lower().replace(",", " "), None)


def _split(text: str, at: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in text.split(at))))


def _networks(environ: Mapping[str, str], problems: list[str]) -> tuple[Network, ...]:
    """Read the proxies to trust; append a sentence to `problems` for each invalid address."""
    networks: list[Network] = []
    for text in _words(environ, "HOPRAG_PROXIES"):
        try:
            networks.append(ip_network(text))
        except ValueError:
            problems.append(
                f"HOPRAG_PROXIES: {text} is not an IP address or range, such as 127.0.0.1 or "
                "10.0.0.0/24."
            )
    return tuple(networks)


def _allowance(environ: Mapping[str, str], problems: list[str]) -> Allowance | None:
    """Read the daily budget of a person, in dollars or tokens; None if it is not set or invalid."""
    text = environ.get("HOPRAG_BUDGET_PERSON", "").strip()
    if not text:
        return None
    amount = _DOLLARS.fullmatch(text.replace(",", ""))
    if amount is None:
        problems.append(
            "HOPRAG_BUDGET_PERSON is the daily limit per person: 2.50 for dollars, or "
            "200000 tokens."
        )
        return None
    if amount[2]:
        return Allowance(tokens=int(float(amount[1])))
    return Allowance(money=float(amount[1]))

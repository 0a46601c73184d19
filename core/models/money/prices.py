"""Prices of models in dollars per million tokens, by model name.

OpenAI's list prices are known for its own server. A server on this machine or in this network may
be the user's own, and free, or a gateway that bills, which cannot be detected. The TOML file that
HOPRAG_PRICES names can set any price and overrides the list; free models have 0 and 0:

    ["gpt-4.1-mini"]
    in = 0.40
    out = 1.60
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from core.errors import InputError
from core.model_servers import OPENAI
from core.settings import Endpoint

_MILLION = 1_000_000
_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens that a model reads (`tokens_in`) and writes (`tokens_out`)."""

    tokens_in: float
    tokens_out: float

    def of(self, tokens_in: float, tokens_out: float) -> float:
        """Return the price of the given tokens, in dollars.

        >>> Price(0.15, 0.60).of(2_000_000, 500_000)
        0.6
        """
        return (self.tokens_in * tokens_in + self.tokens_out * tokens_out) / _MILLION


FREE = Price(0.0, 0.0)
# As OpenAI's price list had them in 2025, without its discounts.
_LISTED = {
    "gpt-4o": Price(2.50, 10.00),
    "gpt-4o-mini": Price(0.15, 0.60),
    "gpt-4.1": Price(2.00, 8.00),
    "gpt-4.1-mini": Price(0.40, 1.60),
    "gpt-4.1-nano": Price(0.10, 0.40),
    "gpt-5": Price(1.25, 10.00),
    "gpt-5-mini": Price(0.25, 2.00),
    "gpt-5-nano": Price(0.05, 0.40),
    "o4-mini": Price(1.10, 4.40),
    "gpt-3.5-turbo": Price(0.50, 1.50),
    "text-embedding-3-small": Price(0.02, 0.0),
    "text-embedding-3-large": Price(0.13, 0.0),
    "text-embedding-ada-002": Price(0.10, 0.0),
}


def price_of(endpoint: Endpoint, table: Path | None = None) -> Price | None:
    """Return the price of the endpoint's model, or None if it is unknown.

    A name with a date (`gpt-4o-mini-2024-07-18`) costs what the name without it does.

    Parameters
    ----------
    table : the user's own prices.

    Raises
    ------
    InputError : `table` cannot be read.
    """
    own = _read_prices(table) if table else {}
    name = _DATED.sub("", endpoint.model)
    if price := own.get(endpoint.model) or own.get(name):
        return price
    return _LISTED.get(name) if endpoint.url == OPENAI else None


def is_near(endpoint: Endpoint) -> bool:
    """Check whether the server is on this machine or a private network, so may be free."""
    try:
        host = urlsplit(endpoint.url).hostname or ""
    except ValueError:
        return False
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".internal", ".lan"))
    return address.is_private or address.is_loopback or address.is_link_local


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    tokens_in: float = Field(alias="in", ge=0, allow_inf_nan=False)
    tokens_out: float = Field(alias="out", ge=0, allow_inf_nan=False)


@cache
def _read_prices(table: Path) -> dict[str, Price]:
    """Read a TOML table of prices by model."""
    try:
        rows = TypeAdapter(dict[str, _Row]).validate_python(tomllib.loads(table.read_text("utf-8")))
    except OSError as error:
        raise InputError(
            f"The price file {table} cannot be read ({error.strerror}). Set HOPRAG_PRICES to "
            "a readable file."
        ) from error
    except (ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f'{table} is not a valid price file. Each model needs three lines: ["its name"], '
            "in = dollars per million input tokens, out = dollars per million output tokens."
        ) from error
    return {name: Price(row.tokens_in, row.tokens_out) for name, row in rows.items()}

from pathlib import Path

import pytest

from core.errors import InputError
from core.models.money.budget import Budget
from core.models.money.metered import Meter
from core.models.money.prices import FREE, Price, is_near, price_of
from core.settings import Endpoint, read_settings


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:11434/v1",
        "http://127.0.0.1:8000/v1",
        "http://[::1]:8000/v1",
        "http://192.168.1.7/v1",
        "http://10.0.0.3:8000/v1",
        "http://ollama:11434/v1",
        "http://gpu.local/v1",
    ],
)
def test_a_server_near_by_may_be_free_or_a_gateway_that_bills(url: str, tmp_path: Path) -> None:
    near = Endpoint("gpt-4o", url)
    assert is_near(near)
    assert price_of(near) is None
    with pytest.raises(InputError, match=r"in = 0 and out = 0 for your own server"):
        Meter(price_of(near), Budget(money=1.0))
    table = tmp_path / "prices.toml"
    table.write_text('["gpt-4o"]\nin = 0\nout = 0\n')
    assert price_of(near, table) == FREE
    assert not is_near(Endpoint("gpt-4o"))


def test_what_openai_lists_is_known_for_its_server_only() -> None:
    assert price_of(Endpoint("gpt-4o-mini")) == Price(0.15, 0.60)
    assert price_of(Endpoint("gpt-4o-mini-2024-07-18")) == Price(0.15, 0.60)
    assert price_of(Endpoint("gpt-4o-mini", "https://resold.example/v1")) is None
    assert price_of(Endpoint("gpt-99")) is None


def test_own_prices_go_before_all(tmp_path: Path) -> None:
    table = tmp_path / "prices.toml"
    table.write_text('["gpt-4o"]\nin = 1\nout = 2.5\n["org/own:7b"]\nin = 0\nout = 0\n')
    assert price_of(Endpoint("gpt-4o"), table) == Price(1, 2.5)
    assert price_of(Endpoint("gpt-4o", "http://localhost/v1"), table) == Price(1, 2.5)
    assert price_of(Endpoint("gpt-4o-2024-11-20"), table) == Price(1, 2.5)
    assert price_of(Endpoint("org/own:7b", "https://far.example/v1"), table) == FREE
    assert price_of(Endpoint("gpt-4.1"), table) == Price(2, 8)


@pytest.mark.parametrize(
    "content",
    [
        "gpt = 3",
        "[gpt]\nin = 1",
        "[gpt]\nin = -1\nout = 1",
        "[gpt]\nin = inf\nout = 1",
        "[gpt",
        "[gpt]\nin = 1\nout = 1\nper = 1000",
        b"\xff",
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path: Path, content: str | bytes) -> None:
    table = tmp_path / "prices.toml"
    table.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match="is not a valid price file"):
        price_of(Endpoint("gpt-4o"), table)


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read.*HOPRAG_PRICES"):
        price_of(Endpoint("gpt-4o"), tmp_path / "none.toml")


def test_where_the_table_is(tmp_path: Path) -> None:
    assert read_settings({}).prices is None
    assert read_settings({"HOPRAG_PRICES": str(tmp_path / "p.toml")}).prices == tmp_path / "p.toml"

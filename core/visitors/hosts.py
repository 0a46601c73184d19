"""Names that the server answers to: a page elsewhere may point its own name at this machine."""

from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

Address = IPv4Address | IPv6Address


def hostname(host: str) -> str:
    """The name in a Host header, without its port, in small letters; empty if it holds none."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises if it is no number
    except ValueError:
        return ""
    bare = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return (parts.hostname or "").rstrip(".") if bare else ""


def is_loopback(name: str) -> bool:
    """Whether `name`, of a host, is this machine's own and nobody else's."""
    address = address_of(name)
    return name == "localhost" or bool(address and address.is_loopback)


def address_of(text: str) -> Address | None:
    """The address that `text` writes, or None; an IPv4 one also where IPv6 carries it."""
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def listens_beyond_loopback(address: str | None) -> bool:
    """Whether a server at `address` (None: every interface) can be reached from elsewhere."""
    return address is None or not is_loopback(address)


def is_known(host: str, named: Collection[str]) -> bool:
    """Whether the server may answer a request for `host`, whatever the port."""
    name = hostname(host)
    return bool(name) and (is_loopback(name) or name in map(hostname, named))


def is_own_origin(origin: str, host: str, named: Collection[str]) -> bool:
    """Whether a page of `origin` is one of this server's, which was asked for as `host`.

    Another port is another origin. A proxy that asks under a name of its own is known by the
    origin being named, with its port where that is not the scheme's.
    """
    try:
        parts: SplitResult = urlsplit(origin)
    except ValueError:
        return False
    at = parts.netloc.lower()
    return parts.scheme in ("http", "https") and bool(at) and at in (host.lower(), *named)

"""Names that the server answers to: a page elsewhere may point its own name at this machine."""

from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

Address = IPv4Address | IPv6Address


def hostname(host: str) -> str:
    """Return the lower-case name in a Host header without its port; empty if it is invalid."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises if it is no number
    except ValueError:
        return ""
    bare = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return (parts.hostname or "").rstrip(".") if bare else ""


def is_loopback(name: str) -> bool:
    """Check whether a host name is this machine's own."""
    address = address_of(name)
    return name == "localhost" or bool(address and address.is_loopback)


def address_of(text: str) -> Address | None:
    """Return the IP address in `text`, or None; IPv4-mapped IPv6 counts as IPv4."""
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def listens_beyond_loopback(address: str | None) -> bool:
    """Check whether a server at `address` (None: every interface) can be reached remotely."""
    return address is None or not is_loopback(address)


def is_known(host: str, named: Collection[str]) -> bool:
    """Check whether the server may answer a request for `host`, whatever the port."""
    name = hostname(host)
    return bool(name) and (is_loopback(name) or name in map(hostname, named))


def is_own_origin(origin: str, host: str, named: Collection[str]) -> bool:
    """Check whether `origin` is a page of this server, which was requested as `host`.

    Another port is another origin. A proxy with a name of its own must have its origin listed in
    `named`, with its port unless it is the default.
    """
    try:
        parts: SplitResult = urlsplit(origin)
    except ValueError:
        return False
    at = parts.netloc.lower()
    return parts.scheme in ("http", "https") and bool(at) and at in (host.lower(), *named)

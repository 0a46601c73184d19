"""A provider to sign in with, on loopback: OpenID Connect as Authlib's client speaks it.

Who signs in is said by the browser: the cookie `who` holds the e-mail address.
"""

import json
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_hex
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

CLIENT, SECRET = "hoprag", "of-the-tests"
ADA, RAE = "ada@example.org", "rae@example.org"
"""Who may edit, and who may read."""


@dataclass
class Provider:
    """The provider, running at `url`. `unverified` are addresses that it has not checked."""

    url: str
    key: RSAKey
    unverified: set[str] = field(default_factory=set)
    padding: int = 0  # letters of a claim that fills the cookie
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)  # instead of the right ones; None: without
    algorithm: str = "RS256"  # "none" signs nothing, "HS256" signs with the client's secret
    signing_key: RSAKey | None = None  # instead of the one that is published

    def secrets(self, app: str, readers: str) -> str:
        """What `secrets.toml` of the application at `app` says, who may read among it."""
        return (
            f'HOPRAG_READERS = "{readers}"\n'
            "[auth]\n"
            f'redirect_uri = "{app}/oauth2callback"\n'
            'cookie_secret = "thirty-two letters of the tests .."\n'
            f'client_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'
            f'server_metadata_url = "{self.url}/.well-known/openid-configuration"\n'
        )

    def token(self, code: str) -> dict[str, Any]:
        """The answer to `code`, which is good once."""
        asked = self.codes.pop(code)
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "sub": asked["who"],
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            "email": asked["who"],
            "email_verified": asked["who"] not in self.unverified,
            "padding": "x" * self.padding,
        }
        claims = {
            name: value for name, value in {**claims, **self.claims}.items() if value is not None
        }
        signed = self._signed(claims)
        return {"access_token": token_hex(8), "token_type": "Bearer", "id_token": signed}

    def _signed(self, claims: dict[str, Any]) -> str:
        header = {"alg": self.algorithm, "kid": self.key.kid}
        if self.algorithm == "none":
            parts = (json.dumps(part).encode() for part in (header, claims))
            return ".".join(urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."
        if self.algorithm == "HS256":
            return jwt.encode(header, claims, OctKey.import_key(SECRET), algorithms=["HS256"])
        return jwt.encode(header, claims, self.signing_key or self.key)


@contextmanager
def provider() -> Iterator[Provider]:
    """A provider of its own, at a free port."""
    key = RSAKey.generate_key(2048, parameters={"kid": "of-the-tests"})
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        server.provider = Provider(f"http://127.0.0.1:{server.server_address[1]}", key)  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.provider  # type: ignore[attr-defined]
        server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    @property
    def _provider(self) -> Provider:
        found: Provider = self.server.provider  # type: ignore[attr-defined]
        return found

    def do_GET(self) -> None:
        at = urlsplit(self.path)
        url = self._provider.url
        if at.path == "/.well-known/openid-configuration":
            self._send(
                {
                    "issuer": url,
                    "authorization_endpoint": f"{url}/authorize",
                    "token_endpoint": f"{url}/token",
                    "jwks_uri": f"{url}/jwks",
                    "response_types_supported": ["code"],
                    "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["RS256"],
                }
            )
        elif at.path == "/jwks":
            self._send(
                {"keys": [self._provider.key.as_dict(private=False, use="sig", alg="RS256")]}
            )
        elif at.path == "/authorize":
            self._authorize({name: values[0] for name, values in parse_qs(at.query).items()})
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        basic = self.headers.get("Authorization", "").removeprefix("Basic ")
        given = (
            b64decode(basic).decode() if basic else f"{form['client_id']}:{form['client_secret']}"
        )
        if given == f"{CLIENT}:{SECRET}" and form["code"] in self._provider.codes:
            self._send(self._provider.token(form["code"]))
        else:
            self._send({"error": "invalid_grant"}, 400)

    def _authorize(self, asked: dict[str, str]) -> None:
        who = SimpleCookie(self.headers.get("Cookie", ""))["who"].value
        code = token_hex(8)
        self._provider.codes[code] = {"who": who, "nonce": asked.get("nonce", "")}
        self.send_response(302)
        back = urlencode({"code": code, "state": asked["state"]})
        self.send_header("Location", f"{asked['redirect_uri']}?{back}")
        self.end_headers()

    def _send(self, body: dict[str, Any], status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        pass

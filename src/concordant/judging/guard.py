"""What stands before every request: bounds, and rules of where it may come from.

Tokens travel in a header that no other site can set, never in a cookie or an address that is
logged, so a foreign page can do nothing in a judge's name. The rest is a second line: requests from
other sites, for other hosts (DNS rebinding) and with large bodies are refused, and the answers
forbid everything that the pages do not need.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from typing import Any

    Scope = MutableMapping[str, Any]
    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BODY = 64 * 1024
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
_ENCODED = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
OWN_SITE = {"same-origin", "none"}


class Guard:
    """Refuses what no page of ours sends, and adds the headers to every answer."""

    def __init__(self, app: App, hosts: frozenset[str] | None, public: str = "") -> None:
        self.app = app
        self.hosts = hosts  # names that the server answers to; None: any
        self.public = public  # what the address of our pages begins with, seen from outside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        refusal = self._refusal(headers)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        body = await _body(receive)
        if body is None:
            await _refuse(send, 413, f"A request has at most {MOST_BODY} bytes.")
            return
        await self.app(scope, _once(body, receive), _with_headers(send))

    def _refusal(self, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self.hosts is not None and _name(host) not in self.hosts:
            return 421, "This server does not answer to that name."
        if headers.get("sec-fetch-site", "none") not in OWN_SITE:
            return 403, "Requests from other sites are refused."
        origin = headers.get("origin")
        if origin is not None and origin != self.public and origin.partition("://")[2] != host:
            return 403, "Requests from other sites are refused."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > MOST_BODY:
            return 413, f"A request has at most {MOST_BODY} bytes."
        return None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _name(host: str) -> str:
    """A host without its port."""
    name, _, port = host.rpartition(":")
    return (name if port.isdecimal() and name else host).strip("[]").lower()


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None where it is too large, or the sender has gone."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BODY:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


def _once(body: bytes, receive: Receive) -> Receive:
    given = False

    async def give() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return give


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *_ENCODED]
        await send(message)

    return sending


async def _refuse(send: Send, status: int, words: str) -> None:
    kind = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": [*kind, *_ENCODED]})
    await send({"type": "http.response.body", "body": words.encode()})

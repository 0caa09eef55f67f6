"""What stands before the pages: who may be asked for by which name, and by which other pages.

- A page from elsewhere that has its own name point here (DNS rebinding) is found out by the name in
  the header ``Host``: addresses in numbers, ``localhost`` and names that were given are answered.
- A request that a page from elsewhere makes is told by ``Sec-Fetch-Site`` and ``Origin``.
- What changes anything is JSON by its content type, which no form can send.
- A body is read up to a limit and for some seconds, whatever length it claims.
- The browser is told to run and load nothing but what is served here, and to keep no answers.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from cpe_opt.sessions.web.access import Refused

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_BODY = 8192  # bytes
SLOWEST_BODY = 10.0  # seconds
_HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """An ASGI application before another.

    Parameters
    ----------
    app : callable
    names : iterable of str
        Names of hosts by which this one may be asked for.
    """

    def __init__(self, app: App, names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = {name.lower() for name in (*names, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            return

        async def send_guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_headers(message["headers"], scope["path"])
            await send(message)

        try:
            self._check(scope)
        except Refused as refused:
            await _refuse(refused, send_guarded)
        else:
            await self._app(scope, receive, send_guarded)

    def _check(self, scope: Scope) -> None:
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        host = headers.get("host", "")
        if not self._known(host):
            raise Refused(421, f"This is not {host[:80]!r}: open the address that was printed.")
        if not scope["path"].startswith("/api/"):
            return
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refused(403, "Another site's pages may not ask for this.")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            raise Refused(403, "Another site's pages may not ask for this.")
        if scope["method"] == "POST":
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                raise Refused(415, "Expected JSON, with the content type application/json.")

    def _known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name.rstrip(".") in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


async def json_body(stream: Any) -> dict[str, Any]:
    """The object that a request's stream of bytes holds; :class:`Refused` where it is none."""
    body = b""
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            async for part in stream:
                body += part
                if len(body) > LONGEST_BODY:
                    raise Refused(413, f"A request has at most {LONGEST_BODY} bytes.")
    except TimeoutError:
        raise Refused(408, "The request took too long to arrive.") from None
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "The request is no JSON.") from None
    if not isinstance(content, dict):
        raise Refused(400, "The request is no JSON object.")
    return content


def _with_headers(headers: Iterable[tuple[bytes, bytes]], path: str) -> list[tuple[bytes, bytes]]:
    kept = list(headers)
    there = {name.lower() for name, _ in kept}
    api = path.startswith("/api/")
    added = {**_HEADERS, "cache-control": "no-store" if api else "no-cache"}
    return kept + [
        (name.encode(), value.encode())
        for name, value in added.items()
        if name.encode() not in there
    ]


async def _refuse(refused: Refused, send: Send) -> None:
    body = json.dumps({"error": refused.reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

"""The addresses that are served, and what is refused before them.

``/`` is the raters' page and ``/organise`` the organiser's; ``/static/…`` what they load, and
``/content/…`` images. The pages ask ``/api/…``:

- ``POST /api/question``: what is next for the rater who asks, as all that follow say, too; with
  ``wait``, true, the reply may wait some seconds for a question;
- ``POST /api/answer`` with ``id``, ``outcome`` (first, second, tie, skip; of a set or a pull, a
  number) and ``attempt``, a text that is the same when the same is sent again; ``POST /api/undo``
  with ``id``;
- ``GET /api/overview``, the report as HTML, and ``/api/answers.csv``, ``/api/votes.csv``,
  ``/api/scores.csv`` for the organiser.

A rater is known by ``Authorization: Bearer`` and a token, or if there are none by ``rater``, a
name. An error is an object with ``error``, a sentence. What may wait for the disk or the learner
runs in a thread, one call for raters and one for the organiser at a time. Answers of many raters
are brought to the disk together, before they are acknowledged.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.sessions.web.content import IMAGES
from cpe_opt.sessions.web.overview import Overview
from cpe_opt.sessions.web.panel import Access, RaterPanel, Refused, Reply

T = TypeVar("T")

_STATIC = Path(__file__).parent / "static"
_NOT_THERE = "There is nothing at this address."
_NOT_WRITTEN = "The answer could not be written down, and does not count yet."
_POLICY = "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; "
_POLICY += "form-action 'none'; frame-ancestors 'none'"
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# The organiser's page shows a report, which has its style within it, in a frame without scripts.
_WITH_STYLE = {"content-security-policy": f"{_POLICY}; style-src 'self' 'unsafe-inline'"}
_ALONE = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
LONGEST_BODY = 8192  # bytes
SLOWEST_BODY = 10.0  # seconds
SLOWEST_HEAD = 10.0  # seconds
MOST_OF_A_CLIENT = 200  # connections
MOST_OF_ALL = 800
LONGEST_WAIT = 10.0  # seconds for which a reply waits for a question
_LONGEST_SLEEP = 1.0  # seconds after which leases may have run out, or the browser have left
_LONGEST_TEXT = 100


def application(
    panel: RaterPanel,
    overview: Overview,
    access: Access,
    *,
    names: Iterable[str],
    closing: threading.Event,
) -> ASGIApp:
    """The ASGI application, guarded; ``names`` are those by which this host may be asked for."""
    raters, organiser = _Raters(panel, access, closing), _Organiser(overview, access)
    routes = [
        Route("/", _page("rate.html")),
        Route("/organise", _page("organise.html", _WITH_STYLE)),
        Mount("/static", StaticFiles(directory=_STATIC)),
        Route("/content/{name}", raters.image),
        Route("/api/question", raters.question, methods=["POST"]),
        Route("/api/answer", raters.answer, methods=["POST"]),
        Route("/api/undo", raters.undo, methods=["POST"]),
        Route("/api/overview", organiser.overview),
        Route("/api/{name}.csv", organiser.table),
    ]
    handlers: dict[Any, Any] = {
        Refused: _refused,
        InputError: _saying(409, "{}"),
        WriteFailed: _saying(503, f"{_NOT_WRITTEN} ({{}})"),
        ClientDisconnect: _saying(400, "The browser has left."),
        404: _saying(404, _NOT_THERE),
        405: _saying(405, _NOT_THERE),
        Exception: _saying(500, "Something went wrong here; the terminal says what."),
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False
    return Guard(app, names)


class _Raters:
    """What answers to raters."""

    def __init__(self, panel: RaterPanel, access: Access, closing: threading.Event) -> None:
        self._panel, self._access, self._closing = panel, access, closing
        self._do, self._save, self._news = _one_at_a_time(), _one_at_a_time(), asyncio.Event()

    async def question(self, request: Request) -> Response:
        rater, body = await self._rater(request)
        reply = await self._do(lambda: self._panel.ask(rater))
        if body.get("wait") is True and reply["state"] == "waiting":
            await self._do(lambda: self._panel.line.append(rater))
            try:
                reply = await self._awaited(request, rater, reply)
            finally:
                await self._do(lambda: self._panel.line.remove(rater))
        return self._json(reply)

    async def _awaited(self, request: Request, rater: str, reply: Reply) -> Reply:
        """The reply to a rater in the line, once there is a question, or after some seconds."""
        end = time.monotonic() + LONGEST_WAIT
        while reply["state"] == "waiting" and time.monotonic() < end:
            news = self._news
            if self._closing.is_set() or await request.is_disconnected():
                break
            reply = await self._do(lambda: self._panel.ask(rater))
            if reply["state"] == "waiting":
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), _LONGEST_SLEEP)
        return reply

    async def answer(self, request: Request) -> Response:
        rater, body = await self._rater(request)
        question, attempt = _text(body, "id"), _text(body, "attempt")
        outcome = body.get("outcome")
        return await self._reply(lambda: self._panel.answer(rater, question, outcome, attempt))

    async def undo(self, request: Request) -> Response:
        rater, body = await self._rater(request)
        question = _text(body, "id")
        return await self._reply(lambda: self._panel.undo(rater, question))

    async def image(self, request: Request) -> Response:
        image = self._panel.content.images.get(request.path_params["name"])
        if image is None:
            raise Refused(404, "There is no such image.")
        headers = {**_ALONE, "cache-control": "private, max-age=3600"}
        return FileResponse(image, media_type=IMAGES[image.suffix.lower()], headers=headers)

    async def _rater(self, request: Request) -> tuple[str, dict[str, Any]]:
        """Who asks, and what: the token first, so that strangers' bodies are not looked at."""
        authorization = request.headers.get("authorization")
        if self._access.raters:
            self._access.rater(authorization, None)
        body = await _json_body(request)
        return self._access.rater(authorization, body.get("rater")), body

    async def _reply(self, act: Callable[[], Reply]) -> Response:
        """Carry out, bring it to the disk, together with what others do, and tell who waits."""
        reply = await self._do(act)
        await self._save(self._panel.session.commit)
        self._news.set()
        self._news = asyncio.Event()
        return self._json(reply)

    def _json(self, reply: Reply) -> Response:
        return JSONResponse({"title": self._panel.question, **reply})


class _Organiser:
    """What answers to whoever runs the session."""

    def __init__(self, overview: Overview, access: Access) -> None:
        self._overview, self._access, self._do = overview, access, _one_at_a_time()

    async def overview(self, request: Request) -> Response:
        self._access.check_organiser(request.headers.get("authorization"))
        page = await self._do(self._overview.page)
        return HTMLResponse(page, headers={**_ALONE, "x-tables": " ".join(self._overview.tables)})

    async def table(self, request: Request) -> Response:
        self._access.check_organiser(request.headers.get("authorization"))
        name = request.path_params["name"]
        content = await self._do(lambda: self._overview.table(name))
        headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
        return Response(content, media_type="text/csv", headers=headers)


def _one_at_a_time() -> Callable[[Callable[[], T]], Awaitable[T]]:
    """Calls functions in threads, one after the other."""
    turn = asyncio.Lock()

    async def do(act: Callable[[], T]) -> T:
        async with turn:
            return await asyncio.to_thread(act)

    return do


def _page(
    name: str, headers: dict[str, str] | None = None
) -> Callable[[Request], Awaitable[Response]]:
    async def page(request: Request) -> Response:
        return FileResponse(_STATIC / name, headers=headers)

    return page


async def _json_body(request: Request) -> dict[str, Any]:
    """The object that a request holds; :class:`Refused` if it is not one, too long or too slow."""
    body = b""
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            async for part in request.stream():
                body += part
                if len(body) > LONGEST_BODY:
                    raise Refused(413, f"A request has at most {LONGEST_BODY} bytes.")
        content = json.loads(body)
    except TimeoutError:
        raise Refused(408, "The request took too long to arrive.") from None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Refused(400, "The request is no JSON object.")
    return content


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TEXT:
        raise Refused(400, f"{name} is {str(value)[:40]!r}, expected a short text.")
    return value


async def _refused(request: Request, error: Refused) -> Response:
    return JSONResponse({"error": error.reason}, error.status)


def _saying(status: int, words: str) -> Callable[[Request, Exception], Awaitable[Response]]:
    """A handler of errors that replies in these words, with those of the error for ``{}``."""

    async def reply(request: Request, error: Exception) -> Response:
        return JSONResponse({"error": words.format(error)}, status)

    return reply


class Guard:
    """An ASGI application before the pages: who may ask by which name, and from which other pages.

    A page from elsewhere that has its own name point here (DNS rebinding) is found out by ``Host``,
    a request that it makes by ``Sec-Fetch-Site`` and ``Origin``; what changes anything is JSON by
    its content type, which no form can send.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = {name.lower() for name in (*names, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            return
        api = scope["path"].startswith("/api/")

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store" if api else "no-cache")
            await send(message)

        app = self._app
        try:
            self._check(scope["method"], Headers(scope=scope), api=api)
        except Refused as refused:
            app = JSONResponse({"error": refused.reason}, refused.status)
        await app(scope, receive, send_guarded)

    def _check(self, method: str, headers: Headers, *, api: bool) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._known(_parts(f"//{host}")[0]):
            raise Refused(421, f"This is not {host[:80]!r}: open the address that was printed.")
        if not api:
            return
        elsewhere = headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
        if elsewhere or (origin is not None and _parts(origin)[1].lower() != host.lower()):
            raise Refused(403, "Another site's pages may not ask for this.")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method == "POST" and kind != "application/json":
            raise Refused(415, "Expected JSON, with the content type application/json.")

    def _known(self, name: str) -> bool:
        with suppress(ValueError):
            return bool(ipaddress.ip_address(name))
        return name.rstrip(".") in self._names


def _parts(address: str) -> tuple[str, str]:
    """The host of an address, and the same with its port; empty where it has none."""
    try:
        parts = urlsplit(address)
        return parts.hostname or "", parts.netloc
    except ValueError:
        return "", ""


class Connection(H11Protocol):  # type: ignore[misc]
    """A connection that is closed where the head of a request takes long to come.

    A client that opens connections and sends a byte now and then could hold all of them. A client,
    known by its address, has a number of connections, and so have all together: one more closes the
    one that has waited the longest without a request, or is closed itself where all have one.
    """

    # The connections of a server, in the order in which they began to wait for a head: whether each
    # waits. A server has a class of its own.
    places: ClassVar[dict[Connection, bool]]
    address = ""
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Wait for the head of a request, if there is a place or one can be made."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        of_client = [each for each in self.places if each.address == self.address]
        for those, most in ((of_client, MOST_OF_A_CLIENT), (self.places, MOST_OF_ALL)):
            if len(those) >= most:
                idle = next((each for each in those if self.places.get(each)), self)
                idle.end()
                if idle is self:
                    return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the place to others."""
        self._wait_no_more()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read what has come."""
        super().handle_events()
        if self in self.places and self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_more()
            self.places[self] = False

    def on_response_complete(self) -> None:
        """Wait for the head of the next request."""
        self._wait()
        super().on_response_complete()

    def end(self) -> None:
        """Close it at once, whatever the other side still has to say."""
        self._wait_no_more()
        self.transport.abort()

    def _wait(self) -> None:
        self._wait_no_more()
        if not self.transport.is_closing():
            self._limit = self.loop.call_later(SLOWEST_HEAD, self.end)
            self.places[self] = True

    def _wait_no_more(self) -> None:
        self.places.pop(self, None)
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


def protocol() -> type[asyncio.Protocol]:
    """The class of a server's connections, which share the places."""
    return type("ServedConnection", (Connection,), {"places": {}})

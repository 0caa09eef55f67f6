"""The addresses that are served.

``/`` is the raters' page and ``/organise`` the organiser's; ``/static/…`` what they load, and
``/content/…`` images. The pages ask ``/api/…``:

- ``POST /api/question``: what is next for the rater who asks, as all that follow say, too; with
  ``wait``, true, the reply may wait some seconds for a question;
- ``POST /api/answer`` with ``id``, ``outcome`` (first, second, tie; of a set or a pull, a number)
  and ``attempt``, a text that is the same when the same is sent again; ``POST /api/skip`` with
  ``id`` and ``attempt``; ``POST /api/undo`` with ``id``;
- ``GET /api/overview``, ``/api/graph.svg``, ``/api/evidence.svg``, ``/api/answers.csv``,
  ``/api/votes.csv`` and ``/api/scores.csv`` for the organiser.

A rater is known by ``Authorization: Bearer`` and a token, or if there are none by ``rater``, a
name. An error is an object with ``error``, a sentence. What may wait for the disk or the learner
runs in one thread for raters and one for the organiser, so that the loop is free. A third one
brings answers to the disk, those of many raters at once, before they are acknowledged.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import Executor
from contextlib import suppress
from importlib.resources import files
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.sessions.web.access import Access, Refused
from cpe_opt.sessions.web.overview import TABLES, Overview
from cpe_opt.sessions.web.panel import RaterPanel, Reply

T = TypeVar("T")
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Handler = Callable[[Request], Awaitable[Response]]

_NOT_THERE = "There is nothing at this address."
_NOT_WRITTEN = "The answer could not be written down, and does not count yet."
_PAGES = {"/": "rate.html", "/organise": "organise.html"}
_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
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
_IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_LONGEST_TEXT = 100
LONGEST_WAIT = 10.0  # seconds for which a reply waits for a question, or a skip for its turn
_FREE_SKIPS = 5  # of a rater, one after another, before skips wait
_SKIP_EVERY = 1.0  # seconds
_LONGEST_SLEEP = 1.0  # seconds after which leases may have run out, or the browser have left


def application(
    panel: RaterPanel,
    overview: Overview,
    access: Access,
    *,
    names: Iterable[str],
    threads: tuple[Executor, Executor, Executor],
    closing: threading.Event,
) -> App:
    """The ASGI application, guarded; ``names`` are those by which this host may be asked for.

    The executors have one thread each: for raters, for the disk, and for the organiser.
    """
    pages = _Pages(panel, access, threads[:2], closing)
    organiser = _Organiser(overview, access, threads[2])
    routes = [
        *(Route(path, _static(name)) for path, name in _PAGES.items()),
        *(Route(f"/static/{name}", _static(name)) for name in _static_names()),
        Route("/content/{name}", pages.image),
        Route("/api/question", pages.question, methods=["POST"]),
        Route("/api/answer", pages.answer, methods=["POST"]),
        Route("/api/skip", pages.skip, methods=["POST"]),
        Route("/api/undo", pages.undo, methods=["POST"]),
        Route("/api/overview", organiser.overview),
        Route("/api/{name}.svg", organiser.picture),
        *(Route(f"/api/{name}.csv", organiser.table(name)) for name in TABLES),
    ]
    handlers = {
        Refused: _refused,
        InputError: _saying(409, "{}"),
        WriteFailed: _saying(503, f"{_NOT_WRITTEN} ({{}})"),
        ClientDisconnect: _gone,
        404: _saying(404, _NOT_THERE),
        405: _saying(405, _NOT_THERE),
        Exception: _saying(500, "Something went wrong here; the terminal says what."),
    }
    return Guard(Starlette(routes=routes, exception_handlers=handlers), names)


class _Pages:
    """What answers to raters."""

    def __init__(
        self,
        panel: RaterPanel,
        access: Access,
        threads: tuple[Executor, Executor],
        closing: threading.Event,
    ) -> None:
        self._panel, self._access, self._closing = panel, access, closing
        self._thread, self._disk = threads
        self._news = asyncio.Event()
        self._skipped_until: dict[str, float] = {}  # by rater, the time for which skips are used up

    async def question(self, request: Request) -> Response:
        rater, body = await self._rater(request)
        reply = await _in(self._thread, lambda: self._panel.ask(rater))
        if body.get("wait") is True and reply["state"] == "waiting":
            await _in(self._thread, lambda: self._panel.join(rater))
            try:
                reply = await self._awaited(request, rater, reply)
            finally:
                await _in(self._thread, lambda: self._panel.leave(rater))
        return self._json(reply)

    async def _awaited(self, request: Request, rater: str, reply: Reply) -> Reply:
        """The reply to a rater in the line, once there is a question, or after some seconds."""
        end = time.monotonic() + LONGEST_WAIT
        while reply["state"] == "waiting" and time.monotonic() < end:
            news = self._news
            if self._closing.is_set() or await request.is_disconnected():
                break
            reply = await _in(self._thread, lambda: self._panel.ask(rater))
            if reply["state"] == "waiting":
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), _LONGEST_SLEEP)
        return reply

    async def answer(self, request: Request) -> Response:
        rater, body = await self._rater(request)
        question, attempt = _text(body, "id"), _text(body, "attempt")
        outcome = body.get("outcome")
        return await self._reply(lambda: self._panel.answer(rater, question, outcome, attempt))

    async def skip(self, request: Request) -> Response:
        rater, body = await self._rater(request)
        question, attempt = _text(body, "id"), _text(body, "attempt")
        if (wait := self._turn_wait(rater)) > 0.0:
            await _pause(wait)
        return await self._reply(lambda: self._panel.skip(rater, question, attempt))

    def _turn_wait(self, rater: str) -> float:
        """Seconds until a rater may skip or undo again: of many one a second; each is written."""
        now = time.monotonic()
        free = max(now, self._skipped_until.get(rater, now)) + _SKIP_EVERY
        wait = free - now - _FREE_SKIPS * _SKIP_EVERY
        if wait > LONGEST_WAIT:
            raise Refused(
                429, "These are too many skips or corrections at once; please wait a moment."
            )
        self._skipped_until[rater] = free
        return wait

    async def undo(self, request: Request) -> Response:
        rater, body = await self._rater(request)
        question = _text(body, "id")
        if (wait := self._turn_wait(rater)) > 0.0:
            await _pause(wait)
        return await self._reply(lambda: self._panel.undo(rater, question))

    async def image(self, request: Request) -> Response:
        image = self._panel.content.images.get(request.path_params["name"])
        if image is None:
            raise Refused(404, "There is no such image.")
        headers = {
            "content-security-policy": _IMAGE_POLICY,
            "cache-control": "private, max-age=3600",
        }
        return FileResponse(image.path, media_type=image.media_type, headers=headers)

    async def _rater(self, request: Request) -> tuple[str, dict[str, Any]]:
        """Who asks, and what: the token first, so that strangers' bodies are not looked at."""
        authorization = request.headers.get("authorization")
        if self._access.raters:
            self._access.rater(authorization, None)
        body = await json_body(request.stream())
        return self._access.rater(authorization, body.get("rater")), body

    async def _reply(self, act: Callable[[], Reply]) -> Response:
        """Carry out, bring it to the disk, together with what others do, and tell who waits."""
        reply = await _in(self._thread, act)
        await _in(self._disk, self._panel.session.commit)
        self._news.set()
        self._news = asyncio.Event()
        return self._json(reply)

    def _json(self, reply: Reply) -> Response:
        return JSONResponse({"title": self._panel.question, **reply})


class _Organiser:
    """What answers to whoever runs the session."""

    def __init__(self, overview: Overview, access: Access, thread: Executor) -> None:
        self._overview, self._access, self._thread = overview, access, thread

    async def overview(self, request: Request) -> Response:
        return JSONResponse(await self._in(request, self._overview.facts))

    async def picture(self, request: Request) -> Response:
        name = request.path_params["name"]
        content = await self._in(request, lambda: self._overview.picture(name))
        headers = {"content-security-policy": _IMAGE_POLICY}
        return Response(content, media_type="image/svg+xml", headers=headers)

    def table(self, name: str) -> Handler:
        headers = {"content-disposition": f'attachment; filename="{name}.csv"'}

        async def reply(request: Request) -> Response:
            content = await self._in(request, lambda: self._overview.table(name))
            return Response(content, media_type="text/csv", headers=headers)

        return reply

    async def _in(self, request: Request, act: Callable[[], T]) -> T:
        self._access.check_organiser(request.headers.get("authorization"))
        return await _in(self._thread, act)


async def _in(thread: Executor, act: Callable[[], T]) -> T:
    """Carry out in a thread, to the end, whether or not the browser waits for it."""
    return await asyncio.get_running_loop().run_in_executor(thread, act)


async def _pause(seconds: float) -> None:
    await asyncio.sleep(seconds)


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TEXT:
        raise Refused(400, f"{name} is {str(value)[:40]!r}, expected a short text.")
    return value


def _static_names() -> list[str]:
    folder = files("cpe_opt.sessions.web") / "static"
    return sorted(each.name for each in folder.iterdir() if _suffix(each.name) in _TYPES)


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]


def _static(name: str) -> Handler:
    content = (files("cpe_opt.sessions.web") / "static" / name).read_bytes()

    async def page(request: Request) -> Response:
        return Response(content, media_type=_TYPES[_suffix(name)])

    return page


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return JSONResponse({"error": error.reason}, error.status)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)


def _saying(status: int, words: str) -> Callable[[Request, Exception], Awaitable[Response]]:
    """A handler of errors that replies in these words, with those of the error for ``{}``."""

    async def reply(request: Request, error: Exception) -> Response:
        return JSONResponse({"error": words.format(error)}, status)

    return reply


class Guard:
    """An ASGI application before the pages: who may ask by which name, and from which other pages.

    - A page from elsewhere that has its own name point here (DNS rebinding) is found out by the
      name in the header ``Host``: addresses in numbers, ``localhost`` and names that were given are
      answered.
    - A request that a page from elsewhere makes is told by ``Sec-Fetch-Site`` and ``Origin``.
    - What changes anything is JSON by its content type, which no form can send.
    - A body is read up to a limit and for some seconds, whatever length it claims.
    - The browser is told to run and load nothing but what is served here, and to keep no answers.
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
        if origin is not None and _host_of(origin).lower() != host.lower():
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


def _host_of(origin: str) -> str:
    """The host and port of an origin; empty where it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


async def json_body(stream: Any) -> dict[str, Any]:
    """The object that a request's stream of bytes holds; :class:`Refused` if it is not one."""
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

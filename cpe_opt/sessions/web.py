"""A session in browsers: what raters do, the addresses that are served, and what is refused.

Every reply says what happened and what is next, so that a page that missed a reply is right again
after its next request. Raters who wait ask again and again, and keep their places meanwhile: who
has answered gets a new question only if there is one for each of them, too.

``/`` is the raters' page and ``/organise`` the organiser's; ``/static/…`` what they load, and
``/content/…`` images. The pages ask ``/api/…``:

- ``POST /api/question``: what is next for the rater who asks, as all that follow say, too;
- ``POST /api/answer`` with ``id``, ``outcome`` (first, second, tie, skip; of a set or a pull, a
  number) and ``attempt``, a text that is the same when the same is sent again; ``POST /api/undo``
  with ``id``;
- ``GET /api/overview``, the report as HTML, and ``/api/answers.csv`` for the organiser.

A rater is known by ``Authorization: Bearer`` and a token, or if there are none by ``rater``, a
name. An error is an object with ``error``, a sentence. What may wait for the disk or the learner
runs in a thread, one call for raters and one for the organiser at a time. Answers of many raters
are brought to the disk together, before they are acknowledged.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import os
import re
import socket
import tempfile
import threading
import time
from asyncio import wrap_future
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from errno import EADDRINUSE
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Self, TypeAlias
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.sessions.answers import write_answers
from cpe_opt.sessions.content import IMAGES, Content, shown_item, shown_of
from cpe_opt.sessions.questions import SKIP, Question, checked_name, read_outcome
from cpe_opt.sessions.report import session_report
from cpe_opt.sessions.session import Session, checked_lease
from cpe_opt.validation import Interval, Name, checked_types

Reply = dict[str, Any]
Repeats: TypeAlias = Annotated[float, Interval(0.0, 0.5, words="a share from 0 to 0.5")]

_STATIC = Path(__file__).parent / "static"
_NOT_WRITTEN = "The answer could not be written down, and does not count yet."
_POLICY = "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; "
_POLICY += "form-action 'none'; frame-ancestors 'none'"
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# The organiser's page shows a report, which has its style within it, in a frame without scripts.
_WITH_STYLE = {"content-security-policy": f"{_POLICY}; style-src 'self' 'unsafe-inline'"}
_ALONE = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
LEASE = 120.0
LONGEST_BODY = 8192  # bytes
_LONGEST_TEXT = 100
_PATIENCE = 3  # seconds that open connections have when it stops
_TOKEN = re.compile(r"[A-Za-z0-9._~-]{12,200}")
_IN_LINE = 4.0  # seconds for which a rater who does not ask again keeps the place
_CONNECTIONS = 1000
_BACKLOG = 256


@checked_types
class Serving:
    """A session on the page; a context manager, which serves inside its block.

    The session stays open. By default labels are shown, and raters say their names, which is only
    allowed on loopback; port 0 is any that is free, and ``names`` are further ones of the host.
    Raters are asked which is better, or what a score is, unless there is a ``question``. A share of
    their questions, ``repeats``, others have answered before, to see whether raters agree. For
    ``lease`` seconds a question is one rater's alone; an answer is welcome later, too, unless
    another was quicker. Where a learner asks one question at a time, raters wait so long for one
    who has left.
    """

    def __init__(
        self,
        session: Session,
        content: Content | None = None,
        access: Access | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 8000,
        names: Sequence[str] = (),
        question: Name | None = None,
        repeats: Repeats = 0.0,
        lease: float = LEASE,
    ) -> None:
        checked_lease(lease)
        access = Access() if access is None else access
        address = _ip_address(host)
        loopback = host.lower() == "localhost" if address is None else address.is_loopback
        if not access.raters and not loopback:
            raise InputError(
                f"others than you reach {host!r}: give each rater a token (--token or --tokens)"
            )
        if question is None:
            duels = session.question_set.asks_duels
            question = "Which is better?" if duels else "What is the score?"
            question = "Who won?" if session.question_set.shares else question
        content = Content.of_labels(session.question_set.things) if content is None else content
        session.ask_at_once(max(1, len(access.raters)))
        panel = RaterPanel(session, content, question=question, repeats=repeats, lease=lease)
        self._application = application(panel, Overview(session), access, [*names, host])
        self._host, self._port = host, port
        self.address = ""  # such as `http://127.0.0.1:8000`; known inside the block

    def __enter__(self) -> Self:
        listener = _listener(self._host, self._port)
        config = uvicorn.Config(
            self._application,
            log_config=None,  # its own would close the handlers of whoever calls
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            loop="asyncio",
            http="h11",
            ws="none",
            limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=_PATIENCE,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listener]}, name="cpe-opt-serving"
        )
        self.address = f"http://{_shown(self._host)}:{listener.getsockname()[1]}"
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.005)
        if not self._server.started:
            self.__exit__()
            raise RuntimeError(f"the server of {self.address} ended before it was asked anything")
        return self

    def __exit__(self, *error: object) -> None:
        self._server.should_exit = True
        self._thread.join()

    def wait(self, stop: threading.Event | None = None) -> None:
        """Return at Ctrl-C, when ``stop`` is set, or when the server has ended."""
        stop = threading.Event() if stop is None else stop
        with suppress(KeyboardInterrupt):
            while self._thread.is_alive() and not stop.wait(0.2):
                pass


def _ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is given by, if it is not a name."""
    with suppress(ValueError):
        return ipaddress.ip_address(host)
    return None


def _listener(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    if not 0 <= port < 1 << 16:
        raise InputError(f"port is {port}, expected a number from 0 to 65535")
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address, family=family, backlog=_BACKLOG)
    except socket.gaierror as error:
        raise InputError(f"{host!r} is no host of this machine: {error.strerror}") from None
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        advice = "; port 0 is any that is free" if error.errno == EADDRINUSE else ""
        raise InputError(f"cannot listen at {host}, port {port}: {reason}{advice}") from None


def _shown(host: str) -> str:
    """The host as others may ask for it; of one that stands for all, an address of this machine."""
    address = _ip_address(host)
    if address is not None and address.is_unspecified:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outward:
            outward.connect(("192.0.2.1", 9))  # sends nothing, but finds the way out
            host = outward.getsockname()[0]
    return f"[{host}]" if ":" in host else host


# What raters do


@dataclass(frozen=True)
class Access:
    """The tokens of raters and of the organiser."""

    # The token of each rater by name; empty where raters say their name.
    raters: Mapping[str, str] = field(default_factory=dict)
    organiser: str = ""  # empty if no token is needed

    def __post_init__(self) -> None:
        tokens = [*self.raters.values(), *([self.organiser] if self.organiser else [])]
        for token in tokens:
            if not _TOKEN.fullmatch(token):
                raise InputError(
                    "a token has to have 12 to 200 letters, digits or . _ ~ -, for it is in an "
                    "address and must not be guessed"
                )
        if len(set(tokens)) < len(tokens):
            raise InputError("two tokens are the same, expected one for each")
        for name in self.raters:
            checked_name(name)

    def rater(self, authorization: str | None, name: object) -> str:
        """The name of who asks; :class:`HTTPException` where the token is not known."""
        if not self.raters:
            try:
                return checked_name(name)
            except InputError as error:
                raise HTTPException(400, str(error)) from None
        for each, token in self.raters.items():
            if _same(authorization, token):
                return each
        raise HTTPException(401, "This link is not valid: open the one that you were given.")

    def check_organiser(self, authorization: str | None) -> None:
        """Raise :class:`HTTPException` unless the organiser asks."""
        if self.organiser and not _same(authorization, self.organiser):
            raise HTTPException(
                401, "This link is not valid: open the one that the command printed."
            )


def _same(authorization: str | None, token: str) -> bool:
    """Whether a header has a token, in a time that says nothing about it."""
    scheme, _, given = (authorization or "").partition(" ")
    same = hmac.compare_digest(given.strip().encode("utf-8", "replace"), token.encode())
    return same and scheme.lower() == "bearer"


@dataclass
class _Memory:
    """What is kept of a rater while the page is served."""

    asked: dict[str, str] = field(default_factory=dict)  # questions, by their names on pages
    attempts: set[str] = field(default_factory=set)  # the requests that were carried out


class RaterPanel:
    """The raters of a session; ``repeats`` is the share of questions that others have answered.

    It is called from one thread at a time.
    """

    def __init__(
        self,
        session: Session,
        content: Content,
        *,
        question: str,
        repeats: float = 0.0,
        lease: float = 120.0,
    ) -> None:
        self.session, self.content = session, content
        self.question, self.repeats, self.lease = question, repeats, lease
        self._line: dict[str, float] = {}  # raters who wait, and when they asked last
        self._raters: defaultdict[str, _Memory] = defaultdict(_Memory)

    def ask(self, rater: str, note: str = "") -> Reply:
        """What is next: a question, a pause, or the end; after a note on what was before."""
        session, now = self.session, monotonic()
        last = session.last_of(rater)
        reply: Reply = {
            "note": note,
            "rater": rater,
            "answered": session.state.answered[rater],
            "undo": None if last is None else self._name(rater, last),
        }
        if session.finished:
            return {**reply, "state": "finished"}
        self._line = {each: at for each, at in self._line.items() if now - at < _IN_LINE}
        question = self._question(rater)
        if question is None:
            self._line[rater] = now
            return {**reply, "state": "waiting"}
        self._line.pop(rater, None)
        shown = {
            "id": self._name(rater, question.id),
            "kind": question.kind,
            "about": question.about,
            "things": shown_of(self.content.things, question),
            "item": None if question.item is None else shown_item(question.item),
        }
        return {**reply, "state": "question", "question": shown}

    def answer(self, rater: str, name: str, outcome: Any, attempt: str) -> Reply:
        """Count what is said in an ``attempt`` once; to be acknowledged after a commit."""
        question, memory, session = self._asked(rater, name), self._raters[rater], self.session
        given = session.answer_of(question)
        if attempt in memory.attempts or (given is not None and given.rater == rater):
            return self.ask(rater, "Your answer was counted already.")
        if given is not None:
            return self.ask(rater, "Somebody else has answered this question meanwhile.")
        try:
            asked = session.question(question)
        except InputError:  # the learner wants it no more, because an answer was taken back
            return self.ask(rater, "This question is not open any more.")
        try:
            value = read_outcome(asked, outcome)
            if value is None:
                session.skip(question, rater=rater)
            else:
                session.tell(question, value, rater=rater, sync=False)
        except InputError as error:
            # Of a duel it names the labels, which raters may not be shown.
            why = "This is no answer to the question" if asked.kind in ("duel", "games") else error
            raise HTTPException(400, f"{why}.") from None
        memory.attempts.add(attempt)
        reply = self.ask(rater)
        if outcome == SKIP and reply.get("question", {}).get("id") == name:
            reply["note"] = "Nothing else is open: this is the question that you skipped."
        return reply

    def undo(self, rater: str, name: str) -> Reply:
        """Take back the rater's last answer, if it is to this question."""
        question = self._asked(rater, name)
        if self.session.last_of(rater) != question:
            return self.ask(rater, "Only your last answer can be taken back.")
        self.session.withdraw(question)
        return self.ask(rater)

    def _question(self, rater: str) -> Question | None:
        """What the rater was handed last and still has, or something new."""
        if held := self.session.held(rater):
            return held[-1]
        ahead = [*self._line, rater].index(rater)
        if ahead and self.session.free() <= ahead:
            return None
        again: list[Question] = []
        if self._again(rater):
            again = self.session.ask(rater=rater, lease=self.lease, repeat=True)
        return next(iter(again or self.session.ask(rater=rater, lease=self.lease)), None)

    def _again(self, rater: str) -> bool:
        """Whether the rater's next question is to be a second one."""
        state = self.session.state
        turns = state.answered[rater] + state.skipped[rater]
        text = f"{self.session.header.seed}/{turns}/{rater}"
        digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.repeats * 2.0**64

    def _name(self, rater: str, question: str) -> str:
        """What a question that a rater may speak of is called on pages."""
        name = shown_name(question, self.session.header.key)
        self._raters[rater].asked[name] = question
        return name

    def _asked(self, rater: str, name: str) -> str:
        """The question of this name, if the rater was asked it."""
        asked = self._raters[rater].asked
        if name not in asked:  # before the server was started
            for question in self.session.questions_of(rater):
                self._name(rater, question)
        if name not in asked:
            raise HTTPException(409, f"{name[:40]!r} is no question that you were asked.")
        return asked[name]


def shown_name(question: str, key: str) -> str:
    """What the pages of a session call a question."""
    return hashlib.blake2b(question.encode(), key=key.encode(), digest_size=12).hexdigest()


# The addresses


def application(
    panel: RaterPanel, overview: Overview, access: Access, names: Iterable[str]
) -> ASGIApp:
    """The ASGI application, guarded; ``names`` are those by which this host may be asked for."""
    pages = _Pages(panel, overview, access)
    routes = [
        Route("/", _page("rate.html")),
        Route("/organise", _page("organise.html", _WITH_STYLE)),
        Mount("/static", StaticFiles(directory=_STATIC)),
        Route("/content/{name}", pages.image),
        Route("/api/question", pages.question, methods=["POST"]),
        Route("/api/answer", pages.answer, methods=["POST"]),
        Route("/api/undo", pages.undo, methods=["POST"]),
        Route("/api/overview", pages.overview),
        Route("/api/answers.csv", pages.answers),
    ]
    handlers: dict[Any, Any] = {
        HTTPException: _refused,
        InputError: _saying(409, "{}"),
        WriteFailed: _saying(503, f"{_NOT_WRITTEN} ({{}})"),
        ClientDisconnect: _saying(400, "The browser has left."),
        Exception: _saying(500, "Something went wrong here; the terminal says what."),
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False
    return _guarded(app, names)


class _Pages:
    """What answers to raters, and to whoever runs the session."""

    def __init__(self, panel: RaterPanel, overview: Overview, access: Access) -> None:
        self._panel, self._overview, self._access = panel, overview, access
        # each does one thing after the other, in a thread
        self._raters, self._disk, self._organiser = (ThreadPoolExecutor(1) for _ in range(3))

    async def question(self, request: Request) -> Response:
        rater, _ = await self._rater(request)
        return self._json(await wrap_future(self._raters.submit(self._panel.ask, rater)))

    async def answer(self, request: Request) -> Response:
        rater, body = await self._rater(request)
        question, attempt = _text(body, "id"), _text(body, "attempt")
        outcome = body.get("outcome")
        return await self._saved(lambda: self._panel.answer(rater, question, outcome, attempt))

    async def undo(self, request: Request) -> Response:
        rater, body = await self._rater(request)
        question = _text(body, "id")
        return await self._saved(lambda: self._panel.undo(rater, question))

    async def image(self, request: Request) -> Response:
        image = self._panel.content.images.get(request.path_params["name"])
        if image is None:
            raise HTTPException(404, "There is no such image.")
        headers = {**_ALONE, "cache-control": "private, max-age=3600"}
        return FileResponse(image, media_type=IMAGES[image.suffix.lower()], headers=headers)

    async def overview(self, request: Request) -> Response:
        self._access.check_organiser(request.headers.get("authorization"))
        return HTMLResponse(
            await wrap_future(self._organiser.submit(self._overview.page)), headers=_ALONE
        )

    async def answers(self, request: Request) -> Response:
        self._access.check_organiser(request.headers.get("authorization"))
        return Response(
            await wrap_future(self._organiser.submit(self._overview.answers)), media_type="text/csv"
        )

    async def _rater(self, request: Request) -> tuple[str, dict[str, Any]]:
        """Who asks, and what: the token first, so that strangers' bodies are not looked at."""
        authorization = request.headers.get("authorization")
        if self._access.raters:
            self._access.rater(authorization, None)
        body = await _json_body(request)
        return self._access.rater(authorization, body.get("rater")), body

    async def _saved(self, act: Callable[[], Reply]) -> Response:
        """Carry out, and bring it to the disk, together with what others do."""
        reply = await wrap_future(self._raters.submit(act))
        await wrap_future(self._disk.submit(self._panel.session.commit))
        return self._json(reply)

    def _json(self, reply: Reply) -> Response:
        return JSONResponse({"title": self._panel.question, **reply})


def _page(
    name: str, headers: dict[str, str] | None = None
) -> Callable[[Request], Awaitable[Response]]:
    async def page(request: Request) -> Response:
        return FileResponse(_STATIC / name, headers=headers)

    return page


async def _json_body(request: Request) -> dict[str, Any]:
    """The object that a request holds; refused if it is not one, or too long."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_BODY:
                raise HTTPException(413, f"A request has at most {LONGEST_BODY} bytes.")
        content = json.loads(body)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise HTTPException(400, "The request is no JSON object.")
    return content


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TEXT:
        raise HTTPException(400, f"{name} is {str(value)[:40]!r}, expected a short text.")
    return value


async def _refused(request: Request, error: HTTPException) -> Response:
    return JSONResponse({"error": error.detail}, error.status_code)


def _saying(status: int, words: str) -> Callable[[Request, Exception], Awaitable[Response]]:
    """A handler of errors that replies in these words, with those of the error for ``{}``."""

    async def reply(request: Request, error: Exception) -> Response:
        return JSONResponse({"error": words.format(error)}, status)

    return reply


class Overview:
    """A session, as whoever runs it sees it; called from one thread at a time."""

    def __init__(self, session: Session) -> None:
        self._session, self._page, self._changes = session, "", -1

    def page(self) -> str:
        """The report as HTML, made anew where something has changed."""
        changes = self._session.state.changes
        if changes != self._changes:
            self._page, self._changes = session_report(self._session).html(), changes
        return self._page

    def answers(self) -> bytes:
        """All answers as CSV."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "answers.csv"
            write_answers(self._session.answers(), path)
            return path.read_bytes()


# What is refused


def _guarded(app: ASGIApp, names: Iterable[str]) -> ASGIApp:
    """An ASGI application whose host is asked for by these names, and by its own pages.

    A page from elsewhere that has its own name point here (DNS rebinding) is found out by ``Host``,
    a request that it makes by ``Sec-Fetch-Site`` and ``Origin``; what changes anything is JSON by
    its content type, which no form can send.
    """
    known = {name.lower() for name in (*names, "localhost")}

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
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

        answering = app
        try:
            _check_request(scope["method"], Headers(scope=scope), known, api=api)
        except HTTPException as refused:
            answering = JSONResponse({"error": refused.detail}, refused.status_code)
        await answering(scope, receive, send_guarded)

    return guard


def _check_request(method: str, headers: Headers, known: set[str], *, api: bool) -> None:
    """Raise :class:`HTTPException` unless a request is to this host and of its pages."""
    host, origin = headers.get("host", ""), headers.get("origin")
    name = _parts(f"//{host}")[0]
    if name.rstrip(".") not in known and _ip_address(name) is None:
        raise HTTPException(421, f"This is not {host[:80]!r}: open the address that was printed.")
    if not api:
        return
    elsewhere = headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
    if elsewhere or (origin is not None and _parts(origin)[1].lower() != host.lower()):
        raise HTTPException(403, "Another site's pages may not ask for this.")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if method == "POST" and kind != "application/json":
        raise HTTPException(415, "Expected JSON, with the content type application/json.")


def _parts(address: str) -> tuple[str, str]:
    """The host of an address, and the same with its port; empty where it has none."""
    try:
        parts = urlsplit(address)
        return parts.hostname or "", parts.netloc
    except ValueError:
        return "", ""

"""Serving a session: from a thread of its own, until it is told to stop."""

from __future__ import annotations

import asyncio
import errno
import importlib.util
import ipaddress
import signal
import socket
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Self, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import parameters_of
from cpe_opt.sessions.session import Session
from cpe_opt.sessions.web.access import Access
from cpe_opt.sessions.web.content import Content
from cpe_opt.sessions.web.panel import Panel
from cpe_opt.validation import checked_number

QUESTION = "Which is better?"
_OF_SETS, _OF_ONE = "What is the score of this team?", "What is the score?"
LEASE = 120.0
MOST_REPEATS = 0.5
_MODULES = ("starlette", "uvicorn", "markdown_it")
_DUELS = ("dueling", "matchings")
_PATIENCE = 3  # seconds that open connections have when it stops
_CONNECTIONS = 1000
_BACKLOG = 256


class Serving:
    """A session on the page; a context manager, which serves inside its block.

    Parameters
    ----------
    session : Session
        It stays open.
    content : Content, optional
        What is shown; by default the labels.
    access : Access, optional
        Tokens; by default raters say their names.
    host : str
        Of this machine; others than loopback need tokens.
    port : int
        0 for any that is free.
    names : sequence of str
        Further names by which the host may be asked for.
    question : str, optional
        What raters are asked; by default which is better, or of sets what their score is.
    repeats : float
        The share of questions that others have answered before, to see whether raters agree.
    lease : float
        Seconds for which a question is one rater's alone; an answer is welcome later, too, unless
        another was quicker. Where a learner asks one question at a time, raters wait so long for
        one who has left.

    Attributes
    ----------
    at_once : int or None
        How many questions the learner has open at once, at least: one for each rater with a token,
        unless the session was begun with another number; None where the learner asks as it
        likes, and raters may have to take turns.
    address : str
        Such as ``http://127.0.0.1:8000``; known inside the block.

    Raises
    ------
    InputError
        Where an argument cannot be.

    Examples
    --------
    >>> import tempfile
    >>> from urllib.request import urlopen
    >>> import cpe_opt as cpe
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = f"{folder.name}/taste.jsonl"
    >>> with cpe.Session.open(path, "rucb", labels=["tuna", "squid"]) as session:
    ...     with Serving(session, port=0) as serving, urlopen(serving.address) as page:
    ...         page.status
    200
    >>> folder.cleanup()
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
        question: str | None = None,
        repeats: float = 0.0,
        lease: float = LEASE,
    ) -> None:
        check_modules()
        checked_number("lease", lease, above=0.0)
        question = default_question(session) if question is None else question
        access = Access() if access is None else access
        if not access.raters and not is_loopback(host):
            raise InputError(
                f"others than you reach {host!r}: give each rater a token (--token or --tokens)"
            )
        if not 0.0 <= repeats <= MOST_REPEATS:
            raise InputError(f"repeats is {repeats!r}, expected a share from 0 to {MOST_REPEATS}")
        if not question.strip() or len(question) > 200:
            raise InputError("the question is empty or too long, expected up to 200 letters")
        content = Content.of_labels(session.question_set.things) if content is None else content
        self._session = session
        self.at_once = session.ask_at_once(max(1, len(access.raters)))
        self._panel = Panel(session, content, question=question, repeats=repeats, lease=lease)
        self._access, self._host, self._port = access, host, port
        self._names = [*names, host]
        self.address = ""
        self._server: Any = None

    def __enter__(self) -> Self:
        import uvicorn

        from cpe_opt.sessions.web.app import application
        from cpe_opt.sessions.web.overview import Overview

        listener = _listener(self._host, self._port)
        self._threads = (
            ThreadPoolExecutor(1, "cpe-opt-raters"),
            ThreadPoolExecutor(1, "cpe-opt-disk"),
            ThreadPoolExecutor(1, "cpe-opt-organiser"),
        )
        self._closing = threading.Event()
        overview = Overview(self._session)
        app = application(
            self._panel,
            overview,
            self._access,
            names=self._names,
            threads=self._threads,
            closing=self._closing,
        )
        config = uvicorn.Config(
            app,
            log_config=None,  # its own would close the handlers of whoever calls
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            loop="asyncio",
            http=protocol(),
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
            self.__exit__(None, None, None)
            raise RuntimeError(f"the server of {self.address} ended before it was asked anything")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.should_exit = True
        self._thread.join()
        for each in self._threads:
            each.shutdown()

    def wait(self) -> None:
        """Return when the process is told to stop, by Ctrl-C or SIGTERM."""
        stop = threading.Event()

        def told(number: int, frame: FrameType | None) -> None:
            stop.set()

        before = {each: signal.signal(each, told) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            while self._thread.is_alive() and not stop.wait(0.2):
                pass
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def check_modules() -> None:
    """Raise :class:`InputError` with the line that installs what is missing."""
    missing = [name for name in _MODULES if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(
            f"the page needs {', '.join(missing)}, not installed here: pip install 'cpe-opt[web]'"
        )


def default_question(session: Session) -> str:
    """What raters are asked where nothing else is said."""
    if session.question_set.family in _DUELS:
        return QUESTION
    known = parameters_of(session.header.learner)
    feedback = session.header.parameters.get("feedback")
    if feedback is None and "feedback" in known:
        feedback = known["feedback"].default
    return _OF_SETS if feedback == "sums" else _OF_ONE


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _listener(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    if not 0 <= port < 1 << 16:
        raise InputError(f"port is {port}, expected a number from 0 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"{host!r} is no host of this machine: {error.strerror}") from None
    try:
        if hasattr(socket, "SO_REUSEADDR"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        advice = "; port 0 is any that is free" if error.errno == errno.EADDRINUSE else ""
        raise InputError(
            f"cannot listen at {host}, port {port}: {error.strerror}{advice}"
        ) from None
    return listener


def _shown(host: str) -> str:
    """The host as others may ask for it; of one that stands for all, an address of this machine."""
    with suppress(ValueError, OSError):
        if ipaddress.ip_address(host).is_unspecified:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outward:
                outward.connect(("192.0.2.1", 9))  # sends nothing, but finds the way out
                host = outward.getsockname()[0]
    return f"[{host}]" if ":" in host else host


# Connections that send nothing, or too slowly, take no place from others.
#
# A browser that has a connection sends the head of a request at once. Who opens connections and
# sends a byte now and then would have all places that there are, and nobody else would be answered.
# So
#
# - the head of a request has some seconds to arrive, from when the connection was made or from the
#   last reply; then the connection is closed. (Bodies have limits of their own, in
#   :mod:`cpe_opt.sessions.web.app`.)
# - a client, told by its address, has a number of connections. One more closes the one that has
#   waited the longest without a request, or is closed itself where all have one;
# - the same holds for all clients together.


SLOWEST_HEAD = 10.0  # seconds
MOST_OF_A_CLIENT = 200
MOST_OF_ALL = 800


class Connections:
    """The connections that are open, and which of them have no request.

    Attributes
    ----------
    idle : dict of Connection to None
        Those without a request, who has waited the longest first.
    all : set of Connection
    """

    def __init__(self) -> None:
        self.idle: dict[Connection, None] = {}
        self.all: set[Connection] = set()

    def admit(self, one: Connection) -> bool:
        """Take a new connection in, if there is a place for it or one can be made."""
        of_client = [each for each in self.all if each.address == one.address]
        for those, most in ((of_client, MOST_OF_A_CLIENT), (self.all, MOST_OF_ALL)):
            if len(those) >= most:
                idle = next((each for each in self.idle if each in those), None)
                if idle is None:
                    return False
                idle.end()
        self.all.add(one)
        self.idle[one] = None
        return True

    def busy(self, one: Connection) -> None:
        """A request has come."""
        self.idle.pop(one, None)

    def rests(self, one: Connection) -> None:
        """A request was answered."""
        if one in self.all:
            self.idle[one] = None

    def gone(self, one: Connection) -> None:
        """It is closed."""
        self.all.discard(one)
        self.idle.pop(one, None)


class Connection(H11Protocol):  # type: ignore[misc]
    """A connection whose requests have to arrive in time; made by :func:`protocol`."""

    open_ones: Connections
    address = ""
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Wait for the head of a request, if there is a place."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        if self.open_ones.admit(self):
            self._wait()
        else:
            self.end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the place to others."""
        self._wait_no_more()
        self.open_ones.gone(self)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read what has come."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_more()
            self.open_ones.busy(self)

    def on_response_complete(self) -> None:
        """Wait for the head of the next request."""
        self._wait()
        self.open_ones.rests(self)
        super().on_response_complete()

    def end(self) -> None:
        """Close it at once, whatever the other side still has to say."""
        self.open_ones.gone(self)
        self.transport.abort()

    def _wait(self) -> None:
        self._wait_no_more()
        self._limit = self.loop.call_later(SLOWEST_HEAD, self.end)

    def _wait_no_more(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


def protocol() -> type[asyncio.Protocol]:
    """The class of a server's connections, which share the places."""
    own: dict[str, Any] = {"open_ones": Connections()}
    return cast("type[asyncio.Protocol]", type("ServedConnection", (Connection,), own))

"""Serving a session: from a thread of its own, until it is told to stop."""

from __future__ import annotations

import importlib.util
import ipaddress
import os
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from errno import EADDRINUSE
from typing import Any, Self

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import parameters_of
from cpe_opt.sessions.session import Session, checked_lease
from cpe_opt.sessions.web.content import Content
from cpe_opt.sessions.web.panel import Access, RaterPanel
from cpe_opt.validation import checked_text

QUESTION = "Which is better?"
_OF_SETS, _OF_ONE = "What is the score of this team?", "What is the score?"
LEASE = 120.0
MOST_REPEATS = 0.5
_MODULES = ("starlette", "uvicorn", "markdown_it")
_PATIENCE = 3  # seconds that open connections have when it stops
_CONNECTIONS = 1000
_BACKLOG = 256


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
        question: str | None = None,
        repeats: float = 0.0,
        lease: float = LEASE,
    ) -> None:
        check_modules()
        checked_lease(lease)
        question = default_question(session) if question is None else question
        access = Access() if access is None else access
        if not access.raters and not is_loopback(host):
            raise InputError(
                f"others than you reach {host!r}: give each rater a token (--token or --tokens)"
            )
        if not 0.0 <= repeats <= MOST_REPEATS:
            raise InputError(f"repeats is {repeats!r}, expected a share from 0 to {MOST_REPEATS}")
        checked_text("question", question)
        if len(question) > 200:
            raise InputError("the question is too long, expected up to 200 letters")
        content = Content.of_labels(session.question_set.things) if content is None else content
        self._session = session
        # how many questions are open at once, at least; None where the learner asks as it likes
        self.at_once = session.ask_at_once(max(1, len(access.raters)))
        self._panel = RaterPanel(session, content, question=question, repeats=repeats, lease=lease)
        self._access, self._host, self._port = access, host, port
        self._names = [*names, host]
        self.address = ""  # such as `http://127.0.0.1:8000`; known inside the block
        self._server: Any = None

    def __enter__(self) -> Self:
        import uvicorn

        from cpe_opt.sessions.web.app import application, protocol
        from cpe_opt.sessions.web.overview import Overview

        listener = _listener(self._host, self._port)
        self._closing = threading.Event()
        overview, names, closing = Overview(self._session), self._names, self._closing
        config = uvicorn.Config(
            application(self._panel, overview, self._access, names=names, closing=closing),
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
            self.__exit__()
            raise RuntimeError(f"the server of {self.address} ended before it was asked anything")
        return self

    def __exit__(self, *error: object) -> None:
        self._closing.set()
        self._server.should_exit = True
        self._thread.join()

    def wait(self, stop: threading.Event | None = None) -> None:
        """Return at Ctrl-C, when ``stop`` is set, or when the server has ended."""
        stop = threading.Event() if stop is None else stop
        with suppress(KeyboardInterrupt):
            while self._thread.is_alive() and not stop.wait(0.2):
                pass


def check_modules() -> None:
    """Raise :class:`InputError` with the line that installs what is missing."""
    missing = [name for name in _MODULES if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(
            f"the page needs {', '.join(missing)}, not installed here: pip install 'cpe-opt[web]'"
        )


def default_question(session: Session) -> str:
    """What raters are asked where nothing else is said."""
    if session.question_set.family in ("dueling", "matchings"):
        return QUESTION
    known = parameters_of(session.header.learner)
    feedback = session.header.parameters.get("feedback")
    if feedback is None and "feedback" in known:
        feedback = known["feedback"].default
    return _OF_SETS if feedback == "sums" else _OF_ONE


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


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
    with suppress(ValueError, OSError):
        if ipaddress.ip_address(host).is_unspecified:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outward:
                outward.connect(("192.0.2.1", 9))  # sends nothing, but finds the way out
                host = outward.getsockname()[0]
    return f"[{host}]" if ":" in host else host

"""Connections that send nothing, or send too slowly, do not keep others out.

A browser sends the head of a request as soon as it has a connection. A client that opens
connections and sends a byte now and then could hold all of them. So

- the head of a request has some seconds to arrive, from when the connection was made or from
  the last reply; then the connection is closed. (Bodies have limits of their own, in
  :mod:`cpe_opt.sessions.web.app`.)
- a client, known by its address, has a number of connections. One more closes the one that has
  waited the longest without a request, or is closed itself where all have one;
- the same holds for all clients together.

It needs uvicorn, and is loaded when a session is served.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

SLOWEST_HEAD = 10.0  # seconds
MOST_OF_A_CLIENT = 200
MOST_OF_ALL = 800


class Connections:
    """The connections that are open, and which of them have no request."""

    def __init__(self) -> None:
        self.idle: dict[Connection, None] = {}  # who has waited the longest comes first
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

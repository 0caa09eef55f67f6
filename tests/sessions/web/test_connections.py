"""Connections that are slow, or many, keep nobody else from being answered."""

import resource
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress

import pytest

from cpe_opt.sessions.web import app as connections
from tests.sessions.web.client import Page, served, until
from tests.support import A_HANG

HEAD = b"POST /api/question HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def connected(address, sent=b""):
    """A connection that has sent this much."""
    host, _, port = Page(address).host.rpartition(":")
    connection = socket.create_connection((host, int(port)), timeout=A_HANG)
    connection.sendall(sent)
    return connection


def is_closed(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Of a session; its connections may be as slow as they like, unless a test says otherwise."""
    monkeypatch.setattr(connections, "SLOWEST_HEAD", 1e6)
    return tmp_path / "s.jsonl"


@pytest.fixture
def places(monkeypatch):
    """The connections of the server that is started next."""
    there = connections.Connections()
    monkeypatch.setattr(connections, "Connections", lambda: there)
    return there


@contextmanager
def several(address, count, sent=b""):
    """So many connections."""
    with ExitStack() as stack:
        yield [stack.enter_context(connected(address, sent)) for _ in range(count)]


def starved(path, slow):
    """Slow connections, more than there are places, while a rater asks."""
    with served(path) as (_, address), ExitStack() as stack:
        opened = []
        for number in range(slow):
            opened.append(stack.enter_context(connected(address, HEAD[: number % 20])))
            if number % 50 == 49:
                assert Page(address, f"ann {number}").ask()["state"] == "question"
        until(lambda: sum(map(is_closed, opened)) >= slow - connections.MOST_OF_A_CLIENT)
        assert not is_closed(opened[-1])  # those that came last may still send their heads


def test_more_slow_connections_than_there_are_places_starve_nobody(path, monkeypatch):
    monkeypatch.setattr("cpe_opt.sessions.web.serving._CONNECTIONS", 250)
    starved(path, 300)


@pytest.mark.slow
def test_eleven_hundred_slow_connections_starve_nobody(path):
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    try:
        starved(path, 1100)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.parametrize("sent", [b"", HEAD, b"nonsense"], ids=["nothing", "half", "nonsense"])
def test_a_head_has_some_seconds_to_arrive(path, monkeypatch, sent):
    monkeypatch.setattr(connections, "SLOWEST_HEAD", 0.3)
    with served(path) as (_, address), connected(address, sent) as slow:
        until(lambda: is_closed(slow))


def test_a_head_that_comes_byte_by_byte_is_too_slow(path, monkeypatch):
    monkeypatch.setattr(connections, "SLOWEST_HEAD", 0.5)
    with served(path) as (_, address), connected(address) as slow:
        sent = iter(HEAD + b"X: " + b"x" * 1000)

        def another():
            if not is_closed(slow):
                slow.setblocking(True)
                slow.sendall(bytes([next(sent)]))
                return False
            return True

        until(another)


def test_a_second_request_on_a_connection_has_to_come_in_time_too(path, monkeypatch):
    monkeypatch.setattr(connections, "SLOWEST_HEAD", 0.5)
    request = b"GET /static/rate.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with served(path) as (_, address), connected(address, request) as slow:
        assert slow.recv(12) == b"HTTP/1.1 200"
        slow.sendall(HEAD)
        slow.settimeout(A_HANG)
        with suppress(ConnectionError):
            while slow.recv(1 << 16):  # until it is closed
                pass


def test_a_request_that_is_being_answered_is_not_too_slow(path, places):
    """Once its head is there, no time is set to its connection until it has its reply."""
    with served(path, "rucb") as (_, address), ThreadPoolExecutor(1) as pool:
        ann = Page(address, "ann")
        asked = ann.ask()["question"]["id"]
        waiting = pool.submit(Page(address, "bea").post, "/api/question", wait=True)
        (busy,) = until(lambda: places.all - set(places.idle))
        assert busy._limit is None
        ann.answer(asked)
        assert waiting.result()[0] == 200


def test_a_client_has_so_many_connections(path, monkeypatch):
    monkeypatch.setattr(connections, "MOST_OF_A_CLIENT", 5)
    with served(path) as (_, address), several(address, 5) as first, connected(address):
        until(lambda: is_closed(first[0]))  # the one that has waited the longest
        assert not any(map(is_closed, first[1:]))


def test_a_client_all_of_whose_connections_are_busy_gets_no_more(path, places, monkeypatch):
    monkeypatch.setattr(connections, "MOST_OF_A_CLIENT", 2)
    body = HEAD + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    with served(path) as (_, address), several(address, 2, body) as busy:
        until(lambda: len(places.all - set(places.idle)) == 2)
        with connected(address) as third:
            until(lambda: is_closed(third))
        assert not any(map(is_closed, busy))


def test_all_clients_together_have_so_many_connections(path, monkeypatch):
    monkeypatch.setattr(connections, "MOST_OF_ALL", 4)
    with served(path) as (_, address), several(address, 4) as first, connected(address):
        until(lambda: is_closed(first[0]))
        assert not is_closed(first[-1])

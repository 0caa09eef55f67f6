"""What is refused before it is looked at, and what browsers are told."""

import socket

import pytest

from tests.sessions.web.client import Page, served
from tests.support import A_HANG

GOOD = {"Content_Type": "application/json"}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with served(tmp_path_factory.mktemp("guard") / "s.jsonl") as (_, address):
        yield address


def asked(address, body='{"rater": "ann"}', **headers):
    status, _, content = Page(address).request("POST", "/api/question", body, **(GOOD | headers))
    return status, content


def test_a_plain_request_is_answered(address):
    assert asked(address)[0] == 200


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (421, {"Host": "evil.example"}),
        (421, {"Host": "evil.example:80"}),
        (421, {"Host": ""}),
        (421, {"Host": "127.0.0.1.evil.example"}),
        (421, {"Host": "[::1"}),
        (200, {"Host": "localhost:9000"}),
        (200, {"Host": "[::1]:8000"}),
        (403, {"Origin": "http://evil.example"}),
        (403, {"Origin": "null"}),
        (403, {"Origin": "http://["}),
        (403, {"Origin": "http://[::1"}),
        (403, {"Origin": "http://127.0.0.1:1"}),
        (403, {"Sec_Fetch_Site": "cross-site"}),
        (403, {"Sec_Fetch_Site": "same-site"}),
        (200, {"Sec_Fetch_Site": "same-origin"}),
        (415, {"Content_Type": "text/plain"}),
        (415, {"Content_Type": "application/x-www-form-urlencoded"}),
        (200, {"Content_Type": "application/json; charset=utf-8"}),
    ],
)
def test_who_may_ask(address, status, headers):
    assert asked(address, **headers)[0] == status


def test_the_page_s_own_origin_may_ask(address):
    assert asked(address, Origin=address)[0] == 200


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, ""),
        (400, "{"),
        (400, "[]"),
        (400, "\xff"),
        (400, "[" * 8000),
        (413, '{"rater": "ann", "more": "' + "x" * 9000 + '"}'),
    ],
)
def test_bodies_that_are_refused(address, status, body):
    found, content = asked(address, body.encode("latin-1"))
    assert found == status
    assert b"error" in content


def test_a_long_body_is_refused_while_it_streams(address):
    """Without a length, and without its end."""
    host, _, port = Page(address).host.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=A_HANG) as connection:
        head = (
            "POST /api/question HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            "Transfer-Encoding: chunked\r\n\r\n"
        )
        connection.sendall(head.encode())
        for _ in range(9):
            connection.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/",
        "/static",
        "/content/../../../etc/passwd",
        "/content/%2e%2e%2fsecret.png",
        "//static/rate.js",
        "/api/nothing",
        "/docs",
    ],
)
def test_there_is_nothing_else(address, path):
    status, _, content = Page(address).get(path)
    assert status == 404
    assert b"error" in content


def test_methods(address):
    assert Page(address).get("/api/answer")[0] == 405
    assert Page(address).request("POST", "/", "{}", **GOOD)[0] == 405


@pytest.mark.parametrize("path", ["/", "/organise", "/static/rate.js", "/api/nothing"])
def test_browsers_are_told_to_load_nothing_from_elsewhere(address, path):
    _, headers, _ = Page(address).get(path)
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == ("no-store" if "/api/" in path else "no-cache")
    assert "server" not in headers


def test_pages_name_no_other_place(address):
    for path in ("/", "/organise", "/static/rate.js", "/static/organise.js", "/static/style.css"):
        text = Page(address).get(path)[2].decode()
        assert "http://" not in text
        assert "https://" not in text
        assert "style=" not in text
        assert "onclick" not in text

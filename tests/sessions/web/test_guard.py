"""What is refused before it is looked at, and what browsers are told."""

import errno
import json
import os

import pytest

import cpe_opt as cpe
from tests.sessions.web.client import Page, on_page, served

GOOD = {"Content_Type": "application/json"}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with served(tmp_path_factory.mktemp("guard") / "s.jsonl") as (_, address):
        yield address


def asked(address, body='{"rater": "ann"}', **headers):
    status, _, content = Page(address).request("POST", "/api/question", body, **(GOOD | headers))
    return status, content


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        *[(421, {"Host": host}) for host in ("evil.example:80", "", "127.0.0.1.evil.org")],
        *[(200, {"Host": host}) for host in ("localhost:9000", "[::1]:8000")],
        *[(403, {"Origin": it}) for it in ("http://evil.org", "null", "http://[", "http://[::1")],
        *[(403, {"Sec_Fetch_Site": each}) for each in ("cross-site", "same-site")],
        (200, {"Sec_Fetch_Site": "same-origin"}),
        *[(415, {"Content_Type": it}) for it in ("text/plain", "application/x-www-form")],
        (200, {"Content_Type": "application/json; charset=utf-8"}),
    ],
)
def test_who_may_ask(address, status, headers):
    assert asked(address, **headers)[0] == status
    assert asked(address, Origin=address)[0] == 200


@pytest.mark.parametrize(
    ("status", "body"),
    [
        *[(400, each) for each in ("", "{", "[]", "\xff", "[" * 8000)],
        *[(400, json.dumps({"rater": name})) for name in ("", "a\x00b", None, ["ann"])],
        (413, '{"rater": "ann", "more": "' + "x" * 9000 + '"}'),
    ],
)
def test_bodies_that_are_refused(address, status, body):
    found, content = asked(address, body.encode("latin-1"))
    assert (found, b"error" in content) == (status, True)


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../serving.py", "/static/%2e%2e/serving.py", "/static/..%2fserving.py"),
        *("/content/../../../etc/passwd", "//static/rate.js", "/api/nothing", "/docs"),
    ],
)
def test_there_is_nothing_else(address, path):
    status, _, content = Page(address).get(path)
    assert (status, b"error" in content) == (404, True)
    assert Page(address).get("/api/answer")[0] == 405


@pytest.mark.parametrize("path", ["/", "/organise", "/static/rate.js", "/api/nothing"])
def test_browsers_are_told_to_load_nothing_from_elsewhere(address, path):
    _, headers, content = Page(address).get(path)
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self'; ")
    assert "frame-ancestors 'none'" in policy
    assert "script-src" not in policy
    assert ("unsafe" in policy) == (path == "/organise")  # the style of a report
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == ("no-store" if "/api/" in path else "no-cache")
    assert "server" not in headers
    for other in (b"http://", b"https://", b"style=", b"onclick"):
        assert other not in content


def test_what_does_not_reach_the_disk_is_not_acknowledged(path, monkeypatch):
    def fails(handle):
        raise OSError(errno.EIO, "")

    with served(path, "random-pairs") as (_, address):
        ann = Page(address, "ann")
        first = ann.ask()["question"]["id"]
        second = ann.answer(first)["question"]["id"]
        monkeypatch.setattr(os, "fsync", fails)
        for _ in range(2):  # the page sends it again
            status, reply = ann.post("/api/answer", id=second, outcome="first", attempt="a")
            assert status == 503
            assert "does not count yet" in reply["error"]
        monkeypatch.undo()
    view = cpe.Session.read(path)
    assert view.answers()["id"].map(on_page(view)).tolist() == [first]
    with served(path) as (_, address):  # the answer is there still, on the page
        assert Page(address, "ann").answer(second, attempt="a")["answered"] == 2

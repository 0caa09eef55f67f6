"""Over the page, too, an answer is acknowledged once it is on the disk, and not before."""

import errno
import os

import cpe_opt as cpe
from tests.sessions.web.client import Page, on_page, served
from tests.support import A_HANG


def test_what_does_not_reach_the_disk_is_not_acknowledged(tmp_path, monkeypatch):
    path, real, broken = tmp_path / "session.jsonl", os.fsync, []

    def fails(handle):
        if broken:
            raise OSError(errno.EIO, "")
        real(handle)

    with served(path, "random-pairs") as (_, address):
        ann = Page(address, "ann")
        first = ann.ask()["question"]["id"]
        second = ann.answer(first)["question"]["id"]
        monkeypatch.setattr(os, "fsync", fails)
        broken.append(True)
        for _ in range(2):  # the page sends it again
            status, reply = ann.post("/api/answer", id=second, outcome="first", attempt="a")
            assert status == 503
            assert "does not count yet" in reply["error"]
            assert "open it again" in reply["error"]
        broken.clear()
    view = cpe.Session.read(path)
    assert view.answers()["id"].map(on_page(view)).tolist() == [first]
    with served(path) as (_, address):  # the answer is there still, on the page
        status, reply = Page(address, "ann").post(
            "/api/answer", id=second, outcome="first", attempt="a"
        )
        assert (status, reply["answered"]) == (200, 2)


def test_answers_of_many_reach_the_disk_together(tmp_path, monkeypatch):
    """While one call brings answers to the disk others are told; the next one brings them all."""
    from concurrent.futures import ThreadPoolExecutor
    from threading import Event

    path, real, calls, slow, held = tmp_path / "s.jsonl", os.fsync, [], Event(), Event()

    def counted(handle):
        calls.append(handle)
        if slow.is_set():
            held.wait(A_HANG)
        real(handle)

    with served(path, "savage", labels=[*"abcdefgh"]) as (session, address):
        pages = [Page(address, f"rater {number}") for number in range(12)]
        asked = [page.ask()["question"]["id"] for page in pages]
        monkeypatch.setattr(os, "fsync", counted)
        slow.set()
        with ThreadPoolExecutor(len(pages)) as pool:
            replies = [
                pool.submit(page.answer, question)
                for page, question in zip(pages, asked, strict=True)
            ]
            while session.status().answers < len(pages):
                held.wait(0.01)
            assert not any(reply.done() for reply in replies)
            held.set()
            assert [reply.result()["answered"] for reply in replies] == [1] * len(pages)
        monkeypatch.undo()
    assert len(calls) <= 3
    assert len(cpe.Session.read(path).answers()) == len(pages)

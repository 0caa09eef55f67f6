"""``cpe-opt session serve``: its addresses, its end, and what it refuses."""

import errno
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

import cpe_opt as cpe
from cpe_opt.sessions.link_secrets import kept_secrets
from tests.commands.test_cli import run
from tests.sessions.web.client import LABELS, Page
from tests.support import A_HANG


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pets.jsonl"
    cpe.Session.open(path, "dkwt", labels=LABELS, delta=0.2).close()
    return path


@contextmanager
def serving(file, *options):
    """The process, and the lines that it prints at first."""
    command = [sys.executable, "-m", "cpe_opt", "session", "serve", str(file), "--port", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*command, *options], **pipes) as process:
        try:
            lines = []
            while "Ctrl-C" not in "".join(lines[-1:]):
                lines.append(process.stdout.readline())
                assert lines[-1], process.stderr.read()
            yield process, lines
        finally:
            process.kill()


def test_it_serves_until_it_is_told_to_stop(file):
    """By SIGTERM; by Ctrl-C where the pages of the site are run."""
    with serving(file) as (process, lines):
        assert lines[0].startswith("raters: http://127.0.0.1:")
        page = Page(lines[0].removeprefix("raters: ").strip(), "ann")
        page.answer(page.ask()["question"]["id"])
        refused = run("session", "serve", str(file), "--port", "0")
        assert refused.exit_code == 2
        assert "in use: another process" in refused.output
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=A_HANG)
        assert process.returncode == 0
        assert output == f"stopped; 1 answer in {file}\n"
        assert errors == ""
    assert cpe.Session.read(file).status().raters == {"ann": 1}


def test_links_live_on_where_their_secrets_can_be_kept(file, tmp_path):
    """In a file that nobody else reads; an answer that was acknowledged is there after the kill."""
    with serving(file, "--tokens", "1") as (process, lines):
        first = secrets_of(lines)
        kept = file.with_name("pets.jsonl.secrets")
        assert lines[-2].startswith(f"these links live on: {kept} keeps their secrets")
        process.kill()
    items = tmp_path / "items.csv"
    items.write_text("label,text\n" + "".join(f"{label},{label.upper()}\n" for label in LABELS))
    options = ("--tokens", "2", "--token", "eve=secret-of-eve", "--content", str(items))
    with serving(file, *options, "--question", "Which?") as (process, lines):
        links = dict(re.fullmatch(r"([\w-]+): (http\S+)\n", line).groups() for line in lines[:-2])
        assert list(links) == ["eve", "rater-1", "rater-2", "you"]
        assert secrets_of(lines).items() >= first.items()
        assert len(set(secrets_of(lines).values())) == 4
        for name, link in links.items():
            address, _, token = link.partition("#")
            page = Page(address, token=token)
            if name == "you":
                assert address.endswith("/organise")
                assert "<dt>asked by</dt><dd>dkwt</dd>" in page.get("/api/overview")[2].decode()
            else:
                rater, reply = page, page.ask()
                assert (reply["rater"], reply["title"]) == (name, "Which?")
                assert {thing["text"] for thing in reply["question"]["things"]} <= {
                    label.upper() for label in LABELS
                }
        rater.answer(reply["question"]["id"])
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert cpe.Session.read(file).status().raters == {reply["rater"]: 1}
    cpe.Session.open(file).close()  # and its lock is gone
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "secret-of-eve" not in kept.read_text()


def secrets_of(lines):
    """Of each link that is printed, by its name."""
    told = dict(line.rstrip().split(": http") for line in lines[:-2])
    return {name: link.partition("#")[2] for name, link in told.items()}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "0.0.0.0"], "give each rater a token (--token or --tokens)"),
        (["--token", "secret-of-ann"], "expected --token name=secret"),
        (["--token", "ann=short"], "12 to 200 letters"),
        (["--token", "ann=secret-of-ann", "--token", "ann=secret-of-bea"], "'ann' has two tokens"),
        (["--token", "a=the-same-token", "--token", "b=the-same-token"], "two tokens are the same"),
        (["--tokens", "-1"], "tokens is -1, expected a number of raters up to 1000"),
        (["--repeats", "0.9"], "repeats is 0.9, expected a share from 0 to 0.5"),
        (["--port", "70000"], "port is 70000, expected a number from 0 to 65535"),
        (["--question", " "], "question is ' ', expected a text that is not blank"),
    ],
)
def test_options_that_are_refused(file, options, message):
    result = run("session", "serve", str(file), *options)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    cpe.Session.open(file).close()  # nothing holds it


def test_the_page_s_modules_are_named_where_they_are_missing(file, monkeypatch):
    monkeypatch.delitem(sys.modules, "cpe_opt.sessions.web", raising=False)
    for name in ("starlette", "uvicorn"):
        monkeypatch.setitem(sys.modules, name, None)
    done = run("session", "serve", str(file))
    assert done.exit_code == 2
    assert "needs starlette, uvicorn, not installed here: pip install 'cpe-opt[web]'" in " ".join(
        done.stderr.split()
    )


def test_secrets_that_cannot_be_kept_are_said_to_end(tmp_path, monkeypatch):
    log = tmp_path / "pets.jsonl"
    with monkeypatch.context() as patched:
        patched.setattr("tempfile.mkstemp", lambda **_: fail())
        found, said = kept_secrets(log, ["rater-1"])
    assert len(found["rater-1"]) >= 20
    assert said.startswith("these links end with this command")
    assert "Read-only file system" in said
    kept = log.with_name("pets.jsonl.secrets")
    assert not kept.exists()
    found, _ = kept_secrets(log, ["rater-1"])
    assert kept_secrets(log, ["rater-1", "organiser"])[0]["rater-1"] == found["rater-1"]
    kept.chmod(0o640)
    with pytest.raises(
        cpe.InputError, match="others can read the secrets of links; `chmod 600` it"
    ):
        kept_secrets(log, ["rater-1"])
    for content in ("[1]", "{", '{"rater-1": 1}'):
        kept.chmod(0o600)
        kept.write_text(content)
        with pytest.raises(cpe.InputError, match="delete it for new links"):
            kept_secrets(log, ["rater-1"])


def fail():
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))

"""A thousand damaged logs: none is deleted or cut, no answer that can be read is lost."""

import io
import random
import re
from contextlib import redirect_stderr, redirect_stdout

import pytest
import typer

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.sessions.journal import read_journal

KINDS = {
    "flipped": lambda data, rng: flipped(data, rng.randrange(len(data)), 1 << rng.randrange(8)),
    "cut": lambda data, rng: data[: rng.randrange(len(data))],
    "cut at a line": lambda data, rng: b"".join(lines(data)[: rng.randrange(len(lines(data)))]),
    "beginning lost": lambda data, rng: data[rng.randrange(1, len(data)) :],
    "piece lost": lambda data, rng: without(data, *sorted(rng.sample(range(len(data)), 2))),
    "lines swapped": lambda data, rng: joined(swapped(lines(data), rng)),
    "line doubled": lambda data, rng: joined(doubled(lines(data), rng)),
    "line lost": lambda data, rng: joined(dropped(lines(data), rng)),
    "CR": lambda data, rng: data.replace(b"\n", b"\r"),
    "CR LF": lambda data, rng: data.replace(b"\n", b"\r\n"),
    "no breaks": lambda data, rng: data.replace(b"\n", b""),
    "some breaks": lambda data, rng: joined(other_breaks(lines(data), rng)),
    "last break lost": lambda data, rng: data[:-1],
    "blank lines": lambda data, rng: joined(doubled_breaks(lines(data), rng)),
    "UTF-16": lambda data, rng: data.decode().encode("utf-16"),
    "Latin-1": lambda data, rng: data.decode().encode("latin-1", "replace"),
    "byte order mark": lambda data, rng: b"\xef\xbb\xbf" + data,
    "garbage after": lambda data, rng: data + rng.randbytes(rng.randrange(1, 60)),
    "text after": lambda data, rng: data + rng.choice([b"x", b"\n", b"{}\n", b"{}", b"# end\n"]),
    "zeros after": lambda data, rng: data + bytes(rng.randrange(1, 5000)),
    "zeros within": lambda data, rng: zeroed(data, *sorted(rng.sample(range(len(data)), 2))),
    "zeros alone": lambda data, rng: bytes(len(data)),
    "empty": lambda data, rng: b"",
    "twice": lambda data, rng: data + data,
    "spaces": lambda data, rng: data.replace(b":", b": ", rng.randrange(1, 20)),
    "two damages": lambda data, rng: damaged(damaged(data, rng), rng) if data else data,
}
KNOWN_WHOLE = {"last break lost", "zeros after"}


def lines(data):
    return data.splitlines(keepends=True)


def joined(parts):
    return b"".join(parts)


def flipped(data, place, bit):
    return data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]


def without(data, start, end):
    return data[:start] + data[end:]


def zeroed(data, start, end):
    return data[:start] + bytes(end - start) + data[end:]


def swapped(parts, rng):
    i, j = rng.sample(range(len(parts)), 2)
    parts[i], parts[j] = parts[j], parts[i]
    return parts


def doubled(parts, rng):
    place = rng.randrange(len(parts))
    return [*parts[: place + 1], *parts[place:]]


def dropped(parts, rng):
    place = rng.randrange(len(parts))
    return [*parts[:place], *parts[place + 1 :]]


def doubled_breaks(parts, rng):
    place = rng.randrange(len(parts))
    return [*parts[:place], b"\n", *parts[place:]]


def other_breaks(parts, rng):
    """From some line on the breaks are others, as where two programs wrote."""
    start, between = rng.randrange(len(parts)), rng.choice([b"\r", b"\r\n", b"", b" "])
    return [*parts[:start], *(part.replace(b"\n", between) for part in parts[start:])]


def damaged(data, rng):
    kinds = [name for name in KINDS if name != "two damages"]
    while len(data) > 2 and len(lines(data)) > 1:
        try:
            return KINDS[rng.choice(kinds)](data, rng)
        except UnicodeDecodeError:
            continue
    return data


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A session with all kinds of records, and the answers that were acknowledged."""
    path = tmp_path_factory.mktemp("log") / "s.jsonl"
    labels = ["äpfel", "birne", "квас", '{"}\n']
    with cpe.Session.open(path, "savage", labels=labels, delta=0.1) as session:
        for number in range(9):
            question, *_ = session.ask(2, rater=("ann", "bea")[number % 2])
            session.tell(question.id, (1, 0, 0.5)[number % 3])
            if number == 4:
                session.withdraw(question.id)
        session.skip(session.ask(1)[0].id)
    return path.read_bytes()


def ran(*arguments):
    """Exit code and all that a command says; anything but a refusal in words is raised."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        try:
            code = app([str(each) for each in arguments], standalone_mode=False)
        except typer.Exit as ended:
            code = ended.exit_code
    return code or 0, said.getvalue()


def records_of(data, folder):
    """Those of a log; :class:`InputError` where it is refused."""
    path = folder / "check.jsonl"
    path.write_bytes(data)
    try:
        return read_journal(path)
    finally:
        path.unlink()


def check(content, kind, whole, folder):
    """All commands on a log, none of which may take anything from it."""
    path, aside = folder / "s.jsonl", folder / "s.jsonl.torn"
    aside.unlink(missing_ok=True)
    path.write_bytes(content)
    try:
        before = records_of(content, folder)
    except cpe.InputError:
        before = None
    for arguments in (
        ("status", path),
        ("export", path, folder / "answers.csv", "--force"),
    ):
        code, said = ran("session", *arguments)
        assert code in (0, 2), (kind, arguments, said)
        assert "Traceback" not in said
        assert path.read_bytes() == content, (kind, arguments)
    code, said = ran("session", "next", path, "--json")
    assert path.read_bytes() == content
    question = re.search(r'"id": "([^"]+)"', said) if code == 0 else None
    code, said = ran("session", "answer", path, question[1] if question else "0-1.1", "first")
    assert code in (0, 2), (kind, said)
    after = path.read_bytes()
    if before is None or code:
        assert after == content, kind
        assert not aside.exists()
    else:  # a line was added, to all that could be read
        records = records_of(after, folder)
        assert records[:-1] == before, kind
        assert records[-1]["answer"] == question[1]
        kept = aside.read_bytes() if aside.exists() else b""
        sound = len(after) - len(after.splitlines(keepends=True)[-1])
        rest = content[sound:].rstrip(b"\0")
        assert content.startswith(after[:sound].rstrip(b"\n")), kind
        assert kept == (rest + b"\n" if rest else b""), kind
    if kind in KNOWN_WHOLE:
        assert before == whole
    return before is not None


def play(log, folder, count, seed):
    """So many damaged logs; how many of each kind could be read."""
    rng = random.Random(seed)
    whole = records_of(log, folder)
    readable = dict.fromkeys(KINDS, 0)
    tried = dict.fromkeys(KINDS, 0)
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        tried[kind] += 1
        readable[kind] += check(KINDS[kind](log, rng), kind, whole, folder)
    return tried, readable


def test_damaged_logs_are_neither_deleted_nor_cut(log, tmp_path):
    tried, readable = play(log, tmp_path, len(KINDS), seed=1)
    assert all(readable[kind] == tried[kind] for kind in KNOWN_WHOLE)
    for kind in ("CR", "CR LF", "no breaks", "byte order mark", "UTF-16", "zeros alone"):
        assert readable[kind] == 0


@pytest.mark.slow
def test_a_thousand_damaged_logs(log, tmp_path):
    tried, readable = play(log, tmp_path, 1000, seed=2)
    print(f"{sum(tried.values()):,} damaged logs, {sum(readable.values())} of them readable")
    assert sum(tried.values()) == 1000

"""A thousand damaged logs: none is deleted or cut, no answer that can be read is lost."""

import io
import json
import random
import re
import zlib
from contextlib import redirect_stderr, redirect_stdout

import pytest
import typer

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.sessions.journal import read_journal
from cpe_opt.sessions.replay import snapshot_path

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


# Logs whose checksums are right, with fields that no session writes.

DEEP = json.loads("[" * 90 + "]" * 90)
FORGED = [
    *(None, True, False, 0, 1, 2, -1, 7, 0.5, 1e308, -1e308, 1e17, 10**30, float("nan")),
    *(float("inf"), "", "x", "0-1.1", "9-9.9", "0-1.1~2", "٠-1.1", "0-1.999999", "\ud800", "\0"),
    *([], [0], [1, 0], [0, 1], [0, 99], [-1, 0], [True, False], [0.5, 0.5], ["0-1.1"], [[0]]),
    *({}, {"a": 1}, {"id": []}, DEEP, "y" * 5000, [None, None], ["a", "b"], 2**63, "-0-1.1"),
]


def begun_for_forgers(folder):
    """Sessions with all kinds of records and of questions, as lists of records."""
    graph = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)])
    labels, wins = ["a", "b", "c"], [[0, 3, 1], [2, 0, 1], [0, 1, 0]]
    over_items = {"labels": labels, "items": 9}
    options = {
        "coins": {"learner": "savage", "labels": labels, "prices": 2.0, "horizon": 500},
        "prior": {"learner": "borda-tracking", "prior": cpe.Votes(wins, labels)},
        "items": {"learner": "copeland-tracking", **over_items, "orders": "both"},
        "paired": {"learner": "condorcet-tracking", **over_items, "orders": "paired"},
        "matchings": {"learner": "car-cond", "problem": graph},
        "sets": {"learner": "subset-tracking", "problem": cpe.TopK(4, 2)},
    }  # fmt: skip
    logs = []
    for name, given in options.items():
        path = folder / f"{name}.jsonl"
        with cpe.Session.open(path, **given, delta=0.1) as session:
            for number in range(6):
                raters = ("ann", "bea") if number % 2 else ("bea", "ann")
                question = next(each for rater in raters for each in session.ask(2, rater=rater))
                session.tell(question.id, [1, 0.5] if question.paired else (1, 0, 0.5)[number % 3])
                if number == 2:
                    session.withdraw(question.id)
            repeated, *_ = session.ask(1, rater="cleo", repeat=True)
            session.tell(repeated.id, [1, 0] if repeated.paired else 1, rater="cleo")
            session.skip(next(iter(session._waiting())))
            session.ask_at_once(3)
            if session.question_set.items is not None:
                session.leave_out(next(iter(session._waiting())))
        logs.append(read_journal(path))
    return logs


def forged(records, rng):
    """The records with one field changed, at any depth, and the line of it."""
    records = json.loads(json.dumps(records))
    place = rng.randrange(len(records)) if rng.random() < 0.7 else 0
    inside, key = records, place
    while True:
        inside, key = inside[key], None
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = rng.choice(keys)
        if not isinstance(inside[key], dict | list) or not inside[key] or rng.random() < 0.4:
            break
    if rng.random() < 0.15 and isinstance(inside, dict):
        del inside[key]
    else:
        inside[key] = rng.choice(FORGED)
    return records, place + 1


def written(path, records):
    """A log of these records, whose checksums are right."""
    path.unlink(missing_ok=True)
    check, lines = 0, []
    for record in records:
        body = json.dumps(record, ensure_ascii=False, separators=(",", ":"))[:-1]
        data = body.encode("utf-8", "surrogatepass")
        check = zlib.crc32(data, check)
        lines.append(b'%s,"check":"%08x"}\n' % (data, check))
    path.write_bytes(b"".join(lines))


def used(path):
    """All that can be asked of a log; the refusals, which are all of this package's errors."""
    refused = []

    def tried(act):
        try:
            return act()
        except cpe.CpeOptError as error:
            refused.append(str(error))
            return None

    for read in (cpe.Session.read_answers, cpe.Session.read):
        view = tried(lambda read=read: read(path))
        if view is None:
            continue
        for name in ("answers", "raters", "item_duels", "position_bias"):
            tried(getattr(view, name))
        if read is cpe.Session.read:
            for name in ("status", "best", "free", "votes", "scores"):
                tried(getattr(view, name))
            tried(
                lambda view=view: [*view.questions_of("ann"), *view.held("ann"), view.last_of(None)]
            )
    session = tried(lambda: cpe.Session.open(path))
    if session is not None:
        with session:
            for rater in ("ann", None):
                for question in tried(lambda rater=rater: session.ask(2, rater=rater)) or ():
                    tried(lambda question=question: session.tell(question.id, 1))
            tried(lambda: session.ask(2, rater="dan", repeat=True))
            tried(session.status)
        tried(lambda: cpe.Session.open(path).close())  # what was written can be read
    return refused


def forge(folder, count, seed):
    """So many forged logs, none of which raises a foreign exception; how many were refused."""
    rng, logs, refused = random.Random(seed), begun_for_forgers(folder), 0
    path = folder / "forged.jsonl"
    for _ in range(count):
        records, line = forged(rng.choice(logs), rng)
        written(path, records)
        said = used(path)
        snapshot_path(path).unlink(missing_ok=True)
        if line > 1 and said and " is no record of a session" in said[0]:
            assert all(f"forged.jsonl: line {line} is no record" in each for each in said), said
            refused += 1
    return refused


def test_forged_records_are_refused_with_their_line(tmp_path):
    assert forge(tmp_path, 60, seed=1) > 15


@pytest.mark.slow
def test_a_thousand_forged_logs(tmp_path):
    print(f"1,000 forged logs, {forge(tmp_path, 1000, seed=2)} refused for a record")

"""Damaged and forged logs: none is deleted or cut, and no answer that can be read is lost."""

import json
import random
from functools import partial
from pathlib import Path

import pytest

import cpe_opt as cpe
from tests.sessions.support import (
    KINDS,
    LABELS,
    answer,
    answer_some,
    begin,
    log_of,
    read,
    records_due,
    records_of,
    something_to_do,
)
from tests.support import all_of

WHOLE, TORN, REFUSED, ANY = "all records", "all but the last", "refused", "whatever"
BEGUN = {
    "plain": {"prices": 2.0, "horizon": 500},
    "borda": {"prior": cpe.Votes([[0, 3, 1], [2, 0, 1], [0, 1, 0]], LABELS[:3])},
}


def with_every_record(path, kind, **given):
    """A session with all kinds of records and of questions; its records."""
    with begin(path, kind, **given) as session:
        for record in ("answer", "answer", "withdraw", "answer", *records_due(kind), "answer"):
            something_to_do(session, record)[0]()
        repeated, *_ = session.ask(1, rater="cleo", repeat=True)
        session.tell(repeated.id, 1, rater="cleo")
        label = session.question_set.labels[0] if kind != "panel" else "ann"
        session.check_unchanged({label: "x"}, judge_id="j")
        [question] = session.ask(rater="bob")
        answer(session, question)
    return records_of(path)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """The records of sessions of every kind."""
    folder = tmp_path_factory.mktemp("logs")
    return {kind: with_every_record(folder / kind, kind, **BEGUN.get(kind, {})) for kind in KINDS}


def lines(data):
    return data.splitlines(keepends=True)


def flipped(data, rng):
    place = rng.randrange(len(data) - 1)
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def moved(data, rng):
    """Lines are lost, doubled or in another order."""
    parts = lines(data)
    i, j = sorted(rng.sample(range(len(parts)), 2))
    some = parts[i : j + 1]
    return b"".join([*parts[:i], *rng.choice([some[1:], some * 2, some[::-1]]), *parts[j + 1 :]])


def broken_otherwise(data, rng):
    """From some line on the breaks are others, as where two programs wrote."""
    start, between = rng.randrange(len(lines(data)) - 1), rng.choice([b"\r", b"\r\n", b"", b" "])
    return b"".join([*lines(data)[:start], *(e[:-1] + between for e in lines(data)[start:])])


# How a log is damaged, and what can be read of it then.
DAMAGES = {
    "last break lost": (lambda data, rng: data[:-1], WHOLE),
    "zeros after": (lambda data, rng: data + bytes(rng.randrange(1, 5000)), WHOLE),
    "zeros for the break": (lambda data, rng: data[:-1] + bytes(20), WHOLE),
    "cut": (lambda data, rng: data[: rng.randrange(len(lines(data)[0]), len(data) - 1)], TORN),
    "flipped": (flipped, REFUSED),
    "a line moved": (moved, REFUSED),
    "other breaks": (broken_otherwise, REFUSED),
    "cut in the first line": (lambda data, rng: data[: rng.randrange(1, 99)], REFUSED),
    "byte order mark": (lambda data, rng: b"\xef\xbb\xbf" + data, REFUSED),
    "garbage after": (lambda data, rng: data + rng.randbytes(rng.randrange(1, 60)), ANY),
    "no record after": (
        lambda data, rng: data + rng.choice([b"\n", b"{}\n", b"{1", b'{"a\r', b'{"\0a']),
        REFUSED,
    ),
    "another file": (lambda data, rng: rng.choice([b"a,b\n1,2\n", b"text", b"\n"]), REFUSED),
    "empty": (lambda data, rng: b"", REFUSED),
}


def tell_one(path, torn):
    """Answer a question: only its line is added, and what was torn is kept; the records before."""
    content, aside = path.read_bytes(), path.with_name("s.jsonl.torn")
    kept = aside.read_bytes() if aside.exists() else b""
    with cpe.Session.open(path, clock=lambda: 2.0**32) as session:  # all leases have run out
        [question] = session.ask()
        assert path.read_bytes() == content  # who writes nothing changes nothing
        session.tell(question.id, 1)
    if torn:
        kept += torn + b"\n"
    assert (aside.read_bytes() if aside.exists() else b"") == kept
    records = records_of(path)
    assert records[-1]["answer"] == question.id
    return records[:-1]


def check(records, name, rng, folder):
    """What all that reads a log makes of a damaged one."""
    data = log_of(records)
    damage, expected = DAMAGES[name]
    content, path = damage(data, rng), folder / "s.jsonl"
    path.write_bytes(content)
    refusals, files = [], {*folder.iterdir()}
    opened = partial(begin, kind="plain") if content else cpe.Session.open  # or it would begin
    for read_it in (cpe.Session.read_answers, cpe.Session.read, opened):
        try:
            getattr(read_it(path), "close", bool)()
        except cpe.InputError as error:
            refusals.append(str(error))
        assert path.read_bytes() == content
        assert {*folder.iterdir()} == files
    assert len(refusals) in (0, 3), "one reads what another refuses"
    if expected is not ANY:
        assert bool(refusals) == (expected is REFUSED), refusals
    if name in ("flipped", "other breaks"):
        same = zip(lines(data), lines(content), strict=False)
        line = 1 + next(k for k, (one, other) in enumerate(same) if one != other)
        where = f"line {line}: damaged" if line > 1 else "is no session"
        assert all(where in each for each in refusals), (line, refusals)
    if not refusals:
        sound = len(data)
        if expected is not WHOLE:
            sound = content.rfind(b"\n", 0, len(data)) + 1
        if data[len(content) :][:1] == b"\n":  # only its line break is missing
            sound = len(content) + 1
        kept = records[: data.count(b"\n", 0, sound)]
        assert tell_one(path, content[sound:].rstrip(b"\0")) == kept


@pytest.mark.parametrize("times", [4, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_log_is_neither_deleted_nor_cut(logs, tmp_path, name, times):
    rng = random.Random(name)
    for _ in range(times):
        check(logs["plain"], name, rng, tmp_path)


def test_only_a_file_that_it_made_is_deleted(tmp_path):
    """A session that cannot begin leaves none; what was there before stays, also if it is empty."""
    path = tmp_path / "s.jsonl"
    for there in (False, True):
        with pytest.raises(cpe.InputError):
            cpe.Session.open(path, "rucb", labels=["a", "b"], alpha=0.1)
        assert path.exists() == there
        path.write_bytes(b"")


# Logs whose checksums are right, with fields that no session writes


def test_the_logs_have_every_kind_of_record_that_the_page_has(logs):
    kinds = {"ask", "answer", "skip", "leave_out", "withdraw", "parallel", "rounds", "contents"}
    assert {next(iter(record)) for log in logs.values() for record in log[1:]} == kinds
    page = (Path(__file__).parents[2] / "docs" / "sessions.md").read_text(encoding="utf-8")
    assert all(f"| `{kind}` |" in page for kind in kinds)


FORGED = [None, True, -1, 0.5, 10**30, float("nan"), "", "9-9.9", "\ud800", [], [0, 99], {}]


@pytest.mark.parametrize("times", [6, pytest.param(60, marks=pytest.mark.slow)])
@all_of("kind", KINDS)
def test_forged_records_are_refused_with_their_line(logs, tmp_path, times, kind):
    """What no session writes is refused by all that reads it, or has no effect."""
    rng, path, refused = random.Random(kind), tmp_path / kind, 0

    def answer_one():
        with begin(path, kind) as session:
            answer_some(session, 1)
        begin(path, kind).close()  # what was written can be read

    for _ in range(times):
        records, said = json.loads(json.dumps(logs[kind])), []
        line = rng.randrange(1, len(records))
        records[line][rng.choice([*records[line]])] = rng.choice(FORGED)
        path.write_bytes(log_of(records))
        for use in (
            lambda: cpe.Session.read_answers(path),
            lambda: read(path, kind).best(),
            answer_one,
        ):
            try:
                use()
            except cpe.CpeOptError as error:
                said.append(str(error))
        if any("is no record of a session" in each for each in said):
            assert all(f"{kind}: line {line + 1} is no record" in each for each in said), said
            assert len(said) == 3
            refused += 1
    assert refused >= times // 3


@all_of(
    "change",
    [
        *({name: None} for name in ("key", "learner", "question_set", "prior", "shares")),
        *({"seed": 1.5}, {"horizon": 0}, {"shares": {"learner": "0.1"}}, {"question_set": "abcd"}),
    ],
)
def test_a_first_line_with_what_no_session_writes_is_refused_in_words(logs, path, change):
    first, *others = logs["plain"]
    kept = {name: value for name, value in (first | change).items() if change != {name: None}}
    path.write_bytes(log_of([kept, *others]))
    for opened in (cpe.Session.open, cpe.Session.read):
        with pytest.raises(cpe.InputError, match=r"session\.jsonl: .*first line"):
            opened(path)

"""Damaged and forged logs: none is deleted or cut, and no answer that can be read is lost."""

import json
import random
from contextlib import suppress
from pathlib import Path

import pytest

import cpe_opt as cpe
from tests.sessions.support import GRAPH, read, records_of, write_records

LABELS = ["äpfel", "birne", "квас", '{"}\n']
WHOLE, TORN, REFUSED, ANY = "all records", "all but the last", "refused", "whatever"


def lines(data):
    return data.splitlines(keepends=True)


def cut(data, rng):
    return data[: rng.randrange(len(data))]


def cut_in_the_last_line(data, rng):
    last = len(lines(data)[-1])
    return data[: -rng.randrange(2, last + 1)]


def flipped(data, rng):
    place = rng.randrange(len(data) - 1)
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def piece_lost(data, rng):
    start, end = sorted(rng.sample(range(len(data) - 1), 2))
    return data[:start] + data[end:]


def zeroed(data, rng):
    start, end = sorted(rng.sample(range(len(data) - 1), 2))
    return data[:start] + bytes(end - start) + data[end:]


def line_lost(data, rng):
    place = rng.randrange(len(lines(data)) - 1)
    return b"".join(lines(data)[:place] + lines(data)[place + 1 :])


def line_doubled(data, rng):
    place = rng.randrange(len(lines(data)))
    return b"".join(lines(data)[: place + 1] + lines(data)[place:])


def lines_swapped(data, rng):
    parts = lines(data)
    i, j = rng.sample(range(len(parts)), 2)
    parts[i], parts[j] = parts[j], parts[i]
    return b"".join(parts)


def blank_line(data, rng):
    place = rng.randrange(1, len(lines(data)))
    return b"".join([*lines(data)[:place], b"\n", *lines(data)[place:]])


def some_breaks(data, rng):
    """From some line on the breaks are others, as where two programs wrote."""
    start, between = rng.randrange(len(lines(data)) - 1), rng.choice([b"\r", b"\r\n", b"", b" "])
    rest = [each[:-1] + between for each in lines(data)[start:]]
    return b"".join(lines(data)[:start] + rest)


# How a log is damaged, and what can be read of it then.
DAMAGES = {
    "last break lost": (lambda data, rng: data[:-1], WHOLE),
    "zeros after": (lambda data, rng: data + bytes(rng.randrange(1, 5000)), WHOLE),
    "zeros for the break": (lambda data, rng: data[:-1] + bytes(20), WHOLE),
    "cut in the last line": (cut_in_the_last_line, TORN),
    "cut": (cut, ANY),
    "flipped": (flipped, REFUSED),
    "piece lost": (piece_lost, REFUSED),
    "zeros within": (zeroed, REFUSED),
    "line lost": (line_lost, REFUSED),
    "line doubled": (line_doubled, REFUSED),
    "lines swapped": (lines_swapped, REFUSED),
    "blank line": (blank_line, REFUSED),
    "some breaks": (some_breaks, REFUSED),
    "CR": (lambda data, rng: data.replace(b"\n", b"\r"), REFUSED),
    "CR LF": (lambda data, rng: data.replace(b"\n", b"\r\n"), REFUSED),
    "no breaks": (lambda data, rng: data.replace(b"\n", b""), REFUSED),
    "beginning lost": (lambda data, rng: data[rng.randrange(1, len(data)) :], REFUSED),
    "cut in the first line": (lambda data, rng: data[: rng.randrange(1, 99)], REFUSED),
    "zeros alone": (lambda data, rng: bytes(len(data)), REFUSED),
    "twice": (lambda data, rng: data + data, REFUSED),
    "UTF-16": (lambda data, rng: data.decode().encode("utf-16"), REFUSED),
    "Latin-1": (lambda data, rng: data.decode().encode("latin-1", "replace"), REFUSED),
    "byte order mark": (lambda data, rng: b"\xef\xbb\xbf" + data, REFUSED),
    "spaces": (lambda data, rng: data.replace(b":", b": ", rng.randrange(1, 20)), REFUSED),
    "garbage after": (lambda data, rng: data + rng.randbytes(rng.randrange(1, 60)), ANY),
    "no record after": (
        lambda data, rng: data + rng.choice([b"{}\n", b"# end\n", b"{1", b'{"a\r', b'{"\0a']),
        REFUSED,
    ),
    "another file": (
        lambda data, rng: rng.choice([b"a,b\n1,2\n", b"text", b'{"a": 1}\n', b"\n"]),
        REFUSED,
    ),
    "empty": (lambda data, rng: b"", REFUSED),
}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A session with many kinds of records, as bytes and as records."""
    path = tmp_path_factory.mktemp("log") / "s.jsonl"
    with cpe.Session.open(path, "savage", labels=LABELS, delta=0.1) as session:
        for number in range(5):
            question, *_ = session.ask(2, rater=("ann", "bea")[number % 2])
            session.tell(question.id, (1, 0, 0.5)[number % 3])
            if number == 2:
                session.withdraw(question.id)
        session.skip(session.ask(rater="ann")[0].id)
        [question] = session.ask(rater="ann")
        session.tell(question.id, 1)
    return path.read_bytes(), records_of(path)


def first_damaged(data, content):
    """The number of the first line that is not what it was."""
    same = zip(lines(data), lines(content), strict=False)
    return 1 + next((k for k, (one, other) in enumerate(same) if one != other), -1)


def opened(path):
    """When all leases have run out."""
    return cpe.Session.open(path, clock=lambda: 2.0**32)


def tell_one(path, answer_in_torn):
    """Answer a question; only the line of the answer is added, and what was torn is kept."""
    content = path.read_bytes()
    with opened(path) as session:
        [question] = session.ask()
        assert path.read_bytes() == content  # who writes nothing changes nothing
        session.tell(question.id, 1)
    records = records_of(path)
    assert records[-1]["answer"] == question.id
    aside = path.with_name("s.jsonl.torn")
    kept = aside.read_bytes() if aside.exists() else b""
    assert kept == (answer_in_torn + b"\n" if answer_in_torn else b"")
    return records[:-1]


def check(log, name, rng, folder):
    """What all that reads a log makes of a damaged one; what it says where it is refused."""
    data, records = log
    damage, expected = DAMAGES[name]
    content, path = damage(data, rng), folder / "s.jsonl"
    path.write_bytes(content)
    refusals = []
    for read_it in (cpe.Session.read_answers, cpe.Session.read, cpe.Session.open):
        try:
            result = read_it(path)
            getattr(result, "close", bool)()
        except cpe.InputError as error:
            refusals.append(str(error))
        assert path.read_bytes() == content, (name, "it was changed")
        assert [each.name for each in folder.iterdir()] == ["s.jsonl"], name
    assert len(refusals) in (0, 3), (name, "one reads what another refuses")
    if expected is not ANY:
        assert bool(refusals) == (expected is REFUSED), (name, refusals)
    if name in ("flipped", "zeros within", "line lost", "lines swapped") and content != data:
        line = first_damaged(data, content)
        where = f"line {line}: damaged" if line > 1 else "is no session"
        assert all(where in each for each in refusals), (name, line, refusals)
    if not refusals:
        sound = len(data)
        if expected is not WHOLE:
            sound = content.rfind(b"\n", 0, len(data)) + 1
        if data[len(content) :][:1] == b"\n":  # only its line break is missing
            sound = len(content) + 1
        before = tell_one(path, content[sound:].rstrip(b"\0"))
        assert before == records[: len(lines(data[:sound]))], name
        path.with_name("s.jsonl.torn").unlink(missing_ok=True)
    return refusals


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_log_is_neither_deleted_nor_cut(log, tmp_path, name):
    rng = random.Random(name)
    for _ in range(2):
        check(log, name, rng, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGES)
def test_logs_damaged_in_a_hundred_places(log, tmp_path, name):
    rng = random.Random(name)
    for _ in range(100):
        check(log, name, rng, tmp_path)


@pytest.mark.parametrize("between", [b"\r", b"\r\n", b""])
def test_line_breaks_that_were_changed_or_lost_are_named(log, tmp_path, between):
    data, path = log[0], tmp_path / "s.jsonl"
    path.write_bytes(b"".join([*lines(data)[:2], *(e[:-1] + between for e in lines(data)[2:])]))
    with pytest.raises(cpe.InputError, match="line 3: damaged"):
        cpe.Session.open(path)


def test_what_was_torn_is_kept_after_what_was_torn_before(log, tmp_path):
    data, path = log[0], tmp_path / "s.jsonl"
    torn = []
    for end in (-5, -30):
        path.write_bytes(data[:end])
        torn.append(lines(data[:end])[-1])
        with opened(path) as session:
            session.tell(session.ask()[0].id, 1)
    assert path.with_name("s.jsonl.torn").read_bytes() == b"".join(each + b"\n" for each in torn)


def test_only_a_file_that_it_made_is_deleted(tmp_path):
    """A session that cannot begin leaves none; what was there before stays, also if it is empty."""
    path, wrong = tmp_path / "s.jsonl", {"labels": ["a", "b"], "alpha": 0.1}
    with pytest.raises(cpe.InputError):
        cpe.Session.open(path, "rucb", **wrong)
    assert not path.exists()
    path.write_bytes(b"")
    with pytest.raises(cpe.InputError):
        cpe.Session.open(path, "rucb", **wrong)
    assert path.read_bytes() == b""


# Logs whose checksums are right, with fields that no session writes

FORGED = [
    *(None, True, False, 0, 1, -1, 7, 0.5, 1e300, 10**30, float("nan"), float("inf"), 2**63),
    *("", "x", "0-1.1", "9-9.9", "0-1.1~2", "٠-1.1", "0-1.999999", "\ud800", "\0", "-0-1.1"),
    *([], [0], [1, 0], [0, 99], [-1, 0], [True, False], [0.5, 0.5], ["0-1.1"], [None, None]),
    *({}, {"a": 1}, {"id": []}, json.loads("[" * 90 + "]" * 90), "y" * 5000, ["a", "b"]),
]
OVER_ITEMS = {"labels": ["a", "b", "c"], "items": 9}
BEGUN = {
    "plain": {"learner": "savage", "labels": ["a", "b", "c"], "prices": 2.0, "horizon": 500},
    "prior": {
        "learner": "borda-tracking",
        "prior": cpe.Votes([[0, 3, 1], [2, 0, 1], [0, 1, 0]], ["a", "b", "c"]),
    },
    "items": {"learner": "copeland-tracking", **OVER_ITEMS, "orders": "both"},
    "paired": {"learner": "condorcet-tracking", **OVER_ITEMS, "orders": "paired"},
    "panel": {"learner": "car-cond", "problem": GRAPH},
    "teams": {"learner": "subset-tracking", "problem": cpe.TopK(4, 2)},
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Sessions with all kinds of records and of questions, as lists of records."""
    folder, logs = tmp_path_factory.mktemp("logs"), []
    for name, begun in BEGUN.items():
        path = folder / f"{name}.jsonl"
        with cpe.Session.open(path, **begun, delta=0.1) as session:
            session.check_unchanged({"a": "x"} if "labels" in begun else {}, judge_id="j")
            for number in range(6):
                raters = ("ann", "bea") if number % 2 else ("bea", "ann")
                question = next(each for rater in raters for each in session.ask(2, rater=rater))
                session.tell(question.id, [1, 0.5] if question.paired else (1, 0, 0.5)[number % 3])
                if number == 2:
                    session.withdraw(question.id)
            repeated, *_ = session.ask(1, rater="cleo", repeat=True)
            session.tell(repeated.id, [1, 0] if repeated.paired else 1, rater="cleo")
            session.ask_at_once(3)
            given = (each for rater in (None, "ann", "bea") for each in session.ask(2, rater=rater))
            question = next(given).id
            session.skip(question)
            if "items" in begun:
                session.leave_out(question)
        logs.append(records_of(path))
    return logs


def test_the_logs_have_every_kind_of_record_that_the_page_has(logs):
    kinds = {"ask", "answer", "skip", "leave_out", "withdraw", "parallel", "contents"}
    written = {next(iter(record)) for log in logs for record in log[1:]}
    assert written == kinds
    page = (Path(__file__).parents[2] / "docs" / "sessions.md").read_text(encoding="utf-8")
    assert all(f"| `{kind}` |" in page for kind in kinds)


def forged(records, rng):
    """The records with one field changed after the first line, at any depth, and its line."""
    records = json.loads(json.dumps(records))
    place = rng.randrange(1, len(records))
    inside, key = records, place
    while True:
        inside = inside[key]
        key = rng.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if not isinstance(inside[key], dict | list) or not inside[key] or rng.random() < 0.4:
            break
    if rng.random() < 0.15 and isinstance(inside, dict):
        del inside[key]
    else:
        inside[key] = rng.choice(FORGED)
    return records, place + 1


def use(path):
    """All that can be asked of a log; the refusals, which are all of this package's errors."""
    refused = []

    def attempt(act):
        try:
            return act()
        except cpe.CpeOptError as error:
            refused.append(str(error))
            return None

    view = attempt(lambda: cpe.Session.read_answers(path))
    for name in ("answers", "raters", "item_duels", "position_bias"):
        attempt(getattr(view, name, bool))
    view = attempt(lambda: cpe.Session.read(path))
    for name in ("status", "best", "free", "votes", "scores"):
        attempt(getattr(view, name, bool))
    session = attempt(lambda: cpe.Session.open(path))
    if session is not None:
        with session:
            for rater in ("ann", None):
                for question in attempt(lambda rater=rater: session.ask(2, rater=rater)) or ():
                    attempt(lambda question=question: session.tell(question.id, 1))
            attempt(lambda: session.ask(2, rater="dan", repeat=True))
            attempt(session.status)
        attempt(lambda: cpe.Session.open(path).close())  # what was written can be read
    return refused


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_forged_records_are_refused_with_their_line(logs, tmp_path, count):
    rng, refused, path = random.Random(1), 0, tmp_path / "forged.jsonl"
    for _ in range(count):
        records, line = forged(rng.choice(logs), rng)
        write_records(path, records)
        said = use(path)
        with suppress(FileNotFoundError):
            path.with_name("forged.jsonl.snapshot").unlink()
        if said and " is no record of a session" in said[0]:
            assert all(f"forged.jsonl: line {line} is no record" in each for each in said), said
            refused += 1
    assert refused > count / 6


@pytest.mark.parametrize(
    "lost", ["key", "learner", "question_set", "parameters", "prior", "shares"]
)
def test_a_first_line_that_lacks_something_is_refused_in_words(log, tmp_path, lost):
    first, *others = log[1]
    path = tmp_path / "s.jsonl"
    write_records(path, [{name: first[name] for name in first if name != lost}, *others])
    for opened in (cpe.Session.open, lambda path: read(path, "plain")):
        with pytest.raises(cpe.InputError, match=r"s\.jsonl: .*first (line|record)"):
            opened(path)


@pytest.mark.parametrize(
    ("field", "forged"),
    [
        ("question_set.labels", [["a"], ["b"], ["c"], ["d"]]),
        ("question_set.labels", "abcd"),
        ("question_set.family", 7),
        ("seed", 1.5),
        ("key", None),
        ("horizon", 0),
        ("shares.learner", "0.1"),
    ],
)
def test_a_first_line_with_fields_of_another_kind_is_refused_in_words(log, tmp_path, field, forged):
    first, *others = json.loads(json.dumps(log[1]))
    *parents, name = field.split(".")
    inside = first
    for parent in parents:
        inside = inside[parent]
    inside[name] = forged
    path = tmp_path / "s.jsonl"
    write_records(path, [first, *others])
    with pytest.raises(cpe.InputError, match=rf"s\.jsonl: the first line: {field}.* is .*expected"):
        cpe.Session.open(path)

"""How a session shares delta: whoever states something has a part, and all parts make delta."""

import json

import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declaration_of
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import LEARNERS, get_learner
from cpe_opt.sessions.header import Shares
from cpe_opt.sessions.journal import Journal, read_journal
from cpe_opt.sessions.progress import progress_of

LABELS = ["ant", "bee", "cow"]


def shares(name, family="dueling", estimates_sigma=False, **parameters):
    return Shares.of(get_learner(name), family, parameters, estimates_sigma=estimates_sigma)


def parts(found):
    return found.learner, found.evidence, found.sigma


@pytest.mark.parametrize(
    ("name", "given", "delta", "expected"),
    [
        ("copeland-tracking", {"delta": 0.1}, 0.1, (0.08, 0.02, 0.0)),
        ("dkwt", {}, 0.05, (0.04, 0.01, 0.0)),  # by its default
        ("savage", {"horizon": 1000}, 0.05, (0.04, 0.01, 0.0)),  # of the horizon, by its default
        ("rucb", {}, 0.05, (0.0, 0.05, 0.0)),  # promises nothing
        ("merge-dts", {"delta": 0.01}, 0.01, (0.0, 0.01, 0.0)),
        ("copeland-tracking", {"delta": 1.1}, 0.05, (0.0, 0.05, 0.0)),  # which it refuses itself
    ],
)
def test_who_has_which_part(name, given, delta, expected):
    found = shares(name, **given)
    assert found.delta == delta
    assert parts(found) == pytest.approx(expected)


def test_a_learner_says_its_delta_by_default():
    found = shares("car-parallel", "matchings")
    assert (found.delta, *parts(found)) == (0.005, 0.005, 0.0, 0.0)


@pytest.mark.parametrize("name", LEARNERS)
def test_all_parts_are_at_most_delta(name):
    family = declaration_of(get_learner(name)).family
    for estimates_sigma in {False, family != "dueling"}:
        found = shares(name, family, estimates_sigma, delta=0.05)
        assert sum(parts(found)) == pytest.approx(0.05, rel=1e-12)
        assert (found.evidence > 0.0) == (family == "dueling")
        assert (found.sigma > 0.0) == estimates_sigma


@pytest.fixture
def deltas(monkeypatch):
    """Those that learners are told."""
    told = []

    class Noting(Exchange):
        def __init__(self, *given, **parameters):
            told.append(parameters["delta"])
            super().__init__(*given, **parameters)

    monkeypatch.setattr("cpe_opt.learners.exchange.Exchange", Noting)
    return told


def test_the_learner_and_the_evidence_get_their_parts(tmp_path, deltas):
    path = tmp_path / "s.jsonl"
    for given in ({"learner": "dkwt", "labels": LABELS, "delta": 0.1}, {}):
        with cpe.Session.open(path, **given) as session:
            assert session.header.parameters == {"delta": 0.1}
            best, seen = session.best(), progress_of(session)
            evidence = session.header.shares.evidence
            assert best.evidence.delta == seen.evidence.delta == evidence
            assert evidence == pytest.approx(0.02)
            assert seen.delta == 0.1
            assert seen.confidence == (
                "90 % that all of it is right, however often one looks: 92 % for the answer of "
                "dkwt, 98 % for what the votes prove"
            )
    assert {*deltas} == {0.1 - 0.1 * 0.2}
    assert cpe.Session.read(path).best().evidence.delta == evidence


def test_the_log_keeps_the_parts_that_its_learner_was_led_with(tmp_path, deltas):
    """Where they were others, they still are, so that the learner asks what it has asked."""
    path = tmp_path / "s.jsonl"
    cpe.Session.open(path, "dkwt", labels=LABELS, delta=0.1).close()
    first = json.loads(path.read_text())
    assert set(first["shares"]) == {"delta", "learner", "evidence", "sigma"}
    first.pop("check")
    first["shares"] |= {"learner": 0.03, "evidence": 0.07}
    path.write_text("")
    rewritten = Journal(path)
    rewritten.append(first)
    rewritten.close()
    with cpe.Session.open(path, "dkwt", labels=LABELS, delta=0.1) as session:
        assert session.best().evidence.delta == 0.07
        assert deltas[-1] == 0.03


@pytest.mark.parametrize("content", [{}, {"delta": 0.1}, {"delta": "a"}])
def test_a_first_record_without_the_parts_is_refused(tmp_path, content):
    path = tmp_path / "s.jsonl"
    cpe.Session.open(path, "dkwt", labels=LABELS, delta=0.1).close()
    [first] = read_journal(path)
    path.unlink()
    changed = Journal(path)
    changed.append({**first, "shares": content})
    changed.close()
    with pytest.raises(InputError, match="the first line is none that this version"):
        cpe.Session.open(path)


def test_a_delta_that_is_too_small_to_be_shared_is_refused(tmp_path):
    path = tmp_path / "s.jsonl"
    with pytest.raises(InputError, match="delta is 5e-324, too small a number to be shared"):
        cpe.Session.open(path, "dkwt", labels=LABELS, delta=5e-324)
    assert not path.exists()


def test_a_learner_refuses_its_delta_as_it_was_given(tmp_path):
    """And not the part of it that would be its own."""
    with pytest.raises(InputError, match=r"delta is 1\.1"):
        cpe.Session.open(tmp_path / "s.jsonl", "dkwt", labels=LABELS, delta=1.1)
    with pytest.raises(InputError, match="delta"):
        cpe.Session.open(tmp_path / "s.jsonl", "dkwt", labels=LABELS, delta="a")

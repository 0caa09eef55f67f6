"""What is stated of a session: by the answers that count, with all of delta, everywhere alike.

Status, report, page and tools say what :func:`cpe_opt.evidence` says of the same answers.
"""

import html
import itertools
import json
import re

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.registry import get_learner
from cpe_opt.sessions.header import promises_answer
from cpe_opt.sessions.mcp_server import SessionTools
from cpe_opt.sessions.report import session_report
from cpe_opt.sessions.web import Overview
from tests.commands.test_cli import run
from tests.sessions.support import (
    GRAPH,
    KINDS,
    begin,
    log_of,
    open_questions,
    read,
    records_of,
    said,
)

LABELS = ["tuna", "salmon", "squid"]
TWO = ["a", "b"]


def taste(path, learner="copeland-tracking", **options):
    return cpe.Session.open(path, learner, **{"labels": LABELS, "delta": 0.05, **options})


def taster(seed):
    """Prefers later labels, in 95 of 100 answers."""
    rng = np.random.default_rng(seed)

    def judge(question):
        best = max(question.labels, key=LABELS.index)
        return best if rng.random() < 0.95 else min(question.labels, key=LABELS.index)

    return judge


# Which answers count


@pytest.mark.parametrize("kind", KINDS)
def test_answers_before_their_turn_wait_for_those_before_them(path, kind):
    """What has arrived may have arrived because of what it says, and proves nothing."""
    with begin(path, kind) as session:
        session.ask_at_once(8)
        first, *others = open_questions(session)
        before = session.best()
        for question in others:
            session.tell(question.id, said(question))
        status, best = session.status(), session.best()
        assert (status.answers, status.told) == (len(others), 0)
        assert not session.answers()["told"].any()
        assert (best.answer, best.doubt) == (before.answer, before.doubt)
        if session.question_set.is_votes:
            assert session.votes().duels.sum() == best.evidence.votes.duels.sum() == 0
        elif kind == "teams" and others:
            with pytest.raises(cpe.InputError, match="no set was answered in its turn yet"):
                session.scores()
        session.tell(first.id, said(first))
        assert session.status().told == len(others) + 1
    view = read(path, kind)
    assert view.answers()["told"].all()
    if view.question_set.is_votes:
        assert view.votes().duels.sum() == 2 * (len(others) + 1)


# How delta is shared


@pytest.mark.parametrize(
    ("learner", "given", "delta", "learners", "evidences"),
    [
        ("copeland-tracking", {"delta": 0.1}, 0.1, 0.08, 0.02),
        ("dkwt", {}, 0.05, 0.04, 0.01),  # by its default
        ("rucb", {}, 0.05, 0.0, 0.05),  # promises nothing
        ("car-parallel", {"problem": GRAPH}, 0.005, 0.005, 0.0),
        ("clucb", {"problem": cpe.TopK(3, 1), "delta": 0.1}, 0.1, 0.1, 0.0),
        ("copeland-tracking", {"delta": 0.1, "items": 9}, 0.1, 0.095, 0.0),
    ],
)
def test_who_has_which_part(path, begun, learner, given, delta, learners, evidences):
    options = {"labels": LABELS, **given} if "problem" not in given else given
    for opened in (options, {}):
        with cpe.Session.open(path, learner, **opened) as session:
            shares, best = session.header.shares, session.best()
            stood = json.loads(run("session", "status", path, "--json").stdout)
        assert shares.delta == delta
        assert (shares.learner, shares.evidence) == pytest.approx((learners, evidences))
        assert (best.evidence is None) == (evidences == 0.0)
        if best.evidence is not None:
            assert best.evidence.delta == stood["evidence"]["delta"] == shares.evidence
    told = [parameters["delta"] for _, parameters in begun if "delta" in parameters]
    if learners:
        assert max(told) == shares.learner


def test_what_a_learner_for_regret_names_at_the_end_is_no_claim():
    @declare(family="dueling", goal="regret", guarantee="little regret", paper="tests")
    def own(arms, *, delta=0.1):
        yield from ()

    assert not promises_answer(own, {"delta": 0.1})
    assert promises_answer(get_learner("copeland-tracking"), {"delta": 0.1})


def test_the_log_keeps_the_parts_that_its_learner_was_led_with(path, begun):
    """Where they were others, they still are, so that the learner asks what it has asked."""
    taste(path, "dkwt").close()
    first = records_of(path)[0]
    assert {*first["shares"]} == {"delta", "learner", "evidence", "sigma", "new_items"}
    first["shares"] |= {"learner": 0.01, "evidence": 0.04}
    path.write_bytes(log_of([first]))
    with taste(path, "dkwt") as session:
        assert session.best().evidence.delta == 0.04
    assert begun[-1][1]["delta"] == 0.01


# Everywhere alike


@pytest.mark.parametrize("answers", [12, None])
def test_all_pages_say_what_evidence_says_of_the_same_answers(path, answers):
    with taste(path) as session:
        session.run(taster(1), budget=answers)
        report, status, best = session_report(session), session.status(), session.best()
        expected = cpe.evidence(session.votes(), delta=session.header.shares.evidence)
    stood = json.loads(run("session", "status", path, "--json").stdout)
    tools, out = SessionTools(path), path.with_name("taste.html")
    heard = tools.status()
    for name in ("copeland", "condorcet", "borda", "ranks"):
        assert getattr(best.evidence, name) == getattr(expected, name)
    assert stood["evidence"]["copeland"] == expected.copeland
    assert tools.evidence()["votes"]["duels"] == status.told == expected.votes.duels.sum() / 2
    assert stood["favourite"] in report.summary
    for name in ("answers", "ties", "learner"):
        assert heard[name] == stood[name] == getattr(status, name)
    assert status.finished == report.proved == bool(stood["proved"]) == (answers is None)
    proved = [cell for row in report.arms.rows for cell in row]
    if status.finished:
        assert (status.answer, stood["favourite"]) == ("squid", "squid")
        assert run("session", "report", path, "--out", out).exit_code == 0
        page = html.unescape(out.read_text(encoding="utf-8"))
        assert report.summary in page
        assert report.summary == "Proved at 95 %: squid is a Copeland winner."
        assert "proved" in proved
        assert sum(part.delta for part in report.delta_parts) == stood["delta"] == 0.05
    else:
        assert "proved" not in proved
        assert "Proved at" not in report.summary


# By what answers may depend on each other


RATERS = "what is proved assumes that answers of one rater do not depend on each other; "


def warnings_of(session):
    return session.status().warnings, session.best().warnings


TEAMS = [f"{a}+{b},{a + b}" for a, b in itertools.combinations((1, 2, 4, 8), 2)]


@pytest.mark.parametrize(
    ("kind", "begins", "head", "rows"),
    [
        ("votes", {"learner": "copeland-tracking"}, "winner,loser", ["b,c"] * 40),
        ("scores", {"learner": "subset-tracking", "sigma": 0.1}, "team,score", TEAMS * 100),
    ],
)
def test_clusters_of_what_was_before_stay_in_the_session(path, kind, begins, head, rows):
    """And are said wherever a session says what is proved, once."""
    old = path.with_name("old.csv")
    clustered = [f"{row},j{number % 2}" for number, row in enumerate(rows)]
    old.write_text("\n".join([f"{head},judge", *clustered, ""]))
    prior = cpe.read_observations(old)
    sentence = f"warning: the column 'judge' has 2 different values in {len(rows)} {kind}; "
    for opened in ({**begins, "prior": prior, "delta": 0.1}, {}):
        with cpe.Session.open(path, **opened) as session:
            for found in warnings_of(session):
                assert sum(sentence in line for line in found) == 1
    said = [html.unescape(Overview(read(path, kind)).page())] if kind == "scores" else []
    said += [run("session", "run", path, "--budget", 0).stdout]
    said += [run("session", "status", path, *options).stdout for options in ((), ("--json",))]
    said += [run("session", "export", path, path.with_name("all.csv"), f"--{kind}").stderr]
    for text in said:
        assert re.sub(r"\s+", " ", text).count(sentence) == 1, text


def test_votes_of_rankings_from_before_stay_not_independent(path):
    old = cpe.Votes([[0, 3], [2, 0]], TWO, independent=False)

    def own(problem, *, prior, delta=0.05):
        yield cpe.Duel(0, 1)
        return 0

    with cpe.Session.open(path, own, labels=TWO, prior=old) as session:
        assert not session.votes().independent


def test_raters_who_answer_more_than_once_are_said_where_something_is_proved(path):
    def answered(*raters):
        """Have b win a duel for each rater; what is said then."""
        for rater in raters:
            session.tell(session.ask(rater=rater)[0].id, "b", rater=rater)
        assert session.status().warnings == ()  # the learner has not finished
        return session.best().warnings

    with cpe.Session.open(path, "rucb", labels=TWO) as session:
        assert answered("7", "7", None, None) == ()  # nothing is proved
        said = "1 rater answered more than once and 2 answers name no rater"
        assert answered(*map(str, range(8, 48))) == (f"{RATERS}{said}",)
        [again] = session.ask(rater="9", repeat=True)
        session.tell(again.id, 1, rater="9")  # which counts only for agreement
        assert answered() == (f"{RATERS}{said}",)


@pytest.mark.parametrize("proved", [True, False])
def test_raters_of_numbers_are_said_where_a_set_is_proved(path, proved):
    def own(decisions):
        yield cpe.PullSets([(0,)], [2])
        return frozenset({0}) if proved else cpe.learners.Unproved(frozenset({0}), "a guess")

    declared = cpe.learners.declare(
        family="subsets", goal="identification", guarantee="always right", paper="none"
    )
    with cpe.Session.open(path, declared(own), problem=cpe.TopK(2, 1)) as session:
        for question in session.ask(2, rater="ann"):
            session.tell(question.id, 1.0, rater="ann")
        assert session.finished
        expected = (f"{RATERS}1 rater answered more than once",) if proved else ()
        assert warnings_of(session) == (expected, expected)

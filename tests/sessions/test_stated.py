"""What is stated of a session: by the answers that count, with all of delta, everywhere alike.

Status, report, page and tools say what :func:`cpe_opt.evidence` says of the same answers.
"""

import html
import itertools
import json
import math
import re

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.declaration import declaration_of
from cpe_opt.sessions.mcp_server import SessionTools
from cpe_opt.sessions.report import session_report
from cpe_opt.sessions.status import progress_of
from cpe_opt.sessions.web.serving import Overview
from tests.commands.test_cli import run
from tests.sessions.support import (
    GRAPH,
    KINDS,
    begin,
    open_questions,
    read,
    records_of,
    said,
    write_records,
)

LABELS = ["tuna", "salmon", "squid"]
ARMS = [f"p{arm}" for arm in range(4)]
TABLE = cpe.random_items(4, 40, seed=3, spread=1.5)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "taste.jsonl"


def taste(path, learner="copeland-tracking", **options):
    return cpe.Session.open(path, learner, **{"labels": LABELS, "delta": 0.05, **options})


def taster(seed):
    """Prefers later labels, in 70 of 100 answers."""
    rng = np.random.default_rng(seed)

    def judge(question):
        best = max(question.labels, key=LABELS.index)
        return best if rng.random() < 0.7 else min(question.labels, key=LABELS.index)

    return judge


def cell(question):
    """The cell of the table that is asked."""
    i, j = (int(label[1]) for label in question.labels)
    return float(TABLE.outcomes[i, j, int(question.item_id), 0])


# Which answers count


@pytest.mark.parametrize("kind", KINDS)
def test_answers_before_their_turn_wait_for_those_before_them(tmp_path, kind):
    """What has arrived may have arrived because of what it says, and proves nothing."""
    path = tmp_path / "s"
    with begin(path, kind) as session:
        session.ask_at_once(8)
        first, *others = open_questions(session)
        before = progress_of(session), session.best().answer
        for question in others:
            session.tell(question.id, said(question))
        status, frame = session.status(), session.answers()
        assert (status.answers, status.told) == (len(others), 0)
        assert not frame["told"].any()
        assert (progress_of(session).line, session.best().answer) == (before[0].line, before[1])
        if session.question_set.is_votes:
            assert session.votes().duels.sum() == 0
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
        ("savage", {"horizon": 1000}, 0.05, 0.04, 0.01),  # of the horizon, by its default
        ("rucb", {}, 0.05, 0.0, 0.05),  # promises nothing
        ("merge-dts", {"delta": 0.01}, 0.01, 0.0, 0.01),
        ("car-parallel", {"problem": GRAPH}, 0.005, 0.005, 0.0),
        ("copeland-tracking", {"delta": 0.1, "items": 9}, 0.1, 0.1, 0.0),
    ],
)
def test_who_has_which_part(path, begun, learner, given, delta, learners, evidences):
    options = {"labels": LABELS, **given} if "problem" not in given else given
    for opened in (options, {}):
        with cpe.Session.open(path, learner, **opened) as session:
            shares, best = session.header.shares, session.best()
            assert shares.delta == progress_of(session).delta == delta
        assert (shares.learner, shares.evidence) == pytest.approx((learners, evidences))
        assert (best.evidence is None) == (evidences == 0.0)
        if best.evidence is not None:
            assert best.evidence.delta == progress_of(session).evidence.delta == shares.evidence
    told = [parameters["delta"] for _, parameters in begun if "delta" in parameters]
    if learners:
        assert max(told) == shares.learner


PROBLEMS = {
    "dueling": {"labels": LABELS},
    "matchings": {"problem": GRAPH},
    "subsets": {"problem": cpe.TopK(3, 1)},
    "separable": {"problem": cpe.BestSet(cpe.TopK(3, 1))},
}


@pytest.mark.parametrize("family", PROBLEMS)
def test_all_parts_are_at_most_delta(tmp_path, family):
    opened = 0
    for name, learner in cpe.learners.LEARNERS.items():
        if declaration_of(learner).family != family:
            continue
        try:
            session = cpe.Session.open(tmp_path / name, name, **PROBLEMS[family], delta=0.03)
        except cpe.InputError:  # it takes no delta, or needs other parameters
            continue
        with session:
            shares = session.header.shares
            assert shares.learner + shares.evidence + shares.sigma == pytest.approx(0.03, rel=1e-12)
            assert (shares.evidence > 0.0) == (family == "dueling")
        opened += 1
    assert opened


def test_the_log_keeps_the_parts_that_its_learner_was_led_with(path, begun):
    """Where they were others, they still are, so that the learner asks what it has asked."""
    taste(path, "dkwt").close()
    first = records_of(path)[0]
    assert {*first["shares"]} == {"delta", "learner", "evidence", "sigma"}
    write_records(
        path, [{**first, "shares": {**first["shares"], "learner": 0.01, "evidence": 0.04}}]
    )
    with taste(path, "dkwt") as session:
        assert session.best().evidence.delta == 0.04
    assert begun[-1][1]["delta"] == 0.01


# Everywhere alike


@pytest.mark.parametrize("answers", [0, 12, None])
def test_all_pages_say_what_evidence_says_of_the_same_answers(path, answers):
    with taste(path) as session:
        session.run(taster(1), budget=answers)
        page, report = Overview(session).page(), session_report(session)
        status, best, progress = session.status(), session.best(), progress_of(session)
        expected = cpe.evidence(session.votes(), delta=session.header.shares.evidence)
    stood = json.loads(run("session", "status", path, "--json").stdout)
    tools = SessionTools(path)
    for each in (best.evidence, progress.evidence):
        for name in ("copeland", "condorcet", "borda", "ranks"):
            assert getattr(each, name) == getattr(expected, name)
    assert stood["evidence"]["copeland"] == expected.copeland
    if answers != 0:
        assert tools.evidence()["votes"]["duels"] == status.told == expected.votes.duels.sum() / 2
        assert progress.favourite in report.summary
    for name in ("answers", "ties", "skips", "finished", "learner"):
        assert tools.status()[name] == stood[name] == getattr(status, name)
    assert (tools.status()["answer"], stood["favourite"]) == (status.answer, progress.favourite)
    assert page == report.html()
    assert status.finished == report.proved == bool(stood["proved"]) == (answers is None)
    row = [row for row in report.arms.rows if row[0] == "squid"] if report.arms else []
    if status.finished:
        assert report.summary == "Proved at 95 %: squid is a Copeland winner."
        assert row[0][report.arms.columns.index("Copeland")] == "proved"
        assert sum(part.delta for part in report.delta_parts) == pytest.approx(0.05)
        assert not report.open
        assert "96 % for the answer of copeland-tracking, 99 % for what the votes prove" in (
            progress.confidence
        )
    else:
        assert "proved" not in [cell for each in row for cell in each]
        assert "Proved at" not in report.summary


@pytest.mark.parametrize("learner", ["copeland-tracking", "borda-tracking"])
def test_of_two_arms_the_answer_is_the_winner_by_every_score(path, learner):
    with taste(path, learner, labels=LABELS[:2]) as session:
        session.run(taster(1))
        found = session_report(session)
    cells = next(row for row in found.arms.rows if row[0] == "salmon")
    row = dict(zip(found.arms.columns, cells, strict=True))
    assert [row[name] for name in ("rank", "Copeland", "Borda")] == ["1", "proved", "proved"]
    assert next(row for row in found.arms.rows if row[0] == "tuna")[1] == "1–2"  # perhaps a tie


def test_a_condition_of_the_proof_is_said_and_adds_nothing_else(path):
    with taste(path, "condorcet-tracking") as session:
        session.run(taster(1))
        found, evidence = session_report(session), progress_of(session).evidence
        assert session.status().claim == "proved, if there is a Condorcet winner"
    assert found.summary.startswith("Proved at 95 %, if there is a Condorcet winner: squid is the")
    row = next(row for row in found.arms.rows if row[0] == "squid")
    assert row[found.arms.columns.index("Condorcet")] == evidence.condorcet["squid"]


def test_a_report_over_items_is_about_the_full_table(path):
    given = {"labels": ARMS, "items": 40, "orders": "both", "prices": 0.5}
    with taste(path, **given) as session:
        assert session_report(session).summary == "Nothing was answered yet."
        session.run(cell, budget=10)
        early, facts = session_report(session), dict(session_report(session).facts)
        session.run(cell)
        status, found = session.status(), session_report(session)
    assert facts["answers"] == "20 of the 480 cells of the full table"
    assert facts["cost"] == "10; the full table 240"
    assert not early.proved
    assert found.summary.startswith(f"Proved at 95 %: {status.answer} is a Copeland winner on the")
    assert "of these 40 items, not of new ones" in found.summary
    order = [int(label[1]) for label in found.pairs.labels]
    won = TABLE.table.array[np.ix_(order, order)] > 0.5
    assert won[found.pairs.sure].all()  # what is left cannot turn it
    assert [part.delta for part in found.delta_parts] == [0.05]


def test_a_page_is_written_by_python_and_by_the_command(path, tmp_path):
    out, again = tmp_path / "taste.html", tmp_path / "again.html"
    with taste(path) as session:
        session.run(taster(1))
        session.report(again, title="A & B")
    named = ["session", "report", path, "--title", "A & B", "--out", out]
    assert run(*named).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert "<h1>A &amp; B</h1>" in page
    assert not re.search(r"<script|<link|url\(", page)
    assert page == again.read_text(encoding="utf-8")
    assert run(*named).exit_code == 2  # it exists
    found = cpe.best_of(ARMS, cell, items=40, orders="both")
    page = found.report(tmp_path / "choice.html").read_text("utf-8")  # its folder is gone
    assert f"{found.best} is a Copeland winner on the full table" in page
    with pytest.raises(cpe.InputError, match="exists"):
        found.report(tmp_path / "choice.html", force=False)


def test_a_fixed_number_of_duels_ends_with_an_estimate(path):
    votes = cpe.Votes([[0, 1, 1], [2, 0, 1], [2, 2, 0]], ["a", "b", "c"])
    given = {"labels": ["a", "b", "c"], "prior": votes, "budget": 30, "delta": 1e-9}
    with cpe.Session.open(path, "copeland-budget", **given) as session:
        session.run(lambda question: max(question.labels), budget=12)
        status = session.status()
        assert (status.budget, status.answers, status.left) == (30, 12, 18)
        assert "12 of the 30 duels of the budget" in dict(session_report(session).facts)["answers"]
        assert session.run(lambda question: max(question.labels)).reason == "finished"
        status = session.status()
        assert (status.answers, status.left, status.answer) == (30, 0, "c")
        assert "estimated probability of being wrong" in status.doubt
        assert session_report(session).summary == f"Most likely: c. Not proved: {status.doubt}."


def test_prices_whose_sum_is_no_float_are_spent_all_the_same(path):
    with taste(path, prices=1.7e308) as session:
        report = session.run(taster(1), budget=1e308)
        assert (report.reason, report.answers) == ("budget", 0)
        assert session.run(taster(1), budget=1.75e308).answers == 1
        assert session.run(taster(1), budget=1.75e308).answers == 0
        session.tell(session.ask()[0].id, 1)
        assert session.status().spent == math.inf


# By what answers may depend on each other


RATERS = "what is proved assumes that answers of one rater do not depend on each other; "
TWO = ["a", "b"]


def warned(number, what):
    return f"warning: the column 'judge' has 2 different values in {number} {what}; "


def answered(session, raters):
    """Have b win a duel for each rater."""
    for rater in raters:
        [question] = session.ask(rater=rater)
        session.tell(question.id, float(question.labels[0] == "b"), rater=rater)


def warnings_of(session):
    said = session.status().warnings, session.best().warnings, progress_of(session).warnings
    assert said[1] == said[2]
    return said[0], said[1]


def clustered(folder, kind):
    """A log with a column of judges: of votes, of scores that prove something, or at positions."""
    rng, path = np.random.default_rng(0), folder / f"{kind}.csv"
    theta = dict(zip("abcd", (3.0, 1.0, 2.5, 0.5), strict=True))
    teams = [*itertools.combinations("abcd", 2)] * 100
    seen = [f"{'+'.join(team)},{sum(map(theta.get, team)) + 0.1 * rng.normal()}" for team in teams]
    positions = "position,winner,loser,judge lead,ann,bob,x lead,bob,cleo,y desk,cleo,ann,x"
    rows = {
        "votes": ["winner,loser,judge", *(f"b,c,j{n % 2}" for n in range(40))],
        "scores": ["team,score,judge", *(f"{score},j{n % 2}" for n, score in enumerate(seen))],
        "positions": positions.split(),
    }[kind]
    path.write_text("\n".join([*rows, ""]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("kind", "begins", "count", "what"),
    [
        ("votes", {"learner": "copeland-tracking"}, 40, "votes"),
        ("scores", {"learner": "subset-tracking", "sigma": 0.1}, 600, "scores"),
        ("positions", {"learner": "matching-tracking"}, 3, "votes"),
    ],
)
def test_clusters_of_what_was_before_stay_in_the_session(path, tmp_path, kind, begins, count, what):
    """And are said wherever a session says what is proved, once."""
    log, sentence = clustered(tmp_path, kind), warned(count, what)
    prior = cpe.read_observations(log)
    for opened in ({**begins, "prior": prior, "delta": 0.1}, {}, {"prior": prior}):
        with cpe.Session.open(path, **opened) as session:
            for found in warnings_of(session):
                assert sum(sentence in line for line in found) == 1
            page = Overview(session).page()
    for command in (("status", path), ("status", path, "--json"), ("run", path, "--budget", 0)):
        assert " ".join(run("session", *command).stdout.split()).count(sentence) == 1, command
    assert html.unescape(page).count(sentence) == 1
    if kind != "positions":
        exported = ("--scores",) if kind == "scores" else ("--votes", "winners")
        written = run("session", "export", path, tmp_path / "all.csv", *exported)
        assert " ".join(written.stderr.split()).count(sentence) == 1


def test_votes_of_rankings_from_before_stay_not_independent(path):
    old = cpe.Votes([[0, 3], [2, 0]], TWO, independent=False)

    def own(problem, *, prior, delta=0.05):
        yield cpe.Duel(0, 1)
        return 0

    with cpe.Session.open(path, own, labels=TWO, prior=old) as session:
        assert not session.votes().independent


@pytest.mark.parametrize(
    ("raters", "sentence"),
    [
        ([None] * 40, "40 answers name no rater"),
        ([None, *map(str, range(40))], ""),
        ([None, *map(str, range(40)), "7"], "1 rater answered more than once"),
        ([None, None, *map(str, range(40)), "7", "8", "8"],
         "2 raters answered more than once and 2 answers name no rater"),
    ],
)  # fmt: skip
def test_raters_who_answer_more_than_once_are_said_where_something_is_proved(
    path, raters, sentence
):
    with cpe.Session.open(path, "rucb", labels=TWO) as session:
        answered(session, raters[:3])
        assert warnings_of(session) == ((), ())  # nothing is proved
        answered(session, raters[3:])
        expected = (f"{RATERS}{sentence}",) if sentence else ()
        assert warnings_of(session) == ((), expected)  # the learner has not finished
        [again] = session.ask(rater="9", repeat=True)
        session.tell(again.id, 1, rater="9")  # which counts only for agreement
        assert warnings_of(session) == ((), expected)


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

"""By what observations may depend on each other: said wherever a session says what is proved."""

import itertools
import json

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.queries import Unproved
from cpe_opt.sessions.progress import progress_of
from cpe_opt.sessions.web.overview import Overview
from tests.commands.test_cli import run

WARNED = "warning: the column 'judge' has 2 different values in {} {}; "
RATERS = "what is proved assumes that answers of one rater do not depend on each other; "
LABELS = ["a", "b"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "session.jsonl"


@pytest.fixture
def log(tmp_path):
    """Forty votes of two judges, on one pair, nearly as many each way."""
    rows = [f"{'a,b' if n < 22 else 'b,a'},j{n % 2}" for n in range(40)]
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(["winner,loser,judge", *rows]) + "\n", encoding="utf-8")
    return path


def answered(session, raters):
    """Have b win a duel for each rater."""
    for rater in raters:
        [question] = session.ask(rater=rater)
        session.tell(question.id, float(question.labels[0] == "b"), rater=rater)


def all_warnings(session):
    return session.status().warnings, session.best().warnings, progress_of(session).warnings


def test_clusters_of_votes_from_before_stay_in_the_session(path, log):
    warned = WARNED.format(40, "votes")
    for opened in (
        {"learner": "copeland-tracking", "delta": 0.1, "prior": cpe.read_votes(log)},
        {},
        {"prior": cpe.read_votes(log)},
    ):
        with cpe.Session.open(path, **opened) as session:
            for found in all_warnings(session):
                assert [warned in line for line in found] == [True]
            assert session.votes().summary.clusters == cpe.read_votes(log).summary.clusters
            assert warned in str(session.best().evidence)
    (cluster,) = cpe.Session.read(path).votes().summary.clusters
    assert (cluster.column, cluster.values, cluster.observations) == ("judge", 2, 40)


def test_votes_of_rankings_from_before_stay_not_independent(path):
    def own(problem, *, prior, delta=0.05):
        yield cpe.Duel(0, 1)
        return 0

    old = cpe.Votes([[0, 3], [2, 0]], LABELS, independent=False)
    with cpe.Session.open(path, own, labels=LABELS, prior=old) as session:
        assert not session.votes().independent


def test_clusters_of_scores_and_of_votes_at_positions_stay_too(path, tmp_path):
    rng = np.random.default_rng(0)
    theta = dict(zip("abcd", (3.0, 1.0, 2.5, 0.5), strict=True))
    teams = [*itertools.combinations("abcd", 2)] * 100
    rows = [
        f"{'+'.join(team)},{sum(map(theta.get, team)) + 0.1 * rng.normal():.4f},j{n % 2}"
        for n, team in enumerate(teams)
    ]
    log = tmp_path / "teams.csv"
    log.write_text("\n".join(["team,score,judge", *rows]) + "\n", encoding="utf-8")
    known = {"prior": cpe.read_scores(log), "delta": 0.1, "sigma": 0.1}
    for opened in ({"learner": "subset-tracking", **known}, {}):
        with cpe.Session.open(path, **opened) as session:
            assert session.finished
            for found in all_warnings(session):
                assert [WARNED.format(600, "scores") in line for line in found] == [True]
            assert session.scores().clusters == cpe.read_scores(log).clusters
    for command in ("status", "run", "next"):
        assert WARNED.format(600, "scores") in run("session", command, path).stdout
    votes, panel = tmp_path / "panel.csv", tmp_path / "panel.jsonl"
    rows = ["lead,ann,bob,x", "lead,bob,cleo,y", "desk,cleo,ann,x"]
    votes.write_text("\n".join(["position,winner,loser,judge", *rows]) + "\n", encoding="utf-8")
    known = {"prior": cpe.load_problem(votes), "delta": 0.1}
    for opened in ({"learner": "matching-tracking", **known}, {}):
        with cpe.Session.open(panel, **opened) as session:
            for found in all_warnings(session):
                assert [WARNED.format(3, "votes") in line for line in found] == [True]


def test_raters_who_answer_more_than_once_are_said_where_something_is_proved(path):
    with cpe.Session.open(path, "copeland-tracking", labels=LABELS, delta=0.1) as session:
        answered(session, ["ann", "ann"])
        assert all_warnings(session) == ((), (), ())  # nothing is proved
        while not progress_of(session).evidence.some_proved and not session.finished:
            answered(session, [["ann", "bea", "cleo", None][session.status().answers % 4]])
        while not session.finished:
            answered(session, ["bea"])
        assert session.best().proved
        status, best, seen = all_warnings(session)
        assert status == best == seen
        names = [
            sum(count > 1 for rater, count in session.status().raters.items() if rater),
            session.status().raters.get("", 0),
        ]
        assert status[0].startswith(f"{RATERS}{names[0]} raters answered more than once")
        assert (f"{names[1]} answers name no rater" in status[0]) == (names[1] > 1)


def test_the_evidence_may_prove_something_before_the_learner(path):
    with cpe.Session.open(path, "rucb", labels=LABELS) as session:
        answered(session, [None] * 40)
        assert session.status().warnings == ()  # the learner has not finished
        expected = (f"{RATERS}40 answers name no rater",)
        assert session.best().warnings == progress_of(session).warnings == expected


def test_one_answer_a_rater_and_second_answers_are_no_clusters(path):
    with cpe.Session.open(path, "rucb", labels=LABELS) as session:
        answered(session, [None, *(f"rater-{n}" for n in range(40))])
        assert progress_of(session).evidence.some_proved
        assert progress_of(session).warnings == ()
        [again] = session.ask(rater="rater-7", repeat=True)
        session.tell(again.id, 1, rater="rater-7")
        assert session.status().raters["rater-7"] == 2
        assert progress_of(session).warnings == ()
        answered(session, ["rater-7"])
        assert progress_of(session).warnings == (f"{RATERS}1 rater answered more than once",)
        answered(session, [None])
        assert progress_of(session).warnings == (
            f"{RATERS}1 rater answered more than once and 2 answers name no rater",
        )


def test_an_answer_without_a_proof_has_no_line_on_raters(path):
    def own(problem):
        yield cpe.Duel(0, 1)
        yield cpe.Duel(0, 1)
        return Unproved(0, "it was a guess")

    with cpe.Session.open(path, own, labels=LABELS) as session:
        answered(session, ["ann", "ann"])
        assert session.finished
        assert all_warnings(session) == ((), (), ())


def test_commands_and_the_page_say_it_once(path, log):
    warned = WARNED.format(40, "votes")
    rows = [f"b,c,j{n % 2}" for n in range(40)]  # they prove a pair, and no winner of three
    log.write_text("\n".join(["winner,loser,judge", *rows]) + "\n", encoding="utf-8")
    done = run("session", "new", path, "--labels", "a,b,c", "--prior", log)
    assert done.exit_code == 0
    assert run("session", "status", path).stdout.count(warned) == 1
    with cpe.Session.open(path) as session:
        answered(session, ["ann", "ann"])
        facts = Overview(session).facts()
    assert facts["warnings"] == [f"{RATERS}1 rater answered more than once"]
    assert json.dumps(facts["parts"]).count(warned) == 1
    text = run("session", "status", path).stdout
    assert text.count(warned) == text.count(RATERS) == 1
    plain = json.loads(run("session", "status", path, "--json").stdout)
    assert [warned in plain["warnings"][0], RATERS in plain["warnings"][1]] == [True, True]
    ended = run("session", "run", path, "--budget", 0)
    assert ended.stdout.count(warned) == ended.stdout.count(RATERS) == 1
    written = run("session", "export", path, path.with_name("all.csv"), "--votes", "winners")
    assert written.stderr.count(warned) == 1


def test_raters_of_numbers_are_said_where_a_set_is_proved(path):
    @cpe.learners.declare(
        family="subsets", goal="identification", guarantee="always right", paper="none"
    )
    def own(decisions):
        yield cpe.PullSets([(0,)], [2])
        return frozenset({0})

    with cpe.Session.open(path, own, problem=cpe.TopK(2, 1)) as session:
        for question in session.ask(2, rater="ann"):
            session.tell(question.id, 1.0, rater="ann")
        assert session.finished
        expected = (f"{RATERS}1 rater answered more than once",)
        assert all_warnings(session) == (expected,) * 3


def test_raters_of_numbers_are_said_where_it_is_known_how_much_better_a_set_may_be(path):
    known = {"problem": cpe.TopK(2, 1), "noise": 0.5, "delta": 0.1}
    with cpe.Session.open(path, "subset-tracking", **known) as session:
        while not progress_of(session).so_far:
            assert progress_of(session).warnings == ()
            for question in session.ask(2, rater="ann"):
                session.tell(question.id, 1.0, rater="ann")
        assert not session.finished
        assert progress_of(session).warnings == (f"{RATERS}1 rater answered more than once",)

"""What was observed before a session: votes on arms and at positions, and scores of teams."""

import itertools
import re

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.proofs.subsets.noise_bound import NOISE_ASSUMED, largest_sigma
from cpe_opt.sessions.status import progress_of

NAMES = ("ann", "bob", "cleo", "dan", "eve")
THETA = dict(zip(NAMES, (3.0, 1.0, 2.5, 0.5, -1.0), strict=True))
LABELS = ("ant", "bee", "cow")
NAME = "subset-tracking"


def scores(times=1, noise=0.3, seed=0, k=2):
    rng = np.random.default_rng(seed)
    teams = [team for team in itertools.combinations(reversed(NAMES), k) for _ in range(times)]
    seen = [sum(THETA[name] for name in team) + noise * rng.normal() for team in teams]
    return cpe.TeamScores(teams, seen, name="old")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "teams.jsonl"


# Votes on arms


def test_old_votes_count_by_their_labels(path):
    votes = cpe.Votes([[0, 30.5], [2.5, 0]], ["cow", "ant"], tied=[[0, 3], [3, 0]])
    options = {"labels": LABELS, "delta": 0.1, "prior": votes}
    with cpe.Session.open(path, "copeland-tracking", **options) as session:
        # The pairs that never met are asked first.
        assert {tuple(sorted(session.ask()[0].labels))} <= {("ant", "bee"), ("bee", "cow")}
    with cpe.Session.open(path, prior=votes) as session:
        assert session.votes().wins.tolist() == [[0, 0, 2.5], [0, 0, 0], [30.5, 0, 0]]
        assert session.votes().tied[0, 2] == session.votes().tied[2, 0] == 3
        assert session.best().evidence.votes == session.votes()


def test_old_votes_alone_say_which_arms_there_are(path):
    log = cpe.Votes([[0, 3, 0], [1, 0, 2], [0, 2, 0]], ["a", "b", "c"])
    with cpe.Session.open(path, "copeland-tracking", prior=log, delta=0.1) as session:
        assert session.question_set.labels == ("a", "b", "c")


# Scores of teams


def test_scores_alone_say_which_sets_there_are_and_how_loud_they_are(path):
    log = scores(times=3, noise=2.0)
    with cpe.Session.open(path, NAME, prior=log, delta=0.1) as session:
        assert session.question_set.labels == log.members == NAMES[::-1]
        assert session.question_set.known.k == 2
        told = session.header.parameters
        assert told == {"delta": 0.1, "feedback": "sums", "sigma": largest_sigma(log, 0.1 * 0.1)}
        asked = session.ask(1000)
    told = {**told, "delta": 0.1 - 0.1 * 0.1, "prior": log.totals(log.decisions())}
    query = Exchange(cpe.learners.subset_tracking, cpe.TopK(5, 2), 0, **told).query
    assert len(asked) == query.rounds > 1
    assert {question.query.sets[0] for question in asked} == {*query.sets}
    with cpe.Session.open(path) as session:  # the log holds all of it
        assert [each.id for each in session.ask(1000)] == [each.id for each in asked]
    cpe.Session.open(path, prior=log, delta=0.1).close()
    with pytest.raises(cpe.InputError, match="prior: not those that the session was begun with"):
        cpe.Session.open(path, prior=scores(times=3, noise=2.0, seed=1))


def pair_of(decisions, *, delta=0.2, sigma, prior, planned=False):
    """A learner with a delta of its own."""
    yield cpe.PullSets([(0, 1)], [1])
    return frozenset({0, 1})


@pytest.mark.parametrize(
    ("given", "delta", "estimated"),
    [
        ({"delta": 0.1}, 0.1, {}),
        ({}, 0.2, {}),  # the learner's own
        ({"delta": 0.1, "planned": True}, 0.1, {"planned": True}),
        ({"delta": 0.1, "sigma": 0.5}, 0.1, None),  # known, so that none of delta goes into it
    ],
)
def test_an_estimate_of_sigma_and_the_learner_share_delta(path, begun, given, delta, estimated):
    log = scores(times=3)
    for options in ({"prior": log, **given}, {}):  # and when it is opened again
        with cpe.Session.open(path, pair_of, **options) as session:
            shares = session.header.shares
            assert session.ask()
    share = 0.0 if estimated is None else delta * 0.1
    sigma = 0.5 if estimated is None else largest_sigma(log, share, **estimated)
    assert {(p["delta"], p["sigma"]) for _, p in begun} == {(delta - share, sigma)}
    assert (shares.delta, shares.evidence) == (delta, 0.0)
    assert (shares.learner, shares.sigma) == pytest.approx((delta - share, share))


def test_enough_scores_are_a_proof_and_what_it_takes_for_granted_is_said(path, tmp_path):
    log = scores(times=100)
    cpe.write_scores(log, tmp_path / "old.csv")
    old = cpe.read_observations(tmp_path / "old.csv")
    for given, assumed in (
        ({}, NOISE_ASSUMED),
        ({"sigma": 0.3}, "the noise of an observation is at most 0.3"),
    ):
        path = tmp_path / f"{len(given)}.jsonl"
        with cpe.Session.open(path, NAME, prior=old, delta=0.1, **given) as session:
            assert session.ask() == []
            status, best, progress = session.status(), session.best(), progress_of(session)
        assert status.answer == "{cleo, ann}"
        assert best.proved
        assert status.assumption == best.assumption == progress.assumption == assumed
        assert status.claim == f"proved, if {assumed}"
        assert progress.line.endswith(f", as subset-tracking promises, if {assumed}")
        assert ("99 % for sigma" in progress.confidence) == (not given)


def by_name(log):
    """The scores of teams, with the names of their members."""
    teams = [tuple(sorted(log.members[e] for e in team)) for team in log.teams]
    return sorted(zip(teams, log.scores.tolist(), strict=True))


def test_scores_go_by_labels_whatever_the_order_of_the_class(path):
    problem, log = cpe.TopK(6, 2, [*NAMES, "fay"]), scores(30)
    given = {"problem": problem, "prior": log, "noise": 0.2, "delta": 0.1}
    with cpe.Session.open(path, NAME, **given) as session:
        assert session.header.parameters == {"noise": 0.2, "feedback": "sums", "delta": 0.1}
        assert any("fay" in each.labels for each in session.ask(1000))  # nothing is known of her
        found = session.scores()
    with cpe.Session.open(path) as session:
        again = session.scores()
    for each in (found, again):
        assert by_name(each) == by_name(log)


def test_answers_and_old_scores_are_a_log_of_teams_again(path, tmp_path):
    log = scores(times=2, noise=3.0)
    with cpe.Session.open(path, NAME, prior=log, delta=0.1) as session:
        for question in session.ask(3):
            session.tell(question.id, 1.25)
        found = session.scores()
    assert found.teams[: len(log.teams)] == log.teams
    assert found.scores.tolist() == [*log.scores, 1.25, 1.25, 1.25]
    assert found.counts.tolist() == [1.0] * 23
    cpe.write_scores(found, tmp_path / "all.csv")
    again = cpe.read_scores(tmp_path / "all.csv")
    assert (again.teams, again.members) == (found.teams, found.members)
    assert again.scores.tolist() == found.scores.tolist()


# Votes at positions


LOG = """position,winner,loser,count
lead,ann,bob,30
lead,bob,ann,2
lead,cleo,bob,9
desk,bob,ann,7
"""
EDGES = [("bob", "desk"), ("ann", "desk"), ("cleo", "lead"), ("bob", "lead"), ("ann", "lead")]


def test_votes_at_positions_are_told_by_their_edges(path, tmp_path, begun):
    (tmp_path / "old.csv").write_text(LOG)
    old = cpe.read_observations(tmp_path / "old.csv")
    given = {"problem": cpe.BipartiteGraph.from_labels(EDGES), "prior": old, "delta": 0.1}
    asked = []
    for options in (given, {}):
        with cpe.Session.open(path, "matching-tracking", **options) as session:
            asked.append(session.ask(50))
    assert asked[0] == asked[1] != []
    for known, parameters in begun:
        at, wins = {label: k for k, label in enumerate(known.edge_labels)}, parameters["prior"]
        assert wins[at["lead: ann"], at["lead: bob"]] == 30
        assert wins[at["lead: cleo"], at["lead: bob"]] == 9
        assert sorted(wins[wins > 0]) == [2, 7, 9, 30]
    with cpe.Session.open(tmp_path / "s", "matching-tracking", prior=old, delta=0.1) as session:
        assert session.question_set.known.size == 5


def problems(tmp_path):
    """Observations from before that prove nothing, by their names."""
    (tmp_path / "old.csv").write_text(LOG)
    ranks = tmp_path / "x.soc"
    ranks.write_text("# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n3: 1,2\n2: 2,1\n")
    duels = cpe.load_problem(tmp_path / "old.csv")
    return {
        "votes": duels,
        "probabilities": cpe.MatchingDuels(duels.graph, duels.array),
        "rankings": cpe.MatchingDuels.from_preferences({"desk": cpe.load_problem(ranks)}),
        "selected": cpe.Votes([[0, 3], [2, 0]], selected=[[0, 1], [1, 0]]),
        "arms": cpe.Votes([[0, 1], [2, 0]]),
        "scores": scores(2),
        "sizes": cpe.TeamScores([["a", "b"], ["c"]], [1, 2]),
        "silent": scores(1, noise=0.0),
        "list": [1, 2],
    }


@pytest.mark.parametrize(
    ("learner", "prior", "given", "message"),
    [
        ("icb", "scores", {}, "icb cannot start from earlier observations; subset-tracking can"),
        (NAME, "scores", {"problem": cpe.TopK(4, 2, NAMES[:4])}, "prior: scores of 'eve', which"),
        (NAME, "scores", {"problem": cpe.TopK(5, 3, NAMES)}, "{dan, eve} was seen, which is no"),
        (NAME, "scores", {"feedback": "single"}, "feedback is 'single', and scores of teams"),
        (NAME, "silent", {}, "sigma, the standard deviation of a team's score, is not known"),
        (NAME, "sizes", {}, "teams of different sizes"),
        (NAME, "arms", {"problem": cpe.TopK(2, 1)}, "prior: observations of the family 'dueling'"),
        (NAME, "list", {"problem": cpe.TopK(2, 1)}, "prior is of the kind list, expected"),
        ("car-cond", "votes", {}, "car-cond cannot start from earlier observations; matching-tr"),
        ("matching-tracking", "probabilities", {}, "has probabilities, which prove nothing"),
        ("matching-tracking", "rankings", {}, "matchings has votes of rankings, whose pairs"),
        ("copeland-tracking", "selected", {}, "votes has pairs that are selected by what"),
    ],
)
def test_what_a_session_cannot_start_from_is_refused(
    path, tmp_path, learner, prior, given, message
):
    with pytest.raises(cpe.InputError, match=re.escape(message)):
        cpe.Session.open(path, learner, prior=problems(tmp_path)[prior], delta=0.1, **given)
    assert not path.exists()

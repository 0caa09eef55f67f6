"""What was observed before a session: votes on arms and at positions, and scores of teams."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.proofs.subsets.noise_bound import NOISE_ASSUMED, largest_sigma

NAMES = ("ann", "bob", "cleo", "dan", "eve")
THETA = dict(zip(NAMES, (3.0, 1.0, 2.5, 0.5, -1.0), strict=True))
NAME = "subset-tracking"


def scores(times=1, noise=0.3, seed=0, k=2):
    rng = np.random.default_rng(seed)
    teams = [team for team in itertools.combinations(reversed(NAMES), k) for _ in range(times)]
    seen = [sum(THETA[name] for name in team) + noise * rng.normal() for team in teams]
    return cpe.TeamScores(teams, seen, name="old")


def test_old_votes_count_by_their_labels(path):
    votes = cpe.Votes([[0, 30.5], [2.5, 0]], ["cow", "ant"], tied=[[0, 3], [3, 0]])
    options = {"labels": ("ant", "bee", "cow"), "delta": 0.1, "prior": votes}
    with cpe.Session.open(path, "copeland-tracking", **options) as session:
        assert "bee" in session.ask()[0].labels  # the pairs that never met are asked first
    with cpe.Session.open(path, prior=votes) as session:
        assert session.votes().wins.tolist() == [[0, 0, 2.5], [0, 0, 0], [30.5, 0, 0]]
        assert session.votes().tied[0, 2] == session.votes().tied[2, 0] == 3
        assert session.best().evidence.votes == session.votes()


def test_scores_alone_say_which_sets_there_are(path, begun):
    log, asked = scores(times=3, noise=2.0), []
    for given in ({"prior": log, "delta": 0.1}, {}):  # the log holds all of it
        with cpe.Session.open(path, NAME, **given) as session:
            assert session.question_set.labels == log.members == NAMES[::-1]
            asked.append([(each.id, each.kind) for each in session.ask(1000)])
    assert asked[0] == asked[1] != []
    totals = repr(log.totals(log.decisions()))
    assert {(k.size, k.k, repr(p["prior"])) for k, p in begun} == {(5, 2, totals)}


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


@pytest.mark.parametrize(
    ("given", "assumed"),
    [({}, NOISE_ASSUMED), ({"sigma": 0.3}, "the noise of an observation is at most 0.3")],
)
def test_enough_scores_are_a_proof_and_what_it_takes_for_granted_is_said(path, given, assumed):
    with cpe.Session.open(path, NAME, prior=scores(times=100), delta=0.1, **given) as session:
        assert session.ask() == []
        status, best = session.status(), session.best()
    assert status.answer == "{cleo, ann}"
    assert best.proved
    assert status.assumption == best.assumption == assumed
    assert status.claim == f"proved, if {assumed}"


def test_old_scores_go_by_labels_and_with_the_answers_they_are_a_log_again(path):
    problem, log = cpe.TopK(6, 2, [*NAMES, "fay"]), scores(30)
    given = {"problem": problem, "prior": log, "noise": 0.2, "delta": 0.1}
    with cpe.Session.open(path, NAME, **given) as session:
        assert session.header.parameters == {"noise": 0.2, "feedback": "sums", "delta": 0.1}
        first = session.ask()[0]
        assert any("fay" in each.labels for each in session.ask(1000))  # nothing is known of her
        session.tell(first.id, 1.25)
    with cpe.Session.open(path) as session:
        after = session.scores()

    def by_name(log):
        teams = [tuple(sorted(log.members[e] for e in team)) for team in log.teams]
        return sorted(zip(teams, log.scores.tolist(), strict=True))

    assert by_name(after) == sorted([*by_name(log), (tuple(sorted(first.labels)), 1.25)])


LOG = "position,winner,loser,count\nlead,ann,bob,30\nlead,bob,ann,2\ndesk,bob,ann,7\n"
EDGES = [("bob", "desk"), ("ann", "desk"), ("cleo", "lead"), ("bob", "lead"), ("ann", "lead")]


def test_votes_at_positions_are_told_by_their_edges(path, tmp_path, begun):
    (tmp_path / "old.csv").write_text(LOG)
    prior = cpe.read_observations(tmp_path / "old.csv")
    given = {"problem": cpe.BipartiteGraph.from_labels(EDGES), "prior": prior, "delta": 0.1}
    asked = []
    for options in (given, {}):
        with cpe.Session.open(path, "matching-tracking", **options) as session:
            asked.append(session.ask(50))
    assert asked[0] == asked[1] != []
    for known, parameters in begun:
        at, wins = {label: k for k, label in enumerate(known.edge_labels)}, parameters["prior"]
        assert wins[at["lead: ann"], at["lead: bob"]] == 30
        assert sorted(wins[wins > 0]) == [2, 7, 30]
    with cpe.Session.open(path.with_name("s"), "matching-tracking", prior=prior) as session:
        assert session.question_set.known.size == 4

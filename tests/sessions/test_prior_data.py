"""What was observed before a session: scores of teams, votes at positions."""

import itertools
import re

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.commands.sessions import proved
from cpe_opt.errors import InputError
from cpe_opt.learners.exchange import Exchange
from cpe_opt.proofs.subsets.noise_bound import NOISE_ASSUMED, largest_sigma
from cpe_opt.sessions.progress import progress_of

NAMES = ("ann", "bob", "cleo", "dan", "eve")
THETA = dict(zip(NAMES, (3.0, 1.0, 2.5, 0.5, -1.0), strict=True))
NAME = "subset-tracking"


def scores(times=1, noise=0.3, seed=0, k=2):
    rng = np.random.default_rng(seed)
    teams = [team for team in itertools.combinations(reversed(NAMES), k) for _ in range(times)]
    seen = [sum(THETA[name] for name in team) + noise * rng.normal() for team in teams]
    return cpe.TeamScores(teams, seen, name="old")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "teams.jsonl"


def test_scores_alone_say_which_sets_there_are_and_how_loud_they_are(path):
    log = scores(times=3, noise=2.0)
    with cpe.Session.open(path, NAME, prior=log, delta=0.1) as session:
        assert session.question_set.labels == log.members == NAMES[::-1]
        assert session.question_set.known.k == 2
        told = session.header.parameters
        assert told == {"delta": 0.1, "feedback": "sums", "sigma": largest_sigma(log, 0.1 * 0.1)}
        asked = session.ask(1000)
    totals = log.totals(log.decisions())
    query = Exchange(
        cpe.learners.subset_tracking,
        cpe.TopK(5, 2),
        0,
        prior=totals,
        **{**told, "delta": 0.1 - 0.1 * 0.1},
    ).query
    assert len(asked) == query.rounds > 1
    assert {question.query.sets[0] for question in asked} == {*query.sets}
    with cpe.Session.open(path) as session:  # the log holds all of it
        assert [each.id for each in session.ask(1000)] == [each.id for each in asked]
    with cpe.Session.open(path, prior=log, delta=0.1) as session:
        assert session.status().answers == 0
        shares = session.header.shares
        assert (shares.delta, shares.evidence, shares.sigma) == (0.1, 0.0, pytest.approx(0.01))
        assert shares.learner + shares.sigma == pytest.approx(0.1)
    with pytest.raises(InputError, match="prior: not those that the session was begun with"):
        cpe.Session.open(path, prior=scores(times=3, noise=2.0, seed=1))


def test_an_estimate_of_sigma_and_the_learner_share_delta(path):
    told = []

    def noting(decisions, *, delta, sigma, prior, planned=False):
        told.append((delta, sigma))
        yield cpe.PullSets([(0, 1)], [1])
        return frozenset({0, 1})

    log = scores(times=3)
    for given in ({"prior": log, "delta": 0.1}, {}):  # and when it is opened again
        with cpe.Session.open(path, noting, **given) as session:
            assert session.header.parameters["delta"] == 0.1
    assert {*told} == {(0.1 - 0.1 * 0.1, largest_sigma(log, 0.1 * 0.1))}
    with cpe.Session.open(path.with_name("known.jsonl"), noting, prior=log, delta=0.1, sigma=0.5):
        assert told[-1] == (0.1, 0.5)
    plan = path.with_name("planned.jsonl")
    with cpe.Session.open(plan, noting, prior=log, delta=0.1, planned=True):
        assert told[-1] == (0.1 - 0.1 * 0.1, largest_sigma(log, 0.1 * 0.1, planned=True))
    assert told[-1][1] < told[0][1]


def test_a_learner_of_scores_shares_its_delta_where_none_is_given(path):
    told = []

    def noting(decisions, *, delta=0.2, sigma, prior):
        told.append((delta, sigma))
        yield cpe.PullSets([(0, 1)], [1])
        return frozenset({0, 1})

    log = scores(times=3)
    with cpe.Session.open(path, noting, prior=log) as session:
        assert session.header.shares.delta == 0.2
    assert {*told} == {(0.2 - 0.2 * 0.1, largest_sigma(log, 0.2 * 0.1))}


def test_what_an_estimated_sigma_takes_for_granted_stands_next_to_every_claim(path):
    with cpe.Session.open(path, NAME, prior=scores(times=100), delta=0.1) as session:
        said = session.status(), session.best(), progress_of(session)
        assert session.finished
        assert all(each.assumption == NOISE_ASSUMED for each in said)
        assert said[2].confidence == (
            "90 % that all of it is right, however often one looks: 91 % for the answer of "
            "subset-tracking, 99 % for sigma"
        )
        assert said[0].claim == f"proved, if {NOISE_ASSUMED}"
        assert said[2].line.endswith(f", as subset-tracking promises, if {NOISE_ASSUMED}")
        assert proved(said[2]).endswith(f", as subset-tracking promises, if {NOISE_ASSUMED}")
    known = path.with_name("known.jsonl")
    with cpe.Session.open(known, NAME, prior=scores(times=100), delta=0.1, sigma=0.3) as session:
        assert (
            session.best().assumption
            == session.status().assumption
            == progress_of(session).assumption
            == "the noise of an observation is at most 0.3"
        )
        assert (
            progress_of(session).confidence
            == "90 % that all of it is right, however often one looks"
        )


def test_enough_scores_are_a_proof_and_nothing_is_asked(path, tmp_path):
    log = scores(times=100)
    cpe.write_scores(log, tmp_path / "old.csv")
    with cpe.Session.open(
        path, NAME, prior=cpe.read_observations(tmp_path / "old.csv"), delta=0.1, sigma=0.3
    ) as session:
        assert session.ask() == []
        assert session.status().answer == "{cleo, ann}"
        assert session.best().proved
        assert session.header.parameters["sigma"] == 0.3


def test_scores_go_by_labels_whatever_the_order_of_the_class(path):
    problem = cpe.TopK(6, 2, [*NAMES, "fay"])
    with cpe.Session.open(
        path, NAME, problem=problem, prior=scores(30), noise=0.2, delta=0.1
    ) as session:
        assert session.header.parameters == {"noise": 0.2, "feedback": "sums", "delta": 0.1}
        asked = session.ask(1000)
        assert any("fay" in question.labels for question in asked)  # of whom nothing is known
        assert session.best().answer is not None
        [told] = [each for each in session.header.prior.for_learner if each[0] == (0, 1)]
        by_name = [s for t, s in zip(*lines(scores(30)), strict=True) if {*t} == {"ann", "bob"}]
        assert told[1:] == (30, pytest.approx(sum(by_name)))
        known = session.header.prior.for_learner
    with cpe.Session.open(path) as session:
        assert session.header.prior.for_learner == known


def lines(log):
    return [[log.members[e] for e in team] for team in log.teams], log.scores.tolist()


def test_answers_and_old_scores_are_a_log_of_teams_again(path, tmp_path):
    log = scores(times=2, noise=3.0)
    with cpe.Session.open(path, NAME, prior=log, delta=0.1) as session:
        for question in session.ask(3):
            session.tell(question.id, 1.25)
        found = session.scores()
        assert found.teams[: len(log.teams)] == log.teams
        assert found.scores.tolist() == [*log.scores, 1.25, 1.25, 1.25]
        assert found.counts.tolist() == [1.0] * 23
        assert found.name == "teams"
        cpe.write_scores(found, tmp_path / "all.csv")
    again = cpe.read_scores(tmp_path / "all.csv")
    assert (again.teams, again.members) == (found.teams, found.members)
    assert again.scores.tolist() == found.scores.tolist()


def test_raters_of_numbers_prefer_no_place(path):
    with cpe.Session.open(path, NAME, problem=cpe.TopK(3, 1), delta=0.1) as session:
        [question] = session.ask(rater="ann")
        session.tell(question.id, 1.0, rater="ann")
        [row] = session.raters().to_dict("records")
    assert (row["rater"], row["answers"], row["ties"]) == ("ann", 1, 0)
    assert np.isnan(row["first"])


def test_sessions_without_sets_have_no_scores(path):
    duels = cpe.Session.open(path, "rucb", labels=["a", "b"])
    other = path.with_name("other.jsonl")
    sets = cpe.Session.open(other, NAME, problem=cpe.TopK(3, 1), delta=0.1)
    with duels, pytest.raises(InputError, match="asks about dueling: scores are those of sets"):
        duels.scores()
    with sets, pytest.raises(InputError, match="no set was answered in its turn yet"):
        sets.scores()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"learner": "icb", "prior": scores(2)}, "prior: icb cannot start from earlier "
         "observations; subset-tracking can"),
        ({"prior": scores(2), "problem": cpe.TopK(4, 2, NAMES[:4])},
         "prior: scores of 'eve', which is none of ann, bob, cleo and 1 more"),
        ({"prior": scores(2), "problem": cpe.TopK(5, 3, NAMES)},
         "{dan, eve} was seen, which is no set of 3 of 5"),
        ({"prior": scores(2), "feedback": "single"}, "feedback is 'single', and scores of teams"),
        ({"prior": scores(1, noise=0.0)}, "sigma, the standard deviation of a team's score, is "
         "not known, and 10 lines do not tell it"),
        ({"prior": cpe.TeamScores([["a", "b"], ["c"]], [1, 2])}, "teams of different sizes"),
        ({"prior": cpe.Votes([[0, 1], [2, 0]]), "problem": cpe.TopK(2, 1)},
         "prior: observations of the family 'dueling', and the session asks about one of "
         "'subsets'"),
        ({"prior": [1, 2], "problem": cpe.TopK(2, 1)}, "prior is of the kind list, expected"),
    ],
)  # fmt: skip
def test_what_a_session_cannot_start_from_is_refused(path, told, said):
    with pytest.raises(InputError, match=re.escape(said)):
        cpe.Session.open(path, **{"learner": NAME, "delta": 0.1, **told})
    assert not path.exists()


# Votes at positions


LOG = """position,winner,loser,count
lead,ann,bob,30
lead,bob,ann,2
lead,cleo,bob,9
desk,bob,ann,7
"""


def test_votes_at_positions_are_told_by_their_edges(path, tmp_path):
    (tmp_path / "old.csv").write_text(LOG)
    graph = cpe.BipartiteGraph.from_labels(
        [("bob", "desk"), ("ann", "desk"), ("cleo", "lead"), ("bob", "lead"), ("ann", "lead")]
    )
    with cpe.Session.open(
        path,
        "matching-tracking",
        problem=graph,
        prior=cpe.read_observations(tmp_path / "old.csv"),
        delta=0.1,
    ) as session:
        wins, edge = session.header.prior.for_learner, graph.edge_labels.index
        of = {label: edge(label) for label in graph.edge_labels}
        found = {
            (winner, loser): wins[of[winner], of[loser]]
            for winner, loser in itertools.product(of, of)
            if wins[of[winner], of[loser]]
        }
        assert sorted(found.values()) == [2, 7, 9, 30]
        assert found["lead: ann", "lead: bob"] == 30
        assert found["lead: cleo", "lead: bob"] == 9
        asked = session.ask(50)
        assert asked
    with cpe.Session.open(path) as session:
        assert session.header.prior.for_learner.tolist() == wins.tolist()
        assert session.ask(50) == asked
    fresh = path.with_name("fresh.jsonl")
    with cpe.Session.open(
        fresh, "matching-tracking", prior=cpe.read_observations(tmp_path / "old.csv"), delta=0.1
    ) as session:
        assert session.question_set.known.size == 5


def test_car_cond_cannot_start_from_votes_and_probabilities_are_none(path, tmp_path):
    (tmp_path / "old.csv").write_text(LOG)
    duels = cpe.load_problem(tmp_path / "old.csv")
    with pytest.raises(
        InputError, match="car-cond cannot start from earlier observations; matching-tr"
    ):
        cpe.Session.open(path, "car-cond", prior=duels, delta=0.1)
    sure = cpe.MatchingDuels(duels.graph, duels.array)
    with pytest.raises(InputError, match="has probabilities, which prove nothing without how"):
        cpe.Session.open(path, "matching-tracking", prior=sure, delta=0.1)


def test_rankings_and_selected_votes_are_refused(path, tmp_path):
    ranks = tmp_path / "x.soc"
    ranks.write_text("# NUMBER ALTERNATIVES: 2\n3: 1,2\n2: 2,1\n", encoding="utf-8")
    at_desk = cpe.MatchingDuels.from_preferences({"desk": cpe.load_problem(ranks)})
    with pytest.raises(InputError, match="prior: matchings has votes of rankings, whose pairs"):
        cpe.Session.open(path, "matching-tracking", prior=at_desk, delta=0.1)
    selected = cpe.Votes([[0, 3], [2, 0]], selected=[[0, 1], [1, 0]])
    with pytest.raises(InputError, match="prior: votes has pairs that are selected by what"):
        cpe.Session.open(path, "copeland-tracking", prior=selected, delta=0.1)

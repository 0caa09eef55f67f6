"""What scores of teams prove: bounds, members, the next teams, and how often it is wrong."""

import itertools
import json
import math
import re

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.learners.exchange import Exchange
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.proofs.subsets.adaptive_samples import SelfNormalizedBound
from cpe_opt.proofs.subsets.noise_bound import NOISE_ASSUMED, largest_sigma
from cpe_opt.reports.decision import write_evidence_page
from tests.formulations.subsets.test_oracle import CLASSES

NAMES = ["ann", "bob", "cleo", "dan", "eve"]
THETA = np.array([3.0, 1.0, 2.5, 0.5, -1.0])


def log_of(decisions, theta, times, noise=1.0, seed=0):
    """Each set so often, with normal noise; a line a set, which is a mean."""
    rng = np.random.default_rng(seed)
    sets = list(decisions.sets())
    scores = [sum(theta[list(m)]) + noise * rng.normal() / math.sqrt(times) for m in sets]
    teams = [[decisions.labels[e] for e in members] for members in sets]
    return cpe.TeamScores(teams, scores, [times] * len(sets))


def pairs(times, **told):
    return log_of(cpe.TopK(5, 2, NAMES), THETA, times, **told)


def test_what_is_said_grows_with_the_scores():
    found = [cpe.team_evidence(pairs(times), sigma=1.0) for times in (1, 4, 200)]
    assert found[0].loss > found[1].loss > found[2].loss == 0.0
    assert [each.proved for each in found] == [False, False, True]
    assert found[0].standing == ("possible",) * 5
    last = found[2]
    assert last.decisions.describe(last.best) == "{ann, cleo}"
    assert dict(zip(last.decisions.labels, last.standing, strict=True)) == {
        "ann": "in", "bob": "out", "cleo": "in", "dan": "out", "eve": "out",
    }  # fmt: skip
    assert (last.next, last.missing) == ((), 0.0)
    assert last.theta == pytest.approx(THETA, abs=0.1)
    assert "{ann, cleo} is the best team" in str(last)


@pytest.mark.parametrize("kind", ["top", "partition", "trees", "dag", "matchings"])
def test_the_loss_and_the_standings_are_those_of_the_bounds_on_all_sets(kind):
    """Of a listed class exactly; of a matroid no less is said to be open than is."""
    decisions = CLASSES[kind]
    theta = np.random.default_rng(3).normal(size=decisions.size)
    log = log_of(decisions, theta, 60)
    found = cpe.team_evidence(log, decisions, sigma=1.0, delta=0.1)
    totals = log.totals(decisions)
    known = SelfNormalizedBound(
        indicators([t[0] for t in totals], decisions.size),
        np.array([t[1] for t in totals]),
        np.array([t[2] for t in totals]),
    )
    sets = [*map(tuple, map(sorted, decisions.sets()))]
    others = [members for members in sets if members != found.best]
    rows = indicators([found.best], decisions.size) - indicators(others, decisions.size)
    lower = dict(zip(others, known.lower(rows, math.log(10.0)), strict=True))
    matroid = decisions.exchanges(found.best) is not None
    worst = max(0.0, -min(lower.values()))
    assert found.loss >= worst - 1e-6 if matroid else found.loss == pytest.approx(worst, abs=1e-6)
    truth = cpe.best_subset(decisions, theta).elements
    for element, standing in enumerate(found.standing):
        if standing != "possible":
            assert (standing == "in") == (element in truth)
        if not matroid:
            inside = element in found.best
            against = [lower[m] for m in others if (element in m) != inside]
            sure = all(bound > 0.0 for bound in against)
            assert (standing != "possible") == sure


def test_a_member_of_a_matroid_is_sure_before_the_team_is():
    """Two are close; the third is far ahead of both."""
    decisions = cpe.TopK(3, 2, ["a", "b", "c"])
    found = cpe.team_evidence(log_of(decisions, np.array([5.0, 1.0, 0.99]), 50), sigma=1.0)
    assert not found.proved
    assert found.standing[found.decisions.labels.index("a")] == "in"
    assert found.standing.count("possible") == 2


def test_planned_teams_prove_more_and_say_so():
    log = pairs(4)
    any_way = cpe.team_evidence(log, sigma=1.0)
    planned = cpe.team_evidence(log, sigma=1.0, planned=True)
    assert planned.loss < 0.9 * any_way.loss
    assert (
        "95 %, if teams were chosen before any score was seen, and the noise of a score is "
        "sigma-sub-Gaussian, and normal if one looks more than once: no team"
    ) in str(planned)
    assert "95 %, however teams were chosen: no team is better by more than" in str(any_way)


def test_sigma_is_that_of_the_residuals_and_costs_a_tenth_of_delta():
    rng = np.random.default_rng(0)
    teams = [[*t] for t in itertools.combinations(NAMES, 2)] * 6
    log = cpe.TeamScores(teams, rng.normal(size=60))
    found = cpe.team_evidence(log, delta=0.2)
    assert (found.sigma, found.sigma_given) == (largest_sigma(log, 0.1 * 0.2), False)
    given = cpe.team_evidence(log, delta=0.18, sigma=found.sigma)
    assert given.loss == pytest.approx(found.loss)
    assert "sigma of a score: at most " in str(found)
    assert f"sigma of a score: {given.sigma:.4g}, as given" in str(given)
    assert found.as_dict()["sigma_given"] is False


@pytest.mark.parametrize("planned", [True, False])
def test_what_an_estimated_sigma_takes_for_granted_stands_next_to_the_claim(planned):
    log = pairs(30)
    lines = cpe.TeamScores(
        [[log.members[e] for e in team] for team in log.teams] * 4,
        np.random.default_rng(1).normal(size=40),
    )
    found = cpe.team_evidence(lines, planned=planned)
    assert found.sigma == largest_sigma(lines, 0.1 * 0.05, planned=planned)
    [claim] = [line for line in str(found).split("\n\n") if "proved at 95 %" in line]
    assert NOISE_ASSUMED in claim.replace("\n", " ")
    assert found.as_dict()["assumes"] == [
        *(["teams were chosen before any score was seen"] * planned),
        NOISE_ASSUMED,
    ]
    given = cpe.team_evidence(lines, planned=planned, sigma=1.0)
    assert NOISE_ASSUMED not in str(given)
    assert given.as_dict()["assumes"][-1].startswith("the noise of a score is sigma-sub-Gaussian")


def test_units_do_not_matter():
    log = pairs(4)
    louder = cpe.TeamScores(
        [[log.members[e] for e in team] for team in log.teams], 8.0 * log.scores, log.counts
    )
    one, other = cpe.team_evidence(log, sigma=1.0), cpe.team_evidence(louder, sigma=8.0)
    assert one.loss > 0.0
    assert other.loss == pytest.approx(8.0 * one.loss)
    assert (other.next, other.standing) == (one.next, one.standing)
    assert other.theta == pytest.approx(8.0 * one.theta)


def test_the_next_teams_are_those_that_the_learner_would_ask_for():
    log = pairs(5)
    found = cpe.team_evidence(log, sigma=1.0)
    query = Exchange(
        cpe.learners.subset_tracking, found.decisions, 0, delta=0.05, feedback="sums", sigma=1.0,
        prior=log.totals(found.decisions),
    ).query  # fmt: skip
    assert dict(found.next) == dict(zip(query.sets, query.times, strict=True))
    times = [count for _, count in found.next]
    assert times == sorted(times, reverse=True)
    assert 0 < found.missing < math.inf
    named = found.decisions.describe(found.next[0][0])
    assert f"next: {named}; about {found.missing:,.0f} further scores" in str(found)


@pytest.mark.parametrize("planned", [True, False])
def test_nothing_is_said_of_who_was_not_seen(planned):
    decisions = cpe.TopK(6, 2, [*NAMES, "fay"])
    found = cpe.team_evidence(pairs(2000), decisions, sigma=1.0, planned=planned)
    assert math.isinf(found.loss)
    assert found.standing[5] == "possible"
    assert any(5 in members for members, _ in found.next)
    assert "nothing yet of {" in str(found)
    assert found.as_dict()["adds"]["fay"] == pytest.approx(0.0)


def test_what_it_is_as_a_table_and_as_json():
    found = cpe.team_evidence(pairs(4), sigma=1.0)
    table = found.table()
    assert table["adds"].is_monotonic_decreasing
    assert table["seen"].tolist() == [16.0] * 5
    plain = json.loads(json.dumps(found.as_dict()))
    assert plain["class"] == "2 of 5"
    assert plain["scores"] == 40
    assert set(plain["standing"]) == set(NAMES)
    assert plain["next"][0]["times"] == found.next[0][1]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"decisions": cpe.TopK(4, 2, NAMES[:4])}, "'eve' is none of the elements of 2 of 4"),
        ({"sigma": 0.0}, "sigma is 0.0, expected a finite number above 0"),
        ({"delta": 1.5}, "delta is 1.5"),
        ({"scores": [1, 2]}, "expected a TeamScores"),
    ],
)
def test_what_makes_no_sense_is_refused(told, said):
    with pytest.raises(InputError, match=re.escape(said)):
        cpe.team_evidence(**{"scores": pairs(2), "sigma": 1.0, **told})


@pytest.mark.parametrize(("counts", "seen"), [("", 6), (",count", 11)])
def test_columns_by_which_scores_may_depend_are_named(tmp_path, counts, seen):
    rows = [("a+b", 3, "p"), ("a+c", 2, "q"), ("b+c", 1, "p")] * 2
    lines = [
        f"{team},{score},{judge},{number}{',2' * bool(counts) if number else counts and ',1'}"
        for number, (team, score, judge) in enumerate(rows)
    ]
    path = tmp_path / "teams.csv"
    path.write_text("\n".join([f"team,score,Judge,project{counts}", *lines]) + "\n")
    log = cpe.read_scores(path)
    found = cpe.team_evidence(log, sigma=1.0)
    assert f"warning: the column 'judge' has 2 different values in {seen} scores" in str(found)
    assert json.loads(json.dumps(found.as_dict()))["clusters"] == [
        {"column": "judge", "values": 2, "observations": seen}
    ]
    assert "warning" not in str(cpe.team_evidence(pairs(2), sigma=1.0))


def crews(rng, lines=40, noise=1.0, constant=0.0):
    """Teams of one, two and four, so many of each."""
    teams = [rng.choice(NAMES, size, replace=False).tolist() for size in [1, 2, 4] * lines]
    place = {name: number for number, name in enumerate(NAMES)}
    sums = [constant + sum(THETA[place[name]] for name in team) for team in teams]
    return cpe.TeamScores(teams, np.array(sums) + noise * rng.normal(size=len(teams)))


def test_teams_of_other_sizes_say_what_members_add():
    log = crews(np.random.default_rng(1))
    two = log.decisions(2)
    inside = [k for k, team in enumerate(log.teams) if len(team) == 2]
    names = [[log.members[e] for e in log.teams[k]] for k in inside]
    alone = cpe.team_evidence(cpe.TeamScores(names, log.scores[inside]), sigma=1.0)
    found = cpe.team_evidence(log, two, sigma=1.0)
    assert found.loss < 0.8 * alone.loss
    assert dict(zip(two.labels, found.theta, strict=True)) == pytest.approx(
        dict(zip(NAMES, THETA, strict=True)), abs=0.6
    )
    sets = indicators(log.teams, 5)
    assert found.theta == pytest.approx(np.linalg.lstsq(sets, log.scores, rcond=None)[0])
    assert found.others == 80
    assert "80 scores of teams that are no 2 of 5 count, too" in str(found)
    assert "in teams of every size alike" in str(found)
    assert "in teams of every size alike" in found.as_dict()["assumes"][0]
    assert "of every size" not in str(alone)
    with pytest.raises(InputError, match=r"different sizes, 1 to 4; .* Give k \(--k"):
        cpe.team_evidence(log)


def test_the_bounds_by_teams_of_other_sizes_are_right_as_often_as_said():
    """Of five equal members, none is proved to be in the best team or not, in nine of ten cases."""
    wrong = 0
    for seed in range(15):
        rng = np.random.default_rng(seed)
        teams = [rng.choice(NAMES, size, replace=False).tolist() for size in [1, 2, 4] * 8]
        log = cpe.TeamScores(teams, [len(team) + rng.normal() for team in teams])
        found = cpe.team_evidence(log, log.decisions(2), sigma=1.0, delta=0.1, planned=True)
        wrong += "in" in found.standing or "out" in found.standing
    assert wrong <= 2


def test_the_page_of_a_log_of_teams(tmp_path):
    found = cpe.team_evidence(pairs(200), sigma=1.0)
    page = write_evidence_page(found, tmp_path / "teams.html").read_text()
    assert "what the scores prove" in page
    assert "{ann, cleo} is the best team." in page
    assert "sigma of a score: 1, as given" in page

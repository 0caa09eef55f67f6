"""The state behind Algorithm 1, duel by duel, against the same found from scratch."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.dueling.best_winner import winner_program
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows, ecw_rows
from cpe_opt.formulations.dueling.lower_bound import ecw_evidence
from cpe_opt.learners.dueling import copeland_rmed, ecw_rmed
from cpe_opt.learners.dueling.copeland_rmed import (
    ForcedPairs,
    WantedPairs,
    WinnerEvidence,
    evidence_of_winners,
)
from cpe_opt.learners.dueling.duel_counts import DuelTally, Estimates
from cpe_opt.learners.dueling.ecw_rmed import RelaxedOptimum, SortedLists
from cpe_opt.ties import first_smallest
from tests.support import random_preferences


def duels(arms, seed, count):
    """Random duels of random pairs, with estimates that often cross one half at first."""
    rng = np.random.default_rng(seed)
    mu = random_preferences(arms, rng).array
    for _ in range(count):
        i, j = rng.permutation(arms)[:2].tolist()
        yield i, j, int(rng.random() < mu[i, j])


def played(arms, seed, count):
    """Estimates after so many duels."""
    estimates = Estimates(DuelTally(arms))
    for i, j, won in duels(arms, seed, count):
        estimates.count(i, j, won)
    return estimates


SIZES = [(2, 3), (3, 20), (5, 4), (5, 60), (8, 300), (12, 3000)]


def rows_evidence(estimates, winner, challengers=None):
    """From the rows as families, each winner's for itself."""
    rows = copeland_rows(estimates.tally.estimate, winner, "literal")
    x = estimates.tally.evidence
    if not rows.count:
        return math.inf
    values = rows.values(x[winner, rows.inferiors], rows.tail_sums(x))
    if challengers is not None:
        values = values[np.isin(rows.challengers[rows.block], challengers)]
    return values.min(initial=math.inf)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("arms", "count"), SIZES)
def test_evidence_of_all_winners_is_that_of_each(arms, count, seed):
    estimates = played(arms, seed, count)
    winners = estimates.tournament.winners
    expected = [rows_evidence(estimates, winner) for winner in winners]
    assert evidence_of_winners(estimates) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    few = np.random.default_rng(seed).permutation(arms)[:3]
    expected = [rows_evidence(estimates, winner, few) for winner in winners]
    found = evidence_of_winners(estimates, few)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("many", [32, 0])
def test_evidence_reaches_a_level_when_that_of_a_winner_does(many, monkeypatch):
    """Also where, as with many arms, a few challengers are asked first."""
    monkeypatch.setattr(copeland_rmed, "_MANY", many)
    estimates = Estimates(DuelTally(6))
    evidence, rng = WinnerEvidence(estimates), np.random.default_rng(0)
    answers = set()
    for i, j, won in duels(6, 0, 500):
        gained, change = estimates.count(i, j, won)
        evidence.grown(gained, flipped=change is None)
        if rng.random() < 0.5:
            continue
        winners = estimates.tournament.winners
        found = np.array([rows_evidence(estimates, winner) for winner in winners])
        level = float(rng.choice([0.5, 1.0, 1.5])) * min(found.max(), 9.0) + 0.01
        answers.add(bool(found.max() >= level))
        assert evidence.reaches(level) == (found.max() >= level)
        if rng.random() < 0.3:
            assert evidence.largest == pytest.approx(found.max(), abs=1e-12)
            assert evidence.safest == winners[first_smallest(-found)]
    assert answers == {True, False}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("arms", "count"), SIZES)
def test_lists_give_the_relaxation_of_every_winner(arms, count, seed):
    estimates = played(arms, seed, count)
    costs, tournament = estimates.costs, estimates.tournament
    lists = SortedLists(tournament, costs)
    expected, optima = [], []
    for winner in tournament.winners:
        x = ecw_evidence(ecw_rows(estimates.tally.estimate, winner, "literal"), costs)
        expected.append(float(np.triu(x * costs).sum()))
        rows = copeland_rows(estimates.tally.estimate, winner, "literal")
        optima.append(cpe.solve(winner_program(rows, costs, "compact", "fresh").program).objective)
    assert lists.relaxed_optima() == pytest.approx(expected, rel=1e-9, abs=1e-12)
    bounds = lists.lower_bounds()
    assert (bounds <= np.array(optima) * (1 + 1e-7) + 1e-9).all()
    assert bounds.max() > 0.0 or not tournament.first or max(optima) < 1e-9


@pytest.mark.parametrize("followed", [1, 8])
@pytest.mark.parametrize(("arms", "count"), [(3, 300), (6, 400), (10, 300)])
def test_the_closed_form_is_kept_right_duel_by_duel(arms, count, followed, monkeypatch):
    """Also where winners are too many to solve for each."""
    monkeypatch.setattr(ecw_rmed, "_FOLLOWED", followed)
    estimates = Estimates(DuelTally(arms))
    optimum, tally = RelaxedOptimum(estimates), estimates.tally
    last, known, kept = None, None, 0
    for i, j, won in duels(arms, 0, count):
        _, change = estimates.count(i, j, won)
        if change is not None:
            optimum.cost_changed(*((i, j) if tally.leads(i, j) else (j, i)), change)
        elif i % 2:
            continue
        solution, winners, costs = optimum.solution(), estimates.tournament.winners, estimates.costs
        points = [ecw_evidence(ecw_rows(tally.estimate, w, "literal"), costs) for w in winners]
        best = first_smallest([float(np.vdot(x, costs)) / 2 for x in points])
        assert solution.winner == winners[best]
        assert np.allclose(solution.x, points[best], rtol=1e-12)
        # A solution that was handed out does not change.
        assert last is None or np.array_equal(last.x, known)
        kept += solution is last
        last, known = solution, solution.x.copy()
    assert kept > count / 10


def test_a_pair_near_one_half_is_drawn_as_soon_as_ln_ln_t_is_positive():
    """From t = 3 on; β / ln ln t is 0.11 at 3, 0.03 at 4, 0.014 at 8 for β = 0.01."""
    tally = DuelTally(2)
    tally.add(0, 1, 52, 100)
    assert [t for t in range(1, 10) if ForcedPairs(tally, 0.1, 0.01).due(t, [])] == [3, 4, 5]


def test_a_pair_with_too_few_draws_is_drawn():
    """From the first t with α √ln t > 4 on: t = 6 for α = 3."""
    tally = DuelTally(2)
    tally.add(0, 1, 4, 4)
    assert [t for t in range(1, 8) if ForcedPairs(tally, 3.0, 0.0).due(t, [])] == [6, 7]


def test_forced_pairs_that_are_kept_are_those_found_from_scratch():
    """Where each turn draws some pairs, and those that are forced; most turns force none."""
    tally, rng, t = DuelTally(4), np.random.default_rng(0), 1
    kept, drawn, none = ForcedPairs(tally, 1.0, 0.05), [], 0
    for _ in range(2000):
        due = kept.due(t, drawn)
        assert due == ForcedPairs(tally, 1.0, 0.05).due(t, [])
        none += not due
        drawn = [int(rng.choice([5, 1, 2, 3, 6, 7, 11]))]
        for i, j in (divmod(pair, 4) for pair in [*due, *drawn]):
            if i != j:
                tally.add(i, j, int(rng.random() < 0.55))
        t += 1 + len(due)
    assert 1000 < none < 2000


def test_wanted_pairs_that_are_kept_are_those_found_from_scratch():
    """While an optimum stays for fifty rounds, of which some draw a pair."""
    arms, rng = 5, np.random.default_rng(0)
    estimates, joined = Estimates(DuelTally(arms)), 0
    optimum, tally = RelaxedOptimum(estimates), estimates.tally
    for i, j, won in duels(arms, 0, 30):
        estimates.count(i, j, won)
    kept = WantedPairs(tally)
    for number, (i, j, won) in enumerate(duels(arms, 1, 1000)):
        if number % 50 == 0:
            solution = optimum.solution()
        if rng.random() < 0.3:
            estimates.count(i, j, won)
            kept.drawn.add(min(i, j) * arms + max(i, j))
        log_t = 0.01 * number
        expected = solution.x * log_t > tally.evidence
        expected[solution.winner, solution.winner] = True
        found = kept.pairs(solution, log_t).reshape(arms, arms)
        upper = np.triu_indices(arms)
        assert np.array_equal(found[upper], expected[upper])
        joined += expected.sum() > 1
    assert joined > 500

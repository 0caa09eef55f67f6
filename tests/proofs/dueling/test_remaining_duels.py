"""Further duels that prove a winner do, in smaller number they do not; plans keep all rows."""

import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import (
    copeland_rows,
    ecw_rows,
    identification_rows,
)
from cpe_opt.formulations.dueling.lower_bound import ecw_evidence
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.remaining_duels import remaining_duels
from cpe_opt.proofs.dueling.winners import copeland_proved, pair_proof
from tests.support import random_preferences

WINS = [[0, 60, 30, 70], [20, 0, 60, 65], [28, 20, 0, 62], [10, 15, 18, 0]]


def scaled_e_values(votes, share, plan):
    """The votes after a share of the duels, won as before, in half wins."""
    after = votes.duels + np.ceil(share * plan)
    wins = np.triu(np.rint(2 * after * votes.fractions) / 2, 1)
    wins += np.tril(after - wins.T, -1)
    return cpe.Votes(np.where(after > 0, wins, 0.0), independent=votes.independent)


@pytest.mark.parametrize("independent", [True, False])
@pytest.mark.parametrize("name", ["cyclic", "gap", "mslr5-condorcet"])
def test_the_duels_prove_the_winner_and_nine_tenths_of_them_do_not(name, independent):
    mu = cpe.load_instance(name)
    wins = np.rint(1000 * mu.array) * (1 - np.eye(mu.arms))
    votes = cpe.Votes(np.rint(wins / 25), independent=independent)
    found = cpe.evidence(votes)
    assert "proved" not in found.copeland.values()
    winner = votes.labels[found.remaining.winner]
    assert found.remaining.cost == np.triu(found.remaining.duels).sum() > 0
    assert np.array_equal(found.remaining.duels, found.remaining.duels.T)
    after = scaled_e_values(votes, 1.02, found.remaining.duels)
    assert cpe.evidence(after).copeland[winner] == "proved"
    before = scaled_e_values(votes, 0.9, found.remaining.duels)
    assert cpe.evidence(before).copeland[winner] == "possible"


@pytest.mark.parametrize("delta", [0.01, 1e-6])
def test_the_duels_are_those_of_the_characteristic_time_and_no_pair_can_spare_many(delta):
    votes = cpe.Votes(WINS)
    estimate = cpe.PreferenceMatrix.from_votes(votes)
    prices = np.array([[0, 1, 3, 1], [1, 0, 9, 2], [3, 9, 0, 1], [1, 2, 1, 0]])
    plan = remaining_duels(votes, estimate, delta, prices=prices)
    q = cpe.copeland_time(estimate, prices=prices).exploration
    pairs = np.argwhere(np.triu(plan.duels)).tolist()
    assert pairs
    after = plan.duels + votes.duels
    assert all(q[i, j] > 0 for i, j in pairs)
    least = max(after[i, j] / q[i, j] for i, j in pairs)
    assert (after[q > 0] <= np.maximum(votes.duels, least * q + 1.0)[q > 0]).all()
    assert plan.cost == (np.triu(plan.duels) * prices).sum()
    assert plan.winner == 0
    assert np.array_equal(plan.duels, plan.duels.T)
    for i, j in pairs:
        less = plan.duels.copy()
        less[i, j] = less[j, i] = np.floor(0.9 * less[i, j] - 2)
        assert not proved_after(votes, estimate, less, delta)
    assert proved_after(votes, estimate, plan.duels, delta)


def proved_after(votes, estimate, duels, delta, arm=0):
    wins = (votes.duels + duels) * estimate.array
    np.fill_diagonal(wins, 0.0)
    log_e = log_e_values(wins, wins.T)
    proof = pair_proof(estimate.array, log_e, delta / 2)
    rows = identification_rows(estimate.array, arm)
    return copeland_proved(rows, log_e, proof, arm, delta / 4)


def test_ties_of_every_winner_are_to_be_asked_about_first():
    wins = np.array([[0, 9, 5, 9], [1, 0, 4, 9], [5, 4, 0, 0], [1, 1, 0, 0]], dtype=float)
    found = cpe.evidence(cpe.Votes(wins))
    assert (found.remaining.duels, found.remaining.cost) == (None, math.inf)
    assert set(found.estimate.copeland_winners) == {0, 2}
    assert set(found.remaining.undecided) == {(0, 2), (1, 2), (2, 3)}


def test_nothing_is_asked_where_a_winner_is_proved():
    found = cpe.evidence(cpe.Votes(100 * np.array(WINS)))
    assert found.copeland["0"] == "proved"
    assert found.remaining.cost == 0.0
    assert not found.remaining.duels.any()


def instance(seed):
    """A preference array, its winner, and costs of evidence."""
    rng = np.random.default_rng(seed)
    arms = int(rng.integers(2, 11))
    array = random_preferences(arms, rng, spread=0.4).array
    costs = np.triu(rng.uniform(1.0, 9.0, (arms, arms)), 1)
    winner = int(np.argmin((array < 0.5).sum(axis=1)))
    return array, winner, costs + costs.T


@pytest.mark.parametrize("seed", range(25))
def test_the_plan_keeps_all_rows_and_no_other_number_of_pairs_is_better(seed):
    array, winner, costs = instance(seed)
    arms, beaten = len(array), array < 0.5
    needed, charge = (4.0, 5.0) if seed % 2 else (30.0, 2.0)
    x = ecw_evidence(ecw_rows(array, winner, "literal"), costs, needed, charge)
    assert copeland_rows(array, winner, "literal").evidence(x) >= 1 - 1e-9
    losses = beaten.sum(axis=1)
    least = 0.0
    for arm in range(arms):
        if beaten[arm, winner]:
            least += costs[winner, arm] * (needed + charge)
        others = [k for k in range(arms) if beaten[arm, k] and k != winner]
        spared = len(others) - (losses[arm] - losses[winner] + 1)
        if arm == winner or spared < 0:
            continue
        ways = [
            sum(costs[arm, k] for k in chosen) * (needed / (len(chosen) - spared) + charge)
            for size in range(spared + 1, len(others) + 1)
            for chosen in itertools.combinations(others, size)
        ]
        least += min(ways)
    assert np.vdot(np.triu(needed * x + charge * (x > 0.0)), costs) == pytest.approx(least)

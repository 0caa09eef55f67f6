"""Plans that count every flip: they keep all rows, and no number of pairs is better."""

import itertools
import math

import numpy as np
import pytest

from cpe_opt.formulations.dueling.confusing_instances import copeland_rows, ecw_rows
from cpe_opt.formulations.dueling.ecw import ecw_evidence
from cpe_opt.proofs.dueling.remaining_duels import charged_cost, relaxed_plan


def instance(seed):
    """A preference array, its winner, and costs of evidence."""
    rng = np.random.default_rng(seed)
    arms = int(rng.integers(2, 8))
    upper = np.triu(rng.uniform(0.1, 0.9, (arms, arms)), 1)
    array = upper + np.tril(1 - upper.T, -1)
    np.fill_diagonal(array, 0.5)
    costs = np.triu(rng.uniform(1.0, 9.0, (arms, arms)), 1)
    winner = int(np.argmin((array < 0.5).sum(axis=1)))
    return array, winner, costs + costs.T


@pytest.mark.parametrize("seed", range(60))
def test_the_plan_keeps_all_rows_and_no_other_number_of_pairs_is_better(seed):
    array, winner, costs = instance(seed)
    arms, beaten = len(array), array < 0.5
    needed, charge = (4.0, 5.0) if seed % 2 else (30.0, 2.0)
    x = relaxed_plan(beaten, winner, costs, needed, charge)
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
    assert charged_cost(x, costs, needed, charge) == pytest.approx(least)


@pytest.mark.parametrize("seed", range(20))
def test_without_a_charge_it_is_the_relaxation(seed):
    array, winner, costs = instance(seed)
    x = relaxed_plan(array < 0.5, winner, costs, 1.0, 0.0)
    relaxed = ecw_evidence(ecw_rows(array, winner, "literal"), costs)
    assert np.vdot(x, costs) == pytest.approx(np.vdot(relaxed, costs))


def test_the_cost_counts_pairs_and_their_evidence():
    x = np.array([[0, 0.5, 0], [0.5, 0, 1.0], [0, 1.0, 0]])
    costs = np.array([[0, 2.0, 7.0], [2.0, 0, 3.0], [7.0, 3.0, 0]])
    assert charged_cost(x, costs, 10.0, 4.0) == pytest.approx(2 * (5 + 4) + 3 * (10 + 4))


def test_where_losses_of_the_winner_alone_unseat_it_there_is_no_plan():
    # Where the winner ties with an arm that loses no more, settling its own pairs is not all.
    array = np.array([[0.5, 0.5, 0.9], [0.5, 0.5, 0.4], [0.1, 0.6, 0.5]])
    beaten = array < 0.5
    beaten[0, 2] = True  # one loss each for 0, 1 and 2 …
    beaten[2, 0] = False
    beaten[1] = False  # … but 1 has none: 0 is no winner
    assert relaxed_plan(beaten, 0, np.ones((3, 3)), 1.0, 0.0) is None
    assert math.isfinite(charged_cost(np.zeros((3, 3)), np.ones((3, 3)), 1.0, 1.0))

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.hardness.dueling import ccb_regret_bound, copeland_hardness, regret_bounds
from tests.support import random_preferences


def test_gap_by_hand():
    """Arm 0 wins with one loss; 1 loses to 0 and 3 by 0.3 each, 3 loses to 0 by 0.01, to 1 …"""
    mu = cpe.load_instance("gap")
    hardness = copeland_hardness(mu)
    assert (hardness.winners, hardness.losses_of_winner) == (1, 1)
    assert hardness.star[0] is None
    assert hardness.star_gap[0] == 0
    assert hardness.star_gap[1:] == pytest.approx([0.3, 0.3, 0.3, 0.3])
    assert hardness.smallest_gap == pytest.approx(0.01)
    assert hardness.gap == pytest.approx(0.01)
    assert hardness.hardness[0] == pytest.approx(3 / 0.09 + 1 / 0.0001)
    assert hardness.largest_hardness == pytest.approx(3 / 0.09 + 1 / 0.0001)
    assert hardness.score_gap.tolist() == [0.25, 0.25, 0.25, 0.5, 0.25]
    # A^(3): pairs of the winner with the others, and 2 (L_C + 1) / Delta*_i^2 for four others.
    assert hardness.ccb_constant == pytest.approx(3 / 0.09 + 1e4 + 4 * 4 / 0.09)
    assert hardness.ccb_bound == pytest.approx(2 * 5 * 3 / 1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_definitions_against_loops(seed):
    mu = random_preferences(7, np.random.default_rng(seed))
    hardness = copeland_hardness(mu)
    winners = set(mu.copeland_winners)
    fewest = int(mu.losses.min())
    smallest = math.inf
    for i in range(7):
        if i in winners:
            smallest = min(smallest, *(mu.gaps[i, j] for j in range(7) if j not in winners))
            continue
        ordered = sorted((mu.gaps[i, j] for j in mu.superiors(i)), reverse=True)
        assert hardness.star_gap[i] == ordered[fewest]
        assert mu.gaps[i, hardness.star[i]] == ordered[fewest]
        smallest = min(smallest, ordered[fewest])
        for j in range(7):
            if mu.array[i, j] >= 0.5:
                expected = ordered[fewest] + mu.gaps[i, j]
            else:
                expected = max(ordered[fewest], mu.gaps[i, j])
            assert hardness.pair_star_gap[i, j] == pytest.approx(expected)
    assert hardness.gap == pytest.approx(smallest)
    assert hardness.ccb_constant <= hardness.ccb_bound * (1 + 1e-12)
    assert (hardness.pair_star_gap >= mu.gaps - 1e-12).all()


def test_ties_are_infinitely_hard():
    hardness = copeland_hardness(cpe.load_instance("arxiv"))
    assert hardness.smallest_gap == 0
    assert hardness.largest_hardness == math.inf
    assert math.isfinite(hardness.ccb_constant)
    nobody = copeland_hardness(cpe.PreferenceMatrix(np.full((3, 3), 0.5)))
    assert nobody.winners == 3
    assert nobody.gap == math.inf


def test_theorem_11_term_by_term():
    """Against the definition, by hand, on a three-armed chain."""
    mu = cpe.PreferenceMatrix([[0.5, 0.8, 0.9], [0.2, 0.5, 0.7], [0.1, 0.3, 0.5]])
    bound = ccb_regret_bound(mu, delta=0.1, alpha=2.0)
    # Arm 0 wins; arm 1 loses to it by 0.3; arm 2's largest loss is 0.4, to arm 0.
    star_1, star_2 = 0.3, 0.4
    star = {(0, 1): 0.3, (0, 2): 0.4, (1, 0): 0.3, (1, 2): 0.2 + star_1, (2, 0): 0.4, (2, 1): 0.4}
    per_arm = [sum(8 / g**2 for (i, _), g in star.items() if i == arm) for arm in range(3)]

    def burn_in(delta):
        return (7 * 9 / (3 * delta)) ** (1 / 3)

    def right(t, delta):
        return (
            burn_in(delta / 2)
            + 8 * 9 * math.log(54 / delta)
            + 9 * math.log(18 / delta)
            + 32 * 2 * 3 / 0.2**2 * math.log(t)
            + 1
            + sum(per_arm) * math.log(t)
            + 4 * 3 * max(per_arm[1:]) * math.log(t)
        )

    def settled(delta):
        t = 1
        while t < right(t, delta):
            t = math.ceil(right(t, delta)) if t > 1 else 2
        return t

    assert bound.warm_up == pytest.approx(settled(0.1), abs=2)
    assert bound.warm_up >= right(bound.warm_up, 0.1)
    assert bound.warm_up - 2 < right(bound.warm_up - 2, 0.1)
    constant = burn_in(0.025) + 1 + sum(per_arm) * math.log(settled(0.05))
    assert bound.constant == pytest.approx(constant, rel=1e-6)
    assert bound.root == pytest.approx((1 / star_1 + 1 / star_2) * math.log(60))
    assert bound.log == pytest.approx(1 / 0.09 + 1 / 0.16 + 2 * (1 / 0.09 + 1 / 0.16))
    assert bound.at(math.e) == pytest.approx(bound.constant + bound.root + bound.log)


def test_the_bound_admits_where_it_says_nothing():
    """At the papers' alpha the exponent is 50: a float cannot hold 500 arms' constant."""
    assert math.isinf(ccb_regret_bound(cpe.load_instance("cycle-500")).constant)
    with pytest.raises(cpe.InputError, match=r"arxiv has a tie between .* assumes there is none"):
        ccb_regret_bound(cpe.load_instance("arxiv"))


def test_constants_of_regret_are_in_the_units_asked_for():
    mu = cpe.load_instance("gap")
    means, sums = regret_bounds(mu), regret_bounds(mu, "sum")
    assert means["LB"] == pytest.approx(11.0249, abs=1e-4)
    assert sums == {name: 2 * value for name, value in means.items()}


def test_an_infinite_constant_is_left_out():
    """Two winners, each tied with an arm that is none."""
    array = np.array([[5, 5, 5, 6], [5, 5, 7, 5], [5, 3, 5, 6], [4, 5, 4, 5]]) / 10
    assert regret_bounds(cpe.PreferenceMatrix(array)) == {}

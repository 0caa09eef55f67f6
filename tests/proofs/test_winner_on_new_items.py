"""What is proved of new items: over all policies that see everything, and by its definition."""

import itertools
import math
from functools import cache

import numpy as np
import pytest

from cpe_opt.proofs.subsets.new_items import STAKES
from cpe_opt.proofs.winner_on_new_items import OnNewItems, largest_evidence, on_new_items

# Laws of an item: what the first arm gets less what the second gets, of two pairs, and how likely.
# The mean of the first pair is 0.
ALIKE = {(1.0, 1.0): 0.5, (-1.0, -1.0): 0.5}
OPPOSED = {(1.0, -1.0): 0.5, (-1.0, 1.0): 0.5}
SKEWED = {(1.0, 1.0): 0.2, (0.5, -1.0): 0.4, (-1.0, 0.0): 0.4}
ITEMS = 3


def worlds(law):
    """All tables of items and orders of two pairs, with their probabilities."""
    orders = list(itertools.permutations(range(ITEMS)))
    for table in itertools.product(law, repeat=ITEMS):
        likely = math.prod(law[each] for each in table) / len(orders) ** 2
        met = [[tuple((t, table[t][p]) for t in order) for order in orders] for p in (0, 1)]
        yield from ((likely, pair) for pair in itertools.product(*met))


def best_policy(law, payoff):
    """The largest mean of a payoff over all rules that choose the next pair, or stop.

    A rule sees which items were met, and all answers so far, of both pairs.
    """

    def value(seen, some):
        likely = math.fsum(weight for weight, _ in some)
        best = likely * payoff(seen)
        for p in (0, 1):
            if len(seen[p]) == ITEMS:
                continue
            after = {}
            for each in some:
                after.setdefault(each[1][p][len(seen[p])], []).append(each)
            total = 0.0
            for met, left in after.items():
                longer = tuple((*row, met) if q == p else row for q, row in enumerate(seen))
                total += known(longer, left)
            best = max(best, total)
        return best

    memory = {}

    def known(seen, some):
        if seen not in memory:
            memory[seen] = value(seen, some)
        return memory[seen]

    return known(((), ()), list(worlds(law)))


@cache
def e_now(outcomes):
    """By its definition, and not the largest so far."""
    gains = [s * math.prod(1 + s * d for d in outcomes) for s in STAKES]
    return float(sum(gains) / sum(STAKES))


@cache
def log_e(outcomes):
    """The largest so far, as it is computed."""
    return largest_evidence(np.array(outcomes), 0.0)


@pytest.mark.parametrize("law", [ALIKE, OPPOSED, SKEWED])
def test_no_rule_that_sees_all_pairs_makes_a_pair_large_too_often(law):
    for z in sorted({e_now(each) for each in itertools.product((1, 0.5, -1), repeat=3)})[-5::2]:

        def enough(seen, z=z):
            return log_e(tuple(d for _, d in seen[0])) >= math.log(z) - 2e-6

        assert best_policy(law, enough) <= 1.0 / z + 1e-5


def test_its_mean_is_above_one_for_who_sees_another_pair_on_the_same_items():
    """So that a mean over pairs, or a product, proves nothing."""
    assert best_policy(ALIKE, lambda seen: e_now(tuple(d for _, d in seen[0]))) > 1.1


def test_a_stake_that_knows_another_answer_on_the_same_item_is_large_too_often():
    def staked(seen):
        other = dict(seen[1])
        return math.prod(1.0 + d * (other.get(item, 0.0) > 0.0) for item, d in seen[0])

    often = best_policy(ALIKE, lambda seen: len(seen[1]) == ITEMS and staked(seen) >= 4.0)
    assert often > 0.4 > 1.0 / 4.0


def repeated(pairs):
    """Of each ordered pair so many outcomes of 1, and of its reverse as many of -1."""
    return lambda i, j: np.repeat([1.0, -1.0], [pairs.get((i, j), 0), pairs.get((j, i), 0)])


def least_number(c, level):
    """How many outcomes of 1 make ln E(c) at least a level."""
    return next(n for n in range(1, 99) if largest_evidence(np.ones(n), c) >= math.log(level))


@pytest.mark.parametrize("margin", [0.0, 0.3])
def test_it_is_proved_once_every_pair_of_the_answer_has_enough(margin):
    """K arms: K / (0.8 delta)."""
    n = least_number(-margin, 4 / 0.08)
    assert n < least_number(-margin, 2 * 4 / 0.08)
    wins = {(2, j): n for j in (0, 1, 3)}
    assert on_new_items(repeated(wins), [2], 4, 0.1, margin) == OnNewItems("proved")
    assert on_new_items(repeated(wins), [], 4, 0.1, margin) == OnNewItems("not yet")
    for each in wins:
        few = repeated(wins | {each: n - 1})
        assert on_new_items(few, [2], 4, 0.1, margin) == OnNewItems("not yet")


def test_of_several_arms_all_pairs_with_one_outside_are_looked_at():
    """k of K arms: k (K - k) in place of K, where that is more."""
    n = least_number(0.0, 9 / 0.04)
    assert n > least_number(0.0, 6 / 0.04)
    wins = {(i, j): n for i in (0, 2, 4) for j in (1, 3, 5)}
    assert on_new_items(repeated(wins), (0, 2, 4), 6, 0.05).status == "proved"
    few = repeated(wins | {(4, 1): n - 1})
    assert on_new_items(few, (0, 2, 4), 6, 0.05).status == "not yet"


@pytest.mark.parametrize("margin", [0.0, 0.3])
def test_it_is_refuted_once_an_arm_outside_is_ahead(margin):
    """By more than the margin, at K (K - 1) / (0.2 delta)."""
    n = least_number(margin, 12 / 0.02)
    assert n > least_number(margin, 12 / 0.08)
    enough, few = repeated({(3, 1): n}), repeated({(3, 1): n - 1})
    assert on_new_items(enough, [1], 4, 0.1, margin) == OnNewItems("refuted", (3, 1))
    assert on_new_items(few, [1], 4, 0.1, margin) == OnNewItems("not yet")


@pytest.mark.parametrize("c", [-0.4, 0.0, 0.25])
def test_evidence_is_the_largest_so_far_of_the_mean_over_stakes(c):
    rng = np.random.default_rng(3)
    for outcomes in rng.choice([-1.0, -0.5, 0.0, 1.0], (20, 30), p=[0.1, 0.2, 0.2, 0.5]):
        factors = [1 - s + s * (1 + outcomes) / (1 + c) for s in STAKES]
        by_time = np.log(np.average(np.cumprod(factors, axis=1), axis=0, weights=STAKES))
        expected = max(0.0, by_time.max())
        assert expected - 2e-6 <= largest_evidence(outcomes, c) <= expected
    assert largest_evidence(np.zeros(0), c) == 0.0

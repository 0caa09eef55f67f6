"""Whether answers depend on a mark: against all permutations, and levels in clean data."""

from itertools import permutations

import numpy as np
import pytest

from cpe_opt.proofs.exchangeable_answers import always_the_same, mark_test

RNG = np.random.default_rng(0)


def test_the_variance_is_that_over_all_permutations():
    x, y = np.array([1.0, 1, 0, 0, 0, 1]), np.array([1.0, 0.5, 0, 1, 0, 0])
    sums = [float(np.dot(x[list(order)] - 0.5, y)) for order in permutations(range(6))]
    spread = ((x - 0.5) ** 2).sum() * ((y - y.mean()) ** 2).sum() / 5
    assert np.mean(sums) == pytest.approx(0.0)
    assert np.var(sums) == pytest.approx(spread)
    # Twenty strata of these, whose sums are alike: the sum is 20 times, its deviation √20 times.
    test = mark_test(np.repeat(np.arange(20), 6), np.tile(x, 20), np.tile(y, 20))
    u = float(np.dot(x - 0.5, y))
    assert test.effect == pytest.approx(u / 1.5)
    z = (20 * u - 0.5) / np.sqrt(20 * spread)
    from scipy.stats import norm

    assert test.direction == pytest.approx(2 * norm.sf(z))


def clean(n=120, pairs=6):
    pair = RNG.integers(pairs, size=n)
    share = np.linspace(0.1, 0.9, pairs)[pair]
    mark = (RNG.random(n) < np.linspace(0.9, 0.2, pairs)[pair]).astype(float)
    return pair, mark, (RNG.random(n) < share).astype(float)


def test_in_clean_data_p_values_are_small_as_rarely_as_they_say():
    """Marks and answers both depend on the pair, which alone makes nothing suspicious."""
    tests = [mark_test(*clean(120 + 600 * (k % 2))) for k in range(2000)]
    for level in (0.1, 0.01):
        for name in ("direction", "any_direction"):
            rate = np.mean([getattr(each, name) < level for each in tests])
            assert rate <= level + 3 * np.sqrt(level / 2000), (name, level)
    assert np.mean([each.direction < 0.1 for each in tests]) > 0.05


def test_a_mark_that_matters_is_seen_in_one_direction_or_in_any():
    pair, mark, _ = clean(2000)
    same = (RNG.random(2000) < 0.4 + 0.2 * mark).astype(float)
    turned = (RNG.random(2000) < 0.5 + 0.3 * (mark - 0.5) * (-1.0) ** pair).astype(float)
    assert mark_test(pair, mark, same).direction < 1e-6
    assert mark_test(pair, mark, same).effect == pytest.approx(0.2, abs=0.07)
    test = mark_test(pair, mark, turned)
    assert test.any_direction < 1e-6
    assert test.direction > 1e-3


def test_without_different_marks_nothing_is_said():
    none = mark_test(np.zeros(9, int), np.ones(9), np.arange(9) / 9)
    assert (none.direction, none.any_direction, none.strata) == (1.0, 1.0, 0)


def test_a_rater_who_always_says_the_same_is_as_likely_as_by_what_others_say():
    kind = np.array([1] * 10 + [0, 1] * 20)
    rater = np.array([0] * 10 + [1] * 40)
    found = always_the_same(kind, np.ones(50), rater)
    assert found == {0: pytest.approx((21 / 42) ** 10)}
    assert always_the_same(kind, np.full(50, 2.0), rater)[0] == pytest.approx((41 / 82) ** 20)
    assert always_the_same(kind, np.ones(50), np.full(50, -1)) == {}

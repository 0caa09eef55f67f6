"""Paired tests, against scipy and by simulation."""

import numpy as np
import pytest
import scipy.stats

from cpe_opt.experiments.significance import fewest_runs, holm, paired_tests


def paired_test(first, second, **options):
    """The one pair of two."""
    return paired_tests({"first": first, "second": second}, **options).iloc[0]


def signs_of_differences(first, second, resamples):
    """scipy's test: all or random changes of the signs of differences."""
    return scipy.stats.permutation_test(
        (np.subtract(first, second),),
        np.sum,
        permutation_type="samples",
        n_resamples=resamples,
        vectorized=False,
        rng=np.random.default_rng(1),
    ).pvalue


def test_p_values_are_those_of_scipy():
    rng = np.random.default_rng(3)
    for runs in (5, 9):
        first, second = rng.exponential(1.0, runs), rng.exponential(1.4, runs)
        expected = signs_of_differences(first, second, np.inf)
        assert paired_test(first, second).p_value == pytest.approx(expected, abs=1e-12)
    first, second = rng.exponential(1.0, 60), rng.exponential(1.5, 60)
    expected = signs_of_differences(first, second, 9999)
    error = 4.0 * (2 * expected * (1 - expected) / 9999) ** 0.5
    assert paired_test(first, second).p_value == pytest.approx(expected, abs=error)


def test_the_interval_holds_the_ratios_that_are_not_rejected():
    rng = np.random.default_rng(4)
    for runs in (8, 40):
        first, second = rng.exponential(1.0, runs), rng.exponential(1.4, runs)
        found = paired_test(first, second)
        for ratio in np.geomspace(found.low / 3, 3 * found.high, 30):
            inside = found.low <= ratio <= found.high
            assert inside == (paired_test(first, ratio * second).p_value > 0.05 + 1e-9)


def test_small_numbers_by_hand():
    found = paired_test([2.0] * 5, [1.0] * 5)
    assert (found.ratio, found.p_value) == (2.0, 2 / 32)
    assert (found.low, found.high) == (0.0, np.inf)  # five runs say nothing at 95 %
    sixth = paired_test([2.0] * 6, [1.0] * 6)
    assert (sixth.p_value, sixth.low, sixth.high) == (2 / 64, 2.0, 2.0)
    assert paired_test([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]).p_value == 1.0
    nothing = paired_test([1.0, 2.0], [0.0, 0.0])
    assert np.isnan(nothing.ratio)
    assert (nothing.low, nothing.high) == (0.0, np.inf)
    assert [fewest_runs(tests) for tests in (1, 3, 78)] == [6, 7, 12]


def test_holms_correction_is_that_of_its_definition():
    """The largest corrected level at which each step down still rejects."""
    p = np.array([0.01, 0.002, 0.03, 0.04, 0.9])
    corrected = holm(p)
    for level in np.linspace(0.001, 0.999, 300):
        order, rejected = np.argsort(p), set()
        for step, place in enumerate(order):
            if p[place] * (len(p) - step) > level:
                break
            rejected.add(int(place))
        assert rejected == set(np.flatnonzero(corrected <= level).tolist())


def test_every_pair_is_compared_once_and_corrected():
    rng = np.random.default_rng(7)
    values = {name: rng.exponential(mean, 30) for name, mean in (("a", 1), ("b", 3), ("c", 1))}
    frame = paired_tests(values)
    pairs = list(zip(frame["first"], frame["second"], strict=True))
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    assert frame["corrected"].tolist() == holm(frame["p_value"].to_numpy()).tolist()
    assert frame["different"].tolist() == [True, False, True]
    alone = paired_test(values["b"], values["c"])
    last = frame[["ratio", "low", "high"]].values.tolist()[2]
    assert last == [alone.ratio, alone.low, alone.high]


def test_intervals_cover_at_their_level_for_a_heavy_tail():
    """Exact for laws of one shape, whatever its tail: within four standard errors of 95 %."""
    rng = np.random.default_rng(0)
    for runs in (8, 12):
        hits = 0
        for _ in range(100):
            first, second = rng.lognormal(0.0, 1.5, (2, runs))  # their means differ by 1.3
            found = paired_test(1.3 * first, second, seed=int(rng.integers(2**32)))
            hits += found.low <= 1.3 <= found.high
        assert hits / 100 >= 0.95 - 4 * (0.95 * 0.05 / 100) ** 0.5

"""MergeDTS and Versatile-DB: what their references play, and what their papers prove."""

import math
from functools import partial

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.merge_dts import Batches, safe_offset
from cpe_opt.learners.dueling.versatile_db import tsallis_weights
from cpe_opt.problems.queries import Duel
from tests.learners.reference_field import (
    reference_merge_dts,
    reference_versatile_db,
    tsallis_by_bisection,
)
from tests.learners.support import rounds_played
from tests.support import binomial_margin, random_preferences, with_gaps


def ordered(arms, gap):
    """The first arm beats all by the gap, the others each other at random."""
    mu = with_gaps(random_preferences(arms, np.random.default_rng(arms)), gap).array.copy()
    mu[0, 1:], mu[1:, 0] = 0.5 + gap, 0.5 - gap
    return cpe.PreferenceMatrix(mu, name=f"ordered-{arms}")


def duels_of(mu, seed):
    environment = mu.environment(np.random.default_rng(seed))
    return lambda i, j: environment.answer(Duel(i, j))


# MergeDTS


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("arms", "size", "alpha", "gap"),
    [(4, 4, 0.3, 0.3), (9, 4, 0.3, 0.25), (13, 2, 0.3, 0.3), (20, 8, 0.5, 0.25), (21, 5, 0.5, 0.3)],
)
def test_merge_dts_plays_exactly_what_the_reference_plays(arms, size, alpha, gap, seed):
    """Until one arm is left, and with cycles among the others."""
    mu, settings = ordered(arms, gap), {"alpha": alpha, "offset": 20.0}
    learner = partial(cpe.learners.merge_dts, batch_size=size, **settings)
    ours = rounds_played(learner, mu, seed, 1500)
    rng = np.random.default_rng([seed, 1])
    theirs, left = reference_merge_dts(arms, duels_of(mu, seed), 1500, rng, size=size, **settings)
    assert ours == theirs
    assert len(left) < arms


def test_the_offset_is_the_paper_s():
    """4e6 for 136 rankers with alpha = 1.01 and delta = 0.01, as in the experiments."""
    assert safe_offset(136, 1.01, 0.01) == pytest.approx(4.08e6, rel=0.01)
    assert safe_offset(2, 1.0, 0.5) == pytest.approx(3 * 4 / 0.5)


def test_merge_dts_drops_the_winner_at_most_as_often_as_it_says():
    """delta = 0.2, by the least offset that the lemma allows; once one arm is left, it plays on."""
    mu, delta, runs = ordered(6, 0.12), 0.2, 60
    traces = [
        cpe.simulate("merge-dts", mu, horizon=10**8, seed=s, alpha=0.8, delta=delta)
        for s in range(runs)
    ]
    assert sum(trace.answer != 0 for trace in traces) <= binomial_margin(runs, delta)
    bound = 8 * 0.8 * 4 * 6 * math.log(10**8 + safe_offset(6, 0.8, delta)) / 0.12**2
    assert np.mean([trace.samples for trace in traces]) < bound


def test_merge_dts_with_many_arms_duels_few_pairs():
    """64 arms of 2,016 pairs: a fifth of the duels that every pair would need."""
    mu = ordered(64, 0.3)
    trace = cpe.simulate("merge-dts", mu, horizon=10**7, seed=0)
    assert trace.answer == 0
    needed = 1.01 * math.log(safe_offset(64, 1.01, 0.01)) / 0.3**2
    assert trace.samples < 0.2 * needed * 64 * 63 / 2


@pytest.mark.parametrize(
    ("sizes", "joined"),
    [
        ([2, 2, 2, 2], [4, 4]),
        ([1, 2, 2, 2], [7]),
        ([4, 2, 3], [9]),
        ([6, 4], [10]),
        ([6, 5], [5, 6]),
    ],
)
def test_batches_that_stay_small_join_once_more(sizes, joined):
    """M = 7: up to 10 arms in a batch; once more where one has 3 or fewer."""
    batches = Batches(24, np.random.default_rng(0), 1.0, 7)
    arms = iter(range(24))
    batches.batches = [[next(arms) for _ in range(size)] for size in sizes]
    batches.end_round()
    assert sorted(len(batch) for batch in batches.batches) == joined


def test_at_the_horizon_merge_dts_names_the_arm_left_that_leads_most():
    """Arm 3 wins whatever it plays, and no arm is dropped yet."""
    exchange = cpe.learners.Exchange(cpe.learners.merge_dts, 4, rng=1)
    for _ in range(25):
        query = exchange.query
        exchange.tell(int(query.i == 3 or (query.j != 3 and query.i == 1)))
    exchange.stop()
    assert exchange.answer == 3


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 0.5}, r"alpha is 0\.5, expected a number above 0\.5, or a given offset"),
        ({"alpha": 0.5001}, r"alpha is 0\.5001, so near to 0\.5 that the offset"),
        ({"alpha": 0.0, "offset": 9.0}, r"alpha is 0\.0, expected a number above 0"),
        ({"batch_size": 1}, "batch_size is 1, expected a whole number, at least 2"),
        ({"delta": 1.5}, r"delta is 1\.5, expected a probability"),
        ({"offset": 0.0}, r"offset is 0\.0, expected a number, at least 1"),
        ({"offset": math.inf}, "offset is inf, expected a finite number"),
    ],
)
def test_parameters_of_merge_dts_are_checked(parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate("merge-dts", cpe.load_instance("gap"), horizon=10, **parameters)


# Versatile-DB


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["cyclic", "multisol", "random"])
def test_versatile_db_plays_exactly_what_the_reference_plays(name, seed):
    """For 500 rounds: differences in the last bit grow by a factor of 10 in a hundred."""
    mu = (
        random_preferences(2 + seed, np.random.default_rng(seed))
        if name == "random"
        else cpe.load_instance(name)
    )
    ours = rounds_played(cpe.learners.versatile_db, mu, seed, 500)
    rng = np.random.default_rng([seed, 1])
    assert ours == reference_versatile_db(mu.arms, duels_of(mu, seed), 500, rng)


@pytest.mark.parametrize("seed", range(10))
def test_weights_minimise_the_regularised_loss_from_any_start(seed):
    rng = np.random.default_rng(seed)
    losses = rng.exponential(10.0 ** rng.integers(-3, 6), size=1 + rng.integers(1, 30))
    rate = 10.0 ** rng.uniform(-4, 0.3)
    expected = tsallis_by_bisection(losses.tolist(), rate)
    for start in (-1e9, -1.0, 0.0, losses.min(), 1e9):
        weights, x = tsallis_weights(losses, rate, start)
        np.testing.assert_allclose(weights, expected, rtol=1e-9)
        assert weights.sum() == pytest.approx(1.0, abs=1e-14)
        assert x < losses.min()


def gap_regret(played, gaps):
    return sum(gaps[k] + gaps[j] for k, j in played) / 2


@pytest.mark.parametrize("name", ["cyclic", "ordered"])
def test_regret_of_versatile_db_is_below_its_bounds(name):
    """Both bounds of the theorem, with their constants, at two horizons."""
    mu = ordered(3, 0.35) if name == "ordered" else cpe.load_instance(name)
    (winner,) = mu.copeland_winners
    gaps = mu.array[winner] - 0.5
    runs = [rounds_played(cpe.learners.versatile_db, mu, s, 8000) for s in range(6)]
    for horizon in (500, 8000):
        log, least = math.log(horizon), min(gap for gap in gaps if gap > 0)
        tight = sum((4 * log + 12) / gap for gap in gaps if gap > 0)
        tight += 4 * log + 1 / least + 1.5 * math.sqrt(mu.arms) + 8
        bound = min(tight, 4 * math.sqrt(mu.arms * horizon) + 1)
        assert np.mean([gap_regret(played[:horizon], gaps) for played in runs]) < bound


def test_regret_of_versatile_db_is_bounded_where_preferences_change():
    """The first arm wins for a quarter of the rounds, then another: against that one."""
    horizon, arms = 6000, 4
    early, late = np.full((arms, arms), 0.5), np.full((arms, arms), 0.5)
    early[0, 1:], early[1:, 0] = 0.9, 0.1
    late[3, :3], late[:3, 3] = 0.9, 0.1
    regrets = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        exchange = cpe.learners.Exchange(cpe.learners.versatile_db, arms, seed)
        regret = 0.0
        for t in range(horizon):
            k, j = exchange.query.i, exchange.query.j
            mu = early if t < horizon / 4 else late
            regret += (mu[3, k] + mu[3, j]) / 2 - 0.5
            exchange.tell(int(k != j and rng.random() < mu[k, j]))
        exchange.stop()
        assert exchange.answer == 3
        regrets.append(regret)
    assert np.mean(regrets) < 4 * math.sqrt(arms * horizon) + 1

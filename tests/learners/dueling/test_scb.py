"""SCB and its parts: against a plain version, duel by duel, and against their guarantees."""

import math

import numpy as np
import pytest
from scipy.stats import binom

import cpe_opt as cpe
from cpe_opt.learners.dueling.copeland_identification import (
    copeland_identification,
    decide,
    divergence,
    divergence_interval,
    kl_elimination,
)
from cpe_opt.learners.dueling.elimination import at_any_time, duels_to_a_sign, up_to
from cpe_opt.problems.queries import Duel
from tests.learners.support import run_to_the_end
from tests.support import random_preferences, with_gaps


def plain_identification(arms, duel, rng, delta, margin=0.0):
    """Algorithms 2 and 4 duel by duel; returns the arm and the number of duels."""
    opponents = [rng.permutation([o for o in range(arms) if o != a]).tolist() for a in range(arms)]
    known, duels = {}, 0

    def verdict(i, j):
        nonlocal duels
        if (i, j) not in known:
            n = won = 0
            while True:
                won += duel(i, j)
                n += 1
                width = math.sqrt(math.log(math.pi**2 * n**2 * arms**2 / (3 * delta)) / (2 * n))
                if abs(won / n - 0.5) > width * (1 + 1e-15):
                    break
            duels += n
            known[i, j], known[j, i] = won / n > 0.5, won / n < 0.5
        return known[i, j]

    active, total = list(range(arms)), [0] * arms
    for t in range(1, arms):
        for arm in active:
            total[arm] += verdict(arm, opponents[arm].pop())
        if t == arms - 1:
            return max(active, key=lambda a: (total[a], -a)), duels
        if t < 2:
            continue
        radius = (
            math.log(4 * t * arms / delta) + 2 * max(0.0, math.log(max(1.0, math.log(t))))
        ) / t
        grid = {a: divergence_interval(total[a] / t, radius) for a in active}
        best = max(low for low, _ in grid.values())
        active = [a for a in active if grid[a][1] >= best]
        if len(active) == 1 or 1 - best <= (1 + margin) * (1 - max(grid[a][1] for a in active)):
            return max(active, key=lambda a: (grid[a][0], -a)), duels
    return active[0], duels


class NoAnswers:
    """For learners that do not listen."""

    def answer(self, query):
        return 0


@pytest.mark.parametrize("seed", range(15))
def test_batches_change_nothing(seed):
    """The same stream of outcomes duel by duel gives the same arm after as many duels."""
    rng = np.random.default_rng(seed)
    mu = with_gaps(random_preferences(4 + seed % 5, rng), 0.1)
    ours = run_to_the_end(
        copeland_identification(mu.arms, rng=np.random.default_rng(seed), delta=0.1),
        mu.environment(np.random.default_rng(77)),
    )
    environment = mu.environment(np.random.default_rng(77))
    theirs = plain_identification(
        mu.arms,
        lambda i, j: environment.answer(Duel(i, j)),
        np.random.default_rng(seed),
        0.1,
    )
    assert ours == theirs


@pytest.mark.parametrize("name", ["cyclic", "multisol", "strict"])
def test_failures_stay_below_delta(name):
    """delta = 0.1, 200 seeds: with more failures than this the claim is false (error 0.001)."""
    delta, seeds = 0.1, 200
    strict = with_gaps(random_preferences(6, np.random.default_rng(3)), 0.08)
    mu = strict if name == "strict" else cpe.load_instance(name)
    failures = sum(
        cpe.simulate("copeland-identification", mu, seed=s, delta=delta).answer
        not in mu.copeland_winners
        for s in range(seeds)
    )
    assert failures <= binom.ppf(0.999, seeds, delta)


def test_a_tolerance_saves_duels_and_keeps_its_promise():
    mu = with_gaps(random_preferences(60, np.random.default_rng(1)), 0.3)
    scores = mu.copeland_scores / (mu.arms - 1)
    exact, loose = (
        [cpe.simulate("copeland-identification", mu, seed=s, delta=0.1, margin=e) for s in range(4)]
        for e in (0.0, 8.0)
    )
    assert sum(t.samples for t in loose) < sum(t.samples for t in exact)
    assert all(t.answer in mu.copeland_winners for t in exact)
    assert all(1 - scores[t.answer] <= (1 - scores.max()) * 9 + 1e-12 for t in loose)


def test_the_number_of_duels_to_a_verdict_is_the_least():
    for needed in (at_any_time(0.1), at_any_time(1e-4), up_to(10**6, 0.01)):
        for draws, lead in ((0, 0), (10, 4), (500, 30), (5000, 11)):
            times = duels_to_a_sign(draws, lead, needed)
            assert lead + times > needed(draws + times)
            for fewer in range(1, times):
                assert lead + fewer <= needed(draws + fewer)


def test_pairs_are_decided_rightly():
    """delta = 0.05 and a gap of 0.1, 300 seeds."""
    mu = cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]])
    wrong = sum(
        not run_to_the_end(decide(0, 1, 0.05), mu.environment(np.random.default_rng(s)))[0]
        for s in range(300)
    )
    assert wrong <= binom.ppf(0.999, 300, 0.05)


def test_divergence_intervals_have_the_radius_at_their_ends():
    for mean in (0.0, 0.2, 0.5, 1.0):
        for radius in (0.01, 0.3, 2.0):
            low, high = divergence_interval(mean, radius)
            assert low <= mean <= high
            for end, limit in ((low, 0.0), (high, 1.0)):
                if end != limit:
                    assert divergence(mean, end) == pytest.approx(radius, abs=1e-9)
    assert divergence(0.5, 0.0) == math.inf
    assert divergence(0.0, 0.0) == 0.0


def test_elimination_alone_finds_the_best_of_known_rewards():
    """Rewards from finite populations: the arm with the most ones."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        ones = rng.permutation(40)[:6]
        pools = [rng.permutation([1] * int(n) + [0] * (40 - int(n))).tolist() for n in ones]

        def reward(arm, pools=pools):
            yield Duel(0, 1)
            return pools[arm].pop()

        learner = kl_elimination(6, reward, population=40, delta=0.01, margin=0.0)
        assert run_to_the_end(learner, NoAnswers())[0] == int(np.argmax(ones))


def test_scb_starts_afresh_in_squares_and_plays_its_winner():
    mu = cpe.PreferenceMatrix([[0.5, 0.9, 0.9], [0.1, 0.5, 0.9], [0.1, 0.1, 0.5]])
    trace = cpe.simulate("scb", mu, horizon=10**12, seed=1)
    assert trace.answer == 0
    assert trace.draws[0, 0] > 0.999 * 10**12
    assert trace.samples < 5000
    # Of 4, 16 and 256 rounds the first two are too few to find a winner.
    short = cpe.simulate("scb", mu, horizon=15, seed=1)
    assert not short.draws.diagonal().any()
    assert not short.proved
    assert short.samples == 15


def test_scb_needs_no_condorcet_winner():
    mu = cpe.load_instance("multisol")
    runs = [cpe.simulate("scb", mu, horizon=10**8, seed=s) for s in range(5)]
    assert all(trace.answer in mu.copeland_winners for trace in runs)
    assert np.mean([trace.regret[-1] for trace in runs]) < 10**4


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"delta": 0}, "delta is 0, expected a number above 0"),
        ({"delta": 1.0}, "delta is 1.0, expected a probability between 0 and 1"),
        ({"delta": 0.1, "margin": -1}, "margin is -1, expected a number, at least 0"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate("copeland-identification", cpe.load_instance("gap"), **parameters)

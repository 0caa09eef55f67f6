"""SAVAGE, PBR and RankEl: against plain versions, and against their guarantees."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

import cpe_opt as cpe
from cpe_opt.learners.dueling.rankel import doubts, ranked
from tests.learners.reference_races import (
    bears_on_the_condorcet_winner,
    bears_on_the_copeland_winner,
    hoeffding,
    reference_pbr,
    reference_rankel,
    reference_savage,
)
from tests.learners.support import OutcomesByPair, run_to_the_end
from tests.support import random_preferences, with_gaps

SEEDS = range(8)


def problem(seed):
    """Tournaments of 3 to 6 arms, without ties, with gaps that a slow reference can bear."""
    return with_gaps(random_preferences(3 + seed % 4, np.random.default_rng(seed)), 0.3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("horizon", [None, 10**6])
@pytest.mark.parametrize("target", ["copeland", "condorcet"])
def test_savage_explores_exactly_as_the_reference(seed, horizon, target):
    mu = problem(seed)
    pairs = mu.arms * (mu.arms - 1) / 2
    delta = 0.05 if horizon is None else 1 / horizon
    eta = (
        (lambda n: math.pi**2 * pairs * n**2 / 3)
        if horizon is None
        else (lambda n: 2 * pairs * horizon)
    )
    bears = {
        "copeland": bears_on_the_copeland_winner,
        "condorcet": bears_on_the_condorcet_winner,
    }[target]
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    books, rounds = reference_savage(mu.arms, plain.duel, hoeffding(eta, delta), bears)
    answer, played = run_to_the_end(
        cpe.learners.savage(mu.arms, horizon=horizon, target=target), ours
    )
    np.fill_diagonal(ours.draws, 0)
    assert (ours.draws == plain.draws).all()
    assert played == (rounds if horizon is None else horizon)
    if target == "copeland":
        assert answer == books.leader()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("most", [20, 3000])
def test_pbr_explores_exactly_as_the_reference(seed, most):
    mu = problem(seed)
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    radius = hoeffding(lambda _: 2 * mu.arms**2 * most, 0.05)
    expected = reference_pbr(mu.arms, plain.duel, radius, most)
    assert run_to_the_end(cpe.learners.pbr(mu.arms, max_duels=most), ours) == expected
    assert (ours.draws == plain.draws).all()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rho", [0, 2])
def test_rankel_explores_exactly_as_the_reference(seed, rho):
    mu = problem(seed)
    pairs = mu.arms * (mu.arms - 1) / 2
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    radius = hoeffding(lambda n: math.pi**2 * pairs * n**2 / 3, 0.05)
    expected = reference_rankel(mu.arms, plain.duel, radius, rho)
    assert run_to_the_end(cpe.learners.rankel(mu.arms, rho=rho), ours) == expected
    assert (ours.draws == plain.draws).all()


def test_batches_fit_into_the_horizon():
    """Cut off while exploring, every pair has been duelled as often as any other, to one duel."""
    mu = cpe.load_instance("sushi")
    for name in ("savage", "pbr", "rankel"):
        for horizon in (130, 3001):
            trace = cpe.simulate(name, mu, horizon=horizon)
            draws = trace.draws[np.triu_indices(16, 1)]
            assert draws.sum() == horizon
            assert draws.max() - draws.min() <= 1


@pytest.mark.parametrize("name", ["cyclic", "multisol", "strict"])
@pytest.mark.parametrize(
    ("learner", "parameters"),
    [
        ("savage", {}),
        ("pbr", {"max_duels": 10**5}),
        ("rankel", {}),
        ("rankel", {"distance": "displacement"}),
    ],
)
def test_failures_stay_below_delta(name, learner, parameters):
    """delta = 0.1, 120 seeds: with more failures than this the claim is false (error 0.001)."""
    delta, seeds = 0.1, 120
    strict = with_gaps(random_preferences(6, np.random.default_rng(3)), 0.15)
    mu = strict if name == "strict" else cpe.load_instance(name)
    scores = mu.copeland_scores

    def wrong(answer):
        if learner != "rankel":
            return answer not in mu.copeland_winners
        return any(scores[a] < scores[b] for a, b in itertools.combinations(answer, 2))

    runs = [
        cpe.simulate(learner, mu, seed=seed, delta=delta, **parameters) for seed in range(seeds)
    ]
    assert sum(wrong(trace.answer) for trace in runs) <= binom.ppf(0.999, seeds, delta)


def test_savage_for_the_condorcet_winner_explores_less_and_is_right():
    mu = cpe.load_instance("sushi")
    broad, narrow = (
        [cpe.simulate("savage", mu, horizon=10**6, seed=s, target=t) for s in range(5)]
        for t in ("copeland", "condorcet")
    )
    assert all(trace.answer == 0 for trace in broad + narrow)
    assert sum(t.samples for t in narrow) < sum(t.samples for t in broad)
    assert sum(t.regret[-1] for t in narrow) < 0.7 * sum(t.regret[-1] for t in broad)


def kendall(ranking, scores):
    return sum(scores[a] < scores[b] for a, b in itertools.combinations(ranking, 2))


def displacement(ranking, scores):
    """Over all orders that the scores allow, the least of the largest displacement."""
    orders = (
        order for order in itertools.permutations(range(len(scores))) if not kendall(order, scores)
    )
    return min(max(abs(ranking.index(a) - order.index(a)) for a in ranking) for order in orders)


@pytest.mark.parametrize("seed", range(40))
def test_distances_never_exceed_their_bounds(seed):
    """Whatever the scores between their bounds; for points the Kendall bound is the distance."""
    rng = np.random.default_rng(seed)
    lowest = rng.integers(0, 4, size=4)
    highest = np.minimum(lowest + rng.integers(0, 3, size=4), 4)
    ranking = ranked(lowest, highest)
    bound = doubts(ranking, lowest, highest, "kendall").sum() / 2
    largest = doubts(ranking, lowest, highest, "displacement").max()
    worst = 0
    for scores in itertools.product(
        *(range(a, b + 1) for a, b in zip(lowest, highest, strict=True))
    ):
        worst = max(worst, kendall(ranking, scores))
        assert displacement(ranking, scores) <= largest
    assert worst <= bound
    if (lowest == highest).all():
        assert bound == largest == 0


def test_a_distance_allowed_saves_duels():
    mu = with_gaps(random_preferences(8, np.random.default_rng(1)), 0.05)
    for distance in ("kendall", "displacement"):
        exact, loose = (
            np.mean(
                [
                    cpe.simulate("rankel", mu, seed=s, rho=rho, distance=distance).samples
                    for s in range(10)
                ]
            )
            for rho in (0, 4)
        )
        assert loose < exact


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("savage", {"delta": 0}, "delta is 0, expected a number above 0"),
        ("savage", {"delta": 1.0}, "delta is 1.0, expected a probability between 0 and 1"),
        ("savage", {"target": "borda"}, "unknown target 'borda'"),
        ("pbr", {}, "pbr needs max_duels, the most duels of a pair"),
        ("pbr", {"max_duels": 0}, "max_duels is 0"),
        ("rankel", {"rho": -1}, "rho is -1"),
        ("rankel", {"distance": "spearman"}, "unknown distance 'spearman'"),
        ("rmed2fh", {}, "rmed2fh needs a horizon"),
    ],
)
def test_parameters_are_checked(name, parameters, message):
    with pytest.raises(cpe.CpeOptError, match=message):
        cpe.simulate(name, cpe.load_instance("gap"), **parameters)

"""Learners that identify a winner or an order: each duels as its paper's pseudo-code does."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import beta

import cpe_opt as cpe
from cpe_opt.learners.dueling.elimination import at_any_time, duels_to_a_sign, up_to
from cpe_opt.learners.dueling.noisy_tournament import lead_needed
from cpe_opt.learners.dueling.pocowista import log_posterior_ratio
from cpe_opt.learners.dueling.rankel import doubts, ranked
from cpe_opt.learners.registry import get_learner
from cpe_opt.validation import checked_delta
from tests.learners.dueling.reference_races import (
    bears_on_the_condorcet_winner,
    bears_on_the_copeland_winner,
    hoeffding,
    race_problem,
    reference_dkwt,
    reference_nts,
    reference_pbr,
    reference_pocowista,
    reference_rankel,
    reference_savage,
)
from tests.learners.dueling.support import identification_problem
from tests.learners.support import OutcomesByPair, run_to_the_end


def duels_as(reference, name, mu, seed, **told):
    """The answers and the numbers of duels of a reference and of the learner, once they agree."""
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    expected = reference(plain.duel)
    learner = get_learner(name)(mu.arms, rng=np.random.default_rng(seed), **told)
    found = run_to_the_end(learner, ours)
    np.fill_diagonal(ours.draws, 0)
    assert (ours.draws == plain.draws).all()
    return expected, found


def pairs_of(mu):
    return mu.arms * (mu.arms - 1) / 2


@pytest.mark.parametrize("seed", [0, 4])
@pytest.mark.parametrize("horizon", [None, 10**6])
@pytest.mark.parametrize(
    ("target", "bears"),
    [("copeland", bears_on_the_copeland_winner), ("condorcet", bears_on_the_condorcet_winner)],
    ids=["copeland", "condorcet"],
)
def test_savage_explores_exactly_as_the_reference(target, bears, horizon, seed):
    mu = race_problem(seed)

    def eta(n):
        return pairs_of(mu) * (math.pi**2 * n**2 / 3 if horizon is None else 2 * horizon)

    radius = hoeffding(eta, 0.05 if horizon is None else 1 / horizon)
    (books, rounds), (answer, played) = duels_as(
        lambda duel: reference_savage(mu.arms, duel, radius, bears),
        "savage", mu, seed, horizon=horizon, target=target,
    )  # fmt: skip
    assert played == (rounds if horizon is None else horizon)
    if target == "copeland":
        assert answer == books.leader()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("most", [20, 3000])
def test_pbr_explores_exactly_as_the_reference(seed, most):
    mu = race_problem(seed)
    radius = hoeffding(lambda _: 2 * mu.arms**2 * most, 0.05)
    expected, found = duels_as(
        lambda duel: reference_pbr(mu.arms, duel, radius, most), "pbr", mu, seed, max_duels=most
    )
    assert found == expected


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rho", [0, 2])
def test_rankel_explores_exactly_as_the_reference(seed, rho):
    mu = race_problem(seed)
    radius = hoeffding(lambda n: math.pi**2 * pairs_of(mu) * n**2 / 3, 0.05)
    expected, found = duels_as(
        lambda duel: reference_rankel(mu.arms, duel, radius, rho), "rankel", mu, seed, rho=rho
    )
    assert found == expected


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("name", "told", "reference"),
    [
        ("dkwt", {}, reference_dkwt),
        ("noisy-tournament", {"h": 0.15}, reference_nts),
        ("pocowista", {}, reference_pocowista),
    ],
    ids=["dkwt", "noisy-tournament", "pocowista"],
)
def test_tournaments_duel_exactly_as_the_reference(name, told, reference, seed):
    mu = identification_problem(seed)
    rng = np.random.default_rng(seed)
    arms = rng.permutation(mu.arms).tolist() if name == "dkwt" else mu.arms
    expected, (answer, _) = duels_as(
        lambda duel: reference(arms, duel, delta=0.1, **told), name, mu, seed, delta=0.1, **told
    )
    assert answer == expected


# Their parts


def test_leads_needed_are_the_paper_s():
    """δ = 0.1, n = 8: √(16 ln(64 π² / 0.3)) and √(16 ln(200 / 0.1))."""
    assert at_any_time(0.1)(8) == pytest.approx(11.0651, abs=1e-4)
    assert up_to(100, 0.1)(8) == pytest.approx(11.0279, abs=1e-4)
    assert checked_delta(None, 1000) == 0.001
    assert checked_delta(None, None) == 0.05
    assert checked_delta(0.2, 1000) == 0.2


def test_a_lead_that_only_equals_what_is_needed_is_no_verdict():
    assert duels_to_a_sign(0, 4, lambda n: 5.0) == 2


def test_the_posterior_ratio_is_that_of_the_densities():
    for wins, losses in ((0, 0), (1, 0), (0, 7), (5, 5), (40, 13), (3000, 2900)):
        density = beta.pdf(0.5, wins + 1, losses + 1)
        assert log_posterior_ratio(wins, losses) == pytest.approx(-math.log(density), abs=1e-9)


def test_a_lead_is_what_the_probability_ratio_test_needs():
    """ln 99 / ln (0.6/0.4) = 11.33."""
    assert lead_needed(0.1, 0.01) == 12
    assert lead_needed(0.49, 0.49) == 1


def test_noise_that_is_taken_for_low_is_an_assumption():
    trace = cpe.simulate("noisy-tournament", cpe.load_instance("cyclic"), h=0.1, seed=1)
    assert trace.claim == "proved, if all probabilities are at least h away from 1/2"


def test_a_race_cut_off_by_its_most_duels_proves_nothing():
    mu = cpe.load_instance("cyclic")
    trace = cpe.simulate("pbr", mu, max_duels=10)
    assert trace.doubt == "6 pairs were undecided after 10 duels each"
    assert cpe.simulate("pbr", cpe.PreferenceMatrix([[0.5, 1], [0, 0.5]]), max_duels=1000).proved


def kendall(ranking, scores):
    return sum(scores[a] < scores[b] for a, b in itertools.combinations(ranking, 2))


def displacement(ranking, scores):
    """Over all orders that the scores allow, the least of the largest displacement."""
    orders = (
        order for order in itertools.permutations(range(len(scores))) if not kendall(order, scores)
    )
    return min(max(abs(ranking.index(a) - order.index(a)) for a in ranking) for order in orders)


@pytest.mark.parametrize("seed", range(12))
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

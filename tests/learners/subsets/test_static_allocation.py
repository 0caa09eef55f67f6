"""Learners from sums: allocation, estimates, stopping rules by brute force, and guarantees."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs.design import efficient_rounding
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.exhaustive import Enumeration
from cpe_opt.learners.subsets.icb import largest_gap_bound
from cpe_opt.learners.subsets.sa_foa import certified_gap_bound, first_order_gap_bound
from cpe_opt.learners.subsets.saqm import LargestNorm
from cpe_opt.learners.subsets.static_allocation import Guarantee, Snapshot, checked_aim
from tests.formulations.subsets.test_oracle import CLASSES, classes
from tests.support import binomial_margin

DELTA = 0.05
TREES = cpe.SpanningTrees([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])


def look_at(decisions, seed, t=500):
    """A look with random pulls of all sets, and a random estimate in their span."""
    rng, listed = np.random.default_rng(seed), decisions.indicator_matrix()
    times = rng.multinomial(t, rng.dirichlet(np.ones(len(listed)))) + 1
    inverse = np.linalg.pinv(listed.T @ (times[:, None] * listed), hermitian=True)
    theta = inverse @ listed.T @ (times * (listed @ rng.normal(size=decisions.size)))
    best = SubsetOracle(decisions).maximise(theta)
    chi = np.isin(np.arange(decisions.size), best).astype(float)
    return Snapshot(t, theta, inverse, best, chi, float(theta @ chi), listed)


def others(look):
    """Differences of all other sets to the best one."""
    apart = look.support - look.chi
    return apart[np.abs(apart).any(axis=1)]


def norms(look, rows):
    return np.sqrt(np.maximum(0.0, ((rows @ look.inverse) * rows).sum(axis=1)))


@classes
@pytest.mark.parametrize("seed", range(3))
def test_leads_are_those_of_enumeration(decisions, seed):
    look, radius = look_at(decisions, seed), 2.0
    apart = others(look)
    if not len(apart):
        assert Enumeration(decisions).largest_gap_bound(look, radius) == -np.inf
        assert largest_gap_bound(look, radius, SubsetOracle(decisions)) == -np.inf
        return
    expected = (apart @ look.theta + radius * norms(look, apart)).max()
    assert Enumeration(decisions).largest_gap_bound(look, radius) == pytest.approx(expected)
    width = np.sqrt(np.diag(look.inverse))
    by_element = (apart @ look.theta + radius * (np.abs(apart) @ width)).max()
    assert largest_gap_bound(look, radius, SubsetOracle(decisions)) == pytest.approx(by_element)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("n", "k"), [(6, 3), (7, 2), (5, 4), (4, 1)])
def test_leads_of_sa_foa_bracket_the_true_one(n, k, seed):
    decisions = cpe.TopK(n, k)
    for radius in (0.01, 0.5, 5.0):
        look = look_at(decisions, seed)
        true = Enumeration(decisions).largest_gap_bound(look, radius)
        assert certified_gap_bound(look, radius) >= true - 1e-9
        for maximiser in ("peeling", "greedy", "swap"):
            found = first_order_gap_bound(look, radius, look.support > 0.5, maximiser)
            assert found <= true + 1e-9


def test_the_certified_lead_is_exact_for_the_optimal_design():
    decisions = cpe.TopK(6, 3)
    design = cpe.g_design(decisions)
    inverse = np.linalg.inv(1000 * design.information)
    theta = np.array([0.9, 0.7, 0.5, 0.4, 0.2, 0.1])
    chi = np.array([1.0, 1, 1, 0, 0, 0])
    look = Snapshot(1000, theta, inverse, (0, 1, 2), chi, 2.1, design.vectors)
    for radius in (0.1, 1.0, 10.0):
        true = Enumeration(decisions).largest_gap_bound(look, radius)
        assert certified_gap_bound(look, radius) == pytest.approx(true, rel=1e-6)


def test_tangents_at_every_set_with_swaps_find_the_true_lead_for_large_radii():
    look = look_at(cpe.TopK(6, 3), 4)
    true = Enumeration(cpe.TopK(6, 3)).largest_gap_bound(look, 10.0)
    assert first_order_gap_bound(look, 10.0, look.support > 0.5, "swap") >= 0.95 * true


@pytest.mark.parametrize("maximiser", [None, "exact"])
@classes
def test_certified_norms_of_saqm_are_not_below_the_largest(decisions, maximiser):
    certified = LargestNorm(decisions, maximiser, "certified")
    for seed in range(3):
        look = look_at(decisions, seed)
        true = norms(look, look.support).max()
        assert certified(look) >= true - 1e-9
        if maximiser == "exact":
            assert certified(look) == pytest.approx(true, rel=1e-4)


@pytest.mark.parametrize("maximiser", ["peeling", "greedy", "swap", "ascent", "exact"])
def test_norms_of_saqm_are_those_of_its_maximiser_over_the_ratio(maximiser):
    decisions = cpe.TopK(6, 3)
    for seed in range(6):
        look = look_at(decisions, seed)
        true = norms(look, look.support).max()
        starts = {"starts": 10} if maximiser in ("swap", "ascent") else {}
        best = cpe.ellipsoid_maximum(decisions, look.inverse, maximiser, **starts).value ** 0.5
        plain = LargestNorm(decisions, maximiser, 1.0)(look)
        assert plain == pytest.approx(best)
        assert plain <= true + 1e-9
        assert LargestNorm(decisions, maximiser, 0.5)(look) == pytest.approx(2 * plain)
        if maximiser == "peeling":
            assert LargestNorm(decisions, maximiser, "theorem")(look) >= true - 1e-9
        if maximiser == "swap":
            assert LargestNorm(decisions, None, 1.0)(look) == plain


def test_the_maximisers_of_saqm_differ():
    """On some look peeling, greedy and swap search find sets with different norms."""
    decisions, found = cpe.TopK(9, 4), []
    for seed in range(20):
        look = look_at(decisions, seed, t=200)
        found.append([LargestNorm(decisions, m, 1.0)(look) for m in ("peeling", "greedy", "swap")])
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert any(abs(row[one] - row[other]) > 1e-6 for row in found)


def test_radii_are_the_paper_s():
    aim = Guarantee(0.0, 0.05, 3.0)
    log = np.log(6 * 100**2 * 20 / (np.pi**2 * 0.05))
    assert aim.ellipsoid_radius(100, cpe.TopK(6, 3)) == pytest.approx(2 * 2**0.5 * 3 * log**0.5)
    log = np.log(6 * 100**2 * 6 / (np.pi**2 * 0.05))
    assert aim.element_radius(100, 6) == pytest.approx(3 * (2 * log) ** 0.5)
    assert checked_aim(cpe.TopK(6, 3), 0.0, 0.1, 2.0, None).sigma == 6.0
    assert checked_aim(cpe.TopK(6, 3), 0.0, 0.1, 2.0, 1.5).sigma == 1.5


def pulls_of(learner, decisions, theta, **parameters):
    """The queries of a learner that is told the truth, and what it answers."""
    run = learner(decisions, rng=np.random.default_rng(0), **parameters)
    queries, answer = [], None
    while True:
        try:
            query = run.send(answer)
        except StopIteration as finished:
            return queries, finished.value
        queries.append(query)
        sums = [sum(theta[e] for e in members) for members in query.sets]
        answer = np.array(query.times) * np.array(sums)


@pytest.mark.parametrize("name", ["saqm", "sa-foa", "icb", "exhaustive"])
def test_blocks_keep_the_static_allocation(name):
    """After every block each set has been pulled as often as the furthest-behind rule has it."""
    decisions, theta = cpe.TopK(5, 2), np.array([0.9, 0.1, 0.5, -0.5, 0.0])
    design = cpe.uniform_design(decisions, seed=1)
    queries, answer = pulls_of(
        cpe.learners.get_learner(name), decisions, theta, design=design, growth=1.2
    )
    assert answer == (0, 2)
    total = np.zeros(len(design.weights), dtype=int)
    assert sum(queries[0].times) == max(5, len(design.weights))
    for query in queries:
        assert query.sets == design.support
        total += query.times
        np.testing.assert_array_equal(total, efficient_rounding(design.weights, total.sum()))


def test_looks_overshoot_by_the_growth_at_most():
    decisions, theta = cpe.TopK(4, 2), np.array([1.0, 0.8, 0.1, 0.0])
    fine = sum(q.rounds for q in pulls_of(cpe.learners.icb, decisions, theta, growth=1.001)[0])
    for growth in (1.01, 1.5):
        coarse = sum(
            q.rounds for q in pulls_of(cpe.learners.icb, decisions, theta, growth=growth)[0]
        )
        assert fine * 0.99 <= coarse <= fine * growth * 1.01


def test_icb_stops_by_the_radius_of_its_lemma_or_of_proposition_1():
    """Told the truth, it stops where C_t / √t has fallen to the same width."""
    decisions, theta = cpe.TopK(6, 3), np.array([1.0, 0.9, 0.8, 0.1, 0.0, -0.1])
    aim = Guarantee(0.0, 0.05, 3.0)
    width = {}
    for radius in ("elements", "sets"):
        queries, answer = pulls_of(
            cpe.learners.icb, decisions, theta, radius=radius, growth=1.001, delta=0.05
        )
        assert answer == (0, 1, 2)
        t = sum(query.rounds for query in queries)
        c_t = aim.ellipsoid_radius(t, decisions) if radius == "sets" else aim.element_radius(t, 6)
        width[radius] = c_t / np.sqrt(t)
    assert width["sets"] == pytest.approx(width["elements"], rel=2e-3)


def failures(name, bandit, margin, seeds=80, design="g", **parameters):
    """Answers worse than margin below the best; optimal designs are computed once for all runs."""
    best = cpe.best_subset(bandit.decisions, bandit.theta).value
    optimal = {"g": cpe.g_design, "xy": cpe.xy_design}
    if design in optimal:
        design = optimal[design](bandit.decisions)
    parameters |= {"delta": DELTA, "margin": margin, "design": design, "growth": 1.3}
    answers = [cpe.simulate(name, bandit, seed=s, **parameters).answer for s in range(seeds)]
    return sum(bandit.value(answer) < best - margin - 1e-9 for answer in answers)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("saqm", {}),
        ("saqm", {"maximiser": "peeling", "approximation_ratio": 0.9}),
        ("sa-foa", {}),
        ("sa-foa", {"maximiser": "peeling", "approximation_ratio": 1.0}),
        ("icb", {}),
        ("icb", {"design": "uniform"}),
        ("exhaustive", {"design": "xy"}),
    ],
)
def test_failures_are_within_delta_on_top_k(name, parameters):
    """80 seeds at delta = 0.05; the test errs with probability below 1e-3."""
    bandit = cpe.planted_subsets(6, 2, gap=0.5, seed=3)
    # Independent normal noise of two elements is √2-sub-Gaussian.
    found = failures(name, bandit, 0.0, sigma=2**0.5, **parameters)
    assert found <= binomial_margin(80, DELTA)


@pytest.mark.parametrize(("name", "parameters"), [("icb", {}), ("saqm", {}), ("exhaustive", {})])
def test_failures_are_within_delta_on_spanning_trees(name, parameters):
    bandit = cpe.SubsetBandit(TREES, [0.9, 0.1, 0.8, 0.2, 0.6])
    found = failures(name, bandit, 0.3, sigma=3**0.5, **parameters)
    assert found <= binomial_margin(80, DELTA)


@pytest.mark.parametrize("name", ["icb", "exhaustive"])
@pytest.mark.parametrize("kind", ["partition", "dag", "matchings", "streets"])
def test_any_class_is_learned(name, kind):
    decisions = CLASSES[kind]
    theta = np.random.default_rng(1).uniform(size=decisions.size)
    bandit = cpe.SubsetBandit(decisions, theta, noise=0.1)
    best = cpe.best_subset(decisions, theta)
    trace = cpe.simulate(name, bandit, margin=0.1, noise=0.1, growth=1.2)
    assert bandit.value(trace.answer) >= best.value - 0.1


def test_clucb_learns_any_class_from_single_elements():
    theta = [0.9, 0.1, 0.8, 0.2, 0.6]
    trace = cpe.simulate("clucb", cpe.SubsetBandit(TREES, theta, noise=0.3), noise=0.3, seed=2)
    assert trace.answer == cpe.best_subset(TREES, theta).elements
    assert trace.draws.sum() == trace.samples == trace.rounds


def test_exhaustive_and_certified_sa_foa_stop_together_on_the_optimal_design():
    """Both have the same maximum; one stops at ε, the other at ε/2."""
    bandit = cpe.planted_subsets(7, 3, gap=0.4, seed=5)
    one = cpe.simulate("exhaustive", bandit, seed=1)
    other = cpe.simulate("sa-foa", bandit, seed=1)
    assert other.answer == one.answer
    assert 1 <= other.samples / one.samples < 1.03


def test_a_guarantee_costs_more_than_a_guess():
    bandit = cpe.planted_subsets(6, 3, gap=0.5, seed=2)
    guesses = {"maximiser": "peeling", "growth": 1.02, "horizon": 10**9}
    samples = [
        cpe.simulate("saqm", bandit, approximation_ratio=ratio, **guesses).samples
        for ratio in (1.0, 0.9, "theorem")
    ]
    samples.insert(1, cpe.simulate("saqm", bandit, growth=1.02, horizon=10**9).samples)
    assert samples[0] <= samples[1] < samples[2] < samples[3]


def test_the_horizon_ends_it_with_the_best_set_so_far():
    bandit = cpe.planted_subsets(6, 3, gap=0.1, seed=2)
    trace = cpe.simulate("saqm", bandit, horizon=5000)
    assert trace.rounds == trace.samples == 5000
    assert bandit.decisions.contains(trace.answer)
    assert np.isnan(trace.regret).all()
    assert abs(trace.draws.sum() - 3 * 5000) <= 3 * 100
    assert bandit.decisions.contains(cpe.simulate("saqm", bandit, horizon=1).answer)


def test_sums_have_the_mean_and_the_variance_of_single_pulls():
    """10,000 draws each; the test errs with probability below 1e-4."""
    rng = np.random.default_rng(0)
    table = np.array([[1.0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 0, 0]])
    for bandit in (
        cpe.SubsetBandit(cpe.TopK(3, 2), [0.5, -0.2, 0.1], noise=0.7),
        cpe.SubsetBandit.from_outcomes(table, 2),
    ):
        environment = bandit.environment(rng)
        query = cpe.PullSets(((0, 1), (1, 2), (0, 2)), (4, 0, 25))
        sums = np.array([environment.answer(environment.check(query)) for _ in range(10_000)])
        assert not sums[:, 1].any()
        for column, members, times in ((0, [0, 1], 4), (2, [0, 2], 25)):
            if bandit.outcomes is None:
                variance = 2 * 0.7**2
            else:
                variance = table[:, members].sum(axis=1).var()
            error = 4.5 * np.sqrt(times * variance / 10_000)
            assert abs(sums[:, column].mean() - times * bandit.theta[members].sum()) < error
            assert sums[:, column].var() == pytest.approx(times * variance, rel=0.08)
        single = environment.answer(environment.check(cpe.Pull(0, 5)))
        assert single.shape == (5,)


@pytest.mark.parametrize(
    "query",
    [
        cpe.Duel(0, 1),
        cpe.PullSets(((0, 1),), (0,)),
        cpe.PullSets(((0, 1),), (1, 2)),
        cpe.PullSets(((0, 1, 2),), (1,)),
        cpe.PullSets(((0, 7),), (1,)),
        cpe.Pull(4),
    ],
)
def test_illegal_queries_are_refused(query):
    bandit = cpe.SubsetBandit(cpe.TopK(3, 2), [0.0, 1.0, 2.0])
    with pytest.raises(cpe.InputError):
        bandit.environment(np.random.default_rng(0)).check(query)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("saqm", {"approximation_ratio": "theorem"}, "is that of the maximiser 'peeling'"),
        ("saqm", {"approximation_ratio": 1.2}, "above 0 and at most 1"),
        ("saqm", {"approximation_ratio": "certify"}, "did you mean 'certified'"),
        ("saqm", {"maximiser": "peel"}, "did you mean 'peeling'"),
        ("saqm", {"growth": 1.0}, "growth is 1.0, expected a number above 1"),
        ("saqm", {"margin": -1.0}, "margin is -1.0, expected a number, at least 0"),
        ("saqm", {"sigma": 0}, "sigma is 0"),
        ("saqm", {"design": "G"}, "unknown design 'G'; known: g, uniform, xy"),
        ("saqm", {"design": 3}, "design is 3, expected a Design"),
        (
            "saqm",
            {"maximiser": "swap"},
            "'swap', which has no effect with approximation_ratio 'cer",
        ),
        ("saqm", {"maximiser": "ascent"}, "'ascent', which has no effect"),
        ("sa-foa", {"maximiser": "swap"}, "maximiser is 'swap', which has no effect"),
        ("sa-foa", {"anchors": 2}, "anchors is 2, which has no effect"),
        ("sa-foa", {"approximation_ratio": "theorem"}, "no theorem on the ratio of sa-foa"),
        ("sa-foa", {"anchors": 0}, "anchors is 0"),
        ("sa-foa", {"maximiser": "exact"}, "unknown maximiser 'exact'"),
        ("icb", {"solver": "hihgs"}, "did you mean 'highs'"),
        ("icb", {"radius": "set"}, "did you mean 'sets'"),
    ],
)
def test_bad_parameters_are_refused_in_words(name, parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate(name, cpe.planted_subsets(4, 2), **parameters)


def test_learners_of_k_of_n_refuse_other_classes_and_problems():
    bandit = cpe.SubsetBandit(TREES, np.zeros(5))
    with pytest.raises(cpe.InputError, match="sa-foa is for k of n, not for trees"):
        cpe.simulate("sa-foa", bandit)
    with pytest.raises(cpe.InputError, match="for trees of 4 vertices, 5 edges use 'ascent'"):
        cpe.simulate("saqm", bandit, maximiser="peeling", approximation_ratio=1.0)
    assert cpe.simulate("saqm", bandit, horizon=1000).rounds == 1000
    with pytest.raises(cpe.InputError, match="saqm is for a SubsetBandit, and gap is a Pref"):
        cpe.simulate("saqm", cpe.load_instance("gap"))
    with pytest.raises(cpe.InputError, match="ccb is for a PreferenceMatrix, and subsets is a Sub"):
        cpe.simulate("ccb", bandit)
    with pytest.raises(cpe.InputError, match=r"expected at most 5,000,000"):
        cpe.simulate("exhaustive", cpe.planted_subsets(40, 20))


def test_designs_must_be_of_the_class_and_span_it():
    bandit = cpe.planted_subsets(4, 2)
    with pytest.raises(cpe.InputError, match="an action that is no set of 2 of 4"):
        cpe.simulate("icb", bandit, design=cpe.g_design(cpe.TopK(4, 3)))
    with pytest.raises(cpe.InputError, match="the design is singular"):
        cpe.simulate("icb", bandit, design=cpe.g_design([[1.0, 1, 0, 0], [0, 0, 1, 1]]))

"""COCI: the algorithm round by round, and its guarantee."""

import math
from functools import partial
from itertools import count

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.separable.box_test import BoxTest
from cpe_opt.formulations.separable.oracle import find_bi_monotone_violation, oracle_of
from tests.formulations.separable.test_box_test import TOP, TREES, WATER
from tests.learners.support import driven
from tests.support import binomial_margin

DELTA = 0.05
PROBLEMS = {
    "top": cpe.SeparableProblem(TOP, [cpe.Bernoulli(p) for p in (0.9, 0.2, 0.7, 0.4, 0.1)]),
    "best": cpe.SeparableProblem(
        cpe.BestSet(cpe.TopK(3, 1)), [cpe.Beta(4, 2), cpe.Bernoulli(0.3), cpe.Empirical((0.1, 0.4))]
    ),
    "water": cpe.SeparableProblem(WATER, [cpe.Bernoulli(p) for p in (0.95, 0.1, 0.6)]),
    "opinions": cpe.SeparableProblem(
        cpe.OpinionSampling([3, 1], 5), [cpe.Bernoulli(0.5), cpe.Bernoulli(0.02)]
    ),
}
problems = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)


def test_violations_of_bi_monotonicity_are_found():
    assert not TREES.bi_monotone
    paired = cpe.CustomModel(
        3, lambda theta: np.array([1.0, 1, 0]) if theta[0] + theta[1] > 1 else np.eye(3)[2],
        bi_monotone=False,
    )  # fmt: skip
    low, high, arm = find_bi_monotone_violation(paired)
    assert (high >= low).all()
    assert (high > low).sum() == 1
    moved = oracle_of(paired)(high) - oracle_of(paired)(low)
    assert moved[arm] != 0
    cheap = cpe.WaterPlan([cpe.Quadratic(0.1)] * 2, [3, 3], 1)
    assert not cheap.bi_monotone  # beyond the demand every source is worth its cost


def plain_coci(model, environment, delta, uniform=False):
    """As printed: every arm tested in every round."""
    tau, m, oracle = model.tau, model.size, oracle_of(model)
    seen = [environment.answer(cpe.Pull(i, tau)).tolist() for i in range(m)]
    estimate = np.mean if tau == 1 else partial(np.var, ddof=1)
    t, value = tau * m, np.array([estimate(rewards) for rewards in seen])
    while True:
        t += 1
        pulls = np.array([len(s) for s in seen])
        radius = np.sqrt(math.log(4 * t**3 / (tau * delta)) / (2 * pulls))
        low, high = np.maximum(0, value - radius), np.minimum(1, value + radius)
        undecided = []
        for i in range(m):
            up, down = low.copy(), high.copy()
            up[i], down[i] = high[i], low[i]
            if oracle(up)[i] != oracle(down)[i]:
                undecided.append(i)
        if not undecided:
            return tuple(oracle(value)), sum(map(len, seen))
        arm = max(range(m) if uniform else undecided, key=lambda i: (radius[i], -i))
        seen[arm] += environment.answer(cpe.Pull(arm)).tolist()
        value[arm] = estimate(seen[arm])


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.9])
def test_coci_stops_when_the_radius_of_a_variance_is_below_its_threshold(threshold):
    """τ = 2, two arms, equal rewards: √(ln(4 t³ / 2δ) / 2T) with t = 4 + 1, 4 + 2, …"""

    def decide(theta):
        return np.array([float(theta[0] > threshold), 0.0])

    model = cpe.CustomModel(2, decide, bi_monotone=False, tau=2)
    asked, answer = driven(cpe.learners.coci(model, delta=0.1), lambda query: np.zeros(query.times))
    assert answer == (0.0, 0.0)
    pulls = next(
        pulls
        for pulls in count(2)
        if math.sqrt(math.log(4 * (pulls + 3) ** 3 / 0.2) / (2 * pulls)) <= threshold
    )
    assert sum(query.times for query in asked) == pulls + 2


@pytest.mark.parametrize(
    ("problem", "name"),
    [("water", "coci"), ("opinions", "coci"), ("best", "coci"), ("best", "coci-uniform")],
)
def test_coci_is_the_algorithm_as_printed(problem, name):
    problem = PROBLEMS[problem]
    trace = cpe.simulate(name, problem, seed=3, delta=0.5)
    _, theirs = np.random.SeedSequence(3).spawn(2)
    environment = problem.environment(np.random.default_rng(theirs))
    answer, rounds = plain_coci(problem.model, environment, 0.5, name == "coci-uniform")
    assert (trace.answer, trace.rounds) == (answer, rounds)


@problems
def test_failures_are_within_delta_and_samples_within_the_bound(problem):
    """3 seeds; the test errs with probability below 1e-3. Right runs keep Theorem 1's bound."""
    hard = cpe.separable_hardness(problem)
    wrong, seeds = 0, 3
    for seed in range(seeds):
        trace = cpe.simulate("coci", problem, seed=seed, delta=DELTA)
        if trace.answer != tuple(hard.decision):
            wrong += 1
        else:
            assert trace.samples <= hard.coci_sample_bound(delta=DELTA)
    assert wrong <= binomial_margin(seeds, DELTA)


@pytest.mark.parametrize("name", ["coci", "coci-uniform"])
def test_what_vertices_of_the_box_decide_is_proved_where_they_are_enough(name):
    """φ of the first model changes within [0, 1] alone: the right decision at ½ is 1."""
    hill = cpe.CustomModel(
        1, lambda theta: np.array([1.0 if abs(theta[0] - 0.5) < 0.1 else 0.0]), bi_monotone=False
    )
    trace = cpe.simulate(name, cpe.SeparableProblem(hill, [cpe.Bernoulli(0.5)]), seed=0)
    assert trace.answer == (0.0,)
    assert not trace.proved
    assert trace.doubt.startswith(
        "the model is not bi-monotone: its decision was compared at vertices"
    )
    cheap = cpe.WaterPlan([cpe.Quadratic(0.1)] * 2, [3, 3], 1)
    monotone = cpe.CustomModel(1, np.rint, bi_monotone=True)
    for model, arms in ((TREES, [0.9, 0.2, 0.8, 0.5]), (cheap, [0.9, 0.7]), (monotone, [0.9])):
        assert BoxTest(model).proves
        problem = cpe.SeparableProblem(model, [cpe.Bernoulli(p) for p in arms])
        assert cpe.simulate(name, problem, seed=1, delta=0.5).proved

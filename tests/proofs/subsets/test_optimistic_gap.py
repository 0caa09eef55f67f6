"""The largest gap: against all sets listed, by several oracles, and with few calls."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.proofs.blocks import CommonWeights
from cpe_opt.proofs.subsets.glr_threshold import GlrThreshold, ThresholdRadius, glr_terms
from cpe_opt.proofs.subsets.optimistic_gap import OptimisticGap, SetPool
from cpe_opt.proofs.subsets.planned_blocks import SET_MIXTURE
from tests.formulations.subsets.test_oracle import CLASSES


def grid(side):
    """Paths down and right through a grid of vertices."""
    places = [(i, j) for i in range(side) for j in range(side)]
    edges = [((i, j), (i + 1, j)) for i, j in places if i + 1 < side]
    edges += [((i, j), (i, j + 1)) for i, j in places if j + 1 < side]
    return cpe.Paths(edges, (0, 0), (side - 1, side - 1))


GRID = grid(4)
SQUARE = cpe.Matchings(cpe.BipartiteGraph.complete(4, 4))
KINDS = {"matchings": SQUARE, "grid": GRID, "dag": CLASSES["dag"], "streets": CLASSES["streets"]}
DELTA = 0.1


class State:
    """Random means and pulls, near the number at which all sets are told."""

    def __init__(self, decisions, seed, method=None, spread=None):
        rng = np.random.default_rng(seed)
        self.oracle, self.found = SubsetOracle(decisions, method), SetPool(decisions)
        self.mean = rng.normal(size=decisions.size)
        spread = rng.choice([0.1, 0.7, 1.5]) if spread is None else spread
        self.pulls = np.exp(spread * rng.normal(size=decisions.size))
        self.pulls /= self.pulls.min()
        self.sets = list(decisions.sets())
        self.threshold = GlrThreshold(math.log((len(self.sets) - 1) / DELTA))
        self.best = self.oracle.maximise(self.mean)
        self.affine = self.threshold.affine(2 * decisions.rank)

    def slack(self, factor):
        """The largest gap of all sets, by the definition, one after another."""
        pulls, most = factor * self.pulls, -math.inf
        for members in self.sets:
            apart = sorted(set(members) ^ set(self.best))
            if apart:
                gap = self.mean[list(self.best)].sum() - self.mean[list(members)].sum()
                beta = self.threshold.constants(np.array([float(len(apart))]))[0]
                beta += 2 * np.log(4 + np.log(pulls[apart])).sum()
                most = max(most, math.sqrt(2 * (1 / pulls[apart]).sum() * beta) - gap)
        return most

    def gap(self, factor):
        pulls = factor * self.pulls
        terms = ThresholdRadius(2.0 / pulls, glr_terms(pulls), *self.affine)
        return OptimisticGap(self.oracle, self.found, self.best, self.mean, terms)

    def critical(self):
        """The factor at which all sets are told, by the definition."""
        low, high = 0.0, 25.0
        while high - low > 1e-4:
            middle = (low + high) / 2
            low, high = (low, middle) if self.slack(math.exp(middle)) <= 0 else (middle, high)
        return math.exp(high)


@pytest.mark.parametrize("kind", KINDS)
def test_the_bound_is_above_the_largest_gap_and_near_it(kind):
    for seed in range(3):
        state = State(KINDS[kind], seed)
        for factor in (1.0, 30.0, 1e4, 1e9):
            exact, bound = state.slack(factor), state.gap(factor).bound()
            assert bound >= exact
            assert bound <= 1.05 * max(0.0, exact) + 1e-2 * (exact > 0)
            assert state.gap(factor).largest_in_pool() <= exact + 0.02 * abs(exact)


@pytest.mark.parametrize("kind", ["matchings", "grid"])
def test_sets_that_are_told_in_another_way_are_left_out_and_no_others(kind):
    """Against all sets that are not told, one after another; also where all of them are told."""
    for seed in range(6):
        state, rng = State(KINDS[kind], seed), np.random.default_rng(seed)
        told = {each for each in state.sets if rng.uniform() < (0.5 if seed else 1.0)}
        rest = [each for each in state.sets if each not in told and each != state.best]
        if rest:
            pulls = 1.3 * state.critical() * state.pulls
            terms = ThresholdRadius(2.0 / pulls, glr_terms(pulls), *state.affine)
            apart = np.abs(indicators([state.best], len(pulls)) - indicators(rest, len(pulls)))
            gaps = state.mean[list(state.best)].sum() - indicators(rest, len(pulls)) @ state.mean
            exact = float((terms.radii(apart @ terms.features) - gaps).max())
        else:
            terms = ThresholdRadius(2e9 / state.pulls, glr_terms(state.pulls), *state.affine)
            exact = -1e3

        def of_told(vectors, told=told):
            return np.array([tuple(np.flatnonzero(v).tolist()) in told for v in vectors])

        for above, proved in ((0.03, True), (-0.03, False)):
            target, found = exact + above * abs(exact), SetPool(KINDS[kind])
            gap = OptimisticGap(state.oracle, found, state.best, state.mean, terms, of_told)
            if rest or proved:
                assert (gap.at_most(target) <= target) == proved


def test_bounds_allow_for_a_margin():
    state = State(SQUARE, 3)
    exact = state.slack(20.0)
    assert exact > 0.0
    assert state.gap(20.0).at_most(1.03 * exact) <= 1.03 * exact
    assert state.gap(20.0).at_most(0.97 * exact) > 0.97 * exact


METHODS = [("matchings", method) for method in ("enumerate", "program", "assignment")]


@pytest.mark.parametrize(("kind", "method"), [*((kind, None) for kind in KINDS), *METHODS])
def test_enough_is_never_said_of_what_a_list_does_not_prove_and_hardly_later(kind, method):
    """At pulls around those at which a list has the proof, by each oracle."""
    for seed in range(3):
        state = State(KINDS[kind], seed, method)
        critical = state.critical()
        for factor in (0.5, 0.9, 0.99):
            assert state.gap(factor * critical).at_most(0.0) > 0.0
        state.found = SetPool(KINDS[kind])
        assert state.gap(1.02 * critical).at_most(0.0) <= 0.0


def test_the_bound_of_an_oracle_counts_not_its_value():
    """An oracle whose bound is far above its sets proves nothing."""
    state = State(GRID, 1)
    factor = 2.0 * state.critical()
    assert state.gap(factor).at_most(0.0) <= 0.0
    exact = state.oracle.optimum

    def careless(weights, include, exclude):
        found = exact(weights, include, exclude)
        return None if found is None else found._replace(bound=found.value + 1e3)

    state.oracle.optimum = careless
    assert state.gap(factor).at_most(0.0) > 0.0


@pytest.mark.parametrize("careless_of", ["include", "exclude"])
def test_both_parts_are_bounded(careless_of):
    """Bounds that are too large in one of two parts prove nothing, wherever parts are needed."""
    needed = 0
    for seed in (0, 1, 2, 21):  # the last needs them
        state = State(SQUARE, seed, spread=1.5)
        factor, exact = 1.02 * state.critical(), state.oracle.optimum
        asked = []

        def careless(weights, include, exclude, exact=exact, asked=asked):
            found = exact(weights, include, exclude)
            split = bool(include) if careless_of == "include" else len(exclude) > 1
            asked.append(bool(include) or len(exclude) > 1)
            return found._replace(bound=found.value + 1e3) if found and split else found

        state.oracle.optimum = careless
        told = state.gap(factor).at_most(0.0) <= 0.0
        assert told == (not any(asked))
        needed += any(asked)
    assert needed > 0


@pytest.mark.parametrize("decisions", [SQUARE, GRID], ids=repr)
def test_the_largest_gap_by_blocks_is_that_of_a_list(decisions):
    for seed in range(6):
        rng, blocks = np.random.default_rng(seed), CommonWeights(decisions.size, SET_MIXTURE)
        theta, times = rng.normal(size=decisions.size), (10, 100, 1000)[seed % 3]
        for _ in range(3):
            inverse = 1.0 / rng.integers(1, times, decisions.size)
            means = rng.normal(theta, np.sqrt(inverse))
            blocks.add(means, inverse, float(rng.uniform(0.5, 2.0) * times))
        oracle, radius = SubsetOracle(decisions), blocks.radius(8.0)
        best = oracle.maximise(blocks.sums)
        rows = indicators([best], decisions.size) - decisions.indicator_matrix()
        rows = rows[rows.any(axis=1)]
        radii = radius.radii(np.abs(rows) @ radius.features)
        exact = float((radii - rows @ blocks.sums).max())
        bound = OptimisticGap(oracle, SetPool(decisions), best, blocks.sums, radius).bound()
        assert exact <= bound <= max(0.0, 1.05 * exact)
        slack = 5e-3 * abs(exact)
        for target, proved in ((exact + slack, True), (exact - slack, False)):
            gap = OptimisticGap(oracle, SetPool(decisions), best, blocks.sums, radius)
            assert (gap.at_most(target) <= target) == proved

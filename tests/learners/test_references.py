"""CLUCB, CLUCB-Borda, CAR-Cond, CAR-Verify, CAR-Parallel and SA-FOA against plain references."""

import importlib
import math
from itertools import combinations

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs.design import Design
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.matchings.car_verify import verify
from cpe_opt.learners.matchings.pair_bounds import PairBounds
from cpe_opt.learners.matchings.samplers import ExactSampler
from cpe_opt.learners.subsets.sa_foa import first_order_gap_bound
from cpe_opt.learners.subsets.static_allocation import Snapshot
from cpe_opt.problems.queries import Duel
from tests.learners.reference_matchings import (
    Matchings,
    reference_borda_exact,
    reference_borda_pac,
    reference_car_cond,
    reference_car_verify,
    reference_parallel,
    reference_verify,
)
from tests.learners.reference_subsets import reference_clucb, reference_sa_foa, tangent_lead
from tests.learners.support import driven

# Two candidates; three; a path, where taking one edge excludes another.
TWO = cpe.BipartiteGraph.complete(2, 1)
THREE = cpe.BipartiteGraph.complete(3, 1)
PATH = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)])
# The first candidate must take the second position: one edge is in no matching, one in all.
FORCED = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (2, 0), (0, 1)])


def chances(graph, gap=0.5):
    """An edge beats every later one at its position with probability 1/2 + gap."""
    array = np.zeros((graph.size, graph.size))
    for e, f in graph.pairs.tolist():
        array[e, f], array[f, e] = 0.5 + gap, 0.5 - gap
    np.fill_diagonal(array, 0.5)
    return array


class Duels:
    """The k-th duel of a pair has the same outcome in whatever order pairs are duelled."""

    def __init__(self, array, seed=0):
        self.array, self.seed, self.streams = array, seed, {}

    def __call__(self, e, f, times=1):
        pair = min(e, f), max(e, f)
        stream = self.streams.setdefault(pair, np.random.default_rng([self.seed, *pair]))
        won = int((stream.random(times) < self.array[pair]).sum())
        return won if (e, f) == pair else times - won


def plain(reference, duels):
    """The duels of a reference, and its answer."""
    return driven(reference, lambda pair: duels(*pair))


def played(learner, duels):
    """All duels of a learner, in the order of the rounds that its batches stand for."""
    queries, answer = driven(learner, lambda query: duels(query.i, query.j, query.times))
    asked, batch = [], []
    for query in queries:
        if batch and (query.times != batch[0].times or repeats(query, batch)):
            asked += rounds_of(batch)
            batch = []
        batch.append(query)
    return [*asked, *rounds_of(batch)], answer


def repeats(query, batch):
    return (query.i, query.j) in {(earlier.i, earlier.j) for earlier in batch}


def rounds_of(batch):
    return [(query.i, query.j) for query in batch] * (batch[0].times if batch else 0)


def enumerated(graph):
    return Matchings(graph.edges, graph.positions)


def chooser(graph):
    """Which of several best matchings is meant."""
    return lambda weights: cpe.Matchings(graph).best(np.array(weights))


def other_chooser(graph):
    oracle = SubsetOracle(cpe.Matchings(graph))
    return lambda weights, than: oracle.maximise_other(np.array(weights), than)


# CLUCB


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "k"), [(4, 2), (3, 1), (5, 4)])
def test_clucb_pulls_what_the_reference_pulls(n, k, seed):
    theta = np.random.default_rng(seed).permutation(n) / n
    rewards = [np.random.default_rng([seed, e]).normal(theta[e], 0.2, 3000) for e in range(n)]

    def fresh():
        left = [row.tolist() for row in rewards]
        return lambda e: left[e].pop()

    sets, pull = list(combinations(range(n), k)), fresh()
    expected = driven(reference_clucb(n, sets, delta=0.1, noise=0.2), fresh())
    learner = cpe.learners.clucb(cpe.TopK(n, k), delta=0.1, noise=0.2)
    asked, answer = driven(learner, lambda query: np.array([pull(query.arm)]))
    assert ([query.arm for query in asked], answer) == expected
    assert len(asked) > 5 * n


def test_clucb_stops_between_two_elements_when_both_radii_make_up_their_gap():
    """One of 1, one of 0: the two radii R √(2 ln(8 t³/δ)/T) add up to 1 at most."""
    learner = cpe.learners.clucb(cpe.TopK(2, 1), delta=0.05, noise=0.25)
    asked, answer = driven(learner, lambda query: np.array([1.0 - query.arm]))
    assert answer == (0,)

    def open_at(t):
        log = 2 * math.log(8 * t**3 / 0.05)
        return 0.25 * (math.sqrt(log / (t // 2)) + math.sqrt(log / (t - t // 2))) > 1

    assert len(asked) == next(t for t in range(2, 1000) if not open_at(t))


@pytest.mark.parametrize("unit", [1e-10, 1e10])
def test_clucb_pulls_the_same_in_every_unit(unit):
    rewards = np.random.default_rng(0).normal([[0.0], [0.5]], 1.0, (2, 20_000))

    def pulls(unit):
        left = [iter((unit * row).tolist()) for row in rewards]
        learner = cpe.learners.clucb(cpe.TopK(2, 1), delta=0.05, noise=unit)
        asked, answer = driven(learner, lambda query: np.array([next(left[query.arm])]))
        return [query.arm for query in asked], answer

    expected = pulls(1.0)
    assert len(expected[0]) > 1000
    assert pulls(unit) == expected


# CLUCB-Borda


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("graph", [THREE, PATH], ids=["three", "path"])
def test_borda_pac_duels_what_the_reference_duels(graph, seed):
    array, epsilon = chances(graph, 0.4), 0.3
    sampler = ExactSampler(graph, np.random.default_rng(seed))
    reference = reference_borda_pac(
        enumerated(graph), sampler.opponent, chooser(graph), epsilon, delta=0.1
    )
    expected = plain(reference, Duels(array, seed))
    learner = cpe.learners.clucb_borda_pac(
        graph, rng=np.random.default_rng(seed), margin=epsilon, delta=0.1
    )
    assert played(learner, Duels(array, seed)) == expected
    assert len(expected[0]) > 100


def test_borda_exact_duels_what_the_reference_duels():
    """Over several epochs: the last one has statistics of its own, and a smaller delta."""
    graph, array = TWO, chances(TWO)
    sampler = ExactSampler(graph, np.random.default_rng(5))
    reference = reference_borda_exact(
        enumerated(graph), sampler.opponent, chooser(graph), delta=0.1
    )
    expected = plain(reference, Duels(array, 5))
    learner = cpe.learners.clucb_borda_exact(graph, rng=np.random.default_rng(5), delta=0.1)
    assert played(learner, Duels(array, 5)) == expected
    assert len(expected[0]) > 300


# CAR-Cond


def test_radii_of_pairs_are_the_paper_s():
    """K = 3 pairs, δ = 0.1, t = 10: ln(4 · 3 · 10³ / 0.1) = 11.695, over 2 · 40 duels."""
    bounds = PairBounds(THREE)
    bounds.add(0, 1, 25, 40)
    assert bounds.radius(10, 0.1)[0, 1] == pytest.approx(0.382349, abs=1e-6)
    upper, lower = bounds.bounds(10, 0.1)
    assert upper[0, 1] == pytest.approx(1.0)
    assert lower[0, 1] == pytest.approx(0.625 - 0.382349, abs=1e-6)
    assert upper[1, 0] == pytest.approx(0.375 + 0.382349, abs=1e-6)
    assert lower[1, 0] == 0.0
    assert (upper[0, 2], lower[0, 2], upper[0, 0], lower[0, 0]) == (1.0, 0.0, 0.5, 0.5)


@pytest.mark.parametrize("slack", ["paper", "none"])
@pytest.mark.parametrize(
    ("graph", "gap", "seed"),
    [
        (TWO, 0.5, 0),
        (TWO, 0.4, 1),
        (TWO, 0.4, 2),
        (THREE, 0.5, 0),
        (PATH, 0.5, 0),
        (FORCED, 0.5, 0),
    ],
)
def test_car_cond_duels_what_the_reference_duels(graph, gap, seed, slack):
    array = chances(graph, gap)
    expected = plain(reference_car_cond(enumerated(graph), 0.1, slack), Duels(array, seed))
    learner = cpe.learners.car_cond(graph, delta=0.1, slack=slack)
    assert played(learner, Duels(array, seed)) == expected


# CAR-Verify


@pytest.mark.parametrize("slack", ["paper", "none"])
@pytest.mark.parametrize(("graph", "gap"), [(TWO, 0.4), (THREE, 0.5), (PATH, 0.5)])
def test_car_verify_duels_what_the_reference_duels(graph, gap, slack):
    array = chances(graph, gap)
    reference = reference_car_verify(enumerated(graph), other_chooser(graph), 0.002, slack)
    expected = plain(reference, Duels(array))
    learner = cpe.learners.car_verify(graph, delta=0.002, slack=slack)
    assert played(learner, Duels(array)) == expected


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("graph", [THREE, PATH], ids=["three", "path"])
def test_verification_of_every_matching_is_the_reference_s(graph, seed):
    array = chances(graph, 0.3)
    for chosen in graph.matchings():
        reference = reference_verify(enumerated(graph), chosen, other_chooser(graph), 0.001)
        expected = plain(reference, Duels(array, seed))
        assert played(verify(graph, chosen, 0.001), Duels(array, seed)) == expected
        assert expected[1] is (chosen == cpe.condorcet_winner(cpe.MatchingDuels(graph, array)))


# CAR-Parallel


@pytest.mark.parametrize("slack", ["paper", "none"])
def test_car_parallel_duels_as_often_as_the_reference(slack):
    """With rounds in which others duel inside a copy's batch: compared by numbers."""
    graph = TWO
    array, choose = chances(graph), other_chooser(graph)

    def start(delta):
        return reference_car_verify(enumerated(graph), choose, delta, slack)

    asked, answer = plain(reference_parallel(start, 0.004), Duels(array))
    learner = cpe.learners.car_parallel(graph, delta=0.004, slack=slack)
    found, chosen = played(learner, Duels(array))
    assert chosen == answer
    assert sorted(found) == sorted(asked)


@pytest.mark.parametrize(
    "scripts",
    [
        [[3, 4, 1], [2, 2]],  # copy 0 ends with an error, then copy 1 answers
        [[50, 1], [1, 1]],  # copy 1 answers while copy 0 is in a long batch
        [[5], [7], [2, 1], [1]],
        [[1], [1], [1]],  # a copy that errs before the next one starts
        [[], [30, 4], [3]],  # a copy that asks nothing
    ],
)
def test_copies_of_car_parallel_keep_their_rounds_and_their_delta(scripts, monkeypatch):
    """Copy k duels edges k and k + 1 in batches of given sizes; all but the second one err."""
    answers = {1: "second"}

    def copies(delta):
        k = round(-math.log2(delta / 0.008)) - 1
        assert delta == 0.008 / 2 ** (k + 1)
        return k

    def batches(graph, *, delta, **_):
        k = copies(delta)
        for times in scripts[k] if k < len(scripts) else [10**6]:
            yield Duel(k, k + 1, times)
        return answers.get(k)

    def single(delta):
        k = copies(delta)
        for _ in range(sum(scripts[k]) if k < len(scripts) else 10**6):
            yield k, k + 1
        return answers.get(k)

    module = importlib.import_module("cpe_opt.learners.matchings.car_parallel")
    monkeypatch.setattr(module, "car_verify", batches)
    expected, answer = plain(reference_parallel(single, 0.008), lambda e, f: 0)
    many = cpe.BipartiteGraph.complete(12, 1)
    found, chosen = played(cpe.learners.car_parallel(many, delta=0.008), lambda e, f, times: 0)
    assert answer == chosen == "second"
    assert sorted(found) == sorted(expected)


# SA-FOA


@pytest.mark.parametrize("seed", range(6))
def test_leads_by_tangents_are_the_reference_s(seed):
    """Anchors that lead to several sets, the best of which counts."""
    rng, n, k = np.random.default_rng(seed), 6, 3
    rows = np.array([[float(e in m) for e in range(n)] for m in combinations(range(n), k)])
    inverse = np.linalg.inv(rows.T @ (rng.integers(1, 9, len(rows))[:, None] * rows))
    theta, anchors = rng.normal(size=n), rng.permutation(len(rows))[:5]
    best = tuple(sorted(np.argsort(-theta)[:k].tolist()))
    chi = np.isin(np.arange(n), best).astype(float)
    look = Snapshot(9, theta, inverse, best, chi, float(theta @ chi), rows)
    sets = [tuple(np.flatnonzero(rows[a]).tolist()) for a in anchors]
    for radius in (0.5, 3.0, 20.0):
        found = first_order_gap_bound(look, radius, rows[anchors] > 0.5, "peeling")
        assert found == pytest.approx(tangent_lead(theta, inverse, best, radius, sets))


@pytest.mark.parametrize("ratio", ["certified", 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_sa_foa_pulls_what_the_reference_pulls(ratio, seed):
    """A growth of next to nothing: a look after every pull."""
    n, k, delta, epsilon, sigma = 5, 2, 0.1, 0.2, 0.05
    support = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (0, 2), (1, 4)]
    shares = np.array([6, 7, 8, 9, 10, 11, 13]) / 64  # exact
    vectors = np.array([[float(e in members) for e in range(n)] for members in support])
    design = Design(
        value=9.0,
        bound=5.0,
        method="given",
        support=tuple(support),
        weights=shares,
        vectors=vectors,
        criterion="G",
    )
    theta = np.random.default_rng(seed).permutation([0.9, 0.6, 0.45, 0.2, 0.0])
    noisy = [
        (x @ theta + np.random.default_rng([seed, s]).normal(0, 0.05, 4000)).tolist()
        for s, x in enumerate(vectors)
    ]
    left, fresh = ([list(row) for row in noisy] for _ in range(2))
    reference = reference_sa_foa(
        n,
        k,
        support,
        shares,
        np.random.default_rng(seed),
        delta,
        epsilon,
        sigma,
        certified=ratio == "certified",
    )
    expected, best = driven(reference, lambda s: left[s].pop())
    learner = cpe.learners.sa_foa(
        cpe.TopK(n, k),
        rng=np.random.default_rng(seed),
        delta=delta,
        margin=epsilon,
        sigma=sigma,
        design=design,
        maximiser=None if ratio == "certified" else "peeling",
        approximation_ratio=ratio,
        growth=1 + 1e-9,
    )

    def sums(query):
        return np.array(
            [sum(fresh[s].pop() for _ in range(times)) for s, times in enumerate(query.times)]
        )

    queries, answer = driven(learner, sums)
    asked = [s for query in queries for s, times in enumerate(query.times) for _ in range(times)]
    first = max(n, len(support))
    assert sorted(asked[:first]) == sorted(expected[:first])
    assert asked[first:] == expected[first:]
    assert answer == best

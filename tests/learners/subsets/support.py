"""Looks of learners from sums, what they pull when told the truth, and how often they fail."""

import math
from itertools import combinations, count

import numpy as np

import cpe_opt as cpe
from cpe_opt.formulations.designs.design import Design
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.registry import get_learner
from cpe_opt.learners.subsets.static_allocation import LeastSquaresFit
from tests.learners.support import driven

TREES = cpe.SpanningTrees([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
THETA = np.array([0.9, 0.6, 0.3, 0.0])
PAIRS = list(combinations(range(4), 2))


def look_at(decisions, seed, t=500):
    """A look with random pulls of all sets, and a random estimate in their span."""
    rng, listed = np.random.default_rng(seed), decisions.indicator_matrix()
    times = rng.multinomial(t, rng.dirichlet(np.ones(len(listed)))) + 1
    inverse = np.linalg.pinv(listed.T @ (times[:, None] * listed), hermitian=True)
    theta = inverse @ listed.T @ (times * (listed @ rng.normal(size=decisions.size)))
    best = SubsetOracle(decisions).maximise(theta)
    chi = np.isin(np.arange(decisions.size), best).astype(float)
    return LeastSquaresFit(t, theta, inverse, best, chi, float(theta @ chi), listed)


def others(look):
    """Differences of all other sets to the best one."""
    apart = look.support - look.chi
    return apart[np.abs(apart).any(axis=1)]


def norms(look, rows):
    return np.sqrt(np.maximum(0.0, ((rows @ look.inverse) * rows).sum(axis=1)))


def pulls_of(learner, decisions, theta, **parameters):
    """The queries of a learner that is told the truth, and what it answers."""
    return told_the_truth(learner(decisions, rng=np.random.default_rng(0), **parameters), theta)


def told_the_truth(run, theta):
    """The queries of a run whose every observation is exact, and its answer."""
    queries, answer = [], None
    while True:
        try:
            query = run.send(answer)
        except StopIteration as finished:
            return queries, finished.value
        queries.append(query)
        sums = [sum(theta[e] for e in members) for members in query.sets]
        answer = np.array(query.times) * np.array(sums)


def pulled_by(learner, size, rewards):
    """The elements that a learner of single rewards pulls, each once first; rewards in order."""
    assert [query.arm for query in next(learner).queries] == list(range(size))
    query = learner.send([[reward] for reward in rewards[:size]])
    pulled = list(range(size))
    for reward in rewards[size:]:
        pulled.append(query.arm)
        query = learner.send([reward])
    return pulled


def given_design(size, support, shares):
    """These shares of these sets."""
    rows = np.array([[float(e in members) for e in range(size)] for members in support])
    return Design(
        value=9.0,
        bound=9.0,
        method="given",
        support=tuple(support),
        weights=np.asarray(shares),
        vectors=rows,
        criterion="G",
    )


def pulls_until(name, **parameters):
    """How often a learner pulls pairs of four elements that show their exact sums."""
    design = given_design(4, PAIRS, np.full(6, 1 / 6))
    learner = get_learner(name)(
        cpe.TopK(4, 2),
        rng=np.random.default_rng(0),
        design=design,
        delta=0.1,
        margin=0.1,
        sigma=0.15,
        growth=1 + 1e-9,
        **parameters,
    )
    queries, answer = driven(
        learner, lambda query: np.array(query.times) * (design.vectors @ THETA)
    )
    assert answer == (0, 1)
    return sum(query.rounds for query in queries)


def first_look(stops):
    """The first t at which a rule of t, A⁻¹ and C_t of each kind says stop."""
    for t in count(6):
        times = [t // 6 + (pair < t % 6) for pair in range(6)]
        rows = np.array([[float(e in pair) for e in range(4)] for pair in PAIRS])
        inverse = np.linalg.inv(sum(c * np.outer(x, x) for c, x in zip(times, rows, strict=True)))
        sets = 2 * math.sqrt(2) * 0.15 * math.sqrt(math.log(6 * t**2 * 6 / (math.pi**2 * 0.1)))
        each = 0.15 * math.sqrt(2 * math.log(6 * t**2 * 4 / (math.pi**2 * 0.1)))
        if stops(inverse, sets, each):
            return t
    raise AssertionError

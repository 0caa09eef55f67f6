"""What blocks prove of sets, against enumeration and against the definition."""

import math

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import cpe_opt as cpe
from cpe_opt.formulations.designs.block_designs import SetDesign
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.proofs.subsets.adaptive_samples import SelfNormalizedBound
from cpe_opt.proofs.subsets.planned_blocks import Differences, PlannedBlocks, least_squares
from tests.formulations.subsets.test_oracle import CLASSES

NOTHING = (np.zeros(4), np.zeros(4))  # S and V of no block


def listed_loss(decisions, best, lower):
    """The largest sum of a matching of exchanges over the sets of a matroid; lower is by pair."""
    worst = 0.0
    for members in decisions.sets():
        out, new = sorted({*best} - {*members}), sorted({*members} - {*best})
        lost = [[max(0.0, -lower.get((first, into), 0.0)) for into in new] for first in out]
        if out:
            worst = max(worst, np.array(lost)[linear_sum_assignment(lost, maximize=True)].sum())
    return worst


@pytest.mark.parametrize("kind", ["top", "partition", "trees"])
def test_the_loss_of_a_matroid_bounds_that_of_every_set(kind):
    """It is a largest matching of exchanges; for k of n every matching is one of a set."""
    decisions, rng = CLASSES[kind], np.random.default_rng(0)
    sets = list(decisions.sets())
    rivals = Differences(decisions, sets[0])
    assert rivals.share == rivals.count / (decisions.size - len(sets[0])) == len(sets[0])
    for best in sets[::5]:
        rows = rivals.rows(best)
        pairs = [(int(row.argmax()), int(row.argmin())) for row in rows]
        assert {*pairs} == {*map(tuple, decisions.exchanges(best).tolist())}
        lower = rng.normal(size=len(rows))
        loss = rivals.loss(best, lower)
        of_sets = listed_loss(decisions, best, dict(zip(pairs, lower.tolist(), strict=True)))
        assert loss == pytest.approx(of_sets) if kind == "top" else loss >= of_sets - 1e-9
        assert rivals.loss(best, np.abs(lower)) == 0.0
        theta = rng.normal(size=decisions.size)
        exact = rivals.loss(best, rows @ theta)
        most = max(sum(theta[list(m)]) for m in sets) - sum(theta[list(best)])
        assert exact >= most - 1e-9


@pytest.mark.parametrize("kind", ["dag", "matchings", "streets"])
def test_the_loss_of_a_listed_class_is_that_of_its_worst_set(kind):
    decisions, rng = CLASSES[kind], np.random.default_rng(1)
    sets = list(decisions.sets())
    rivals = Differences(decisions, sets[0])
    assert (rivals.share, rivals.count) == (1, len(sets) - 1)
    for best in sets[:3]:
        theta = rng.normal(size=decisions.size)
        values = indicators(sets, decisions.size) @ theta
        mine = float(theta[list(best)].sum())
        assert len(rivals.rows(best)) == len(sets) - 1
        loss = rivals.loss(best, rivals.rows(best) @ theta)
        assert loss == pytest.approx(max(0.0, float(values.max()) - mine))


def test_large_classes_that_are_no_matroids_are_refused():
    graph = cpe.BipartiteGraph.complete(9, 9)
    with pytest.raises(cpe.InputError, match=r"no matroid and has more than 20,000 sets"):
        Differences(cpe.Matchings(graph), tuple(range(0, 81, 10)))


def test_the_union_is_over_the_differences_and_planned_pulls_of_all_sets_span_it():
    rivals = Differences(cpe.TopK(4, 2), (0, 1))
    assert rivals.bounds(0.1).needed == pytest.approx(math.log(4 / 0.1))
    sets = cpe.TopK(4, 2).indicator_matrix()
    information, theta = sets.T @ sets, np.array([3.0, 1.0, 2.0, 5.0])
    estimate, inverse, unseen = least_squares(information, information @ theta)
    assert estimate == pytest.approx(theta)
    assert inverse @ information == pytest.approx(np.eye(4))
    assert unseen.shape == (4, 0)
    some = sets[:1].T @ sets[:1]
    _, inverse, unseen = least_squares(some, some @ theta)
    assert sets[0] @ inverse @ sets[0] == pytest.approx(1.0)
    assert unseen.shape == (4, 3)
    assert sets[0] @ unseen == pytest.approx(np.zeros(3))


def test_pulls_from_before_count_as_any_that_were_chosen():
    """With one block after them the bound is that of both."""
    decisions, rng = cpe.TopK(4, 2), np.random.default_rng(3)
    rivals, sets = Differences(decisions, (0, 1)), decisions.indicator_matrix()
    design = SetDesign(decisions, rng)
    state = PlannedBlocks(SubsetOracle(decisions), rivals, design, 0.1, 0.0)
    times, sums = np.full(6, 9), rng.normal(size=6) * 3
    state.recall(sets, times, sums, planned=False)
    log, bounds = SelfNormalizedBound(sets, times, sums), rivals.bounds(0.1)
    assert state.loss == pytest.approx(
        rivals.loss(state.best, log.lower_with(rivals.rows(state.best), *NOTHING, bounds, 4))
    )
    planned, seen = state.plan(), rng.normal(size=len(design.vectors))
    vectors = design.vectors
    state.count(planned, seen)
    information = vectors.T @ (planned[:, None] * vectors)
    bounds.add(*least_squares(information, vectors.T @ seen))
    rows = rivals.rows(state.best)
    expected = log.lower_with(rows, *bounds.sums(rows), bounds, rivals.count)
    assert state.loss == pytest.approx(rivals.loss(state.best, expected))

"""What blocks prove of sets, against enumeration and against the definition."""

import math

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import cpe_opt as cpe
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.proofs.subsets.adaptive_samples import SelfNormalizedBound
from cpe_opt.proofs.subsets.planned_blocks import _MIXTURE, Differences, ListedBlocks
from tests.formulations.subsets.test_oracle import CLASSES, classes


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


def test_a_block_says_nothing_of_what_it_does_not_show():
    """Two of three elements are pulled: of the third nothing is known, of the two as usual."""
    rivals = Differences(cpe.TopK(3, 1), (0,))
    bounds = ListedBlocks(rivals, 0.1)
    bounds.add(np.array([0.7, 0.3, 0.0]), np.diag([0.25, 0.25, 0.0]), np.diag([0.0, 0.0, 1.0]))
    sums, information = bounds.sums(rivals.rows((0,)))
    assert sums.tolist() == pytest.approx([0.8, 0.0])
    assert information.tolist() == [2.0, 0.0]


@classes
def test_bounds_are_those_of_the_definition(decisions):
    """Least squares, variances and sums by hand; the bound is where the mixture pays."""
    rng, sets = np.random.default_rng(2), decisions.indicator_matrix()
    best = next(iter(decisions.sets()))
    rivals = Differences(decisions, best)
    rows = rivals.rows(best)
    bounds = ListedBlocks(rivals, 0.1)
    assert bounds.needed == pytest.approx(math.log(rivals.count / 0.1))
    sums, information = np.zeros(len(rows)), np.zeros(len(rows))
    for _ in range(3):
        times = rng.integers(1, 5, len(sets))
        inverse = np.linalg.pinv(sets.T @ (times[:, None] * sets), hermitian=True)
        theta = inverse @ (sets.T @ rng.normal(size=len(sets)))
        bounds.add(theta, inverse)
        for place, row in enumerate(rows):
            variance = row @ inverse @ row
            sums[place] += row @ theta / variance
            information[place] += 1.0 / variance
    if not len(rows):
        return
    found = bounds.sums(rows)
    assert found[0] == pytest.approx(sums)
    assert found[1] == pytest.approx(information)
    lower = bounds.lower(rows, *found)
    paid = _MIXTURE.log_values(sums - lower * information, information)
    assert (paid >= bounds.needed).all()
    assert paid == pytest.approx(np.full(len(rows), bounds.needed), abs=1e-5)


def test_pulls_from_before_count_as_any_that_were_chosen():
    decisions, rng = cpe.TopK(4, 2), np.random.default_rng(3)
    rivals = Differences(decisions, (0, 1))
    rows, sets = rivals.rows((0, 1)), decisions.indicator_matrix()
    log = SelfNormalizedBound(sets, np.full(6, 9), rng.normal(size=6) * 3)
    bounds = ListedBlocks(rivals, 0.1)
    bounds.before = log
    inverse = np.linalg.inv(sets.T @ sets)
    bounds.add(inverse @ sets.T @ rng.normal(size=6), inverse)
    found = bounds.sums(rows)
    expected = log.lower_with(rows, *found, _MIXTURE, rivals.count, math.log(10.0))
    assert bounds.lower(rows, *found).tolist() == pytest.approx(expected.tolist())

"""Hints in bets on cells: fairness over all orders, with the real trackers and any hints."""

import copy
import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.condorcet_tracking import CondorcetTracker
from cpe_opt.learners.dueling.copeland_tracking import CopelandTracker
from cpe_opt.learners.dueling.pair_tracking import Tuning
from cpe_opt.problems.queries import CellSums
from cpe_opt.proofs.dueling.cell_hints import CellHints, PooledSlope
from cpe_opt.proofs.dueling.predictable_bets import REFUTED

GOALS = {"copeland": CopelandTracker, "condorcet": CondorcetTracker}
BOLD = Tuning(confident=0.05)  # so that few cells are enough for bets
STEP = 2.0**-20

# What a cell is answered, its hint, and whether it is answered at all, by its answer and hint.
HINTS = {
    "the answers": lambda y, place, rng: y,
    "their opposites": lambda y, place, rng: 1.0 - y,
    "drawn": lambda y, place, rng: rng.random(),
    "good ones": lambda y, place, rng: 0.7 * y + 0.3 * rng.random(),
    "none": lambda y, place, rng: 0.5,
}
LEFT_OUT = {
    "all answered": lambda y, x: False,
    "losses left out": lambda y, x: y < 0.5,
    "high hints left out": lambda y, x: x > 0.6,
}


def hinted(table, kind, seed=0):
    """The cells of each pair as answers and hints."""
    rng = np.random.default_rng(seed)
    return {
        pair: [
            (y, round(HINTS[kind](y, place, rng) / STEP) * STEP) for place, y in enumerate(answers)
        ]
        for pair, answers in table.items()
    }


def started(goal, cells, margin=0.0, parallel=1, told=None, tuning=BOLD):
    """A tracker before the first question; it begins with some regard for hints."""
    arms = 1 + max(j for _, j in cells)
    number = np.zeros((arms, arms), dtype=np.int64)
    for (i, j), each in cells.items():
        number[i, j] = number[j, i] = len(each)
    told = {pair: sorted(x for _, x in each) for pair, each in cells.items()}
    tracker = GOALS[goal](
        1e-9,
        np.ones((arms, arms)),
        margin=margin,
        cells=number,
        hints=told,
        parallel=parallel,
        tuning=tuning,
    )
    tracker.beliefs._slope.sums += (4.0, 3.0, 4.0, 16.0)
    return tracker


def observed(query, cell, left_out=lambda y, x: False):
    y, x = cell
    won, lost = (0.0, 0.0) if left_out(y, x) else (y, 1.0 - y)
    sums = CellSums(won, lost, x)
    return sums if query.i < query.j else CellSums(lost, won, 1.0 - x)


def visit(tracker, left, look, left_out=lambda y, x: False):
    """All nodes of the tree of orders, each with the trackers that may follow; ``look`` at each."""
    if tracker.proved() is not None:
        return
    query = tracker.open_queries()[0]
    pair = (min(query.i, query.j), max(query.i, query.j))
    after = []
    for place, cell in enumerate(left[pair]):
        child = copy.deepcopy(tracker)
        child.count(observed(query, cell, left_out))
        after.append(child)
        rest = left[pair][:place] + left[pair][place + 1 :]
        visit(child, {**left, pair: rest}, look, left_out)
    look(tracker, pair, after)


class Fair:
    """At every node, no factor on a true null is more than 1 in the mean; at its edge it is 1."""

    def __init__(self, cells, exact=True):
        self.mean = {
            pair: math.fsum(y for y, _ in each) / len(each) for pair, each in cells.items()
        }
        self.moved, self.exact = 0, exact

    def __call__(self, tracker, pair, after):
        for number, stakes in enumerate(tracker.stakes):
            for i, j in (pair, pair[::-1]):
                theta = self.mean[pair] if i < j else 1.0 - self.mean[pair]
                if theta > stakes.null + 1e-12:
                    continue
                for of in ("log_f", "log_q"):
                    before = getattr(stakes.bets, of)[i, j]
                    logs = [getattr(each.stakes[number].bets, of)[i, j] for each in after]
                    assert max(logs) < REFUTED
                    factor = np.exp(np.array(logs) - before)
                    assert factor.min() >= 0.1 - 1e-6
                    assert factor.mean() <= 1.0 + 1e-9
                    self.moved += np.ptp(factor) > 1e-6
                    if self.exact and theta >= stakes.null - 1e-12:
                        assert factor.mean() == pytest.approx(1.0, abs=1e-6)


PAIRS = [
    ([1.0, 0.0, 1.0, 0.0], 0.0),
    ([1.0, 0.0, 0.2, 0.0], 0.2),
    ([0.9, 0.0, 0.1, 0.8], 0.0),
]


@pytest.mark.parametrize("kind", HINTS)
@pytest.mark.parametrize(("answers", "margin"), PAIRS)
def test_no_bet_on_a_true_null_gains_in_the_mean_whatever_the_hints(answers, margin, kind):
    """All orders of the cells of a pair."""
    cells = hinted({(0, 1): answers}, kind)
    look = Fair(cells)
    visit(started("copeland", cells, margin), cells, look)
    assert look.moved >= 2


@pytest.mark.parametrize(
    ("kind", "margin"), [("good ones", 0.0), pytest.param("drawn", 0.1, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("left_out", LEFT_OUT.values(), ids=LEFT_OUT)
def test_it_holds_with_ties_several_open_questions_and_cells_that_are_left_out(
    kind, margin, left_out
):
    cells = hinted({(0, 1): [1.0, 0.5, 0.0, 0.5, 0.3][: 5 if margin else 4]}, kind, 3)
    look = Fair(cells, exact=not any(left_out(y, x) for y, x in cells[0, 1]))
    visit(started("condorcet", cells, margin, parallel=2), cells, look, left_out)
    assert look.moved >= 4


@pytest.mark.parametrize(
    ("goal", "items", "kind", "margin"),
    [
        ("copeland", 2, "good ones", 0.0),
        ("condorcet", 2, "the answers", 0.1),
        *(
            pytest.param(goal, 3, kind, margin, marks=pytest.mark.slow)
            for goal, margin in (("copeland", 0.0), ("condorcet", 0.1), ("copeland", 1 / 6))
            for kind in HINTS
        ),
    ],
)
def test_three_arms_learn_from_each_other_s_hints(goal, items, kind, margin):
    """All orders of all pairs of tables that are drawn; slopes are pooled over pairs."""
    rng, moved = np.random.default_rng(items), 0
    for trial in range(3):
        pairs = itertools.combinations(range(3), 2)
        table = {pair: rng.choice([0.0, 0.5, 1.0], items).tolist() for pair in pairs}
        cells = hinted(table, kind, trial)
        look = Fair(cells)
        visit(started(goal, cells, margin), cells, look)
        moved += look.moved
    assert moved >= 4


def test_a_bet_never_loses_more_than_nine_tenths_whatever_cell_comes():
    """Also at the steepest slope, with one hint that is far above the others."""
    cells = {(0, 1): [(1.0, 0.1)] * 20 + [(0.0, 1.0)]}
    tracker = started("copeland", cells)
    tracker.beliefs._slope.sums[:] = (500.0, 500.0, 600.0, 3000.0)
    lowest = []
    for cell in cells[0, 1][:8]:
        query = tracker.open_queries()[0]
        beliefs = tracker.beliefs
        for y, x in itertools.product((0.0, 1.0), (0.1, 1.0)):
            bet = beliefs.bet(0, 1, 0.5)
            lowest.append(1.0 + bet.gain(y, x - beliefs.hints.of_left(0, 1)))
        tracker.count(observed(query, cell))
    assert bet.slope > 0.8
    assert 0.1 - 1e-9 <= min(lowest) < 0.15


def test_hints_that_are_made_along_the_order_would_break_it():
    """A budget of one hint, spent on the cell that comes first: its answer is known in advance."""
    mean, honest = 0.0, 0.0
    for order in itertools.permutations((1.0, 0.0)):
        along = CellHints({(0, 1): [order[0], 0.5]}, [[0, 2], [2, 0]]).of_left(0, 1)
        stake = 2.0 if along > 0.5 else 0.0
        mean += (1.0 + stake * (order[0] - 0.5)) / 2.0
        drawn = CellHints({(0, 1): [1.0, 0.5]}, [[0, 2], [2, 0]]).of_left(0, 1)  # of the first item
        honest += (1.0 + (2.0 if drawn > 0.5 else 0.0) * (order[0] - 0.5)) / 2.0
    assert (mean, honest) == (1.5, 1.0)


def test_the_hints_left_are_those_that_are_not_told():
    rng = np.random.default_rng(4)
    told = {(0, 1): rng.integers(0, 5, 9) / 4.0, (1, 2): rng.random(6), (0, 2): np.zeros(0)}
    number = np.array([[0, 9, 0], [9, 0, 6], [0, 6, 0]])
    hints = CellHints(told, number)
    assert hints.mean[1, 0] == pytest.approx(1.0 - told[0, 1].mean())
    assert hints.mean[0, 2] == 0.5
    for (i, j), values in told.items():
        left = values.tolist()
        for place in rng.permutation(len(values)).tolist():
            mean = np.mean(left)
            assert hints.of_left(i, j) == pytest.approx(mean, abs=1e-6)
            assert hints.of_left(j, i) == pytest.approx(1.0 - mean, abs=1e-6)
            assert hints.largest(i, j) == pytest.approx(max(left) - mean, abs=2e-6)
            assert hints.largest(j, i) == pytest.approx(mean - min(left), abs=2e-6)
            assert hints.farthest[j, i] == max(hints.largest(i, j), hints.largest(j, i))
            again = CellHints(told, number)
            again.restore(hints.state())
            assert (again.state() == hints.state()).all()
            assert (again._sum == hints._sum).all()
            value = values[place]
            left.remove(value)
            hints.tell(*((i, j, value) if place % 2 else (j, i, 1.0 - value)))
    with pytest.raises(
        cpe.InputError, match=r"arms 1 and 0 is 0\.5, expected one of those .* left"
    ):
        hints.tell(1, 0, 0.5)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({}, r"hints of the arms 0 and 1: 0, expected 2 numbers, one for each cell of the pair"),
        ({(0, 1): [0.2]}, r"1, expected 2 numbers"),
        ({(0, 1): [0.2, 1.2]}, r"1\.2, expected numbers in \[0, 1\]"),
        ({(0, 1): [0.2, math.nan]}, r"nan, expected numbers in"),
        ({(0, 1): ["a", "b"]}, r"2, expected 2 numbers"),
    ],
)
def test_hints_that_are_not_of_the_cells_are_refused(told, message):
    with pytest.raises(cpe.InputError, match=message):
        CellHints(told, [[0, 2], [2, 0]])


def test_the_slope_is_that_of_a_regression_with_a_ridge():
    rng, pooled = np.random.default_rng(2), PooledSlope()
    assert (pooled.value, pooled.unexplained) == (0.0, 1.0)
    x, noise = rng.normal(0.0, 0.3, (2, 400))
    for each in zip(x.tolist(), (0.7 * x + noise).tolist(), strict=True):
        pooled.add(*each)
    assert pooled.value == pytest.approx((x @ (0.7 * x + noise)) / (x @ x + 1.0))
    assert pooled.unexplained == pytest.approx(noise.var() / (0.7 * x + noise).var(), rel=0.05)
    for slope in (-0.7, 3.0):
        other = PooledSlope()
        for each in x.tolist():
            other.add(each, slope * each)
        assert other.value == (0.0 if slope < 0.0 else 1.0)

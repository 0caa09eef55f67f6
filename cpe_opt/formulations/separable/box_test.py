r"""Which parts of a decision a box of intervals leaves open.

φ(θ) is the leading optimal decision of a separable model. Given a box, arm i is *undecided* where
:math:`\phi_i` is not constant on it. For bi-monotone φ two calls tell:
:math:`\phi_i(\underline\theta_{-i}, \overline\theta_i) \ne \phi_i(\overline\theta_{-i},
\underline\theta_i)` (Theorem 3); for the best k arms, a count of the others' bounds. For other
models every vertex of the box is asked, for at most 12 arms. Vertices are enough for a
:class:`~cpe_opt.BestSet`, whose rewards are linear, and a :class:`~cpe_opt.WaterPlan`, which is
monotone in every parameter (except for ties); for other models, whose φ may change within a box
alone, they are a heuristic: the box test has no efficient form in general.

What is undecided on a box is so on every box around it, and what is decided is so on every box in
it. A learner's box moves little from round to round, so that two boxes, a little smaller and a
little larger than it, answer for it for many rounds, and, around all boxes of the rounds to come,
for these together.

Huang, Ok, Li, Chen (IJCAI 2018), Theorem 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.separable.oracle import OracleMethod, oracle_of
from cpe_opt.problems.separable.model import BestSet, SeparableModel
from cpe_opt.problems.separable.water_plan import WaterPlan
from cpe_opt.solvers.options import SolveOptions

Ends: TypeAlias = list[float]
MOST_VERTICES = 12
# How much smaller and larger the remembered boxes are, as a share of a radius.
_SMALLEST, _LARGEST = 0.02, 0.64


class BoxRange(NamedTuple):
    """All boxes between two: each contains the inner one, and is in the outer one."""

    inner_low: FloatArray
    inner_high: FloatArray
    outer_low: FloatArray
    outer_high: FloatArray

    def ends(self) -> tuple[tuple[Ends, Ends], tuple[Ends, Ends]]:
        """The ends of the inner box, and those of the outer one."""
        inner = self.inner_low.tolist(), self.inner_high.tolist()
        return inner, (self.outer_low.tolist(), self.outer_high.tolist())


class BoxTest:
    """Which arms a box of intervals leaves undecided; its oracle is that of :func:`oracle_of`."""

    def __init__(
        self,
        model: SeparableModel,
        method: OracleMethod = "combinatorial",
        **solving: Unpack[SolveOptions],
    ) -> None:
        self.oracle = oracle_of(model, method, **solving)  # φ
        self._k = 0
        if method == "combinatorial" and isinstance(model, BestSet):
            self._k = model.decisions.uniform_rank or 0
        self.two_calls = model.bi_monotone  # whether two calls tell, instead of all vertices
        # whether what is decided is constant on the whole box, not only at its vertices
        self.proves = self.two_calls or isinstance(model, BestSet | WaterPlan)
        if not self.two_calls and model.size > MOST_VERTICES:
            raise InputError(
                f"{model.name} is not bi-monotone and has {model.size} arms; the test of every "
                f"vertex is for at most {MOST_VERTICES}"
            )

    def undecided(self, arm: int, low: list[float], high: list[float]) -> bool:
        """Whether φ of this arm is not constant on the box."""
        if self._k:
            return self._may_be_in(arm, high[arm], low) and not self._may_be_in(arm, low[arm], high)
        if not self.two_calls:
            return self._differs_at_a_vertex(arm, low, high)
        up, down = np.array(low), np.array(high)
        up[arm], down[arm] = high[arm], low[arm]
        return bool(self.oracle(up)[arm] != self.oracle(down)[arm])

    def _may_be_in(self, arm: int, value: float, others: list[float]) -> bool:
        """Whether an arm of this value is among the best k; equal ones in their order."""
        above = 0
        for other, theirs in enumerate(others):
            if theirs > value or (theirs == value and other < arm):
                above += other != arm
        return above < self._k

    def _differs_at_a_vertex(self, arm: int, low: list[float], high: list[float]) -> bool:
        seen = None
        for vertex in product(*zip(low, high, strict=True)):
            decision = self.oracle(np.array(vertex))[arm]
            if seen is not None and decision != seen:
                return True
            seen = decision
        return False


class FreshBoxTest:
    """The test of every box from scratch; it knows nothing of other boxes."""

    knows_others = False

    def __init__(self, test: BoxTest) -> None:
        self._test = test
        self._low: Ends = []
        self._high: Ends = []

    def move(self, low: Ends, high: Ends) -> None:
        """Set the box; shape (m,) each."""
        self._low, self._high = low, high

    def undecided(self, arm: int) -> bool:
        """Whether φ of this arm is not constant on the box."""
        return self._test.undecided(arm, self._low, self._high)

    def unchanged(self, arms: Iterable[int], others: BoxRange) -> bool:
        """``False``: nothing is known of other boxes."""
        return False


class CachedBoxTest:
    """The same decisions as :class:`BoxTest` on boxes that move little, with far fewer tests.

    ``knows_others`` tells whether :meth:`unchanged` can be true: where two calls tell.
    """

    def __init__(self, test: BoxTest) -> None:
        self._test = test
        self.knows_others = test.two_calls
        self._low: Ends = []
        self._high: Ends = []
        self._inner = self._outer = _Remembered([], [])
        self._share = _SMALLEST

    def move(self, low: Ends, high: Ends) -> None:
        """Set the box; shape (m,) each."""
        self._low, self._high = low, high
        inner, outer = self._inner, self._outer
        between = bool(inner.low) and _contains(low, high, inner.low, inner.high)
        if not between or not _contains(outer.low, outer.high, low, high):
            self._remember()

    def undecided(self, arm: int) -> bool:
        """Whether φ of this arm is not constant on the box."""
        remembered = self._remembered(arm)
        return (
            self._test.undecided(arm, self._low, self._high) if remembered is None else remembered
        )

    def unchanged(self, arms: Iterable[int], others: BoxRange) -> bool:
        """Whether these arms are (un)decided on all of these boxes as they are on this one."""
        if not self.knows_others:
            return False
        covered = (
            (others.outer_low >= self._outer.low).all()
            and (others.outer_high <= self._outer.high).all()
            and (others.inner_low <= self._inner.low).all()
            and (others.inner_high >= self._inner.high).all()
        )
        inner, outer = others.ends()
        for arm in arms:
            if covered and self._remembered(arm) is not None:
                continue
            undecided = self.undecided(arm)
            ends = inner if undecided else outer
            if self._test.undecided(arm, *ends) != undecided:
                return False
        return True

    def _remembered(self, arm: int) -> bool | None:
        """Whether it is undecided on all boxes between the two; None if they disagree."""
        if self._inner.undecided(arm, self._test):
            return True
        if self._test.two_calls and not self._outer.undecided(arm, self._test):
            return False
        return None

    def _remember(self) -> None:
        """Take two boxes around this one, as far apart as they disagree about one arm at most."""
        share = min(_LARGEST, 2.0 * self._share) if self._test.two_calls else _SMALLEST
        while True:
            self._share = share
            self._inner = _Remembered(*_scaled(self._low, self._high, 1.0 - share))
            self._outer = _Remembered(*_scaled(self._low, self._high, 1.0 + share))
            arms = range(len(self._low))
            if share <= _SMALLEST or [*map(self._remembered, arms)].count(None) <= 1:
                return
            share = max(_SMALLEST, share / 2.0)


class _Remembered:
    """A box, and the decisions on it so far."""

    def __init__(self, low: Ends, high: Ends) -> None:
        self.low, self.high = low, high
        self._decisions: dict[int, bool] = {}

    def undecided(self, arm: int, test: BoxTest) -> bool:
        if arm not in self._decisions:
            self._decisions[arm] = test.undecided(arm, self.low, self.high)
        return self._decisions[arm]


def _contains(low: Ends, high: Ends, inner_low: Ends, inner_high: Ends) -> bool:
    """Whether the first box contains the second."""
    pairs = zip(low, high, inner_low, inner_high, strict=True)
    return all(a <= c and d <= b for a, b, c, d in pairs)


def _scaled(low: Ends, high: Ends, scale: float) -> tuple[Ends, Ends]:
    """Every interval scaled around its middle, and cut to [0, 1] again."""
    lows, highs = [], []
    for start, end in zip(low, high, strict=True):
        middle, radius = 0.5 * (start + end), 0.5 * scale * (end - start)
        lows.append(max(0.0, middle - radius))
        highs.append(min(1.0, middle + radius))
    return lows, highs

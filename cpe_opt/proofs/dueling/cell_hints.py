r"""A cheap judge in bets on the cells of a fixed test set: hints as control variates.

Every cell of a pair has a *hint* :math:`x \in [0, 1]` that costs next to nothing, such as the
answer or the confidence of a small model where a large one, or a person, counts. Nothing is assumed
of how well hints fit the answers.

**The bet.** After t of the n cells of a pair let m be the most that its null allows for the mean of
the next answer y (:mod:`cpe_opt.proofs.dueling.predictable_bets`), and :math:`\bar x` the mean hint
of the n - t cells that are left, which is known. A bet with the stake :math:`\lambda \ge 0` and the
*slope* :math:`b \ge 0` pays the factor

.. math:: 1 + \lambda \bigl(y - m - b (x - \bar x)\bigr), \qquad
          \lambda \bigl(m + b \max_{\text{left}} (x - \bar x)\bigr) \le 1 .

*Claim.* Let :math:`\lambda` and b be fixed before the cell is drawn, which is equally likely to be
each of those left. Then the factor is never negative, and under the null its mean is at most 1.
*Proof.* The mean of :math:`x - \bar x` over the cells left is 0, and that of y is at most m. As
:math:`y \ge 0`, the factor is least where y is 0 and x is the largest. ∎

So all that is proved without hints is proved by the products of these factors. Of j against i the
answer is 1 - y and the hint 1 - x, with the same slope. Whether a null is refuted, or a relation
held, goes by the answers alone. A cell that nobody answers counts as y = 0 in both directions, with
its own hint: for every x the factor is then at most what it would be with the missing answer.

**What may decide.** :math:`\lambda`, b and the choice of the pair may depend on all that was told
before of all pairs, since the orders of pairs are independent of each other, and on the hints of
all cells as a set; on the hint of the next cell only after the bet is placed. So hints have to be
fixed independently of the order of the cells that are left. Three ways to break it:

1. *Hints made along the order.* A pair has two cells, with the answers 1 and 0: the null
   :math:`M \le \frac12` is true. The cell that comes first gets its own answer as a hint, the other
   one ½. Then :math:`\bar x` is ¾ or ¼, and tells the first answer: who stakes
   :math:`\lambda = 2` at ¾ and nothing at ¼, both with b = 0, has the factor 2 in one half of the
   orders and 1 in the other: a mean of 1.5. So a budget for the cheap judge is spent on all cells,
   or on some that are drawn by a seed of their own; a cell without a hint has the mean of the
   others, fixed before the first question.
2. *Hints by somebody who can compute the order*, from the seed in the log of a session.
3. :math:`\bar x` *of other cells than those left*. Where several questions are open, the cells left
   are those not *told* yet; that open ones are asked already changes nothing.

Relatives: control variates; prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan,
Zrnic, *Science* 2023); betting without replacement (Waudby-Smith, Ramdas, 2020).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.queries import HINT_STEP

ToldHints: TypeAlias = Mapping[tuple[int, int], npt.ArrayLike]
"""Of pairs (i, j), i < j, what i gets by the hints of the cells that can be asked, ascending."""
_RIDGE = 1.0  # as that of 4 hints of 0 or 1
_PRIOR = 1.0  # squares of answers that no hint explains


class CellHints:
    """The hints of the cells of every pair that are not told yet.

    ``cells``, shape (K, K), is how many cells each pair has. ``farthest``, of the same shape, is
    the largest distance of a hint that is left from the mean of those of its pair.
    """

    def __init__(self, hints: ToldHints, cells: npt.ArrayLike) -> None:
        self._values: dict[tuple[int, int], FloatArray] = {}
        self._left: dict[tuple[int, int], BoolArray] = {}
        number = np.asarray(cells)
        # (K, K); of the row's arm: the mean hint of all cells, and the sum and number of those left
        self.mean, self._sum = np.full(number.shape, 0.5), np.zeros(number.shape)
        self._number, self.farthest = number.astype(np.float64), np.zeros(number.shape)
        for i, j in np.argwhere(np.triu(number, 1)).tolist():
            values = _checked(i, j, hints.get((i, j), ()), int(number[i, j]))
            self._values[i, j] = values
            self._keep((i, j), np.ones(len(values), dtype=np.bool_))
            self.mean[i, j] = self._sum[i, j] / len(values)
            self.mean[j, i] = self._sum[j, i] / len(values)

    def _keep(self, pair: tuple[int, int], left: BoolArray) -> None:
        """Let these cells of a pair be left."""
        i, j = pair
        self._left[pair] = left
        self._number[i, j] = self._number[j, i] = number = int(left.sum())
        self._sum[i, j] = math.fsum(self._values[pair][left])
        self._sum[j, i] = number - self._sum[i, j]
        self._measure(i, j)

    def of_left(self, i: int, j: int) -> float:
        """The mean of what i gets against j by the hints left."""
        return self._sum.item(i, j) / self._number.item(i, j)

    def largest(self, i: int, j: int) -> float:
        """The largest of what i gets against j by a hint left, less the mean of these."""
        pair = (min(i, j), max(i, j))
        values, left = self._values[pair], self._left[pair]
        if i < j:
            return float(values[len(left) - 1 - left[::-1].argmax()]) - self.of_left(i, j)
        return 1.0 - float(values[left.argmax()]) - self.of_left(i, j)

    def _measure(self, i: int, j: int) -> None:
        """Note how far the hints left of a pair are from their mean."""
        if self._number.item(i, j):
            distance = max(self.largest(i, j), self.largest(j, i))
            self.farthest[i, j] = self.farthest[j, i] = distance

    def tell(self, i: int, j: int, hint: float) -> None:
        """Take away a cell by what i gets by its hint, or :class:`InputError` if there is none."""
        pair = (min(i, j), max(i, j))
        values, left = self._values[pair], self._left[pair]
        x = _rounded(hint if i < j else 1.0 - hint)
        first, last = np.searchsorted(values, [x, x + HINT_STEP / 2.0]).tolist()
        place = first + int(left[first:last].argmax()) if last > first else 0
        if not (first <= place < last and left[place]):
            raise InputError(
                f"the hint of a cell of the arms {i} and {j} is {hint}, expected one of those of "
                "the cells of the pair that are left"
            )
        left[place] = False
        self._number[[i, j], [j, i]] -= 1.0
        self._sum[pair] -= x
        self._sum[pair[::-1]] -= 1.0 - x
        self._measure(i, j)

    def state(self) -> BoolArray:
        """Which cells are left, of all pairs one after the other."""
        return np.concatenate([np.zeros(0, dtype=np.bool_), *self._left.values()])

    def restore(self, state: BoolArray) -> None:
        """Go on from it."""
        start = 0
        for pair, values in self._values.items():
            self._keep(pair, np.array(state[start : start + len(values)], dtype=np.bool_))
            start += len(values)


class PooledSlope:
    """The regression of answers on hints, over all pairs: a guide, on which no proof rests.

    Each answer counts by how far it was from what was expected of its pair, and its hint by how far
    it was from the mean of the pair.
    """

    def __init__(self) -> None:
        # The sums of squares of hints, of their products with answers, of squares of answers, and
        # their number
        self.sums: FloatArray = np.zeros(4)

    def add(self, hint: float, answer: float) -> None:
        """Learn from an answer and its hint, both less what was expected."""
        self.sums += (hint * hint, hint * answer, answer * answer, 1.0)

    @property
    def value(self) -> float:
        """b, from 0 to 1."""
        squares, products = self.sums.item(0), self.sums.item(1)
        return min(1.0, max(0.0, products / (squares + _RIDGE)))

    @property
    def unexplained(self) -> float:
        """The share of the variance of answers that hints leave; 1 before the first answer."""
        squares, products, answers, _ = self.sums.tolist()
        left = answers - self.value * (2.0 * products - self.value * squares)
        return float((left + _PRIOR) / (answers + _PRIOR))


def _rounded(hint: float) -> float:
    return round(hint / HINT_STEP) * HINT_STEP


def _checked(i: int, j: int, given: npt.ArrayLike, cells: int) -> FloatArray:
    """The hints of a pair in ascending order, or :class:`InputError`."""
    values = np.asarray(given)
    if values.shape != (cells,) or values.dtype.kind not in "fiu":
        raise InputError(
            f"hints of the arms {i} and {j}: {len(values) if values.ndim else given!r}, expected "
            f"{cells} numbers, one for each cell of the pair"
        )
    inside = (values >= 0.0) & (values <= 1.0)
    if not inside.all():
        raise InputError(
            f"hints of the arms {i} and {j}: {values[~inside][0]}, expected numbers in [0, 1]"
        )
    return np.sort(np.rint(values / HINT_STEP) * HINT_STEP)

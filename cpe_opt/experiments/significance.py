r"""Whether learners differ: paired tests over runs, intervals of ratios, Holm's correction.

Run :math:`r` of every learner has the same seed, so that runs are compared pair by pair. Let
:math:`x_r` and :math:`y_r` be what two learners needed in it (regret, or samples), and
:math:`\theta` the ratio of their means.

**The test of a ratio.** Under :math:`E x = \theta\, E y` the differences :math:`x_r - \theta y_r`
have mean 0. Their sum is compared with the sums after random changes of their signs (all of them
where these are few): the p-value is the share of sign changes whose sum is at least as far from 0.
It is exact where :math:`(x_r, \theta y_r)` is as likely as :math:`(\theta y_r, x_r)`, as for two
learners whose laws differ by a factor alone, however heavy the tail; for others it holds
approximately, as that of a t-test does, with more runs the better.

**The interval** are the ratios that the test does not reject. A change of signs splits the runs
into two halves, and for :math:`x, y \ge 0` it is at least as far from 0 as what was seen exactly if
:math:`\theta` lies between the ratio of sums over one half and that over the other. So the ends of
the interval are quantiles of ratios over random halves, and 1 is outside exactly if the p-value of
equal means is at most 1 less the level.

**Many pairs.** By Holm's correction the probability that any pair of learners on an instance is
called different by mistake is at most 1 less the level, whichever of them then turns out to be the
best.

How well level and coverage hold on heavy-tailed regrets: ``pytest -s -m slow
tests/experiments/test_significance.py`` prints it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError
from cpe_opt.validation import Interval, Numbers, Seed, checked_types

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.95
FLIPS = 9_999
_SAME = 1e-9  # sums whose relative difference is smaller are taken for equal
Level = Annotated[float, Interval(0, 1, closed="neither")]


@checked_types
def paired_tests(
    values: Mapping[str, Numbers],
    *,
    level: Level = LEVEL,
    seed: Seed = 0,
) -> pd.DataFrame:
    """Compare every two learners on one instance, with Holm's correction.

    ``values`` has what each learner needed, place r of all of the same seed. A row a pair of the
    frame: ``first``, ``second``, ``ratio`` of their means with its interval ``low``, ``high`` (each
    alone at the level; NaN, 0 and inf where the second's mean is 0), ``p_value`` of equal means,
    ``corrected`` by Holm, and whether they are ``different`` at the level then. ``seed`` is that of
    the random changes of signs.

    Examples
    --------
    >>> frame = paired_tests({"a": [5, 6, 4, 5, 7, 5], "b": [9, 8, 9, 7, 9, 8], "c": [5, 6, 4] * 2})
    >>> frame[["first", "second", "p_value", "corrected"]].values.tolist()[0]
    ['a', 'b', 0.03125, 0.09375]
    """
    import pandas as pd

    table = _checked(values)
    sums = _halves(table.shape[1], seed) @ table.T
    totals = table.sum(axis=1).tolist()
    names = list(values)
    rows = []
    for i, j in combinations(range(len(names)), 2):
        found = _test(sums[:, i], sums[:, j], totals[i], totals[j], level)
        rows.append((names[i], names[j], *found))
    columns = ["first", "second", "ratio", "low", "high", "p_value"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["corrected"] = holm(frame["p_value"].to_numpy(dtype=np.float64))
    frame["different"] = frame["corrected"] <= 1.0 - level + _SAME
    return frame


def holm(p_values: FloatArray) -> FloatArray:
    """Holm's corrected p-values (1979), shape (tests,)."""
    order = np.argsort(p_values, kind="stable")
    count = len(p_values)
    steps = np.maximum.accumulate((count - np.arange(count)) * p_values[order])
    corrected = np.empty(count)
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def fewest_runs(tests: int, level: float = LEVEL) -> int:
    """How many runs it takes so that one of so many tests can say "different" at all."""
    return max(2, math.ceil(math.log2(2.0 * tests / (1.0 - level)) - _SAME))


def _checked(values: Mapping[str, npt.ArrayLike]) -> FloatArray:
    arrays = {name: np.asarray(each, dtype=np.float64) for name, each in values.items()}
    runs = {name: len(each) if each.ndim == 1 else -1 for name, each in arrays.items()}
    if len(set(runs.values())) != 1 or min(runs.values()) < 2:
        shown = ", ".join(f"{name} {count}" for name, count in runs.items())
        raise InputError(f"runs: {shown}; expected as many of each, of the same seeds, at least 2")
    for name, each in arrays.items():
        if not np.isfinite(each).all() or each.min() < 0.0:
            raise InputError(f"{name}: a ratio of means needs finite numbers of at least 0")
    return np.array(list(arrays.values()))


def _halves(runs: int, seed: int) -> BoolArray:
    """Which runs keep their sign, shape (changes, runs): every change, or none and random ones."""
    if 2**runs <= FLIPS + 1:
        return np.asarray((np.arange(2**runs)[:, None] >> np.arange(runs)) & 1 == 1)
    chosen = np.random.default_rng(seed).random((FLIPS + 1, runs)) < 0.5
    chosen[0] = True
    return chosen


def _test(
    first: FloatArray, second: FloatArray, all_first: float, all_second: float, level: float
) -> tuple[float, float, float, float]:
    """Ratio, its interval and the p-value from sums over halves, and over all runs."""
    seen = abs(all_first - all_second)
    changed = np.abs((2.0 * first - all_first) - (2.0 * second - all_second))
    p_value = float((changed >= seen - _SAME * (all_first + all_second)).mean())
    if all_second == 0.0:
        return math.nan, 0.0, math.inf, p_value
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = first / second, (all_first - first) / (all_second - second)
    # A half without runs says nothing: every ratio is between it and the other one.
    low = np.where(np.isnan(one) | np.isnan(other), 0.0, np.fmin(one, other))
    high = np.where(np.isnan(one) | np.isnan(other), math.inf, np.fmax(one, other))
    left_out = min(math.floor((1.0 - level) * len(low) + _SAME), len(low) - 1)
    return (
        all_first / all_second,
        float(np.partition(low, left_out)[left_out]),
        float(-np.partition(-high, left_out)[left_out]),
        p_value,
    )

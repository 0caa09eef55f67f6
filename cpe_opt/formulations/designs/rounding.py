"""Whole numbers of samples in the shares of a design."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.validation import checked_count, checked_types

_ROUNDING = 1e-12


@checked_types
def efficient_rounding(weights: npt.ArrayLike, total: int) -> IntArray:
    r"""Whole numbers of samples that add up to ``total``, in proportion to the weights.

    :math:`\lceil (t - s/2) p_i \rceil`, then one more where :math:`t_i / p_i` is least, or one less
    where :math:`(t_i - 1) / p_i` is largest, until they add up. It is what pulling
    :math:`\arg\min T_i / p_i` round by round leads to (ties aside), without the rounds.

    Parameters
    ----------
    weights : array_like, shape (s,)
        Above 0; they add up to 1.
    total : int
        Fewer than s: the first ones get a sample each.

    Returns
    -------
    int array, shape (s,)

    Examples
    --------
    >>> efficient_rounding([0.5, 0.3, 0.2], 7).tolist()
    [3, 2, 2]
    """
    shares = checked_array("weights", weights)
    checked_count("total", total, least=0)
    if shares.ndim != 1 or not (shares > 0).all() or abs(shares.sum() - 1.0) > 1e-6:
        raise InputError("weights: expected positive numbers that add up to 1")
    count = len(shares)
    if total <= count:
        return (np.arange(count) < total).astype(np.int64)
    times = np.maximum(1, np.ceil((total - count / 2.0) * shares - _ROUNDING)).astype(np.int64)
    while (missing := total - int(times.sum())) != 0:
        # As many at once as can be told from their places in the order of pulls.
        if missing > 0:
            place, following = times / shares, (times + 1) / shares
            first = np.argsort(place, kind="stable")[:missing]
            sure = place[first] < following[first].min()
            times[first[sure]] += 1
        else:
            place, following = (times - 1) / shares, (times - 2) / shares
            last = np.argsort(place, kind="stable")[missing:]
            sure = place[last] > following[last].max()
            times[last[sure]] -= 1
    return times

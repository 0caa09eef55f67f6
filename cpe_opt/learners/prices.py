"""Prices of queries as learners use them: by their ratios alone."""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray


def relative_prices(prices: FloatArray) -> FloatArray:
    """Prices in units of the smallest one, of the same shape; zeros, of no query, stay.

    What a learner asks cannot depend on the currency. Where all queries cost the same the prices
    are exactly 1, as where nothing is said of them.

    Examples
    --------
    >>> import numpy as np
    >>> relative_prices(np.array([0.3, 0.6, 0.3])).tolist()
    [1.0, 2.0, 1.0]
    """
    return np.asarray(prices / prices[prices > 0.0].min(initial=np.inf))

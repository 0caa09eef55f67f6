r"""What votes prove of a Condorcet winner that is known to exist.

Let :math:`E_{kj}` be e-values of "k does not beat j"
(:mod:`cpe_opt.proofs.dueling.e_values`). If j is the Condorcet winner, no arm beats it, all
hypotheses in

.. math:: F_j = \tfrac34 \underset{k \ne j}{\mathrm{mean}}\, E_{kj}
              + \tfrac14 \prod_{k \ne j} \Bigl(1 + \frac{E_{kj} - 1}{K - 1}\Bigr)

are true, their pairs are different, and :math:`F_j` is a supermartingale that starts at 1. So with
probability at least :math:`1 - \delta` the Condorcet winner is never *ruled out*,
:math:`F_j \ge 1/\delta`, at any time and for any rule that chooses duels; and an arm is the winner
as soon as all others are ruled out. Only one of them is the truth, so that there is no union over
them. Where there is no Condorcet winner in truth, nothing is proved.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.proofs.dueling.e_values import ONE, log_bet, scaled, unscaled
from cpe_opt.ties import just_below

_MEAN, _PRODUCT = 0.75, 0.25


def evidence_against(log_e: FloatArray) -> FloatArray:
    """``ln F_j`` of every arm; shape (K,).

    Parameters
    ----------
    log_e : float array, shape (K, K)
        ``ln E_ij`` of "i does not beat j"; the diagonal is not read.

    Examples
    --------
    >>> import numpy as np
    >>> log_e = np.array([[0.0, 8.0, 9.0], [-2.0, 0.0, 7.0], [-2.0, -2.0, 0.0]])
    >>> evidence_against(log_e).round(2).tolist()
    [-1.7, 7.19, 13.23]
    """
    others = len(log_e) - 1
    e = scaled(log_e)
    np.fill_diagonal(e, 0.0)
    mean = e.sum(axis=0) / others
    np.fill_diagonal(e, ONE)
    product = scaled(log_bet(e, others).sum(axis=0))
    return just_below(unscaled(_MEAN * mean + _PRODUCT * product))

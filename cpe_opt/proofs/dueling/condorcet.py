r"""What bets placed in advance prove of a Condorcet winner that is known to exist.

With :math:`F'_{kj}` of the nulls :math:`\theta_{kj} \le \frac12`, "k does not beat j"
(:mod:`cpe_opt.proofs.dueling.predictable_bets`), let

.. math:: W_j = \prod_{k \ne j} F'_{kj} .

If j is the Condorcet winner, no arm beats it, all these nulls are true, and their pairs are
different: :math:`W_j` is a supermartingale that starts at 1. So with probability at least
:math:`1 - \delta` the Condorcet winner is never *ruled out*, :math:`W_j \ge 1/\delta`, at any time
and for any rule that chooses duels; and an arm is the winner as soon as all others are ruled out.
Only one of them is the truth, so that there is no union over them, and none over the arms that may
rule j out. Where there is no Condorcet winner in truth, nothing is proved.

**With a margin** :math:`\varepsilon`, an answer i is wrong if the winner j beats it by more than
that. Let :math:`F^\varepsilon` be of the nulls :math:`\theta_{kj} \le \frac12 - \varepsilon`. For
the truth, with the winner j and the arms B that j beats by more than the margin,

.. math:: W = \prod_{k \in B} F^{\varepsilon\prime}_{kj} \prod_{k \notin B} F'_{kj}

is a supermartingale, since all these nulls are true. Two statements rest on it:

- A wrong answer i is in B, so that

  .. math:: W \ge F^{\varepsilon\prime}_{ij}
            \prod_{k \ne i, j} \min(F'_{kj}, F^{\varepsilon\prime}_{kj}) ,

  and i is answered where the right-hand side is at least :math:`1/\delta` for all j other than i.
- Whatever B is, :math:`W \ge \prod_{k \ne j} \min(F'_{kj}, F^{\varepsilon\prime}_{kj})`, and j is
  ruled out where the right-hand side is at least :math:`1/\delta`. The winner is no such arm as
  long as its W is below :math:`1/\delta`, so that *there is no Condorcet winner* where all arms are
  ruled out.

One W stands behind both: with probability at least :math:`1 - \delta` neither is ever false.
(:math:`\prod_k F'_{kj}` would also rule out j, and is another supermartingale: answers by the one
and arms ruled out by the other could be wrong with a probability of up to :math:`2\delta`.)
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.proofs.dueling.predictable_bets import floored


def condorcet_product(
    log_f: FloatArray, log_f_margin: FloatArray | None = None, answer: int | None = None
) -> FloatArray:
    """The least ``ln W`` with each arm as the winner, from ln F without and with a margin; (K,).

    With an answer, of the truths whose winner beats it by more than that; its own means nothing.
    """
    least = floored(log_f)
    if log_f_margin is not None:
        wide = floored(log_f_margin)
        least = np.minimum(least, wide)
        if answer is not None:
            least[answer] = wide[answer]
    np.fill_diagonal(least, 0.0)
    return np.asarray(least.sum(axis=0))

r"""What votes prove about who beats whom, and about sets of pairs at once.

Arm i *leads* against j where it has won more than half of their votes. :math:`E_{ij}` are e-values
of "i does not beat j" (:mod:`cpe_opt.proofs.dueling.e_values`), K arms make
:math:`n = K(K-1)/2` pairs.

**The claim.** For a pair {i, j} in which i leads let

.. math:: c_{ij} = \ln\Bigl(1 + \frac{E_{ji} - 1}{n}\Bigr), \qquad
          u_{ij} = \ln\Bigl(1 + \frac{\frac12(E_{ij} + E_{ji}) - 1}{n}\Bigr), \qquad
          x_{ij} = u_{ij} - c_{ij} \ge 0 ,

for a pair in which nobody leads the same c, with :math:`E_{ij} = E_{ji}`, and x = 0. Then with
probability at least :math:`1 - \delta`, at all times, whatever rule chose the pairs, the set D of
the pairs on which the truth contradicts the votes, in which the leader does not beat the other arm,
has

.. math:: \sum_{a \in D} x_a < \Lambda, \qquad \Lambda = \ln\frac1\delta - \sum_{a} c_a .

*Proof.* Fix the truth. For each pair a let :math:`E_a` be :math:`E_{ij}` where j beats i, and
:math:`(E_{ij} + E_{ji})/2` where neither beats the other. Each is a non-negative supermartingale
that starts at 1 and moves with the votes of its own pair alone, and so is each
:math:`1 + (E_a - 1)/n`, and their product M over all pairs. By Ville's inequality M stays below
:math:`1/\delta`, with probability at least :math:`1 - \delta`. Let i lead in the pair a. Then
:math:`E_{ij} \ge E_{ji}`, because i has won more, so that the logarithm of its factor is
:math:`c_a` where i beats j, and at least :math:`u_a \ge c_a` where it does not; in a pair in which
nobody leads it is :math:`c_a`. So :math:`\ln M \ge \sum_a c_a + \sum_{a \in D} x_a`. ∎

**What it refutes.** A statement is false under some truths. Where each of these contradicts the
votes on a set of pairs with :math:`\sum x_a \ge \Lambda`, the statement is proved; as x is nowhere
negative, it is enough to look at the smallest sets. All that is proved so, at one :math:`\delta`,
is right at once, at all times, with probability at least :math:`1 - \delta`:

- i beats j, where i leads and :math:`x_{ij} \ge \Lambda`;
- no Condorcet winner is i, where the arms that lead against it have
  :math:`\sum_k x'_{ki} \ge \Lambda`. If i were one it would beat them all, none of these pairs
  would be tied, and :math:`E_{ki}` alone may be taken: :math:`x'_{ki} = \ln(1 + (E_{ki} - 1)/n) -
  c_{ki} \ge x_{ki}`.

The :math:`c_a` cost at most what n bets of :math:`1/n` can lose,
:math:`-\sum_a c_a \le -n \ln(1 - 1/n)`, little more than 1, and only for pairs that were voted on.
A pair alone is decided from about :math:`\ln(2en/\delta)` on, and each further pair of a set costs
:math:`\ln(2n)`.

**Equal within a margin** :math:`\varepsilon > 0` are i and j if
:math:`\frac12 - \varepsilon < \mu_{ij} < \frac12 + \varepsilon`. Let :math:`E^\varepsilon_{ij}` be
e-values of the nulls :math:`\mu_{ij} \le \frac12 - \varepsilon`. Of a pair that is not equal
exactly one of the two nulls is true, (i, j) or (j, i), and the mean over all pairs of the E of
these, 1 for pairs that are equal, is a supermartingale that starts at 1, whether votes on several
pairs are independent or not. So with probability at least :math:`1 - \delta` no pair that is not
equal ever has :math:`\min(E^\varepsilon_{ij}, E^\varepsilon_{ji}) \ge n/\delta`; a pair is proved
equal where it has. There is no further factor of 2 for the two directions.

**Votes that are not independent**, as those of rankings or of clusters: each pair is a fair sample
of its own, but products over pairs are no supermartingales. Then i beats j where
:math:`(E_{ij} + E_{ji})/2 \ge n/\delta`, a union over the pairs; a set is refuted where one of its
pairs is, which is x = 2Λ for these and 0 for others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.ties import just_below


@dataclass(frozen=True, eq=False)
class PairProof:
    """What all pairs prove together.

    Attributes
    ----------
    leads : bool array, shape (K, K)
        ``leads[i, j]``: i won more than half of the votes against j.
    cost : float array, shape (K, K)
        x, what a truth that contradicts the votes on the pair costs: symmetric, 0 or more.
    reversal : float array, shape (K, K)
        x', where the truth has the pair the other way round and no tie: at least ``cost``.
    threshold : float
        Λ: what adds up to as much is refuted.
    """

    leads: BoolArray
    cost: FloatArray
    reversal: FloatArray
    threshold: float

    @cached_property
    def beats(self) -> BoolArray:
        """``beats[i, j]``: it is proved that i beats j; shape (K, K)."""
        return np.asarray(self.leads & (self.cost >= self.threshold))

    @cached_property
    def against_condorcet(self) -> FloatArray:
        """What speaks against each arm's beating all others; shape (K,)."""
        return np.asarray(np.where(self.leads.T, self.reversal, 0.0).sum(axis=1))


def pair_proof(
    estimate: FloatArray, log_e: FloatArray, delta: float, *, independent: bool = True
) -> PairProof:
    """What all pairs prove together, up to a probability of an error.

    Parameters
    ----------
    estimate : float array, shape (K, K)
        The fractions of wins; ½ where nobody leads.
    log_e : float array, shape (K, K)
        ``ln E_ij`` of "i does not beat j".
    delta : float
        Between 0 and 1.
    independent : bool
        Whether votes on several pairs are.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> from cpe_opt.proofs.dueling.e_values import log_e_values
    >>> votes = cpe.Votes([[0, 40, 9], [5, 0, 30], [6, 12, 0]])
    >>> log_e = log_e_values(votes.wins, votes.wins.T)
    >>> proof = pair_proof(votes.fractions, log_e, 0.05)
    >>> proof.cost.round(2)[0].tolist(), round(proof.threshold, 2)
    ([0.0, 11.53, 0.06], 3.73)
    >>> proof.beats[0].tolist()
    [False, True, False]
    """
    arms = len(log_e)
    pairs = arms * (arms - 1) // 2
    leads = estimate > 0.5
    high, low = np.maximum(log_e, log_e.T), np.minimum(log_e, log_e.T)
    mean = np.logaddexp(high, low) - math.log(2.0)
    if not independent:
        threshold = math.log(pairs) - math.log(delta)
        cost = np.where(just_below(mean) >= threshold, 2.0 * threshold, 0.0)
        return PairProof(leads, cost, cost, threshold)
    kept = math.log1p(-1.0 / pairs) if pairs > 1 else -math.inf

    def bet(evidence: FloatArray) -> FloatArray:
        """``ln(1 + (E - 1)/n)`` from ``ln E``."""
        return np.asarray(np.logaddexp(kept, evidence - math.log(pairs)))

    lost = bet(low)
    threshold = -math.log(delta) - math.fsum(lost[np.triu_indices(arms, 1)].tolist())
    one_leads = leads | leads.T
    cost, reversal = (
        np.where(one_leads, np.maximum(just_below(bet(each) - lost), 0.0), 0.0)
        for each in (mean, high)
    )
    return PairProof(leads, cost, reversal, -float(just_below(-threshold)))


def equal_pairs(log_e: FloatArray, delta: float) -> BoolArray:
    """Which pairs are proved to be equal within a margin.

    Parameters
    ----------
    log_e : float array, shape (K, K)
        ``ln E_ij`` of "i wins with at most ½ less the margin"; the diagonal is not read.
    delta : float
        Between 0 and 1.

    Returns
    -------
    bool array, shape (K, K)
        Symmetric; False on the diagonal.

    Examples
    --------
    >>> from cpe_opt.proofs.dueling.e_values import log_e_values
    >>> wins = np.array([[0.0, 700.0, 70.0], [700.0, 0.0, 1400.0], [70.0, 0.0, 0.0]])
    >>> equal_pairs(log_e_values(wins, wins.T, 0.4), 0.05)[0].tolist()
    [False, True, False]
    """
    arms = len(log_e)
    needed = math.log(arms * (arms - 1) / 2.0) - math.log(delta)
    equal = np.minimum(log_e, log_e.T) >= needed
    np.fill_diagonal(equal, False)
    return np.asarray(equal)

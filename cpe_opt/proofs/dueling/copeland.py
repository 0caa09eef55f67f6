r"""What votes prove of a Copeland winner: the evidence that an answer is right.

**The claim.** Let :math:`E_{ij}` be e-values of "i does not beat j"
(:mod:`cpe_opt.proofs.dueling.e_values`). Fix the truth :math:`\mu` of K arms and a Copeland
winner j of it. Let :math:`G_j` be the arms that do not beat j, and for each other arm i let
:math:`G_i` be those that beat i, without j. Then

.. math:: W = A_j\,\Bigl(1 - \epsilon + \frac{\epsilon}{K-1} \sum_{i \ne j} B_i\Bigr), \quad
          A_j = v_0 + v_1 \underset{k \in G_j}{\mathrm{mean}}\, E_{kj}
              + v_2 \prod_{k \in G_j} \Bigl(1 + \frac{E_{kj} - 1}{K-1}\Bigr), \quad
          B_i = u_1 \underset{k \in G_i}{\mathrm{mean}}\, E_{ik}
              + u_2 \prod_{k \in G_i} \Bigl(1 + \frac{E_{ik} - 1}{|G_i|}\Bigr) ,

with weights :math:`v` and :math:`u` that add up to 1 each (means and products over nothing are 1),
stays below :math:`1/\delta` at all times with probability at least :math:`1 - \delta`, for any rule
that chooses duels, and looked at whenever one likes.

*Proof.* All hypotheses in it are true: k in :math:`G_j` does not beat j, and i does not beat k in
:math:`G_i`. So each E is a non-negative supermartingale that starts at 1 and moves with the duels
of its own pair alone. In :math:`A_j B_i` no pair occurs twice, since the pairs of :math:`A_j` hold
j and those of :math:`B_i` do not. W is thus a mixture of products of supermartingales that move at
different duels, hence one itself, and it starts at 1. Ville's inequality. ∎

**The rule.** Let an arm i be answered only where W of *every* truth under which i is no winner, and
so :math:`L_i > L_j` for some j, is at least :math:`1/\delta`. A wrong answer needs W of the truth
itself to be as large: the probability of ever giving one is at most :math:`\delta`. There is no
union over answers, over rows, or over times, and ties are allowed.

It remains to find the least W over such truths. Of the sum, :math:`B_i` alone is kept, which makes
W smaller. What is left grows with each E, so that of all :math:`G_j` and :math:`G_i` of given sizes
those with the smallest E are the least. For each challenger j and level :math:`l = L_j` there are
two cases:

- i beats j: :math:`G_j` has :math:`K - 1 - l` other arms, and :math:`G_i` at least l + 1;
- i does not beat j: :math:`G_j` has i and :math:`K - 2 - l` others, and :math:`G_i` at least l.

They are the families of rows of Komiyama, Honda, Nakagawa (ICML 2016)
(:mod:`cpe_opt.formulations.dueling.confusing_instances`), and sorts find the weakest. As
:math:`\delta \to 0`, the logarithm of W is the sum of the logarithms of the large E in it, and the
rule asks for what T* asks (:mod:`cpe_opt.formulations.dueling.copeland_time`). What a flip costs
beyond that is the weight of its mixture, and a choice: among at most K - 1 arms for a pair of j,
and for a pair of i among those that beat i.

**With a margin** :math:`\varepsilon > 0`, i is a *Copeland winner within the margin* if no arm is
ahead of it by more than that, :math:`|W_j| + |N_i| < K` for all j, where :math:`W_j` are the arms k
with :math:`\mu_{jk} \ge \frac12 + \varepsilon` and :math:`N_i` those with
:math:`\mu_{ik} < \frac12 - \varepsilon` (:mod:`cpe_opt.proofs.dueling.predictable_bets` says why).
Let E be the e-values of the nulls :math:`\mu_{ij} \le \frac12 - \varepsilon`, let j be the first
arm with the largest :math:`W_j`, and take :math:`G_j = W_j` and :math:`G_i = N_i \setminus j`. All
hypotheses in W are true, and no pair occurs twice in :math:`A_j B_i`, so that W is, as above, a
supermartingale. If i is no winner within the margin, :math:`|W_j| + |N_i| \ge K` for this j, too,
and j is not i, since :math:`W_i` and :math:`N_i` have no arm in common. With the level
:math:`l = K - 1 - |W_j|` the two cases are those above:

- i is not in :math:`W_j`: then j is not in :math:`N_i`, which has at least l + 1 others;
- i is in :math:`W_j`, with K - 2 - l others: then :math:`N_i` without j has at least l arms.

So the least W is found by the same sorts, from other e-values. At :math:`\varepsilon = 0` the two
definitions, and W, are the same. A Copeland winner is one within every margin, since
:math:`W_j` and :math:`N_i` are the larger, the smaller the margin is.

**Votes that are not independent**, as those of rankings or of clusters: each E is a supermartingale
all the same, since it moves by one outcome of its pair for each ranking or cluster, but products of
several are none. Means are, whatever the dependence, and so is

.. math:: W = (1 - \epsilon)\, \underset{k \in G_j}{\mathrm{mean}}\, E_{kj}
              + \frac{\epsilon}{K-1} \sum_{i \ne j} \underset{k \in G_i}{\mathrm{mean}}\, E_{ik} .

The rule and the sorts are the same, with this W and a margin or none.

The weights: v = 0.2, 0.65, 0.15 and :math:`\epsilon = 0.2`, as one flip of a pair of j is what most
often unseats an answer; u = 0.6, 0.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import prefix_sums, sums_without
from cpe_opt.proofs.dueling.e_values import ONE, log_bet, scaled_e_values, unscaled
from cpe_opt.ties import ascending, first_largest, in_bits, just_below

_NOTHING, _MEAN, _PRODUCT = 0.2, 0.65, 0.15
_SHARE = 0.2
_OWN_MEAN, _OWN_PRODUCT = 0.6, 0.4
_BITS = 31  # of e-values: half a billionth, far less than the evidence is rounded down by


@dataclass(frozen=True, eq=False)
class WeakestTruth:
    """The truth under which an answer is wrong and which votes speak the least against."""

    evidence: float  # ln W: the answer is proved at every delta with ``ln(1/delta)`` at most this
    challenger: int  # its Copeland winner j
    unbeaten: list[int]  # the arms that do not beat j: G_j
    beating: list[int]  # the arms other than j that beat the answer: G_i, as few as there may be

    def pairs(self, answer: int) -> list[tuple[int, int]]:
        """The hypotheses "the first does not beat the second" that hold under it."""
        challenger = [(arm, self.challenger) for arm in self.unbeaten]
        return challenger + [(answer, arm) for arm in self.beating]


def weakest_truth(log_e: FloatArray, answer: int, *, independent: bool = True) -> WeakestTruth:
    """The weakest truth under which an answer is wrong, found by sorting.

    ``log_e`` are ``ln E_ij`` of "i does not beat j", or of the nulls with a margin, shape (K, K);
    the diagonal is not read. ``independent`` is whether votes on several pairs are.
    """
    arms = len(log_e)
    others = np.delete(np.arange(arms), answer)
    # The order of e-values chooses pairs: those that are equal have to stay equal.
    e = in_bits(scaled_e_values(log_e), _BITS)
    np.fill_diagonal(e, np.inf)
    pairs_of = e.T[others]  # row j: E_kj
    own = pairs_of[:, answer].copy()
    pairs_of[:, answer] = np.inf
    order = ascending(pairs_of)[:, : arms - 2]
    rest = np.take_along_axis(pairs_of, order, axis=1)
    sums, products = prefix_sums(rest), prefix_sums(log_bet(rest, arms - 1))
    others_flip = _others_flip(e[answer, others], independent=independent)
    of_challenger = _log_mixture if independent else _log_share_of_mean
    both = np.add if independent else np.logaddexp

    size = arms - 1 - np.arange(arms - 1)  # of G_j at the levels 0, 1, …
    own_product = log_bet(own, arms - 1)
    loses = both(
        others_flip,
        of_challenger(
            (sums[:, size - 1] + own[:, None]) / size, products[:, size - 1] + own_product[:, None]
        ),
    )
    level = np.arange(1, max(1, arms - 2))
    beats = both(
        others_flip[:, level + 1],
        of_challenger(sums[:, size[level]] / size[level], products[:, size[level]]),
    )
    cases = np.concatenate([loses, beats], axis=1)
    cases = just_below(cases)
    row, case = divmod(int(first_largest(-cases.ravel())), cases.shape[1])
    if case < arms - 1:
        chosen, losses = [*order[row, : arms - 2 - case].tolist(), answer], case
    else:
        losses = case - (arms - 1) + 2
        chosen = order[row, : arms - losses].tolist()
    cheapest = np.delete(others, row)[ascending(np.delete(e[answer, others], row))]
    return WeakestTruth(
        float(cases[row, case]), int(others[row]), chosen, cheapest[:losses].tolist()
    )


def _log_mixture(mean: FloatArray, log_product: FloatArray) -> FloatArray:
    """``ln A`` from the scaled mean, and the logarithm of the product, over G_j."""
    return unscaled(_NOTHING * ONE + _MEAN * mean + _PRODUCT * scaled_e_values(log_product))


def _log_share_of_mean(mean: FloatArray, _: FloatArray) -> FloatArray:
    """``ln`` of the part of W that is the mean over G_j, for votes that are not independent."""
    return unscaled((1.0 - _SHARE) * mean)


def _others_flip(e: FloatArray, *, independent: bool) -> FloatArray:
    """``ln(1 - eps + eps B_i / (K-1))``, the least over G_i of at least so many arms without j.

    Of votes that are not independent, of the part of W with the mean over G_i.
    """
    count = len(e)
    order = ascending(e)
    rank: IntArray = np.empty_like(order)
    rank[order] = np.arange(count)
    number = np.arange(1, count)  # of G_i
    ranked = e[order]
    sums = np.concatenate([[0.0], np.cumsum(ranked)])
    factors = log_bet(ranked, number[:, None])  # (sizes, arms)
    products = prefix_sums(factors)
    mean = sums_without(sums, number, rank[:, None], e[:, None]) / number
    row, place = (number - 1) * (count + 1), rank[:, None]
    own = factors[number - 1, place]
    product = scaled_e_values(sums_without(products, row + number, row + place, own))
    merged = np.full((count, count), ONE)
    merged[:, 1:] = _OWN_MEAN * mean + _OWN_PRODUCT * product if independent else mean
    least = np.minimum.accumulate(merged[:, ::-1], axis=1)[:, ::-1]
    if not independent:
        return unscaled(_SHARE * least / count)
    return unscaled((1.0 - _SHARE) * ONE + _SHARE * least / count)

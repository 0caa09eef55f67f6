r"""Which arms votes prove to be winners, and which they rule out.

At a probability :math:`\delta` of an error anywhere, at any time, the shares :math:`\frac\delta2`,
:math:`\frac\delta4`, :math:`\frac\delta4` go to three claims: of all pairs together
(below: x, Λ), of the weakest truth
(:mod:`cpe_opt.proofs.dueling.copeland`: W), of Borda scores
(:mod:`cpe_opt.proofs.dueling.borda`). With probability at least :math:`1 - \delta` all three hold
at all times, and then nothing of the following is wrong.

**Condorcet.** i is proved where each "i beats k" is proved, and ruled out as is said below.

**Copeland.** A winner is an arm that no more arms beat than any other; ties are for nobody.

- i is *proved* where W of every truth under which it is no winner is at least
  :math:`4/\delta`; or where it is a winner by the votes and its weakest row has
  :math:`\sum x \ge \Lambda`. A row is a smallest set of pairs that, if they are the other way
  round, make it none (:mod:`cpe_opt.formulations.dueling.confusing_instances`, undecided pairs of i
  at no cost). A truth under which i is no
  winner contradicts the votes on a set of pairs that contains such a row: j has fewer losses than i
  only if enough arms that i leads against beat i, and enough arms that lead against j do not beat
  it, which a tie does as well as a flip.
- i is *ruled out* where the cheapest flips that make it a winner, at the costs x, cost Λ or more
  (:mod:`cpe_opt.formulations.dueling.cheapest_flips`, where ties are shown not to be cheaper).
- Otherwise it is *possible*, and those flips are the explanation: the pairs that would have to be
  the other way round.

**Copeland, within a margin.** Nothing is ahead of i by more than :math:`\varepsilon` where W of
every truth under which something is, is large enough (:mod:`cpe_opt.proofs.dueling.copeland`). Such
an arm need not have the fewest losses by the votes. Arms that something is ahead of by more than
that in the estimate are left out: the estimate is then a truth under which the answer is wrong, and
all E in its W are at most 1.

**With a margin** the claims of pairs and of the weakest truth have half of their shares, and the
other halves go to the pairs that are equal within the margin, and to the weakest truth with the
margin.

**Two arms** are one pair, and every statement without a margin is the same one, "a beats b": a is
then the Condorcet winner, the only Copeland and the only Borda winner, and of rank 1, and b is of
rank 2. So the claim of the pair has all of :math:`\delta`, is proved where
:math:`\frac12(E_{ab} + E_{ba}) \ge 1/\delta`. The weakest truth, whose
:math:`W = \frac15 + \frac45 E_{ab}`, asks for more at its share, and the mixture of Borda scores,
another e-value of the same, is not looked at. (That a is not worse than b follows
from :math:`E_{ab} \ge 1/\delta` already, where a tie is not yet refuted; this is not said by
itself.) With a margin, nothing is ahead of a by more where :math:`E^\varepsilon_{ab}`, of the null
:math:`\mu_{ab} \le \frac12 - \varepsilon`, is large enough, and the two are equal where
:math:`E^\varepsilon_{ba}` is, too. At most one of these nulls is true, so that both claims are
right at once at all of what goes to the margin.

**Tiers** follow from the pairs: groups of arms, in an order such that every arm of a group is
proved to beat every arm of all later ones, and the most groups of which that is true. They
exist and are unique: a cut of the arms into a better and a worse part is such if all of the former
are proved to beat all of the latter, and of two such cuts one has the smaller better part within
that of the other. An arm of the better part is proved to beat more arms than one of the worse part
is, so that arms in the order of these numbers show all cuts.

**Borda, and the k best** by Borda or Copeland scores: i is one of them if its rank is k or better
(:mod:`cpe_opt.proofs.dueling.evidence`). That is proved where its worst rank is, and ruled out
where its best rank is not. The Borda winner is the best one.

**What votes prove about who beats whom, and about sets of pairs at once.**

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

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.cheapest_flips import CheapestFlips, flips_below, flips_within
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies, identification_rows
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.proofs.dueling.copeland import weakest_truth
from cpe_opt.ties import just_below

WinnerStatus: TypeAlias = Literal["proved", "possible", "ruled out"]
PAIRS_SHARE, COPELAND_SHARE, BORDA_SHARE = 0.5, 0.25, 0.25
WITHOUT_MARGIN = 0.5
"""With a margin, the part of the first two shares that goes to what is said without it."""


def pairs_share(arms: int) -> float:
    """Of delta, what goes to the claim of all pairs: all of it with two arms, which are one."""
    return 1.0 if arms == 2 else PAIRS_SHARE


def condorcet_statuses(proof: PairProof) -> list[WinnerStatus]:
    """Of each arm: whether it beats every other arm."""
    beaten = proof.beats.sum(axis=1)
    return _statuses(beaten == len(beaten) - 1, proof.against_condorcet >= proof.threshold)


def copeland_statuses(
    estimate: PreferenceMatrix,
    log_e: FloatArray,
    proof: PairProof,
    delta: float,
    *,
    independent: bool = True,
) -> tuple[list[WinnerStatus], Explanations]:
    """Of each arm, whether the fewest arms beat it, and the flips with which those possible do."""
    costs = np.minimum(proof.cost, 2.0 * proof.threshold)
    able = flips_below(estimate, costs, proof.threshold)
    arms = range(estimate.arms)
    rows = {arm: identification_rows(estimate.array, arm) for arm in estimate.copeland_winners}
    proved = [
        arm in rows
        and copeland_proved(rows[arm], log_e, proof, arm, delta, independent=independent)
        for arm in arms
    ]
    statuses = _statuses(proved, [not each for each in able])
    return statuses, Explanations(
        estimate,
        costs,
        proof.threshold,
        {estimate.labels[arm]: arm for arm in arms if statuses[arm] == "possible"},
    )


@dataclass(frozen=True, eq=False)
class Explanations(Mapping[str, CheapestFlips]):
    """The cheapest flips of each possible Copeland winner, found when they are asked for."""

    estimate: PreferenceMatrix
    costs: FloatArray
    cutoff: float
    arms: dict[str, int]
    _known: dict[str, CheapestFlips] = field(default_factory=dict)

    def __getitem__(self, label: str) -> CheapestFlips:
        if label not in self._known:
            flips = flips_within(self.estimate, self.arms[label], self.costs, self.cutoff)
            assert flips is not None  # whose bound is below the cutoff
            self._known[label] = flips
        return self._known[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self.arms)

    def __len__(self) -> int:
        return len(self.arms)

    def __contains__(self, label: object) -> bool:
        return label in self.arms


def copeland_proved(
    rows: RowFamilies,
    log_e: FloatArray,
    proof: PairProof,
    winner: int,
    delta: float,
    *,
    independent: bool = True,
) -> bool:
    """Whether a Copeland winner by the votes, of these rows, is proved to be one."""
    if rows.evidence(proof.cost) >= proof.threshold:
        return True
    weakest = weakest_truth(log_e, winner, independent=independent)
    return weakest.evidence >= -math.log(delta)


def statuses_within(
    estimate: FloatArray,
    log_e: FloatArray,
    margin: float,
    delta: float,
    *,
    independent: bool = True,
) -> list[WinnerStatus]:
    """Of each arm: whether nothing is proved to be ahead of it by more than a margin."""
    others = ~np.eye(len(estimate), dtype=np.bool_)
    leads = ((estimate >= 0.5 + margin) & others).sum(axis=1)
    losses = ((estimate < 0.5 - margin) & others).sum(axis=1)
    needed = -math.log(delta)

    def evidence(arm: int) -> float:
        if len(estimate) == 2:
            return float(log_e[arm, 1 - arm])
        return weakest_truth(log_e, arm, independent=independent).evidence

    return _statuses(
        [
            leads.max() + losses[arm] < len(estimate) and evidence(arm) >= needed
            for arm in range(len(estimate))
        ],
        [False] * len(estimate),
    )


def tiers_of(beats: BoolArray) -> list[list[int]]:
    """The most groups of arms of which each is proved to beat all later ones, arm by arm."""
    order = np.argsort(-beats.sum(axis=1), kind="stable")
    ranked = beats[np.ix_(order, order)]
    starts = [0, *(cut for cut in range(1, len(order)) if ranked[:cut, cut:].all()), len(order)]
    return [sorted(order[a:b].tolist()) for a, b in itertools.pairwise(starts)]


def best_statuses(ranks: IntArray, number: int = 1) -> list[WinnerStatus]:
    """Of each arm, whether it is one of the best, from its best and its worst rank; (K, 2)."""
    return _statuses(ranks[:, 1] <= number, ranks[:, 0] > number)


def _statuses(proved: Iterable[bool], ruled_out: Iterable[bool]) -> list[WinnerStatus]:
    return [
        "proved" if yes else "ruled out" if no else "possible"
        for yes, no in zip(proved, ruled_out, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class PairProof:
    """What all pairs prove together."""

    leads: BoolArray  # (K, K); `leads[i, j]`: i won more than half of the votes against j
    cost: FloatArray  # (K, K); x, of a truth that contradicts the votes on the pair; symmetric
    reversal: FloatArray  # (K, K); x', where it has the pair the other way round and no tie
    threshold: float  # Lambda: what adds up to as much is refuted

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
    """What all pairs prove together, from the fractions of wins and ``ln E_ij``; both (K, K)."""
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
    """Which pairs are proved to be equal within the margin that ``ln E_ij`` is for; (K, K)."""
    arms = len(log_e)
    needed = math.log(arms * (arms - 1) / 2.0) - math.log(delta)
    equal = np.minimum(log_e, log_e.T) >= needed
    np.fill_diagonal(equal, False)
    return np.asarray(equal)

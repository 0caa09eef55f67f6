r"""What votes prove at once: who beats whom, and which arms are winners.

All statements follow from the three claims of :mod:`cpe_opt.proofs.dueling.winners`. With
probability at least :math:`1 - \delta` none is wrong, whatever rule chose the pairs, at whatever
times one looks at a growing log. The duels that remain are in
:mod:`cpe_opt.proofs.dueling.remaining_duels`, sentences in :mod:`cpe_opt.reports.evidence`.

**Ranks.** The rank of an arm is one more than the number of arms that are better: with a larger
Borda score, or, by Copeland scores, with fewer arms that beat them. Arms with equal scores share a
rank, the best one of their group, and all arms of rank 1 are winners. The *k best* arms are those
of rank k or better; ties may make them more than k.

**Borda ranks.** Let :math:`n = K(K-1)/2`, and let :math:`G_{ij}` be the evidence that
:math:`b_i > b_j` (:mod:`cpe_opt.proofs.dueling.borda`), 0 where the estimate has no such lead.

*Claim.* With probability at least :math:`1 - \delta`, at all times, the truth has

.. math:: \sum_{(i, j):\; b_i \le b_j} G_{ij} < \frac n\delta .

*Proof.* Every two arms have a supermartingale that starts at 1 at most and is at least
:math:`G_{ij}` if :math:`b_i \le b_j`, at least :math:`G_{ji}` if :math:`b_j \le b_i`, and at a
tie at least their sum: one of them is 0, or, for votes in clusters, both are thirds of a mean of
three (:mod:`cpe_opt.proofs.dueling.borda`). The mean of the n of them is a supermartingale,
whatever their dependence. Ville's inequality. ∎

So a statement is proved where every order of the scores that contradicts it reverses evidence of
:math:`n/\delta` in all: the closure of the n tests by averages (Vovk, Wang 2021). If r arms or more
are not better than i, each of them, j, has :math:`b_j \le b_i`, and the sum of their
:math:`G_{ji}` is no less than that of the r smallest. With :math:`G_{(1)i} \le G_{(2)i} \le \dots`
the evidence of the other arms against i, and :math:`G_{i(1)} \le \dots` that for i against them,

.. math:: \mathrm{best}(i) = 1 + \#\Bigl\{r : \sum_{s \le r} G_{(s)i} \ge \frac n\delta\Bigr\},
          \qquad
          \mathrm{worst}(i) = K - \#\Bigl\{r : \sum_{s \le r} G_{i(s)} \ge \frac n\delta\Bigr\} .

That is never wider than counting the pairs with :math:`G \ge n/\delta`, and narrower where several
arms together are ahead, and no single one for certain. All intervals hold at once, at all times.

*Nothing is left to step down to.* In Holm's procedure δ is spread anew over the hypotheses that
remain. Here one of :math:`b_i \le b_j` and :math:`b_j \le b_i` is true for each two arms, whatever
has been rejected: the closed test always averages n e-values, and its first step is its last.

**Copeland ranks.** Let :math:`L_i` be the number of arms that beat i. At all times the pairs on
which the truth contradicts the votes have :math:`\sum x < \Lambda`, with :math:`x'` in place of x
where the truth has a pair the other way round, and not tied
(:mod:`cpe_opt.proofs.dueling.winners`). So a rank is refuted where all truths that have it cost
:math:`\Lambda` or more, and one look at all pairs of several arms refutes more than any two of the
arms do.

Arm i has rank r or better where at least :math:`s = K - r` arms have :math:`L_j \ge L_i`. Let a
truth take m losses from i, of the pairs S in which others lead; they cost x each. An arm j then
lacks :math:`d_j = L_i - m - L_j` losses by the votes. It gets them from pairs in which it leads,
at :math:`x'` each, and from those in which nobody leads, at no cost. Each such pair gives a loss
to one arm only, so that the costs of several j add up. The pair {i, j} alone is in S as well: the
other way round it serves both, at :math:`x' - x` more, and counts once. With the m-th smallest cost
:math:`x_{(m)}` of the pairs that might be in S, S costs at least
:math:`\sum_{t \le m} x_{(t)}`, and :math:`\max(0, x - x_{(m)})` more for each of its pairs. The
least cost is thus at least

.. math:: \min_m \; \sum_{t \le m} x_{(t)} + \text{the sum of the } s \text{ smallest } c_j(m) ,

where :math:`c_j(m)` is the smaller of what :math:`d_j` losses cost without {i, j}, and of what
:math:`d_j - 1` cost with it, all by the cheapest pairs of j. For two arms alone this is the cost
itself; for several it leaves out that a pair which gives a loss to j may take one from another arm.

Arm i has rank r or worse where at least :math:`s = r - 1` arms have :math:`L_j < L_i`: the same
with losses given to i, at :math:`x'` or for nothing, and taken from others, at x.

Where an arm is proved to be a Copeland winner (:mod:`cpe_opt.proofs.dueling.winners`), its rank is
1, and where it is ruled out, 2 or worse.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.cheapest_flips import CheapestFlips
from cpe_opt.problems.clusters import ClusterScores
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.progress_line import step
from cpe_opt.proofs.dueling.borda import borda_evidence, borda_order, cluster_evidence
from cpe_opt.proofs.dueling.e_values import log_e_of_votes
from cpe_opt.proofs.dueling.winners import (
    BORDA_SHARE,
    COPELAND_SHARE,
    WITHOUT_MARGIN,
    PairProof,
    WinnerStatus,
    best_statuses,
    condorcet_statuses,
    copeland_statuses,
    equal_pairs,
    pair_proof,
    pairs_share,
    statuses_within,
    tiers_of,
)
from cpe_opt.ties import just_below

_CERTAIN = ("proved", "ruled out")
_ROUNDING = 1e-9
_LEVELS_APART = 16


@dataclass(frozen=True, eq=False)
class Statements:
    """What votes prove, all of it at once up to the probability ``delta`` of an error.

    Attributes
    ----------
    votes : Votes
    estimate : PreferenceMatrix
        The fractions of wins.
    delta : float
    pairs : PairProof
        What each pair holds against a truth that contradicts it.
    copeland, condorcet, borda : dict of str to str
        Of each arm, by its label in the order of the votes: ``"proved"``, ``"possible"`` or
        ``"ruled out"``. There may be several Copeland winners.
    explanations : mapping from str to CheapestFlips
        For each possible Copeland winner by its label: the pairs that would have to be the other
        way round; none for those that are winners by the estimate. Found when they are asked for.
    larger_borda : bool array, shape (K, K)
        ``larger_borda[i, j]``: i is proved to have a larger Borda score than j.
    ranks, copeland_ranks : dict of str to (int, int)
        The best and the worst rank of each arm by Borda and by Copeland scores, 1 for the best arm;
        arms with equal scores share the best rank of their group.
    top : int or None
        k, if the k best arms were asked for.
    top_borda, top_copeland : dict of str to str
        Of each arm, whether it is one of the k best by these scores: ``"proved"``, ``"possible"``
        or ``"ruled out"``; empty unless they were asked for.
    margin : float
        0, or what is said of winners within it, too.
    within_margin : dict of str to str
        Of each arm, whether nothing is ahead of it by more than the margin: ``"proved"`` or
        ``"possible"``; empty without a margin.
    equal : bool array, shape (K, K)
        ``equal[i, j]``: i and j are proved to be equal within the margin.
    """

    votes: Votes
    estimate: PreferenceMatrix
    delta: float
    pairs: PairProof
    copeland: dict[str, WinnerStatus]
    condorcet: dict[str, WinnerStatus]
    borda: dict[str, WinnerStatus]
    explanations: Mapping[str, CheapestFlips]
    larger_borda: BoolArray
    ranks: dict[str, tuple[int, int]]
    copeland_ranks: dict[str, tuple[int, int]]
    top: int | None
    top_borda: dict[str, WinnerStatus]
    top_copeland: dict[str, WinnerStatus]
    margin: float
    within_margin: dict[str, WinnerStatus]
    equal: BoolArray

    @property
    def beats(self) -> BoolArray:
        """``beats[i, j]``: it is proved that i beats j; shape (K, K)."""
        return self.pairs.beats

    @property
    def tied_set(self) -> tuple[str, ...]:
        """The arms that may be Copeland winners, once every two are proved equal within the margin.

        Labels in the order of the votes; none before that, and none where a single arm is left.
        """
        left = [arm for arm, each in enumerate(self.copeland.values()) if each != "ruled out"]
        pairs = itertools.combinations(left, 2)
        tied = len(left) > 1 and all(self.equal[pair] for pair in pairs)
        return tuple(self.votes.labels[arm] for arm in left) if tied else ()

    @property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Groups of arms by their labels, the best first: each is proved to beat all later ones.

        As many groups as are proved; within one the best by the estimate is first.
        """
        place = {arm: rank for rank, arm in enumerate(self.ranking)}
        return tuple(
            tuple(self.votes.labels[arm] for arm in sorted(tier, key=place.__getitem__))
            for tier in tiers_of(self.beats)
        )

    @property
    def some_proved(self) -> bool:
        """Whether anything is: of a pair, of Borda scores, or of a winner."""
        statuses = {each for arms in self.statuses().values() for each in arms.values()}
        relations = (self.beats, self.equal, self.larger_borda)
        return any(each.any() for each in relations) or bool(statuses - {"possible"})

    def statuses(self) -> dict[str, dict[str, WinnerStatus]]:
        """Those of all arms by the definitions of a winner, as plain values."""
        found = {"copeland": self.copeland, "condorcet": self.condorcet, "borda": self.borda}
        return {**found, "within_margin": self.within_margin} if self.margin else found

    @property
    def ranking(self) -> tuple[int, ...]:
        """The arms by Borda scores of the estimate, then by its losses."""
        return tuple(np.lexsort((self.estimate.losses, -self._scores)).tolist())

    @property
    def favourite(self) -> int:
        """The arm with the fewest losses of the estimate, of several that with the best score."""
        return int(np.lexsort((-self._scores, self.estimate.losses))[0])

    @property
    def _scores(self) -> FloatArray:
        """Borda scores of the estimate, equal ones alike on every machine."""
        return np.rint(self.estimate.borda_scores * 2.0**30)


def statements(
    votes: Votes, delta: float, margin: float = 0.0, top: int | None = None
) -> Statements:
    """What votes prove, all of it at once up to the probability ``delta`` of an error."""
    estimate = PreferenceMatrix.from_votes(votes)
    labels, independent = votes.labels, votes.independent

    def by_label(statuses: list[WinnerStatus]) -> dict[str, WinnerStatus]:
        return dict(zip(labels, statuses, strict=True))

    step("who beats whom")
    log_e = log_e_of_votes(votes)
    part, share = delta_without_margin(delta, margin), pairs_share(votes.arms)
    pairs = pair_proof(estimate.array, log_e, share * part, independent=independent)
    two = votes.arms == 2
    if two:  # whose statements are one: no tie is told from a reversal
        pairs = replace(pairs, reversal=pairs.cost)
    step("Copeland winners")
    copeland, flips = copeland_statuses(
        estimate, log_e, pairs, COPELAND_SHARE * part, independent=independent
    )
    within: dict[str, WinnerStatus] = {}
    equal = np.zeros_like(pairs.beats)
    if margin:
        log_e = log_e_of_votes(votes, 0.5 - margin)
        of_within = (1.0 if two else COPELAND_SHARE) * (delta - part)
        within = by_label(
            statuses_within(estimate.array, log_e, margin, of_within, independent=independent)
        )
        equal = equal_pairs(log_e, share * (delta - part))
    winner, no_winner = (np.array([each == kind for each in copeland]) for kind in _CERTAIN)
    by_copeland = with_winners(copeland_ranks(pairs), winner, no_winner)
    step("Borda scores and ranks")
    larger_borda, by_borda = (
        (pairs.beats, by_copeland) if two else _of_borda_scores(votes, BORDA_SHARE * delta)
    )

    def ranks(found: IntArray) -> dict[str, tuple[int, int]]:
        return {
            label: (best, worst)
            for label, (best, worst) in zip(labels, found.tolist(), strict=True)
        }

    def of_best(found: IntArray) -> dict[str, WinnerStatus]:
        return {} if top is None else by_label(best_statuses(found, top))

    return Statements(
        votes=votes,
        estimate=estimate,
        delta=delta,
        pairs=pairs,
        copeland=by_label(copeland),
        condorcet=by_label(condorcet_statuses(pairs)),
        borda=by_label(best_statuses(by_borda)),
        explanations=flips,
        larger_borda=larger_borda,
        ranks=ranks(by_borda),
        copeland_ranks=ranks(by_copeland),
        top=top,
        top_borda=of_best(by_borda),
        top_copeland=of_best(by_copeland),
        margin=margin,
        within_margin=within,
        equal=equal,
    )


def _of_borda_scores(votes: Votes, delta: float) -> tuple[BoolArray, IntArray]:
    """Which arm's Borda score is proved to be larger, and ranks by them; shapes (K, K), (K, 2)."""
    wins = votes.proving_wins
    if votes.independent:
        evidence = borda_evidence(wins)
    else:
        evidence = cluster_evidence(votes.counts.scores or ClusterScores.of_counts(wins))
    return borda_order(evidence, delta), borda_ranks(evidence, delta)


def delta_without_margin(delta: float, margin: float) -> float:
    """The delta of whose shares the claims of pairs and of the weakest truth have theirs."""
    return WITHOUT_MARGIN * delta if margin else delta


def borda_ranks(evidence: FloatArray, delta: float) -> IntArray:
    """The best and the worst rank of every arm by Borda scores, from their ``ln G``; (K, 2)."""
    arms = len(evidence)
    needed = math.log(arms * (arms - 1) / 2.0) - math.log(delta)
    ahead = _tail_sums(evidence) >= needed
    behind = _tail_sums(evidence.T) >= needed
    return np.column_stack([1 + behind.sum(axis=1), arms - ahead.sum(axis=1)])


def _tail_sums(evidence: FloatArray) -> FloatArray:
    """``ln`` of the sum of the r smallest G of each row, r = 1, …, K - 1; shape (K, K-1)."""
    arms = len(evidence)
    others = evidence[~np.eye(arms, dtype=np.bool_)].reshape(arms, arms - 1)
    return just_below(np.logaddexp.accumulate(np.sort(others, axis=1), axis=1))


def copeland_ranks(proof: PairProof) -> IntArray:
    """The best and the worst rank of every arm by the number of arms that beat it; (K, 2)."""
    leads, arms = proof.leads, len(proof.leads)
    losses = leads.sum(axis=0)
    excess = losses[:, None] - losses
    open_ = ~(leads | leads.T) & ~np.eye(arms, dtype=np.bool_)
    most = 2.0 * proof.threshold
    tie, reversal = np.minimum(proof.cost, most), np.minimum(proof.reversal, most)
    loses_less = np.where(leads.T, tie, math.inf)
    loses_more = np.where(leads, reversal, np.where(open_, 0.0, math.inf))
    ahead, behind = (np.where(each, reversal, math.inf) for each in (leads.T, leads))
    most = proof.threshold
    best = _refuted(loses_less, loses_more, ahead, excess, most, bound=True)
    worst = _refuted(loses_more, loses_less, behind, 1 - excess, most, bound=False)
    return np.column_stack([1 + best, arms - worst])


def _refuted(
    own: FloatArray,
    others: FloatArray,
    both: FloatArray,
    lacking: IntArray,
    limit: float,
    *,
    bound: bool,
) -> IntArray:
    """For how many s = 1, …, K - 1 moving an arm past s others costs a limit at least; (K,)."""
    arms = len(own)
    order = np.argsort(others, axis=1, kind="stable")
    place = np.argsort(order, axis=1, kind="stable")
    sums = np.full((arms, arms + 2), math.inf)
    sums[:, 0] = 0.0
    sums[:, 1:-1] = np.cumsum(np.take_along_axis(others, order, axis=1), axis=1)
    found = np.zeros(arms, dtype=np.int64)
    for i in range(arms):
        rivals = np.delete(np.arange(arms), i)
        cheapest = np.sort(own[i][np.isfinite(own[i])])[: max(0, int(lacking[i, rivals].max()))]
        paid = np.append(0.0, np.cumsum(cheapest))
        last, levels = np.append(math.inf, cheapest), np.flatnonzero(paid < limit)
        shared = np.isfinite(both[i, rivals])
        for some in (levels[::_LEVELS_APART], levels):  # mostly a few are enough
            need = np.clip(lacking[i, rivals] - some[:, None], 0, arms)
            moved = sums[rivals, need]
            if shared.any():
                without = _without(sums, others[:, i], place[:, i], rivals, need)
                each = np.where(shared, own[i, rivals], 0.0)
                more = np.where(shared, both[i, rivals], 0.0) - each
                more = more + np.maximum(0.0, each - last[some, None])
                more[some == 0] = math.inf
                fewer = np.maximum(need - 1, 0)
                one_less = _without(sums, others[:, i], place[:, i], rivals, fewer)
                alone = without if bound else moved
                moved = np.where(shared, np.minimum(alone, one_less + more), moved)
            if (paid[some] + moved.sum(axis=1)).min() < limit * (1.0 - _ROUNDING):
                break  # not even past all others
        else:
            moved.sort(axis=1)
            costs = (paid[levels, None] + np.cumsum(moved, axis=1)).min(axis=0)
            found[i] = (costs >= limit).sum()
    return found


def _without(
    sums: FloatArray, cost: FloatArray, place: IntArray, rivals: IntArray, number: IntArray
) -> FloatArray:
    """The sum of so many smallest costs of each rival without one, which is at this place."""
    skipped = place[rivals] < number
    own = np.where(np.isfinite(cost[rivals]), cost[rivals], 0.0)
    return np.where(skipped, sums[rivals, number + skipped] - own, sums[rivals, number])


def with_winners(ranks: IntArray, best: BoolArray, worse: BoolArray) -> IntArray:
    """The ranks with what else is proved: arms of rank 1, and arms of rank 2 or worse."""
    first = np.where(best, 1, np.maximum(ranks[:, 0], 1 + worse))
    return np.column_stack([first, np.where(best, 1, np.maximum(ranks[:, 1], first))])

r"""What answers prove of a Copeland winner when their order is known: bets placed in advance.

**Nulls.** Let :math:`\theta_{ij}` be what arm i gets against j: its probability of winning (coins),
or its mean over the cells of a fixed test set (items); :math:`\theta_{ji} = 1 - \theta_{ij}`. With
a *margin* :math:`\varepsilon \ge 0` and :math:`c = \frac12 - \varepsilon`, the null of the ordered
pair (i, j) is :math:`\theta_{ij} \le c`: i does not beat j, and for a positive margin j beats i by
at least that.

**One bet.** Before an answer y of i against j is seen, somebody who bets against the null stakes
:math:`\lambda \ge 0` on i, and is paid the factor :math:`1 + \lambda (y - m)`, at
:math:`\lambda m \le 1`. Here m is the most that the null allows for the mean of that answer, given
all answers before it:

- coins: :math:`m = c`, whatever was before;
- items: the pair has n cells, each asked at most once, in an order drawn at random for each pair
  on its own. After t of them with the sum S the n - t that are left have a mean of
  :math:`(n\theta_{ij} - S)/(n - t)`, and the next cell is equally likely to be each of them, so
  that :math:`m = (nc - S)/(n - t)` (sampling without replacement: Waudby-Smith and Ramdas, 2020).
  Nothing is assumed of the answers, except that they do not depend on when they are asked. At
  :math:`m \ge 1` no bet is possible. The null is *refuted* for certain once :math:`S > nc`, and
  once :math:`S \ge nc` it is certain that j is not ahead of i beyond c: the relation of the two is
  *held*. (Numbers within 1e-9 of n c are equal to it.)

A cell that nobody answers counts as y = 0 in the bets on i against j, and in those on j against i
as well. A smaller y makes S smaller, m larger and the factor smaller than the missing answer would,
so that nothing more is ever proved than with it, whatever it is and whatever decided that it is
missing.

Under the null, the mean of each factor is at most 1, so that the product of the factors is a
non-negative supermartingale that starts at 1. Let :math:`F_{ij}` be this product over all answers
of the pair, and :math:`Q_{ij}` that over the answers alone that were used while i was a *target*,
an arm to prove. Stakes, pairs and targets may depend on all answers before, and on the pair:
where an answer of i and j is used, i may be a target or not, and j likewise.

**The claim.** Let :math:`F' = h + (1 - h) F` with the *floor* h, and :math:`Q'` likewise. For a
truth T let :math:`W_j` be the arms k of which the null (k, j) is true,
:math:`\theta_{jk} \ge \frac12 + \varepsilon`, and :math:`N_i` those with
:math:`\theta_{ik} < \frac12 - \varepsilon`, of which the null (i, k) is true. Arm j is *ahead of i
by more than the margin* if fewer arms beat it than beat i in every :math:`\theta'` with
:math:`|\theta' - \theta| \le \varepsilon` everywhere. That is so if and only if

.. math:: |W_j| + |N_i| \ge K ,

since j is beaten by at most :math:`K - 1 - |W_j|` arms and i by at least :math:`|N_i|`, and one
:math:`\theta'` attains both. Arm i is *a Copeland winner within the margin* if no arm is ahead of
it by more than the margin; for :math:`\varepsilon = 0`, if it is a Copeland winner. (A single
:math:`\theta'` in which i is a winner need not exist: where a and b beat i, and all other pairs of
i, a, b, c are tied, nobody is ahead of i by more than a positive margin, but a, b and c cannot be
beaten by two arms each.) For an arm j let

.. math:: W_T = \prod_{k \in W_j} F'_{kj}
                \prod_{\{a, b\} \not\ni j} R_{ab}, \qquad
          R_{ab} = \begin{cases} Q'_{ab} & \text{the null (a, b) is true and (b, a) is not}, \\
                   Q'_{ba} & \text{(b, a) is true and (a, b) is not}, \\
                   \frac12 (Q'_{ab} + Q'_{ba}) & \text{both are}, \\
                   1 & \text{neither is}. \end{cases}

Every factor is a supermartingale under T that starts at 1 and moves with its own pair alone, and
each pair has one factor. So W is a supermartingale, too, and by Ville's inequality it ever reaches
:math:`1/\delta` with probability at most :math:`\delta`.

**The rule.** Answer i only where :math:`W_T \ge 1/\delta` for *every* truth T under which i is
wrong, with the j of each. W names no answer, so that there is no union over answers; for the
truth itself j has to be fixed by T alone, and is: the first arm with the largest :math:`W_j`. If i
is wrong, :math:`|W_j| + |N_i| \ge K` holds for this j, too, and it is not i.

**The least W by sorts.** With :math:`m_{ab} = \min(Q'_{ab}, Q'_{ba}, 1)`, where the 1 counts for a
positive margin only, and pairs without j,

.. math:: \ln W_T \ge \sum_{\{a, b\} \not\ni j} \ln m_{ab}
          + \sum_{k \in N_i \setminus j} (\ln Q'_{ik} - \ln m_{ik}) + \sum_{k \in W_j} \ln F'_{kj} .

All terms of the second sum are at least 0, so that the least has no more arms in :math:`N_i` than
it must, :math:`K - |W_j|`. Of the third, the sets with the smallest :math:`F'` are the least, at
each size. For each j
and level l there are two cases, those of :mod:`cpe_opt.proofs.dueling.copeland`: i is in
:math:`W_j` with K - 2 - l others, and :math:`N_i` has j and l others; or it is not, :math:`W_j`
has K - 1 - l others, and :math:`N_i` has l + 1 others. Held arms are not in :math:`N_i`, so that
where j is one, :math:`N_i` has l + 1 others in the first case, too. A larger
:math:`W_j` asks for fewer arms in :math:`N_i`, and is another level. As the sizes of the two sets
add up to the same number at every level of a case, the least of all levels takes the smallest of
the terms of both sets together, and halving finds how many of them are of :math:`W_j`, for all j at
once.

**Several questions at once.** Let :math:`y_1, y_2, \dots` be the answers in the order in which
their questions were chosen, and :math:`\mathcal F_t` what is known of the first t of them. All that
the claim needs is that pair, target and stake of :math:`y_t` are fixed by
:math:`\mathcal F_{t-1}`, that :math:`y_t` given :math:`\mathcal F_{t-1}` has a mean of at most m
under the null, and that the proof is looked for by :math:`\mathcal F_t` alone. Where p questions
are open at once, the pair of :math:`y_t` is fixed by :math:`\mathcal F_{t-p}`, which is less; its
stake and its target are those by :math:`\mathcal F_{t-1}`, or by less, when its turn comes, of
which the question knew nothing and need not. So it does not matter when, and in which order,
answers *come*, as long as they are *used* in this order, none is left out for what it says, and the
clock has no say in what is asked or bet. The mean is that of the theorem, because a coin does not
depend on others that are thrown meanwhile, and because the order of a pair's cells is drawn before
all answers. Answers used as they come would be another matter: where a judge takes longer for close
cases, the first of several to arrive is no fair draw from the cells that are left.

Where questions are asked in *rounds*, all of a round are open at once, and p changes from round to
round. If a round begins after s answers, its size and all its pairs are fixed by
:math:`\mathcal F_s`, and each of its answers has :math:`t > s`: again less than
:math:`\mathcal F_{t-1}`. Stakes and targets are those by :math:`\mathcal F_{t-1}`, and the proof is
looked for after each answer of a round, in the order of asking. Answers of the round that come
after the proof are not used.

**Bets on several answers at once.** Where n answers of a pair are told by their sum y alone, a bet
on them is a mixture, with weights fixed before, of stakes that are the same on each:
:math:`\sum_g w_g (p_g/c)^y ((1 - p_g)/(1 - c))^{n - y}` for some :math:`p_g > c`, if they are
coins. Each of its terms is a product of fair bets or losing ones. It is what bets one by one would
make that learn from each other by Bayes' rule, so that large batches lose nothing of what a bet
learns.

**Votes from before** have no order. Their e-values (:mod:`cpe_opt.proofs.dueling.e_values`) are a
stake that F begins with, and Q begins with 1. Votes matter more to the W of
:mod:`cpe_opt.proofs.dueling.copeland`, that of all votes and duels by their counts. Both are
supermartingales under T that start at 1, and so is their mean, whose least is no less than the mean
of both least.

The floor makes a bet that was lost on a lead that turned round cost a factor of h at worst.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import prefix_sums, sums_without
from cpe_opt.proofs.dueling.copeland import WeakestTruth
from cpe_opt.ties import just_below

_FLOOR = 0.15
_ROUNDING = 1e-9
_GRID = 2.0**-24
REFUTED = 2.0**16
"""ln of the e-value of a null that is refuted for certain."""


def missing_wins(cells: FloatArray, total: FloatArray, null: float) -> FloatArray:
    """How much is missing until what an arm got is what the null allows it over all cells.

    ``cells`` are infinite for coins, ``total`` is the sum of the answers, ``null`` is c. Below 0
    where the null is refuted, at most 0 where the relation is held; rounding is put to 0.
    """
    missing = cells * null - total
    close = np.abs(missing) <= _ROUNDING * np.where(np.isfinite(cells), cells, 0.0)
    return np.where(close, 0.0, missing)


def null_mean(cells: FloatArray, asked: FloatArray, total: FloatArray, null: float) -> FloatArray:
    """The most that a null allows for the mean of the next answer; infinite where all are asked.

    ``asked`` is how many of the cells are answered; the others as for :func:`missing_wins`.
    """
    finite = np.isfinite(cells)
    left = np.where(finite, cells, 1.0) - np.where(finite, asked, 0.0)
    missing = np.where(finite, missing_wins(cells, total, null), null)
    mean = np.full(left.shape, math.inf)
    np.divide(missing, left, out=mean, where=left > 0.0)
    return mean


class PredictableBets:
    """ln F and ln Q of every ordered pair, multiples of 2^-24: sums are the same everywhere.

    F begins with ``before``, ln of the e-values of the nulls by votes from before. ``held`` is
    where it is certain that the column's arm is not ahead of the row's beyond the margin,
    ``target`` the arm whose bets count in Q, from the next bet on; -1 for none.
    """

    def __init__(self, arms: int, margin: float = 0.0, before: FloatArray | None = None) -> None:
        self.margin = margin
        self.log_f = np.zeros((arms, arms)) if before is None else before.copy()
        self.log_q = np.zeros((arms, arms))
        self._f, self._q = _Floored(self.log_q), _Floored(self.log_q)
        self._columns = AscendingColumns(self.log_q)  # of ln F'
        self.held: BoolArray = np.zeros((arms, arms), dtype=np.bool_)
        self.target = -1
        # by how much the evidence of an answer may have grown since somebody has put it to 0: each
        # truth has one factor of a pair, and what is certain may forbid a truth
        self.grown = 0.0

    def add(self, i: int, j: int, log_factor: float, of_target: float | None = None) -> None:
        """Multiply the stake on i against j by a factor; minus infinity is a stake that is lost.

        In Q, if i is the target, by ``of_target`` where that is another bet of the pair.
        """
        of_target = log_factor if of_target is None else of_target
        self.log_f[i, j] = _bounded(self.log_f.item(i, j) + _gained(log_factor))
        if i == self.target:
            self.log_q[i, j] = _bounded(self.log_q.item(i, j) + _gained(of_target))
        self.grown += max(0.0, log_factor, of_target) + 4.0 * _GRID  # for the floor's rounding

    def certain(self, i: int, j: int, refuted: bool) -> None:
        """Arm j is not ahead of i; ``refuted``: the null of i against j is false."""
        self.held[i, j], self.grown = True, math.inf
        if refuted:
            self.log_f[i, j] = self.log_q[i, j] = REFUTED

    def weakest_truth(self, answer: int) -> WeakestTruth:
        """The truth under which an answer is wrong and that the answers speak against the least."""
        q = self._q.follow(self.log_q)
        least = np.minimum(q, q.T)
        if self.margin > 0.0:
            least = np.minimum(least, 0.0)
        np.fill_diagonal(least, 0.0)
        least_of = least.sum(axis=1)
        without = least_of.sum() / 2.0 - least_of
        self._columns.follow(self._f.follow(self.log_f))
        return weakest_sets(
            self._columns, q[answer] - least[answer], without, answer, self.held[answer]
        )


def mean_of_proofs(by_bets: WeakestTruth, by_counts: WeakestTruth) -> WeakestTruth:
    """By the mean of two W: the weakest truth of that which proves more."""
    more = by_bets if by_bets.evidence >= by_counts.evidence else by_counts
    both = np.logaddexp(by_bets.evidence, by_counts.evidence) - math.log(2.0)
    return replace(more, evidence=float(just_below(both)))


class AscendingColumns:
    """The columns of a matrix in ascending order without their diagonal, kept as entries change.

    Entries are on a grid, so that equal ones are equal on every machine; the first comes first. Of
    column j, a row here, ``order`` has the rows of its entries in order, ``place`` the place of
    each of them, ``ranked`` its entries in order, ``sums`` those of the first 0, 1, ..., K - 1.
    """

    def __init__(self, values: FloatArray) -> None:
        arms = len(values)
        self.values = np.full((arms, arms), math.nan)
        self.order: IntArray = np.zeros((arms, arms - 1), dtype=np.int64)
        self.place: IntArray = np.zeros((arms, arms), dtype=np.int64)
        self.ranked, self.sums = np.zeros((arms, arms - 1)), np.zeros((arms, arms))
        self.follow(values)

    def follow(self, values: FloatArray) -> None:
        """Take over a matrix; columns that are as before are not sorted again."""
        moved = np.flatnonzero((values != self.values).any(axis=0))
        rows = values.T[moved]
        rows[np.arange(len(moved)), moved] = math.inf
        order = np.argsort(rows, axis=1, kind="stable")
        self.values[:, moved], self.order[moved] = values[:, moved], order[:, :-1]
        self.place[moved] = np.argsort(order, axis=1, kind="stable")
        self.ranked[moved] = np.take_along_axis(rows, order[:, :-1], axis=1)
        self.sums[moved] = prefix_sums(self.ranked[moved])


def weakest_sets(
    columns: AscendingColumns,
    own: FloatArray,
    without: FloatArray,
    answer: int,
    held: BoolArray,
) -> WeakestTruth:
    r"""The least of ``without[j] + own[N_i minus j] + log_f[W_j, j]`` over j, W_j and N_i.

    ``columns`` are of ``log_f``; ``own``, at least 0, of the arms in :math:`N_i`, without those
    that are ``held``; the truth's ``unbeaten`` are :math:`W_j`, ``beating`` :math:`N_i` without j.
    Of a challenger j and a number of both sets together, the least are the smallest of the entries
    of both. How many of them are of :math:`W_j` is found by halving, for all j at once.
    """
    arms, most = len(own), len(own) - 2
    challenger = np.arange(arms)
    of_answer, answer_place = columns.values[answer], columns.place[:, answer]
    costs = np.where(held, REFUTED, own)
    costs[answer] = math.inf
    by_cost = np.argsort(costs, kind="stable")
    place = np.empty_like(by_cost)
    place[by_cost] = challenger
    ranked = costs[by_cost]
    sums = np.concatenate([[0.0], np.cumsum(ranked[:-1])])

    # The two cases, first that the answer is in W_j: how many of both sets there are besides it.
    total = np.stack([most + held, np.full(arms, arms)])
    too_many = total > 2 * most
    total = np.minimum(total, 2 * most)
    least = np.maximum(0, total - most)
    low, high = least, np.full_like(least, most)
    for _ in range(most.bit_length()):
        size = (low + high + 1) // 2
        last, next_other = np.maximum(size - 1, 0), total - size
        ahead = columns.ranked[challenger, last + (last >= answer_place)]
        ahead_of = ahead <= ranked[next_other + (next_other >= place)]
        ahead_of |= size <= least
        low, high = np.where(ahead_of, size, low), np.where(ahead_of, high, size - 1)
    number = total - low  # of N_i without j
    row = arms * challenger
    found = sums_without(columns.sums, row + low, row + answer_place, of_answer)
    found += sums_without(sums, number, place, costs)
    found += without
    found[0] += of_answer
    found[too_many] = math.inf
    found[:, answer] = math.inf

    j, case = divmod(int(found.T.argmin()), 2)
    order = columns.order[j]
    unbeaten = order[order != answer][: low[case, j]].tolist()
    beating = by_cost[by_cost != j][: number[case, j]].tolist()
    evidence = float(found[case, j])
    return WeakestTruth(evidence, j, unbeaten if case else [*unbeaten, answer], beating)


def _gained(log_factor: float) -> float:
    """Rounded down."""
    return float(just_below(max(log_factor, -REFUTED), _GRID)) if log_factor else 0.0


def _bounded(log_e: float) -> float:
    return min(REFUTED, max(-REFUTED, log_e))


class _Floored:
    """Logarithms with their floor, kept as entries change: few do with an answer."""

    def __init__(self, log_e: FloatArray) -> None:
        self._of, self._floored = log_e.copy(), floored(log_e)

    def follow(self, log_e: FloatArray) -> FloatArray:
        """Those of a matrix, until the next call."""
        moved = np.flatnonzero(log_e != self._of)
        self._of.flat[moved] = log_e.flat[moved]
        self._floored.flat[moved] = floored(log_e.flat[moved])
        return self._floored


def floored(log_e: FloatArray) -> FloatArray:
    """``ln(h + (1 - h) E)``, rounded down; 0 where nothing was bet."""
    log = just_below(np.logaddexp(math.log(_FLOOR), math.log1p(-_FLOOR) + log_e), _GRID)
    return np.where(log_e == 0.0, 0.0, log)

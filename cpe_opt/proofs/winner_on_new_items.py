r"""What a session over the items of a test set proves of new items: that nothing is ahead there.

**Setting.** The items and new ones are drawn independently from one source, each with all answers
that it would get: of every pair of arms in either order, or the score of every arm. The order in
which cells are asked is drawn by the session, independently of the items. Of an ordered pair (i, j)
let :math:`d \in [-1, 1]` be what i gets on an item less what j gets, the difference of two scores,
or :math:`2y - 1` of an answer y to a duel, and :math:`\Delta_{ij} = E\,d` its mean on a new item,
in which both orders count alike.

**One outcome an item.** A pair meets the items one after the other, along its own order or that of
all arms. Its t-th outcome :math:`d_t` is

- of scores, the difference at the t-th item;
- of duels that are asked once an item, in an order that is drawn, what the answer says;
- of duels whose orders are two cells, the first cell of an item that comes, which is equally likely
  to be either order. The second one depends on the first and is not looked at.

The order of cells says nothing of the items. So :math:`d_1, d_2, \dots, d_n` are independent draws
with the mean :math:`\Delta_{ij}`, whatever depends on what within an item.

**One pair.** With stakes s and weights w that are fixed beforehand,

.. math:: E_{ij}(c, t) = \sum_s w_s \prod_{u \le t} \Bigl(1 - s + s\,\frac{1 + d_u}{1 + c}\Bigr)

is a function of the first t outcomes, and if :math:`\Delta_{ij} \le c`, a supermartingale in t that
starts at 1 (:mod:`cpe_opt.proofs.subsets.new_items`). By Ville's inequality
:math:`S_{ij}(c) = \sup_{t \le n} E_{ij}(c, t)` is at least z with probability at most 1/z.

**Who is asked next** depends on all answers so far, of other pairs on the *same* items, too, and on
hints. Given these, the next outcome of a pair is no draw with the mean :math:`\Delta_{ij}` any
more, and how many outcomes one has of it, T, is no stopping time: where two pairs always get the
same answers, whoever asks one of them to its end knows what is left of the other, and may stop it
at its best. So of several pairs no product of their :math:`E(c, T)`, and no mean, is an e-value.
What holds is :math:`E_{ij}(c, T) \le S_{ij}(c)`, whatever decides T. Statements rest on the
:math:`S_{ij}` alone, pair by pair, by a union; the largest E so far counts. A stake that knew an
answer of another pair on the same item would break it, too: it knows something of the item.

A cell that nobody answers counts as :math:`d = -1` in both directions. E grows in each d, so that
it is at most what it would be with the answer, at every t.

**The statements**, about an answer A of k of K arms, however it was found. With a margin
:math:`m \ge 0` of :math:`\Delta`,

- *proved*, at :math:`\delta_1 = \frac45 \delta`: nothing outside of A is ahead of an arm a in A by
  more than m, once :math:`S_{aj}(-m) \ge N/\delta_1` for all a in A and j outside of A, where
  :math:`N = \max(K, k (K - k))`;
- *refuted*, at :math:`\delta_2 = \frac15 \delta`: j is ahead of a by more than m, once
  :math:`S_{ja}(m) \ge K(K-1)/\delta_2` for some a in A and j outside of A.

**Theorem.** With probability at least :math:`1 - \delta` none of them is ever false, of any A.

*Proof.* A false second one is about one of the K(K - 1) ordered pairs, with
:math:`\Delta_{ja} \le m`. Of the first one let k = 1, and for every arm a that something is ahead
of by more than m let j(a) be the first such arm. It is fixed by the source alone, as
:math:`\Delta_{a\,j(a)} < -m` is, and a false statement about a needs
:math:`S_{a\,j(a)}(-m) \ge K/\delta_1`, for one of at most K pairs. For k > 1, where
:math:`\Delta_{ij} = \theta_i - \theta_j`, let T be k arms with the largest means. If an arm outside
of A is ahead of one of A by more than m, then some a in A and not in T is as bad as any of A, and
some j in T and not in A as good as any outside (:mod:`cpe_opt.proofs.subsets.score_bets`). So
:math:`\Delta_{aj} < -m` for one of the k(K - k) pairs of an arm outside of T and one in it. ∎

What is assumed, and no answer shows, is that items are independent draws from the source of new
ones, whose answers do not depend on when they are asked; and that the arms were not made, or
chosen, by what they do on these items.

**Stakes** are those of tables of scores, with weights in proportion to them: a session ends early
where an arm wins nearly always, and there large stakes pay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.proofs.subsets.new_items import STAKES
from cpe_opt.ties import just_below

_PROVED, _REFUTED = 0.8, 0.2  # of delta
Differences: TypeAlias = Callable[[int, int], FloatArray]
"""Of an ordered pair: its outcomes d so far, in its own order; -1 where nobody answers."""


@dataclass(frozen=True)
class OnNewItems:
    """Whether it is proved of new items that nothing is ahead of an answer."""

    status: Literal["proved", "not yet", "refuted"]
    ahead: tuple[int, int] | None = None  # refuted: which arm is ahead, and of which of the answer


def on_new_items(
    differences: Differences,
    answer: Collection[int],
    arms: int,
    delta: float,
    margin: float = 0.0,
) -> OnNewItems:
    """What outcomes prove of new items at this delta, of an answer and a margin of Δ."""
    others = [arm for arm in range(arms) if arm not in answer]
    pairs = [(a, j) for a in answer for j in others]
    enough = math.log(arms * (arms - 1) / (_REFUTED * delta))
    for a, j in pairs:
        if largest_evidence(differences(j, a), margin) >= enough:
            return OnNewItems("refuted", (j, a))
    enough = math.log(max(arms, len(pairs)) / (_PROVED * delta))
    proved = bool(pairs) and all(
        largest_evidence(differences(a, j), -margin) >= enough for a, j in pairs
    )
    return OnNewItems("proved" if proved else "not yet")


def largest_evidence(outcomes: FloatArray, c: float) -> float:
    """The largest ``ln E(c, t)`` of so many outcomes, above -1, rounded down."""
    ratio = (1.0 + outcomes) / (1.0 + c)
    stakes = np.array(STAKES)[:, None]
    logs = np.log(stakes / stakes.sum()) + np.log1p(stakes * (ratio - 1.0)).cumsum(axis=1)
    log_e = np.logaddexp.reduce(logs, axis=0)
    return max(0.0, float(just_below(log_e).max(initial=0.0)))

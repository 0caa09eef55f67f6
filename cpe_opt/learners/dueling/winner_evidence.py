r"""The evidence of every empirical Copeland winner at once.

The evidence of a winner :math:`i_1` is the smallest left-hand side of its rows (equation (2) of
Komiyama, Honda, Nakagawa, ICML 2016; :mod:`cpe_opt.formulations.dueling.confusing_instances`) at
:math:`x_{ij} = \hat d_{ij} N_{ij}`. With :math:`G_i(n)` the sum of the n smallest x of the pairs
that arm i wins, :math:`S_i(n)` of those that it loses, and both infinite where there are fewer, the
families of a challenger :math:`i_2` and a level l hold at

.. math:: G_{i_1}(l + 1 - L_{i_1}) + S_{i_2}(\max(0, L_{i_2} - l)) , \qquad
          x_{i_1 i_2} + G_{i_1}(l - L_{i_1}) + S_{i_2}(\max(0, L_{i_2} - l - 1)) ,

the second where :math:`i_1` beats :math:`i_2`, and in both the pair :math:`\{i_1, i_2\}` left out
of the sums. To leave a pair with x = v out of the n smallest of a list is a correction of the rank:
where it is among them, :math:`S(n + 1) - v`, else :math:`S(n)`. So the lists are sorted once an
arm, whoever the winners are, and the evidence of all winners is a few operations on arrays of shape
(winners, K) a level.

Evidence is a minimum of sums in which a pair occurs at most once, so it grows by no more than the
pairs do: between two looks their gains bound it, and while that bound stays below ln t the rows
cannot hold and nothing is computed. Where a sign has changed and arms are many, the rows of the few
challengers with the fewest losses, which are asked to lose the least more, give a bound to begin
with.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.ties import ascending, first_smallest

_MARGIN = 1e-9
_FEW, _MANY = 4, 32


class WinnerEvidence:
    """The most evidence of an empirical winner, and that winner.

    Parameters
    ----------
    tournament : Tournament
    """

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._bound, self._exact = math.inf, False
        self._safest = 0

    def grown(self, gained: float, voided: bool) -> None:
        """Take note of a duel: by how much evidence grew, and whether a sign has changed."""
        self._exact = False
        self._bound = math.inf if voided else self._bound + max(0.0, gained)

    def reaches(self, log_t: float) -> bool:
        """Whether the rows of some winner hold: its evidence is at least ``log_t``."""
        if math.isinf(self._bound) and not self._exact and self._tournament.tally.arms > _MANY:
            self._tournament.settle()
            few = np.argsort(self._tournament.losses, kind="stable")[:_FEW]
            self._bound = float(evidence_of_winners(self._tournament, few).max())
        return self._bound >= log_t - _MARGIN and self.most >= log_t

    @property
    def most(self) -> float:
        """The most evidence of an empirical winner; inf where it has no rows."""
        self._refresh()
        return self._bound

    @property
    def safest(self) -> int:
        """The empirical winner with the most evidence."""
        self._refresh()
        return self._safest

    def _refresh(self) -> None:
        if self._exact:
            return
        self._tournament.settle()
        found = evidence_of_winners(self._tournament)
        best = first_smallest(-found)
        self._bound, self._safest = float(found[best]), self._tournament.winners[best]
        self._exact = True


def evidence_of_winners(tournament: Tournament, challengers: IntArray | None = None) -> FloatArray:
    """The smallest left-hand side over the rows of each winner.

    Parameters
    ----------
    tournament : Tournament
        Settled.
    challengers : int array, optional
        Only the rows of these; of all by default.

    Returns
    -------
    float array, shape (winners,)
        Infinite without rows.
    """
    first, winners = tournament.first, np.array(tournament.winners)
    if challengers is None:
        challengers = np.arange(len(tournament.losses))
    losses, evidence = tournament.losses[challengers], tournament.tally.evidence
    own = evidence[winners[:, None], challengers]
    wins = tournament.beaten.T[winners]
    beats = wins[:, challengers]
    heads, ranks = _ascending(evidence[winners], wins)
    head_ranks = ranks[:, challengers]
    tails, ranks = _ascending(evidence[challengers], tournament.beaten[challengers])
    tail_ranks = ranks[:, winners].T
    rows, columns = np.arange(len(winners))[:, None], np.arange(len(challengers))

    def head(number: int) -> FloatArray:
        """The winner's smallest pairs, that with the challenger apart; (winners, challengers)."""
        inside = head_ranks < number
        size = np.minimum(number + inside, heads.shape[1] - 1)
        return np.asarray(heads[rows, size] - inside * own)

    def tail(level: int) -> FloatArray:
        """The challengers' smallest pairs, that with the winner apart; (winners, challengers)."""
        number = np.maximum(0, losses - level)
        inside = tail_ranks < number
        size = np.minimum(number + inside, tails.shape[1] - 1)
        return np.asarray(tails[columns, size] - inside * own)

    least = np.full(own.shape, math.inf)
    for level in range(max(0, first - 1), tournament.second + 1):
        taken = level + 1 - first
        np.minimum(least, head(taken) + tail(level), out=least)
        if taken >= 1:
            case = own + head(taken - 1) + tail(level + 1)
            np.minimum(least, case, out=least, where=beats)
    least[winners[:, None] == challengers] = math.inf
    return np.asarray(least.min(axis=1))


def _ascending(x: FloatArray, members: BoolArray) -> tuple[FloatArray, IntArray]:
    """Sums of the n smallest members of each row, and the rank of each member.

    Returns
    -------
    sums : float array, shape (R, M + 2)
        For n from 0 to M + 1, M the most members of a row; inf beyond a row's own.
    ranks : int array, shape (R, K)
        From 0; at least M for what is no member.
    """
    rows, arms = x.shape
    most = int(members.sum(axis=1).max(initial=0))
    values = np.where(members, x, math.inf)
    order = ascending(values)
    index = np.arange(rows)[:, None]
    sums = np.full((rows, most + 2), math.inf)
    sums[:, 0] = 0.0
    np.cumsum(values[index, order[:, :most]], axis=1, out=sums[:, 1 : most + 1])
    ranks = np.empty_like(order)
    ranks[index, order] = np.arange(arms)
    return sums, np.where(members, ranks, arms)

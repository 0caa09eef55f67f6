r"""Empirical divergences of arms, kept up to date duel by duel.

With :math:`N_{ij}` duels of a pair, its margin :math:`m_{ij}`, the wins of i less those of j, and
:math:`\hat\mu_{ij} = \frac12 (1 + m_{ij} / N_{ij})`, the arms that may beat i and its empirical
divergence are

.. math:: \hat O_i = \{j \ne i : m_{ij} \le 0\} , \qquad
          I_i = \sum_{j \in \hat O_i} N_{ij} \, d_{KL}(\hat\mu_{ij}, \tfrac12) ,

and :math:`i^*` is the first arm with the least of them.

A duel changes one term of a sum, or two. Terms are rounded to multiples of :math:`2^{-40}` (those
above :math:`2^{11}`, to 53 bits), so sums and differences of them below :math:`2^{13}` are exact:
arms with the same record have the same divergence, in whatever order it came about. A larger sum is
rounded once a duel, by :math:`2^{-53}` of it, alike on every machine, as it is made by additions of
rounded terms alone.
"""

from __future__ import annotations

import math

from cpe_opt.learners.dueling.duel_counts import bernoulli_divergence

_COARSE = 1.5 * 2.0**12  # a number next to it is a multiple of 2^-40


class Divergences:
    """Duels of K arms, and what they say against each.

    Attributes
    ----------
    draws : (K, K) list of lists of int
        N_ij.
    margins : (K, K) list of lists of int
        m_ij; 1 on the diagonal, as no arm is its own superior.
    estimates : (K, K) list of lists of float
        The fraction of duels that i won against j; infinite on the diagonal.
    superiors : list of int
        How many arms are in O_i.
    values : list of float
        I_i.
    best : int
        i*.
    """

    def __init__(self, arms: int) -> None:
        everyone = range(arms)
        self.draws = [[0] * arms for _ in everyone]
        self.margins = [[int(i == j) for j in everyone] for i in everyone]
        self.estimates = [[math.inf if i == j else 0.5 for j in everyone] for i in everyone]
        self.superiors = [arms - 1] * arms
        self.values = [0.0] * arms
        self.best = 0
        self._terms = [[0.0] * arms for _ in everyone]

    def count(self, i: int, j: int, won: int, times: int = 1) -> None:
        """Count duels of two different arms, of which i won ``won``."""
        of_i, of_j = self.margins[i], self.margins[j]
        before = of_i[j]
        of_i[j] = margin = before + 2 * won - times
        of_j[i] = -margin
        self.draws[i][j] = self.draws[j][i] = draws = self.draws[i][j] + times
        self.estimates[i][j] = (draws + margin) / (2 * draws)
        self.estimates[j][i] = (draws - margin) / (2 * draws)
        loser, winner = (i, j) if margin < 0 else (j, i)
        terms, values = self._terms[loser], self.values
        term = pair_divergence(draws, margin)
        values[loser] = value = values[loser] + (term - terms[winner])
        terms[winner] = term
        if margin * before <= 0:
            self._change_sides(winner, loser, abs(margin), before if winner == i else -before)
        elif loser == self.best or value <= values[self.best]:
            self.best = values.index(min(values))

    def if_lost(self, arm: int, duels: int) -> float:
        """I of an arm that i* leads against, should it lose so many duels more against i*."""
        best = self.best
        draws, margin = self.draws[arm][best], self.margins[arm][best]
        term = pair_divergence(draws + duels, margin - duels)
        return self.values[arm] - self._terms[arm][best] + term

    def _change_sides(self, winner: int, loser: int, lead: int, before: int) -> None:
        """Take note that the margin of a pair has left, reached or passed 0."""
        terms, values = self._terms[winner], self.values
        if terms[loser]:
            terms[loser] = 0.0
            values[winner] = math.fsum(terms)
        self.superiors[winner] += (lead <= 0) - (before <= 0)
        self.superiors[loser] += (lead >= 0) - (before >= 0)
        self.best = values.index(min(values))


def pair_divergence(draws: int, margin: int) -> float:
    r"""``draws`` times :math:`d_{KL}(\hat\mu, \frac12)`, in nats, as a multiple of 2^-40."""
    return draws * bernoulli_divergence(margin / draws) + _COARSE - _COARSE

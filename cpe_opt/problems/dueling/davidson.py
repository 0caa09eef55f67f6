r"""Bradley and Terry's model with ties, fitted to votes of arms that votes connect.

In Davidson's model arm i has a strength :math:`\theta_i`, and of the duels of i and j

.. math:: P(i) : P(\text{tie}) : P(j) =
          e^{(\theta_i - \theta_j)/2} : \nu : e^{(\theta_j - \theta_i)/2} .

Without ties it is Bradley and Terry's, :math:`P(i) = 1/(1 + e^{\theta_j - \theta_i})`. The
log-likelihood is concave in :math:`\theta` and :math:`\ln \nu`, and its largest value is found by
Newton's method.

**Where the likelihood has a largest value.** Let i -> j where i won a vote against j, and both ways
where one was tied. Without ties the largest likelihood is attained, and by one set of strengths up
to a constant, if and only if each arm is reached from each (Ford). With ties it is attained if, in
addition, some pair was won by both of its arms: that bounds :math:`\nu` from above, ties bound it
from below, and finite odds along the arrows bound the strengths. Otherwise there is a *weak prior*:
half a win and half a loss of each arm against one of strength 0, and, where there are ties, half a
tie and half a decided vote of two equal arms. It keeps the strength of an arm finite that won or
lost everything; :attr:`DavidsonFit.prior` says that it was needed.

**Groups.** Strengths are differences, and votes say nothing of the difference of two arms between
which no chain of pairs that met leads (:func:`met_groups`): a fit is for arms that are connected.

*Numbers of any size.* With :math:`u, t, v` the probabilities that i wins, of a tie, and that j
wins, the parts of the gradient and of the negative second derivatives that belong to the pair are
computed as

.. math:: \tfrac12\bigl(w_{ij}(2v + t) - w_{ji}(2u + t) - T_{ij}(u - v)\bigr), \qquad
          N_{ij}\bigl(uv + \tfrac14(u + v)t\bigr) ,

in which no digits are lost where a probability is near 1; and the equations of a step, whose matrix
is that of a graph, are solved by an elimination that subtracts nothing (Grassmann, Taksar, Heyman).

Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison
Experiments", JASA 1970. Ford, "Solution of a Ranking Problem from Binary Comparisons", American
Mathematical Monthly 1957. Grassmann, Taksar, Heyman, "Regenerative Analysis and Steady State
Distributions for Markov Chains", Operations Research 1985.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from cpe_opt.arrays import BoolArray, FloatArray, IntArray

_STEPS, _ACCURATE = 1000, 1e-7  # of steps
_RIDGE = 1e-9
_LARGEST_STEP = 2.0
_AT_ONCE = 32  # arms
_LEAST = 1e-200
_PRIOR = 0.5  # votes each way


@dataclass(frozen=True, eq=False)
class DavidsonFit:
    """The model whose likelihood is largest."""

    strengths: FloatArray  # log-odds, with the mean 0; shape (K,)
    ties: float  # nu: 0 where no vote is a tie
    inverse: FloatArray  # of the negative second derivatives: strengths, then ln nu if there is one
    wins: FloatArray  # [i, j]: the probability that i beats j; shape (K, K)
    tie: FloatArray  # the probability of a tie; shape (K, K)
    prior: bool  # whether a weak prior was needed

    def of(self, order: IntArray) -> DavidsonFit:
        """The same with the arms in another order."""
        rows = np.append(order, np.arange(len(order), len(self.inverse)))
        return DavidsonFit(
            self.strengths[order],
            self.ties,
            self.inverse[np.ix_(rows, rows)],
            self.wins[np.ix_(order, order)],
            self.tie[np.ix_(order, order)],
            self.prior,
        )


def davidson_fit(won: FloatArray, tied: FloatArray) -> DavidsonFit:
    """Fit the model to wins without ties, and ties, of arms that votes connect; shapes (K, K)."""
    with_ties, prior = bool(tied.any()), not attained(won, tied).all()
    model = _Likelihood(won, tied, _PRIOR if prior else 0.0)
    theta, eta = np.zeros(len(won)), 0.0 if with_ties else -np.inf
    for _ in range(_STEPS):
        step = model.newton(theta, eta, model.gradient(theta, eta)[:, None])[:, 0]
        theta, eta, length = model.moved(theta, eta, step)
        if length < _ACCURATE:
            break
    inverse = model.newton(theta, eta, np.eye(model.size))
    wins, tie = model.shares(theta, eta)
    return DavidsonFit(theta - theta.mean(), float(np.exp(eta)), inverse, wins, tie, prior)


def attained(won: FloatArray, tied: FloatArray) -> BoolArray:
    """The largest set of arms whose votes have a largest likelihood, or none; of several one."""
    part = connected_components(won + tied > 0.0, connection="strong")[1]
    core = part == part[np.argmax(np.bincount(part)[part])]
    both = (won > 0.0) & (won.T > 0.0) & np.outer(core, core)
    known = core.sum() > 1 and (both.any() or not tied.any())
    return np.asarray(core & known)


def met_groups(met: FloatArray) -> list[IntArray]:
    """The arms of each group that votes connect, the largest first."""
    number, group = connected_components(met > 0.0, directed=False)
    members = [np.flatnonzero(group == each) for each in range(number)]
    return sorted((each for each in members if len(each) > 1), key=len, reverse=True)


class _Likelihood:
    """The concave log-likelihood of the strengths and, where there are ties, of eta = ln nu."""

    def __init__(self, won: FloatArray, tied: FloatArray, prior: float) -> None:
        self.won, self.number, self.tied, self.prior = won, won + won.T + tied, tied, prior
        self.with_ties = bool(tied.any())
        self.size = len(won) + self.with_ties

    def moved(
        self, theta: FloatArray, eta: float, step: FloatArray
    ) -> tuple[FloatArray, float, float]:
        """The point after a step that changes no odds by too much, and how long it is."""
        arms = len(theta)
        longest = np.abs(step[0 if self.prior else arms :]).max(initial=_ACCURATE)
        met = np.abs(step[:arms, None] - step[:arms])[self.number > 0.0]
        step = step * min(1.0, _LARGEST_STEP / float(max(longest, met.max() / 2.0)))
        eta = eta + float(step[arms]) if self.with_ties else eta
        return theta + step[:arms], eta, float(np.abs(step).max())

    def gradient(self, theta: FloatArray, eta: float) -> FloatArray:
        wins, ties = self.shares(theta, eta)
        surprise = self.won * (2.0 * wins.T + ties)
        of_pairs = (surprise - surprise.T - self.tied * (wins - wins.T)) / 2.0
        of_arms = of_pairs.sum(axis=1) + self.prior * (1.0 - 2.0 * expit(theta))
        of_ties = self.tied * (wins + wins.T) - (self.won + self.won.T) * ties
        of_eta = np.triu(of_ties, 1).sum() + self.prior * (1.0 - 2.0 * ties[0, 0])
        return np.asarray(np.append(of_arms, of_eta)[: self.size], np.float64)

    def newton(self, theta: FloatArray, eta: float, sides: FloatArray) -> FloatArray:
        """The inverse of the negative second derivatives, times some columns.

        Without a prior that inverse exists up to a constant: the first arm's strength is kept.
        """
        wins, ties = self.shares(theta, eta)
        decided, number, arms = wins + wins.T, self.number, len(theta)
        spread = number * (wins * wins.T + decided * ties / 4.0)
        own = 2.0 * self.prior * expit(theta) * expit(-theta)

        def solved(columns: FloatArray) -> FloatArray:
            if self.prior:
                return _solved(spread, own + _LEAST, columns)
            rest = _solved(spread[1:, 1:], spread[1:, 0] + _LEAST, columns[1:])
            return np.vstack([np.zeros_like(columns[:1]), rest])

        if not self.with_ties:
            return solved(sides)
        both = -(number * (wins - wins.T) * ties).sum(axis=1) / 2.0
        solution = solved(np.column_stack([sides[:arms], both]))
        solution, of_both = solution[:, :-1], solution[:, -1]
        even = 2.0 * self.prior * ties[0, 0] * (1.0 - ties[0, 0])
        curvature = np.triu(number * ties * decided, 1).sum() + even + _RIDGE
        rest = max(curvature - both @ of_both, _RIDGE * curvature)
        last = (sides[arms] - both @ solution) / rest
        return np.vstack([solution - of_both[:, None] * last, last])

    def shares(self, theta: FloatArray, eta: float) -> tuple[FloatArray, FloatArray]:
        """The probabilities that the row's arm wins, and of a tie."""
        half = (theta[:, None] - theta) / 2.0
        most = np.maximum(np.abs(half), eta)
        wins, ties = np.exp(half - most), np.exp(eta - most)
        total = wins + wins.T + ties
        return wins / total, ties / total


def _solved(edges: FloatArray, rest: FloatArray, sides: FloatArray) -> FloatArray:
    """The x of ``(diag(edges.sum(axis=1) + rest) - edges) x = sides``, without a subtraction.

    All numbers of the matrix are 0 or more, and ``rest`` is positive; one arm after another is
    eliminated. Of many arms the second half is at once: with the edges C to the first half and
    S of its own equations, the first has ``edges + C S^-1 C'``, and so on, sums all of them.
    """
    if len(rest) > _AT_ONCE:
        half = len(rest) // 2
        across = edges[half:, :half]
        right = np.column_stack([across, rest[half:], sides[half:]])
        last = _solved(edges[half:, half:], rest[half:] + across.sum(axis=1), right)
        moved = across.T @ last
        near, right = edges[:half, :half] + moved[:, :half], sides[:half] + moved[:, half + 1 :]
        first = _solved(near, rest[:half] + moved[:, half], right)
        return np.vstack([first, last[:, half + 1 :] + last[:, :half] @ first])
    edges, rest, found = edges.copy(), rest.copy(), sides.copy()
    totals = np.empty(len(rest))
    for arm in reversed(range(len(rest))):
        near = edges[arm, :arm]
        totals[arm] = near.sum() + rest[arm]
        share = near / totals[arm]
        edges[:arm, :arm] += np.outer(share, near)
        rest[:arm] += share * rest[arm]
        found[:arm] += np.outer(share, found[arm])
    for arm, total in enumerate(totals.tolist()):
        found[arm] = (found[arm] + edges[arm, :arm] @ found[:arm]) / total
    return found

r"""The characteristic time of a Condorcet winner, where it is known that there is one.

An algorithm that may rely on a Condorcet winner has less to tell apart than one that looks for a
Copeland winner: the only instances in which its answer i is wrong are those where some arm j beats
all others. From :math:`\mu` they come about by flipping the pairs of j with its superiors
:math:`O_j = \{k : \mu_{jk} < \frac12\}`, all of them; its ties follow at no cost, and i is one of
:math:`O_j`. With :math:`d_{jk} = d_{KL}(\mu_{jk}, \frac12)` and the price :math:`\pi_{jk}` of a
duel

.. math:: T^* = \min_{q \ge 0} \sum_{j<k} \pi_{jk} q_{jk} \quad\text{s.t.}\quad
          \sum_{k \in O_j} d_{jk} q_{jk} \ge 1 \quad \forall j \ne i .

A pair {j, k} is in the row of its loser alone, so that the rows have no column in common and

.. math:: T^* = \sum_{j \ne i} \min_{k \in O_j} \pi_{jk} / d_{jk} :

every arm but the winner is shown to lose to one other, the one by which that costs least. The
program has columns ``x_j_k``, the evidence :math:`x_{jk} = d_{jk} q_{jk}` at the cost
:math:`\pi_{jk}/d_{jk}`, and a row ``loses_j`` for each j.

There is one right answer, so :math:`T^*\, \mathrm{kl}(\delta, 1-\delta)` is at most the mean cost
of every algorithm that names a wrong arm with probability at most :math:`\delta` wherever there is
a Condorcet winner, at every :math:`\delta < \frac12` (Garivier and Kaufmann, COLT 2016). It is
never more than the time of a Copeland winner.

**With a margin** :math:`\varepsilon`, the answer i is wrong if some j beats all others, and i by
more than the margin (:mod:`cpe_opt.proofs.dueling.condorcet`). An arm is a right answer if the
Condorcet winner beats it by at most the margin, or is it. In the row of j the pair with i counts
from :math:`\frac12 - \varepsilon` on, and the others from ½ on,

.. math:: d_{ij} = d_{KL}(\mu_{ij}, \tfrac12 - \varepsilon)
          \text{ where } \mu_{ij} > \tfrac12 - \varepsilon, \qquad
          d_{kj} = d_{KL}(\mu_{kj}, \tfrac12) \text{ where } \mu_{kj} > \tfrac12 .

The pair {i, j} is in the row of j alone, and one of two others j, k has no evidence against the
other one: the rows have no column in common again, and :math:`T^*_i` is the sum of their least
costs. It is infinite where :math:`\mu_{ij} = \frac12 - \varepsilon` for the winner j.
:math:`T^*` is the least over all right answers. It may be more than that of a Copeland winner
within the same margin, a weaker claim: here an arm that beats the others by ever so little and i by
more than the margin makes i wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.best_winner import (
    asked_winners,
    endless_exploration,
    least_answer,
)
from cpe_opt.formulations.dueling.confusing_instances import null_evidence
from cpe_opt.formulations.dueling.copeland_time import CharacteristicTime
from cpe_opt.formulations.dueling.nested_columns import pair_keys
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, unit_costs
from cpe_opt.problems.pairs import checked_prices
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_largest, first_smallest
from cpe_opt.validation import Numbers, checked_types

Method: TypeAlias = Literal["closed", "linear"]


@checked_types
def condorcet_time_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    prices: Numbers | None = None,
    margin: float = 0.0,
    method: Literal["linear"] = "linear",
) -> LinearProgram:
    """The linear program of the characteristic time of the Condorcet winner.

    Parameters
    ----------
    preferences : PreferenceMatrix
        With a Condorcet winner.
    winner : int, optional
        It, or another right answer within the margin; the one of the least cost by default.
    prices : array_like, optional
        Of a duel of each pair, as for :func:`cpe_opt.copeland_time`.
    margin : float
        As for :func:`condorcet_time`.
    method : "linear"

    Raises
    ------
    InputError
        Without a Condorcet winner, on bad prices or a bad margin, or where ``winner`` is no right
        answer.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.condorcet_time_program(cpe.load_instance("mslr5-condorcet"))
    LinearProgram('condorcet_time', 10 columns, 4 rows, min)
    """
    answers = _right_answers(preferences, winner, margin)
    charged = checked_prices(prices, preferences)
    losses = [_Losses.of(preferences, charged, margin, answer) for answer in answers]
    return losses[first_smallest([each.least_cost for each in losses])].program()


@checked_types
@shows_progress("T* of the Condorcet winner")
def condorcet_time(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    prices: Numbers | None = None,
    margin: float = 0.0,
    method: Method = "closed",
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> CharacteristicTime:
    """T*: the cost per ln(1/δ) of identifying a Condorcet winner that is known to exist.

    ``time.duels(delta)`` is at most the mean cost of every algorithm that errs with probability at
    most δ on such matrices, of those that name the given ``winner`` with probability at least 1 - δ
    if one is given.

    Parameters
    ----------
    preferences : PreferenceMatrix
        With a Condorcet winner.
    winner : int, optional
        It, or another right answer within the margin; the best of all by default.
    prices : array_like, optional
        What a duel of each pair costs, as for :func:`cpe_opt.copeland_time`; 1 by default.
    margin : float
        From 0 to below ½: by how much the Condorcet winner may beat a right answer.
    method : "closed" or "linear"
        The closed form, or the program with a solver.
    progress : bool or callable, optional
        As for :func:`cpe_opt.copeland_bound`.
    **solving
        As for :func:`cpe_opt.solve`; the closed form takes none.

    Returns
    -------
    CharacteristicTime

    Raises
    ------
    InputError
        Without a Condorcet winner, on bad prices or a bad margin, or where ``winner`` is no right
        answer.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> round(cpe.condorcet_time(mu).value, 1), round(cpe.copeland_time(mu).value, 1)
    (8.2, 78.6)
    """
    answers = _right_answers(preferences, winner, margin)
    charged = checked_prices(prices, preferences)
    if method == "closed":
        refuse_unused(solving, "condorcet_time with method 'closed'", instead=("linear",))

    def time_of(answer: int) -> CharacteristicTime:
        losses = _Losses.of(preferences, charged, margin, answer)
        value, result = math.inf, None
        if math.isinf(losses.least_cost):
            at_margin = np.array([preferences.condorcet_winner])
            q = endless_exploration(answer, at_margin, preferences.arms)
        else:
            if method == "linear":
                result = solve(losses.program(), **solving)
            q = losses.exploration(result)
            value = float(np.triu(charged * q).sum())
        return CharacteristicTime(
            value=value,
            # The closed form is the optimum, so it bounds itself.
            bound=value if result is None or result.bound is None else result.bound,
            method=method,
            result=result,
            winner=answer,
            exploration=q,
            by_winner={},
        )

    return least_answer(time_of(answer) for answer in answers)


def _right_answers(
    preferences: PreferenceMatrix, winner: int | None, margin: float
) -> tuple[int, ...]:
    """The arms that the Condorcet winner does not beat by more than the margin."""
    if preferences.condorcet_winner is None:
        raise InputError(
            f"{preferences.name} has no Condorcet winner, and condorcet_time is for matrices with "
            "one; copeland_time takes any"
        )
    right = preferences.condorcet_winners_within(margin)
    return asked_winners(preferences, winner, right, "right answer", margin)


@dataclass(frozen=True, eq=False)
class _Losses:
    """What shows that an arm is no winner that beats the answer by more than the margin."""

    others: IntArray  # the arms that have to lose, all but the answer
    # (K, K); what it costs to show by arm k that arm j is none, `costs[j, k]`; infinite where k
    # does not show it, and for the answer
    costs: FloatArray
    evidence: FloatArray  # (K, K); what a duel shows of it, `evidence[j, k]`; 0 likewise

    @classmethod
    def of(
        cls, preferences: PreferenceMatrix, prices: FloatArray, margin: float, answer: int
    ) -> _Losses:
        """The losses that show that one answer is right."""
        evidence = np.where(preferences.array < 0.5, preferences.divergences, 0.0)
        if margin > 0.0:
            evidence[:, answer] = null_evidence(preferences.array, 0.5 - margin)[answer]
        evidence[answer] = 0.0
        costs = np.where(evidence > 0.0, unit_costs(prices, evidence), math.inf)
        return cls(np.delete(np.arange(len(costs)), answer), costs, evidence)

    @property
    def least_cost(self) -> float:
        """The sum of the least costs."""
        return math.fsum(self.costs[self.others].min(axis=1).tolist())

    def program(self) -> LinearProgram:
        """A row for every arm that has to lose."""
        builder = ProgramBuilder("condorcet_time")
        for j in self.others.tolist():
            able = np.flatnonzero(np.isfinite(self.costs[j]))
            x = builder.columns("x", pair_keys(j, able), cost=self.costs[j, able])
            builder.row(f"loses_{j}", x, lower=1.0)
        return builder.build()

    def exploration(self, result: SolveResult | None) -> FloatArray:
        """The duels at a point of the program, or those of the least cost; shape (K, K)."""
        x = np.zeros_like(self.costs)
        if result is None:
            x[self.others, first_largest(-self.costs)[self.others]] = 1.0
        elif result.x is None or result.bound is None:
            raise InputError("the solver left no point")
        else:
            x[np.isfinite(self.costs)] = np.maximum(result.x, 0.0)  # columns are pairs by losers
        q = unit_costs(x, self.evidence)
        return q + q.T

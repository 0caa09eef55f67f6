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
"""

from __future__ import annotations

import os
from typing import Literal, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.best_winner import unit_costs
from cpe_opt.formulations.dueling.characteristic_time import CharacteristicTime
from cpe_opt.formulations.dueling.nested_columns import pair_keys
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.prices import checked_prices
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_largest
from cpe_opt.validation import Numbers, checked_types

Method: TypeAlias = Literal["closed", "linear"]
METHODS: tuple[Method, ...] = ("closed", "linear")


@checked_types
def condorcet_time_program(
    preferences: PreferenceMatrix,
    *,
    prices: Numbers | str | os.PathLike[str] | None = None,
    method: Literal["linear"] = "linear",
) -> LinearProgram:
    """The linear program of the characteristic time of the Condorcet winner.

    Parameters
    ----------
    preferences : PreferenceMatrix
        With a Condorcet winner.
    prices : array_like or path, optional
        Of a duel of each pair, as for :func:`cpe_opt.copeland_time`.
    method : "linear"

    Raises
    ------
    InputError
        Without a Condorcet winner, or on bad prices.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.condorcet_time_program(cpe.load_instance("mslr5-condorcet"))
    LinearProgram('condorcet_time', 10 columns, 4 rows, min)
    """
    winner = _condorcet_winner(preferences)
    costs = unit_costs(checked_prices(prices, preferences), preferences.divergences)
    builder = ProgramBuilder("condorcet_time")
    for j in range(preferences.arms):
        if j != winner:
            superiors = np.flatnonzero(preferences.array[j] < 0.5)
            x = builder.columns("x", pair_keys(j, superiors), cost=costs[j, superiors])
            builder.row(f"loses_{j}", x, lower=1.0)
    return builder.build()


@checked_types
def condorcet_time(
    preferences: PreferenceMatrix,
    *,
    prices: Numbers | str | os.PathLike[str] | None = None,
    method: Method = "closed",
    **solving: Unpack[SolveOptions],
) -> CharacteristicTime:
    """T*: the cost per ln(1/δ) of identifying a Condorcet winner that is known to exist.

    ``time.duels(delta)`` is at most the mean cost of every algorithm that errs with probability at
    most δ on such matrices.

    Parameters
    ----------
    preferences : PreferenceMatrix
        With a Condorcet winner.
    prices : array_like or path, optional
        What a duel of each pair costs, as for :func:`cpe_opt.copeland_time`; 1 by default.
    method : "closed" or "linear"
        The closed form, or the program with a solver.
    **solving
        As for :func:`cpe_opt.solve`; the closed form takes none.

    Returns
    -------
    CharacteristicTime

    Raises
    ------
    InputError
        Without a Condorcet winner, or on bad prices.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> round(cpe.condorcet_time(mu).value, 1), round(cpe.copeland_time(mu).value, 1)
    (8.2, 78.6)
    """
    winner = _condorcet_winner(preferences)
    charged = checked_prices(prices, preferences)
    result: SolveResult | None = None
    if method == "closed":
        refuse_unused(solving, "condorcet_time with method 'closed'", instead=("linear",))
        x = _cheapest_losses(preferences, winner, charged)
    else:
        result = solve(condorcet_time_program(preferences, prices=charged), **solving)
        if result.x is None or result.bound is None:
            raise InputError("the solver left no point")
        x = np.zeros_like(charged)
        # The columns are the pairs by losers.
        loser, superior = np.nonzero(preferences.array < 0.5)
        x[loser, superior] = x[superior, loser] = np.maximum(result.x, 0.0)
    q = unit_costs(x, preferences.divergences)
    value = float(np.triu(charged * q).sum())
    return CharacteristicTime(
        value=value,
        # The closed form is the optimum, so it bounds itself.
        bound=value if result is None or result.bound is None else result.bound,
        method=method,
        result=result,
        winner=winner,
        exploration=q,
        by_winner={winner: value},
    )


def _condorcet_winner(preferences: PreferenceMatrix) -> int:
    if preferences.condorcet_winner is None:
        raise InputError(
            f"{preferences.name} has no Condorcet winner, and condorcet_time is for matrices with "
            "one; copeland_time takes any"
        )
    return preferences.condorcet_winner


def _cheapest_losses(preferences: PreferenceMatrix, winner: int, prices: FloatArray) -> FloatArray:
    """X of every pair: 1 where an arm is shown to lose at the least cost; shape (K, K)."""
    costs = unit_costs(prices, preferences.divergences)
    chosen = first_largest(-np.where(preferences.array < 0.5, costs, np.inf))
    x = np.zeros_like(costs)
    for arm in range(preferences.arms):
        if arm != winner:
            x[arm, chosen[arm]] = x[chosen[arm], arm] = 1.0
    return x

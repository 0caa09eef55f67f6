r"""The characteristic time of a Copeland winner: the least cost of identifying one.

Any algorithm that names a wrong answer with probability at most :math:`\delta` has to tell, for the
arm :math:`i_1` that it names, every confusing instance apart: one in which :math:`i_1` is wrong.
The smallest sets of nulls that make it so are the rows of
:mod:`cpe_opt.formulations.dueling.confusing_instances`, for a margin :math:`\varepsilon \ge 0`,
and q duels of a pair show :math:`x = q \max(e_{ij}, e_{ji})`. With the price :math:`\pi_{ij}` of a
duel

.. math:: T^*_{i_1} = \min_{q \ge 0} \sum_{i<j} \pi_{ij} q_{ij} \quad\text{s.t. the rows of } i_1

and :math:`T^* = \min_{i_1} T^*_{i_1}` over all right answers: the Copeland winners, and with a
margin the arms that no arm is ahead of by more than that. It is the program of the regret lower
bound with :math:`\pi` in place of the regret. Columns, rows and methods are those of
:mod:`cpe_opt.formulations.dueling.best_winner`; an x costs
:math:`\pi_{ij} / \max(e_{ij}, e_{ji})`.

**What it bounds.** An algorithm that names a wrong answer with probability at most :math:`\delta`
asks of each confusing instance :math:`\sum E[N_{ij}]\, d_{KL}(\mu_{ij}, \lambda_{ij}) \ge
\mathrm{kl}(\delta, 1-\delta)`, so that :math:`E[N] / \mathrm{kl}(\delta, 1-\delta)` keeps all rows
(Garivier and Kaufmann, COLT 2016). With several right answers, over which it may spread its own,
the bound at a finite :math:`\delta` is that of :mod:`cpe_opt.formulations.information`.

**Ties.** A tie of the winner, with whatever arm, is flipped for nothing, as every duel has its
price here. :math:`T^*_{i_1}` is infinite if and only if such flips alone unseat the winner: one tie
is enough where there is another winner. With a margin it is infinite for an answer that is only
just right, since then as many nulls are true at the margin itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Unpack, overload

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.best_winner import (
    Method,
    WinnerAnswer,
    best_winner,
    copeland_winners,
    endless_exploration,
    winner_program,
)
from cpe_opt.formulations.dueling.confusing_instances import identification_rows, null_evidence
from cpe_opt.formulations.information import asymptotic_cost, least_cost, reported_costs
from cpe_opt.modelling.program import LazyProgram, LinearProgram
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, unit_costs
from cpe_opt.problems.pairs import TOLERANCE, checked_prices
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.validation import Numbers, checked_types


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CharacteristicTime(WinnerAnswer):
    """T*, and the duels that attain it.

    Attributes
    ----------
    value : float
        T*: the cost per ``ln(1/delta)``, a number of duels where these have no prices; infinite
        where no number of duels is enough.
    bound : float
        No duels that suffice cost less.
    method : str
    result : SolveResult or None
        The solve behind ``value``; None for a closed form, and where it is infinite.
    winner : int
        The arm that is identified at this cost.
    exploration : float array, shape (K, K)
        Duels of each pair per ``ln(1/delta)``: q, symmetric with a zero diagonal. Where ``value``
        is infinite, so is q of the pairs that no number of duels decides, and of others it is not
        known (0).
    by_winner : dict of int to float
        T* of every winner that was asked for; empty for a set.
    winners : tuple of int
        The arms of the set that is identified, where it is one.
    """

    winners: tuple[int, ...] = ()

    def duels(self, delta: float = 0.05) -> float:
        """The mean cost that no algorithm can be below at the probability ``delta`` of an error.

        A number of duels where these have no prices. It is for algorithms that name one of the
        arms of ``by_winner``, all right answers by default, with probability at least 1 - delta,
        and an arm that is none with probability at most ``delta`` at every instance; of which
        instances the oracle says that gave the answer. With one right answer it is
        T* kl(delta, 1 - delta), with several it may be much less
        (:mod:`cpe_opt.formulations.information`); from ``delta`` = ½ on nothing need be asked: 0.

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.copeland_time(cpe.load_instance("multisol")).duels(0.05), 1)
        7.5
        """
        # The solver's times may be above the least ones by its tolerance.
        sure = self.bound / self.value if 0.0 < self.value < math.inf else 1.0
        times = list(self.by_winner.values()) or [self.value]
        return least_cost([sure * time for time in times], delta)

    def asymptotic_duels(self, delta: float = 0.05) -> float:
        """T* ln(1/delta): what the best algorithms cost in the limit of small ``delta``.

        A number of duels where these have no prices, and no bound at a finite ``delta``.

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.copeland_time(cpe.load_instance("multisol")).asymptotic_duels(0.05), 1)
        62.2
        """
        return asymptotic_cost(self.value, delta)

    def report(self, problem: PreferenceMatrix) -> dict[str, Any]:
        """The winner, the time of each, and the cost at usual probabilities of an error."""
        return {
            **super().report(problem),
            **reported_costs("duels", self.duels, self.asymptotic_duels),
        }


@overload
def copeland_time_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    prices: Numbers | None = None,
    margin: float = 0.0,
    method: Literal["cuts"] = "cuts",
    rows: Sequence[str] = (),
) -> LazyProgram: ...


@overload
def copeland_time_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    prices: Numbers | None = None,
    margin: float = 0.0,
    method: Literal["compact", "enumerate"],
    rows: Sequence[str] = (),
) -> LinearProgram: ...


@checked_types
def copeland_time_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    prices: Numbers | None = None,
    margin: float = 0.0,
    method: Method = "cuts",
    rows: Sequence[str] = (),
) -> LinearProgram | LazyProgram:
    """The linear program of the characteristic time of one winner.

    Parameters
    ----------
    preferences : PreferenceMatrix
    winner : int, optional
        A Copeland winner, within the margin; the first one by default.
    prices : array_like, optional
        Of a duel of each pair, as for :func:`copeland_time`.
    margin : float
        As for :func:`copeland_time`.
    method : "cuts", "compact" or "enumerate"
    rows : sequence of str
        Further rows by the columns ``x_i_j``, such as ``"x_0_3 >= 0.9"``
        (:mod:`cpe_opt.modelling.reading`), for ``compact`` and ``enumerate``.

    Returns
    -------
    LazyProgram for ``cuts``, LinearProgram for the others
        Infeasible where the winner's ties may cost it its rank.

    Raises
    ------
    InputError
        On bad prices or a bad margin, where ``winner`` is no Copeland winner within the margin, or
        ``enumerate`` has too many rows.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> program = cpe.copeland_time_program(cpe.load_instance("gap"), method="compact")
    >>> round(cpe.solve(program).objective, 4)
    41.5057
    """
    winner = copeland_winners(preferences, winner, margin)[0]
    costs = unit_costs(checked_prices(prices, preferences), _evidence(preferences, margin))
    families = identification_rows(preferences.array, winner, margin)
    return winner_program(families, costs, method, f"copeland_time_{winner}", rows).program


@checked_types
@shows_progress("T* of a Copeland winner")
def copeland_time(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    prices: Numbers | None = None,
    margin: float = 0.0,
    method: Method = "cuts",
    rows: Sequence[str] = (),
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> CharacteristicTime:
    """T*: the cost per ln(1/δ) of identifying a Copeland winner, and the duels that attain it.

    ``time.duels(delta)`` is at most the mean cost of every algorithm that errs with probability at
    most δ, of those that name the given ``winner`` with probability at least 1 - δ if one is given.
    ``time.asymptotic_duels(delta)`` is what the best ones cost in the limit δ → 0.

    Parameters
    ----------
    preferences : PreferenceMatrix
    winner : int, optional
        One Copeland winner, within the margin; the best of all by default.
    prices : array_like, optional
        What a duel of each pair costs: one positive number, an array of shape (K, K), such as
        :func:`cpe_opt.read_prices` reads, or a data frame with labels of arms; 1 by default.
    margin : float
        From 0 to below ½: by how much another arm may be ahead of a right answer.
    method : "cuts", "compact" or "enumerate"
    rows : sequence of str
        As for :func:`copeland_time_program`, of one winner; the method is then ``compact`` in place
        of ``cuts``. What is said of every algorithm is then said of those whose mean numbers of
        duels meet the rows.
    progress : bool or callable, optional
        As for :func:`cpe_opt.copeland_bound`.
    **solving
        ``solver``, ``time_limit``, ``threads``, ``seed``, ``log``, ``solver_options``,
        ``cut_options``, as for :func:`cpe_opt.solve`.

    Returns
    -------
    CharacteristicTime
        Infinite where ties may cost every winner asked for its rank.

    Raises
    ------
    InputError
        As for :func:`copeland_time_program`.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> time = cpe.copeland_time(cpe.load_instance("sushi"))
    >>> round(time.value, 1), round(time.duels(0.05))
    (3605.0, 9553)
    >>> even = cpe.PreferenceMatrix([[0.5, 0.5, 0.9], [0.5, 0.5, 0.8], [0.1, 0.2, 0.5]])
    >>> cpe.copeland_time(even).value, round(cpe.copeland_time(even, margin=0.05).value)
    (inf, 201)
    """
    winners = copeland_winners(preferences, winner, margin)
    return best_winner(
        CharacteristicTime,
        winners,
        partial(identification_rows, preferences.array, margin=margin),
        weights=checked_prices(prices, preferences),
        evidence=_evidence(preferences, margin),
        endless=partial(_endless, preferences.array, margin=margin),
        method=method,
        name="copeland_time",
        rows=rows,
        **solving,
    )


def winner_ties(preferences: FloatArray, winner: int, margin: float = 0.0) -> IntArray:
    """The arms that tie with the winner, or are ahead of it by just the margin."""
    edge = np.abs(preferences[winner] - (0.5 - margin)) <= TOLERANCE
    edge[winner] = False
    return np.flatnonzero(edge)


def _evidence(preferences: PreferenceMatrix, margin: float) -> FloatArray:
    """What a duel shows in the direction in which it shows more; shape (K, K), symmetric."""
    if margin == 0.0:
        return preferences.divergences
    evidence = null_evidence(preferences.array, 0.5 - margin)
    return np.maximum(evidence, evidence.T)


def _endless(preferences: FloatArray, winner: int, margin: float) -> FloatArray:
    """Infinite for the pairs by which the winner is only just a right answer."""
    arms = len(preferences)
    q = endless_exploration(winner, winner_ties(preferences, winner, margin), arms)
    if margin == 0.0:
        return q
    # And those by which an arm that makes it wrong then is ahead of others.
    held = null_evidence(preferences, 0.5 - margin) == 0.0
    np.fill_diagonal(held, 0.0)
    for j in np.flatnonzero(held.sum(axis=0) + held[winner].sum() >= arms).tolist():
        q = np.maximum(q, endless_exploration(j, winner_ties(preferences, j, -margin), arms))
    return q

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

**What it bounds.** Let N be the duels until the answer, and kl the divergence of two coins.

- *One right answer.* The mean cost of every such algorithm is at least
  :math:`T^*\, \mathrm{kl}(\delta, 1-\delta)`, at every :math:`\delta < \frac12`: each confusing
  instance asks :math:`\sum E[N_{ij}]\, d_{KL}(\mu_{ij}, \lambda_{ij}) \ge
  \mathrm{kl}(\delta, 1-\delta)`, so that :math:`E[N] / \mathrm{kl}(\delta, 1-\delta)` keeps all
  rows (Garivier and Kaufmann, COLT 2016).
- *m > 1 right answers.* An algorithm may spread its answers over them, and
  :math:`T^* \ln(1/\delta)` is the least cost in the limit :math:`\delta \to 0` alone (Degenne and
  Koolen, NeurIPS 2019). For finite :math:`\delta` some right answer i is named with probability at
  least :math:`(1-\delta)/m`, and with probability at most :math:`\delta` where it is wrong, so that
  the cost is at least :math:`\min_i T^*_i\, \mathrm{kl}((1-\delta)/m, \delta)` as long as
  :math:`(1-\delta)/m \ge \delta`; a little more is shown in
  :mod:`cpe_opt.formulations.information`.

The bounds are :meth:`CharacteristicTime.duels
<cpe_opt.formulations.dueling.characteristic_time.CharacteristicTime.duels>`, and
:math:`T^* \ln(1/\delta)` is ``asymptotic_duels``.

**Ties.** A tie of the winner, with whatever arm, is flipped for nothing. (Under regret ties with
another Copeland winner are left out, because two winners can duel each other for ever at no regret,
and so be told apart; here every duel has its price.) :math:`T^*_{i_1}` is infinite if and only if
such flips alone unseat the winner: one tie is enough where there is another winner. With a margin
it is infinite for an answer that is only just right, since then as many nulls are true at the
margin itself; ties that make :math:`T^*` infinite cost a finite number of duels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, Unpack, overload

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.best_winner import (
    Method,
    best_winner,
    copeland_winners,
    winner_program,
)
from cpe_opt.formulations.dueling.characteristic_time import CharacteristicTime, endless_exploration
from cpe_opt.formulations.dueling.confusing_instances import identification_rows, null_evidence
from cpe_opt.modelling.program import LazyProgram, LinearProgram
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, unit_costs
from cpe_opt.problems.pairs import TOLERANCE, checked_prices
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.validation import Numbers, checked_types


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

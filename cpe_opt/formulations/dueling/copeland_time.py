r"""The characteristic time of a Copeland winner: the least cost of identifying one.

Any algorithm that names an arm that is no Copeland winner with probability at most :math:`\delta`
has to tell, for the winner :math:`i_1` that it names, every confusing instance apart: one in which
some pairs are the other way round and :math:`i_1` is no winner. To flip {i, j} is to move
:math:`\mu_{ij}` just beyond ½, and q duels of the pair tell that apart by :math:`q\, d_{ij}`,
:math:`d_{ij} = d_{KL}(\mu_{ij}, \frac12)`. The smallest sets of flips after which :math:`i_1` is no
winner are the rows of Komiyama, Honda, Nakagawa (ICML 2016), equation (2)
(:mod:`cpe_opt.formulations.dueling.confusing_instances`), so that with the price :math:`\pi_{ij}`
of a duel

.. math:: T^*_{i_1} = \min_{q \ge 0} \sum_{i<j} \pi_{ij} q_{ij} \quad\text{s.t.}\quad
          \sum_{j \in H} d_{i_1 j} q_{i_1 j} + \sum_{j \in O} d_{i_2 j} q_{i_2 j} \ge 1
          \quad\text{for all rows } (i_2, H, O)

and :math:`T^* = \min_{i_1} T^*_{i_1}` over the Copeland winners: the program of the regret lower
bound with :math:`\pi` in place of the regret. Columns, rows and methods are those of
:mod:`cpe_opt.formulations.dueling.lower_bound`; an x costs :math:`\pi_{ij}/d_{ij}`.

**What it bounds.** Let N be the duels until the answer, and kl the divergence of two coins.

- *One Copeland winner.* The mean cost of every such algorithm is at least
  :math:`T^*\, \mathrm{kl}(\delta, 1-\delta)`, at every :math:`\delta < \frac12`: each confusing
  instance asks :math:`\sum E[N_{ij}]\, d_{KL}(\mu_{ij}, \lambda_{ij}) \ge
  \mathrm{kl}(\delta, 1-\delta)`, so that :math:`E[N] / \mathrm{kl}(\delta, 1-\delta)` keeps all
  rows (Garivier and Kaufmann, COLT 2016).
- *m > 1 winners.* An algorithm may spread its answers over the winners, and
  :math:`T^* \ln(1/\delta)` is the least cost in the limit :math:`\delta \to 0` alone (Degenne and
  Koolen, NeurIPS 2019). For finite :math:`\delta` some winner i is named with probability at least
  :math:`(1-\delta)/m`, and with probability at most :math:`\delta` if it is not one, so that the
  cost is at least :math:`\min_i T^*_i\, \mathrm{kl}((1-\delta)/m, \delta)` as long as
  :math:`(1-\delta)/m \ge \delta`; a little more is shown in
  :mod:`cpe_opt.formulations.information`.

The bounds are :meth:`CharacteristicTime.duels
<cpe_opt.formulations.dueling.characteristic_time.CharacteristicTime.duels>`, and
:math:`T^* \ln(1/\delta)` is ``asymptotic_duels``.

**Ties.** A tied pair goes over to either side at no cost, since its divergence is 0.

- *Of the winner* :math:`i_1`, with whatever arm: an instance in which the other one wins the pair
  gives :math:`i_1` a superior more, and takes none from anybody. So all its :math:`\tau` ties are
  flipped for nothing, and the rows ask for :math:`\tau` pairs fewer of H. This holds for ties with
  another Copeland winner, too. (Under regret these are left out, because two winners can duel each
  other for ever at no regret, and so be told apart; here every duel has its price.)
- *Of other arms*: neither of the two is a superior of the other, so to decide the pair gives one of
  them a superior more and takes none from the other. No challenger comes nearer to
  :math:`i_1`, nothing changes for :math:`i_1`, and no smallest set of flips has such a pair.

Hence with :math:`L_{(2)}`, the least number of superiors of another arm, :math:`T^*_{i_1}` is
infinite if and only if :math:`L_{i_1} + \tau > L_{(2)}`: flips of ties alone unseat the winner.
One tie is enough where there is another winner.

**With a margin** an answer is right if no arm is ahead of it by more than that
(:mod:`cpe_opt.proofs.dueling.predictable_bets`). The confusing instances of an answer, and its
program, are those of :mod:`cpe_opt.formulations.dueling.margin_rows`; :math:`T^*` is the least over
all right answers, and what it bounds is the same, with the number m of right answers. Ties that
make :math:`T^*` infinite cost a finite number of duels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, Unpack, overload

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.best_winner import (
    BestWinner,
    Method,
    WinnerProgram,
    best_program,
    best_winner,
    copeland_winners,
    method_with_rows,
    winner_program,
    with_rows,
)
from cpe_opt.formulations.dueling.characteristic_time import CharacteristicTime, endless_exploration
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies, confusing_rows
from cpe_opt.formulations.dueling.margin_rows import MarginRows
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.checks import checked_prices
from cpe_opt.problems.dueling.scores import unit_costs
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
        (:mod:`cpe_opt.modelling.lp_reader`), for ``compact`` and ``enumerate``.

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
    winner, name = copeland_winners(preferences, winner, margin)[0], "copeland_time"
    charged = checked_prices(prices, preferences)
    if margin > 0.0:
        wide = MarginRows.of(preferences.array, margin, winner)
        built = wide.program(charged, method, f"{name}_{winner}")
        return with_rows(built, rows).program if rows else built.program
    costs = unit_costs(charged, preferences.divergences)
    families = identification_rows(preferences.array, winner)
    built = winner_program(families, costs, method, f"{name}_{winner}")
    return with_rows(built, rows).program if rows else built.program


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
    charged = checked_prices(prices, preferences)
    method = method_with_rows(method, rows, winners)
    if margin > 0.0:
        return _time_with_margin(preferences, winners, charged, margin, method, rows, **solving)
    costs = unit_costs(charged, preferences.divergences)
    best = best_winner(
        winners,
        partial(identification_rows, preferences.array),
        costs,
        method,
        "copeland_time",
        rows,
        **solving,
    )
    if best.result is None:
        ties = winner_ties(preferences.array, best.winner)
        q = endless_exploration(best.winner, ties, preferences.arms)
    else:
        q = unit_costs(best.evidence, preferences.divergences)
    return _time_of(best, q, method)


def _time_with_margin(
    preferences: PreferenceMatrix,
    winners: tuple[int, ...],
    prices: FloatArray,
    margin: float,
    method: Method,
    rows: Sequence[str],
    **solving: Unpack[SolveOptions],
) -> CharacteristicTime:
    """The least T* of these answers."""
    wide = {winner: MarginRows.of(preferences.array, margin, winner) for winner in winners}

    def program_of(winner: int) -> WinnerProgram | None:
        if not wide[winner].is_feasible:
            return None
        program = wide[winner].program(prices, method, f"copeland_time_{winner}")
        return with_rows(program, rows) if rows else program

    best = best_program(winners, program_of, preferences.arms, **solving)
    if best.result is None:
        q = wide[best.winner].endless_exploration()
    else:
        q = unit_costs(best.evidence, wide[best.winner].strongest)
    return _time_of(best, q, method)


def _time_of(best: BestWinner, exploration: FloatArray, method: Method) -> CharacteristicTime:
    return CharacteristicTime(
        value=best.by_winner[best.winner],
        bound=best.bound,
        method=method,
        result=best.result,
        winner=best.winner,
        exploration=exploration,
        by_winner=best.by_winner,
    )


def identification_rows(preferences: FloatArray, winner: int) -> RowFamilies:
    """The rows of the characteristic time: every tie of the winner is flipped for nothing."""
    return confusing_rows(preferences, winner, len(winner_ties(preferences, winner)))


def winner_ties(preferences: FloatArray, winner: int) -> IntArray:
    """The arms that tie with the winner."""
    tied = preferences[winner] == 0.5
    tied[winner] = False
    return np.flatnonzero(tied)

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
program, are those below; :math:`T^*` is the least over all right answers, and what it bounds is the
same, with the number m of right answers. Ties that make :math:`T^*` infinite cost a finite number
of duels.

**The rows of the characteristic time with a margin: what shows that no arm is ahead by more.**

Let :math:`\varepsilon > 0` be the margin and :math:`c = \frac12 - \varepsilon`. The *null* (a, b)
is :math:`\mu_{ab} \le c`: b beats a by at least the margin. Arm i is a Copeland winner within the
margin unless :math:`|W_j| + |N_i| \ge K` for some arm j, with :math:`W_j` the arms k for which the
null (k, j) is true, and :math:`N_i` those for which (i, k) is
(:mod:`cpe_opt.proofs.dueling.predictable_bets`; nulls at the margin itself may go to either side at
no cost). So an instance in which i is a wrong answer has an arm j and a set of at least K true
nulls of

- (k, j) and (i, k) for all k other than i and j, one each, of 2(K - 2) different pairs;
- (i, j), which counts twice, as i in :math:`W_j` and as j in :math:`N_i`.

Where :math:`\mu_{ab} > c`, q duels of the pair tell the null (a, b) apart by
:math:`q\, d_{KL}(\mu_{ab}, c)`; where :math:`\mu_{ab} \le c` it is true already, and by 0. With
:math:`e_{ab}` for this divergence or 0, every row has each pair in one direction at most, and

.. math:: T^*_i = \min_{q \ge 0} \sum_{a<b} \pi_{ab} q_{ab} \quad\text{s.t.}\quad
          \sum_{k \in A} e_{kj} q_{kj} + \sum_{k \in B} e_{ik} q_{ik}
          + e_{ij} q_{ij} \mathbb 1\{C\} \ge 1

for all j other than i and all sets A, B of the other arms with :math:`|A| + |B| = K - 2` with (i,
j), case C, and :math:`|A| + |B| = K` without. Two partial sums of 2(K - 2) sorted numbers are the
tightest rows of j. A duel may count for either direction of its pair: where two arms are nearly
tied, both nulls of the pair are false.

**Columns** ``x_a_b``, a < b: the evidence of the pair in the direction that has more of it,
:math:`\max(e_{ab}, e_{ba})\, q_{ab}`, at the cost :math:`\pi_{ab} / \max(e_{ab}, e_{ba})`. In the
other direction it counts by the ratio of the two.

**Methods.** ``cuts``: the rows as they are found, ``cut_n``. ``enumerate``: all of them that have
every null that is true already, ``row_n``; the others follow. ``compact``: two rows
``challenger_n`` for each j, of sums of smallest terms by duality
(:func:`cpe_opt.formulations.dueling.best_winner.smallest_sum`), with the columns ``nulls_level``,
``nulls_short`` and the rows ``nulls_row``.

The program has no point, and :math:`T^*_i` is infinite, where i is only just a winner within the
margin: K of the nulls of some j are true already, as :math:`\mu_{ab} \le c` counts here.

For :math:`\varepsilon = 0` these are the rows of
:mod:`cpe_opt.formulations.dueling.confusing_instances`, with two columns for a pair of which one
coefficient is 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Literal, Unpack, overload

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.best_winner import (
    ENUMERATION_LIMIT,
    METHODS,
    BestWinner,
    Method,
    WinnerProgram,
    best_program,
    best_winner,
    copeland_winners,
    method_with_rows,
    smallest_sum,
    winner_program,
    with_rows,
)
from cpe_opt.formulations.dueling.characteristic_time import CharacteristicTime, endless_exploration
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies, confusing_rows
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LazyProgram, LinearProgram, RowBlock
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, divergence_from, unit_costs
from cpe_opt.problems.pairs import TOLERANCE, checked_prices
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.ties import ascending, in_bits
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


# The rows of the characteristic time with a margin: what shows that no arm is ahead by more.


_BITS = 40  # as of the divergences from ½
_NONE = -1


@dataclass(frozen=True, eq=False)
class MarginRows:
    """The rows of one answer."""

    answer: int  # i
    # (K, K); `e_ab`, what a duel of the pair shows against the null (a, b); 0 where that is true
    evidence: FloatArray
    on_edge: BoolArray  # (K, K); where `mu_ab` is c

    @classmethod
    def of(cls, preferences: FloatArray, margin: float, answer: int) -> MarginRows:
        """Those of a (K, K) preference array; probabilities within 1e-9 of c are equal to it."""
        null = 0.5 - margin
        edge = np.asarray(np.abs(preferences - null) <= TOLERANCE)
        return cls(answer, null_evidence(preferences, null), edge)

    @property
    def arms(self) -> int:
        """K."""
        return len(self.evidence)

    @property
    def challengers(self) -> list[int]:
        """Every arm but the answer."""
        return [arm for arm in range(self.arms) if arm != self.answer]

    @cached_property
    def strongest(self) -> FloatArray:
        """The evidence of a duel in the direction that has more; shape (K, K), symmetric."""
        return np.maximum(self.evidence, self.evidence.T)

    @cached_property
    def share(self) -> FloatArray:
        """The coefficient of the pair's column in each direction; shape (K, K)."""
        return unit_costs(self.evidence, self.strongest)

    def nulls(self, challenger: int) -> tuple[IntArray, IntArray]:
        """The arms a and b of the nulls that count once; each of shape (2K - 4,)."""
        thirds = np.delete(np.arange(self.arms), [self.answer, challenger])
        first = np.concatenate([thirds, np.full(len(thirds), self.answer)])
        return first, np.concatenate([np.full(len(thirds), challenger), thirds])

    def sizes(self) -> list[tuple[int, bool]]:
        """How many nulls that count once a row has, and whether it has (i, j)."""
        fits = self.arms <= 2 * (self.arms - 2)
        return [(self.arms - 2, True), *([(self.arms, False)] if fits else [])]

    @cached_property
    def is_feasible(self) -> bool:
        """Whether the nulls that are true already leave the answer right."""
        return not self.lost_to()

    def lost_to(self) -> list[int]:
        """The arms of which so many nulls are true that the answer is wrong, or only just right."""
        held = self.evidence == 0.0
        return [
            j
            for j in self.challengers
            if int(held[self.nulls(j)].sum()) + 2 * int(held[self.answer, j]) >= self.arms
        ]

    def endless_exploration(self) -> FloatArray:
        """Infinite for the pairs at the margin by which the answer is only just right."""
        q = np.zeros_like(self.evidence)
        for j in self.lost_to():
            first, second = self.nulls(j)
            first, second = np.append(first, self.answer), np.append(second, j)
            edge = self.on_edge[first, second]
            q[first[edge], second[edge]] = q[second[edge], first[edge]] = math.inf
        return q

    def rows(self) -> Iterator[list[tuple[int, int]]]:
        """Every row that has all nulls that are true already, as the list of its other nulls."""
        for j in self.challengers:
            open_, held = self._open(j)
            for size, own in self.sizes():
                pair = [(self.answer, j)] if own else []
                for chosen in combinations(open_, max(0, size - held)):
                    yield pair + list(chosen)

    def row_count(self) -> int:
        """How many rows :meth:`rows` has."""
        count = 0
        for j in self.challengers:
            open_, held = self._open(j)
            count += sum(math.comb(len(open_), max(0, size - held)) for size, _ in self.sizes())
        return count

    def _open(self, challenger: int) -> tuple[list[tuple[int, int]], int]:
        """The nulls that count once and are false, and how many others there are."""
        nulls = list(zip(*(each.tolist() for each in self.nulls(challenger)), strict=True))
        false = [null for null in nulls if self.evidence[null] > 0.0]
        return false, len(nulls) - len(false)

    def program(self, prices: FloatArray, method: Method, name: str) -> WinnerProgram:
        """The program by one of the three methods."""
        if method not in METHODS:
            raise UnknownName("method", method, METHODS)
        builder, column = ProgramBuilder(name), np.full(prices.shape, _NONE)
        upper = np.triu_indices(self.arms, 1)
        costs = unit_costs(prices, self.strongest)[upper]
        column[upper] = builder.columns("x", np.column_stack(upper), cost=costs)
        column = np.maximum(column, column.T)
        program: LinearProgram | LazyProgram
        if method == "cuts":
            program = LazyProgram(
                builder.build(), lambda x, tolerance: self._separate(column, x, tolerance)
            )
        elif method == "enumerate":
            self._list_rows(builder, column, name)
            program = builder.build()
        else:
            self._sum_rows(builder, column)
            program = builder.build()

        def evidence(point: FloatArray) -> FloatArray:
            x = np.zeros(prices.shape)
            x[upper] = np.maximum(point[: len(upper[0])], 0.0)
            return x + x.T

        return WinnerProgram(program, evidence)

    def _separate(self, column: IntArray, x: FloatArray, tolerance: float) -> RowBlock:
        """The tightest rows of every challenger that ``x`` breaks."""
        proved = self.share * np.where(column == _NONE, 0.0, x[column])
        rows = []
        for j in self.challengers:
            first, second = self.nulls(j)
            order = ascending(proved[first, second])
            for size, own in self.sizes():
                a, b = first[order[:size]], second[order[:size]]
                if own:
                    a, b = np.append(a, self.answer), np.append(b, j)
                if proved[a, b].sum() < 1.0 - tolerance:
                    rows.append((column[a, b], self.share[a, b]))
        row = np.repeat(np.arange(len(rows)), [len(columns) for columns, _ in rows])
        places = row, np.concatenate([columns for columns, _ in rows] or [row])
        entries = np.concatenate([shares for _, shares in rows] or [np.zeros(0)])
        matrix = sp.csr_array(sp.coo_array((entries, places), shape=(len(rows), len(x))))
        return RowBlock(matrix, np.ones(len(rows)), np.full(len(rows), np.inf))

    def _list_rows(self, builder: ProgramBuilder, column: IntArray, name: str) -> None:
        """Every row, or :class:`InputError` where these are too many."""
        count = self.row_count()
        if count > ENUMERATION_LIMIT:
            raise InputError(
                f"{name}: {count:,} rows to enumerate, at most {ENUMERATION_LIMIT:,} are listed; "
                "method='cuts' and method='compact' solve the same program"
            )
        rows = [np.array(nulls, dtype=np.intp).reshape(-1, 2).T for nulls in self.rows()]
        shares, columns = ([table[i, j] for i, j in rows] for table in (self.share, column))
        builder.sums("row", len(rows), (shares, columns), lower=1.0)

    def _sum_rows(self, builder: ProgramBuilder, column: IntArray) -> None:
        """The rows by duality."""
        for j in self.challengers:
            first, second = self.nulls(j)
            for size, own in self.sizes():
                columns, entries = smallest_sum(
                    builder,
                    "nulls",
                    (j, size),
                    column[first, second],
                    size,
                    self.share[first, second],
                )
                if own:
                    columns = np.append(columns, column[self.answer, j])
                    entries = np.append(entries, self.share[self.answer, j])
                builder.rows(
                    "challenger", [(j, size)], np.zeros(len(columns)), columns, entries, lower=1.0
                )


def null_evidence(preferences: FloatArray, null: float) -> FloatArray:
    """``d_KL(mu_ab, c)`` to 40 bits where mu_ab is above c by more than 1e-9, else 0; (K, K)."""
    above = preferences > null + TOLERANCE
    evidence = np.where(above, in_bits(divergence_from(preferences, null), _BITS), 0.0)
    np.fill_diagonal(evidence, 0.0)
    return evidence

r"""The characteristic time of a Borda winner by squared errors, a second-order cone program.

The Borda score of arm i is :math:`b_i = \frac1{K-1}\sum_{k \ne i} \mu_{ik}`, and the winner i has
the largest. It is the wrong answer where :math:`b_j \ge b_i` for some j, in a half-space of
matrices. With the probability :math:`\mu_a` of each pair a = {k, l}, k < l,

.. math:: b_i - b_j = \text{const} + \sum_a c_{ja} \mu_a, \qquad
          |c_{ja}| = \frac1{K-1}\,\bigl(1 \text{ if } a \text{ has one of } i, j;\;
          2 \text{ if } a = \{i, j\};\; 0 \text{ else}\bigr) .

**Information.** q duels of a pair tell :math:`\mu_a` from :math:`\nu_a` by
:math:`2 q (\mu_a - \nu_a)^2`: that is exact for normal outcomes of variance ¼, and what every
½-sub-Gaussian outcome guarantees. To the nearest point of the half-space of j it is
:math:`2 (b_i - b_j)^2 / \sum_a c_{ja}^2/q_a`, so that with :math:`\Delta_j = b_i - b_j`

.. math:: T^* = \min_{q > 0} \sum_a \pi_a q_a \quad\text{s.t.}\quad
          \sum_a \frac{c_{ja}^2}{2\Delta_j^2} \frac1{q_a} \le 1 \quad \forall j \ne i .

Outcomes of duels are Bernoulli, and tell more: :math:`d_{KL}(\mu, \nu) \ge 2(\mu-\nu)^2` (Pinsker).
So this :math:`T^*` is **at least** the characteristic time of Bernoulli duels at the same gaps, and
no lower bound on what those cost; :math:`T^*\,\mathrm{kl}(\delta, 1-\delta)` is one for
algorithms that are right with normal outcomes, too. Where two arms share the largest score, no
number of duels tells which is the winner, and :math:`T^*` is infinite.

**With a margin** :math:`\varepsilon`, in the unit of the score, the answer i is wrong where
:math:`b_j \ge b_i + \varepsilon` for some j, and right if no score is larger than its own by more
than the margin. The rows are the same with :math:`\Delta_j = b_i - b_j + \varepsilon`, and
:math:`T^*` is the least over all right answers; infinite for one at the margin itself.

**The k best arms.** The answer S, those with the k largest scores, is wrong where
:math:`b_j \ge b_i` for some i in S and j outside: one row for each such pair of arms, with
:math:`\Delta_{ij} = b_i - b_j`. For k = 1 these are the rows above.

**The program** is the cone program of :mod:`cpe_opt.formulations.inverse_rows`, with the columns
``duels_n`` (:math:`y_a = q_a/u_a`) and ``inverse_n`` (:math:`s_a \ge 1/y_a`) a pair, in the order
(0, 1), (0, 2), …. The value is that of the solver's q, scaled until every row holds, the bound the
Lagrangian dual at its multipliers. ``method="multiplicative"`` takes steps that need no solver.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, Unpack

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.best_winner import (
    asked_winners,
    endless_exploration,
    least_answer,
)
from cpe_opt.formulations.dueling.copeland_time import CharacteristicTime
from cpe_opt.formulations.inverse_rows import InverseRows
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.pairs import TOLERANCE, checked_prices
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.validation import Numbers, checked_count, checked_types

Method: TypeAlias = Literal["cone", "multiplicative"]
_STEPS = 100_000


@checked_types
def borda_time_program(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    prices: Numbers | None = None,
    margin: float = 0.0,
    top: int = 1,
) -> ConicProgram:
    """The cone program of the characteristic time of the Borda winner.

    Parameters
    ----------
    preferences : PreferenceMatrix
        Without a margin, with one Borda winner.
    winner : int, optional
        A Borda winner within the margin; the first one without by default.
    prices : array_like, optional
        Of a duel of each pair, as for :func:`cpe_opt.copeland_time`.
    margin : float
        As for :func:`borda_time`.
    top : int
        As for :func:`borda_time`.

    Raises
    ------
    InputError
        Where an arm's score is above the winner's by the margin, such as by 0 where two share the
        largest; on bad prices or a bad margin; where ``winner`` is no Borda winner within the
        margin.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.borda_time_program(cpe.load_instance("cyclic"))
    ConicProgram('borda_time', 12 variables, 21 constraints, min)
    """
    charged = checked_prices(prices, preferences)
    members = _right_sets(preferences, winner, margin, top)[0]
    if top == 1 and winner is None:
        members = preferences.borda_winners[:1]
    if edge := _edge(preferences, members, margin):
        names = ", ".join(preferences.labels[arm] for arm in edge)
        have = "share a Borda score" if margin == 0.0 else "have scores that differ by the margin"
        raise InputError(
            f"{names} {have} in {preferences.name}, so that no number of duels is enough: there is "
            "no program"
        )
    return HalfSpaces.of(preferences, charged, members, margin).program()


@checked_types
@shows_progress("T* of a Borda winner")
def borda_time(
    preferences: PreferenceMatrix,
    winner: int | None = None,
    *,
    prices: Numbers | None = None,
    margin: float = 0.0,
    top: int = 1,
    method: Method = "cone",
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> CharacteristicTime:
    """T*: the cost per ln(1/δ) of identifying the Borda winner by squared errors.

    An upper bound on the characteristic time of Bernoulli duels: see the module.

    Parameters
    ----------
    preferences : PreferenceMatrix
    winner : int, optional
        One Borda winner within the margin; the best of all by default.
    prices : array_like, optional
        What a duel of each pair costs, as for :func:`cpe_opt.copeland_time`; 1 by default.
    margin : float
        From 0 to below 1, in the unit of the score: by how much another score may be larger than
        that of a right answer.
    top : int
        k, from 1 to K - 1: the k arms with the largest scores are identified, as a set. From 2 on
        without a margin, with which several sets would be right.
    method : "cone" or "multiplicative"
        The cone program with a solver, or multiplicative steps without one.
    progress : bool or callable, optional
        As for :func:`cpe_opt.copeland_bound`.
    **solving
        As for :func:`cpe_opt.solve`, with ``clarabel`` by default; ``multiplicative`` takes none.

    Returns
    -------
    CharacteristicTime
        Infinite where two arms share the largest Borda score, without a margin; with ``top``, where
        an arm of the set and one outside share a score. ``winners`` are the arms of the set.

    Raises
    ------
    InputError
        On bad prices or a bad margin, or where ``winner`` is no Borda winner within the margin;
        with ``top`` above 1 next to a winner or a margin.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> time = cpe.borda_time(cpe.load_instance("cyclic"))
    >>> round(time.value, 2), time.gap < 1e-6
    (139.95, True)
    >>> both = cpe.borda_time(cpe.load_instance("sushi"), top=2)
    >>> both.winners, round(both.value, 2)
    ((0, 1), 343.42)
    """
    if method == "multiplicative":
        refuse_unused(solving, "borda_time with method 'multiplicative'", instead=("cone",))
    charged = checked_prices(prices, preferences)
    sets = _right_sets(preferences, winner, margin, top)
    time = least_answer(
        _time_of(preferences, charged, margin, members, method, **solving) for members in sets
    )
    return time if top == 1 else replace(time, winners=sets[0], by_winner={})


def _right_sets(
    preferences: PreferenceMatrix, winner: int | None, margin: float, top: int
) -> list[tuple[int, ...]]:
    """The set of the k best arms; for k = 1 each Borda winner within the margin, or that asked."""
    if top == 1:
        winners = preferences.borda_winners_within(margin)
        right = asked_winners(preferences, winner, winners, "Borda winner", margin)
        return [(arm,) for arm in right]
    checked_count("top", top, most=preferences.arms - 1)
    if winner is not None or margin:
        raise InputError(
            "winner and margin have no effect with top, which is about one set: the k arms with "
            "the largest scores"
        )
    order = np.argsort(-np.rint(preferences.borda_scores * 2.0**30), kind="stable")
    return [tuple(sorted(order[:top].tolist()))]


def _edge(preferences: PreferenceMatrix, members: Sequence[int], margin: float) -> list[int]:
    """The arms of the set, and of the others, whose scores are apart by just the margin."""
    inside = np.isin(np.arange(preferences.arms), members)
    scores = preferences.borda_scores
    at_margin = scores - scores[:, None] >= margin - TOLERANCE
    pairs = at_margin & inside[:, None] & ~inside
    return np.flatnonzero(pairs.any(axis=0) | pairs.any(axis=1)).tolist()


def _time_of(
    preferences: PreferenceMatrix,
    prices: FloatArray,
    margin: float,
    members: tuple[int, ...],
    method: Method,
    **solving: Unpack[SolveOptions],
) -> CharacteristicTime:
    """The time of one right answer; infinite where scores are at the margin."""
    q = np.zeros_like(preferences.array)
    result: SolveResult | None = None
    if edge := _edge(preferences, members, margin):
        for arm in edge:
            others = np.delete(np.arange(preferences.arms), arm)
            q = np.maximum(q, endless_exploration(arm, others, preferences.arms))
        value = bound = math.inf
    else:
        spaces = HalfSpaces.of(preferences, prices, members, margin)
        if method == "multiplicative":
            weights = spaces.balanced(_STEPS)
            duels = spaces.feasible(spaces.amounts(weights))
        else:
            duels, weights, result = spaces.solved(spaces.program(), **solving)
        q[spaces.pairs] = duels
        q = q + q.T
        value = float(spaces.prices @ duels)
        bound = min(value, spaces.bound(weights))
    return CharacteristicTime(
        value=value,
        bound=bound,
        method=method,
        result=result,
        winner=members[0],
        exploration=q,
        by_winner={},
    )


@dataclass(frozen=True, eq=False)
class HalfSpaces(InverseRows):
    r"""The rows A of the program, one for each arm of the answer and each other arm j.

    With the pairs a, their prices :math:`\pi_a` and :math:`A_{ja} = c_{ja}^2/(2\Delta_j^2)` the
    program is :math:`\min_{q > 0} \sum_a \pi_a q_a` with :math:`\sum_a A_{ja} / q_a \le 1` for
    all j, one of :mod:`cpe_opt.formulations.inverse_rows`, where its bound, its cone program and
    steps without a solver are.
    """

    labels: tuple[str, ...]  # of the arms
    pairs: tuple[IntArray, IntArray]  # (P,); the pairs, the smaller arm first

    @classmethod
    def of(
        cls,
        preferences: PreferenceMatrix,
        prices: FloatArray,
        members: Sequence[int],
        margin: float = 0.0,
    ) -> HalfSpaces:
        """Those of a set of arms as the best: a row for each of them and each other arm."""
        arms, scores = preferences.arms, preferences.borda_scores
        pairs = np.triu_indices(arms, 1)
        number = np.zeros((arms, arms), dtype=np.int64)
        number[pairs] = np.arange(len(pairs[0]))
        number += number.T
        rivals = np.delete(np.arange(arms), list(members))
        row, column, entry = [], [], []
        for place, (member, arm) in enumerate(itertools.product(members, rivals.tolist())):
            third = np.delete(np.arange(arms), [member, arm])
            column += [number[member, [arm]], number[member, third], number[arm, third]]
            row.append(np.full(2 * arms - 3, place))
            share = 0.5 / ((scores[member] - scores[arm] + margin) * (arms - 1)) ** 2
            entry.append(share * np.repeat([4.0, 1.0], [1, 2 * arms - 4]))
        places = np.concatenate(row), np.concatenate(column)
        shape = (len(members) * len(rivals), len(pairs[0]))
        rows = sp.csr_array(sp.coo_array((np.concatenate(entry), places), shape=shape))
        return cls(prices[pairs], rows, preferences.labels, pairs)

    def program(self) -> ConicProgram:
        """The cone program of these rows."""
        labels = {
            f"duels_{place}": f"{self.labels[i]} - {self.labels[j]}, in units of {unit:g} duels"
            for place, (i, j, unit) in enumerate(zip(*self.pairs, self.units, strict=True))
        }
        return self.cone_program("borda_time", "duels", labels)

r"""The cheapest flips that make an arm a Copeland winner.

How far is an estimated preference matrix from one in which arm i wins? Arms :math:`1, \dots, K`;
:math:`L_j` is how many arms beat j by the estimate. Flipping the pair {j, k}, that k has won, so
that j wins it, costs :math:`x_{jk} = x_{kj} \ge 0`; by default the divergence of its probability
from ½, the evidence that one duel of it gives on average. With evidence that was collected instead,
the optimum says what the votes hold against the arm, and its flips what would have to be wrong if
the arm is the best.

.. math:: \min \sum_{(j, k)} x_{jk} y_{jk} \quad\text{s.t.}\quad
    t \ge L_i - \sum_k y_{ik}, \qquad
    L_j - \sum_k y_{jk} + \sum_k y_{kj} + \sum_k z_{kj} \ge t \;\forall j \ne i,

with binary :math:`y_{jk}`, 1 where j is to win the pair that k has won, for all :math:`k \ne i`,
and a whole t, the arm's losses, at most :math:`L_i`. An undecided pair (the estimate is
exactly ½, or there is none) may be given to either arm at no cost: binary :math:`z_{kj}` for
:math:`k < j`, :math:`z_{jk} = 1 - z_{kj}`, 1 where k wins. Columns ``flip_j_k`` (y), ``tie_k_j``
(z), ``level`` (t); rows ``losses_j``, that of i the first.

**What is left out helps nobody.** To flip a pair that i has won gives i a loss and takes one of
another arm, and both only hurt. To turn a pair that k has won against j into a tie, instead of a
win for j, takes the loss from j all the same, but gives k none: where k is not i, a loss of k does
no harm, so that the win is as good; where k is i, the tie takes a loss from j, which only hurts. An
undecided pair is a loss for nobody, and a loss of an arm other than i does no harm: i wins its own
(:math:`z_{ik} = 1`), and one of the two wins any other.

**Methods.** ``program``, the integer program with a solver; ``flow``, the default where no solver
is named, a search over t with flows of least cost:

Flipping a pair that k has won, so that j wins it, takes a loss from j to k: a unit of flow on an
arc :math:`j \to k` of capacity 1 and cost :math:`x_{jk}`. An undecided pair gives its loss to
either: it starts at one, and an arc without cost leads to the other; :math:`L_j` counts those that
start at j. Fix t, the most losses that the arm i may end with. All others must end with t or more:
node :math:`j \ne i` has :math:`L_j - t` losses to spare, or lacks as many, and the arm has
:math:`L_i - t` to get rid of,

.. math:: V(t) = \min_{0 \le f \le 1} \sum_a x_a f_a \quad\text{s.t.}\quad
    L_j + \sum_{a \to j} f_a - \sum_{a \leftarrow j} f_a \ge t \;\forall j \ne i, \qquad
    L_i - \sum_{a \leftarrow i} f_a \le t .

Arcs into i are left out: to leave a pair that i has won as it is takes a loss from i, and no other
flip becomes necessary. (A flow :math:`k \to i \to j` does no more than its second half.) The matrix
is that of a network, so that for a whole t the linear program has a whole optimum: a set of flips.

**A search over t is exact.** V is convex in real t: the right-hand sides are affine in t, so the
mean of feasible flows for t and for t' is feasible for the mean of t and t', and costs the mean.
Hence over whole t, where V is the least cost of a set of flips, the differences
:math:`V(t+1) - V(t)` never fall, and the first t with :math:`V(t+1) \ge V(t)` is the first
minimum. The line through two neighbours is a lower bound of V everywhere else, and so is

.. math:: \underline V(t) = A_i(L_i - t) + \sum_{j \ne i} B_j((t - \bar L_j)^+) ,

:math:`A_i(n)` the n cheapest pairs that i lost, :math:`B_j(n)` the n cheapest that j won, those
against i at no cost, so that none counts twice, and :math:`\bar L_j` with all undecided pairs of
j: what each arm needs, whatever the others can spare. Levels that these bounds exclude are not
solved.

**Rounding.** OR-Tools' flows have whole costs. A first bound U of the optimum, the cost of all
pairs that i lost, measures them: costs are rounded to multiples of :math:`u / M`, u the power of
two next above U and M about :math:`2^{61} / (K+1)^2`; pairs that cost more than U are left out. A
set of flips then errs by at most m/2 such steps, m the number of pairs; where that is more than a
millionth of the value found, the value is the next U. Where only an optimum of at most a given
cutoff is asked for, the cutoff is such a U, too; the pairs of i then stay, at a cost beyond it, so
that there is a flow for t = 0.

**Whether flips cost less than a limit**, and no more, needs one flow as a rule: a flow for any t
whose cost is below it shows that they do, and bounds that are above it show that they do not.

**With a margin** :math:`\varepsilon` the arm i is to be a Copeland winner within it
(:mod:`cpe_opt.proofs.dueling.predictable_bets`): with :math:`c = \frac12 - \varepsilon`,
:math:`W_j = \{k : \mu_{kj} < c\}` and :math:`N_i = \{k : \mu_{ik} < c\}`,

.. math:: |W_j| + |N_i| \le K - 1 \quad \forall j \ne i .

To *lift* (a, b), :math:`\mu_{ab} < c`, is to move it to c, where b is ahead of a by just the
margin; by default that costs :math:`d_{KL}(\mu_{ab}, c)`. Binary :math:`y_{ab}`, 1 where it is
lifted, for all (k, j) and (i, k), in columns ``flip_a_b`` and rows ``ahead_j``,

.. math:: \sum_{k \in W_j} y_{kj} + \sum_{k \in N_i} y_{ik} \ge |W_j| + |N_i| - (K - 1) ,

in which (i, j) counts twice. By sorts (``flow`` needs no flows here): say that at most t of
:math:`N_i` stay. Then j has :math:`|W_j| + t - (K-1)` lifts to get, if that is positive, of its
cheapest ones; where (i, j) is lifted, one fewer. Of :math:`N_i` those are lifted whose cost, less
what that saves, is least, as many as t asks for. The least over all t is the optimum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray, check_sums, checked_array
from cpe_opt.errors import InputError, SolverFailed
from cpe_opt.formulations.answer import Answer
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, divergence_from
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.solvers.assignment import largest_cost, min_cost_flow
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import TIE, ascending, first_smallest, in_bits
from cpe_opt.validation import Interval, Numbers, checked_types

FlipMethod = Literal["flow", "program"]
METHODS: tuple[FlipMethod, ...] = ("flow", "program")
Pairs = tuple[tuple[int, int], ...]  # each (who wins, who loses)
_SYMMETRY = 1e-9
_BITS = 40  # by which costs are told apart, the same on every machine
_ACCURACY = 1e-6
_LEAST = math.ulp(0.0)
_ROUNDS = 30


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CheapestFlips(Answer):
    """A cheapest set of flips that makes an arm a Copeland winner; ``value`` is its cost.

    Attributes
    ----------
    arm : int
        The arm that wins then.
    pairs : tuple of (int, int)
        The pairs to be flipped, ascending: (who wins then, who has won by the estimate). None can
        be left out. With a margin: (who is behind by no more than that then, who is ahead).
    undecided : tuple of (int, int)
        The undecided pairs that somebody has to win besides: (who wins, who loses).
    losses : int array, shape (K,)
        How many arms beat each arm then; with a margin, by more than that.
    """

    arm: int
    pairs: Pairs
    undecided: Pairs
    losses: IntArray

    def report(self, problem: PreferenceMatrix) -> dict[str, Any]:
        """The arm and the flips by their labels."""

        def listed(pairs: Pairs) -> str:
            return (
                "; ".join(f"{problem.labels[a]} > {problem.labels[b]}" for a, b in pairs) or "none"
            )

        undecided = {"undecided": listed(self.undecided)} if self.undecided else {}
        return {"arm": problem.labels[self.arm], "flips": listed(self.pairs), **undecided}


@checked_types
def cheapest_flips_program(
    preferences: PreferenceMatrix,
    arm: int | None = None,
    costs: Numbers | None = None,
    *,
    margin: float = 0.0,
) -> LinearProgram:
    """The integer program of the cheapest flips.

    Parameters
    ----------
    preferences : PreferenceMatrix
    arm : int, optional
        The arm to win; by default the first that is no Copeland winner, or 0.
    costs : array_like, shape (K, K), optional
        As for :func:`cheapest_flips`.
    margin : float
        As for :func:`cheapest_flips`.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> program = cpe.cheapest_flips_program(cpe.load_instance("sushi"), 5)
    >>> round(cpe.solve(program).objective, 4)
    0.1309
    """
    arm = _candidates(preferences, arm, margin)[0]
    if margin > 0.0:
        return _Lifts.of(preferences, costs, margin, arm).program()
    return _program(Reversals.of(preferences.array, checked_costs(preferences, costs), arm))


@checked_types
def cheapest_flips(
    preferences: PreferenceMatrix,
    arm: int | None = None,
    costs: Numbers | None = None,
    *,
    margin: float = 0.0,
    method: FlipMethod | None = None,
    **solving: Unpack[SolveOptions],
) -> CheapestFlips:
    """The cheapest pairs whose flips make an arm a Copeland winner.

    Parameters
    ----------
    preferences : PreferenceMatrix
        An estimate, say; a tie is a loss for nobody.
    arm : int, optional
        The arm to win; by default the one that needs least among those that are no Copeland
        winners (the first of equals), or 0 where all are.
    costs : array_like, shape (K, K), optional
        What it costs to flip each pair: symmetric, 0 or more; by default ``d_KL(mu_ij, 1/2)`` in
        nats. Those of undecided pairs, where the estimate is ½, are not read: they cost nothing.
        With a margin, what it costs that an arm is no longer ahead by more than that; by default
        the divergence from where it is ahead by just the margin.
    margin : float
        From 0 to below ½: the arm is to be a Copeland winner within it.
    method : "flow" or "program", optional
        ``flow``, unless something is said about solving.
    **solving
        As for :func:`cpe_opt.solve`, with the method ``program`` alone.

    Returns
    -------
    CheapestFlips

    Raises
    ------
    InputError

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.PreferenceMatrix([[0.5, 0.6, 0.9], [0.4, 0.5, 0.7], [0.1, 0.3, 0.5]])
    >>> flips = cpe.cheapest_flips(mu, 1)
    >>> flips.pairs, flips.losses.tolist(), round(flips.value, 4)
    (((1, 0),), [1, 0, 2], 0.0201)
    >>> cpe.cheapest_flips(mu, 2, [[0, 9, 2], [9, 0, 3], [2, 3, 0]], solver="scip").pairs
    ((2, 0),)
    """
    given, costs = costs, checked_costs(preferences, costs)
    if method is None:
        method = "program" if any(value is not None for value in solving.values()) else "flow"
    if method == "flow":
        refuse_unused(solving, "cheapest_flips with method 'flow'", instead=("program",))
    candidates = _candidates(preferences, arm, margin)
    if margin > 0.0:
        return _flips_within(preferences, candidates, given, margin, method, **solving)
    best = (
        _nearest(preferences, candidates, costs)
        if len(candidates) > 1 or method == "flow"
        else None
    )
    if method == "flow" and best is not None:
        return best
    pairs = Reversals.of(preferences.array, costs, candidates[0] if best is None else best.arm)
    result = solve(_program(pairs), **solving)
    if result.x is None or result.bound is None:
        raise InputError("the solver left no point")
    point = result.x > 0.5
    flips, ties = len(pairs.cost), int(pairs.free.sum())
    turned = np.zeros(len(pairs.first), np.bool_)
    turned[pairs.free] = ~point[flips : flips + ties]
    return _answer(pairs, FlipSet(point[:flips], turned, max(0.0, result.bound)), "program", result)


@checked_types
def flips_by_arm(
    preferences: PreferenceMatrix,
    costs: Numbers | None = None,
    *,
    cutoff: Annotated[float, Interval(0)] = math.inf,
) -> tuple[CheapestFlips | None, ...]:
    """The cheapest flips for every arm, by flows; None if they surely cost more than a cutoff.

    A low cutoff spares most of the work. What costs as much as that, up to rounding, is found.
    """
    costs = checked_costs(preferences, costs)
    return tuple(flips_within(preferences, arm, costs, cutoff) for arm in range(preferences.arms))


@checked_types
def flips_below(
    preferences: PreferenceMatrix, costs: Numbers, limit: Annotated[float, Interval(0)]
) -> list[bool]:
    """For every arm, whether the bound of :func:`flips_by_arm` is below a limit, with less work."""
    costs = checked_costs(preferences, costs)
    return [_below(preferences, arm, costs, limit) for arm in range(preferences.arms)]


def _below(preferences: PreferenceMatrix, arm: int, costs: FloatArray, limit: float) -> bool:
    pairs = Reversals.of(preferences.array, costs, arm)
    if _Network(pairs, pairs.most(limit)).below(limit):
        return True
    found = flips_within(preferences, arm, costs, limit)
    return found is not None and found.bound < limit


def _candidates(
    preferences: PreferenceMatrix, arm: int | None, margin: float = 0.0
) -> tuple[int, ...]:
    """The arm asked for, or those that are no winners."""
    winners = preferences.copeland_winners_within(margin)
    if arm is not None:
        return (preferences.check_arm(arm),)
    return tuple(arm for arm in range(preferences.arms) if arm not in winners) or (0,)


def _nearest(
    preferences: PreferenceMatrix, candidates: tuple[int, ...], costs: FloatArray
) -> CheapestFlips:
    """The flips of the first of these that needs least."""
    best: CheapestFlips | None = None
    for arm in candidates:
        found = flips_within(preferences, arm, costs, math.inf if best is None else best.value)
        if best is None or (found is not None and found.value < best.value * (1.0 - TIE)):
            best = found
    if best is None:
        raise SolverFailed("no flips were found, and all losses of an arm can be flipped")
    return best


def flips_within(
    preferences: PreferenceMatrix, arm: int, costs: FloatArray, cutoff: float
) -> CheapestFlips | None:
    """The cheapest flips for an arm, by flows; None if they surely cost more than a cutoff."""
    pairs = Reversals.of(preferences.array, costs, arm)
    found = cheapest_set(pairs, cutoff)
    return None if found is None else _answer(pairs, found, "flow", None)


def _program(pairs: Reversals) -> LinearProgram:
    """The program of these pairs: columns in their order."""
    arm, arms, free = pairs.arm, pairs.arms, pairs.free
    first, second = pairs.first[free], pairs.second[free]
    builder = ProgramBuilder(f"cheapest_flips_{arm}")
    keys = np.column_stack([pairs.winner, pairs.loser])
    y = builder.columns("flip", keys, cost=pairs.cost, upper=1.0, integer=True)
    z = builder.columns("tie", np.column_stack([first, second]), upper=1.0, integer=True)
    most = float(pairs.losses[arm])
    level = builder.columns("level", [()], upper=most, integer=True)
    builder.row(f"losses_{arm}", [*y[pairs.winner == arm], *level], lower=most)
    # Losses of the others that they have in any case: of pairs tied with the arm, and 1 - z.
    held = pairs.losses + np.bincount(np.append(pairs.second[~free], first), minlength=arms)
    others = [j for j in range(arms) if j != arm]
    builder.sums(
        "losses",
        others,
        (-1.0, [y[pairs.winner == j] for j in others]),
        (1.0, [y[pairs.loser == j] for j in others]),
        (1.0, [z[second == j] for j in others]),
        (-1.0, [z[first == j] for j in others]),
        (-1.0, level),
        lower=-held[others].astype(np.float64),
    )
    return builder.build()


def _answer(
    pairs: Reversals, found: FlipSet, method: str, result: SolveResult | None
) -> CheapestFlips:
    """What is needed of a set of flips, its cost, and the losses then, counted anew."""
    if not pairs.wins(found):
        raise SolverFailed(f"the flips by method {method!r} do not make arm {pairs.arm} a winner")
    needed, undecided = pairs.needed(found)
    value = math.fsum(pairs.cost[needed].tolist())
    flips = np.column_stack([pairs.winner, pairs.loser])[needed]
    return CheapestFlips(
        value=value,
        bound=min(value, found.bound),
        method=method,
        result=result,
        arm=pairs.arm,
        pairs=tuple((int(j), int(k)) for j, k in flips),
        undecided=undecided,
        losses=pairs.losses_after(flips, undecided),
    )


@dataclass(frozen=True, eq=False)
class FlipSet:
    """A set of flips of the least cost."""

    flipped: BoolArray  # (m,)
    turned: BoolArray  # (u,); the undecided pairs that the first arm loses
    bound: float  # no set that makes the arm a winner costs less


@dataclass(frozen=True, eq=False)
class Reversals:
    """The pairs whose flip may help an arm, and those that are undecided."""

    # the arm, and how many there are
    arm: int
    arms: int
    losses: IntArray  # (K,); L, by decided pairs alone
    # (m,); the pairs that the loser has won, in the order of (winner, loser): who wins once flipped
    winner: IntArray
    loser: IntArray
    cost: FloatArray  # (m,)
    # (u,); the undecided pairs; of those of the arm, it is the first
    first: IntArray
    second: IntArray

    @classmethod
    def of(cls, array: FloatArray, costs: FloatArray, arm: int) -> Reversals:
        """Those of a preference matrix, with the costs of its pairs, (K, K)."""
        winner, loser = np.nonzero(array < 0.5)
        helps = loser != arm
        winner, loser = winner[helps], loser[helps]
        first, second = np.nonzero(np.triu(array == 0.5, 1))
        behind = second == arm
        return cls(
            arm=arm,
            arms=len(array),
            losses=np.asarray((array < 0.5).sum(axis=1), dtype=np.int64),
            winner=winner,
            loser=loser,
            cost=costs[winner, loser],
            first=np.where(behind, second, first),
            second=np.where(behind, first, second),
        )

    @property
    def free(self) -> BoolArray:
        """The undecided pairs of two others, which may go either way; shape (u,)."""
        return np.asarray(self.first != self.arm)

    def decided(self, flips: FlipSet) -> list[tuple[int, int]]:
        """The undecided pairs, each with the winner that the set gives it."""
        winner = np.where(flips.turned, self.second, self.first)
        loser = np.where(flips.turned, self.first, self.second)
        return list(zip(winner.tolist(), loser.tolist(), strict=True))

    def losses_after(self, flips: npt.ArrayLike, undecided: npt.ArrayLike) -> IntArray:
        """L' after flips, and with undecided pairs given; rows (who wins, who loses)."""
        after, flips = self.losses.copy(), np.reshape(flips, (-1, 2)).astype(np.int64)
        np.add.at(after, flips[:, 0], -1)
        np.add.at(after, flips[:, 1], 1)
        np.add.at(after, np.reshape(undecided, (-1, 2)).astype(np.int64)[:, 1], 1)
        return after

    def most(self, cutoff: float) -> float:
        """What the cheapest flips cost at most, if they cost no more than a cutoff."""
        return min(math.fsum(self.cost[self.winner == self.arm].tolist()), cutoff)

    def wins(self, flips: FlipSet) -> bool:
        """Whether no arm has fewer losses after a set of flips."""
        rows = np.column_stack([self.winner, self.loser])[flips.flipped]
        after = self.losses_after(rows, self.decided(flips))
        return bool(after[self.arm] == after.min())

    def needed(self, flips: FlipSet) -> tuple[IntArray, Pairs]:
        """What the arm cannot win without: flips, then undecided pairs, are taken back one by one.

        Flips again and again, because a win taken back is a loss more of its winner.
        """
        decided = self.decided(flips)
        rows = np.column_stack([self.winner, self.loser])
        after = self.losses_after(rows[flips.flipped], decided).tolist()

        def without(winner: int | None, loser: int) -> bool:
            """Take back a win, and its loss of ``winner`` if it had one, where the arm can."""
            changes = [(loser, -1), *([] if winner is None else [(winner, 1)])]
            for arm, change in changes:
                after[arm] += change
            if after[self.arm] == min(after):
                return True
            for arm, change in changes:
                after[arm] -= change
            return False

        kept, before = np.flatnonzero(flips.flipped).tolist(), -1
        while len(kept) != before:
            before = len(kept)
            kept = [place for place in kept if not without(*rows[place].tolist())]
        given = sorted(pair for pair in decided if not without(None, pair[1]))
        return np.array(kept, dtype=np.int64), tuple(given)


def _flips_within(
    preferences: PreferenceMatrix,
    candidates: tuple[int, ...],
    costs: npt.ArrayLike | None,
    margin: float,
    method: FlipMethod,
    **solving: Unpack[SolveOptions],
) -> CheapestFlips:
    """The flips with a margin of the first of these arms that needs least."""
    lifts = [_Lifts.of(preferences, costs, margin, arm) for arm in candidates]
    sorted_sets = [each.cheapest() for each in lifts]
    values = [
        float(each.costs[chosen].sum()) for each, chosen in zip(lifts, sorted_sets, strict=True)
    ]
    place = first_smallest(values)
    if method == "flow":
        return lifts[place].answer(sorted_sets[place], values[place], method, None)
    result = solve(lifts[place].program(), **solving)
    if result.x is None or result.bound is None:
        raise InputError("the solver left no point")
    return lifts[place].answer(result.x > 0.5, max(0.0, result.bound), method, result)


@dataclass(frozen=True, eq=False)
class _Lifts:
    """What may be lifted so that an arm is a winner within a margin."""

    arm: int
    arms: int
    # (m,); the ordered pairs (a, b), ascending, in which b is ahead of a by more than the margin, b
    # another one than the arm
    behind: IntArray
    ahead: IntArray
    costs: FloatArray  # (m,)
    losses: IntArray  # (K,); how many arms are ahead of each by more than the margin
    leads: IntArray  # (K,); `|W_j|`, of how many it is ahead so far

    @classmethod
    def of(
        cls, preferences: PreferenceMatrix, costs: npt.ArrayLike | None, margin: float, arm: int
    ) -> _Lifts:
        """Those of a preference matrix."""
        null = 0.5 - margin
        far = preferences.array < null - TOLERANCE
        if costs is None:
            each = in_bits(divergence_from(preferences.array, null), _BITS)
        else:
            each = checked_costs(preferences, costs)
        behind, ahead = np.nonzero(far)
        kept = ahead != arm
        behind, ahead = behind[kept], ahead[kept]
        return cls(
            arm,
            preferences.arms,
            behind,
            ahead,
            each[behind, ahead],
            np.asarray(far.sum(axis=1), dtype=np.int64),
            np.asarray(far.sum(axis=0), dtype=np.int64),
        )

    @property
    def own(self) -> BoolArray:
        """Which are those of the arm; shape (m,)."""
        return np.asarray(self.behind == self.arm)

    def wins(self, chosen: BoolArray) -> bool:
        """Whether these lifts are enough."""
        leads = self.leads - np.bincount(self.ahead[chosen], minlength=self.arms)
        kept = int(self.losses[self.arm]) - int((chosen & self.own).sum())
        return bool((np.delete(leads, self.arm) + kept < self.arms).all())

    def cheapest(self) -> BoolArray:
        """The cheapest set, by sorts; shape (m,)."""
        best, least = np.ones(len(self.costs), dtype=np.bool_), math.inf
        for most in range(int(self.losses[self.arm]) + 1):
            chosen = self._with_losses(most)
            if chosen is not None and (cost := math.fsum(self.costs[chosen].tolist())) < least:
                best, least = chosen, cost
        return best

    def _with_losses(self, most: int) -> BoolArray | None:
        """The cheapest set that leaves the arm so many losses at most, or None."""
        chosen, saved = np.zeros(len(self.costs), dtype=np.bool_), []
        for j in range(self.arms):
            if j == self.arm:
                continue
            of_j = np.flatnonzero((self.ahead == j) & ~self.own)
            of_j = of_j[ascending(self.costs[of_j])]
            number = max(0, int(self.leads[j]) + most - (self.arms - 1))
            own = np.flatnonzero((self.ahead == j) & self.own).tolist()
            chosen[of_j[:number]] = True
            if own:
                last = int(of_j[number - 1]) if 0 < number <= len(of_j) else None
                saving = math.inf if number > len(of_j) else 0.0
                saving = saving if last is None else float(self.costs[last])
                saved.append((float(self.costs[own[0]]) - saving, own[0], last))
            elif number > len(of_j):
                return None
        asked = int(self.losses[self.arm]) - most
        for _, own_place, last in sorted(saved, key=lambda each: each[:2])[:asked]:
            chosen[own_place] = True
            if last is not None:
                chosen[last] = False
        return chosen if self.wins(chosen) else None

    def program(self) -> LinearProgram:
        """The integer program: a column for each lift, a row for each other arm."""
        builder = ProgramBuilder(f"cheapest_flips_{self.arm}")
        keys = np.column_stack([self.behind, self.ahead])
        y = builder.columns("flip", keys, cost=self.costs, upper=1.0, integer=True)
        for j in range(self.arms):
            if j != self.arm:
                entries = 1.0 * (self.ahead == j) + 1.0 * self.own
                excess = int(self.leads[j]) + int(self.losses[self.arm]) - (self.arms - 1)
                some = entries > 0.0
                builder.row(f"ahead_{j}", y[some], entries[some], lower=float(excess))
        return builder.build()

    def answer(
        self, chosen: BoolArray, bound: float, method: str, result: SolveResult | None
    ) -> CheapestFlips:
        """What is needed of these lifts, and its cost."""
        if not self.wins(chosen):
            raise SolverFailed(
                f"the flips by method {method!r} do not make arm {self.arm} a winner"
            )
        needed = chosen.copy()
        for place in np.flatnonzero(chosen).tolist():
            needed[place] = False
            needed[place] = not self.wins(needed)
        value = math.fsum(self.costs[needed].tolist())
        lifted = list(zip(self.behind[needed].tolist(), self.ahead[needed].tolist(), strict=True))
        return CheapestFlips(
            value=value,
            bound=min(value, bound),
            method=method,
            result=result,
            arm=self.arm,
            pairs=tuple(lifted),
            undecided=(),
            losses=self.losses - np.bincount(self.behind[needed], minlength=self.arms),
        )


def checked_costs(preferences: PreferenceMatrix, costs: npt.ArrayLike | None) -> FloatArray:
    """Costs of flips, by default the divergences, or :class:`InputError` with the pair."""
    if costs is None:
        return preferences.divergences
    array = checked_array("costs", costs)
    arms = preferences.arms
    if array.shape != (arms, arms):
        raise InputError(
            f"costs has the shape {array.shape}, expected {(arms, arms)}, of each pair"
        )
    wrong = ~(np.isfinite(array) & (array >= 0))
    if wrong.any():
        i, j = (int(index[0]) for index in np.nonzero(wrong))
        raise InputError(f"costs, row {i}, column {j}: {array[i, j]}, expected a number, 0 or more")
    check_sums("costs", array)
    uneven = np.abs(array - array.T) > _SYMMETRY * array
    if uneven.any():
        i, j = (int(index[0]) for index in np.nonzero(uneven))
        raise InputError(
            f"costs, row {i}, column {j}: {array[i, j]} and its mirror image {array[j, i]} differ, "
            "expected one cost a pair"
        )
    return np.asarray(np.triu(array, 1) + np.triu(array, 1).T)


def cheapest_set(pairs: Reversals, cutoff: float = math.inf) -> FlipSet | None:
    """The cheapest flips; None if they surely cost more than the cutoff."""
    most = pairs.most(cutoff)
    for _ in range(_ROUNDS):
        network = _Network(pairs, most)
        found = network.search(cutoff)
        if found is None:
            return None
        value = math.fsum(pairs.cost[found.flipped].tolist())
        if value == 0.0 or network.error <= _ACCURACY * value:
            break
        most = value
    return found


class _Network:
    """The flows of one arm, with costs in whole numbers."""

    def __init__(self, pairs: Reversals, most: float) -> None:
        self.pairs = pairs
        own = pairs.winner == pairs.arm
        self.kept = np.flatnonzero(own | (pairs.cost <= most))
        top = largest_cost(pairs.arms + 1)
        unit = math.ldexp(1.0, math.frexp(most)[1]) if most else 1.0
        self.step = max(unit / top, _LEAST)
        self.error = self.step * len(self.kept) / 2.0
        costs = np.rint(in_bits(np.minimum(pairs.cost[self.kept], most), _BITS) / self.step)
        costs[pairs.cost[self.kept] > most] = top + len(self.kept)
        self.costs = costs.astype(np.int64)
        self.free = np.flatnonzero(pairs.free)
        self.losses = pairs.losses + np.bincount(pairs.second, minlength=pairs.arms)
        self._flows: dict[int, tuple[int, IntArray] | None] = {}

    def _network(self, level: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Arcs of flips, of undecided pairs, and from each arm to a sink for what it keeps."""
        pairs, arms = self.pairs, self.pairs.arms
        kept, free, every = self.kept, self.free, np.arange(arms)
        capacities = np.repeat([1, 2 * arms], [len(kept) + len(free), arms])
        capacities[len(kept) + len(free) + pairs.arm] = level
        return (
            np.concatenate([pairs.winner[kept], pairs.second[free], every]),
            np.concatenate([pairs.loser[kept], pairs.first[free], np.full(arms, arms)]),
            capacities,
            np.concatenate([self.costs, np.zeros(len(free) + arms, dtype=np.int64)]),
        )

    def flow(self, level: int) -> tuple[int, IntArray] | None:
        """V(t) and its flow for t, the most losses that the arm keeps; None if there is none."""
        if level not in self._flows:
            arm = self.pairs.arm
            supplies = self.losses - level
            supplies[arm] = self.losses[arm]
            balanced = np.append(supplies, -supplies.sum())
            self._flows[level] = min_cost_flow(*self._network(level), balanced)
        return self._flows[level]

    def least(self) -> dict[int, int]:
        r"""The bounds :math:`\underline V(t)`, of those t alone that they do not rule out."""
        pairs, arms = self.pairs, self.pairs.arms
        tail, head = pairs.winner[self.kept], pairs.loser[self.kept]
        own = tail == pairs.arm
        needs = np.sort(self.costs[own])
        costs = np.where(own, 0, self.costs)
        order = np.lexsort((costs, head))
        sums = np.append(0, np.cumsum(costs[order]))
        count = np.bincount(head, minlength=arms)
        first = np.append(0, np.cumsum(count))[:-1]
        # An undecided pair may give its loss to either.
        given = np.bincount(np.append(pairs.first[self.free], pairs.second), minlength=arms)
        held = pairs.losses + given
        held[pairs.arm] = arms
        levels = np.arange(int(pairs.losses[pairs.arm]) + 1)
        lack = np.maximum(levels - held[:, None], 0)
        able = (lack <= count[:, None]).all(axis=0)
        others = (sums[first[:, None] + np.minimum(lack, count[:, None])] - sums[first, None]).sum(
            0
        )
        rid = np.append(0, np.cumsum(needs))[levels[-1] - levels]
        return {t: int(rid[t] + others[t]) for t in np.flatnonzero(able).tolist()}

    def below(self, limit: float) -> bool:
        """Whether the flow of the level with the least bound costs less than a limit, surely."""
        lower = self.least()
        level = min(lower, key=lower.__getitem__)
        if self.surely(lower[level]) >= limit:
            return False
        found = self.flow(level)
        return found is not None and (found[0] * self.step + self.error) * (1.0 + _ACCURACY) < limit

    def search(self, cutoff: float) -> FlipSet | None:
        """The flips at the first t of the least V(t); None if they cost more than the cutoff."""
        lower = self.least()
        low, high, best = 0, max(lower), math.inf
        while True:
            while lower[low] > best:
                low += 1
            while lower[high] > best:
                high -= 1
            if self.surely(min(lower[t] for t in range(low, high + 1))) > cutoff:
                return None
            if low == high:
                break
            t = min(range(low, high), key=lower.__getitem__)
            here, there = self.flow(t), self.flow(t + 1)
            if here is None:
                high = t - 1
                continue
            best = min(best, here[0])
            if there is None:
                high = t
                continue
            best = min(best, there[0])
            low, high = (low, t) if there[0] >= here[0] else (t + 1, high)
            for s in range(low, high + 1):
                lower[s] = max(lower[s], here[0] + (s - t) * (there[0] - here[0]))
        found = self.flow(low)
        if found is None:
            raise SolverFailed("OR-Tools found no flow of losses where there is one")
        if self.surely(found[0]) > cutoff:
            return None
        flipped, turned = (
            np.zeros(len(self.pairs.cost), np.bool_),
            np.zeros(len(self.pairs.first), np.bool_),
        )
        flipped[self.kept] = found[1][: len(self.kept)] > 0
        turned[self.free] = found[1][len(self.kept) : len(self.kept) + len(self.free)] > 0
        return FlipSet(flipped, turned, self.surely(found[0]))

    def surely(self, cost: int) -> float:
        """What flips cost at least, if rounded they cost so much."""
        return max(0.0, (cost * self.step - self.error) * (1.0 - 2.0 ** (1 - _BITS)))

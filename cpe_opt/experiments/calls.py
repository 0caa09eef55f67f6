r"""Before the first call: how many calls a proof will take, by runs of the learner itself.

**Tables.** A run has a table of its own, drawn at random, in which the means are as given: the best
arm is ahead of the second by the *gap*, and each other arm is below the second by a number drawn
uniformly from 0 to *spread*; or the gaps of all arms to the best are given.

- *Scores* are 0 or 1. Arm a is right on as many items as its mean says: those with the largest
  :math:`d_t + 0.8\, e_{at}`, where :math:`d_t`, common to all arms, is how easy item t is, and
  :math:`e_{at}` is the arm's own part, all standard normal. The best arm has the mean *level*.
- *Duels*: arm i wins the share :math:`\Phi(u_i - u_j)` of the cells against j, with
  :math:`u_1 - u_a = \Phi^{-1}(\frac12 + \text{gap of } a)`. It wins those with the largest
  :math:`v_{it} - v_{jt} + e_{ijt} \pm 0.3`, all standard normal, plus for the arm that is shown
  first: outputs differ in quality from item to item, and position has an effect.

A *cheap judge* says what the expensive one says in the share *agreement* of the cells, drawn at
random, and the opposite in all others.

**Runs.** The learner is that of :func:`cpe_opt.best_of`, ``score-tracking`` or
``copeland-tracking``, from its first question to its proof, or to the last cell. Calls are all
questions that are asked, also those that are open at the end; a *round* is a wait for everything
that is open. The same tables and orders are used with and without the cheap judge, whose own calls
are not counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from scipy.special import ndtr, ndtri

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.experiments.parallel import in_parallel
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.queries import Learner
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.problem import Environment
from cpe_opt.problems.queries import Window
from cpe_opt.problems.subsets.item_scores import ItemScores
from cpe_opt.progress_line import ShowProgress, shows_progress, step
from cpe_opt.validation import (
    ErrorProbability,
    Interval,
    NonNegative,
    PositiveInt,
    Seed,
    checked,
    checked_types,
)

Kind: TypeAlias = Literal["scores", "duels"]
Unit: TypeAlias = Annotated[float, Interval(0.0, 1.0)]
_OWN, _BIAS = 0.8, 0.3
_LEARNERS = {"scores": "score-tracking", "duels": "copeland-tracking"}
_QUANTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True, eq=False)
class RunsToProof:
    """What runs took, one entry a run."""

    calls: IntArray  #: of the expensive judge
    rounds: IntArray  #: waits for all that was open
    proved: (
        BoolArray  #: whether the answer was proved; a table with missing cells may leave it open
    )
    right: BoolArray  #: whether it was right

    @property
    def mean(self) -> float:
        """The mean number of calls."""
        return float(self.calls.mean())

    @property
    def error(self) -> float:
        """The standard error of that mean."""
        return float(self.calls.std(ddof=1) / math.sqrt(len(self.calls)))

    def quantile(self, share: float) -> int:
        """So many calls are enough in this share of the runs."""
        return int(np.quantile(self.calls, share, method="higher"))

    def probability(self, budget: float) -> float:
        """The share of the runs with a proof within so many calls."""
        return float((self.proved & (self.calls <= budget)).mean())


@dataclass(frozen=True, eq=False)
class CallsNeeded:
    """How many calls a proof takes; made by :func:`calls_needed`."""

    arms: int
    items: int
    kind: Kind
    cells: int  #: calls that ask everything
    delta: float
    margin: float
    agreement: float | None  #: of the cheap judge
    plain: RunsToProof  #: without a cheap judge
    cheap: RunsToProof | None  #: with it

    @property
    def best(self) -> RunsToProof:
        """With the cheap judge, if there is one."""
        return self.plain if self.cheap is None else self.cheap

    def rows(self, budget: float | None = None) -> list[dict[str, Any]]:
        """A row without and a row with the cheap judge, in plain values."""
        rows = []
        for name, runs in (("judge alone", self.plain), ("with the cheap judge", self.cheap)):
            if runs is None:
                continue
            row: dict[str, Any] = {"": name, "calls": runs.mean, "error": runs.error}
            row |= {f"{100 * share:.0f} %": runs.quantile(share) for share in _QUANTILES}
            row |= {"of all": runs.mean / self.cells, "rounds": float(runs.rounds.mean())}
            if budget is not None:
                row["probability"] = runs.probability(budget)
            rows.append(row)
        return rows

    def __str__(self) -> str:
        """In a sentence."""
        low, high = (self.best.quantile(share) for share in (_QUANTILES[0], _QUANTILES[-1]))
        cheap = ""
        if self.cheap is not None:
            cheap = f", {self.plain.mean:,.0f} without the cheap judge"
        return (
            f"about {self.best.mean:,.0f} calls of {self.cells:,}, in 8 of 10 runs {low:,} to "
            f"{high:,}{cheap}"
        )


@dataclass(frozen=True)
class TableKind:
    """What random tables have in common."""

    arms: int
    items: int
    gaps: tuple[float, ...]  # one, or those of all arms but the best
    spread: float
    level: float
    kind: Kind
    top: int


@checked_types
@shows_progress("simulating")
def calls_needed(
    arms: PositiveInt = 8,
    items: PositiveInt = 500,
    gap: Any = 0.05,
    agreement: Unit | None = None,
    *,
    kind: Kind = "scores",
    spread: NonNegative = 0.2,
    level: Unit = 0.7,
    top: PositiveInt = 1,
    margin: NonNegative = 0.0,
    delta: ErrorProbability = 0.05,
    parallel: PositiveInt = 1,
    rounds: PositiveInt | None = None,
    runs: PositiveInt = 40,
    seed: Seed = 0,
    jobs: int = 1,
    progress: ShowProgress = None,
) -> CallsNeeded:
    """Tell how many calls of a judge a proof will take, before the first of them.

    The learner is run on random tables (:mod:`cpe_opt.experiments.calls`).

    Parameters
    ----------
    arms, items : int
        How many prompts or models there are, and on how many items they are compared.
    gap : float or sequence of float
        How far the best arm is ahead of the second: of scores the difference of their means, of
        duels how much more often it wins than half the time. Or so of all other arms, K - 1
        numbers.
    agreement : float, optional
        In which share of the cells a cheap judge says the same as the expensive one; without it
        there is no cheap judge.
    kind : "scores" or "duels"
        Each output gets a score, or two are compared, each item in both orders.
    spread : float
        Other arms are up to so much further behind than the second; no effect where all gaps are
        given.
    level : float
        Of scores, the mean of the best arm.
    top : int
        Of scores, how many of the best arms are wanted; the gap is then between the last of these
        and the next one.
    margin, delta : float
        As for :func:`cpe_opt.best_of`.
    parallel, rounds : int
        How many calls are open at once, or in about how many rounds they are made.
    runs, seed, jobs : int
        How many tables, what draws them, and in how many processes; -1 for one per core.
    progress : bool or callable, optional
        As for :func:`cpe_opt.simulate`.

    Returns
    -------
    CallsNeeded

    Raises
    ------
    InputError
        Where no table has such means, or an argument is not valid.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> needed = cpe.calls_needed(arms=4, items=100, gap=0.2, runs=5)
    >>> needed.cells, needed.plain.mean < 300, needed.plain.probability(needed.cells)
    (400, True, 1.0)
    """
    gaps = _checked_gaps(gap, arms, kind, level, top)
    if kind == "duels" and top > 1:
        raise InputError(f"top is {top}, and duels have one winner: expected 1")
    learner = get_learner(_LEARNERS[kind])
    options: dict[str, Any] = {"delta": delta, "margin": margin}
    if rounds is not None:
        options["rounds"] = rounds
    elif parallel > 1:
        options["parallel"] = parallel
    table = TableKind(arms, items, gaps, spread, level, kind, top)
    tasks = ((learner, table, agreement, options, [seed, number]) for number in range(runs))
    played: dict[int, list[tuple[int, int, bool, bool]]] = {}
    for done, (number, found) in enumerate(in_parallel(_run, tasks, jobs=jobs), 1):
        step("runs", done)
        played[number] = found
    each = np.array([played[number] for number in range(runs)], dtype=np.int64)
    plain, *cheap = (
        RunsToProof(of[:, 0], of[:, 1], of[:, 2] > 0, of[:, 3] > 0) for of in each.swapaxes(0, 1)
    )
    cells = arms * items if kind == "scores" else arms * (arms - 1) * items
    return CallsNeeded(
        arms=arms,
        items=items,
        kind=kind,
        cells=cells,
        delta=delta,
        margin=margin,
        agreement=agreement,
        plain=plain,
        cheap=cheap[0] if cheap else None,
    )


def _checked_gaps(gap: Any, arms: int, kind: Kind, level: float, top: int) -> tuple[float, ...]:
    """The gaps that are given: one, or those of all arms but the best, ascending."""
    most, why = (level, "the level") if kind == "scores" else (0.5, "a half")
    if arms < 2:
        raise InputError(f"arms is {arms}, expected at least 2")
    if not 1 <= top < arms:
        raise InputError(f"top is {top}, expected fewer than the {arms} arms")
    listed = isinstance(gap, Sequence | np.ndarray) and not isinstance(gap, str)
    gaps = [*gap] if listed else [gap]
    expected = f"a number from 0 to {why}, {most:g}"
    for each in gaps:
        checked("gap", each, Annotated[float, Interval(0.0, most, words=expected)])
    if listed and len(gaps) != arms - 1:
        raise InputError(f"gap has {len(gaps)} numbers, expected one, or {arms - 1}: one an arm")
    return tuple(sorted(map(float, gaps)))


def _run(
    learner: Callable[..., Learner],
    kind: TableKind,
    agreement: float | None,
    options: dict[str, Any],
    seed: list[int],
) -> tuple[int, list[tuple[int, int, bool, bool]]]:
    """The number of a run, and what it took without and with the cheap judge."""
    drawn, order, own = np.random.SeedSequence(seed).spawn(3)
    taken = []
    for judge in (None, agreement) if agreement is not None else (None,):
        problem = random_table(np.random.default_rng(drawn), kind, judge)
        taken.append(_played(learner, problem, options, order, own))
    return seed[1], taken


def _played(
    learner: Callable[..., Learner],
    problem: ItemScores | ItemDuels,
    options: dict[str, Any],
    order: np.random.SeedSequence,
    own: np.random.SeedSequence,
) -> tuple[int, int, bool, bool]:
    """Calls, rounds, whether it was proved and whether it was right."""
    environment: Environment = problem.environment(np.random.default_rng(order))
    exchange = Exchange(
        learner,
        problem.known,
        np.random.default_rng(own),
        family=problem.family,
        cells=problem.cells,
        hints=problem.told_hints,
        **options,
    )
    calls = rounds = answered = 0
    while not exchange.finished:
        query = exchange.query
        open_: Sequence[Any] = query.queries if isinstance(query, Window) else (query,)
        if answered == 0:
            answered = sum(each.times for each in open_)
            calls, rounds = calls + answered, rounds + 1
        answered -= open_[0].times
        exchange.tell(environment.answer(environment.check(open_[0])))
    winners: tuple[Any, ...] = (
        problem.winners if isinstance(problem, ItemScores) else problem.copeland_winners
    )
    return calls, rounds, not exchange.doubt, exchange.answer in winners


def random_table(
    rng: np.random.Generator, kind: TableKind, agreement: float | None
) -> ItemScores | ItemDuels:
    """A table of this kind, with the hints of a cheap judge that agrees so often."""
    arms, items, behind = kind.arms, kind.items, _behind(rng, kind)
    if kind.kind == "scores":
        right = np.rint(items * (kind.level - behind)).astype(np.int64)
        latent = rng.standard_normal(items) + _OWN * rng.standard_normal((arms, items))
        scores = _largest(latent, right)
        hints = None if agreement is None else _flipped(rng, scores, agreement)
        return ItemScores(scores, hints=hints, top=kind.top)
    strength = -ndtri(0.5 + np.minimum(behind, 0.5 - 0.5 / items))
    quality = rng.standard_normal((arms, items))
    outcomes = np.full((arms, arms, items, 2), np.nan)
    for i, j in combinations(range(arms), 2):
        latent = (quality[i] - quality[j])[:, None] + rng.standard_normal((items, 2))
        latent += [_BIAS, -_BIAS]
        wins = np.rint(2 * items * ndtr(strength[i] - strength[j])).astype(np.int64)
        outcomes[i, j] = _largest(latent.reshape(1, -1), np.array([wins])).reshape(items, 2)
    hints = None if agreement is None else _flipped(rng, outcomes, agreement)
    return ItemDuels(outcomes, hints=hints)


def _behind(rng: np.random.Generator, kind: TableKind) -> FloatArray:
    """How far each arm is behind the best, in an order drawn at random."""
    if len(kind.gaps) == kind.arms - 1:
        return np.asarray(rng.permutation([0.0, *kind.gaps]))
    most = kind.level if kind.kind == "scores" else 0.5
    further = kind.gaps[0] + kind.spread * rng.random(kind.arms - kind.top)
    further[0] = kind.gaps[0]
    behind = np.concatenate([np.zeros(kind.top), np.minimum(further, most)])
    return np.asarray(rng.permutation(behind))


def _largest(latent: FloatArray, numbers: IntArray) -> FloatArray:
    """1 for so many of the largest entries of each row, 0 for the others."""
    place = np.argsort(np.argsort(-latent, axis=1, kind="stable"), axis=1, kind="stable")
    return np.asarray(place < numbers[:, None], dtype=np.float64)


def _flipped(rng: np.random.Generator, table: FloatArray, agreement: float) -> FloatArray:
    """The table, of which a share drawn at random stays as it is."""
    return np.where(rng.random(table.shape) < agreement, table, 1.0 - table)

r"""Before the first call: how many calls a proof will take, by runs of the learner itself.

**Tables.** A run has a table of its own, drawn at random, in which the means are as given: the best
arm is ahead of the second by the *gap*, and each other arm is below the second by a number drawn
uniformly from 0 to 0.2; or the gaps of all arms to the best are given.

- *Scores* are 0 or 1. Arm a is right on as many items as its mean says: those with the largest
  :math:`d_t + 0.8\, e_{at}`, where :math:`d_t`, common to all arms, is how easy item t is, and
  :math:`e_{at}` is the arm's own part, all standard normal. The best arm has the mean *level*.
- *Duels*: arm i gets the share :math:`\Phi(u_i - u_j)` of the cells against j, drawn at random,
  with :math:`u_1 - u_a = \Phi^{-1}(\frac12 + \text{gap of } a)`; the share *ties* of the cells is
  tied, fewer where one arm gets nearly all.

A *cheap judge* says what the expensive one says in the share *agreement* of the cells that are not
tied, drawn at random, the opposite in the others, and of ties either by a coin.

**Runs.** The learner is that of :func:`cpe_opt.best_of`, ``score-tracking`` or
``copeland-tracking``, from its first question to its proof, which it has at the latest when all
cells are asked. Calls are all questions that are asked, also those that are open at the end; a
*round* is a wait for everything that is open. The same tables and orders are used with and without
the cheap judge, whose own calls are not counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from scipy.special import ndtr, ndtri

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.dueling.items import ItemDuels
from cpe_opt.problems.queries import Window
from cpe_opt.problems.subsets.item_scores import ItemScores
from cpe_opt.progress_line import ShowProgress, shows_progress, step
from cpe_opt.validation import (
    ErrorProbability,
    Interval,
    NonNegative,
    PositiveInt,
    Seed,
    checked_types,
)

Kind: TypeAlias = Literal["scores", "duels"]
Unit: TypeAlias = Annotated[float, Interval(0.0, 1.0)]
_OWN, _SPREAD = 0.8, 0.2
_LEARNERS = {"scores": "score-tracking", "duels": "copeland-tracking"}


@dataclass(frozen=True, eq=False)
class RunsToProof:
    """What runs took, one entry a run."""

    calls: IntArray  #: of the expensive judge
    rounds: IntArray  #: waits for all that was open

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
        return float((self.calls <= budget).mean())


@dataclass(frozen=True, eq=False)
class CallsNeeded:
    """How many calls a proof takes; made by :func:`calls_needed`."""

    cells: int  #: calls that ask everything
    plain: RunsToProof  #: without a cheap judge
    cheap: RunsToProof | None  #: with it

    @property
    def best(self) -> RunsToProof:
        """With the cheap judge, if there is one."""
        return self.cheap or self.plain

    @property
    def judges(self) -> dict[str, RunsToProof]:
        """Both, by what they are called."""
        both = {"judge alone": self.plain, "with the cheap judge": self.cheap}
        return {name: runs for name, runs in both.items() if runs is not None}

    def __str__(self) -> str:
        """In a sentence."""
        low, high = self.best.quantile(0.1), self.best.quantile(0.9)
        cheap = f", {self.plain.mean:,.0f} without the cheap judge" if self.cheap else ""
        return (
            f"about {self.best.mean:,.0f} calls of {self.cells:,}, in 8 of 10 runs {low:,} to "
            f"{high:,}{cheap}"
        )


@checked_types
@shows_progress("simulating")
def calls_needed(
    arms: Annotated[int, Interval(2)] = 8,
    items: PositiveInt = 500,
    gap: Any = 0.05,
    agreement: Unit | None = None,
    *,
    kind: Kind = "scores",
    level: Unit = 0.7,
    ties: Unit = 0.0,
    top: PositiveInt = 1,
    margin: NonNegative = 0.0,
    delta: ErrorProbability = 0.05,
    parallel: PositiveInt = 1,
    rounds: PositiveInt | None = None,
    runs: PositiveInt = 40,
    seed: Seed = 0,
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
    level : float
        Of scores, the mean of the best arm.
    ties : float
        Of duels, in which share of the cells neither wins.
    top : int
        Of scores, how many of the best arms are wanted; the gap is then between the last of these
        and the next one.
    margin, delta : float
        As for :func:`cpe_opt.best_of`.
    parallel, rounds : int
        How many calls are open at once, or in about how many rounds they are made.
    runs, seed : int
        How many tables, and what draws them.
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
    most = 0.5 if kind == "duels" else level
    gaps = np.sort(np.atleast_1d(checked_array("gap", gap)))
    if len(gaps) not in (1, arms - 1):
        raise InputError(f"gap has {len(gaps)} numbers, expected one, or {arms - 1}: one an arm")
    for each in gaps[~((gaps >= 0.0) & (gaps <= most))].tolist():
        words = "a half" if kind == "duels" else "the level"
        raise InputError(f"gap is {each:g}, expected a number from 0 to {words}, {most:g}")
    if ties and kind == "scores":
        raise InputError(f"ties is {ties:g}, and has no effect on scores: expected kind='duels'")
    if top >= (2 if kind == "duels" else arms):
        raise InputError(f"top is {top}, expected fewer than the {arms} arms; of duels 1")
    options: dict[str, Any] = {"delta": delta, "margin": margin}
    options |= {"parallel": parallel} if rounds is None else {"rounds": rounds}
    judges = (None,) if agreement is None else (None, agreement)
    taken = np.zeros((len(judges), 2, runs), dtype=np.int64)
    for run in range(runs):
        drawn, *seeds = np.random.SeedSequence([seed, run]).spawn(3)
        for number, judge in enumerate(judges):
            rng = np.random.default_rng(drawn)
            table = random_table(
                rng, kind, arms, items, gaps, judge, level=level, ties=ties, top=top
            )
            taken[number, :, run] = _played(_LEARNERS[kind], table, options, *seeds)
        step("runs", run + 1)
    plain, *cheap = (RunsToProof(calls, waits) for calls, waits in taken)
    cells = arms * items if kind == "scores" else arms * (arms - 1) * items
    return CallsNeeded(cells, plain, cheap[0] if cheap else None)


def random_table(
    rng: np.random.Generator,
    kind: Kind,
    arms: int,
    items: int,
    gaps: FloatArray,
    agreement: float | None,
    *,
    level: float = 0.7,
    ties: float = 0.0,
    top: int = 1,
) -> ItemScores | ItemDuels:
    """A table with these gaps, one or those of all, and the hints of a cheap judge."""
    behind = np.concatenate([np.zeros(arms - len(gaps)), gaps])
    if len(gaps) == 1:
        behind[top:-1] = gaps + _SPREAD * rng.random(arms - top - 1)
    behind = rng.permutation(behind)
    if kind == "scores":
        latent = rng.standard_normal(items) + _OWN * rng.standard_normal((arms, items))
        table = _largest(latent, items * np.maximum(level - behind, 0.0))
    else:
        strength = -ndtri(0.5 + np.minimum(behind, 0.5 - 0.5 / items))
        table = np.full((arms, arms, items, 2), np.nan)
        for i, j in combinations(range(arms), 2):
            wins = np.array([2 * items * ndtr(strength[i] - strength[j])])
            tied = np.minimum(2 * items * ties, 2 * np.minimum(wins, 2 * items - wins))
            drawn = rng.random((1, 2 * items))
            won, not_lost = (_largest(drawn, wins + each) for each in (-tied / 2.0, tied / 2.0))
            table[i, j] = (0.5 * (won + not_lost)).reshape(items, 2)
    hints = None
    if agreement is not None:
        right = rng.random(table.shape) < agreement
        said = np.where(table == 0.5, rng.random(table.shape) < 0.5, table)
        hints = np.where(right, said, 1.0 - said)
    if kind == "scores":
        return ItemScores(table, hints=hints, top=top)
    return ItemDuels(table, hints=hints)


def _largest(latent: FloatArray, numbers: FloatArray) -> FloatArray:
    """1 for so many of the largest entries of each row, 0 for the others."""
    order = np.argsort(-latent, axis=1, kind="stable")
    place = np.argsort(order, axis=1, kind="stable")
    return np.asarray(place < np.rint(numbers)[:, None], dtype=np.float64)


def _played(
    learner: str,
    problem: ItemScores | ItemDuels,
    options: dict[str, Any],
    order: np.random.SeedSequence,
    own: np.random.SeedSequence,
) -> tuple[int, int]:
    """Calls and rounds of a run."""
    environment: Any = problem.environment(np.random.default_rng(order))
    told: dict[str, Any] = {"cells": problem.cells, "hints": problem.told_hints}
    rng = np.random.default_rng(own)
    exchange = Exchange(
        get_learner(learner), problem.known, rng, family=problem.family, **told, **options
    )
    calls = rounds = left = 0
    while not exchange.finished:
        query = exchange.query
        open_: Sequence[Any] = query.queries if isinstance(query, Window) else (query,)
        if left == 0:
            left, calls, rounds = len(open_), calls + len(open_), rounds + 1
        left -= 1
        exchange.tell(environment.answer(environment.check(open_[0])))
    return calls, rounds

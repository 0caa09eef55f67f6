r"""RankEl: PAC elicitation of the Copeland ranking.

A ranking τ of the arms is wanted that is, with probability at least :math:`1 - \delta`, within a
distance ρ of the Copeland order: arm i before arm j where :math:`d_i > d_j`,
:math:`d_i = \#\{k : p_{ik} > \frac12\}`, and either way where they are equal. Confidence intervals
of the :math:`p_{ij}` give intervals :math:`[\underline d_i, \overline d_i]`, all arms are ranked by
their midpoints, and the distance is bounded by what these intervals allow:

- ``kendall``: pairs of arms in the wrong order, at most the number of those with i before j in τ
  and :math:`\overline d_j > \underline d_i`;
- ``displacement``: how many places an arm is off, at most. Where ties are broken as τ does, arm i
  is preceded by all j with :math:`\underline d_j > \overline d_i`, and by none with
  :math:`\overline d_j < \underline d_i`.

Every pass duels each pair once that is not decided and has an arm whose place is open; the
algorithm stops when the bound is at most ρ.

With ρ = 0 the first arm is a Copeland winner. The confidence intervals are those of
:func:`cpe_opt.learners.dueling.elimination.at_any_time`, with :math:`\delta / N` for each of the N
pairs; a tied pair is never decided. They may differ from the paper's in their constants, so that
SAVAGE and RankEl differ in what they look for alone.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.elimination import PairRace, arms_tie, at_any_time, play_on
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import Arms, ErrorProbability, NonNegative, Rounds, checked_delta

Distance: TypeAlias = Literal["kendall", "displacement"]


@declare(
    family="dueling",
    goal="PAC",
    guarantee="a ranking within rho of the Copeland order with probability at least 1 - delta",
    paper="Busa-Fekete, Szörényi, Hüllermeier (AAAI 2014)",
    endless_if="two arms tie",
    endless_on=arms_tie,
    batches="every pair of a pass",
)
def rankel(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    horizon: Rounds | None = None,
    delta: ErrorProbability | None = None,
    rho: NonNegative = 0.0,
    distance: Distance = "kendall",
) -> Generator[Duel | Batch, Any, tuple[int, ...]]:
    """Rank the arms as their Copeland scores do, and play the first from then on.

    Parameters
    ----------
    horizon : int, optional
        T; the first arm is played until then. Without one the algorithm stops with the ranking.
    delta : float, optional
        Between 0 and 1; 1/T by default, 0.05 without a horizon.
    rho : float
        The distance allowed.
    distance : "kendall" or "displacement"

    Returns
    -------
    tuple of int
        The arms, best first; where the rounds end before the ranking is known, by how many others
        they lead against.

    References
    ----------
    Busa-Fekete, Szörényi, Hüllermeier, "PAC Rank Elicitation through Adaptive Sampling of
    Stochastic Pairwise Preferences", AAAI 2014.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("rankel", mu, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((0, 3, 1, 2), True)
    """
    pairs = arms * (arms - 1) // 2
    race = PairRace(arms, at_any_time(checked_delta(delta, horizon) / pairs), horizon)

    def open_places() -> set[int]:
        lowest, highest = score_bounds(race)
        ranking = ranked(lowest, highest)
        doubt = doubts(ranking, lowest, highest, distance)
        total = doubt.sum() / 2 if distance == "kendall" else doubt.max()
        return set(np.flatnonzero(doubt > 0).tolist()) if total > rho else set()

    try:
        yield from race.run(open_places)
    except HorizonReached:
        led = np.array(race.scores())
        return ranked(led, led)
    ranking = ranked(*score_bounds(race))
    if horizon is not None:
        yield from play_on(ranking[0], horizon - race.rounds)
    return ranking


def score_bounds(race: PairRace) -> tuple[IntArray, IntArray]:
    """The least and the largest Copeland score of every arm, for all that is decided."""
    return np.array(race.wins), race.arms - 1 - np.array(race.losses)


def ranked(lowest: IntArray, highest: IntArray) -> tuple[int, ...]:
    """The arms by the midpoints of their scores, best first; ties to the smaller arm."""
    middle = lowest + highest
    return tuple(np.argsort(-middle, kind="stable").tolist())


def doubts(
    ranking: Sequence[int], lowest: IntArray, highest: IntArray, distance: Distance
) -> IntArray:
    """What each arm may add to the distance between the ranking and the Copeland order; (K,)."""
    place = np.argsort(ranking, kind="stable")
    before = place[:, None] < place[None, :]  # [i, j]: i stands before j
    wrong = before & (highest[None, :] > lowest[:, None])
    if distance == "kendall":
        return np.asarray(wrong.sum(axis=0) + wrong.sum(axis=1))
    # Arm j may precede i where it scores more, or as much and stands before it.
    may = (highest[:, None] > lowest[None, :]) | ((highest[:, None] == lowest[None, :]) & before)
    must = (lowest[:, None] > highest[None, :]) | ((lowest[:, None] == highest[None, :]) & before)
    for matrix in (may, must):
        np.fill_diagonal(matrix, val=False)
    return np.asarray(np.maximum(may.sum(axis=0) - place, place - must.sum(axis=0)))

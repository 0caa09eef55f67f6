"""Blocks of duels that are planned before they begin, and what a proof is worth before its time."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.learners.queries import condition
from cpe_opt.problems.queries import Duel

_PARTS = 100


def batches_of(planned: IntArray, parallel: int) -> Iterator[list[Duel]]:
    """The duels of a block in batches of at least ``parallel``, and of a hundredth of the block.

    Each has its share of every pair; with ``parallel`` 1 each is a pair with all its duels.

    Parameters
    ----------
    planned : int array, symmetric
        The duels of each pair.
    parallel : int
    """
    pairs = [(int(i), int(j)) for i, j in np.argwhere(np.triu(planned))]
    times = [int(planned[pair]) for pair in pairs]
    if parallel == 1:
        for (i, j), duels in zip(pairs, times, strict=True):
            yield [Duel(i, j, duels)]
        return
    # Shares are rounded, each by less than one duel.
    parts = max(1, min(_PARTS, sum(times) // (parallel + len(pairs))))
    for part in range(parts):
        shares = [duels * (part + 1) // parts - duels * part // parts for duels in times]
        yield [Duel(*pair, share) for pair, share in zip(pairs, shares, strict=True) if share]


def evidence_so_far(evidence: float, delta: float, assumption: str = "") -> str:
    """How far an answer before its time is from its proof, in words.

    A delta that is chosen to fit the evidence would be no probability of an error, so none is said.

    Parameters
    ----------
    evidence : float
        A natural logarithm: the answer is proved where it is at least ln(1/delta).
    delta : float
    assumption : str
        What that rests on, as of :class:`cpe_opt.learners.queries.Conditional`.
    """
    if evidence <= 0.0:
        return "nothing is proved of the answer by then"
    return (
        f"by then it has evidence {evidence:.3g}, and a proof at delta = {delta:g} needs "
        f"{-math.log(delta):.3g} (natural logarithms){condition(assumption)}"
    )

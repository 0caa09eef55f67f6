"""Random: duels of uniformly random pairs, the baseline that learns nothing from what it sees."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import Arms

_BLOCK = 4096


@declare(
    family="dueling",
    goal="regret",
    guarantee="none: its regret is linear",
    paper="Komiyama, Honda, Nakagawa (ICML 2016), section 5",
    endless=True,
)
def random_pairs(arms: Arms, *, rng: np.random.Generator) -> Generator[Duel, int, int]:
    """Duel a uniformly random pair of different arms, round after round.

    Returns
    -------
    int
        The arm that the fewest arms beat by the estimates, when the horizon is reached.

    References
    ----------
    The baseline "Random" of Komiyama, Honda, Nakagawa (ICML 2016), section 5.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("random-pairs", mu, horizon=1000, seed=0)
    >>> trace.answer
    0
    """
    first, second = np.triu_indices(arms, 1)
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    tally = DuelTally(arms)
    try:
        while True:
            for number in rng.integers(len(pairs), size=_BLOCK).tolist():
                i, j = pairs[number]
                tally.add(i, j, (yield Duel(i, j)))
    except HorizonReached:
        return int(np.argmin(tally.beaten.sum(axis=1)))

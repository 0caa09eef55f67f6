r"""Is the first arm better than ``low``, or worse than ``high``? A sequential test of two arms.

What users of engines run as a sequential probability ratio test (SPRT, GSPRT, pentanomial), with
errors that hold for every distribution of the pairs of games and at every look: the theorem, the
stakes, and how many pairs it takes are those of :mod:`cpe_opt.proofs.dueling.two_arms`.

Each duel is a pair of games, or a vote; its observation is what arm 0 gets, 0, ¼, ½, ¾ or 1.
Several may be open at once: they are counted in the order in which they were asked, each with a
stake by those before it.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.tracking import Checkpoint, TrackerState, track_singly
from cpe_opt.problems.queries import Duel, Window
from cpe_opt.proofs.dueling.two_arms import SCORES, TwoArmBets
from cpe_opt.validation import Arms, ErrorProbability, PositiveInt, Share


@declare(
    family="dueling",
    goal="identification",
    guarantee="arm 0 where its mean is at most low with probability at most alpha, arm 1 where the "
    "mean of arm 0 is at least high with probability at most beta; pairs near those of the SPRT",
    paper="ours; after Wald (1945), Waudby-Smith, Ramdas (2023)",
    batches="as many pairs as the parameter parallel says, if above 1",
    arms=2,
    shares=True,
)
def sequential_test(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    low: Share,
    high: Share,
    alpha: ErrorProbability = 0.05,
    beta: ErrorProbability = 0.05,
    parallel: PositiveInt = 1,
    checkpoint: Checkpoint | None = None,
) -> Generator[Duel | Window, Any, int | Unproved]:
    """Test whether arm 0 is better than ``low`` or worse than ``high`` against arm 1.

    Parameters
    ----------
    low, high : float
        Mean shares of arm 0, 0 < low < high < 1, at which a false answer has the probability alpha
        and beta; between them both answers are right.
    alpha : float
        The probability of the answer "better than low" where that is false.
    beta : float
        The probability of the answer "worse than high" where that is false.
    parallel : int
        How many pairs are open at once.

    Returns
    -------
    int
        0 if arm 0 is better than low, 1 if it is worse than high; where the rounds end before
        either is proved, that for which there is more evidence.

    References
    ----------
    Wald, "Sequential Tests of Statistical Hypotheses", 1945. Waudby-Smith, Ramdas, "Estimating
    Means of Bounded Random Variables by Betting", 2023.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]])
    >>> trace = cpe.simulate("sequential-test", mu, low=0.5, high=0.6, seed=0)
    >>> trace.answer, trace.claim
    (0, 'proved')
    """
    if arms != 2:
        raise InputError(f"arms is {arms}, expected 2: sequential_test compares two arms")
    test = _Test(TwoArmBets(low, high), -math.log(alpha), -math.log(beta), parallel)
    answer: int | Unproved = yield from track_singly(test, checkpoint)
    return answer


class _Test:
    """The bets, and what they need: ln(1/alpha) and ln(1/beta)."""

    def __init__(self, bets: TwoArmBets, better: float, worse: float, parallel: int) -> None:
        self.bets, self.better, self.worse = bets, better, worse
        self._open = (Duel(0, 1),) * parallel

    def open_queries(self) -> Sequence[Duel]:
        """All alike: nothing is chosen."""
        return self._open

    def count(self, observed: float) -> None:
        """A pair."""
        self.bets.add(round(observed * (len(SCORES) - 1)))

    def proved(self) -> int | None:
        """The arm, once either product is as large as it needs to be."""
        if self.bets.log_better >= self.better:
            return 0
        return 1 if self.bets.log_worse >= self.worse else None

    def guess(self) -> int:
        """By the evidence, in parts of what is needed; without any by what arm 0 got."""
        return int(self.bets.log_better / self.better < self.bets.log_worse / self.worse)

    def doubt(self) -> str:
        """How far either is from its proof."""
        return (
            f"by then better than {self.bets.low:.6g} has evidence {self.bets.log_better:.3g} of "
            f"{self.better:.3g}, worse than {self.bets.high:.6g} has {self.bets.log_worse:.3g} of "
            f"{self.worse:.3g} (natural logarithms)"
        )

    def state(self) -> TrackerState:
        """The numbers of the bets."""
        return {"bets": self.bets.state()}

    def restore(self, state: TrackerState) -> None:
        """Go on from such a state."""
        self.bets.restore(state["bets"])

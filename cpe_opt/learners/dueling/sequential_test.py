r"""Is the first arm better than ``low``, or worse than ``high``? A sequential test of two arms.

What testers of engines run as a sequential probability ratio test, by the theorem and the stakes of
:mod:`cpe_opt.proofs.dueling.two_arms`. Pairs of games count in the order in which they were asked.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved
from cpe_opt.problems.queries import Duel, Window
from cpe_opt.proofs.dueling.two_arms import TwoArmBets
from cpe_opt.validation import Arms, ErrorBelowHalf, PositiveInt, Share


@declare(
    family="dueling",
    goal="identification",
    guarantee="arm 0 is better than low, or worse than high: false with probability at most alpha, "
    "and at most beta, whatever the distribution of the pairs; about as many pairs as an SPRT",
    paper="ours; after Wald (1945), Waudby-Smith, Ramdas (2023)",
    batches="as many pairs as the parameter parallel says, if above 1",
    shares=True,
)
def sequential_test(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    low: Share,
    high: Share,
    alpha: ErrorBelowHalf = 0.05,
    beta: ErrorBelowHalf = 0.05,
    parallel: PositiveInt = 1,
) -> Generator[Duel | Window, Any, int | Unproved]:
    """Test whether arm 0 is better than ``low`` or worse than ``high`` against arm 1.

    Parameters
    ----------
    low, high : float
        Mean shares of arm 0, 0 < low < high < 1; between them both answers are right.
    alpha, beta : float
        The probabilities of "better than low" and of "worse than high" where they are false.
    parallel : int
        How many pairs are open at once.

    Returns
    -------
    int
        0 if arm 0 is better than low, 1 if it is worse than high; at a horizon by the evidence.

    References
    ----------
    Wald, "Sequential Tests of Statistical Hypotheses", 1945.

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
    bets, queries = TwoArmBets(low, high), (Duel(0, 1),) * parallel
    needed = np.array([-math.log(alpha), -math.log(beta)])
    try:
        while (bets.evidence < needed).all():
            bets.add((yield Window(queries) if parallel > 1 else queries[0]).won)
    except HorizonReached:
        better, worse = bets.evidence
        doubt = (
            f"by then the evidence is {better:.3g} for better than {low:.6g} and {worse:.3g} for "
            f"worse than {high:.6g}, of {needed[0]:.3g} and {needed[1]:.3g} (natural logarithms)"
        )
        return Unproved(int(np.argmax(bets.evidence / needed)), doubt)
    return int(bets.evidence[0] < needed[0])

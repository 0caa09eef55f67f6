"""How large the next block of queries is, where a proof looks at whole blocks only.

A block costs a part of what is missing at the estimates, but no more than a share of all that was
spent before. Blocks are then large in the middle of a run, where looks would find nothing, and
small near its end.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """The two shares that bound the cost of a block.

    Attributes
    ----------
    part : float
        Of what is missing at the estimates.
    growth : float
        The most, as a share of all that was spent before.

    Examples
    --------
    >>> Pace().cost(spent=100.0, missing=60.0), Pace().cost(spent=10.0, missing=60.0)
    (20.0, 5.0)
    """

    part: float = 1.0 / 3.0
    growth: float = 0.5

    def cost(self, spent: float, missing: float, least: float = 0.0) -> float:
        """What the next block costs, at least ``least``."""
        return max(least, min(self.growth * spent, self.part * missing))

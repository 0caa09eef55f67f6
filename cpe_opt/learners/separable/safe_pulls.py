"""Rounds of COCI at once: those whose arms are the same whatever is observed in between.

As long as the same arms are undecided, COCI pulls that of them with the fewest pulls: all whose
pulls are below a level L get L, one after the other, and then the next level follows. So it is in
the coming rounds if, on every box that may occur in them, each arm with fewer than L pulls is
undecided, or decided, as it is now. What an arm with L pulls or more becomes does not matter: it is
not the first. Uniform sampling fills up all arms, as long as one of them stays undecided. Which
boxes may occur: :mod:`cpe_opt.learners.separable.estimates`; whether an arm stays what it is on
them: :mod:`cpe_opt.formulations.separable.box_test`.

Then the pulls up to L are those of single rounds, and are asked for in a batch, a query an arm. It
holds at most a sixteenth of the rounds so far and 65,536 pulls of an arm, so that memory does not
grow with the horizon, and ends before that: the last round is a single one.
"""

from __future__ import annotations

from cpe_opt.formulations.separable.box_test import CachedBoxTest, FreshBoxTest
from cpe_opt.learners.separable.estimates import ArmEstimates

_SHARE = 16
_MOST_LEVELS = 2**16


class SafePulls:
    """The pulls of the next rounds, as many as are certain.

    Parameters
    ----------
    estimates : ArmEstimates
    box : CachedBoxTest or FreshBoxTest
        The box test, moved to the box of the next round.
    horizon : int or None
    uniform : bool
        Whether all arms are pulled, or the undecided ones alone.
    """

    def __init__(
        self,
        estimates: ArmEstimates,
        box: CachedBoxTest | FreshBoxTest,
        horizon: int | None,
        *,
        uniform: bool,
    ) -> None:
        self._estimates, self._box = estimates, box
        self._horizon, self._uniform = horizon, uniform
        self._levels = 1  # of the last batch
        self._resume = 0  # the round before which no batch is tried

    def next(self) -> list[tuple[int, int]]:
        """Arms and their pulls, above 0; none where the next round alone is certain.

        At least one arm is undecided.
        """
        pulls = self._estimates.pulls
        if not self._box.knows_others or self._estimates.rounds < self._resume:
            return []
        undecided = [arm for arm in range(len(pulls)) if self._box.undecided(arm)]
        pulled = range(len(pulls)) if self._uniform else undecided
        lowest = min(pulls[arm] for arm in pulled)
        levels = min(2 * self._levels, _MOST_LEVELS)
        while levels:
            level = lowest + levels
            more = [0] * len(pulls)
            for arm in pulled:
                more[arm] = max(0, level - pulls[arm])
            if self._fits(sum(more)) and self._is_safe(undecided, more, level):
                self._levels = levels
                return [(arm, times) for arm, times in enumerate(more) if times]
            levels //= 2
        self._levels, self._resume = 1, self._estimates.rounds + len(pulled)
        return []

    def _fits(self, rounds: int) -> bool:
        played = self._estimates.rounds
        ends_before = self._horizon is None or played + rounds < self._horizon
        return ends_before and rounds * _SHARE <= played

    def _is_safe(self, undecided: list[int], more: list[int], level: int) -> bool:
        """Whether the same arms are pulled in all of these rounds."""
        boxes = self._estimates.reach(more)
        if self._uniform:
            return any(self._box.unchanged([arm], boxes) for arm in undecided)
        below = [arm for arm, pulls in enumerate(self._estimates.pulls) if pulls < level]
        return self._box.unchanged(below, boxes)

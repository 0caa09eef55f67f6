"""What can be asked of a problem: duels of two arms, pulls of an arm or of sets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Duel:
    """``times`` duels of arm i against arm j; the observation is how many of them i won.

    ``Duel(i, i, times=n)`` is an idle stretch: n rounds in which the learner plays i against itself
    because nothing it could observe would change its mind. Its observation means nothing.
    """

    i: int
    j: int
    times: int = 1

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return self.times


@dataclass(frozen=True, slots=True)
class Pull:
    """``times`` pulls of an arm; the observation is the array of its rewards."""

    arm: int
    times: int = 1

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return self.times


@dataclass(frozen=True, slots=True)
class PullSets:
    """Pulls of sets, ``times[s]`` of ``sets[s]``; the observation is the array of their sums.

    The sum over all pulls of a set of the sums of its elements' rewards; 0 for a set not pulled.
    """

    sets: tuple[tuple[int, ...], ...]
    times: tuple[int, ...]

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return sum(self.times)

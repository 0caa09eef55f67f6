"""What a learner can face: the protocol of problems.

Your own class with these members works wherever those of this package do: in
:func:`cpe_opt.simulate`, in experiments, in worker processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray

FAMILIES = {
    "dueling": "PreferenceMatrix",
    "matchings": "MatchingDuels",
    "subsets": "SubsetBandit",
    "separable": "SeparableProblem",
}
"""What can be a problem's family, and the class of this package that is one."""


class Environment(Protocol):
    """What answers the queries of a learner."""

    def check(self, query: object) -> Any:
        """The query, or :class:`cpe_opt.InputError` if it is not a legal one."""

    def answer(self, query: Any) -> Any:
        """The observation of a legal query."""


class Recorder(Protocol):
    """Counts rounds, samples and queries, and notes regret where there is such a thing."""

    units: str
    rounds: int
    queries: int

    @property
    def samples(self) -> int:
        """The samples so far; self-duels are rounds, but no samples."""

    def note(self, query: Any, times: int) -> None:
        """Book ``times`` rounds of a query."""

    def finish(self) -> tuple[IntArray, FloatArray]:
        """The rounds noted and the regret there; the last round is always among them."""

    def draw_counts(self) -> IntArray:
        """How often what was drawn."""


@runtime_checkable
class Problem(Protocol):
    """What a learner can face.

    A problem of duels over a fixed test set has ``cells`` as well: how many of each pair can be
    asked, an int array of shape (K, K), see :class:`cpe_opt.ItemDuels`; one of scores the number of
    its items, see :class:`cpe_opt.ItemScores`; and ``told_hints``, what a learner is told of the
    hints of its cells, or None. One of rewards may have
    ``noise_of(feedback)``, the standard deviation of the noise of an observation, of "single"
    elements or "sums": then a learner is refused whose guarantee rests on less.
    """

    @property
    def name(self) -> str:
        """For titles and file names."""

    @property
    def family(self) -> str:
        """One of :data:`FAMILIES`: which learners are for it."""

    @property
    def known(self) -> Any:
        """What a learner may know: the first argument of the learners of the family."""

    @property
    def labels(self) -> Sequence[str]:
        """Names for people of each arm, edge or element, by its number in a query."""

    @property
    def fingerprint(self) -> Any:
        """What tells the problem from any other of its class.

        Numbers, texts, arrays and lists of them; labels and name, which decide no run, are left
        out.
        """

    def environment(self, rng: np.random.Generator) -> Environment:
        """What answers queries in a simulation; all its randomness comes from ``rng``."""

    def recorder(
        self, *, horizon: int | None = None, regret: str | None = None, points: int | None = None
    ) -> Recorder:
        """What notes a run.

        Parameters
        ----------
        horizon : int, optional
            Without one, a run is as long as it is.
        regret : str, optional
            Its units, where the problem has such a thing; those that are usual by default.
        points : int, optional
            About how many rounds are noted.

        Raises
        ------
        cpe_opt.InputError
            Where ``regret`` or ``points`` is given and can have no effect.
        """

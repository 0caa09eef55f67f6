r"""CCB: Copeland confidence bound.

Intervals of duels at level :math:`\alpha \ln t` give optimistic and pessimistic Copeland scores:
an arm's upper score counts the arms that have not beaten it, its lower score those it has beaten.
Candidates :math:`\mathcal C_t` are the arms with the largest upper score. Three beliefs are kept:
:math:`\mathcal B`, arms that may be winners; :math:`\mathcal B^i`, a few arms that have beaten i
and so prove that it is none; and :math:`\bar L_C`, how many arms beat a winner. Of a pair that
never met the bounds are 2 and 0. (The paper also counts a lower bound of exactly ½, which no t ≥ 2
gives for a rational :math:`\alpha`.) Each round:

A. Where some :math:`j \in \mathcal B^i` has since been beaten by i, all beliefs are reset.
B. Every :math:`i \in \mathcal B` whose upper score is below some lower score leaves; unless
   :math:`|\mathcal B^i| = \bar L_C + 1`, :math:`\mathcal B^i` becomes the set of arms that have
   beaten i. Where nobody is left, all beliefs are reset.
C. For every candidate i whose two scores agree: :math:`i` joins :math:`\mathcal B`,
   :math:`\mathcal B^i = \emptyset`, :math:`\bar L_C` becomes its number of losses; every other
   :math:`\mathcal B^j` is emptied if it has fewer than :math:`\bar L_C + 1` arms and cut down at
   random to that many if it has more.

Then, with probability ¼, a random pair (i, j) with :math:`j \in \mathcal B^i` and an open interval
is compared, if there is one. Otherwise: with probability ⅔ the candidates are narrowed to
:math:`\mathcal B \cap \mathcal C_t`, unless that is empty; c is a random candidate; the pool is
:math:`\mathcal B^c` or, with probability ½ or where no arm of it is eligible, all arms; d maximises
the upper bound against c among the arms of the pool that have not beaten c, ties broken at random
and never in favour of c.

Uniform numbers of the learner's stream are drawn only where there is a choice. A, B and C depend on
decided pairs and beliefs alone, so they are skipped while neither has changed; nor do the pairs
that are open for step ¼, or who is eligible, change in between.

Idle stretches: when nothing is open for step ¼ and every candidate's duels are all decided, each
candidate meets itself, until the first t at which some interval reaches ½ again. The rounds are
split multinomially over the candidates, in random order: counts are exact at the end of a stretch,
and expected regret at every round of it.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.intervals import DuelIntervals, Uniforms
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import AboveHalf, Arms


@declare(
    family="dueling",
    goal="regret",
    guarantee="expected regret O((K² + (C + L_C) K ln T) / Δ²) for alpha > 1, without ties",
    paper="Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), Algorithm 1",
    endless=True,
)
def ccb(
    arms: Arms, *, rng: np.random.Generator, alpha: AboveHalf = 0.51
) -> Generator[Duel, int, int]:
    """Play near a Copeland winner by duels.

    Parameters
    ----------
    alpha : float
        Width of the confidence intervals, above ½; 0.51 in the experiments.

    Returns
    -------
    int
        The first candidate that may be a winner, when the horizon is reached.

    References
    ----------
    Zoghi, Karnin, Whiteson, de Rijke, "Copeland Dueling Bandits", NIPS 2015, Algorithm 1.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("ccb", mu, horizon=10**5, seed=0)
    >>> trace.answer
    0
    """
    uniforms = Uniforms(rng)
    intervals = DuelIntervals(arms, alpha, uniforms, bar_beaters=True)
    beliefs = Beliefs(intervals, arms, uniforms)
    duels = [[Duel(c, d) for d in range(arms)] for c in range(arms)]
    t = 1
    try:
        while True:
            intervals.advance(t)
            beliefs.update()
            if beliefs.idle:
                rounds = intervals.valid_until() - t
                yield from _idle(beliefs.candidates, rounds, rng)
                t += rounds
                continue
            c, d = beliefs.choose()
            won = yield duels[c][d]
            if c != d:
                intervals.add(c, d, won)
            t += 1
    except HorizonReached:
        return beliefs.answer


def _idle(
    candidates: list[int], rounds: int, rng: np.random.Generator
) -> Generator[Duel, int, None]:
    """Self-duels of the candidates, as many rounds as given."""
    if len(candidates) == 1:
        yield Duel(candidates[0], candidates[0], rounds)
        return
    split = rng.multinomial(rounds, np.full(len(candidates), 1.0 / len(candidates)))
    for place in rng.permutation(len(candidates)).tolist():
        if split[place]:
            yield Duel(candidates[place], candidates[place], int(split[place]))


class Beliefs:
    """What CCB believes of its arms, and whom it compares.

    It is ``idle`` while every candidate can only meet itself, and no belief is about to change.
    """

    def __init__(self, intervals: DuelIntervals, arms: int, uniforms: Uniforms) -> None:
        self._intervals, self._arms, self._uniforms = intervals, arms, uniforms
        self._seen = -1
        self._stable = self.idle = False
        self._open: list[tuple[int, int]] = []
        self._likely: list[int] = []
        self._eligible: dict[int, list[int]] = {}
        self.candidates = list(range(arms))  # with the largest upper score, ascending
        self._reset()

    @property
    def answer(self) -> int:
        """A candidate, one that may be a winner before the others."""
        return next((arm for arm in self.candidates if arm in self.possible), self.candidates[0])

    def update(self) -> None:
        """Steps A, B and C."""
        if self._stable and self._seen == self._intervals.changes:
            return
        before = (set(self.possible), [set(proof) for proof in self.proofs], self.losses_of_winner)
        losses, wins = self._intervals.losses, self._intervals.wins
        fewest = min(losses)
        self.candidates = [arm for arm, lost in enumerate(losses) if lost == fewest]
        sign = self._intervals.sign
        if any(sign(i, j) > 0 for i, proof in enumerate(self.proofs) for j in proof):
            self._reset()
        self._remove(losses, wins)
        full = self._arms - 1
        for arm in self.candidates:
            if wins[arm] + losses[arm] == full:
                self._add(arm, losses[arm])
        after = (self.possible, self.proofs, self.losses_of_winner)
        self._stable = before == after and self._seen == self._intervals.changes
        self._seen = self._intervals.changes
        self._open = [
            (i, j) for i, proof in enumerate(self.proofs) for j in sorted(proof) if not sign(i, j)
        ]
        likely = [arm for arm in self.candidates if arm in self.possible]
        self._likely = likely if len(likely) < len(self.candidates) else []
        self._eligible = {
            arm: [other for other in sorted(self.proofs[arm]) if sign(other, arm) <= 0]
            for arm in self.candidates
        }
        decided = all(wins[arm] + losses[arm] == full for arm in self.candidates)
        self.idle = self._stable and not self._open and decided

    def choose(self) -> tuple[int, int]:
        """The pair to compare."""
        uniforms = self._uniforms
        if self._open and uniforms.next() < 0.25:
            return self._open[uniforms.below(len(self._open))]
        pool = self._likely if self._likely and uniforms.next() < 2 / 3 else self.candidates
        c = pool[0] if len(pool) == 1 else pool[uniforms.below(len(pool))]
        eligible = self._eligible[c]
        among = eligible if eligible and uniforms.next() < 0.5 else None
        return c, self._intervals.strongest_against(c, among)

    def _reset(self) -> None:
        self.possible = set(range(self._arms))  # B
        self.proofs: list[set[int]] = [set() for _ in range(self._arms)]  # B^i
        self.losses_of_winner = self._arms  # L_C

    def _remove(self, losses: list[int], wins: list[int]) -> None:
        """Step B."""
        most = max(wins)
        for arm in sorted(self.possible):
            if self._arms - 1 - losses[arm] < most:
                self.possible.discard(arm)
                if len(self.proofs[arm]) != self.losses_of_winner + 1:
                    self.proofs[arm] = set(self._intervals.beaters(arm))
        if not self.possible:
            self._reset()

    def _add(self, winner: int, losses: int) -> None:
        """Step C for one candidate."""
        self.possible.add(winner)
        self.losses_of_winner = losses
        for arm, proof in enumerate(self.proofs):
            if arm == winner or len(proof) < losses + 1:
                proof.clear()
            elif len(proof) > losses + 1:
                self.proofs[arm] = set(self._uniforms.sample(sorted(proof), losses + 1))

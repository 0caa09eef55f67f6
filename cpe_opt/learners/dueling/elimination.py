r"""Races of pairs: all duelled in turn, each until it is decided or no longer matters.

A pair is decided at its n-th duel when :math:`|\hat p - \frac12| > \sqrt{\ln(\eta(n)/\delta) /
2n}` (Hoeffding), that is, when one arm leads by more than :math:`\sqrt{2 n \ln(\eta(n)/\delta)}`
duels. A lead grows by at most one a duel, so the first duel that could decide a pair is known in
advance.

SAVAGE, PBR and RankEl are such races (:class:`PairRace`). Every pass duels each pair still in the
race once, so all of them have been duelled equally often. Passes in which no pair can be decided,
however its duels fall, are played at once, a query a pair; at most a sixteenth of the passes so far
in one go, so that regret noted in between is near that of single passes, and only where they fit
into the horizon.

These queries are one batch. So is a single pass where pairs are dropped after it; where they are
dropped at once, a batch ends with the first pair that its duel may decide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

from cpe_opt.learners.queries import HorizonReached, ask_all
from cpe_opt.problems.queries import Batch, Duel

# From the number of duels of a pair to the lead that decides it.
LeadNeeded = Callable[[int], float]
_SHARE = 16


def arms_tie(mu: Any, parameters: Mapping[str, Any]) -> bool:
    """Whether two arms tie, or may, so that their race does not end."""
    return bool(getattr(mu, "ties", True))


class PairRace:
    """The pairs of K arms, their duels, and what these have decided.

    A pair is in the race while one of its arms is in the set that ``relevant`` finds; with
    ``both``, while both are.
    """

    def __init__(self, arms: int, needed: LeadNeeded, horizon: int | None) -> None:
        self.arms = arms
        # Those still in the race, i < j, in order: an ordered set.
        self.pairs = dict.fromkeys(combinations(range(arms), 2))
        self.leads = [[0] * arms for _ in range(arms)]  # wins of i against j, less those of j
        self.passes = self.rounds = 0  # how often each pair was duelled, and duels in all
        self.wins, self.losses = [0] * arms, [0] * arms  # pairs decided for and against each arm
        self._needed, self._horizon = needed, horizon

    def possible_winners(self) -> set[int]:
        """The arms that may be Copeland winners, as long as there are several."""
        most, least = self.arms - 1, max(self.wins)
        possible = {arm for arm, losses in enumerate(self.losses) if most - losses >= least}
        return possible if len(possible) > 1 else set()

    def unbeaten(self) -> set[int]:
        """The arms that have lost to nobody."""
        return {arm for arm, losses in enumerate(self.losses) if not losses}

    def scores(self) -> list[int]:
        """How many others each arm leads against: its Copeland score by the estimates."""
        return [sum(lead > 0 for lead in leads) for leads in self.leads]

    def leader(self) -> int:
        """The first arm that leads against the most others."""
        return most_leads(self.leads)

    def run(
        self,
        relevant: Callable[[], set[int]],
        *,
        both: bool = False,
        at_once: bool = False,
        max_duels: float = math.inf,
    ) -> Generator[Duel | Batch, Any, None]:
        """Duel until no pair is left, or each that is left has had its most duels.

        What is decided is dropped after the pass, or after every duel (``at_once``).
        """
        while self.pairs and self.passes < max_duels:
            times = self._passes_without_a_decision(max_duels)
            if times > 0:
                yield from self._duel(list(self.pairs), times)
                self.passes += times
            else:
                yield from self._single_pass(relevant, both=both, at_once=at_once)

    def _single_pass(
        self, relevant: Callable[[], set[int]], *, both: bool, at_once: bool
    ) -> Generator[Duel | Batch, Any, None]:
        """Duel each pair once."""
        decided, needed = False, self._needed(self.passes + 1)
        batch: list[tuple[int, int]] = []
        for pair in list(self.pairs):
            if pair not in self.pairs:
                continue
            batch.append(pair)
            if at_once and abs(self.leads[pair[0]][pair[1]]) + 1 > needed:
                yield from self._duel(batch)
                batch = []
                if self._decide(pair, needed):
                    decided = True
                    self._keep(relevant(), both=both)
        yield from self._duel(batch)
        for pair in batch:
            decided |= self._decide(pair, needed)
        self.passes += 1
        if decided:
            self._keep(relevant(), both=both)

    def _duel(
        self, pairs: list[tuple[int, int]], times: int = 1
    ) -> Generator[Duel | Batch, Any, None]:
        """Duel these pairs so often, and count who won."""
        wins = yield from ask_all([Duel(i, j, times) for i, j in pairs])
        for (i, j), won in zip(pairs, wins, strict=True):
            self.leads[i][j] += 2 * won - times
            self.leads[j][i] -= 2 * won - times
        self.rounds += times * len(pairs)

    def _decide(self, pair: tuple[int, int], needed: float) -> bool:
        """Whether a pair is decided; then it leaves the race."""
        i, j = pair
        lead = self.leads[i][j]
        if abs(lead) <= needed:
            return False
        winner, loser = (i, j) if lead > 0 else (j, i)
        self.wins[winner] += 1
        self.losses[loser] += 1
        del self.pairs[pair]
        return True

    def _keep(self, arms: set[int], *, both: bool) -> None:
        enough = all if both else any
        self.pairs = {p: None for p in self.pairs if enough(arm in arms for arm in p)}

    def _passes_without_a_decision(self, max_duels: float) -> int:
        lead = max(abs(self.leads[i][j]) for i, j in self.pairs)
        safe = duels_to_a_sign(self.passes, lead, self._needed) - 1
        if self._horizon is not None:
            safe = min(safe, (self._horizon - self.rounds) // len(self.pairs))
        return int(min(safe, max_duels - self.passes, max(1, self.passes // _SHARE)))


def most_leads(leads: Sequence[Sequence[int]]) -> int:
    """The first arm that leads against the most others."""
    scores = [sum(lead > 0 for lead in row) for row in leads]
    return scores.index(max(scores))


def play_on(arm: int, rounds: int) -> Generator[Duel, int, None]:
    """Play an arm against itself for the rest of the rounds."""
    if rounds > 0:
        with suppress(HorizonReached):
            yield Duel(arm, arm, rounds)


def at_any_time(delta: float) -> LeadNeeded:
    r"""The lead that errs with probability at most ``delta`` over all n.

    :math:`\eta(n) = \pi^2 n^2 / 3`: :math:`3\delta / \pi^2 n^2` a side at the n-th duel, which
    adds up to delta.
    """
    return lambda n: math.sqrt(2 * n * (math.log(math.pi**2 * n**2 / 3) - math.log(delta)))


def up_to(max_duels: int, delta: float) -> LeadNeeded:
    r"""The lead that errs with probability at most ``delta`` over the first ``max_duels`` duels.

    :math:`\eta` is twice ``max_duels``.
    """
    log = math.log(2 * max_duels) - math.log(delta)
    return lambda n: math.sqrt(2 * n * log)


def duels_to_a_sign(draws: int, lead: int, needed: LeadNeeded) -> int:
    """The fewest duels more after which the pair could be decided."""
    times = 1
    # The lead needed grows with the draws: whatever it exceeds the lead by is missing for certain.
    while lead + times <= (threshold := needed(draws + times)):
        times = max(times + 1, math.floor(threshold) + 1 - lead)
    return times

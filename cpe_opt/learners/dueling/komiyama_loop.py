r"""Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016): what CW-RMED and ECW-RMED share.

With :math:`N_{ij}` draws of a pair, estimates :math:`\hat\mu` and evidence
:math:`\hat d_{ij} N_{ij}`, a turn of the loop is

1. draw, once each, all pairs with :math:`N_{ij} < \alpha\sqrt{\ln t}` or
   :math:`|\hat\mu_{ij} - \frac12| \le \beta / \ln\ln t` (the latter once :math:`\ln\ln t > 0`);
2. draw the pairs of the current list one by one; after each,

   * if some empirical Copeland winner's rows hold for :math:`x = \hat d N / \ln t` (their smallest
     left-hand side, the winner's *evidence*, is at least :math:`\ln t`), note the pair (winner,
     winner) for the next list;
   * otherwise take the empirical winner with the smallest optimum, and note every pair whose
     optimal :math:`x^*_{ij} \ln t` exceeds :math:`\hat d_{ij} N_{ij}`, and (winner, winner);

   except pairs still to come in the current list.

The region's other bounds, :math:`x \le 1`, are not asked for: a pair may well have been drawn more
often than its share, and with its x cut down to 1 every row that it is in holds all the same. Step
1 goes by the round at which it begins: a pair that becomes due during it waits for the next turn.

Step 1 has "at most", where the paper has "less than". It matters for :math:`\beta = 0` alone: two
arms with estimates of exactly ½ against each other may both be winners without any row that asks
for their pair, and would stay so for good.

For the same reason rows and optima are the paper's own, ``ties="literal"`` (see
:mod:`cpe_opt.formulations.dueling.rows`): step 1 draws every pair whose estimate is exactly ½, so a
flip that costs nothing does not last.

So what is drawn in a step is known when it begins, and the pairs of a step, if a list has three or
more, are one batch: the answers are gone through in order, as if they had come one by one.

Choices the paper leaves open: lists are gone through in lexicographic order; of several empirical
winners whose rows hold, the one with the most evidence is played; ties go to the arm with the
smallest number.

Idle stretches: when only (i, i) is left to draw, no estimate changes, so nothing happens until the
first t with :math:`\ln t` above the evidence of i, or with :math:`\alpha\sqrt{\ln t}` above the
least number of draws. Both are known in closed form, and the stretch is one query.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

from cpe_opt.learners.dueling.crossing_times import first_above
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.exploration import Exploration, MakePlan
from cpe_opt.learners.dueling.forced_pairs import ForcedPairs
from cpe_opt.learners.queries import HorizonReached, ask_all
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import checked_count, checked_number


def algorithm_1(
    arms: int, make: MakePlan, alpha: float, beta: float
) -> Generator[Duel | Batch, Any, int]:
    """Algorithm 1; ``make`` says how optimal explorations are found. Returns a winner."""
    checked_count("arms", arms, least=2)
    checked_number("alpha", alpha, above=0.0)
    checked_number("beta", beta, least=0.0)
    tally = DuelTally(arms)
    plans = Exploration(tally, make)
    forced = ForcedPairs(tally, alpha, beta)
    duels = {i * arms + j: Duel(i, j) for i in range(arms) for j in range(i, arms)}
    current = [pair for pair, duel in duels.items() if duel.i != duel.j]
    t = 1
    try:
        while True:
            due = forced.due(t)
            wins = (yield from ask_all([duels[pair] for pair in due])) if due else ()
            for pair, won in zip(due, wins, strict=True):
                duel = duels[pair]
                plans.drawn(duel.i, duel.j, won)
                forced.drawn(pair)
                t += 1
            # A draw just made may be due again; without one, nothing is due before the closed form.
            if not due and len(current) == 1 and plans.is_sure(current[0], math.log(t)):
                rounds = idle_rounds(plans.evidence, forced.fewest(), t, alpha)
                if rounds > 0:
                    yield Duel(plans.safest, plans.safest, rounds)
                    t += rounds
                    continue
            following: set[int] | None = None
            waiting = set(current)
            # Of two pairs, one is a winner against itself as a rule.
            at_once: list[int] = []
            if len(current) > 2:
                at_once = yield Batch(tuple(duels[pair] for pair in current))
            for place, pair in enumerate(current):
                duel = duels[pair]
                won = at_once[place] if at_once else (yield duel)
                if duel.i != duel.j:
                    plans.drawn(duel.i, duel.j, won)
                    forced.drawn(pair)
                waiting.discard(pair)
                entered = plans.look(math.log(t))
                t += 1
                if following is None:
                    following = plans.wanted - waiting
                    continue
                # What was wanted before, and not still to come, has been noted.
                following |= entered - waiting
                if pair in plans.wanted:
                    following.add(pair)
            current = sorted(following or ())
    except HorizonReached:
        return plans.safest


def idle_rounds(evidence: float, fewest: float, t: int, alpha: float) -> int:
    """How many rounds from t on change nothing while only (i, i) is drawn.

    No pair is forced and the rows hold at rounds t, …, t + rounds - 1. The rule with beta starts at
    t = 3 and never catches a pair later that it has spared before.
    """
    if t < 3:
        return 0
    forced_at = first_above(lambda s: alpha * math.sqrt(math.log(s)), fewest, (fewest / alpha) ** 2)
    fails_at = first_above(math.log, evidence, evidence)
    return max(0, min(forced_at, fails_at) - t)

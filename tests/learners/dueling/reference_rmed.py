"""ECW-RMED, RMED1 and RMED2FH as printed, round by round, sharing no code with the package.

Every row of the region of ECW-RMED is enumerated by itertools, every h of Theorem 5 is tried,
nothing is kept between rounds, and self-duels are played one at a time.
"""

import math
from itertools import combinations


def divergence(p):
    total = 0.0
    for share in (p, 1 - p):
        if share > 0:
            total += share * math.log(2 * share)
    return max(0.0, total)


def region_evidence(winner, mu, evidence):
    """The least sum over all rows of equation (2), of the pairs' evidence."""
    arms = range(len(mu))
    superiors = [[j for j in arms if mu[i][j] < 0.5] for i in arms]
    inferiors = [[j for j in arms if mu[i][j] > 0.5] for i in arms]
    losses = [len(s) for s in superiors]
    first, second = sorted(losses)[:2]
    least = math.inf
    for other in arms:
        if other == winner:
            continue
        pool = [j for j in superiors[other] if j != winner]
        for level in range(max(0, first - 1), second + 1):
            for heads in combinations(inferiors[winner], level + 1 - losses[winner]):
                size = max(0, losses[other] - level - (other in heads))
                for tails in combinations(pool, size):
                    row = sum(evidence[winner][j] for j in heads)
                    row += sum(evidence[other][j] for j in tails)
                    least = min(least, row)
    return least


def ecw_solution(winner, mu, d):
    """x and value of the relaxation (4), (5) by trying every h."""
    arms = range(len(mu))
    losses = [sum(mu[i][j] < 0.5 for j in arms) for i in arms]
    first = min(losses)
    scale = 2 * (len(mu) - 1)
    x = [[0.0] * len(mu) for _ in arms]
    value = 0.0
    for j in arms:
        if mu[winner][j] > 0.5:
            x[winner][j] = x[j][winner] = 1.0
            value += (losses[winner] + losses[j] - 2 * first) / scale / d[winner][j]
    for other in arms:
        if other == winner:
            continue
        pool = [j for j in arms if mu[other][j] < 0.5 and j != winner]
        size = losses[other] - losses[winner] + 1
        if size > len(pool):
            continue
        cost = {j: (losses[other] + losses[j] - 2 * first) / scale / d[other][j] for j in pool}
        order = sorted(pool, key=lambda j: (cost[j], j))
        spare = len(pool) - size
        best = None
        total = 0.0
        for h, j in enumerate(order, 1):
            total += cost[j]
            if h > spare and (best is None or total / (h - spare) < best[0]):
                best = (total / (h - spare), h)
        value += best[0]
        for j in order[: best[1]]:
            x[other][j] = x[j][other] = 1.0 / (best[1] - spare)
    return x, value


def first_least(values):
    least = min(values)
    slack = 0.0 if math.isinf(least) else 1e-9 * (1 + abs(least))
    return next(index for index, value in enumerate(values) if value <= least + slack)


class State:
    def __init__(self, arms):
        self.wins = [[0] * arms for _ in range(arms)]
        self.arms = range(arms)

    def count(self, i, j, won):
        self.wins[i][j] += won
        self.wins[j][i] += 1 - won

    def draws(self, i, j):
        return self.wins[i][j] + self.wins[j][i]

    def look(self):
        """Estimates, divergences, evidence, empirical winners."""
        mu = [
            [self.wins[i][j] / self.draws(i, j) if self.draws(i, j) else 0.5 for j in self.arms]
            for i in self.arms
        ]
        d = [[divergence(mu[i][j]) for j in self.arms] for i in self.arms]
        evidence = [[d[i][j] * self.draws(i, j) for j in self.arms] for i in self.arms]
        losses = [sum(p < 0.5 for p in row) for row in mu]
        winners = [i for i in self.arms if losses[i] == min(losses)]
        return mu, d, evidence, winners


def reference_ecw_rmed(arms, duel, horizon, *, alpha=3.0, beta=0.01):
    """Play ``horizon`` rounds; ``duel(i, j)`` says whether i wins. Returns the pairs played."""
    state = State(arms)
    pairs = [(i, j) for i in range(arms) for j in range(i + 1, arms)]
    current = list(pairs)
    played = []

    def play(i, j):
        if len(played) == horizon:
            raise StopIteration
        played.append((i, j))
        won = duel(i, j)
        if i != j:
            state.count(i, j, won)

    try:
        while True:
            t = len(played) + 1
            mu, *_ = state.look()
            limit = -1.0 if math.log(t) <= 1 else beta / math.log(math.log(t))
            short = [
                (i, j)
                for i, j in pairs
                if state.draws(i, j) < alpha * math.sqrt(math.log(t))
                or abs(mu[i][j] - 0.5) <= limit
            ]
            for i, j in short:
                play(i, j)
            remaining = list(current)
            following = set()
            for pair in current:
                t = len(played) + 1
                play(*pair)
                remaining.remove(pair)
                mu, d, evidence, winners = state.look()
                found = [region_evidence(w, mu, evidence) for w in winners]
                safest = first_least([-e for e in found])
                if found[safest] >= math.log(t):
                    new = {(winners[safest], winners[safest])}
                else:
                    plans = [ecw_solution(w, mu, d) for w in winners]
                    chosen = first_least([value for _, value in plans])
                    x = plans[chosen][0]
                    new = {(i, j) for i, j in pairs if x[i][j] * math.log(t) > evidence[i][j]}
                    new.add((winners[chosen], winners[chosen]))
                following |= {p for p in new if p not in remaining}
            current = sorted(following)
    except StopIteration:
        return played


def reference_rmed(arms, duel, horizon, *, fixed_horizon=False, alpha=3.0):
    """RMED1, or RMED2FH where the horizon is ``fixed_horizon``."""
    state = State(arms)
    played = []
    slack = 0.3 * arms**1.01

    def look():
        """Estimates, and the empirical divergence of each arm."""
        mu, d, _, _ = state.look()
        values = [
            sum(state.draws(i, j) * d[i][j] for j in range(arms) if j != i and mu[i][j] <= 0.5)
            for i in range(arms)
        ]
        return mu, values

    def play(i, j):
        if len(played) == horizon:
            raise StopIteration
        played.append((i, j))
        won = duel(i, j)
        if i != j:
            state.count(i, j, won)

    assert divergence(0.5) == 0.0
    try:
        first = math.ceil(alpha * math.log(math.log(horizon))) if fixed_horizon else 1
        for _ in range(first):
            for i in range(arms):
                for j in range(i + 1, arms):
                    play(i, j)
        rivals = [None] * arms
        if fixed_horizon:
            mu, values = look()
            best = min(range(arms), key=lambda i: values[i])
            for i in range(arms):
                ratios = {
                    j: (mu[best][i] - 0.5 + mu[best][j] - 0.5) / divergence(mu[i][j])
                    for j in range(arms)
                    if mu[i][j] < 0.5
                }
                rivals[i] = min(ratios, key=ratios.get) if ratios else best
        current = list(range(arms))
        while True:
            remaining = list(current)
            following = set()
            for arm in current:
                mu, values = look()
                best = min(range(arms), key=lambda i: values[i])
                superiors = [j for j in range(arms) if j != arm and mu[arm][j] <= 0.5]
                if best in superiors or not superiors:
                    other = best
                else:
                    other = min((j for j in range(arms) if j != arm), key=lambda j: mu[arm][j])
                t = len(played) + 1
                rival = rivals[arm]
                if arm != best and rival in superiors:
                    patience = max(0.0, math.log(max(1.0, math.log(t))))
                    if state.draws(arm, best) * patience >= state.draws(arm, rival):
                        other = rival
                play(arm, other)
                remaining.remove(arm)
                _, values = look()
                least = min(values)
                following |= {
                    j
                    for j in range(arms)
                    if j not in remaining and values[j] - least <= math.log(t) + slack
                }
            current = sorted(following)
    except StopIteration:
        return played

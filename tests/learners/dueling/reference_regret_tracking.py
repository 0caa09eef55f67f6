"""Regret tracking, plainly: all is computed anew for every query, no code shared but divergences.

Ways are enumerated challenger by challenger, number of losses by number of losses; nothing is kept
but the duels, the shares of the pairs and what was spent.
"""

import math
from itertools import combinations

from cpe_opt.learners.dueling.duel_counts import bernoulli_divergence

NEAR = 1e-9


def least(values):
    """The first index of the smallest; nearly equal is equal."""
    smallest = min(values)
    slack = NEAR * abs(smallest) if math.isfinite(smallest) else 0.0
    return next(k for k, value in enumerate(values) if value <= smallest + slack)


def divergence(p):
    """As the package rounds it: evidence may otherwise be exactly ln t."""
    return bernoulli_divergence(2 * p - 1)


class Reference:
    """``ask`` for (i, j, times), then ``tell`` how many duels i won."""

    def __init__(self, arms, weight=0.7, exploration=0.03):
        self.arms, self.weight, self.exploration = range(arms), weight, exploration
        self.won = [[0] * arms for _ in self.arms]
        self.shares = dict.fromkeys(combinations(self.arms, 2), 0.0)
        self.answer, self.t, self.duels, self.due = 0, 1, 0, 0
        self.spent = self.lost = self.lost_exploring = 0.0
        self.switches = self.priced = 0
        self.dear = set()

    def draws(self, a, b):
        return self.won[a][b] + self.won[b][a]

    def leads(self, a, b):
        return self.won[a][b] > self.won[b][a]

    def evidence(self, a, b):
        n = self.draws(a, b)
        return n * divergence(self.won[a][b] / n) if n else 0.0

    def believe(self):
        """Beliefs and discounts of costs, which hold until they are due again."""
        arms, k = self.arms, len(self.arms)
        lost = []
        for a in arms:
            met = [b for b in arms if b != a and self.draws(a, b)]
            lost.append((sum(self.leads(b, a) for b in met) + 1) / (len(met) + 2))
        self.discounts = [
            [
                min(3.0, max(0.0, math.log(lost[b] * (1 - lost[a]) / (lost[a] * (1 - lost[b])))))
                for b in arms
            ]
            for a in arms
        ]
        self.beaten = [[0.0] * k for _ in arms]
        for a in arms:
            for b in arms:
                if a == b:
                    continue
                doubt = 0.5 * math.erfc(math.sqrt(self.evidence(a, b)))
                odds = lost[a] * (1 - lost[b]) / (lost[b] * (1 - lost[a]))
                unmet = odds / (1 + odds)
                met = doubt if self.leads(a, b) else 1 - doubt
                self.beaten[a][b] = met if self.draws(a, b) else unmet
        self.losses = [sum(row) for row in self.beaten]

    def cost(self, a, b):
        """That a beats b."""
        return max(0.0, self.evidence(a, b) - self.discounts[a][b]) if self.leads(b, a) else 0.0

    def ways(self, i):
        """The weakest way of each challenger: (index, challenger, statements)."""
        arms, k = self.arms, len(self.arms)
        key = {(a, b): self.cost(a, b) + (not self.leads(a, b)) for a in arms for b in arms}
        free = sum(self.cost(a, i) == 0 for a in arms if a != i)
        found = []
        for j in arms:
            if j == i:
                continue
            others = [c for c in arms if c not in (i, j)]
            tails = [(j, c) for c in sorted(others, key=lambda c: key[j, c])]
            heads = [(c, i) for c in sorted(others, key=lambda c: key[c, i])]
            indices, ways = [], []
            for m in range(max(0, min(free - 1, k - 2)), k - 1):
                for pair, size in (((j, i), k - 2 - m), ((i, j), k - m)):
                    if size > k - 2:
                        continue
                    way = tails[:size] + heads[:m] + [pair]
                    costly = [(a, b) for a, b in way if self.cost(a, b) > 0]
                    number = sum(self.draws(a, b) for a, b in costly)
                    total = sum(self.cost(a, b) for a, b in costly)
                    indices.append(total + self.weight * math.log(max(number, 1)))
                    ways.append(way)
            best = least(indices)
            found.append((indices[best], j, ways[best]))
        return sorted(found, key=lambda each: each[0])

    def opened(self, way):
        return [(a, b) for a, b in way if not self.leads(a, b)]

    def regret(self, a, b):
        excess = self.losses[a] + self.losses[b] - 2 * min(self.losses)
        return max(excess, 0.25) / (2 * (len(self.arms) - 1))

    def nat(self, a, b):
        """Regret of a unit of evidence."""
        n = self.draws(a, b)
        d = divergence((self.won[a][b] + 1) / (n + 2)) + 0.5 / (n + 3)
        return self.regret(a, b) / d

    def unit_cost(self, a, b):
        return self.nat(a, b) / max(self.beaten[a][b], 0.05)

    def lacking(self, i):
        index, _, way = self.ways(i)[0]
        opened = self.opened(way)
        if not opened:
            return math.inf
        return max(math.log(self.t) - index, 0) * min(self.unit_cost(*pair) for pair in opened)

    def choose(self):
        limit = min(self.losses) + 1.0
        near = sorted(
            (i for i in self.arms if self.losses[i] <= limit), key=self.losses.__getitem__
        )
        near = near[:6]
        if len(near) == 1:
            return near[0]
        if self.duels >= max(1.5 * self.priced, 10 * len(self.arms)):
            self.priced, self.dear = self.duels, self.dear_winners()
        near = [i for i in near if i not in self.dear] or near
        lacking = [self.lacking(i) for i in near]
        best = least(lacking)
        if self.answer in near:
            if self.switches >= 30 + len(self.arms):
                return self.answer
            if 0.5 * lacking[near.index(self.answer)] <= lacking[best]:
                return self.answer
            self.switches += 1
        return near[best]

    def dear_winners(self):
        """Winners by the likelier signs whose constant, by ECW, is 15 % above the least."""
        arms = self.arms
        beaten = [
            [
                a != b
                and (
                    self.beaten[a][b] > 0.5 + NEAR
                    or (abs(self.beaten[a][b] - 0.5) <= NEAR and a > b)
                )
                for b in arms
            ]
            for a in arms
        ]
        losses = [sum(row) for row in beaten]
        winners = [i for i in arms if losses[i] == min(losses)]
        if len(winners) == 1:
            return set()

        def unit(a, b):
            n = self.draws(a, b)
            d = divergence((self.won[a][b] + 1) / (n + 2)) + 0.5 / (n + 3)
            excess = losses[a] + losses[b] - 2 * min(losses)
            return excess / (2 * (len(arms) - 1)) / d

        value = {}
        for i in winners:
            value[i] = sum(unit(i, j) for j in arms if beaten[j][i])
            for j in arms:
                pool = sorted(unit(j, c) for c in arms if beaten[j][c] and c != i)
                spare = min(losses) - 1 - beaten[j][i]
                if j == i or spare < 0:
                    continue
                value[i] += min(
                    sum(pool[:h]) / (h - spare) for h in range(spare + 1, len(pool) + 1)
                )
        return {i for i in winners if value[i] > 1.15 * min(value.values())}

    def ask(self):
        if self.duels >= self.due:
            self.believe()
            self.take_up(self.choose())
            self.due = self.duels + max(1, self.duels // 100)
        log_t = math.log(self.t)
        while True:
            ways = self.ways(self.answer)[:6]
            if ways[0][0] >= log_t:
                end = self.t + 1
                while math.log(end) <= ways[0][0] and end - self.t < 10**7:
                    end += 1
                self.query = self.answer, self.answer, end - self.t
                return self.query
            fewest = [sum(self.leads(b, a) for b in self.arms) for a in self.arms]
            best = [a for a in self.arms if fewest[a] == min(fewest)]
            leader = best[least([self.losses[a] for a in best])]
            if leader == self.answer or self.opened(ways[0][2]):
                break
            self.take_up(leader)
        self.working = [
            (ways[0][0] - index, self.opened(way)) for index, _, way in ways if index < log_t
        ]
        i, j = self.explored(ways[0][1], log_t) or self.played()
        n = self.draws(i, j)
        self.query = i, j, max(1, int(n / (50 + 5 * math.log1p(n))))
        return self.query

    def explored(self, challenger, log_t):
        share = self.exploration / (1 + 0.3 * math.log1p(self.duels / len(self.arms)))
        self.exploring = self.lost_exploring <= share * self.lost
        if self.exploring:
            return min(combinations(self.arms, 2), key=lambda pair: self.draws(*pair))
        i = self.answer
        pairs = [(challenger, c) for c in self.arms if c != i and self.leads(challenger, c)]
        pairs += [(c, i) for c in self.arms if self.leads(c, i)]
        if not pairs:
            return None
        price = log_t * min(self.unit_cost(*pair) for pair in self.working[0][1])
        worth = [
            -0.2 * price * 0.5 * math.erfc(math.sqrt(self.evidence(*pair))) / self.nat(*pair)
            for pair in pairs
        ]
        best = least(worth)
        return pairs[best] if worth[best] <= -1 else None

    def played(self):
        pairs = [pair for _, opened in self.working for pair in opened]
        shares = [self.shares[min(pair), max(pair)] for pair in pairs]
        if not any(shares):
            shares = [1.0] * len(pairs)
        power = math.log(self.t) ** 1.5
        scores = [
            -y * math.exp(-4 * self.evidence(*pair) / power) / self.unit_cost(*pair)
            for pair, y in zip(pairs, shares, strict=True)
        ]
        return pairs[least(scores)]

    def tell(self, won):
        i, j, times = self.query
        self.t += times
        if i == j:
            return
        self.duels += times
        lost = times * (self.losses[i] + self.losses[j])
        self.lost += lost
        self.lost_exploring += lost * self.exploring
        spent = times * self.regret(i, j)
        self.spent += spent
        total = sum(math.exp(less) for less, _ in self.working)
        for less, opened in self.working:
            for a, b in opened:
                self.shares[min(a, b), max(a, b)] += math.exp(less) / total * spent * self.spent
        self.won[i][j] += won
        self.won[j][i] += times - won

    def take_up(self, arm):
        if arm != self.answer:
            self.answer = arm
            self.shares = dict.fromkeys(self.shares, 0.0)

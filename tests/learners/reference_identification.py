"""POCOWISTA, DKWT and NTS, duel by duel, sharing no code with the package."""

import math

from scipy.stats import beta


def reference_pocowista(arms, duel, delta):
    """The winner; with ``duel(i, j)`` whether i wins. One pair after another, by dictionaries."""
    beats = {}

    def compared(i, j):
        return (i, j) in beats or (j, i) in beats

    def score(i):
        return sum(beats.get((i, j), False) for j in range(arms))

    def potential(i):
        return score(i) + sum(j != i and not compared(i, j) for j in range(arms))

    def mode(i, j):
        error = delta / math.comb(arms, 2)
        wins = [0, 0]
        while beta.pdf(0.5, wins[0] + 1, wins[1] + 1) > error:
            wins[not duel(i, j)] += 1
        return i if wins[0] > wins[1] else j

    while True:
        best = max(range(arms), key=score)
        if score(best) >= max(potential(i) for i in range(arms) if i != best):
            return best
        i = max(range(arms), key=potential)
        j = max((j for j in range(arms) if j != i and not compared(i, j)), key=score)
        first = mode(i, j)
        beats[first, j if first == i else i] = True
        beats[j if first == i else i, first] = False


def reference_dkwt(order, duel, delta):
    """The winner that stays, of arms in this order."""
    share = delta / len(order)
    stays = order[0]
    for other in order[1:]:
        s, decided = 1, False
        while not decided:
            error, h = 6 * share / (math.pi**2 * s**2), 2 ** (-s - 1)
            size = math.ceil(8 * math.log(4 / error) / h**2)
            won = sum(duel(stays, other) for _ in range(size))
            ahead = won / size - (size - won) / size
            if abs(ahead) > h:
                decided = True
                stays = stays if ahead > 0 else other
            s += 1
    return stays


def reference_nts(arms, duel, h, delta):
    """The Condorcet winner or None, and the pairs that were decided, in order."""
    error = delta / arms
    decided = []

    def wins(i, j):
        """Likelihoods of 1/2 + h and 1/2 - h, one against the other."""
        decided.append((i, j))
        log_ratio, step = 0.0, math.log((0.5 + h) / (0.5 - h))
        while abs(log_ratio) < math.log((1 - error) / error) * (1 - 1e-12):
            log_ratio += step if duel(i, j) else -step
        return log_ratio > 0

    beaten_by = [set() for _ in range(arms)]
    queue = list(range(arms))
    while len(queue) > 1:
        following = [queue[-1]] if len(queue) % 2 else []
        for i, j in zip(queue[0::2], queue[1::2], strict=False):
            winner, loser = (i, j) if wins(i, j) else (j, i)
            beaten_by[winner].add(loser)
            following.append(winner)
        queue = following
    candidate = queue[0]
    for other in range(arms):
        if other not in beaten_by[candidate] | {candidate} and not wins(candidate, other):
            return None, decided
    return candidate, decided

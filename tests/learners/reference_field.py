"""MergeDTS and Versatile-DB, round by round, sharing no code with the package.

Random numbers are drawn one by one, in the order the package draws them.
"""

import itertools
import math


def share_of_samples(pairs, wins, rng):
    """For every pair (i, j), a sample of the chance that i beats j."""
    return {(i, j): rng.beta(wins[i][j] + 1, wins[j][i] + 1) for i, j in pairs}


def any_of(items, rng):
    return items[int(len(items) * rng.random())] if len(items) > 1 else items[0]


def merged(batches, size):
    """Smallest with largest, the largest first, where both fit."""
    rest, result = sorted(batches, key=len), []
    while rest:
        large = rest[-1]
        rest = rest[:-1]
        if rest and len(rest[0]) + len(large) <= 3 * size / 2:
            large, rest = rest[0] + large, rest[1:]
        result.append(large)
    return result


def reference_merge_dts(arms, duel, horizon, rng, *, alpha, size, offset):
    """The pairs played, and the arms that are left."""
    wins = [[0] * arms for _ in range(arms)]
    order = list(rng.permutation(arms))
    batches = [[int(arm) for arm in order[a : a + size]] for a in range(0, arms, size)]
    stage, played = 1, []

    def upper(i, j, t):
        n = wins[i][j] + wins[j][i]
        return wins[i][j] / n + math.sqrt(alpha * math.log(t + offset) / n) if n else 2.0

    while len(played) < horizon:
        t = len(played) + 1
        m = t % len(batches)
        while True:
            if len(batches) > 1 and len(batches[m]) == 1:
                joined = batches[m] + batches[(m + 1) % len(batches)]
                if m + 1 < len(batches):
                    batches[m : m + 2] = [joined]
                else:
                    batches = [*batches[1:-1], joined]
                    m = len(batches) - 1
            lost = [
                i for i in batches[m] if any(upper(i, j, t) < 0.5 for j in batches[m] if j != i)
            ]
            if not lost:
                break
            batches[m] = [i for i in batches[m] if i != lost[0]]
        batch = batches[m]
        if len(batch) == 1:
            played.append((batch[0], batch[0]))
            continue
        theta = share_of_samples(list(itertools.combinations(batch, 2)), wins, rng)
        score = [
            sum(theta[i, j] > 0.5 for j in batch if (i, j) in theta)
            + sum(theta[j, i] <= 0.5 for j in batch if (j, i) in theta)
            for i in batch
        ]
        c = any_of([i for i, own in zip(batch, score, strict=True) if own == max(score)], rng)
        second = share_of_samples([(i, c) for i in batch if i != c], wins, rng)
        d = min(second, key=second.get)[0]
        played.append((c, d))
        won = duel(c, d)
        wins[c][d] += won
        wins[d][c] += 1 - won
        if len(batches) > 1 and sum(map(len, batches)) <= arms / 2**stage:
            batches = merged(batches, size)
            if min(map(len, batches)) <= size / 2:
                batches = merged(batches, size)
            stage += 1
    return played, sorted(arm for batch in batches for arm in batch)


def tsallis_by_bisection(losses, eta):
    """Weights 4 / (eta (L - x))^2 that add up to 1."""

    def weights(x):
        return [4 / (eta * (loss - x)) ** 2 for loss in losses]

    low, high = min(losses) - 2 * len(losses) / eta, min(losses) - 1 / eta
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if sum(weights(middle)) > 1 else (middle, high)
    return weights(low)


def reference_versatile_db(arms, duel, horizon, rng):
    losses = [[0.0] * arms, [0.0] * arms]
    played = []
    while len(played) < horizon:
        eta = 2 / math.sqrt(len(played) + 1)
        p = [tsallis_by_bisection(own, eta) for own in losses]
        chosen = []
        for weights in p:
            uniform, arm = rng.random() * sum(weights), 0
            while arm < arms - 1 and uniform >= sum(weights[: arm + 1]):
                arm += 1
            chosen.append(arm)
        k, j = chosen
        played.append((k, j))
        won = duel(k, j)
        if k == j:
            won = 0.5
        losses[0][k] += (1 - won) / p[0][k]
        losses[1][j] += won / p[1][j]
    return played

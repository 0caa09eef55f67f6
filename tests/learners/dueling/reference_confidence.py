"""RUCB and CCB as printed, round by round, sharing no code with the package.

They draw uniform numbers where the papers leave a choice to chance, in the order the package does,
so that the same seed must give the same pairs.
"""

import math

from tests.learners.dueling.reference_rmed import State


def intervals(state, arms, t, alpha):
    """Upper and lower bounds of every pair, as both papers write them (x/0 = 1)."""
    upper = [[0.5] * arms for _ in range(arms)]
    lower = [[0.5] * arms for _ in range(arms)]
    for i in range(arms):
        for j in range(arms):
            if i != j:
                n = state.draws(i, j)
                share = state.wins[i][j] / n if n else 1.0
                radius = math.sqrt(alpha * math.log(t)) / math.sqrt(n) if n else 1.0
                upper[i][j], lower[i][j] = share + radius, share - radius
    return upper, lower


def reference_rucb(arms, duel, horizon, rng, *, alpha=0.51):
    state = State(arms)
    favourite = None
    played = []
    while len(played) < horizon:
        t = len(played) + 1
        upper, _ = intervals(state, arms, t, alpha)
        candidates = [c for c in range(arms) if all(u >= 0.5 for u in upper[c])]
        if favourite not in candidates:
            favourite = None
        if len(candidates) == 1:
            favourite = candidates[0]
        if len(candidates) == 1 or (favourite is not None and rng.random() < 0.5):
            c = favourite
        else:
            pool = [arm for arm in candidates or range(arms) if arm != favourite]
            c = pool[int(rng.random() * len(pool))]
        against = [upper[j][c] for j in range(arms)]
        best = [j for j in range(arms) if against[j] == max(against)]
        if len(best) > 1:
            best = [j for j in best if j != c]
            best = [best[int(rng.random() * len(best))]]
        d = best[0]
        played.append((c, d))
        won = duel(c, d)
        if c != d:
            state.count(c, d, won)
    return played


def reference_ccb(arms, duel, horizon, rng, *, alpha=0.51):
    """CCB. In idle stretches of several candidates it draws numbers that the package does not."""
    state = State(arms)
    everyone = set(range(arms))
    possible, proofs, known = set(everyone), [set() for _ in range(arms)], arms
    played = []
    while len(played) < horizon:
        t = len(played) + 1
        upper, lower = intervals(state, arms, t, alpha)
        high = [sum(upper[i][k] >= 0.5 for k in range(arms) if k != i) for i in range(arms)]
        # An interval that has just shrunk to ½, or one without a duel, beats nobody.
        low = [sum(lower[i][k] > 0.5 for k in range(arms) if k != i) for i in range(arms)]
        candidates = [i for i in range(arms) if high[i] == max(high)]
        if any(lower[i][j] > 0.5 for i in range(arms) for j in proofs[i]):
            possible, proofs, known = set(everyone), [set() for _ in range(arms)], arms
        for i in sorted(possible):
            if high[i] < max(low):
                possible.discard(i)
                if len(proofs[i]) != known + 1:
                    proofs[i] = {k for k in range(arms) if k != i and upper[i][k] < 0.5}
        if not possible:
            possible, proofs, known = set(everyone), [set() for _ in range(arms)], arms
        for i in candidates:
            if high[i] == low[i]:
                possible.add(i)
                known = arms - 1 - high[i]
                for j in range(arms):
                    if j == i or len(proofs[j]) < known + 1:
                        proofs[j] = set()
                    elif len(proofs[j]) > known + 1:
                        rest = sorted(proofs[j])
                        proofs[j] = {
                            rest.pop(int(rng.random() * len(rest))) for _ in range(known + 1)
                        }
        disputed = [
            (i, j)
            for i in range(arms)
            for j in sorted(proofs[i])
            if lower[i][j] <= 0.5 <= upper[i][j]
        ]
        if disputed and rng.random() < 0.25:
            c, d = disputed[int(rng.random() * len(disputed))]
        else:
            likely = [i for i in candidates if i in possible]
            if likely and len(likely) < len(candidates) and rng.random() < 2 / 3:
                candidates = likely
            c = candidates[0]
            if len(candidates) > 1:
                c = candidates[int(rng.random() * len(candidates))]
            pool = [j for j in sorted(proofs[c]) if lower[j][c] <= 0.5]
            if not pool or rng.random() >= 0.5:
                pool = [j for j in range(arms) if lower[j][c] <= 0.5]
            top = max(upper[j][c] for j in pool)
            best = [j for j in pool if upper[j][c] == top]
            if len(best) > 1:
                best = [j for j in best if j != c]
                best = [best[int(rng.random() * len(best))]]
            d = best[0]
        played.append((c, d))
        won = duel(c, d)
        if c != d:
            state.count(c, d, won)
    return played

"""Double Thompson sampling as printed, round by round, sharing no code with the package.

Samples are drawn one by one, in the order the package draws them, and the same ones are left out.
"""

import itertools
import math

from tests.learners.reference_rmed import divergence


def bounds(wins, i, j, t, alpha):
    """Lower and upper bound of a pair (x/0 = 1)."""
    if i == j:
        return 0.5, 0.5
    n = wins[i][j] + wins[j][i]
    if not n:
        return 0.0, 2.0
    radius = math.sqrt(alpha * math.log(t) / n)
    return wins[i][j] / n - radius, wins[i][j] / n + radius


def sample(pairs, wins, theta, rng):
    """Beta variates as shares of two gamma variates, the first of every pair before the second."""
    gammas = [rng.standard_gamma(wins[i][j] + 1) for i, j in pairs]
    others = [rng.standard_gamma(wins[j][i] + 1) for i, j in pairs]
    for (i, j), one, other in zip(pairs, gammas, others, strict=True):
        theta[i][j] = one / (one + other)
        theta[j][i] = 1 - theta[i][j]


def estimated_regret(arm, theta, scores, most):
    return sum(
        (2 * most - scores[arm] - scores[other]) / divergence(theta[arm][other])
        for other in range(len(theta))
        if other != arm and theta[arm][other] != 0.5
    )


def reference_d_ts(arms, duel, horizon, rng, *, alpha=0.51, plus=False):
    wins = [[0] * arms for _ in range(arms)]
    everyone = range(arms)
    pairs = list(itertools.combinations(everyone, 2))
    played = []
    while len(played) < horizon:
        t = len(played) + 1
        upper = [
            sum(bounds(wins, i, j, t, alpha)[1] > 0.5 for j in everyone if j != i) for i in everyone
        ]
        candidates = [i for i in everyone if upper[i] == max(upper)]
        theta = [[0.5] * arms for _ in everyone]

        c = candidates[0]
        if len(candidates) > 1:
            near = [(i, j) for i, j in pairs if i in candidates or j in candidates]
            sample(near, wins, theta, rng)
            scores = [sum(share > 0.5 for share in theta[i]) for i in everyone]
            most = max(scores[i] for i in candidates)
            best = [i for i in candidates if scores[i] == most]
            if plus and len(best) > 1:
                sample([pair for pair in pairs if pair not in near], wins, theta, rng)
                scores = [sum(share > 0.5 for share in theta[i]) for i in everyone]
                regrets = [estimated_regret(i, theta, scores, most) for i in best]
                best = [
                    i
                    for i, regret in zip(best, regrets, strict=True)
                    if math.isclose(regret, min(regrets), rel_tol=1e-9)
                ]
            c = best[int(len(best) * rng.random())] if len(best) > 1 else best[0]
        others = [i for i in everyone if i != c and bounds(wins, i, c, t, alpha)[0] <= 0.5]
        theta = [[0.5] * arms for _ in everyone]
        sample([(i, c) for i in others], wins, theta, rng)
        d = max([c, *others], key=lambda i: theta[i][c])
        played.append((c, d))
        won = duel(c, d)
        if c != d:
            wins[c][d] += won
            wins[d][c] += 1 - won
    return played

"""D-TS and D-TS+: what their reference plays, and what their paper proves."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from scipy.special import betaincinv

import cpe_opt as cpe
from tests.learners.dueling.reference_rmed import divergence
from tests.learners.support import duels_of, rounds_played
from tests.support import random_preferences

D_TS = ["d-ts", "d-ts-plus"]


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
    """Quantiles of the beta distributions at uniform numbers."""
    for i, j in pairs:
        theta[j][i] = betaincinv(wins[j][i] + 1, wins[i][j] + 1, rng.random())
        theta[i][j] = 1 - theta[j][i]


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


def problems(seed):
    rng = np.random.default_rng(seed)
    yield cpe.load_instance(["cyclic", "mslr5-condorcet", "gap", "multisol"][seed % 4])
    yield random_preferences(2 + seed % 6, rng, ties=seed % 3)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", D_TS)
def test_d_ts_plays_exactly_what_the_reference_plays(name, seed):
    alpha = (0.51, 3.0)[seed % 2]
    for mu in problems(seed):
        learner = partial(cpe.learners.get_learner(name), alpha=alpha)
        ours = rounds_played(learner, mu, seed, 400)
        theirs = reference_d_ts(
            mu.arms,
            duels_of(mu, seed),
            400,
            np.random.default_rng([seed, 1]),
            alpha=alpha,
            plus=name == "d-ts-plus",
        )
        assert ours == theirs

"""MergeDTS: what its reference plays, its offset, and how its batches join."""

import itertools
import math
from functools import partial

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.merge_dts import Batches, safe_offset
from tests.learners.support import duels_of, rounds_played
from tests.support import random_preferences, with_gaps


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
    """The pairs played, round by round, and the arms that are left.

    Random numbers are drawn one by one, in the order the package draws them.
    """
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


def ordered(arms, gap):
    """The first arm beats all by the gap, the others each other at random."""
    mu = with_gaps(random_preferences(arms, np.random.default_rng(arms)), gap).array.copy()
    mu[0, 1:], mu[1:, 0] = 0.5 + gap, 0.5 - gap
    return cpe.PreferenceMatrix(mu, name=f"ordered-{arms}")


@pytest.mark.parametrize(
    ("arms", "size", "alpha", "gap"),
    [(4, 4, 0.3, 0.3), (9, 4, 0.3, 0.25), (13, 2, 0.3, 0.3), (20, 8, 0.5, 0.25), (21, 5, 0.5, 0.3)],
)
def test_merge_dts_plays_exactly_what_the_reference_plays(arms, size, alpha, gap):
    """Until one arm is left, and with cycles among the others."""
    mu, settings = ordered(arms, gap), {"alpha": alpha, "offset": 20.0}
    learner = partial(cpe.learners.merge_dts, batch_size=size, **settings)
    ours = rounds_played(learner, mu, 0, 1500)
    rng = np.random.default_rng([0, 1])
    theirs, left = reference_merge_dts(arms, duels_of(mu, 0), 1500, rng, size=size, **settings)
    assert ours == theirs
    assert len(left) < arms


def test_the_offset_is_the_paper_s():
    """4e6 for 136 rankers with alpha = 1.01 and delta = 0.01, as in the experiments."""
    assert safe_offset(136, 1.01, 0.01) == pytest.approx(4.08e6, rel=0.01)
    assert safe_offset(2, 1.0, 0.5) == pytest.approx(3 * 4 / 0.5)


@pytest.mark.parametrize(
    ("sizes", "joined"),
    [
        ([1, 2, 2, 2], [7]),
        ([4, 2, 3], [9]),
        ([6, 5], [5, 6]),
    ],
)
def test_batches_that_stay_small_join_once_more(sizes, joined):
    """M = 7: up to 10 arms in a batch; once more where one has 3 or fewer."""
    batches = Batches(24, np.random.default_rng(0), 1.0, 7)
    arms = iter(range(24))
    batches.batches = [[next(arms) for _ in range(size)] for size in sizes]
    batches.end_round()
    assert sorted(len(batch) for batch in batches.batches) == joined
